import type { Words } from '@data-brain/contract'
import type { Obstacle } from '@data-brain/contract/calls/timetable'
import { type WeekSet, weeksOf } from '@data-brain/contract/rules/timetable'
import { weeksText } from '@data-brain/contract/rules/weeks'
import { type Circumstances, type PlanFacts, type PlanLesson, weeksOfLesson } from './lessons.ts'

/** A lesson that stands somewhere, or could: what of it decides whether it can. */
export type Placed = Pick<
  PlanLesson,
  | 'weekday'
  | 'periodNo'
  | 'span'
  | 'weekType'
  | 'weeks'
  | 'classId'
  | 'teachClassId'
  | 'subjectId'
  | 'teacherId'
  | 'classroomId'
> & { readonly id: string | null }

/** The periods of a school day that a lesson can stand in, and what no double lesson goes across. */
export interface DayShape {
  readonly periods: readonly number[]
  /** Periods before which there is the midday break. */
  readonly breaks: ReadonlySet<number>
  /** Whether a period lies before noon. */
  readonly isMorning: (periodNo: number) => boolean
}

/** What a lesson takes of a class: the whole of it, or the part that one teaching class is. */
interface ClassUse {
  readonly classId: string
  readonly part: string | null
}

/** What is said of a lesson that the caller may not see. */
const whose = {
  class: { zh: '该班级', en: 'The class' },
  teacher: { zh: '该教师', en: 'The teacher' },
  room: { zh: '该教室', en: 'The room' },
  pupil: { zh: '有学生', en: 'A pupil' },
} as const satisfies Readonly<Record<string, Words>>

/** Weekdays as a timetable names them, from Monday on. */
export const days = {
  zh: ['周一', '周二', '周三', '周四', '周五', '周六', '周日'],
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
}

/**
 * Judges lessons of one plan against each other and against what the school says, as the database does when the plan is
 * published, and more: in words that name the other lesson. Lessons that the caller may not see are named by nothing.
 */
export class Judge {
  readonly #plan: PlanFacts
  readonly #around: Circumstances
  readonly #shape: DayShape
  readonly #seen: ReadonlySet<string> | undefined
  readonly #bySlot = new Map<number, PlanLesson[]>()
  readonly #weeks = new Map<string, WeekSet>()

  constructor(
    plan: PlanFacts,
    lessons: readonly PlanLesson[],
    around: Circumstances,
    shape: DayShape,
    seen?: ReadonlySet<string>,
  ) {
    this.#plan = plan
    this.#around = around
    this.#shape = shape
    this.#seen = seen
    for (const lesson of lessons) {
      this.#weeks.set(lesson.id, weeksOfLesson(lesson, plan))
      for (let period = lesson.periodNo; period < lesson.periodNo + lesson.span; period += 1) {
        const slot = lesson.weekday * 100 + period
        const there = this.#bySlot.get(slot)
        if (there) there.push(lesson)
        else this.#bySlot.set(slot, [lesson])
      }
    }
  }

