import type { Candidate, UncoveredLesson } from '@data-brain/contract/calls/substitution'

/** A lesson on one day, as calls name it. */
type Named = Pick<UncoveredLesson, 'scheduleId' | 'day'>

/** A day of some days beside one another: what a school goes by is the weekday. */
export const dayText = (day: string, language: 'zh' | 'en'): string =>
  `${new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'short', timeZone: 'UTC' }).format(Date.parse(day))} ${day.slice(5)}`

/** Tells lessons apart: one is taught on many days. */
export const keyOf = ({ scheduleId, day }: Named): string => `${scheduleId}|${day}`

/** Whom each lesson is to be given to, by `keyOf`; null where nobody is chosen. */
export type Chosen = ReadonlyMap<string, string | null>

type When = Pick<UncoveredLesson, 'date' | 'periodNo' | 'span'>

/** Whether two lessons are given at the same time, for a period at least. */
export const overlap = (a: When, b: When): boolean =>
  a.date === b.date && a.periodNo < b.periodNo + b.span && b.periodNo < a.periodNo + a.span

/** Of the free candidates of a lesson, those whom no other lesson of the same time has in this choice. */
export function openFor(
  lesson: UncoveredLesson,
  lessons: readonly UncoveredLesson[],
  candidates: readonly Candidate[],
  chosen: Chosen,
): Candidate[] {
  const taken = new Set(
    lessons
      .filter((other) => keyOf(other) !== keyOf(lesson) && overlap(other, lesson))
      .map((each) => chosen.get(keyOf(each))),
  )
  return candidates.filter(({ isFree, teacherId }) => isFree && !taken.has(teacherId))
}

/** What a period given in this choice already takes off: as much as the ranking takes off for four covered before. */
const shareLoss = 1

/**
 * The most suitable teacher for each lesson, nobody twice at one time and the work shared out; who has declined a lesson is
 * not proposed for it again. The lessons that fewest could give come first, so that none is left for want of them.
 */
export function propose(
  lessons: readonly UncoveredLesson[],
  candidates: ReadonlyMap<string, readonly Candidate[]>,
): Chosen {
  const chosen = new Map<string, string | null>()
  const given = new Map<string, number>()
  const suited = (lesson: UncoveredLesson) => candidates.get(keyOf(lesson)) ?? []
  const scarce = (lesson: UncoveredLesson) => suited(lesson).filter(({ isFree }) => isFree).length
  for (const lesson of lessons.toSorted((a, b) => scarce(a) - scarce(b))) {
    const worth = ({ teacherId, score }: Candidate) => Number(score) - shareLoss * (given.get(teacherId) ?? 0)
    const [best] = openFor(lesson, lessons, suited(lesson), chosen)
      .filter(({ hasDeclined }) => !hasDeclined)
      .toSorted((a, b) => worth(b) - worth(a))
    chosen.set(keyOf(lesson), best?.teacherId ?? null)
    if (best) given.set(best.teacherId, (given.get(best.teacherId) ?? 0) + lesson.span)
  }
  return chosen
}

/** What of a choice is sent. */
export const coversOf = (lessons: readonly UncoveredLesson[], chosen: Chosen) =>
  lessons.flatMap((lesson) => {
    const teacherId = chosen.get(keyOf(lesson))
    return teacherId
      ? [{ scheduleId: lesson.scheduleId, day: lesson.day, teacherId, over: lesson.substitutionId ?? '0' }]
      : []
  })

/** Lessons by the teacher who is away, in the order of the first of each. */
export function byTeacher(lessons: readonly UncoveredLesson[]): readonly (readonly UncoveredLesson[])[] {
  const found = new Map<string, UncoveredLesson[]>()
  for (const lesson of lessons) found.set(lesson.teacherId, [...(found.get(lesson.teacherId) ?? []), lesson])
  return [...found.values()]
}

/** Periods of a lesson as they are read: one, or the first and the last. */
export const periodsText = ({ periodNo, span }: Pick<UncoveredLesson, 'periodNo' | 'span'>): string =>
  span > 1 ? `${periodNo}–${periodNo + span - 1}` : String(periodNo)

/** Where an arrow key leads among so many; it stays at the ends. */
export function stepTo(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1)
}

/** A cell of a file that a spreadsheet opens: quoted where it must be, and never taken for a formula. */
const cellOf = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as RFC 4180 has them, with the mark by which spreadsheets know UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`
