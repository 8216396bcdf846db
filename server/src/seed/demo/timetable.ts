import type { SeededRandom } from './dice.ts'

/** So many weekly lessons that one teacher gives one class. */
export interface LessonNeed {
  readonly classAt: number
  readonly teacherAt: number
  readonly subject: string
  readonly hours: number
}

export interface PlacedLesson {
  readonly need: LessonNeed
  /** 0 is Monday's first period. */
  readonly slot: number
}

export interface Week {
  readonly days: number
  readonly periods: number
  /** Slots that are kept for something else. */
  readonly kept: readonly number[]
}

const core = new Set(['YW', 'SX', 'YY'])

/**
 * Places lessons so that no class and no teacher has two at once. Each goes where the day has fewest of its subject;
 * when class and teacher have no free slot in common, a chain of lessons changes between two slots (König: as many
 * slots as the busiest has lessons are always enough), so that it always ends with every lesson placed.
 */
export function makeTimetable(needs: readonly LessonNeed[], week: Week, dice: SeededRandom): PlacedLesson[] {
  const size = week.days * week.periods
  const open = Array.from({ length: size }, (_, slot) => slot).filter((slot) => !week.kept.includes(slot))
  const classes = Math.max(...needs.map((need) => need.classAt)) + 1
  const teachers = Math.max(...needs.map((need) => need.teacherAt)) + 1
  const table = (count: number): (LessonNeed | undefined)[][] =>
    Array.from({ length: count }, () => new Array<LessonNeed | undefined>(size).fill(undefined))
  const ofClass = table(classes)
  const ofTeacher = table(teachers)

  const put = (need: LessonNeed, slot: number): void => {
    ofClass[need.classAt]![slot] = need
    ofTeacher[need.teacherAt]![slot] = need
  }
  const isFree = (row: (LessonNeed | undefined)[], slot: number): boolean => row[slot] === undefined

  const cost = (need: LessonNeed, slot: number): number => {
    const day = Math.floor(slot / week.periods)
    const period = slot % week.periods
    let same = 0
    for (let each = day * week.periods; each < (day + 1) * week.periods; each += 1)
      if (ofClass[need.classAt]![each]?.subject === need.subject) same += 1
    const late = core.has(need.subject) ? Math.max(0, period - 3) * 3 : 0
    const early = need.subject === 'TY' && period === 0 ? 8 : 0
    return same * 40 + late + early + dice.next() * 4
  }
  const best = (need: LessonNeed, slots: readonly number[]): number => {
    const costs = slots.map((slot) => cost(need, slot))
    return slots[costs.indexOf(Math.min(...costs))]!
  }

  /** Frees slot `wanted` of the teacher by letting the lessons that hang together there change with slot `other`. */
  const change = (teacherAt: number, wanted: number, other: number): void => {
    const chain: { need: LessonNeed; slot: number }[] = []
    let row: (LessonNeed | undefined)[] = ofTeacher[teacherAt]!
    let slot = wanted
    for (let at: 'teacher' | 'class' = 'teacher'; ; at = at === 'teacher' ? 'class' : 'teacher') {
      const need = row[slot]
      if (!need) break
      chain.push({ need, slot })
      row = at === 'teacher' ? ofClass[need.classAt]! : ofTeacher[need.teacherAt]!
      slot = slot === wanted ? other : wanted
    }
    for (const { need, slot: from } of chain) {
      ofClass[need.classAt]![from] = undefined
      ofTeacher[need.teacherAt]![from] = undefined
    }
    for (const { need, slot: from } of chain) put(need, from === wanted ? other : wanted)
  }

  const order = [...needs].sort((a, b) => b.hours - a.hours)
  for (let round = 0; round < Math.max(...needs.map((need) => need.hours)); round += 1)
    for (const need of order) {
      if (round >= need.hours) continue
      const row = ofClass[need.classAt]!
      const teacher = ofTeacher[need.teacherAt]!
      const both = open.filter((slot) => isFree(row, slot) && isFree(teacher, slot))
      if (both.length > 0) {
        put(need, best(need, both))
        continue
      }
      const wanted = open.filter((slot) => isFree(row, slot))
      const other = open.find((slot) => isFree(teacher, slot))
      if (wanted.length === 0 || other === undefined) throw new Error('more lessons than the week has room for')
      const slot = best(need, wanted)
      change(need.teacherAt, slot, other)
      put(need, slot)
    }
  return ofClass.flatMap((row) => row.flatMap((need, slot) => (need ? [{ need, slot }] : [])))
}
