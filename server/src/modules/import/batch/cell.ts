import { type Nature, natureOf, type Words } from '@data-brain/contract'
import { type DayOrder, readDay } from '@data-brain/contract/rules/day'
import type { ModelField } from '../../../entity/model.ts'
import type { Mark } from '../file/limits.ts'
import { type Choices, type FileLookups, flagWords, foldWord } from './lookups.ts'

/** What a cell says, as the value of a draft; a text that the draft's own check will judge passes as it is. */
export type Cell = { readonly value: string | number | string[] } | { readonly fault: Words }

/** What cells are looked up in; a form without regions reads none. */
type CellLookups = Choices & Partial<Pick<FileLookups, 'regionCodes' | 'regionNames'>>

const fault = (zh: string, en: string): Cell => ({ fault: { zh, en } })

const marks: Record<Mark, Cell> = {
  formula: fault(
    '公式没有计算结果，请用 Excel 打开并保存后重新上传，或改成数值',
    'holds a formula without a result: open the file in Excel and save it, or enter the value',
  ),
  error: fault('是公式的错误值（如 #N/A），请重新填写', 'is an error value such as #N/A: enter it again'),
  rounded: fault(
    '数字过长，末尾几位已被Excel丢失，请把单元格设为文本后重新填写',
    'is a long number whose last digits Excel has lost: make the cell text and enter it again',
  ),
}

const years = (from: number, to: number): readonly [string, string] => {
  const today = new Date()
  const near = (more: number): string =>
    `${today.getFullYear() + more}${today.toISOString().slice(4, 10).replace('-02-29', '-02-28')}`
  return [near(from), near(to)]
}

/** In which span of time the days of a field lie; a short year is one of these. */
export function spanOfDays({ name }: Pick<ModelField, 'name'>): readonly [string, string] {
  switch (name) {
    case 'birthDate':
      return years(-40, 0)
    case 'birthday':
      return years(-90, -14)
    case 'enrollDate':
      return years(-30, 2)
    case 'hireDate':
      return years(-60, 1)
    default:
      return years(-60, 30)
  }
}

const onlyMonth = /^\d{4}\s*([-/.年]\s*\d{1,2}\s*月?|\d\d)$/

/** A day without what says that it is one of the common calendar; one of the moon's is none: 公历2015年9月3日. */
const ofSun = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[(]?(?:公历|阳历|新历|国历)[)]?[:]?/g, '')
    .replace(/[_—–-]{1,2}(?=\d)/g, '-')
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+|[(]?(?:星期|周)[一二三四五六日天][)]?/gi, '')
    .trim()

/** A day of six figures, where only one century fits: 150903 is 2015-09-03. 201509 is a month. */
function inCentury(text: string, [from, to]: readonly [string, string]): string {
  const [, year, month, day] = /^(?!19|20)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (!year) return text
  const fitting = ['19', '20']
    .map((century) => `${century}${year}-${month}-${day}`)
    .filter((each) => each >= from && each <= to)
  return fitting.length === 1 ? fitting[0]! : text
}

function dayCell(text: string, field: ModelField, order: DayOrder | undefined): Cell {
  const between = spanOfDays(field)
  const read = readDay(inCentury(ofSun(text), between), {
    serial: true,
    time: true,
    month: field.month ?? false,
    between,
    ...(order ? { order } : {}),
  })
  if ('day' in read) return { value: read.day }
  if (onlyMonth.test(text.normalize('NFKC').trim()))
    return fault('只有年月，还缺日，应形如2026-09-01', 'is only a month: the day is missing, as in 2026-09-01')
  return { fault: read.fault }
}

const units = /(厘米|千克|公斤|公里|千米|cm|kg|km|岁|号|%|人|个|座|节|课时|册|本|套|件|台|张|间|辆|名|位|次|天|元)$/i
/** A sum of money with its sign, and any number that is set in groups of three: ￥1,280.00. */
const money = /^(?:[¥$]|rmb|cny)\s*/i
const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** The answer to a question without the letter that a questionnaire sets before it: A.男. */
export const withoutLetter = (text: string): string => text.replace(/^\s*[A-Za-z]\s*[.、．:：)）]\s*/, '')

/** What a cell in two languages says: 男/M, 是 (Yes). Undefined where its parts do not say the same. */
function agreed<T>(text: string, find: (part: string) => T | undefined): T | undefined {
  const parts = text.split(/[/|()（）\s]+/).filter(Boolean)
  const known = parts.map(find)
  const [first] = known.filter((each) => each !== undefined)
  const isSame = parts.every((part, at) => known[at] === first || (known[at] === undefined && /^[A-Za-z]+$/.test(part)))
  return parts.length > 1 && isSame ? first : undefined
}

