import { classInTitle, readClass } from '@data-brain/contract/import/class-name'

/* What the words beside the lessons of a timetable mean: days, periods, classes. */

const dayForms: readonly RegExp[] = [
  /^(?:星期|周|礼拜)?一$|^mon(?:day)?\.?$/i,
  /^(?:星期|周|礼拜)?二$|^tue(?:s|sday)?\.?$/i,
  /^(?:星期|周|礼拜)?三$|^wed(?:nesday)?\.?$/i,
  /^(?:星期|周|礼拜)?四$|^thu(?:rs?|rsday)?\.?$/i,
  /^(?:星期|周|礼拜)?五$|^fri(?:day)?\.?$/i,
  /^(?:星期|周|礼拜)?六$|^sat(?:urday)?\.?$/i,
  /^(?:星期|周|礼拜)?[日天]$|^sun(?:day)?\.?$/i,
]

const plain = (text: string): string => text.normalize('NFKC').replace(/\s/g, '')

/** The weekday that a word means, from 1 for Monday: 星期一, 周一, 一, Mon; a figure alone where `figures` lets it. */
export function weekdayIn(text: string, figures = false): number | undefined {
  const word = plain(text).replace(/\(.*\)$/, '')
  const at = dayForms.findIndex((form) => form.test(word))
  if (at >= 0) return at + 1
  return figures && /^(?:星期|周)?[1-7]$/.test(word) ? Number(word.slice(-1)) : undefined
}

const han = '一二三四五六七八九十'
const hanNumber = (text: string): number =>
  text === '十' ? 10 : text.startsWith('十') ? 10 + han.indexOf(text[1]!) + 1 : han.indexOf(text) + 1
const figure = '(\\d{1,2}|十[一二三四]?|[一二三四五六七八九])'
const periodForm = new RegExp(
  `^(?:上午|下午|晚上|晚自习|晚修)?(?:第|period|p|lesson)?${figure}(?:[-~—–至、,]第?${figure})?(?:节|节课|课|节次)?(?:[(]?\\d{1,2}[:.]\\d{2}.*)?$`,
  'i',
)

/** The periods that a label means, the first and how many: 第1节, 1, 一, 第3-4节, Period 2, 第1节 8:00-8:40. */
export function periodIn(text: string): { readonly no: number; readonly span: number } | undefined {
  const word = plain(text)
  if (/^\d{1,2}[:.]\d{2}/.test(word)) return undefined
  const [, first, last] = periodForm.exec(word) ?? []
  if (!first) return undefined
  const numberOf = (part: string): number => (/^\d/.test(part) ? Number(part) : hanNumber(part))
  const no = numberOf(first)
  const end = last ? numberOf(last) : no
  return no >= 1 && end >= no && end - no < 4 ? { no, span: end - no + 1 } : undefined
}

/** What stands between lessons, and is none. */
const breaks =
  /课间|午休|午餐|午饭|午睡|早餐|晚餐|眼保健操|眼操|广播操|大课间|阳光体育活动时间|放学|到校|升旗|预备|上午$|下午$|晚上$/
export const isBreak = (text: string): boolean => breaks.test(plain(text))

const nothing = /^[-—–/\\.·×xX无空]*$/
/** Whether a cell of a timetable holds a lesson. */
export const isLesson = (text: string): boolean => !nothing.test(plain(text))

/** The class that a line above a timetable names: 七年级（1）班课程表, 班级：七1班; undefined where it names none. */
export function classOver(text: string): string | undefined {
  const named = /班\s*级\s*[:：]\s*([^\s:：]+)/.exec(text)?.[1]
  const title = (named ?? text).replace(/(课程|日课|总课|作息)?(课表|程表|时间表)|timetable/gi, '')
  if (/年级组|教研组|作息|全校|总表/.test(title)) return undefined
  return classInTitle(title) ?? (readClass(title.trim()).length > 0 ? title.trim() : undefined)
}
