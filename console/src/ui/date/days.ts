/* Days of the calendar as texts, `yyyy-MM-dd`: no zone has a part in them. */

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

export function addDays(day: string, count: number): string {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + count)
  return dayOf(date)
}

/** The same day of another month, or that month's last one. */
export function addMonths(day: string, count: number): string {
  const first = dateOf(`${day.slice(0, 8)}01`)
  first.setUTCMonth(first.getUTCMonth() + count)
  return atDay(dayOf(first), Number(day.slice(8)))
}

function atDay(first: string, wanted: number): string {
  const end = dateOf(first)
  end.setUTCMonth(end.getUTCMonth() + 1, 0)
  return `${first.slice(0, 8)}${String(Math.min(wanted, end.getUTCDate())).padStart(2, '0')}`
}

export const startOfMonth = (day: string): string => `${day.slice(0, 8)}01`
export const endOfMonth = (day: string): string => atDay(startOfMonth(day), 31)

/** Monday is 0. */
const weekdayOf = (day: string): number => (dateOf(day).getUTCDay() + 6) % 7
export const startOfWeek = (day: string): string => addDays(day, -weekdayOf(day))

/** The six weeks in which a month stands, each from Monday. */
export function weeksOf(month: string): string[][] {
  const first = startOfWeek(startOfMonth(month))
  return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, at) => addDays(first, week * 7 + at)))
}

/** A day in words, for who hears the page. */
export const dayInWords = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    ...{ timeZone: 'UTC', weekday: 'long' },
    ...{ year: 'numeric', month: 'long', day: 'numeric' },
  }).format(dateOf(day))

/** The names of a calendar's months and of its days of the week, from Monday. */
export function namesIn(language: string): {
  readonly months: readonly string[]
  readonly weekdays: readonly string[]
} {
  const month = new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'short' })
  const weekday = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    weekday: language === 'zh' ? 'narrow' : 'short',
  })
  return {
    months: Array.from({ length: 12 }, (_, at) => month.format(new Date(Date.UTC(2024, at, 1)))),
    weekdays: Array.from({ length: 7 }, (_, at) => weekday.format(new Date(Date.UTC(2024, 0, 1 + at)))),
  }
}
