import type { Model } from './explain-model.ts'

/** Lessons with fewer places than periods: by counting, whatever the others do. */
export interface Shortage {
  /** What they share: a teacher, a class or pupils. */
  readonly kins: readonly number[]
  readonly lessons: number
  readonly places: number
}

/**
 * What counting shows to be impossible: lessons that nobody can give at once, with fewer places between them than they take (a
 * matching of their periods with the open periods of the week, and of their doubles with the open pairs). Nothing found is no
 * proof that a timetable exists.
 */
export function shortages(model: Model): Shortage[] {
  const open = model.kins.map((_, at) => openTo(model, at))
  return model.cliques.flatMap(({ kins }) =>
    model.sets.flatMap((set) => {
      const own = kins.filter((at) => (model.kins[at]!.weeks & set) !== 0)
      return shortOf(model, own, open) ?? []
    }),
  )
}

/** The periods of the week that a lesson can take by what is closed to it. */
function openTo(model: Model, at: number): ReadonlySet<number> {
  const { places, span, locked } = model.kins[at]!
  const found = new Set<number>()
  for (const place of locked === undefined ? places : [locked]) {
    const taken = Array.from({ length: span }, (_, n) => place + n)
    if (taken.every((each, n) => model.closings(at, each, n === 0).length === 0))
      for (const each of taken) found.add(each)
  }
  return found
}

/** Of lessons that are never at once, those with too few periods between them, if there are any. */
export function shortOf(
  model: Model,
  kins: readonly number[],
  open: readonly ReadonlySet<number>[],
): Shortage | undefined {
  const wants = kins.flatMap((at) => {
    const { activities, span } = model.kins[at]!
    return Array.from({ length: activities.length * span }, () => at)
  })
  const takenBy = new Map<number, number>()
  const seen = new Set<number>()
  const place = (want: number): boolean => {
    for (const period of open[wants[want]!]!) {
      if (seen.has(period)) continue
      seen.add(period)
      const other = takenBy.get(period)
      if (other !== undefined && !place(other)) continue
      takenBy.set(period, want)
      return true
    }
    return false
  }
  const without = wants.flatMap((_, want) => {
    seen.clear()
    return place(want) ? [] : want
  })
  if (without.length === 0) return undefined
  // Whatever can be reached from those without a period by changing places has none to spare either (Hall).
  const reached = new Set(without)
  const periods = new Set<number>()
  for (const want of reached)
    for (const period of open[wants[want]!]!) {
      periods.add(period)
      reached.add(takenBy.get(period)!)
    }
  const short = [...new Set([...reached].map((want) => wants[want]!))]
  return { kins: short, lessons: reached.size, places: periods.size }
}
