import type { Words } from '@data-brain/contract'
import { foldClassName, readClass } from '@data-brain/contract/import/class-name'
import type { FormKind } from '@data-brain/contract/import/place'
import { foldText } from './heading.ts'
import { findLayout, type Layout } from './layout.ts'
import { FileFault, fileShapeOf } from './limits.ts'
import { meaningOf } from './match.ts'
import type { Outline, RawBook, RawSheet } from './raw-rows.ts'
import type { Choice, Sheet } from './table.ts'

/* Which sheets of a file are read: the one that looks like a list of people, with all others of its shape. */

/** A sheet that was looked over, with its table if it has one. */
export interface ExaminedSheet {
  readonly index: number
  readonly raw: RawSheet
  readonly outline: Outline
  readonly layout: Layout | undefined
  /** It is called what holds the rows of another time, or of those who have left. */
  readonly isCopy: boolean
}

/** Sheets that are looked over at all. */
const sheetsMost = 200

export async function lookOver(
  kind: FormKind,
  book: RawBook,
  { heading, known = [] }: Choice,
): Promise<ExaminedSheet[]> {
  if (book.sheets.length > sheetsMost)
    throw new FileFault(`超过${sheetsMost}张工作表，请分成几个文件`, `More than ${sheetsMost} sheets: split the file`)
  const names = book.sheets.map(({ name }) => name)
  const looked: ExaminedSheet[] = []
  for (const [index, raw] of book.sheets.entries()) {
    const outline = await raw.outline()
    const row = heading?.sheet === index ? heading.row : undefined
    const wish = { row, known: new Set(known) }
    const layout = outline.rows > 0 ? findLayout(kind, outline, wish) : undefined
    looked.push({ index, raw, outline, layout, isCopy: isCopy(raw.name, names) })
  }
  // What was pointed at on one sheet is the heading of all that say the same.
  const sign = heading && looked[heading.sheet]?.layout?.sign
  return sign && !known.includes(sign) ? lookOver(kind, book, { heading, known: [...known, sign] }) : looked
}

const headingsOf = ({ layout }: ExaminedSheet): string[] =>
  layout?.columns.flatMap(({ heading }) => (heading === '' ? [] : foldText(heading))) ?? []

/** Whether two tables mean the same in all of their columns, in whatever words: 班级 and 所在班级. */
function meansSame(kind: FormKind, a: readonly string[], b: readonly string[]): boolean {
  const meant = (headings: readonly string[]): string =>
    [...new Set(headings.map((heading) => meaningOf(kind, heading) ?? heading))].toSorted().join('|')
  return a.length >= 3 && meant(a) === meant(b)
}

/** Whether two tables have the same headings, but for a few. */
function isAlike(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0) return a.length === b.length
  const [one, two] = [new Set(a), new Set(b)]
  const common = [...one].filter((heading) => two.has(heading)).length
  return common >= 3 && common >= 0.8 * Math.min(one.size, two.size) && common >= 0.5 * Math.max(one.size, two.size)
}

/** The sheets as they are told, with the number of their shape. */
export function sheetsOf(kind: FormKind, looked: readonly ExaminedSheet[]): Sheet[] {
  const found: string[][] = []
  return looked.map((each) => {
    const { index, raw, outline, layout } = each
    const headings = headingsOf(each)
    let shape = layout ? found.findIndex((other) => isAlike(other, headings) || meansSame(kind, other, headings)) : -1
    if (layout && shape < 0) shape = found.push(headings) - 1
    return {
      index,
      name: raw.name,
      hidden: raw.hidden,
      rows: outline.rows,
      headings: layout?.columns.map(({ heading }) => heading) ?? [],
      ...(shape >= 0 ? { shape } : {}),
    }
  })
}

/** Rows below the heading, as far as they are known. */
const dataRows = ({ outline, layout }: ExaminedSheet): number =>
  layout ? outline.rows - outline.first.filter((row) => row.no <= layout.bottom).length : 0

const worth = (each: ExaminedSheet): number =>
  each.layout && dataRows(each) > 0
    ? (each.layout.isChosen ? 500 : 0) +
      Math.min(each.layout.score, 40) +
      4 * Math.log10(1 + dataRows(each)) -
      (each.isCopy ? 100 : 0) -
      (each.raw.hidden ? 1_000 : 0)
    : Number.NEGATIVE_INFINITY

/** Sheets that are called by classes, no two alike, and name people: they belong together whatever else each of them tells. */
function classSheets(kind: FormKind, looked: readonly ExaminedSheet[]): readonly ExaminedSheet[] {
  if (kind !== 'student') return []
  const own = looked.filter(
    ({ raw, layout }) => layout?.nameAt !== undefined && !raw.hidden && readClass(raw.name).length > 0,
  )
  const names = own.map(({ raw }) => foldClassName(raw.name))
  return own.length > 1 && new Set(names).size === names.length ? own : []
}

/** How near the score of another sheet comes to that of the best, for it to be a rival. */
const alike = 0.75

const copies =
  /备份|副本|旧版|旧表|作废|去年|上年|上学年|上学期|往年|样例|示例|模板|转出|转学|退学|休学|离校|往届|copy|backup/i

