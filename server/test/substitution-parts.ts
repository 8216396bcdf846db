import { dayIn, makeTerm, publish, type Term } from './timetable-parts.ts'
import type { Answer, Person, Row, World } from './world.ts'

/** A term whose published plan has lessons in it, and people who work with them. */
export interface Staffed extends Term {
  /** Sessions of the two teachers of the term, and of one who is free. */
  readonly people: readonly [Person, Person, Person]
  /** A third teacher, of the subject in the second class alone. */
  readonly third: string
  /** The published plan. */
  readonly planId: string
  /** Lessons by their names: mon1 of the first class by 王芳, mon2 of the first by 李强, mon3 of the second by 王芳, tue1 … */
  readonly lessons: Readonly<Record<'mon1' | 'mon2' | 'mon3' | 'tue1' | 'tue2', string>>
}

let hired = 0

/** Makes a term with a published plan of five lessons a week. */
export async function makeStaffed(world: World, admin: Person, startYear?: number): Promise<Staffed> {
  const term = await makeTerm(admin, startYear)
  const [wang, li] = term.teachers
  hired += 1
  const third = (await admin.post<Row>('blade-user/submit', { account: `third${hired}`, realName: '赵敏' })).data.id
  const semester = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: term.semesterId })).data
  await term.add('teacherclass', {
    ...{ schoolId: term.schoolId, semesterId: term.semesterId, subjectId: term.subjectId, classId: term.classes[1] },
    ...{ userId: third, role: '2', weekHours: 2, beginDate: semester.beginDate, endDate: semester.endDate },
  })
  const planId = await term.plan()
  const [first, second] = term.classes
  const at = (weekday: string, periodNo: number, classId: string, teacherId: string) =>
    term.lesson(planId, { weekday, periodNo, classId, teacherId }).then(({ id }) => id)
  const lessons = {
    mon1: await at('1', 1, first, wang),
    mon2: await at('1', 2, first, li),
    mon3: await at('1', 3, second, wang),
    tue1: await at('2', 1, first, wang),
    tue2: await at('2', 1, second, li),
  }
  const out = await publish(admin, planId)
  if (out.code !== 200) throw new Error(out.msg)
  const accountOf = async (id: string): Promise<string> =>
    (await world.owner.query('select account from app_user where id = $1', [id])).rows[0].account
  const session = async (id: string): Promise<Person> => {
    await world.owner.query('update credential set must_change = 0 where user_id = $1', [id])
    return world.as(admin.tenantId, await accountOf(id))
  }
  return { ...term, third, planId, lessons, people: [await session(wang), await session(li), await session(third)] }
}

/** A day of a staffed term: a weekday of a week. */
export const dayOf = (term: Term, week: number, weekday = 1): string => dayIn(term, week, weekday)

export const path = 'blade-user/substitution'

/** Has one lesson covered. */
export const cover = (
  who: Person,
  scheduleId: string,
  day: string,
  teacherId: string,
  more: Record<string, unknown> = {},
): Promise<Answer<Row[]>> => who.post<Row[]>(`${path}/cover`, { covers: [{ scheduleId, day, teacherId }], ...more })

/** What the week of a day is for somebody, in short: `date period teacher` of each lesson. */
export async function weekOf(who: Person, date: string, as?: 'teacher' | 'class' | 'pupil'): Promise<string[]> {
  const answer = await who.get<{ date: string; periodNo: number; teacherName: string }[]>(
    'blade-user/classschedule/getUserClassSchedule',
    { date, ...(as ? { as } : {}) },
  )
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data.map((each) => `${each.date} ${each.periodNo} ${each.teacherName}`)
}

/** Accepts, declines or cancels. */
export const answer = (who: Person, verb: 'accept' | 'decline' | 'cancel', ...ids: string[]) =>
  who.post(`${path}/${verb}?ids=${ids.join(',')}`)

export const statusOf = async (who: Person, id: string): Promise<unknown> =>
  (await who.get<Row>(`${path}/detail`, { id })).data.status

/** What somebody has been told, the newest first. */
export const inboxOf = async (who: Person): Promise<readonly { readonly title: string; readonly body: string }[]> =>
  (await who.get<{ records: { title: string; body: string }[] }>('blade-desk/inbox/list', { size: 50 })).data.records

/** Somebody is away on one day, or in some periods of it. */
export const absent = (term: Staffed, teacherId: string, day: string, more: Record<string, unknown> = {}) =>
  term.add('teacherabsence', {
    ...{ schoolId: term.schoolId, teacherId, leaveType: '1', beginDate: day, endDate: day },
    ...{ beginPeriodNo: null, endPeriodNo: null, ...more },
  })

/** Lessons of a day that want cover. */
export const uncoveredOn = async (who: Person, { schoolId }: Staffed, day: string) =>
  (
    await who.get<{ scheduleId: string; day: string; declinedBy: string[] }[]>(`${path}/uncovered`, {
      ...{ schoolId, from: day, to: day },
    })
  ).data
