import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, cover, dayOf, makeStaffed, path, type Staffed, weekOf } from './substitution-parts.ts'
import { jobEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/* What somebody found who tried the timetable without having built it. */

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
}, 60_000)
afterAll(() => world.close())

interface Counts {
  readonly covered: number
  readonly extra: number
}
const countsOn = async (term: Staffed, day: string): Promise<readonly Counts[]> =>
  (await admin.get<Counts[]>(`${path}/counts`, { schoolId: term.schoolId, from: day, to: day })).data

describe('ISSUE-15-6 counts for pay', () => {
  it('leave out cover of a day that has become a holiday, on which the lesson is not given', async () => {
    const term = await makeStaffed(world, admin)
    const monday = dayOf(term, 9)
    const made = await cover(admin, term.lessons.mon1, monday, term.third, { confirmed: true })
    expect((await countsOn(term, monday)).reduce((sum, { extra }) => sum + extra, 0)).toBe(1)
    await term.add('schoolcalendarday', {
      ...{ schoolId: term.schoolId, day: monday, dayType: '2', useWeekday: null, dayName: '大雪停课' },
    })
    // Nobody has a lesson then.
    expect((await weekOf(term.people[2], monday)).filter((each) => each.startsWith(monday))).toEqual([])
    expect((await countsOn(term, monday)).reduce((sum, { extra }) => sum + extra, 0)).toBe(0)
    await answer(admin, 'cancel', made.data[0]!.id)
  })
})

describe('ISSUE-15-2 a semester', () => {
  it('keeps the weeks that its published timetable has, and says what ends school earlier', async () => {
    const term = await makeStaffed(world, admin)
    const { version, weekCount } = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: term.semesterId }))
      .data
    const shorter = { id: term.semesterId, version, weekCount: 8 }
    const refused = await admin.post('blade-user/schoolsemester/submit', shorter)
    expect([refused.status, refused.msg]).toEqual([
      400,
      expect.stringMatching(new RegExp(`周数：不能少于${weekCount}，.*在校历中把之后的日子设为放假`)),
    ])
    expect((await admin.get<Row>('blade-user/timetableplan/detail', { id: term.planId })).data.endWeek).toBe(weekCount)
  })
})

describe('ISSUE-15-7 an assignment that ends in mid-term', () => {
  it('is named by the check and by what refuses to publish, with the class and the teacher', async () => {
    const term = await makeStaffed(world, admin)
    const [assigned] = (
      await admin.get<{ records: Row[] }>('blade-user/teacherclass/list', {
        ...{ semesterId_equal: term.semesterId, classId_equal: term.classes[0], userId_equal: term.teachers[0] },
      })
    ).data.records
    const before = (await admin.post<Row>(`blade-user/timetableplan/copy?id=${term.planId}`)).data.id
    await admin.post(`blade-user/teacherclass/handOver?id=${assigned!.id}&userId=${term.third}&fromWeek=9`)
    const check = await admin.get<{ obstacles: { kind: string; text: { zh: string } }[] }>(
      'blade-user/timetableplan/check',
      { id: before },
    )
    const said = check.data.obstacles.filter(({ kind }) => kind === 'unassigned').map(({ text }) => text.zh)
    expect(said[0]).toMatch(/^王芳教一班.+的任课关系没有包括全部上课日/)
    const refused = await admin.post(`blade-user/timetableplan/publish?id=${before}&fromWeek=9`)
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('王芳教一班')])
  })
})

describe('ISSUE-15-6 after another teacher has taken over in mid-term', () => {
  it('a copy of the published timetable owes no lessons of the teacher who has left it', async () => {
    const term = await makeStaffed(world, admin)
    const [assigned] = (
      await admin.get<{ records: Row[] }>('blade-user/teacherclass/list', {
        ...{ semesterId_equal: term.semesterId, classId_equal: term.classes[0], userId_equal: term.teachers[0] },
      })
    ).data.records
    await admin.post('blade-user/teacherclass/submit', { id: assigned!.id, version: assigned!.version, weekHours: 2 })
    const over = await admin.post<{ planId: string }>(
      `blade-user/teacherclass/handOver?id=${assigned!.id}&userId=${term.third}&fromWeek=9`,
    )
    expect([over.code, over.msg]).toEqual([200, '操作成功'])
    const copy = await admin.post<Row>(`blade-user/timetableplan/copy?id=${over.data.planId}`)
    const board = await admin.get<{ owed: { teacherId: string; classId: string }[] }>(
      'blade-user/timetableplan/board',
      {
        ...{ id: copy.data.id, by: 'school' },
      },
    )
    const ofFormer = board.data.owed.filter(
      ({ teacherId, classId }) => teacherId === term.teachers[0] && classId === term.classes[0],
    )
    expect(ofFormer).toEqual([])
  })
})

