import { addDays, weekdayOf } from '@data-brain/contract/rules/school-year'

/** A day on which the whole country rests, or makes up for one. */
export interface PublicDay {
  readonly day: string
  /** Keys of the dictionary calendar_day_type: a holiday, or a make-up day. */
  readonly dayType: '2' | '3'
  readonly name: string
  /** Of a make-up day, the weekday whose lessons are made up; absent where the announcement leaves it open. */
  readonly useWeekday: string | null
}

/**
 * The public holidays and make-up days of China from one day to another, as the State Council has announced them (package
 * chinese-days), and the last day that the announcements reach. Weekends that belong to a holiday are holidays. The n-th make-up day
 * of a holiday makes up for the n-th working day that it took: announcements do not say which, and schools may change it.
 */
export async function publicDays(
  from: string,
  to: string,
): Promise<{ readonly days: readonly PublicDay[]; readonly knownUntil: string }> {
  const { default: calendar } = await import('chinese-days')
  const found: { day: string; name: string; work: boolean; lieu: boolean }[] = []
  // Holidays may begin before the range that makes up for them, so that whole years are read.
  const [first, last] = [`${from.slice(0, 4)}-01-01`, `${to.slice(0, 4)}-12-31`]
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const { name, work } = calendar.getDayDetail(day)
    const [, chinese] = name.split(',')
    if (chinese) found.push({ day, name: chinese, work, lieu: calendar.isInLieu(day) })
  }
  // The year is in the key: a holiday of each year has make-up days of its own.
  const takenBy = Map.groupBy(
    found.filter(({ lieu }) => lieu),
    ({ name, day }) => `${day.slice(0, 4)}|${name}`,
  )
  const given = new Map<string, number>()
  const days = found.map(({ day, name, work }): PublicDay => {
    if (!work) return { day, dayType: '2', name, useWeekday: null }
    const key = `${day.slice(0, 4)}|${name}`
    const nth = given.get(key) ?? 0
    given.set(key, nth + 1)
    const taken = takenBy.get(key)?.[nth]?.day
    return { day, dayType: '3', name: `${name}调休`, useWeekday: taken ? String(weekdayOf(taken)) : null }
  })
  return {
    days: days.filter(({ day }) => day >= from && day <= to),
    knownUntil: `${found.findLast(({ day }) => day.slice(5) === '10-01')?.day.slice(0, 4) ?? Number(from.slice(0, 4)) - 1}-12-31`,
  }
}