  /** Everything that stands against a lesson where it is; itself is no obstacle. */
  obstacles(lesson: Placed): Obstacle[] {
    const found: Obstacle[] = [...this.#slotFaults(lesson), ...this.#personFaults(lesson)]
    const weeks = weeksOfLesson(lesson, this.#plan)
    const met = new Map<string, PlanLesson>()
    for (let period = lesson.periodNo; period < lesson.periodNo + lesson.span; period += 1)
      for (const other of this.#bySlot.get(lesson.weekday * 100 + period) ?? [])
        if (other.id !== lesson.id && this.#weeks.get(other.id)! & weeks) met.set(other.id, other)
    for (const other of met.values()) found.push(...this.#clash(lesson, other, weeks & this.#weeks.get(other.id)!))
    found.push(...this.#roomFull(lesson, [...met.values()], weeks))
    return found
  }

  /** All that stands against the plan, each clash once. */
  all(lessons: readonly PlanLesson[]): Obstacle[] {
    const found = new Map<string, Obstacle>()
    for (const lesson of lessons)
      for (const obstacle of this.obstacles(lesson)) {
        const key = `${obstacle.kind}|${[...obstacle.lessonIds].sort().join(',')}|${obstacle.lessonIds.length > 1 ? '' : obstacle.text.zh}`
        if (!found.has(key)) found.set(key, obstacle)
      }
    return [...found.values()]
  }

  #uses({ classId, teachClassId }: Placed): ClassUse[] {
    if (classId) return [{ classId, part: null }]
    const group = teachClassId ? this.#around.teachClasses.get(teachClassId) : undefined
    if (!group || !teachClassId) return []
    return [
      ...group.whole.map((each) => ({ classId: each, part: null })),
      ...[...new Set(group.pupils.values())].flatMap((each) => (each ? [{ classId: each, part: teachClassId }] : [])),
    ]
  }

  #clash(lesson: Placed, other: PlanLesson, weeks: WeekSet): Obstacle[] {
    const found: Obstacle[] = []
    const add = (kind: keyof typeof whose, zh: string, en: string): void => {
      const text = this.#words(kind, lesson, other, weeks, { zh, en })
      found.push({ kind, text, lessonIds: this.#ids(lesson, other) })
    }
    if (other.teacherId === lesson.teacherId) add('teacher', other.teacherName, other.teacherName)
    const mine = this.#uses(lesson)
    const theirs = this.#uses(other)
    const shared = mine.find((a) =>
      theirs.some((b) => a.classId === b.classId && (a.part === null || b.part === null || a.part === b.part)),
    )
    if (shared) {
      const name = this.#around.classNames.get(shared.classId) ?? other.className
      add('class', name, name)
    } else if (lesson.teachClassId && other.teachClassId) {
      const pupils = this.#around.teachClasses.get(other.teachClassId)?.pupils
      const both = [...(this.#around.teachClasses.get(lesson.teachClassId)?.pupils.keys() ?? [])].filter((id) =>
        pupils?.has(id),
      ).length
      if (both > 0) add('pupil', `${both}名学生`, `${both} ${both === 1 ? 'pupil' : 'pupils'}`)
    }
    return found
  }

  /** A room that more lessons than it takes want in one week. */
  #roomFull(lesson: Placed, met: readonly PlanLesson[], weeks: WeekSet): Obstacle[] {
    const room = lesson.classroomId ? this.#around.rooms.get(lesson.classroomId) : undefined
    if (!room) return []
    const others = met.filter((other) => other.classroomId === lesson.classroomId)
    const periods = Array.from({ length: lesson.span }, (_, at) => lesson.periodNo + at)
    const standsIn = (other: PlanLesson, period: number, week: number): boolean =>
      other.periodNo <= period &&
      period < other.periodNo + other.span &&
      (this.#weeks.get(other.id)! & (1 << (week - 1))) !== 0
    const full = weeksOf(weeks).filter((week) =>
      periods.some((period) => others.filter((other) => standsIn(other, period, week)).length >= room.concurrency),
    )
    const [other] = others.filter((each) => full.some((week) => this.#weeks.get(each.id)! & (1 << (week - 1))))
    if (!other) return []
    const set = full.reduce((sum, week) => sum | (1 << (week - 1)), 0)
    return [
      {
        kind: 'room',
        text: this.#words('room', lesson, other, set, { zh: room.name, en: room.name }),
        lessonIds: this.#ids(lesson, ...others),
      },
    ]
  }

  #slotFaults(lesson: Placed): Obstacle[] {
    const found: Obstacle[] = []
    const day = days.zh[lesson.weekday - 1]
    const own = lesson.id ? [lesson.id] : []
    const add = (kind: Obstacle['kind'], zh: string, en: string): void => {
      found.push({ kind, text: { zh, en }, lessonIds: own })
    }
    if (!this.#plan.teachDays.includes(lesson.weekday))
      add('slot', `${day}不上课`, `There are no lessons on ${days.en[lesson.weekday - 1]}`)
    for (let period = lesson.periodNo; period < lesson.periodNo + lesson.span; period += 1) {
      if (!this.#shape.periods.includes(period)) add('slot', `没有第${period}节`, `There is no period ${period}`)
      else if (period > lesson.periodNo && this.#shape.breaks.has(period))
        add('slot', `第${period - 1}节与第${period}节之间是午休`, `The midday break is before period ${period}`)
    }
    if (weeksOfLesson(lesson, this.#plan) === 0) add('week', '没有上课的周', 'It is taught in no week of the plan')
    const beyond = (lesson.weekType === '3' ? (lesson.weeks ?? []) : []).filter((week) => week > this.#plan.weekCount)
    if (beyond.length > 0)
      add(
        'week',
        `第${weeksText(beyond)}周超出学期（共${this.#plan.weekCount}周）`,
        `Week ${weeksText(beyond)} is beyond the term of ${this.#plan.weekCount} weeks`,
      )
    return found
  }

  #personFaults(lesson: Placed): Obstacle[] {
    const found: Obstacle[] = []
    const lessonIds = lesson.id ? [lesson.id] : []
    const periods = Array.from({ length: lesson.span }, (_, at) => lesson.periodNo + at)
    const busy = periods.find((period) =>
      this.#around.unavailable
        .get(lesson.teacherId)
        ?.some((slot) => slot.weekday === lesson.weekday && slot.periodNo === period),
    )
    if (busy !== undefined)
      found.push({
        kind: 'unavailable',
        text: {
          zh: `教师在${days.zh[lesson.weekday - 1]}第${busy}节不排课`,
          en: `The teacher does not teach on ${days.en[lesson.weekday - 1]}, period ${busy}`,
        },
        lessonIds,
      })
    const research = this.#around.research.get(lesson.subjectId)
    if (
      research?.weekday === lesson.weekday &&
      periods.some((period) => this.#shape.isMorning(period) === (research.half === 'am'))
    )
      found.push({
        kind: 'research',
        text: {
          zh: `${days.zh[lesson.weekday - 1]}${research.half === 'am' ? '上午' : '下午'}是该学科的教研时间`,
          en: `The teachers of the subject meet on ${days.en[lesson.weekday - 1]} ${research.half === 'am' ? 'morning' : 'afternoon'}`,
        },
        lessonIds,
      })
    const room = lesson.classroomId ? this.#around.rooms.get(lesson.classroomId) : undefined
    const pupils = this.#pupils(lesson)
    if (room && pupils > room.capacity * 1.1)
      found.push({
        kind: 'seats',
        text: {
          zh: `${room.name}有${room.capacity}个座位，学生${pupils}人`,
          en: `${room.name} has ${room.capacity} seats for ${pupils} pupils`,
        },
        lessonIds,
      })
    return found
  }

  #pupils({ classId, teachClassId }: Placed): number {
    const sizes = this.#around.classSizes
    if (classId) return sizes.get(classId) ?? 0
    const group = teachClassId ? this.#around.teachClasses.get(teachClassId) : undefined
    return group ? group.pupils.size + group.whole.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0) : 0
  }

  #ids(lesson: Placed, ...others: readonly PlanLesson[]): string[] {
    const ids = [lesson.id, ...others.map(({ id }) => id)].filter((id) => id !== null)
    return this.#seen ? ids.filter((id) => this.#seen!.has(id)) : ids
  }

  /** “王老师 周三第3节（单周）已在七（2）班上数学”. */
  #words(kind: keyof typeof whose, lesson: Placed, other: PlanLesson, weeks: WeekSet, of: Words): Words {
    const when = this.#when(lesson, weeks)
    if (this.#seen && !this.#seen.has(other.id))
      return { zh: `${whose[kind].zh}${when.zh}已有课`, en: `${whose[kind].en} is taken on ${when.en}` }
    return {
      zh: `${of.zh} ${when.zh}已有课：${other.className} ${other.subjectName}（${other.teacherName}）`,
      en: `${of.en} is taken on ${when.en}: ${other.className}, ${other.subjectName} (${other.teacherName})`,
    }
  }

  #when({ weekday, periodNo, span }: Placed, weeks: WeekSet): Words {
    const all = weeksOfLesson({ weekType: '0', weeks: null }, this.#plan)
    const some = weeks === all ? '' : weeksText(weeksOf(weeks))
    const periods = span > 1 ? `${periodNo}-${periodNo + span - 1}` : String(periodNo)
    return {
      zh: `${days.zh[weekday - 1]}第${periods}节${some ? `（第${some}周）` : ''}`,
      en: `${days.en[weekday - 1]}, period ${periods}${some ? ` (week ${some})` : ''}`,
    }
  }
}
