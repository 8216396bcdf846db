import type { FormKind } from '@data-brain/contract/import/place'
import { knownHeadings } from './match.ts'
import type { Outline, RawRow, Span } from './raw-rows.ts'

/* Where the heading of a table is, and what it says when it has several rows. */

/** Rows from the top in which a heading is looked for. */
const headWithin = 60

/** Words of which headings are made in lists of people, whatever form they are for. */
const headWords =
  /姓名|名字|性别|年龄|出生|生日|民族|国籍|籍贯|身份|证件|学号|学籍|考号|编号|序号|班级|年级|班别|座号|座位|电话|手机|联系|地址|住址|户口|户籍|监护|家长|父亲|母亲|爸爸|妈妈|关系|备注|入学|毕业|学校|政治|健康|宿舍|寝室|走读|住宿|就读|邮箱|邮编|微信|特长|爱好|血型|身高|体重|视力|账号|工号|部门|角色|岗位|职务|职称|学科|科目|语文|数学|英语|教室|楼|座位|容量|课时|课程|班主任|老师|教师|单位|独生|留守|低保|残疾|孤儿|随迁|类别|类型|状态|日期|时间|说明|名称|^(name|student|sex|gender|date|dob|tel|home|birth|phone|mobile|class|grade|address|id|no|remark|email|school|guardian|parent|account)/i

/** Texts that stand in rows and are no headings, though some are made of the same words. */
const valueWords =
  /^(男|女|是|否|有|无|汉|汉族|群众|健康|良好|走读|住宿|住校|父子|父女|母子|母女|团员|共青团员|少先队员|正常|在读|居民身份证|√|×)$/

/** Texts that stand over the headings of a guardian as well as in a row. */
const relation = /^(父|母|父亲|母亲|爸爸|妈妈)$/

/** Parts of a day below 出生日期. */
const dayPart = /^[年月日]$/

/** In what something is measured, and of which eye, below 身高 and 视力. */
const measured = /^[（(]?(cm|厘米|公分|kg|千克|公斤|斤|km|公里|千米|左|右|左眼|右眼)[)）]?$/

/** The name of a group of headings that adds nothing to them: 基本信息 over 姓名. */
const neutral =
  /^(学生)?(基本|个人|学籍|学生|扩展|其他|其它|入学|户籍|家庭|联系|健康|身份)*(信息|情况|资料|数据|项目|内容|登记)$/
/** What a name of a group ends in that adds nothing to it: 父亲信息 is 父亲. */
const groupEnding = /(的)?(基本)?(信息|情况|资料|栏)$/

/** A heading as one line: blanks go where Chinese is on either side. */
export const headingText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\x20-\x7e]) ?/g, '$1')
    .trim()
    .replace(/\s*[:：]$/, '')
    .slice(0, 100)

/** A text as it is compared with another. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s★☆*]/g, '')

/** Whether a text is surely no heading: a number, a day, a telephone, a value that many rows have. */
function isData(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\s/g, '')
  return (
    /\d{5}/.test(plain) ||
    /^[-+]?\d+(\.\d+)?%?$/.test(plain) ||
    /^\d{2,4}[-/.年]\d/.test(plain) ||
    valueWords.test(plain) ||
    plain.length > 60
  )
}

/** A line such as 班级：三（1）班 says a value and is no heading. */
const isStatement = (text: string): boolean => /[:：]\s*\S/.test(text)

const isHeadWord = (text: string): boolean => {
  const plain = foldText(text)
  return (
    plain.length > 0 &&
    plain.length <= 24 &&
    !isData(plain) &&
    !relation.test(plain) &&
    !isStatement(text) &&
    headWords.test(plain)
  )
}

const filledOf = (row: RawRow): string[] => row.cells.filter((cell) => cell !== '')

/** The cells of a row with merged cells spread over all that they cover. */
function spread(row: RawRow, byRow: ReadonlyMap<number, RawRow>, spans: readonly Span[]): string[] {
  const cells = [...row.cells]
  for (const { top, left, bottom, right } of spans) {
    if (row.no < top || row.no > bottom) continue
    const text = byRow.get(top)?.cells[left] ?? ''
    for (let at = left; at <= Math.min(right, 199); at += 1) {
      while (cells.length <= at) cells.push('')
      if (cells[at] === '') cells[at] = text
    }
  }
  return cells
}

