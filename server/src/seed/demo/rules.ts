import { timetablerule } from '@data-brain/contract'
import { ruleKinds } from '@data-brain/contract/rules/timetable-rule'
import type { DemoRows } from './book.ts'
import type { CampusFaculty } from './staff.ts'

const days = [1, 2, 3, 4, 5]
const main = ['YW', 'SX', 'YY']
/** Whoever teaches so few lessons may come from outside. */
const fewLessons = 9

/** What schools ask of the generator: the usual rules, and some that a registrar adds. */
export function planRules(book: DemoRows, faculties: readonly CampusFaculty[]): void {
  for (const [school, own] of Map.groupBy(faculties, (faculty) => faculty.school)) {
    const subjects = (...codes: string[]): string[] => codes.flatMap((code) => school.subjectIds.get(code) ?? [])
    const add = (values: Record<string, unknown>): void => {
      book.add(timetablerule, {
        ...{ schoolId: school.id, semesterId: school.semesterId, kind: '1', strength: '1' },
        ...values,
      })
    }
    const { periodsPerDay } = school.plan
    add({ kind: ruleKinds.subjectPerDay, max: 2 })
    add({ kind: ruleKinds.spread, strength: '2' })
    add({
      ...{ kind: ruleKinds.fixed, subjectIds: subjects('BH') },
      slots: [{ weekday: 1, periodNo: periodsPerDay }],
    })
    add({
      ...{ kind: ruleKinds.closed, subjectIds: subjects('TY'), strength: '3' },
      slots: days.map((weekday) => ({ weekday, periodNo: 1 })),
    })
    add({ kind: ruleKinds.half, half: '1', subjectIds: subjects(...main), strength: '4' })
    add({ kind: ruleKinds.inRow, whose: '1', max: 3, strength: '2' })
    add({ kind: ruleKinds.windows, whose: '1', max: 2, strength: '4' })
    const guest = guestOf(own)
    if (guest) add({ kind: ruleKinds.daysPerWeek, whose: '1', teacherIds: [guest], max: 2, remark: '外聘教师' })
  }
}

/** A teacher who heads no class, and whose few lessons of each class go into two days. */
function guestOf(faculties: readonly CampusFaculty[]): string | undefined {
  for (const { teachers, needs, heads } of faculties)
    for (const [at, { id }] of teachers.entries()) {
      const own = needs.filter(({ teacherAt }) => teacherAt === at).map(({ hours }) => hours)
      const hours = own.reduce((sum, each) => sum + each, 0)
      if (hours > 2 && hours <= fewLessons && Math.max(...own) <= 3 && !heads.some((head) => head.id === id)) return id
    }
  return undefined
}
