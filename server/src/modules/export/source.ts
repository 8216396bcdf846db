import type { Words } from '@data-brain/contract'
import { listTypes, pdfType } from '@data-brain/contract/calls/job'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import { type Parameters, readParameters } from '../../kernel/parameter.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { RecordReading } from '../../kernel/record-list.ts'
import type { DetachedCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import type { Cell, Column } from './columns.ts'
import { csvOf } from './csv.ts'
import type { PdfSheet } from './pdf-sheet.ts'
import { type RowBatch, type Sheet, writtenInThread } from './writing-thread.ts'

/** Most rows of one export; what is larger is narrowed by a filter first. */
export const rowsMost = 100_000
export const batchSize = 1_000

const types = {
  xlsx: listTypes[0],
  csv: listTypes[1],
  pdf: pdfType,
} as const
export type Format = keyof typeof types
/** What a list is taken out in, and what a report is: a list is printed from its page. */
export const listFormats: readonly Format[] = ['xlsx', 'csv']
export const reportFormats: readonly Format[] = ['xlsx', 'csv', 'pdf']
/** The media types of these. */
export const fileTypes = (formats: readonly Format[] = listFormats): readonly string[] =>
  formats.map((format) => types[format])
const isFormat = (text: string): text is Format => Object.hasOwn(types, text)

/** What every export takes beside the filters of its list. */
export const fileParameters = { format: { kind: 'text', max: 4 }, columns: { kind: 'texts' } } as const

/** The format and the columns that are asked for; refuses what is no format by its name. */
export function fileWish(
  query: Readonly<Record<string, string>>,
  language: Circumstance['language'],
  formats: readonly Format[] = listFormats,
): { format: Format; columns: readonly string[] | undefined } {
  const { format = 'xlsx', columns } = readParameters(fileParameters, query)
  if (isFormat(format) && formats.includes(format)) return { format, columns }
  const [last, ...others] = [...formats].reverse()
  const reason: Words = {
    zh: `应为${others.reverse().join('、')}或${last}`,
    en: `must be ${others.join(', ')} or ${last}`,
  }
  throw fieldProblem([{ field: 'format', label: { zh: '格式', en: 'Format' }, reason }], language)
}

/** As whom a list is taken out; `as` opens a transaction each time and asks anew whether they may. */
export interface ExportActor {
  readonly services: Services
  readonly circumstance: Circumstance
  readonly as: DetachedCall['as']
}

/** Hears how many rows have been read. */
export type ProgressListener = (rows: number, of: number) => Promise<unknown>

/** A list as a file that has yet to be written. */
export interface ListFile {
  readonly name: string
  readonly type: string
  readonly rows: number
  readonly bytes: AsyncIterable<Buffer>
}

/** What is asked for of one list, once it has been found to be right. */
export interface ExportRequest {
  /** Refuses what the actor may not take out of it. */
  refuse(actor: Actor): void
  /** Reads a row, so that what is wrong with the filters is said at once. */
  probe(reading: RecordReading): Promise<unknown>
  /** The rows that the list shows with the same filters and order. */
  file(taker: ExportActor, heard?: ProgressListener): Promise<ListFile>
}

/** A list that can be taken out as a file. */
export interface Source {
  readonly name: string
  readonly path: string
  readonly label: Words
  readonly tag: string
  /** The code that it asks for. */
  readonly code: string
  /** Kept once for all tenants, and read by the platform's own role. */
  readonly platform: boolean
  readonly parameters: Parameters
  /** The media types that it comes in, where these are not those of a list. */
  readonly types?: readonly string[]
  /** Reads what is asked for out of the texts that came; refuses what is no format or no column by its name. */
  ask(query: Readonly<Record<string, string>>, language: Circumstance['language'], actor: Actor): ExportRequest
}

/** What a file is made of. */
interface Written {
  readonly source: Pick<Source, 'name' | 'label'>
  readonly format: Format
  readonly columns: readonly Pick<Column, 'name' | 'heading' | 'width'>[]
  readonly ids: readonly string[]
  readonly actor: Actor
  /** The cells of the rows of these ids, in their order. */
  readonly read: (ids: readonly string[]) => Promise<Cell[][]>
  /** What else is said about the file. */
  readonly about?: readonly (readonly [Words, string])[]
  /** A CSV too says who took it out, and every page of a PDF does across it. */
  readonly signed?: boolean
  /** Of a PDF: whose rows they are, which columns are numbers, and which rows are sums, by their ids. */
  readonly owner?: string
  readonly numeric?: readonly boolean[]
  readonly sums?: ReadonlySet<string>
  /** For the log. */
  readonly logged?: Readonly<Record<string, unknown>>
}

/** As many rows as a PDF holds: some 500 pages. */
export const pdfRowsMost = 20_000

/** Refuses more rows than one file holds. */
export function refuseMany(ids: readonly string[], format: Format = 'xlsx'): void {
  if (ids.length > rowsMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `超过${rowsMost}条，请先用筛选条件缩小范围`,
        en: `More than ${rowsMost} rows: narrow them by a filter first`,
      },
    })
  if (format === 'pdf' && ids.length > pdfRowsMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `PDF最多${pdfRowsMost}条，现有${ids.length}条：请缩小范围，或改用Excel`,
        en: `A PDF holds ${pdfRowsMost} rows at most, and these are ${ids.length}: narrow them, or take an .xlsx`,
      },
    })
}