/**
 * Headings as one text, by which they are known again in another file. A row that holds anything else, such as somebody's
 * name beside 男, has none: it is kept in clear.
 */
export const signOf = (cells: readonly string[]): string =>
  cells.some(isHeadWord) && !cells.some((cell) => cell !== '' && (isData(cell) || isStatement(cell)))
    ? cells
        .map(foldText)
        .filter((cell) => cell !== '')
        .join('|')
        .slice(0, 200)
    : ''

/** What is known of a heading before it is looked for: its row, or the signs of those that were chosen before. */
export interface HeadingHint {
  readonly row?: number | undefined
  readonly known?: ReadonlySet<string> | undefined
}

export interface Heading {
  /** Rows of the file from the first to the last of the heading. */
  readonly top: number
  readonly bottom: number
  /** By column of the file. */
  readonly columns: readonly { readonly heading: string; readonly parts: readonly string[] }[]
  /** The rows as they stand, folded, to know them again further down. */
  readonly rows: readonly (readonly string[])[]
  /** How sure it is: known headings count double. */
  readonly score: number
  readonly sign: string
  /** Somebody chose it, now or for an earlier file. */
  readonly isChosen: boolean
  /** Rows that could as well be the heading. */
  readonly rivals: readonly number[]
}

/** How near the score of another row comes to that of the heading, for it to be a rival. */
const near = 0.75

/** Finds the heading among the first rows of a sheet. */
export function findHeading(kind: FormKind, { first, spans }: Outline, wish: HeadingHint = {}): Heading | undefined {
  const within = first.slice(0, headWithin)
  const merged = spans.filter((span) => span.top <= (within.at(-1)?.no ?? 0))
  const scoreOf = (cells: readonly string[]): number => {
    const filled = cells.filter((cell) => cell !== '')
    const words = filled.filter(isHeadWord).length
    return (
      words +
      2 * knownHeadings(kind, cells) -
      2 * filled.filter((cell) => isData(cell) && knownHeadings(kind, [cell]) === 0).length
    )
  }
  let best = -1
  let bestScore = 0
  for (const [at, row] of within.entries()) {
    // A title that mentions a word stands alone in its row.
    if (filledOf(row).length < 2) continue
    const score = scoreOf(row.cells)
    if (score > bestScore) {
      best = at
      bestScore = score
    }
  }
  const chosen = within.findIndex(({ no, cells }) =>
    wish.row === undefined ? wish.known?.has(signOf(cells)) === true : no === wish.row,
  )
  if (chosen >= 0) {
    best = chosen
    bestScore = Math.max(3, scoreOf(within[chosen]!.cells))
  }
  const base = within[best]
  if (!base || bestScore < 3) return undefined
  const byRow = new Map(within.map((row) => [row.no, row]))
  let from = best
  let to = best
  while (to - from < 2 && to + 1 < within.length && goesOn(within[to]!, within[to + 1]!, merged)) to += 1
  while (to - from < 2 && from > 0 && isAbove(within[from - 1]!, within[from]!, merged)) from -= 1
  const band = within.slice(from, to + 1)
  // Below it the headings may stand in another language.
  const again = within[to + 1]
  const isTwice =
    again !== undefined && again.no === band.at(-1)!.no + 1 && (saysHeadings(again) || isTranslation(again, base))
  // And so they may above it.
  const before = within[from - 1]
  const translated = before?.no === band[0]!.no - 1 && isTranslation(before, base) ? before.no : undefined
  const bottom = isTwice ? again.no : band.at(-1)!.no
  return {
    top: translated ?? band[0]!.no,
    bottom,
    columns: joined(
      band.map((row) => spread(row, byRow, merged)),
      band.map((row) => merged.some(isWide(row))),
    ),
    rows: band.map((row) => row.cells.map(foldText)),
    score: bestScore,
    sign: signOf(base.cells),
    isChosen: chosen >= 0,
    rivals: within
      .filter((row) => row.no < (translated ?? band[0]!.no) || row.no > bottom)
      .filter((row) => filledOf(row).length >= 2 && !isLike(row, base) && scoreOf(row.cells) >= near * bestScore)
      .map((row) => row.no),
  }
}

