import { Worker } from 'node:worker_threads'
import type { Words } from '@data-brain/contract'
import { type FormColumn, faultHeading } from '@data-brain/contract/import/form'
import { guard } from '../../../kernel/formula.ts'
import { threadOf } from '../../../kernel/thread.ts'
import { type TurnHolder, TurnQueue } from '../../../kernel/turn-queue.ts'
import type { StoredRow } from '../batch/batch.ts'
import { limits } from './limits.ts'

/** A workbook as it is handed to the writing thread. */
export interface OutputWorkbook {
  readonly sheets: readonly {
    readonly name: string
    readonly hidden?: boolean
    readonly columns: readonly {
      readonly width: number
      readonly fill?: string
      readonly list?: string
      readonly note?: string
    }[]
    readonly rows: readonly (readonly string[])[]
    /** Rows of the heading, which stay in view. */
    readonly head?: number
    /** Columns whose cells are red. */
    readonly red?: readonly number[]
  }[]
}

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Workbooks that one process writes at once: each has a thread of its own. */
const turns = new TurnQueue({
  ...{ atOnce: 2, perTenant: 1, perUser: 1 },
  ...{ waitingOfUser: 3, waitingOfTenant: 10, longest: 30_000 },
})

/**
 * Writes a workbook in a thread, whose memory goes with it. The caller holds no connection meanwhile; what goes into the
 * book is read when its turn has come, so that those who wait hold none either.
 */
export const writeBook = (holder: TurnHolder, make: () => OutputWorkbook | Promise<OutputWorkbook>): Promise<Buffer> =>
  turns.during(holder, async () => writeInThread(await make()))

const writeInThread = (book: OutputWorkbook): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(threadOf('worker-book', import.meta.url), {
      workerData: book,
      resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: 32 },
    })
    const limit = setTimeout(() => worker.terminate(), limits.seconds * 1_000)
    worker.once('message', (bytes: Uint8Array) =>
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    )
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(limit)
      reject(new Error('the writing thread ended without an answer'))
    })
  })

/** A form to fill in, as a workbook or as CSV. */
export interface Template {
  readonly name: string
  readonly columns: readonly FormColumn[]
  readonly heading: (column: FormColumn) => string
  /** What a column's drop-down offers; nothing where anything may stand. */
  readonly offers: (column: FormColumn) => readonly string[]
  readonly isNeeded: (column: FormColumn) => boolean
  readonly example: (column: FormColumn) => string
  readonly howTo: readonly Words[]
}

/** A template as a workbook: its headings with drop-downs of this tenant, an example row, and how to fill it in. */
export function templateBook({
  name,
  columns: form,
  heading,
  offers,
  isNeeded,
  example,
  howTo,
}: Template): OutputWorkbook {
  const lists: { values: string[]; name: string }[] = []
  const listOf = (values: string[]): string | undefined => {
    if (values.length === 0) return undefined
    const same = lists.find((list) => list.values.join('\n') === values.join('\n'))
    if (same) return same.name
    const letter = letters(lists.length)
    const name = `lists!$${letter}$1:$${letter}$${values.length}`
    lists.push({ values, name })
    return name
  }
  const columns = form.map((column) => {
    const list = listOf([...offers(column)])
    return {
      width: Math.max(10, heading(column).length * 2 + 4),
      fill: isNeeded(column) ? 'FFF5C2C0' : column.starred ? 'FFFCE4C8' : 'FFE8EEF7',
      ...(list ? { list } : {}),
      note: column.label.en,
    }
  })
  const values = form.map(example)
  const height = Math.max(0, ...lists.map((list) => list.values.length))
  return {
    sheets: [
      { name, columns, rows: [form.map(heading), values], head: 1 },
      {
        name: '说明 Instructions',
        columns: [{ width: 70 }, { width: 90 }],
        rows: [
          ['填写说明', 'How to fill in the form'],
          ...howTo.map((line) => [line.zh, line.en]),
          ['', ''],
          ['列', 'Column'],
          ...form.map((column) => [heading(column), column.label.en]),
        ],
        head: 1,
      },
      {
        name: 'lists',
        hidden: true,
        columns: lists.map(() => ({ width: 16 })),
        rows: Array.from({ length: height }, (_row, at) => lists.map((list) => list.values[at] ?? '')),
      },
    ],
  }
}

/** A template as CSV: its headings and the example row. */
export const templateCsv = ({ columns, heading, example }: Template): string =>
  csvOf([columns.map(heading), columns.map(example)])

/** Rows as CSV, which spreadsheets open with the right letters because of its mark. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((cells) => `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`).join('')}`

/** The letters of a column from its place. */
function letters(place: number): string {
  return place < 26 ? String.fromCharCode(65 + place) : letters(Math.floor(place / 26) - 1) + letters(place % 26)
}

/** The rows with faults in the columns of the file, with what is wrong in a red column behind them. */
export function faultsBook(
  headings: readonly string[],
  rows: readonly StoredRow[],
  label: (key: string) => string,
  language: 'zh' | 'en',
): OutputWorkbook {
  return {
    sheets: [
      {
        name: language === 'zh' ? '未导入的行' : 'Rows left out',
        columns: [
          ...headings.map((name) => ({ width: Math.max(10, name.length * 2 + 4) })),
          { width: 60, fill: 'FFF5C2C0' },
        ],
        rows: [
          [...headings, faultHeading[language]],
          ...rows.map((row) => [
            ...headings.map((_heading, at) => guard(row.kept.cells[at] ?? '')),
            row.faults
              .map((fault) => `${label(fault.key)}${language === 'zh' ? '：' : ': '}${fault[language]}`)
              .join(language === 'zh' ? '；' : '; '),
          ]),
        ],
        head: 1,
        red: [headings.length],
      },
    ],
  }
}
