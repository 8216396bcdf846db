import { classInTitle } from '@data-brain/contract/import/class-name'
import type { FormKind } from '@data-brain/contract/import/place'
import { findHeading, foldText, type Heading, type HeadingHint } from './heading.ts'
import { limits } from './limits.ts'
import { namesClass, ofEntrants } from './line.ts'
import type { Outline, RawRow } from './raw-rows.ts'
import { sexesOf, sexesOver, sidesOf } from './sides.ts'

/* Where on a sheet the table is: its heading, its columns, the tables beside one another, and what stands above. */

export interface Layout {
  /** The rows that the heading takes; 0 where a list has none. */
  readonly top: number
  readonly bottom: number
  readonly headRows: readonly (readonly string[])[]
  readonly columns: readonly { readonly heading: string; readonly parts: readonly string[] }[]
  /** For each of the tables beside one another: the column of the file for each column of the table. */
  readonly blocks: readonly (readonly number[])[]
  /** For each of the tables the sex that stands over it, which is the last of its columns; empty where none does. */
  readonly sexes: readonly string[]
  readonly nameAt: number | undefined
  /** The names of its rows are those of classes. */
  readonly namesClasses: boolean
  readonly serialAt: number | undefined
  readonly titles: readonly { readonly row: number; readonly text: string }[]
  /** For each of the tables: the line above it that names a class, if one does. */
  readonly about: readonly string[]
  /** Columns of the table that name a class or grade in the first row of each block only. */
  readonly downAt: ReadonlySet<number>
  readonly score: number
  readonly sign: string
  /** Somebody chose the heading, now or for an earlier file. */
  readonly isChosen: boolean
  /** Rows that could as well be the heading. */
  readonly rivals: readonly number[]
}

/** The letters of a column from its place. */
export const letters = (place: number): string =>
  place < 26 ? String.fromCharCode(65 + place) : letters(Math.floor(place / 26) - 1) + letters(place % 26)

const isName =
  /^(学生|学员|幼儿|儿童|新生|教师|教工|职工|真实|用户)?(姓名|名字|名称)(name)?$|^(student|full|real)?name$/