/** Whether a row says for the most part what another one says: the same headings once more are no other ones. */
function isLike(row: RawRow, other: RawRow): boolean {
  const said = new Set(filledOf(other).map(foldText))
  const filled = filledOf(row)
  return filled.filter((cell) => said.has(foldText(cell))).length * 2 >= Math.min(filled.length, said.size)
}

const isWide = (row: RawRow) => (span: Span) => span.top <= row.no && span.bottom >= row.no && span.right > span.left

/** Whether the row below a row of headings names their parts. */
function goesOn(row: RawRow, below: RawRow, spans: readonly Span[]): boolean {
  if (below.no !== row.no + 1) return false
  const filled = filledOf(below)
  const wide = spans.filter(isWide(row)).filter((span) => span.top === row.no)
  const under = (at: number): boolean => wide.some((span) => at >= span.left && at <= span.right)
  // 男 and 女 below 性别: short words that stand under nothing but wide headings, where all others reach down over the row.
  const reaches = (at: number): boolean =>
    spans.some(({ top, bottom, left }) => top === row.no && bottom >= below.no && left === at)
  const isBand = wide.length > 0 && row.cells.every((cell, at) => cell === '' || under(at) || reaches(at))
  const isWord = (cell: string): boolean =>
    cell.length <= 12 && !/\d/.test(cell.normalize('NFKC')) && !isStatement(cell)
  if (isBand && filled.length > 1 && below.cells.every((cell, at) => cell === '' || (under(at) && isWord(cell))))
    return true
  if (filled.length === 0 || filled.some((cell) => isData(cell) || isStatement(cell))) return false
  // A row that has nothing but parts of wide headings is about nobody: 卡介苗 and 乙肝 below 疫苗.
  if (filled.length > 1 && below.cells.every((cell, at) => cell === '' || under(at))) return true
  if (filled.every((cell) => measured.test(foldText(cell)))) return true
  const isPart = (cell: string): boolean => [relation, dayPart, measured].some((form) => form.test(foldText(cell)))
  const words = filled.filter((cell) => isHeadWord(cell) || isPart(cell)).length
  if (words * 2 < filled.length || words === 0) return false
  // The same headings once more are those of the next table.
  if (below.cells.filter((cell, at) => cell !== '' && cell === row.cells[at]).length * 2 >= filled.length) return false
  const parts = below.cells.filter((cell, at) => cell !== '' && (under(at) || !row.cells[at])).length
  return parts >= 1 && (wide.length > 0 || parts * 2 >= filled.length || filled.length > 2)
}

/** Whether a row says in Latin letters what another one says in Chinese, or the other way round, cell by cell. */
function isTranslation(row: RawRow, other: RawRow): boolean {
  const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)
  const isLatin = (text: string): boolean => /[A-Za-z]/.test(text) && !isChinese(text) && !/\d/.test(text)
  const pairs = row.cells.flatMap((cell, at) => (cell === '' ? [] : [[cell, other.cells[at] ?? ''] as const]))
  if (pairs.length < 3 || pairs.length * 2 < filledOf(other).length) return false
  return (
    pairs.every(([one, two]) => isLatin(one) && isChinese(two)) ||
    pairs.every(([one, two]) => isChinese(one) && isLatin(two))
  )
}

/** Whether a row holds headings and nothing else. */
function saysHeadings(row: RawRow): boolean {
  const filled = filledOf(row)
  return filled.length >= 3 && filled.every(isHeadWord)
}

