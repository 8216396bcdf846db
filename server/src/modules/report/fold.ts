import type { Words } from '@data-brain/contract'
import { titledWith } from '@data-brain/contract'
import {
  groupFilter,
  hiddenMark,
  isOfField,
  measureLabel,
  type ReportField,
  type ReportHead,
  type ReportRow,
  reportLimits,
} from '@data-brain/contract/report'
import { Problem } from '../../kernel/problem.ts'
import type { Question } from './content.ts'
import { addMove, type Move, Movement, moveText, noMoves } from './moves.ts'

/*
 * Counted cells put together: rows of groups, columns of the cross table, the sums below and beside them. Sums are of the
 * cells that are shown, so that a cell which is hidden cannot be told from them; nor do they lead to a list then, which
 * would count what is hidden. A number that too few rows of a cell have is hidden like a cell of too few rows.
 */

/** A cell as the statement counts it. */
export type CountedCell = Readonly<Record<string, unknown>> & { readonly n: number }

type Language = keyof Words

/** What is summed up: rows, and of each measure of a field its sum, how many rows have it, its least and its most. */
interface Tally {
  n: number
  readonly parts: { s: number; c: number; lo: number | null; hi: number | null }[]
  /** Of each measure that counts a change: what it is made of. */
  readonly moves: Move[]
}

const emptyTally = (measures: number): Tally => ({
  n: 0,
  parts: Array.from({ length: measures }, () => ({ s: 0, c: 0, lo: null, hi: null })),
  moves: noMoves(measures),
})

const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))
const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b))
const most = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.max(a, b))

/** Whether too few rows of a cell have the number of a measure. */
const isScarce = (cell: CountedCell, measure: number, hideBelow: number): boolean => {
  const have = Number(cell[`c${measure}`] ?? 0)
  return have > 0 && have < hideBelow
}

