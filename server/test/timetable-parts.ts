import { entityOf } from '@data-brain/contract'
import { addDays, todayInChina, weekdayOf } from '@data-brain/contract/rules/school-year'
import { sample } from './sample.ts'
import type { Person, Row, World } from './world.ts'

/** A school with a term, two classes and what lessons need. */
export interface Term {
  readonly schoolId: string
  readonly yearId: string
  readonly semesterId: string
  readonly weekCount: number
  readonly firstMonday: string
  readonly subjectId: string
  readonly classes: readonly [string, string]
  readonly teachers: readonly [string, string]
  readonly rooms: readonly [string, string]
  /** A playground for two lessons at once. */
  readonly playground: string
  add(entity: string, draft: Record<string, unknown>): Promise<Row>
  /** A lesson in a plan, or in none that is named; what is not said is of the first class, on Monday in the first period. */
  lesson(planId: string | undefined, more?: Record<string, unknown>): Promise<Row>
  plan(): Promise<string>
}

let count = 0
let plans = 0
const nextPlan = (): number => {
  plans += 1
  return plans
}

/** Makes one in the tenant of an administrator; its school year begins in `startYear`, where that matters. */
export async function makeTerm(admin: Person, startYear?: number): Promise<Term> {
  count += 1
  const made = new Map<string, string>()
  const add = async (entity: string, draft: Record<string, unknown>): Promise<Row> => {
    const full = { ...(await sample(admin, entityOf(entity), made)).draft, ...draft }
    const answer = await admin.post<Row>(`${entityOf(entity).path}/submit`, full)
    if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg} ${JSON.stringify(full)}`)
    // What others need is made once.
    if (!made.has(entity)) made.set(entity, answer.data.id)
    return answer.data
  }
  if (startYear !== undefined)
    await add('schoolyear', {
      ...{ yearName: `${startYear}-${startYear + 1}学年`, startYear },
      ...{ beginDate: `${startYear}-09-01`, endDate: `${startYear + 1}-07-15` },
    })
  const first = await add('schoolclass', { classNo: 1, className: '一班' })
  const { schoolId, yearId, gradeId, campusId } = first as unknown as Record<string, string>
  const at = { schoolId, yearId, gradeId, campusId }
  const second = await add('schoolclass', { ...at, classNo: 2, className: '二班' })
  await admin.post('blade-user/school/submit', { id: schoolId, teachDays: ['1', '2', '3', '4', '5'] })
  const semester = await add('schoolsemester', { schoolId, yearId, weekCount: 16 })
  const room = await add('schoolclassroom', { roomName: '101', roomCode: '101', concurrency: 1 })
  const { floorId } = room as unknown as Record<string, string>
  const other = await add('schoolclassroom', {
    schoolId,
    campusId,
    floorId,
    roomName: '102',
    roomCode: '102',
    concurrency: 1,
  })
  const field = await add('schoolclassroom', {
    schoolId,
    campusId,
    floorId,
    roomName: '操场',
    roomCode: 'F',
    concurrency: 2,
    capacity: 500,
  })
  const subject = await add('schoolsubject', { schoolId, researchSlot: null })
  const hire = async (no: number, realName: string): Promise<string> => {
    const answer = await admin.post<Row>('blade-user/submit', { account: `t${count}x${no}`, realName })
    if (answer.code !== 200) throw new Error(answer.msg)
    return answer.data.id
  }
  const teachers = [await hire(1, '王芳'), await hire(2, '李强')] as const
  const days = { beginDate: semester.beginDate, endDate: semester.endDate }
  const own = { schoolId, semesterId: semester.id, subjectId: subject.id }
  for (const classId of [first.id, second.id])
    for (const [order, userId] of teachers.entries())
      await add('teacherclass', { ...own, classId, userId, role: order === 0 ? '1' : '2', weekHours: 5, ...days })
  return {
    schoolId: schoolId!,
    yearId: yearId!,
    semesterId: semester.id,
    weekCount: 16,
    firstMonday: String(semester.firstWeekMonday),
    subjectId: subject.id,
    classes: [first.id, second.id],
    teachers,
    rooms: [room.id, other.id],
    playground: field.id,
    add,
    lesson: (planId, more = {}) =>
      add('classschedule', {
        ...own,
        planId,
        classId: first.id,
        teachClassId: null,
        teacherId: teachers[0],
        classroomId: null,
        ...{ weekday: '1', periodNo: 1, span: 1, weekType: '0', weeks: null, color: null },
        ...more,
      }),
    plan: async () =>
      (await add('timetableplan', { schoolId, semesterId: semester.id, planName: `方案${nextPlan()}` })).id,
  }
}

/** The day of a weekday in a week of a term. */
export const dayIn = ({ firstMonday }: Pick<Term, 'firstMonday'>, week: number, weekday: number): string =>
  addDays(firstMonday, 7 * (week - 1) + weekday - 1)

export const publish = (who: Person, id: string, fromWeek?: number) =>
  who.post<Row>(`blade-user/timetableplan/publish?id=${id}${fromWeek ? `&fromWeek=${fromWeek}` : ''}`)

/** Moves a term so that today lies in one of its weeks; its lessons are published afterwards. */
export async function setWeekNow(world: World, { semesterId, weekCount }: Term, week: number): Promise<void> {
  const today = todayInChina()
  const begin = addDays(today, 1 - weekdayOf(today) - 7 * (week - 1))
  const end = addDays(begin, 7 * weekCount - 1)
  await world.owner.query(
    'update schoolsemester set first_week_monday = $2, begin_date = $2, end_date = $3 where id = $1',
    [semesterId, begin, end],
  )
  await world.owner.query(
    'update teacherclass set begin_date = least(begin_date, $2), end_date = greatest(end_date, $3) where semester_id = $1',
    [...[semesterId, begin, end]],
  )
}
