/*
 * Substitutions as a person with a pencil keeps them: slot by slot, with no thought of how the product does it.
 */

/** A lesson of the timetable and the days on which it has it. */
export interface ModelLesson {
  readonly id: string
  readonly classId: string
  readonly teacherId: string
  readonly room: string | null
  readonly period: number
  readonly span: number
  readonly days: ReadonlySet<string>
}

/** One substitution. */
export interface Sub {
  readonly lesson: ModelLesson
  readonly day: string
  readonly kind: '1' | '2' | '3' | '4'
  readonly teacher?: string | undefined
  readonly newDay?: string | undefined
  readonly newPeriod?: number | undefined
  readonly room?: string | undefined
  status: number
  id?: string
  pair?: Sub | undefined
}

export const isActive = ({ status }: Pick<Sub, 'status'>): boolean => status <= 2

/** A lesson on a day as it is given. */
export interface Given {
  readonly lesson: ModelLesson
  readonly day: string
  readonly date: string
  readonly period: number
  readonly teacher: string
  readonly room: string | null
  readonly over: Sub | undefined
}

/** The whole of it: lessons, what is laid over them, and who is away when. */
export class Paper {
  readonly lessons: readonly ModelLesson[]
  readonly places: ReadonlyMap<string, number>
  readonly subs = new Set<Sub>()
  /** `teacher|day|period` of whoever is away, by absence. */
  readonly absences = new Map<string, ReadonlySet<string>>()

  /** `places`: how many lessons a room takes at once. */
  constructor(lessons: readonly ModelLesson[], places: ReadonlyMap<string, number>) {
    this.lessons = lessons
    this.places = places
  }

  activeOf(lesson: ModelLesson, day: string): { out: Sub | undefined; over: Sub | undefined } {
    const found = [...this.subs].filter((sub) => isActive(sub) && sub.lesson === lesson && sub.day === day)
    return { out: found.find(({ kind }) => kind === '3'), over: found.find(({ kind }) => kind !== '3') }
  }

  /** What a lesson of a day is; undefined where it is taken out, or where there is none. */
  given(lesson: ModelLesson, day: string): Given | undefined {
    if (!lesson.days.has(day)) return undefined
    const { out, over } = this.activeOf(lesson, day)
    if (out) return undefined
    return {
      lesson,
      day,
      date: over?.newDay ?? day,
      period: over?.newPeriod ?? lesson.period,
      teacher: over?.teacher ?? lesson.teacherId,
      room: over?.room ?? lesson.room,
      over,
    }
  }

  all(): Given[] {
    return this.lessons.flatMap((lesson) => [...lesson.days].flatMap((day) => this.given(lesson, day) ?? []))
  }

  /** Everything that is taken, each as often as it is: `thing|id|date|period`. */
  taken(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { lesson, date, period, teacher, room } of this.all())
      for (let at = period; at < period + lesson.span; at += 1)
        for (const thing of [`C|${lesson.classId}`, `T|${teacher}`, ...(room ? [`R|${room}`] : [])]) {
          const key = `${thing}|${date}|${at}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
    return counts
  }

  /** Whether nothing is taken more often than there is of it. */
  isSound(): boolean {
    for (const [key, count] of this.taken()) {
      const [thing, id] = key.split('|')
      if (count > (thing === 'R' ? (this.places.get(id!) ?? 1) : 1)) return false
    }
    return true
  }

  isAway(teacher: string, date: string, from: number, span: number): boolean {
    return [...this.absences.values()].some((slots) =>
      Array.from({ length: span }, (_, at) => `${teacher}|${date}|${from + at}`).some((slot) => slots.has(slot)),
    )
  }

  /** Does something wholly, or not at all where it is refused or leaves something taken twice. Answers whether it was done. */
  attempt(work: () => boolean): boolean {
    const before = [...this.subs].map((sub) => ({ sub, status: sub.status, pair: sub.pair }))
    if (work() && this.isSound()) return true
    this.subs.clear()
    for (const { sub, status, pair } of before) {
      Object.assign(sub, { status, pair })
      this.subs.add(sub)
    }
    return false
  }

  /** Lays a new one over a lesson; false where that is not allowed. */
  lay(sub: Sub): boolean {
    const { lesson, day, kind, teacher } = sub
    if (!lesson.days.has(day)) return false
    const { out, over } = this.activeOf(lesson, day)
    if (kind === '3' ? out : over) return false
    if (kind === '1' && teacher === lesson.teacherId) return false
    if (kind === '2' && sub.newDay === day && sub.newPeriod === lesson.period && !teacher) return false
    // A lesson that only moves is given by its own teacher.
    const giver = teacher ?? (kind === '2' ? lesson.teacherId : undefined)
    if (giver && this.isAway(giver, sub.newDay ?? day, sub.newPeriod ?? lesson.period, lesson.span)) return false
    this.subs.add(sub)
    return true
  }

  /** Has somebody else give a lesson as it stands: in place of whoever covers it now. */
  cover(lesson: ModelLesson, day: string, teacher: string, status: number): Sub | undefined {
    const now = this.given(lesson, day)
    if (!now || (now.over && now.over.teacher === teacher)) return undefined
    const old = now.over
    if (old) old.status = 4
    const moved = old?.kind === '2' ? { newDay: old.newDay, newPeriod: old.newPeriod } : {}
    const sub: Sub = { lesson, day, kind: old?.kind === '2' ? '2' : '1', teacher, room: old?.room, ...moved, status }
    if (!this.lay(sub)) return undefined
    if (old?.pair) {
      sub.pair = old.pair
      old.pair.pair = sub
    }
    return sub
  }

  /** Lets two lessons change places. */
  swap(
    one: readonly [ModelLesson, string],
    two: readonly [ModelLesson, string],
    status: number,
  ): [Sub, Sub] | undefined {
    const [first, second] = [this.given(...one), this.given(...two)]
    if (!first || !second || first.over || second.over) return undefined
    const move = (from: Given, to: Given): Sub => ({
      ...{ lesson: from.lesson, day: from.day, kind: '2', newDay: to.date, newPeriod: to.period, status },
    })
    const pair: [Sub, Sub] = [move(first, second), move(second, first)]
    if (!pair.every((sub) => this.lay(sub))) return undefined
    pair[0].pair = pair[1]
    pair[1].pair = pair[0]
    return pair
  }

  /** Accepts, declines or cancels; half of an exchange is declined and cancelled with the other. */
  decide(sub: Sub, verb: 'accept' | 'decline' | 'cancel'): boolean {
    if (verb === 'cancel' ? !isActive(sub) : sub.status !== 0) return false
    const status = { accept: 1, decline: 3, cancel: 4 }[verb]
    sub.status = status
    if (verb !== 'accept' && sub.pair && isActive(sub.pair)) sub.pair.status = status
    return true
  }
}