describe('ISSUE-15-6 two who cover one lesson', () => {
  it('are told of each other: who saw it open is refused, by the name of whoever has it', async () => {
    const term = await makeStaffed(world, admin)
    const day = dayOf(term, 9)
    const coverAs = (teacherId: string | undefined, over?: string) =>
      admin.post<Row[]>(`${path}/cover`, {
        covers: [{ scheduleId: term.lessons.mon1, day, teacherId, ...(over === undefined ? {} : { over }) }],
        confirmed: true,
      })
    const first = await coverAs(term.third, '0')
    expect(first.msg).toBe('操作成功')
    const late = await coverAs(term.teachers[1], '0')
    expect([late.status, late.msg]).toEqual([400, expect.stringContaining('刚刚已有新的安排（赵敏）')])
    expect((await admin.get<Row>(`${path}/detail`, { id: first.data[0]!.id })).data.status).toBe(1)
    // Who has seen it may put somebody else in place.
    expect((await coverAs(term.teachers[1], first.data[0]!.id)).msg).toBe('操作成功')
  })
})

describe('ISSUE-15-4 lessons of odd and even weeks', () => {
  it.each([1, 0])('stay lessons of their weeks when a draft is made again (keep=%i)', async (keep) => {
    const term = await makeStaffed(world, admin)
    const { id: plan } = (await admin.post<Row>(`blade-user/timetableplan/copy?id=${term.planId}`)).data
    const list = async (): Promise<Row[]> =>
      (await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId: plan, size: 100 })).data.records
    const [odd] = (await list()).filter(({ classId }) => classId === term.classes[0])
    const changed = { id: odd!.id, version: odd!.version, weekType: '1' }
    expect((await admin.post('blade-user/classschedule/submit', changed)).msg).toBe('操作成功')
    const job = await jobEnded(
      admin,
      await admin.post<{ jobId: string }>(`blade-user/timetableplan/generate?id=${plan}&seed=1&seconds=2&keep=${keep}`),
    )
    expect(job.state).toBe('done')
    const after = (await list()).filter(({ weekType }) => weekType === '1')
    expect(after.map(({ subjectId, teacherId, classId }) => [subjectId, teacherId, classId])).toEqual([
      [odd!.subjectId, odd!.teacherId, odd!.classId],
    ])
    if (keep) expect(after[0]).toMatchObject({ id: odd!.id, weekday: odd!.weekday, periodNo: odd!.periodNo })
  })
})

describe('ISSUE-15-4 a draft that is worked on while the generator makes it', () => {
  it('keeps the lessons that were added and changed since the generator read it', async () => {
    const term = await makeStaffed(world, admin)
    const { id: plan } = (await admin.post<Row>(`blade-user/timetableplan/copy?id=${term.planId}`)).data
    const list = async (): Promise<Row[]> =>
      (await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId: plan, size: 100 })).data.records
    const [stands, other] = (await list()).filter(({ classId }) => classId === term.classes[0])
    // More lessons than a week has periods: it searches as long as it may.
    const [assigned] = (
      await admin.get<{ records: Row[] }>('blade-user/teacherclass/list', {
        ...{
          semesterId_equal: term.semesterId,
          classId_equal: term.classes[0],
          userId_equal: String(stands!.teacherId),
        },
      })
    ).data.records
    const more = { id: assigned!.id, version: assigned!.version, weekHours: 40 }
    expect((await admin.post('blade-user/teacherclass/submit', more)).msg).toBe('操作成功')
    const begun = await admin.post<{ jobId: string }>(`blade-user/timetableplan/generate?id=${plan}&seed=1&seconds=4`)
    const isReading = async (): Promise<boolean> => {
      const { data } = await admin.get<{ total: number }>('blade-system/job/own', { id: begun.data.jobId })
      return !(data.total > 0)
    }
    while (await isReading()) await new Promise((done) => setTimeout(done, 15))
    const { semesterId, schoolId } = term
    const own = { schoolId, semesterId, planId: plan, classId: stands!.classId, subjectId: stands!.subjectId }
    const added = await admin.post<Row>('blade-user/classschedule/submit', {
      ...{ ...own, teacherId: stands!.teacherId, weekday: '5', periodNo: 6, span: 1, weekType: '0', remark: '刚加的' },
    })
    expect(added.msg).toBe('操作成功')
    const changed = { id: other!.id, version: other!.version, remark: '刚改的' }
    expect((await admin.post('blade-user/classschedule/submit', changed)).msg).toBe('操作成功')
    expect((await jobEnded(admin, begun)).state).toBe('done')
    const after = (await list()).map(({ id }) => id)
    expect(after).toEqual(expect.arrayContaining([added.data.id, other!.id]))
    expect(after).not.toContain(stands!.id)
  })
})