/** 历史 holds former pupils, but for a school that sets 历史 beside 物理. */
const isCopy = (name: string, all: readonly string[]): boolean =>
  copies.test(name) || (/历史(?!类|方向|组|选|班)/.test(name) && !all.some((other) => /物理|政治|地理/.test(other)))

/** A sheet that holds what all the others hold as well. */
function wholeOf(alike: readonly ExaminedSheet[]): ExaminedSheet | undefined {
  if (alike.length < 3) return undefined
  const all = alike.reduce((sum, each) => sum + dataRows(each), 0)
  return alike.find((each) => {
    const share = dataRows(each) / Math.max(1, all - dataRows(each))
    return /汇总|总表|全校|全部|总名单|总册/.test(each.raw.name)
      ? share > 0.7 && share < 1.4
      : share > 0.95 && share < 1.1
  })
}

export interface ChosenSheet {
  readonly sheets: readonly ExaminedSheet[]
  /** Sheets of another shape that could as well be meant. */
  readonly rivals: readonly ExaminedSheet[]
  readonly why: Words
}

/** The sheets that somebody chose, else those that are proposed. */
export function chooseSheets(
  kind: FormKind,
  looked: readonly ExaminedSheet[],
  sheets: readonly Sheet[],
  choice: Choice,
): ChosenSheet {
  if (choice.sheets && choice.sheets.length > 0) {
    const asked = [...new Set(choice.sheets)]
      .sort((a, b) => a - b)
      .map((index) => {
        const found = looked[index]
        if (!found) throw new FileFault(`文件没有第${index + 1}张工作表`, `The file has no sheet ${index + 1}`)
        if (!found.layout)
          throw new FileFault(
            `工作表“${found.raw.name}”里没有找到标题行`,
            `No heading row in the sheet "${found.raw.name}"`,
          )
        return found
      })
    return { sheets: asked, rivals: [], why: { zh: '按您的选择读取', en: 'Read as chosen' } }
  }
  const best = looked.reduce<ExaminedSheet | undefined>(
    (top, each) => (worth(each) > (top ? worth(top) : Number.NEGATIVE_INFINITY) ? each : top),
    undefined,
  )
  if (!best) throw nothing(kind, looked)
  const shape = sheets[best.index]?.shape
  const ofClasses = classSheets(kind, looked)
  const isOne = (each: ExaminedSheet): boolean => ofClasses.includes(best) && ofClasses.includes(each)
  const rivals = best.layout?.isChosen
    ? []
    : looked.filter(
        (each) =>
          each.layout !== undefined &&
          sheets[each.index]?.shape !== shape &&
          !isOne(each) &&
          !each.raw.hidden &&
          !each.isCopy &&
          dataRows(each) > 1 &&
          each.layout.score >= alike * (best.layout?.score ?? 0) &&
          dataRows(each) >= dataRows(best) / 3,
      )
  const same = looked.filter(
    (each) =>
      (sheets[each.index]?.shape === shape || isOne(each)) && each.raw.hidden === best.raw.hidden && dataRows(each) > 0,
  )
  const wanted = same.filter((each) => each === best || !each.isCopy)
  const whole = wholeOf(wanted)
  if (whole)
    return {
      sheets: [whole],
      rivals,
      why: {
        zh: `“${whole.raw.name}”的行数等于其余${wanted.length - 1}张同样的工作表之和，只读取它`,
        en: `"${whole.raw.name}" has as many rows as the ${wanted.length - 1} other sheets of its shape together: it alone is read`,
      },
    }
  if (wanted.length > 1)
    return {
      sheets: wanted,
      rivals,
      why: wanted.every((each) => sheets[each.index]?.shape === shape)
        ? {
            zh: `${wanted.length}张工作表的列相同，一起读取`,
            en: `${wanted.length} sheets have the same columns and are read together`,
          }
        : {
            zh: `${wanted.length}张工作表各是一个班，一起读取`,
            en: `${wanted.length} sheets are of one class each and are read together`,
          },
    }
  const visible = looked.filter((each) => !each.raw.hidden && each.outline.rows > 0)
  return {
    sheets: [best],
    rivals,
    why:
      visible.length <= 1
        ? { zh: '文件中只有这一张工作表有内容', en: 'The only sheet with anything in it' }
        : { zh: `“${best.raw.name}”最像名册`, en: `"${best.raw.name}" looks most like a list of people` },
  }
}

/** Why no sheet can be read. */
function nothing(kind: FormKind, looked: readonly ExaminedSheet[]): FileFault {
  const { headings, such } = fileShapeOf(kind)
  if (looked.length === 0)
    return new FileFault(
      '文件中没有工作表，请另存为 xlsx 后重试',
      'The file holds no sheet: save it as xlsx and try again',
    )
  if (looked.every(({ outline }) => outline.rows === 0))
    return new FileFault('文件中没有数据', 'The file holds no data')
  if (looked.some(({ layout }) => layout))
    return new FileFault('标题行下面没有数据', 'There are no rows below the heading')
  return new FileFault(
    `没有找到标题行（至少要有${such.zh}等${headings}个列名）`,
    `No heading row was found (it needs at least ${headings} known names, such as ${such.en})`,
  )
}
