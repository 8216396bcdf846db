import type { DashboardTile } from '@data-brain/contract/calls/dashboard'
import { cellList } from '@data-brain/contract/dashboard'
import { listAddress } from '../../session/paths.ts'
import { sizeText } from '../../ui/size.ts'
import type { Translate } from '../../ui/words.ts'

/** A count of a tile with the words for it and the way to what it counts. */
export interface Cell {
  readonly row: string
  readonly column: string
  readonly columnKey: string
  readonly group: string
  readonly value: number
  readonly limit: number | undefined
  /** What is measured beside the count, such as the space that files take, and how people say it. */
  readonly amount?: number
  readonly amountWords?: string
  readonly href: string | undefined
  /** The whole in one sentence. */
  readonly words: string
}

export const columnWords = (tile: DashboardTile, key: string, t: Translate): string =>
  tile.key === 'periods' ? t('dash.column.period', { no: key }) : t(`dash.column.${key}`)

const rowWords = (tile: DashboardTile, { id, name }: DashboardTile['rows'][number], t: Translate): string =>
  tile.key === 'periods' ? t(`dash.day${id}`) : name || id

/** What is measured of a row beside its counts. */
function amountOf({ bytes, minutes }: DashboardTile['rows'][number], t: Translate) {
  if (bytes !== undefined) return { amount: bytes, amountWords: sizeText(bytes) }
  return minutes === undefined ? undefined : { amount: minutes, amountWords: spanWords(minutes, t) }
}

/** Minutes as people say them: of hours and days with a decimal, since half a day is not none. */
function spanWords(minutes: number, t: Translate): string {
  const tenth = (value: number): number => Math.round(value * 10) / 10
  if (minutes < 1) return t('dash.moment')
  if (minutes < 60) return t('dash.minutes', { count: minutes })
  return minutes < 2_880
    ? t('dash.hours', { count: tenth(minutes / 60) })
    : t('dash.days', { count: tenth(minutes / 1_440) })
}

/** Every count of a tile, row by row. */
export const cellsOf = (tile: DashboardTile, t: Translate, number: (count: number) => string): Cell[] =>
  tile.rows.flatMap((row) =>
    row.values.map((value, at) => {
      const { code, query } = cellList(tile, row, at)
      const { key } = tile.columns[at]!
      const [name, column] = [rowWords(tile, row, t), columnWords(tile, key, t)]
      const over = row.limit !== undefined && value > row.limit ? t('dash.over', { limit: row.limit }) : ''
      const amount = amountOf(row, t)
      const size = amount ? t('dash.size', { size: amount.amountWords }) : ''
      return {
        row: name,
        column,
        columnKey: key,
        group: row.group ?? '',
        value,
        limit: row.limit,
        ...amount,
        href: listAddress(code, query),
        words: t('dash.cell', { row: name, column, count: number(value) }) + over + size,
      }
    }),
  )

/** What a chart says, in a sentence: how many rows, and the most and the fewest of them. */
export function sentenceOf(tile: DashboardTile, t: Translate, number: (count: number) => string): string {
  const rows = tile.rows.map((row) => ({
    row: rowWords(tile, row, t),
    // Of a table about several things the first column speaks.
    sum: tile.key === 'schools' ? row.values[0]! : row.values.reduce((sum, value) => sum + value, 0),
  }))
  const sorted = rows.toSorted((a, b) => b.sum - a.sum)
  const [most, least] = [sorted[0], sorted.at(-1)]
  return [
    t('dash.rows', { title: t(`dash.tile.${tile.key}`), count: rows.length }),
    ...(most ? [t('dash.most', { row: most.row, count: number(most.sum) })] : []),
    ...(least && rows.length > 1 ? [t('dash.least', { row: least.row, count: number(least.sum) })] : []),
  ].join('; ')
}