function add(tally: Tally, cell: CountedCell, hideBelow: number, movement: Movement): void {
  tally.n += cell.n
  for (const [at, move] of tally.moves.entries()) tally.moves[at] = addMove(move, movement.of(cell, at))
  for (const [at, part] of tally.parts.entries()) {
    if (isScarce(cell, at, hideBelow)) continue
    part.s += Number(cell[`s${at}`] ?? 0)
    part.c += Number(cell[`c${at}`] ?? 0)
    part.lo = least(part.lo, numberOf(cell[`lo${at}`]))
    part.hi = most(part.hi, numberOf(cell[`hi${at}`]))
  }
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** A key of a group, with what it is called and its place. */
interface Key {
  readonly key: string | null
  readonly place: number
  readonly name: string
}

/** A key in a map: what no group is called stands for none. */
const idFor = (key: unknown): string => (key === null || key === undefined ? '\u0000' : String(key))

/** Says what keys are called: by their rows, by the words of a dictionary, or as they are. */
export type KeyWords = (field: ReportField, key: string | null, name: unknown) => string

interface Folding {
  readonly question: Question
  readonly cells: readonly CountedCell[]
  /** The days of the measures that count a change, and what was counted on each of these days. */
  readonly bases: ReadonlyMap<number, string>
  readonly before: ReadonlyMap<string, readonly CountedCell[]>
  readonly words: KeyWords
  readonly language: Language
}

const totalWords: Words = { zh: '合计', en: 'Total' }
/** What the line below the groups within a group is called. */
export const subtotalWords = (name: string): Words => ({ zh: `${name} 小计`, en: `${name} subtotal` })

/** The keys of one group, by their own texts, in order; names that several have are told apart by what stands beside them. */
function keysOf({ cells, words, language }: Folding, field: ReportField, at: number): Map<string, Key> {
  const found = new Map<string, Key & { beside: readonly string[] }>()
  for (const cell of cells) {
    const key = cell[`k${at}`] as string | null
    const id = idFor(key)
    if (found.has(id)) continue
    found.set(id, {
      key,
      place: Number(cell[`o${at}`]),
      name: words(field, key, cell[`n${at}`]),
      beside: (cell[`b${at}`] as string[] | null | undefined) ?? [],
    })
  }
  const sorted = [...found].sort(([, a], [, b]) => a.place - b.place)
  const names = Map.groupBy(found.values(), ({ name }) => name)
  return new Map(
    sorted.map(([id, { beside, ...key }]) => [
      id,
      names.get(key.name)!.length > 1 ? { ...key, name: titledWith(key.name, beside, language) } : key,
    ]),
  )
}

const refuseMany = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** Refuses more groups, columns or cells than a report holds. */
function refuseTooMany(folding: Folding): void {
  const { groupsMost, crossMost, cellsMost } = reportLimits
  const { question, cells } = folding
  const { groups, cross } = question
  const rows = new Set(cells.map((cell) => JSON.stringify(groups.map((_, at) => cell[`k${at}`]))))
  const columns = cross ? new Set(cells.map((cell) => cell[`k${groups.length}`])).size : 0
  if (columns > crossMost)
    throw refuseMany(
      `“${cross!.label.zh}”有${columns > cellsMost ? '过多' : columns}列，交叉列最多${crossMost}列：请改用分组，或加筛选条件`,
      `"${cross!.label.en}" makes ${columns} columns, of at most ${crossMost}: make it a group, or add a filter`,
    )
  if (rows.size > groupsMost || cells.length > cellsMost)
    throw refuseMany(
      `结果超过${groupsMost}组：请减少分组、按月或按年归并日期，或加筛选条件`,
      `More than ${groupsMost} groups: take fewer of them, put days together by month or year, or add a filter`,
    )
}

/** What the table of a counted report says. */
export interface Folded {
  readonly heads: ReportHead[]
  readonly rows: ReportRow[]
  readonly total: number
  readonly hidden: number
}

interface Column {
  readonly key: Key | undefined
  readonly measure: number
  /** The sum over all columns of the cross table. */
  readonly isSum: boolean
}

/** A table of counted cells: groups down, the cross table’s columns across, sums below and behind. */
export function fold(given: Folding): Folded {
  const { question, language } = given
  const movement = new Movement(question, given.bases, given.before)
  const cells = movement.withGone(given.cells)
  const folding = { ...given, cells }
  refuseTooMany(folding)
  const { content, entity, groups, cross, measured } = question
  const { measures, hideBelow } = content
  // One that is gone counts nothing, and is there for what it was.
  const isOpen = ({ n }: CountedCell): boolean => n === 0 || n >= hideBelow
  const shown = cells.filter(isOpen)
  const keys = groups.map((field, at) => keysOf(folding, field, at))
  const crossed = cross ? keysOf({ ...folding, cells: shown }, cross, groups.length) : undefined
  const columns: Column[] = [
    ...[...(crossed?.values() ?? [])].flatMap((key) =>
      measures.map((_, measure): Column => ({ key, measure, isSum: false })),
    ),
    ...measures.map((_, measure): Column => ({ key: undefined, measure, isSum: cross !== undefined })),
  ]
  const whole = emptyTally(measures.length)
  for (const cell of shown) add(whole, cell, hideBelow, movement)

  /** What a measure of some cells says. */
  const value = (tally: Tally | undefined, measure: number): number | null => {
    const { of } = measures[measure]!
    const { n, parts, moves } = tally ?? emptyTally(measures.length)
    const { s, c, lo, hi } = parts[measure]!
    const scale = measured[measure]?.field.scale ?? 0
    switch (of) {
      case 'count':
        return n
      case 'share':
        return whole.n === 0 ? null : round((n * 100) / whole.n, 1)
      case 'sum':
        return c === 0 ? null : round(s, scale)
      case 'average':
        return c === 0 ? null : round(s / c, scale + 2)
      case 'min':
        return lo
      case 'max':
        return hi
      case 'change':
        return round(moves[measure]!.now - moves[measure]!.was, scale)
      case 'growth': {
        const { now, was } = moves[measure]!
        return was === 0 ? null : round(((now - was) * 100) / Math.abs(was), 1)
      }
    }
  }

  /** Whether too few rows have what a measure is of, or had it on the day that its change is counted since. */
  const isHidden = (cell: CountedCell, measure: number): boolean =>
    (isOfField(measures[measure]!.of) && isScarce(cell, measure, hideBelow)) || !movement.of(cell, measure)

  const idOf = (cell: CountedCell, at: number): string => idFor(cell[`k${at}`])
  /** Of the rows of a group: all together, and by the column of the cross table. */
  const talliesOf = (some: readonly CountedCell[]) => {
    const sum = emptyTally(measures.length)
    const by = new Map<string, Tally>()
    for (const cell of some) {
      add(sum, cell, hideBelow, movement)
      if (!cross) continue
      const id = idOf(cell, groups.length)
      const tally = by.get(id) ?? emptyTally(measures.length)
      by.set(id, tally)
      add(tally, cell, hideBelow, movement)
    }
    return { sum, by }
  }

  let hidden = 0
  const rows: ReportRow[] = []
  const line = (
    some: readonly CountedCell[],
    level: number,
    names: readonly string[],
    query: ReportRow['query'],
  ): void => {
    const open = some.filter(isOpen)
    const columnOf = (cell: CountedCell): string => (cross ? idOf(cell, groups.length) : '')
    const shut = new Set(some.filter((cell) => !isOpen(cell)).map(columnOf))
    if (level === groups.length) {
      hidden += shut.size
      // A group of which nothing is shown is not named either.
      if (open.length === 0) return
    } else if (open.length === 0 && level > 0) return
    const { sum, by } = talliesOf(open)
    const isLeaf = level === groups.length
    rows.push({
      level,
      query: isLeaf || shut.size === 0 ? query : null,
      cells: [
        ...Array.from({ length: groups.length }, (_, at) => names[at] ?? ''),
        ...columns.map(({ key, measure }) => {
          const id = key ? idFor(key.key) : ''
          const tally = key ? by.get(id) : sum
          // A leaf has one cell for each column: it is hidden or told. Of a sum, what is shown of its parts is told.
          const isOne = isLeaf && (key !== undefined || !cross)
          const cell = isOne ? some.find((each) => columnOf(each) === id) : undefined
          if (cell && (shut.has(id) || isHidden(cell, measure))) return hiddenMark
          const said = value(tally, measure)
          return measures[measure]!.of === 'change' && tally && said !== null
            ? moveText(tally.moves[measure]!, said)
            : said
        }),
      ],
    })
  }
  const filterOf = (at: number, key: Key): ReportRow['query'] =>
    groupFilter(groups[at]!, content.groups[at]!.by, key.key) ?? null
  const merged = (one: ReportRow['query'], other: ReportRow['query']): ReportRow['query'] =>
    one && other ? { ...one, ...other } : null

  const walk = (
    some: readonly CountedCell[],
    level: number,
    names: readonly string[],
    query: ReportRow['query'],
  ): void => {
    if (level === groups.length) {
      line(some, level, names, query)
      return
    }
    const parts = Map.groupBy(some, (cell) => idOf(cell, level))
    const ordered = [...keys[level]!].flatMap(([id, key]) => {
      const of = parts.get(id)
      return of ? [{ key, of }] : []
    })
    const { sort } = content
    if (sort) {
      const worth = (of: readonly CountedCell[]): number =>
        value(talliesOf(of.filter(isOpen)).sum, sort.by) ?? Number.NEGATIVE_INFINITY
      const worths = new Map(ordered.map((each) => [each, worth(each.of)]))
      ordered.sort((a, b) => {
        const [one, other] = [worths.get(a)!, worths.get(b)!]
        return one === other ? 0 : (one < other ? -1 : 1) * (sort.down ? -1 : 1)
      })
    }
    for (const { key, of } of ordered) {
      const path = [...names, key.name]
      const narrowed = merged(query, filterOf(level, key))
      walk(of, level + 1, path, narrowed)
      // One group below needs no sum of its own.
      if (level + 1 < groups.length) line(of, level + 1, [...names, subtotalWords(key.name)[language]], narrowed)
    }
  }
  walk(cells, 0, [], {})
  if (groups.length > 0 && cells.length > 0) line(cells, 0, [totalWords[language]], {})

  const crossBy = content.cross?.by
  const heads: ReportHead[] = [
    ...groups.map(({ label }) => ({ text: label[language], over: null, numeric: false, measure: null, query: null })),
    ...columns.map(({ key, measure, isSum }): ReportHead => {
      const since = movement.day(measure)
      const words = measureLabel(entity, { ...measures[measure]!, ...(since ? { since } : {}) })[language]
      return {
        text: words,
        over: key ? key.name : isSum ? totalWords[language] : null,
        numeric: true,
        measure,
        query: key ? (groupFilter(cross!, crossBy, key.key) ?? null) : cross && hidden > 0 ? null : {},
      }
    }),
  ]
  return { heads, rows, total: whole.n, hidden }
}
