import type { Field, Words } from '../field.ts'

/*
 * The one reader of days that people write: typed fields and imported cells mean the same by the same text. It never
 * guesses: what could be two days is not one.
 */

/** The orders in which people write the parts of a day. */
export type DayOrder = 'ymd' | 'dmy' | 'mdy'

export interface DayOptions {
  /** The day it is, `yyyy-MM-dd`: month and day alone (8/31) are of its year. Without it they are not read. */
  readonly today?: string
  /** How a short or turned day (19-3-5, 3/4/2019) is meant, where that is known. */
  readonly order?: DayOrder
  /** First and last day that can be meant: short years are looked for between them. A whole day is read all the same. */
  readonly between?: readonly [string, string]
  /** A month (2015年3月, 2015.03, 201503, 3/2015) means its first day. */
  readonly month?: boolean
  /** Five digits are the number under which a spreadsheet keeps a day. */
  readonly serial?: boolean
  /** A time of day behind it is left out; otherwise only midnight is. */
  readonly time?: boolean
  /** It lies behind us, as a birth does: no year is guessed, for this one is nearly always wrong. */
  readonly past?: boolean
}

/** One of the days that a text can mean. */
export interface DayMeant {
  readonly order: DayOrder
  readonly day: string
}

/** What a text says: a day as `yyyy-MM-dd`, or why it says none, with the days it could mean where it could be several. */
export type DayRead = { readonly day: string } | { readonly fault: Words; readonly ambiguous?: readonly DayMeant[] }

const FIRST_YEAR = 1800
const LAST_YEAR = 2199

const two = (part: number): string => String(part).padStart(2, '0')

/** The day of a calendar, or undefined where there is none. */
function dayAt(year: number, month: number, day: number): string | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? `${year}-${two(month)}-${two(day)}` : undefined
}

