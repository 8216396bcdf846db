import type { PlanBoard } from '@data-brain/contract/calls/timetable'
import { weeksText } from '@data-brain/contract/rules/weeks'
import type { Translate } from '../../ui/words.ts'

export type Lesson = PlanBoard['lessons'][number]
export type OwedLesson = PlanBoard['owed'][number]
export type BoardView = 'class' | 'teacher' | 'room' | 'school'

/** A period of a weekday. */
export interface Slot {
  readonly weekday: number
  readonly periodNo: number
}

export const slotKey = ({ weekday, periodNo }: Slot): string => `${weekday}-${periodNo}`

/** The slot of a key. */
export const slotOf = (key: string): Slot => {
  const [weekday = 1, periodNo = 1] = key.split('-').map(Number)
  return { weekday, periodNo }
}

/** The lesson that is being placed: a scheduled one, a copy of one, or one that is still to be scheduled. */
export type CarriedLesson =
  | { readonly kind: 'lesson'; readonly lesson: Lesson }
  | { readonly kind: 'copy'; readonly lesson: Lesson }
  | { readonly kind: 'owed'; readonly owed: OwedLesson }

/** What of a lesson goes into a copy of it. */
const copyOf = ({ classId, teachClassId, subjectId, teacherId, span, weekType, weeks, ...room }: Lesson) => ({
  ...(classId ? { classId } : { teachClassId: teachClassId ?? undefined }),
  ...{ subjectId, teacherId, span, weekType },
  ...(weeks ? { weeks } : {}),
  ...(room.hasOwnRoom && room.classroomId ? { classroomId: room.classroomId } : {}),
})

/** What a lesson in hand that does not stand yet is made of; undefined for one that stands. */
export function partsOf(hand: CarriedLesson) {
  if (hand.kind === 'lesson') return undefined
  if (hand.kind === 'copy') return copyOf(hand.lesson)
  const { classId, teachClassId, subjectId, teacherId } = hand.owed
  return {
    ...(classId ? { classId } : { teachClassId: teachClassId ?? undefined }),
    ...{ subjectId, teacherId, span: 1, weekType: '0' },
  }
}

/** What of a lesson in hand is sent to be judged. */
export function askOf(hand: CarriedLesson) {
  const parts = partsOf(hand)
  if (!parts) return { lessonId: hand.kind === 'lesson' ? hand.lesson.id : undefined }
  const { weeks, ...others } = { weeks: undefined, ...parts }
  return { ...others, ...(weeks ? { weeks: weeksText(weeks) } : {}) }
}

export const handName = (hand: CarriedLesson): string => {
  const { subjectName, className, teacherName } = hand.kind === 'owed' ? hand.owed : hand.lesson
  return `${className} ${subjectName} ${teacherName}`
}

/** When a lesson is taught, where that is not every week: odd, even, or certain weeks. */
export function weeksOfLesson({ weekType, weeks }: Lesson, t: Translate): string {
  if (weekType === '1') return t('plan.odd')
  if (weekType === '2') return t('plan.even')
  return weekType === '3' ? t('plan.weeks', { weeks: weeksText(weeks ?? []) }) : ''
}

/** What stands in a cell beneath the subject, by whose week it is. */
export const besideOf = (lesson: Lesson, lens: BoardView): string[] =>
  [
    lens === 'class' ? '' : lesson.className,
    lens === 'teacher' ? '' : lesson.teacherName,
    lens === 'room' ? '' : (lesson.classroomName ?? ''),
  ].filter(Boolean)

/** The slots of a week that are shown: those that the school has, and whatever else lessons stand in. */
export function slotsShown(board: Pick<PlanBoard, 'teachDays' | 'periods' | 'lessons'>) {
  const given = board.periods.flatMap(({ periodNo, beginTime }) =>
    periodNo === null ? [] : [{ no: periodNo, beginTime, isGiven: true }],
  )
  const stood = board.lessons.flatMap(({ periodNo, span }) => Array.from({ length: span }, (_, at) => periodNo + at))
  const others = [...new Set(stood)].filter((no) => !given.some((each) => each.no === no))
  return {
    days: [...new Set([...board.teachDays, ...board.lessons.map(({ weekday }) => weekday)])].toSorted((a, b) => a - b),
    periods: [...given, ...others.map((no) => ({ no, beginTime: null, isGiven: false }))].toSorted(
      (a, b) => a.no - b.no,
    ),
  }
}

/** Lessons by each slot that they stand in. */
export function bySlot(lessons: readonly Lesson[]): ReadonlyMap<string, readonly Lesson[]> {
  const found = new Map<string, Lesson[]>()
  for (const lesson of lessons)
    for (let at = 0; at < lesson.span; at += 1) {
      const key = slotKey({ weekday: lesson.weekday, periodNo: lesson.periodNo + at })
      found.set(key, [...(found.get(key) ?? []), lesson])
    }
  return found
}

const names = (language: 'zh' | 'en') =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'short', timeZone: 'UTC' })

/** A weekday by its number, 1 for Monday. The first of January 2024 was one. */
export const dayName = (weekday: number, language: 'zh' | 'en'): string =>
  names(language).format(Date.UTC(2024, 0, weekday))
