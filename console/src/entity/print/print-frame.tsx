import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { HttpProblem } from '../../http/client.ts'
import type { Column } from '../../ui/table/row.tsx'
import { toast } from '../../ui/toast.ts'
import type { CellWords } from '../display/cell.tsx'
import { countedOf, MOST_PRINTED, mayPrint, putOnPaper, tableSheet, tenantName } from './print-sheet.ts'

/** Rows of a list, and whether there are more. */
export interface Part<R> {
  readonly rows: readonly R[]
  readonly more: boolean
}

export interface PrintedFrame<R> {
  readonly words: Pick<CellWords, 't' | 'language'>
  readonly title: string
  readonly columns: readonly Pick<Column<R>, 'key' | 'label' | 'numeric' | 'cell'>[]
  /** Reads on from where the last part ended; the first one is told of none. */
  readonly read: (last: readonly R[], page: number) => Promise<Part<R>>
  /** Unknown of lists that are read on and on. */
  readonly total: number | undefined
  /** The filters in words. */
  readonly asked: readonly string[]
}

/** What a cell says; what stands for nothing is left out, and the indent of a tree stays. */
const textOn = (cell: Element): string => {
  const text = (cell.textContent ?? '').replace(/^[ \n]+|[ \n]+$/g, '')
  return text === '—' ? '' : text
}

/** What stands in the cells of the rows, as text: drawn as the list draws them, and read off. */
function textsOf<R>(rows: readonly R[], columns: PrintedFrame<R>['columns']): string[][] {
  const place = document.createElement('div')
  const root = createRoot(place)
  flushSync(() =>
    root.render(
      rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
        <div key={at}>
          {columns.map((column) => (
            <div key={column.key}>{column.cell(row)}</div>
          ))}
        </div>
      )),
    ),
  )
  const texts = [...place.children].map((line) => [...line.children].map((cell) => textOn(cell)))
  root.unmount()
  return texts
}

/** Makes the sheet of a list that is no entity's: its rows as the filters leave them, in the columns shown. */
export async function printFrameSheet<R>(work: PrintedFrame<R>, onExport?: () => void): Promise<void> {
  const { title, read, total, asked } = work
  const words: CellWords = { ...work.words, dictionaries: {}, regions: {} }
  if (total !== undefined && total > MOST_PRINTED && !(await mayPrint(words, total, undefined, onExport))) return
  try {
    const rows: R[] = []
    let more = true
    for (let page = 1; more && rows.length < MOST_PRINTED; page += 1) {
      const part = await read(rows, page)
      rows.push(...part.rows)
      more = part.more
    }
    if (rows.length === 0) {
      toast.warning(words.t('print.empty'))
      return
    }
    // How many there are is known only now.
    const cut = more || rows.length > MOST_PRINTED
    if (total === undefined && cut && !(await mayPrint(words, undefined, undefined, onExport))) return
    const shown = rows.slice(0, MOST_PRINTED)
    const columns = work.columns.filter(({ key }) => key !== 'actions')
    const texts = textsOf(shown, columns).map((cells, at) => [String(at + 1), ...cells])
    const sheet = tableSheet(
      {
        title,
        said: [...asked, countedOf(words, shown.length, cut ? total : shown.length)],
        columns: [{ label: words.t('print.no'), numeric: true }, ...columns],
        rows: texts,
      },
      words,
    )
    putOnPaper(sheet, words, tenantName(), columns.length > 6)
  } catch (problem) {
    if (!(problem instanceof HttpProblem)) throw problem
    toast.error(problem.message)
  }
}