/** The day of a spreadsheet's number, counted from 1900; undefined where it names none. */
export function dayOfNumber(serial: number): string | undefined {
  // Day 60 is 29 February 1900, which spreadsheets believe in.
  if (!(serial >= 61)) return undefined
  const date = new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000)
  return dayAt(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

/** A year as an example of a day that may come, and of a day that lies behind. */
const exampleYear = ({ past }: DayOptions): number => (past ? 2018 : 2026)
const unread = (options: DayOptions): Words => {
  const year = exampleYear(options)
  const forms = `${year}-09-01、${year}/9/1、${year}0901、${year}年9月1日`
  const isGuessed = options.today !== undefined && !options.past
  return {
    zh: `看不懂这个日期，请写成 ${forms}${isGuessed ? ' 或 9/1（今年）' : ''}`,
    en: `Not a date. Write ${forms.replaceAll('、', ', ')}${isGuessed ? ' or 9/1 (month/day of this year)' : ''}`,
  }
}
const noYear = (example: string): Words => ({
  zh: `请写上年份，如 ${example}`,
  en: `Write the year as well, such as ${example}`,
})
const yearBeyond = (year: number): Words | undefined =>
  year < FIRST_YEAR
    ? { zh: `年份 ${year} 太早，请核对`, en: `The year ${year} is too early` }
    : year > LAST_YEAR
      ? { zh: `年份 ${year} 太晚，请核对`, en: `The year ${year} is too late` }
      : undefined
const noSuchDay = (text: string): Words => ({ zh: `没有“${text}”这一天`, en: `There is no day “${text}”` })
const shortYear: Words = {
  zh: '年份请写四位，如 2019-03-05',
  en: 'Write the year with four digits, such as 2019-03-05',
}
const noTime: Words = { zh: '这里只填日期，不带时间', en: 'A date without a time of day' }
const wrongWeekday: Words = { zh: '日期与星期不符', en: 'The date is not that day of the week' }
const either = (days: readonly string[]): Words => ({
  zh: `月和日分不清，请写成 ${days.join(' 或 ')}`,
  en: `Day or month first? Write ${days.join(' or ')}`,
})

const hanDigits = '〇一二三四五六七八九'
/** Numbers in Han signs (二〇一五, 十二, 三十一) as digits. */
function fromHan(text: string): string {
  return text.replace(/[〇○零一二三四五六七八九十]+/g, (run) => {
    const plain = run.replace(/[○零]/g, '〇')
    const [, tens = '', ten, ones = ''] = /^([二三])?(十)?([一二三四五六七八九])?$/.exec(plain) ?? []
    if (ten) return String((tens ? hanDigits.indexOf(tens) : 1) * 10 + (ones ? hanDigits.indexOf(ones) : 0))
    return plain.includes('十') ? run : [...plain].map((sign) => hanDigits.indexOf(sign)).join('')
  })
}

/**
 * A text in one form for signs that look alike: full-width ones, dashes and stops of every kind, and blanks. What a
 * sentence puts around a day that is copied out of it, quotes, brackets and the stop at its end, is none of it.
 */
function plainOf(text: string): string {
  const plain = alikeOf(text)
  const [, inner] = /^["'“”‘’「『(【[<《](.*)["'“”‘’」』)】\]>》]$/.exec(plain) ?? []
  return (inner ?? plain).replace(/[\s.,;]+$/, '').trim()
}

function alikeOf(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
      .replace(/[‐-―−ー]/g, '-')
      .replace(/[。·・]/g, '.')
      .replace(/\\/g, '/')
      .replace(/、/g, ',')
      .replace(/\s+/g, ' ')
      .trim()
      // 2017年5月3日生
      .replace(/(?<=[月日号\d])\s?(?:出生|生)$/, '')
      .replace(/^'/, '')
  )
}

const weekday = /[\s,]*\(?(?:星期|礼拜|周)([一二三四五六日天])\)?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\\.?'
const sign = '\\s?[-/.,\\s]\\s?'

const whole = /^(\d{4})(\d\d)(\d\d)$/
const yearFirst = new RegExp(`^(\\d{4})(?:\\s?年\\s?|${sign})(\\d{1,2})(?:\\s?月\\s?|${sign})(\\d{1,2})\\s?[日号]?$`)
const yearLast = new RegExp(`^(\\d{1,2})${sign}(\\d{1,2})${sign}(\\d{4})$`)
const shortHan = /^(\d\d)\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]?$/
const short = new RegExp(`^(\\d{1,2})${sign}(\\d{1,2})${sign}(\\d{1,2})$`)
const sixDigits = /^(\d\d)(\d\d)(\d\d)$/
const monthAndDay = /^(\d{1,2})(?:\s?[-/.]\s?|\s?月\s?)(\d{1,2})\s?[日号]?$/
const onlyMonth = /^(\d{4})(?:\s?[-/.]\s?(\d{1,2})|\s?年\s?(\d{1,2})\s?月?|(\d\d))$/
/** 9/2024: a year of four figures behind one number leaves nothing open. */
const monthFirst = /^(\d{1,2})\s?[-/.]\s?(\d{4})$/
const named = [
  {
    shape: new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[-/.,\\s]*${monthName}[-/.,\\s]*(\\d{4}|\\d\\d)$`, 'i'),
    at: [3, 2, 1],
  },
  {
    shape: new RegExp(`^${monthName}[-/.\\s]*(\\d{1,2})(?:st|nd|rd|th)?(?:,\\s?|[-/.\\s]\\s?)(\\d{4}|\\d\\d)$`, 'i'),
    at: [3, 1, 2],
  },
  { shape: new RegExp(`^(\\d{4})[-/.,\\s]*${monthName}[-/.,\\s]*(\\d{1,2})$`, 'i'), at: [1, 2, 3] },
] as const
const namedMonth = new RegExp(`^${monthName}[-/.,\\s]*(\\d{4})$`, 'i')

/** Where year, month and day stand in each order. */
const places: Record<DayOrder, readonly [number, number, number]> = { ymd: [0, 1, 2], dmy: [2, 1, 0], mdy: [2, 0, 1] }

/** The days that three numbers can be, in the orders given; a short year is one of the last or of this century. */
function meantBy(parts: readonly number[], orders: readonly DayOrder[], isShort: boolean): DayMeant[] {
  return orders.flatMap((order) => {
    const [year, month, day] = places[order].map((at) => parts[at] ?? 0) as [number, number, number]
    const years = !isShort ? [year] : year < 100 ? [1900 + year, 2000 + year] : []
    return years.flatMap((full) => {
      const found = dayAt(full, month, day)
      return found ? [{ order, day: found }] : []
    })
  })
}

/** One day of those that a text can mean, or why none is taken. */
function settle(text: string, meant: readonly DayMeant[], isShort: boolean, options: DayOptions): DayRead {
  const { order, between } = options
  const ordered =
    order && meant.some((each) => each.order === order) ? meant.filter((each) => each.order === order) : meant
  const possible = between ? ordered.filter(({ day }) => day >= between[0] && day <= between[1]) : ordered
  // Where none lies between them the words still say what is wrong with the text itself.
  const left = possible.length > 0 ? possible : ordered
  const days = [...new Set(left.map(({ day }) => day))]
  if (days.length === 0) return { fault: noSuchDay(text) }
  if (days.length === 1 && (!isShort || (between && possible.length > 0))) return { day: days[0]! }
  return { fault: isShort ? shortYear : either(days), ambiguous: left }
}

const numbers = (found: RegExpExecArray | null): number[] | undefined => found?.slice(1).map(Number)

/** The day of a text that is in one form already. */
function dayIn(text: string, options: DayOptions): DayRead {
  const plain = /[年月]/.test(text) ? fromHan(text) : text
  const parts = numbers(whole.exec(plain) ?? yearFirst.exec(plain))
  const beyond = parts && yearBeyond(parts[0]!)
  if (beyond) return { fault: beyond }
  if (parts) return settle(text, meantBy(parts, ['ymd'], false), false, options)
  for (const { shape, at } of named) {
    const found = shape.exec(plain)
    if (!found) continue
    const [year, month, day] = at.map((place) => found[place] ?? '') as [string, string, string]
    const three = [Number(year), months.indexOf(month.toLowerCase()) + 1, Number(day)]
    return settle(text, meantBy(three, ['ymd'], year.length < 4), year.length < 4, options)
  }
  const turned = numbers(yearLast.exec(plain))
  if (turned) return settle(text, meantBy(turned, ['dmy', 'mdy'], false), false, options)
  const month = onlyMonth.exec(plain)
  if (options.month && month) {
    const found = dayAt(Number(month[1]), Number(month[2] ?? month[3] ?? month[4]), 1)
    if (found) return { day: found }
  }
  const [, turnedMonth, itsYear] = (options.month && monthFirst.exec(plain)) || []
  if (turnedMonth && itsYear) {
    const found = dayAt(Number(itsYear), Number(turnedMonth), 1)
    if (found) return { day: found }
  }
  const nameOfMonth = options.month && namedMonth.exec(plain)
  if (nameOfMonth) {
    const found = dayAt(Number(nameOfMonth[2]), months.indexOf(nameOfMonth[1]!.toLowerCase()) + 1, 1)
    if (found) return { day: found }
  }
  const han = numbers(shortHan.exec(plain))
  if (han) return settle(text, meantBy(han, ['ymd'], true), true, options)
  const three = numbers(short.exec(plain) ?? sixDigits.exec(plain))
  if (three) {
    const meant = meantBy(three, ['ymd', 'dmy', 'mdy'], true)
    if (meant.length > 0) return settle(text, meant, true, options)
  }
  const pair = numbers(monthAndDay.exec(plain))
  if (pair && options.today) {
    // The example is a leap year where only that has the day.
    // 9/24 in the place of a month may be September 2024.
    const isOpen = options.past || options.month
    const years = isOpen ? [2018, 2016] : [Number(options.today.slice(0, 4))]
    const found = years.map((year) => dayAt(year, pair[0]!, pair[1]!)).find((day) => day !== undefined)
    if (!found) return { fault: noSuchDay(text) }
    return isOpen ? { fault: noYear(found) } : { day: found }
  }
  const serial = options.serial && /^\d{5}(\.\d+)?$/.test(plain) ? dayOfNumber(Number(plain)) : undefined
  return serial ? { day: serial } : { fault: unread(options) }
}

const dayOfWeek = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** Reads a day in any of the ways in which people write one. An empty text is the caller's to judge. */
export function readDay(text: string, options: DayOptions = {}): DayRead {
  const plain = plainOf(text)
  const named = weekday.exec(plain)
  const read = dayIn(named ? plain.slice(0, named.index) : plain, options)
  if ('day' in read)
    return named && '日一二三四五六'.indexOf(named[1]!.replace('天', '日')) !== dayOfWeek(read.day)
      ? { fault: wrongWeekday }
      : read
  if (read.ambiguous) return read
  const whole = splitMoment(plain, options)
  if (!whole) return read
  return options.time || whole.clock === '00:00:00' ? { day: whole.day } : { fault: noTime }
}

/** Whether a text is a day that exists, written yyyy-MM-dd. */
export function isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && text >= '0001-01-01'
}

/** The first day on which anybody here was born. */
export const firstBirth = '1900-01-01'

/** Why a field cannot hold a day: it lies behind us and this one has yet to come, or this one is too long ago. */
export function dayBeyond(day: string, { past, since }: Pick<Field, 'past' | 'since'>, today: string): Words | null {
  if (past && day > today) return { zh: '不能晚于今天', en: 'Not later than today' }
  const first = since ?? `${FIRST_YEAR}-01-01`
  return day < first ? { zh: `不能早于${first}`, en: `Not before ${first}` } : null
}

/** The days that a text speaks of: one, those of a month, or those of a year. */
export type SpanRead = { readonly first: string; readonly last: string } | { readonly fault: Words }

const onlyYear = /^(\d{4})\s?年?$/

/** Reads a day, a month (2015年4月, 2015-04, 201504) or a year (2015, 2015年), for whoever looks for all of its days. */
export function readSpan(text: string, options: DayOptions = {}): SpanRead {
  const typed = plainOf(text)
  const plain = /[年月]/.test(typed) ? fromHan(typed) : typed
  const [year, month] = numbers(onlyYear.exec(plain)) ?? numbers(monthOf(plain)) ?? []
  if (year === undefined) {
    const read = readDay(text, options)
    return 'day' in read ? { first: read.day, last: read.day } : read
  }
  const beyond = yearBeyond(year)
  if (beyond) return { fault: beyond }
  const first = dayAt(year, month ?? 1, 1)
  if (!first) return { fault: noSuchDay(text) }
  const last = new Date(Date.UTC(year, month ?? 12, 0)).getUTCDate()
  return { first, last: `${year}-${two(month ?? 12)}-${two(last)}` }
}

/** A month of a year in the form that `numbers` reads. */
function monthOf(plain: string): RegExpExecArray | null {
  const found = onlyMonth.exec(plain)
  return found && /^(\d{4})(\d{1,2})$/.exec(`${found[1]}${found[2] ?? found[3] ?? found[4]}`)
}

const half = '(上午|早上|早晨|凌晨|清晨|中午|下午|傍晚|晚上|晚)?'
const clockShapes = [
  // 8:05, 08:05:00, 8.05
  new RegExp(`^${half}\\s?(\\d{1,2})\\s?[:.]\\s?(\\d\\d)(?:\\s?[:.]\\s?(\\d\\d)(?:\\.0+)?)?\\s?([ap]\\.?m\\.?)?$`, 'i'),
  // 8点, 8点半, 8点05分, 8时5分30秒
  new RegExp(
    `^${half}\\s?(\\d{1,2})\\s?[点时]\\s?(?:整|钟|(\\d{1,2}|半|一刻|三刻)\\s?分?(?:\\s?(\\d{1,2})\\s?秒)?)?()$`,
  ),
  // 805, 0805, 8 am; without minutes only where am or pm says that it is a time
  new RegExp(`^${half}\\s?(\\d{1,2})(\\d\\d)()()$`),
  new RegExp(`^${half}\\s?(\\d{1,2})()()\\s?([ap]\\.?m\\.?)$`, 'i'),
]
const minuteWords: Record<string, number> = { 半: 30, 一刻: 15, 三刻: 45 }

/** The hour that a half of the day makes of an hour; undefined where the two do not go together. */
function hourIn(word: string, hour: number): number | undefined {
  if (word === '') return hour
  if (/^[ap]/.test(word)) return hour < 1 || hour > 12 ? undefined : (hour % 12) + (word.startsWith('p') ? 12 : 0)
  if (word === '中午') return hour === 11 || hour === 12 ? hour : hour === 1 || hour === 13 ? 13 : undefined
  // Twelve in the morning or at night is midnight to some and noon to others.
  if (/午前|上午|早|晨|凌晨/.test(word)) return hour < 12 ? hour : undefined
  if (word === '下午' && hour === 12) return 12
  if (hour >= 13) return hour
  return hour >= 1 && hour < 12 ? hour + 12 : undefined
}

/** A time of day to the second, `HH:mm:ss`; undefined where the text is none. */
function clockIn(text: string): string | undefined {
  const plain = /[点时]/.test(text) ? text.replace(/[〇零一二三四五六七八九十两]+(?=[点时分秒]|$)/g, hanClock) : text
  for (const shape of clockShapes) {
    const found = shape.exec(plain)
    if (!found) continue
    const [, word = '', hours = '', minutes = '', seconds = '', after = ''] = found
    if (word && after) return undefined
    const hour = hourIn(word || after.toLowerCase(), Number(hours))
    const minute = minuteWords[minutes] ?? Number(minutes || 0)
    if (hour === undefined || hour > 23 || minute > 59 || Number(seconds || 0) > 59) return undefined
    return `${two(hour)}:${two(minute)}:${two(Number(seconds || 0))}`
  }
  return undefined
}

/** A number of hours or minutes in Han signs, as digits: 两, 十二, 四十五, 零五. */
function hanClock(run: string): string {
  if (run === '两') return '2'
  const [, tens = '', ten, ones = ''] =
    /^([二三四五])?(十)?([一二三四五六七八九])?$/.exec(run.replace(/^[〇零]/, '')) ?? []
  if (ten) return String((tens ? hanDigits.indexOf(tens) : 1) * 10 + (ones ? hanDigits.indexOf(ones) : 0))
  const one = tens || ones
  return one && !(tens && ones) ? String(hanDigits.indexOf(one)) : run
}

/** What a text says of a moment, by the clocks of the school: `yyyy-MM-dd HH:mm:ss`, or why it says none. */
export type InstantRead =
  | { readonly instant: string }
  | { readonly fault: Words; readonly ambiguous?: readonly DayMeant[] }

const instantUnread: Words = {
  zh: '看不懂这个时间，请写成 2026-09-01 08:05、2026/9/1 8:05 或 2026年9月1日8点05分',
  en: 'Not a date and time. Write 2026-09-01 08:05, 2026/9/1 8:05 or 20260901 805',
}

interface Moment {
  readonly day: string
  readonly clock: string
}

/** China has one zone, and no summer time. */
const AHEAD = 8 * 3_600_000
const travelling = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)$/i

/** A day with a time behind it, wherever the one ends and the other begins; undefined where there are not both. */
function splitMoment(plain: string, options: DayOptions): Moment | undefined {
  const zoned = travelling.exec(plain)
  if (zoned) {
    const at = Date.parse(`${zoned[1]}T${zoned[2]}${zoned[3]!.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
    if (Number.isNaN(at) || !('day' in dayIn(zoned[1]!, {}))) return undefined
    const [day = '', clock = ''] = new Date(at + AHEAD).toISOString().slice(0, 19).split('T')
    return { day, clock }
  }
  const found = new Map<string, Moment>()
  for (const { 0: between, index } of plain.matchAll(/(?<=[日号])\s?|(?<=\d)T|,?\s|(?<=\d)(?=[上下中早凌清傍晚])/gi)) {
    const clock = clockIn(plain.slice(index + between.length))
    const read = clock === undefined ? undefined : dayIn(plain.slice(0, index), options)
    if (clock !== undefined && read && 'day' in read) found.set(`${read.day} ${clock}`, { day: read.day, clock })
  }
  return found.size === 1 ? [...found.values()][0] : undefined
}

/** Reads a moment: a day with a time behind it, or a day alone, which begins at midnight. */
export function readInstant(text: string, options: DayOptions = {}): InstantRead {
  const plain = plainOf(text)
  const moment = splitMoment(plain, options)
  if (moment) return { instant: `${moment.day} ${moment.clock}` }
  const day = readDay(plain, options)
  if ('day' in day) return { instant: `${day.day} 00:00:00` }
  return { ...day, fault: day.ambiguous || !day.fault.en.startsWith('Not a date') ? day.fault : instantUnread }
}