const isSerial = /^(序号|序|编号|no\.?|#|号)$/

/** The cells of a line as one text, each text once though it may be merged over many. */
const textOf = (row: RawRow): string => [...new Set(row.cells.filter((cell) => cell !== ''))].join(' ')

/** What a line above a table says of all its rows: 班级：三（1）班 says 三（1）班. */
function aboutOf(titles: readonly { readonly text: string }[]): string {
  for (const { text } of [...titles].reverse()) {
    const named = /班\s*级\s*[:：]\s*([^\s:：]+)/.exec(text)?.[1]
    if (named && namesClass(named)) return named
  }
  // 班级： with nothing behind it names none.
  const names = (text: string): boolean => namesClass(text.replace(/(班\s*[级别次]|年\s*级)\s*[:：]/g, ''))
  const naming = [...titles].reverse().filter(({ text }) => names(text) && text.length <= 80)
  return (
    (
      naming.find(({ text }) => classInTitle(text)) ??
      naming.find(({ text }) => /班/.test(text) && !/班主任/.test(text.replace(/\S*班(?!主任)/, ''))) ??
      naming[0] ??
      // Those who have just been admitted are in no class yet.
      titles.find(({ text }) => ofEntrants.test(text) && text.length <= 80)
    )?.text ?? ''
  )
}

/**
 * The same headings several times in a row are several tables beside one another: 序号 姓名 性别 | 序号 姓名 性别. What
 * differs between them, such as the guardians of one pupil, is no second table.
 */
function blocksOf(headings: readonly string[]): number[][] {
  const places = headings.flatMap((heading, at) => (heading === '' ? [] : [at]))
  const names = places.map((at) => foldText(headings[at] ?? ''))
  for (const count of [2, 3, 4, 5, 6]) {
    if (names.length % count !== 0) continue
    const length = names.length / count
    if (length < 2) break
    const first = names.slice(0, length)
    if (new Set(first).size !== length || !first.some((name) => isName.test(name) || isSerial.test(name))) continue
    if (names.every((name, at) => name === first[at % length]))
      return Array.from({ length: count }, (_block, at) => places.slice(at * length, (at + 1) * length))
  }
  return [places]
}

/** Columns in which the first rows below the heading hold anything. */
function usedColumns(rows: readonly RawRow[]): Set<number> {
  const used = new Set<number>()
  for (const row of rows) for (const [at, cell] of row.cells.entries()) if (cell !== '' || row.marks?.[at]) used.add(at)
  return used
}

const isClass = /^(所在|所属)?(班级|班别|行政班|年级)(名称)?$/

const namedBy = ({ heading, parts }: { heading: string; parts: readonly string[] }, pattern: RegExp): boolean =>
  [heading, parts.at(-1) ?? ''].some((text) => pattern.test(foldText(text).replace(/[（(【[].*?[)）】\]]/g, '')))

/** The titles that stand over some of the columns. */
const titlesOver = (above: readonly RawRow[], at: readonly number[]): { text: string }[] =>
  above.flatMap((row) => {
    const text = row.cells.slice(Math.min(...at), Math.max(...at) + 1).find((cell) => cell !== '')
    return text ? { text } : []
  })

/** Whether a column is filled in the first row, and then only where it changes. */
function isSparse(rows: readonly RawRow[], at: number, most: number): boolean {
  const full = rows.filter((row) => row.cells.filter((cell) => cell !== '').length > 1)
  const filled = full.filter((row) => (row.cells[at] ?? '') !== '').length
  return full.length >= (most > 1 / 3 ? 2 : 4) && (full[0]?.cells[at] ?? '') !== '' && filled <= full.length * most
}

/**
 * The columns of a table without a smaller one beside it: behind an empty column, without names, and in fewer rows, such
 * as the numbers of each class.
 */
function withoutAside(
  all: readonly number[],
  headings: readonly string[],
  used: ReadonlySet<number>,
  rows: readonly RawRow[],
): number[] {
  const groups: number[][] = []
  for (const at of all)
    if (!headings[at] && !used.has(at)) groups.push([])
    else if (groups.length === 0) groups.push([at])
    else groups.at(-1)?.push(at)
  const kept = groups.filter((group) => group.length > 0)
  const named = kept.findIndex((group) => group.some((at) => isName.test(foldText(headings[at] ?? ''))))
  if (named < 0) return kept.flat()
  const filledIn = (group: readonly number[]): number =>
    rows.filter((row) => group.some((at) => (row.cells[at] ?? '') !== '')).length
  const main = filledIn(kept[named]!)
  // Columns that are set apart one by one belong to the table, though not every row fills them in.
  return kept
    .filter((group, at) => at <= named || filledIn(group) > main * 0.6 || (group.length === 1 && headings[group[0]!]))
    .flat()
}

/** Of lists that are not of people: what names a row by itself, and what stands once for the rows below it. */
const listed: Readonly<Partial<Record<FormKind, { readonly name?: RegExp; readonly down: RegExp }>>> = {
  studentparents: { down: /^(学生|孩子|幼儿)?姓名$|^(所在)?(班级|年级)$|^(校内)?学号$/ },
  schoolclass: { name: /^(行政)?班(级|别|名)?(名称|全称)?$|^class(name)?$/, down: /^(所在)?(年级|校区)(名称)?$/ },
  schoolclassroom: { down: /^(所在|所属)?(校区|教学楼|楼栋|楼名|楼宇|楼|大楼|建筑物?|楼层|层)(名称|号)?$/ },
  teacherclass: {
    down: /^(任课|授课|任教)?(教师|老师|学科|科目|课程|年级)(姓名|名称)?$|^姓名$|^(工号|任教学科|任教科目|任教年级)$/,
  },
}

function layoutOf(kind: FormKind, outline: Outline, found: Heading | undefined): Layout {
  const { first } = outline
  const top = found?.top ?? 0
  const bottom = found?.bottom ?? 0
  const above = first.filter((row) => row.no < top)
  const titles = above.map((row) => ({ row: row.no, text: textOf(row).slice(0, 500) }))
  const below = first.filter((row) => row.no > bottom)
  const columnsFound = found?.columns ?? []
  const sides = kind === 'student' ? sidesOf(columnsFound) : undefined
  const bySides = sides && sexesOf(sides, blocksOf(sides.columns.map((each) => each.heading)))
  const named = [...((bySides && sides?.columns) ?? columnsFound)]
  const headings = named.map((each) => each.heading)
  const apart = blocksOf(headings)
  const isTold = kind !== 'student' || headings.some((heading) => foldText(heading) === '性别')
  const sexes = isTold ? undefined : (bySides ?? sexesOver(apart.map((at) => titlesOver(above, at))))
  // What stands over a table is one more column of it, in a place where the sheet has none.
  const several = sexes ? apart.map((block) => [...block, headings.length]) : apart
  if (sexes) named.push({ heading: '性别', parts: ['性别'] })
  // Beside a table that is there once, a column without a heading may hold something too.
  const used = usedColumns(below.filter((row) => row.cells.filter((cell) => cell !== '').length > 1))
  const single = Array.from(
    { length: Math.min(limits.columns, Math.max(headings.length, ...[...used].map((at) => at + 1), 0)) },
    (_c, at) => at,
  )
  const blocks = several.length > 1 ? several : [withoutAside(single, headings, used, below)]
  const columns = (blocks[0] ?? []).map((at) => named[at] ?? { heading: '', parts: [] })
  const place = (pattern: RegExp): number | undefined => {
    const at = columns.findIndex((column) => namedBy(column, pattern))
    return at < 0 ? undefined : at
  }
  return {
    top,
    bottom,
    headRows: blocks[0] && found ? found.rows.map((row) => blocks[0]!.map((at) => row[at] ?? '')) : [],
    columns,
    blocks,
    sexes: sexes ?? [],
    nameAt: place(listed[kind]?.name ?? isName),
    namesClasses: listed[kind]?.name !== undefined,
    serialAt: place(isSerial),
    titles,
    about: blocks.map((at) => aboutOf(blocks.length > 1 ? titlesOver(above, at) : []) || aboutOf(titles)),
    downAt: new Set(
      columns.flatMap((column, at) => {
        const down = listed[kind]?.down ?? isClass
        return namedBy(column, down) && isSparse(below, blocks[0]?.[at] ?? at, listed[kind] ? 0.99 : 1 / 3) ? at : []
      }),
    ),
    score: found?.score ?? 1,
    sign: found?.sign ?? '',
    isChosen: found?.isChosen ?? false,
    rivals: found?.rivals ?? [],
  }
}

const isIdNo = (text: string): boolean => /^\d{17}[\dXx]$/.test(text)
const isMobile = (text: string): boolean => /^1[3-9]\d{9}$/.test(text)
const isSex = (text: string): boolean => /^[男女]$/.test(text)

/** A list without headings: most of its rows hold an identity number, a mobile or a sex beside a text. */
function isBareList(rows: readonly RawRow[]): boolean {
  const people = rows.filter((row) => {
    const cells = row.cells.filter((cell) => cell !== '')
    return (
      cells.length >= 2 &&
      cells.some((cell) => isIdNo(cell) || isMobile(cell) || isSex(cell)) &&
      cells.some((cell) => /^[\u4e00-\u9fff·]{2,8}$/.test(cell))
    )
  })
  return people.length >= 3 && people.length >= rows.length * 0.6
}

/** Finds the table of a sheet; nothing where there is none. */
export function findLayout(kind: FormKind, outline: Outline, wish: HeadingHint = {}): Layout | undefined {
  const found = findHeading(kind, outline, wish)
  if (found) return layoutOf(kind, outline, found)
  return isBareList(outline.first) ? layoutOf(kind, outline, undefined) : undefined
}
