/*
 * When lessons meet: the arithmetic of a timetable, for whoever shows one and whoever judges one.
 */

/** A set of weeks, bit `week − 1` for each: no semester has more than 30. */
export type WeekSet = number

/** The weeks of a lesson (dictionary week_type) among those from the first to the last. */
export function weekSet(weekType: string, weeks: readonly number[] | null, first: number, last: number): WeekSet {
  let set = 0
  for (let week = first; week <= last; week += 1) {
    const taught =
      weekType === '0' ||
      (weekType === '1' && week % 2 === 1) ||
      (weekType === '2' && week % 2 === 0) ||
      (weekType === '3' && (weeks ?? []).includes(week))
    if (taught) set |= 1 << (week - 1)
  }
  return set
}

/** The weeks of a set, in order. */
export function weeksOf(set: WeekSet): number[] {
  const weeks: number[] = []
  for (let week = 1; week <= 30; week += 1) if (set & (1 << (week - 1))) weeks.push(week)
  return weeks
}

/** The season of a day (dictionary season): the summer timetable of schools runs from 1 May to 30 September. */
export const seasonOf = (day: string): '1' | '2' => (day.slice(5) >= '05-01' && day.slice(5) <= '09-30' ? '1' : '2')