/** The word behind the code that a register writes before it: 01汉族, 1-男, CHN-中国. Letters by themselves are no code: AB型. */
const withoutCode = (text: string): string =>
  text.normalize('NFKC').replace(/^\s*(?:\d{1,3}\s*[-.、:]?|[A-Za-z]{1,3}\s*[-:])\s*(?=\p{Script=Han})/u, '')

/** What is ticked of several that are offered in one cell: ☑是 □否. */
function ticked(text: string): string {
  const marked = [...text.matchAll(/[☑✓√✅■●]\s*([^☑✓√✅■●□☐○\s]+)/gu)].map(([, word]) => word!)
  const open = /[□☐○]/u.test(text)
  return marked.length === 1 && (open || marked[0] !== text) ? marked[0]! : text
}

/** A cell of a choice without what stands around it: （男）, 无。, 父亲（监护人） stays as it is. */
const bareWord = (text: string): string =>
  ticked(text.normalize('NFKC').trim())
    .replace(/^[([【“"']\s*([^()[\]【】]+?)\s*[)\]】”"']$/, '$1')
    .replace(/[。.，,；;！!]+$/, '')

const impaired: Readonly<Record<string, string>> = { 视: '视力', 听: '听力', 智: '智力', 肢: '肢体', 言: '言语' }

/** A word of a dictionary as clerks shorten or lengthen it: 美国籍 is 美国, 肢残 and 肢体残疾二级 are 肢体残疾. */
const respelled = (text: string): string[] => {
  const plain = bareWord(text)
  const ungraded = plain.replace(/[(]?[一二三四1-4]级[)]?$/, '')
  return [
    plain,
    plain.replace(/籍$/, ''),
    ungraded,
    ungraded.replace(/^(视|听|智|肢|言)残$/, (_all, sign: string) => `${impaired[sign]}残疾`),
  ].filter((each) => each !== '' && each !== text)
}
const firstOf = <T>(words: readonly string[], find: (word: string) => T | undefined): T | undefined =>
  words.map(find).find((each) => each !== undefined)

const breaks = /\s*[\n\r\v\f\u2028\u2029]\s*/g
/** A text of one line, whose cell was broken to fit its width: an address goes on where it was broken, other words stay apart. */
const inOneLine = (text: string, { kind, name }: ModelField): Cell => ({
  value: kind === 'area' ? text : text.trim().replace(breaks, /address$/i.test(name) ? '' : ' '),
})
function bare(text: string): string {
  const plain = text.normalize('NFKC').trim().replace(money, '').replace(units, '').trim()
  return grouped.test(plain) ? plain.replaceAll(',', '') : plain
}
/** Sight in decimals, as the five-mark record of GB 11533 has it: 0.6 is 4.8; the one ends below where the other begins. */
function fiveMark(text: string): string {
  const decimal = Number(text)
  return decimal >= 0.1 && decimal <= 2 ? (5 + Math.log10(decimal)).toFixed(1) : text
}
/** A way in kilometres: 300米 is 0.3, and a 里 is half a kilometre; 约2公里 and 2公里左右 are 2. */
function kilometres(text: string): string {
  const [, figure = '', unit = ''] =
    /^(?:大?约|近)?\s*(\d+(?:\.\d+)?)\s*(公里|千米|km|华里|市里|里地?|米|m)?(?:左右|多)?$/i.exec(
      text.normalize('NFKC').trim(),
    ) ?? []
  if (figure === '') return text
  const share = /^(?:米|m)$/i.test(unit) ? 0.001 : /^(?:华里|市里|里地?)$/.test(unit) ? 0.5 : 1
  return share === 1 ? figure : String(Math.round(Number(figure) * share * 10) / 10)
}
/** Codes of counties whose towns are known as well. */
const withTowns = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()
/** The county of a town's code, where no towns of that county are known: its first six digits. */
function countyOf(code: string, { regionCodes }: CellLookups): string {
  if (!regionCodes || !/^\d{9}(\d{3})?$/.test(code)) return code
  const towns =
    withTowns.get(regionCodes) ?? new Set([...regionCodes].flatMap((each) => (each.length > 6 ? each.slice(0, 6) : [])))
  withTowns.set(regionCodes, towns)
  const county = code.slice(0, 6)
  return towns.has(county) ? code : county
}
/** What 是 can mean in a dictionary that says of several kinds which one it is, or that it is none: 是否留守儿童. */
export function kindsOf(text: string, dict = '', { choices, offers }: Choices): readonly Words[] | undefined {
  const none = choices.get(dict)?.get('否')
  if (flagWords.get(foldWord(text)) !== 1 || none === undefined) return undefined
  return offers.get(dict)?.filter(({ zh }) => choices.get(dict)?.get(foldWord(zh)) !== none)
}
/** What a word is found as: as it stands, without the letter or the code before it, spelt otherwise, or in two languages. */
const inAnySpelling = <T>(text: string, find: (word: string) => T | undefined): T | undefined =>
  find(text) ??
  find(withoutLetter(text)) ??
  find(withoutCode(text)) ??
  firstOf(respelled(text), find) ??
  agreed(text, find)

const never = (): Cell => fault('不能导入', 'cannot be imported')

const readers: Record<Nature, (text: string, field: ModelField, lookups: CellLookups, order?: DayOrder) => Cell> = {
  text: inOneLine,
  personal: inOneLine,
  number: (text, { name }) => {
    if (name === 'distanceKm') return { value: kilometres(text) }
    const plain = bare(text)
    return { value: name.startsWith('vision') ? fiveMark(plain) : plain }
  },
  flag: (text) => {
    const find = (word: string) => flagWords.get(word) ?? flagWords.get(foldWord(word))
    const flag = inAnySpelling(text, find)
    return flag === undefined ? fault('应填“是”或“否”', 'should be yes or no') : { value: flag }
  },
  key: (text, field, lookups) => {
    const words = lookups.choices.get(field.dict ?? '')
    // Most cells hold a label as it stands in the list.
    const find = (word: string) => words?.get(word) ?? words?.get(foldWord(word))
    const key = inAnySpelling(text, find)
    if (key !== undefined) return { value: key }
    const all = lookups.offers.get(field.dict ?? '') ?? []
    const offers = kindsOf(text, field.dict, lookups) ?? all
    const list = (language: 'zh' | 'en', sign: string): string =>
      offers
        .slice(0, 6)
        .map((offer) => offer[language])
        .join(sign) + (offers.length > 6 ? '…' : '')
    if (offers !== all)
      return fault(
        `“${text}”没有说明是哪一种，可填：${list('zh', '、')}`,
        `“${text}” does not say which kind: ${list('en', ', ')}`,
      )
    return fault(`不是可选的值，可填：${list('zh', '、')}`, `is not one of the choices: ${list('en', ', ')}`)
  },
  day: (text, field, _lookups, order) => dayCell(text, field, order),
  region: (text, _field, lookups) => {
    const typed = text.normalize('NFKC').trim()
    if (/^\d{2,12}$/.test(typed)) {
      // Registers write a county with the places of town and village: 320102000000.
      const places = [typed, typed.replace(/(?<=^\d{6})(000|000000)$/, ''), typed.replace(/(?<=^\d{9})000$/, '')]
      const code = [...places, countyOf(typed, lookups)].find((each) => lookups.regionCodes?.has(each))
      return code ? { value: code } : fault('没有这个行政区划代码', 'is no region code')
    }
    const code = lookups.regionNames?.get(text) ?? lookups.regionNames?.get(foldWord(text))
    if (code) return { value: code }
    return code === ''
      ? fault('有几个地区叫这个名字，请写上省和市', 'fits several regions: name province and city')
      : fault(
          '不是行政区划，应形如“江苏省南京市玄武区”或6位代码',
          'is no region: write it as 江苏省南京市玄武区 or as a code of 6 digits',
        )
  },
  keys: (text, field, lookups) => {
    const words = text.split(/[、,，;；/\n]+|\s+/).filter(Boolean)
    const read = words.map((word) => readers.key(word, field, lookups))
    return (
      read.find((each) => 'fault' in each) ?? {
        value: read.flatMap((each) => ('value' in each ? String(each.value) : [])),
      }
    )
  },
  moment: never,
  row: never,
  rows: never,
  secret: never,
  json: never,
}

/** Reads a cell that is not empty for a field; `order` is that of its column's days, where it was found out or answered. */
export function readCell(
  text: string,
  mark: Mark | undefined,
  field: ModelField,
  lookups: CellLookups,
  order?: DayOrder,
): Cell {
  if (mark && (mark !== 'rounded' || field.kind === 'text' || field.kind === 'personal')) return marks[mark]
  return readers[natureOf(field.kind)](text, field, lookups, order)
}

/** Why an identity number that is wrong may be so: its end was lost in a spreadsheet. */
export const lostDigits: Words = {
  zh: '后三位是000，可能被Excel改过，请把单元格设为文本后重新填写',
  en: 'ends in 000, probably lost in Excel: make the cell text and enter it again',
}
