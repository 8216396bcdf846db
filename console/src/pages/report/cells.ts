import type { ReportResult } from '@data-brain/contract/report'
import { hiddenMark, joinFilters } from '@data-brain/contract/report'
import { listAddress } from '../../session/paths.ts'
import type { Translate } from '../../ui/words.ts'
import type { Cell } from '../dashboard/index.ts'

type Value = string | number | null
export type Row = ReportResult['rows'][number]
export type Head = ReportResult['heads'][number]

/** How many columns stand before the figures: what the rows are grouped by. */
export const leading = ({ heads, content }: ReportResult): number =>
  content.measures.length === 0 ? heads.length : content.groups.length

/** A head in one text, where it stands under another. */
export const headText = ({ text, over }: Head, measures: number): string =>
  over === null ? text : measures === 1 ? over : `${over} ${text}`

/** The way to the rows that a figure counts; undefined where no list shows them, or the reader has none. */
export function cellAddress(result: ReportResult, row: Row, head: Head, value: unknown): string | undefined {
  if (head.measure === null || value === hiddenMark) return undefined
  const query = joinFilters(result.query, row.query, head.query)
  return query && listAddress(result.content.entity, query)
}

/** A figure as people write it. */
export const valueText = (value: unknown, number: (count: number) => string): string =>
  value === null || value === undefined ? '' : typeof value === 'number' ? number(value) : String(value)

/** The groups of a report as the cells of a drawing: its first measure, without sums and what is hidden. */
export function drawnCells(result: ReportResult, t: Translate, number: (count: number) => string): Cell[] {
  const { heads, rows, content } = result
  const from = leading(result)
  const crossed = heads.some(({ over, query }) => over !== null && query !== null && Object.keys(query).length > 0)
  const drawn = heads.flatMap((head, at) => {
    const isSum = crossed && at >= heads.length - content.measures.length
    return head.measure === 0 && !isSum ? [at] : []
  })
  const measures = content.measures.length
  return rows
    .filter(({ level }) => level === content.groups.length)
    .flatMap((row) =>
      drawn.flatMap((at): Cell[] => {
        if (row.cells[at] === hiddenMark) return []
        const head = heads[at]!
        const name = row.cells.slice(0, from).map(String).join(' ') || head.text
        const value = Number((row.cells[at] as Value) ?? 0)
        const column = headText(head, measures)
        return [
          {
            row: name,
            column,
            columnKey: String(at),
            group: '',
            value,
            limit: undefined,
            href: cellAddress(result, row, head, value),
            words: t('report.rowsOf', { row: name, column, value: number(value) }),
          },
        ]
      }),
    )
}