/** Whether the row above a row of headings names their groups. */
function isAbove(above: RawRow, row: RawRow, spans: readonly Span[]): boolean {
  if (above.no !== row.no - 1) return false
  const filled = filledOf(above)
  if (filled.length < 2 || filled.some((cell) => isData(cell) || isStatement(cell) || cell.length > 30)) return false
  // A title over each of two tables is no group of headings.
  if (filled.some((cell) => isTitle.test(cell))) return false
  const width = row.cells.length
  const wide = spans.filter(isWide(above)).filter(({ left, right }) => right - left + 1 < width)
  if (wide.length > 0) return true
  // Without merged cells: the one row says what the other leaves open.
  const open = row.cells.filter((cell, at) => cell === '' && (above.cells[at] ?? '') !== '').length
  return open > 0 || filled.some((cell) => /父|母|家长|监护|爸|妈|成员|信息|情况/.test(cell) && !isHeadName(cell))
}

const isTitle = /[\d一二三四五六七八九十][)）]?\s*班|名单|名册|登记表|信息表|统计表|通讯录|一览表/
const isHeadName = (text: string): boolean => /姓名|电话|手机|单位|身份/.test(text)

/** The headings of a band of rows, column by column. */
function joined(
  band: readonly (readonly string[])[],
  merged: readonly boolean[],
): { heading: string; parts: string[] }[] {
  const width = Math.max(...band.map((row) => row.length))
  const groups = band.map(() => '')
  const columns = Array.from({ length: width }, (_column, at) => {
    const column: string[] = []
    for (const [level, row] of band.entries()) {
      let text = headingText(row[at] ?? '')
      const below = band.slice(level + 1).some((lower) => (lower[at] ?? '') !== '' && lower[at] !== row[at])
      if (text !== '') groups[level] = below ? text : ''
      // Where nothing is merged, a group goes on until the next.
      else if (!merged[level] && below && groups[level] && level < band.length - 1) text = groups[level]
      if (text !== '' && text !== column.at(-1)) column.push(text)
    }
    return column
  })
  return columns.map((column, at) => {
    const parts = namesRelatives(columns, at) ? column.slice(1) : column
    return { heading: joinParts(parts), parts }
  })
}

/** A group about the family, by no name of one of it. */
const family = /^(主要)?(家庭|家长|监护人|父母)(主要)?(成员|双方)?(的)?(基本|联系)?(信息|情况|资料)?$/

/**
 * Whether the group over a column says nothing of it, because the columns below say themselves who each is: the 联系方式
 * behind 父亲姓名 is the father's, and that behind 母亲姓名 the mother's, whatever stands over all four. A 联系方式 that
 * stands there once may be that of either, and keeps its group.
 */
function namesRelatives(columns: readonly (readonly string[])[], at: number): boolean {
  const group = columns[at]![0] ?? ''
  if (columns[at]!.length < 2 || !family.test(foldText(group))) return false
  const isOver = (column: readonly string[] | undefined): boolean => column?.[0] === group && column.length > 1
  let first = at
  let last = at
  while (isOver(columns[first - 1])) first -= 1
  while (isOver(columns[last + 1])) last += 1
  const own = columns.slice(first, last + 1).map((column) => foldText(column.at(-1) ?? ''))
  const again = own.filter((text) => text === own[at - first]).length
  return again > 1 && /^(父|母|爸|妈|爷|奶|外)/.test(own[0]!)
}

/** Several parts as one heading: 父亲信息 over 姓名 is 父亲姓名, 基本信息 over 姓名 is 姓名. */
function joinParts(parts: readonly string[]): string {
  const own = parts.at(-1) ?? ''
  const groups = parts
    .slice(0, -1)
    .filter((part) => !neutral.test(foldText(part)))
    // 家长信息 over 父亲姓名 says nothing more.
    .filter((part) => !(/[父母爸妈]|监护|家长/.test(own) && /家长|监护|家庭|父母/.test(part)))
    .map((part) => (part.replace(groupEnding, '') === '' ? part : part.replace(groupEnding, '')))
  // 联系电话 over 父亲 and 母亲.
  if (relation.test(foldText(own)) && groups.length > 0) return (own + groups.join('')).slice(0, 100)
  return groups.reduceRight((text, group) => (text.includes(group) ? text : group + text), own).slice(0, 100)
}