/** Writes rows into a file, bunch by bunch, with who took them out and when; it is logged as an export. */
export function writeFile(
  written: Written,
  { services, circumstance }: Omit<ExportActor, 'as'>,
  heard?: ProgressListener,
): ListFile {
  const { source, format, columns, ids, actor, read, about: more = [], signed = false, logged } = written
  const { owner = '', numeric = [], sums } = written
  const { language } = circumstance
  const bunches = async function* (): AsyncGenerator<RowBatch> {
    await heard?.(0, ids.length)
    for (let start = 0; start < ids.length; start += batchSize) {
      const some = ids.slice(start, start + batchSize)
      const rows = await read(some)
      yield { rows, sums: sums ? [...some.keys()].filter((at) => sums.has(some[at]!)) : [] }
      await heard?.(Math.min(start + batchSize, ids.length), ids.length)
    }
  }
  const label = source.label[language]
  const at = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
  const about: (readonly [Words, string])[] = [
    [{ zh: '内容', en: 'What' }, label],
    [{ zh: '导出人', en: 'Exported by' }, `${actor.name} (${actor.account})`],
    [{ zh: '导出时间', en: 'Exported at' }, at],
    [{ zh: '条数', en: 'Rows' }, String(ids.length)],
    ...more,
  ]
  const lines = about.map(([word, text]) => [word[language], text] as const)
  const foot = lines.map(([word, text]) => `${word}: ${text}`).join('  ')
  const head = columns.map((column) => column.heading)
  services.log.info('export', {
    tenantId: actor.tenantId,
    userId: actor.userId,
    requestId: circumstance.requestId,
    entity: source.name,
    rows: ids.length,
    columns: columns.map(({ name }) => name).join(','),
    ...logged,
  })
  const sheet: Sheet = {
    name: label.slice(0, 31),
    columns: columns.map(({ heading, width }) => ({ heading, width })),
    about: lines,
    aboutName: { zh: '说明', en: 'About' }[language],
    foot,
  }
  const write: Record<Format, () => AsyncGenerator<Buffer>> = {
    csv: () => csvOf(head, bunches(), signed ? foot : undefined),
    xlsx: () => writtenInThread('worker-list', sheet, bunches()),
    pdf: () => {
      const watermark = signed ? `${actor.name} ${actor.account} ${at.slice(0, 16)}` : undefined
      const whole: PdfSheet = { ...sheet, name: label, language, owner, numeric, watermark }
      return writtenInThread('worker-pdf', whole, bunches())
    },
  }
  return {
    name: `${label}-${at.replace(/[^0-9]/g, '').slice(0, 12)}.${format}`,
    type: types[format],
    rows: ids.length,
    bytes: write[format](),
  }
}

/** The type of a file by what its name ends in. */
export function typeOf(name: string): string {
  const format = name.slice(name.lastIndexOf('.') + 1)
  if (format === 'zip') return listTypes[2]
  return isFormat(format) ? types[format] : 'application/octet-stream'
}
