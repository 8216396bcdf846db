import { type Activity, fitsDay, type Problem, weeksOf } from './solver/problem.ts'

/** A lesson of a FET file: one of the problem, or several that are locked to one slot in different weeks. */
export interface FetLesson {
  readonly ids: readonly string[]
  readonly subjects: readonly string[]
  readonly teachers: readonly string[]
  readonly classes: readonly string[]
  readonly groups: readonly string[]
  readonly span: number
  /** The first of them, whose room and slot stand for all. */
  readonly first: Activity
}

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])]
const meets = (a: readonly string[], b: readonly string[]): boolean => a.some((id) => b.includes(id))

/**
 * The lessons of a week that FET can hold, which knows no odd and even weeks: lessons locked to one slot in different weeks are
 * merged. A lesson locked to an occupied slot, or outside the week, is left out: FET rejects a file in which two of them collide.
 */
export function placeableLessons(problem: Problem): {
  readonly kept: readonly FetLesson[]
  readonly left: readonly Activity[]
} {
  const kept: FetLesson[] = []
  const left: Activity[] = []
  const alone = (activity: Activity): FetLesson => ({
    ids: [activity.id],
    subjects: [activity.subject],
    teachers: activity.teachers,
    classes: activity.classes,
    groups: activity.groups ?? [],
    span: activity.span,
    first: activity,
  })
  const groups = new Map((problem.groups ?? []).map((group) => [group.id, group]))
  const takes = (each: FetLesson) => ({
    classes: union(
      each.classes,
      each.groups.flatMap((id) => groups.get(id)?.classes ?? []),
    ),
    pupils: each.groups.flatMap((id) => groups.get(id)?.pupils ?? []),
  })
  const clash = (a: FetLesson, b: FetLesson): boolean => {
    if (meets(a.teachers, b.teachers) || meets(a.classes, b.classes) || meets(a.groups, b.groups)) return true
    const [ofA, ofB] = [takes(a), takes(b)]
    return meets(a.classes, ofB.classes) || meets(b.classes, ofA.classes) || meets(ofA.pupils, ofB.pupils)
  }
  const byId = new Map(problem.activities.map((activity) => [activity.id, activity]))
  const weeks = (each: FetLesson): number => each.ids.reduce((sum, id) => sum | weeksOf(problem, byId.get(id)!), 0)
  for (const activity of problem.activities) {
    const { locked } = activity
    if (!locked) {
      kept.push(alone(activity))
      continue
    }
    const start = problem.periods.findIndex(({ no }) => no === locked.period)
    if (!problem.days.includes(locked.day) || !fitsDay(problem.periods, start, activity.span)) {
      left.push(activity)
      continue
    }
    const own = alone(activity)
    const startOf = ({ first }: FetLesson): number => problem.periods.findIndex(({ no }) => no === first.locked?.period)
    const against = kept.filter(
      (each) =>
        each.first.locked?.day === locked.day &&
        startOf(each) < start + activity.span &&
        start < startOf(each) + each.span &&
        clash(each, own),
    )
    const [only] = against
    if (!only) kept.push(own)
    else if (
      against.length === 1 &&
      only.first.locked!.period === locked.period &&
      only.span === activity.span &&
      (weeks(only) & weeks(own)) === 0
    )
      kept[kept.indexOf(only)] = {
        ...only,
        ids: [...only.ids, activity.id],
        subjects: union(only.subjects, own.subjects),
        teachers: union(only.teachers, own.teachers),
        classes: union(only.classes, own.classes),
        groups: union(only.groups, own.groups),
      }
    else left.push(activity)
  }
  return { kept, left }
}
