import type { GeneratedPlan } from '@data-brain/contract/calls/timetable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayIn, makeTerm, publish, type Term } from './timetable-parts.ts'
import { jobEnded, jobsEnded, makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let term: Term

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const fresh = async (): Promise<void> => {
  admin = await world.tenant()
  term = await makeTerm(admin)
}

interface Obstacle {
  readonly kind: string
  readonly text: { zh: string; en: string }
  readonly lessonIds: string[]
}
const check = async (id: string): Promise<Obstacle[]> =>
  (await admin.get<{ obstacles: Obstacle[] }>('blade-user/timetableplan/check', { id })).data.obstacles
const slots = async (query: Record<string, string | number>) =>
  (
    await admin.get<{ weekday: number; periodNo: number; obstacles: Obstacle[] }[]>(
      'blade-user/timetableplan/slots',
      query,
    )
  ).data
const statusOf = async (id: string) => (await admin.get<Row>('blade-user/timetableplan/detail', { id })).data

describe('ISSUE-15-2 a plan', () => {
  beforeAll(fresh, 60_000)

  it('is the draft of the semester for a lesson that names none, and one for all of these', async () => {
    const first = await term.lesson(undefined)
    const second = await term.lesson(undefined, { periodNo: 2 })
    expect(first.planId).toBeTruthy()
    expect(second.planId).toBe(first.planId)
    expect(await statusOf(String(first.planId))).toMatchObject({ status: 0, planName: '草稿' })
  })

  it('R-SCHOOL-6 may hold lessons that collide while it is a draft, says which, and is not published', async () => {
    const id = await term.plan()
    const a = await term.lesson(id)
    const b = await term.lesson(id, { classId: term.classes[1], periodNo: 1 })
    const found = await check(id)
    expect(found).toMatchObject([{ kind: 'teacher', lessonIds: [a.id, b.id] }])
    expect(found[0]!.text.zh).toBe(`王芳 周一第1节已有课：二班 ${await subjectName()}（王芳）`)
    const refused = await publish(admin, id)
    expect(refused.code).toBe(400)
    expect(refused.msg).toContain('有1处冲突')
    expect(await statusOf(id)).toMatchObject({ status: 0, beginWeek: null })
  })

  it('R-SCHOOL-9 is published from a week on, cuts off the one before, and an older week reads as before', async () => {
    const first = await term.plan()
    await term.lesson(first)
    expect((await publish(admin, first)).data).toMatchObject({ status: 2, beginWeek: 1, endWeek: 16 })
    const second = await term.plan()
    await term.lesson(second, { weekday: '2' })
    const changes = await admin.get('blade-user/timetableplan/changes', { id: second, fromWeek: 9 })
    expect(changes.data).toMatchObject({
      added: 1,
      removed: 1,
      same: 0,
      classes: [{ id: term.classes[0], lessons: 2 }],
      replaces: [{ id: first, fromWeek: 1, toWeek: 16 }],
    })
    expect((await publish(admin, second, 9)).data).toMatchObject({ status: 2, beginWeek: 9, endWeek: 16 })
    expect(await statusOf(first)).toMatchObject({ status: 2, beginWeek: 1, endWeek: 8 })
    await world.owner.query('update credential set must_change = 0 where user_id = $1', [term.teachers[0]])
    const teacher = await world.as(admin.tenantId, await accountOf(term.teachers[0]))
    const week = async (no: number) =>
      (
        await teacher.get<{ date: string }[]>('blade-user/classschedule/getUserClassSchedule', {
          semesterId: term.semesterId,
          week: no,
        })
      ).data.map(({ date }) => date)
    expect(await week(8)).toEqual([dayIn(term, 8, 1)])
    expect(await week(9)).toEqual([dayIn(term, 9, 2)])
    // A third from the first week: nothing is left of the others, and they are kept.
    const third = await term.plan()
    await term.lesson(third, { weekday: '3' })
    expect((await publish(admin, third)).code).toBe(200)
    expect([await statusOf(first), await statusOf(second)].map(({ status }) => status)).toEqual([3, 3])
    expect(await week(8)).toEqual([dayIn(term, 8, 3)])
  })

  it('is not changed once it is published: neither it nor a lesson of it', async () => {
    const id = await term.plan()
    const lesson = await term.lesson(id)
    await publish(admin, id)
    const edited = await admin.post('blade-user/classschedule/submit', { id: lesson.id, version: 1, periodNo: 3 })
    expect([edited.code, edited.msg]).toEqual([400, expect.stringContaining('已发布，不能修改')])
    expect((await admin.remove('blade-user/classschedule', lesson.id)).code).toBe(400)
    const moved = await term.plan()
    const draft = await term.lesson(moved)
    expect((await admin.post('blade-user/classschedule/submit', { id: draft.id, version: 1, planId: id })).code).toBe(
      400,
    )
    expect((await admin.remove('blade-user/timetableplan', id)).code).toBe(400)
    // A draft goes with its lessons.
    expect((await admin.remove('blade-user/timetableplan', moved)).code).toBe(200)
    expect((await admin.get('blade-user/classschedule/detail', { id: draft.id })).status).toBe(404)
  })

  it('is copied with its lessons into a draft', async () => {
    const id = await term.plan()
    const given = {
      weekType: '3',
      weeks: [2, 4],
      classroomId: term.rooms[0],
      isLocked: 1,
      color: '#336699',
      remark: '说明',
    }
    const before = await term.lesson(id, given)
    const copy = await admin.post<Row>(
      `blade-user/timetableplan/copy?id=${id}&planName=${encodeURIComponent('第二稿')}`,
    )
    expect(copy.data).toMatchObject({ planName: '第二稿', status: 0, parentPlanId: id })
    const lessons = await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId_equal: copy.data.id })
    expect(lessons.data.records).toHaveLength(1)
    const whole = await admin.get<Row>('blade-user/classschedule/detail', { id: lessons.data.records[0]!.id })
    expect(whole.data).toMatchObject({ ...given, planId: copy.data.id })
    const ofItself = new Set(['id', 'plan_id', 'create_time', 'update_time'])
    const stored = async (lessonId: unknown) =>
      Object.entries(
        (await world.owner.query('select * from classschedule where id = $1', [lessonId])).rows[0] as object,
      ).filter(([column]) => !ofItself.has(column))
    expect(await stored(whole.data.id)).toEqual(await stored(before.id))
    const lines = await admin.get<{ records: Row[] }>('blade-log/history/list', { entity: 'classschedule' })
    const own = lines.data.records.filter(({ rowId }) => rowId === whole.data.id)
    expect(own.map(({ action }) => action)).toEqual(['add'])
  })

  const subjectName = async () =>
    String((await admin.get<Row>('blade-user/schoolsubject/detail', { id: term.subjectId })).data.subjectName)
  const accountOf = async (id: string) => String((await admin.get<Row>('blade-user/detail', { id })).data.account)
})

describe('ISSUE-15-3 a lesson in hand', () => {
  beforeAll(fresh, 60_000)

  it('R-SCHOOL-6 R-SCHOOL-7 is told of every slot whether it fits, and what stands against it', async () => {
    const id = await term.plan()
    const stands = await term.lesson(id, { weekType: '1' })
    const teacherOf = (query: Record<string, string | number>) =>
      slots({ id, classId: term.classes[1], subjectId: term.subjectId, teacherId: term.teachers[0], ...query })
    const every = await teacherOf({ weekType: '0' })
    expect(every).toHaveLength(5 * 8)
    expect(every.filter(({ obstacles }) => obstacles.length > 0)).toMatchObject([
      { weekday: 1, periodNo: 1, obstacles: [{ kind: 'teacher', lessonIds: [stands.id] }] },
    ])
    // Even weeks stand beside odd ones.
    expect((await teacherOf({ weekType: '2' })).every(({ obstacles }) => obstacles.length === 0)).toBe(true)
    // Three periods do not reach over noon, nor past the last.
    const long = await teacherOf({ weekType: '2', span: 3 })
    expect(
      long.filter(({ weekday, obstacles }) => weekday === 1 && obstacles.length > 0).map(({ periodNo }) => periodNo),
    ).toEqual([3, 4, 7, 8])
    // The lesson itself is no obstacle to moving it.
    expect((await slots({ id, lessonId: stands.id })).every(({ obstacles }) => obstacles.length === 0)).toBe(true)
  })

  it('counts the places of a room, and knows when a teacher is not there', async () => {
    const id = await term.plan()
    await term.lesson(id, { classroomId: term.playground })
    const ask = () =>
      slots({
        ...{ id, classId: term.classes[1], subjectId: term.subjectId, teacherId: term.teachers[1] },
        classroomId: term.playground,
      })
    expect((await ask())[0]!.obstacles).toEqual([])
    await term.lesson(id, { classId: term.classes[1], teacherId: term.teachers[1], classroomId: term.playground })
    expect((await ask())[0]!.obstacles.map(({ kind }) => kind).sort()).toEqual(['class', 'room', 'teacher'])
    // Two lessons that share no period leave a place beside each of them for a double one.
    const beside = await term.plan()
    await term.lesson(beside, { classroomId: term.playground, periodNo: 3 })
    await term.lesson(beside, { classroomId: term.playground, periodNo: 4 })
    const double = await slots({
      ...{ id: beside, classId: term.classes[1], subjectId: term.subjectId, teacherId: term.teachers[1] },
      ...{ classroomId: term.playground, span: 2 },
    })
    expect(double.find(({ weekday, periodNo }) => weekday === 1 && periodNo === 3)!.obstacles).toEqual([])
    await admin.post('blade-user/submit', { id: term.teachers[1], unavailableSlots: [{ weekday: 2, periodNo: 3 }] })
    const tuesday = (await ask()).find(({ weekday, periodNo }) => weekday === 2 && periodNo === 3)
    expect(tuesday!.obstacles).toMatchObject([{ kind: 'unavailable' }])
  })

  it('is asked of one class and one teacher, in words where they are missing', async () => {
    const id = await term.plan()
    const asked = await admin.get('blade-user/timetableplan/slots', { id, classId: term.classes[0] })
    expect([asked.code, asked.msg]).toEqual([400, expect.stringContaining('subjectId')])
  })
})

describe('R-SCHOOL-7 pupils of teaching classes', () => {
  beforeAll(fresh, 60_000)

  it('have no two at once, and none beside a lesson of their class; the roster is judged as the plan is', async () => {
    const pupils = await Promise.all(
      [1, 2, 3].map((no) =>
        term.add('student', {
          schoolId: term.schoolId,
          studentNo: `P${no}`,
          classId: term.classes[0],
          gradeId: undefined,
          idNo: null,
          idType: null,
        }),
      ),
    )
    const group = (no: number, ids: readonly string[]) =>
      term.add('schoolteachclass', {
        schoolId: term.schoolId,
        semesterId: term.semesterId,
        subjectId: term.subjectId,
        teacherId: term.teachers[no - 1],
        teachClassCode: `G${no}`,
        teachClassName: `走班${no}`,
        kind: '2',
        classIds: [],
        studentIds: ids,
        classroomId: null,
      })
    const [one, two] = [await group(1, [pupils[0]!.id, pupils[1]!.id]), await group(2, [pupils[2]!.id])]
    const id = await term.plan()
    await term.lesson(id, { classId: null, teachClassId: one.id })
    // Two teaching classes of one class side by side.
    await term.lesson(id, { classId: null, teachClassId: two.id, teacherId: term.teachers[1] })
    expect(await check(id)).toEqual([])
    expect((await publish(admin, id)).code).toBe(200)
    // A pupil of the one joins the other: refused by the database, whoever writes.
    const both = await admin.post('blade-user/schoolteachclass/submit', {
      id: two.id,
      version: two.version,
      studentIds: [pupils[2]!.id, pupils[0]!.id],
    })
    expect([both.code, both.msg]).toEqual([400, expect.stringContaining('与已发布的课冲突')])
    // A lesson of the whole class beside them.
    const other = await term.plan()
    await term.lesson(other, { classId: null, teachClassId: one.id })
    await term.lesson(other, { teacherId: term.teachers[1] })
    expect((await check(other)).map(({ kind }) => kind)).toEqual(['class'])
  })
})

describe('R-SCHOOL-9 a plan that somebody works on', () => {
  beforeAll(fresh, 60_000)

  /** Does something while the plan is held as whoever saves its lessons, or publishes it, holds it. */
  async function whileHeld<T>(id: string, lock: 'share' | 'update', work: () => Promise<T>): Promise<T> {
    await world.owner.query('begin')
    try {
      const held = `select from timetableplan where tenant_id = $1 and id = $2 for ${lock}`
      await world.owner.query(held, [admin.tenantId, id])
      return await work()
    } finally {
      await world.owner.query('rollback')
    }
  }

  it('is not published while its timetable is made, and the next step is said', async () => {
    const id = await term.plan()
    // Held, so that what is made cannot be written, however quickly it is: the job goes on for as long as it is looked at.
    const both = await whileHeld(id, 'update', async () => {
      const asked = await admin.post<{ jobId: string }>(`blade-user/timetableplan/generate?id=${id}&seconds=60`)
      expect(asked.code).toBe(200)
      const answers = await Promise.all([publish(admin, id), publish(admin, id)])
      await admin.post(`blade-system/job/cancel?id=${asked.data.jobId}`)
      return answers
    })
    for (const answer of both) {
      expect([400, 409]).toContain(answer.status)
      expect(answer.msg).toMatch(/正在自动排课：请等它完成|有人正在发布该学期的课表/)
    }
    expect(both.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('在“自动排课”中停止后再发布'))
    expect(await statusOf(id)).toMatchObject({ status: 0 })
    await jobsEnded()
    expect((await publish(admin, id)).msg).toContain('还没有课')
  })

  it('is not published past lessons that are being saved, and no lesson is saved past its publication: in words', async () => {
    const id = await term.plan()
    const lesson = await term.lesson(id)
    const refused = await whileHeld(id, 'share', () => publish(admin, id))
    expect([refused.status, refused.msg]).toEqual([409, '有人正在保存该方案的课，请稍后再发布'])
    const late = await whileHeld(id, 'update', () =>
      admin.post('blade-user/classschedule/submit', { id: lesson.id, version: lesson.version, periodNo: 3 }),
    )
    expect([late.status, late.msg]).toEqual([409, expect.stringContaining('该方案正在发布：请稍后刷新')])
    expect((await publish(admin, id)).code).toBe(200)
  })
})

describe('R-SCHOOL-8 whoever gives a lesson', () => {
  beforeAll(fresh, 60_000)

  it('is assigned on its days, before it is published and as long as it is', async () => {
    const id = await term.plan()
    await term.lesson(id)
    const found = await admin.get<{ records: Row[] }>('blade-user/teacherclass/list', {
      userId_equal: term.teachers[0],
      classId_equal: term.classes[0],
    })
    const assigned = found.data.records[0]!
    expect((await admin.remove('blade-user/teacherclass', assigned.id)).code).toBe(200)
    expect(await check(id)).toMatchObject([{ kind: 'unassigned' }])
    expect((await publish(admin, id)).msg).toContain('没有一班')
    const again = await term.add('teacherclass', {
      ...{ schoolId: term.schoolId, semesterId: term.semesterId, subjectId: term.subjectId },
      ...{ userId: term.teachers[0], classId: term.classes[0], role: '1', weekHours: 5 },
      ...{ beginDate: assigned.beginDate, endDate: dayIn(term, 4, 7) },
    })
    // Assigned, but not to the end.
    expect((await publish(admin, id)).code).toBe(400)
    const longer = await admin.post<Row>('blade-user/teacherclass/submit', {
      id: again.id,
      version: again.version,
      endDate: (await admin.get<Row>('blade-user/schoolsemester/detail', { id: term.semesterId })).data.endDate,
    })
    expect(longer.code).toBe(200)
    expect((await publish(admin, id)).code).toBe(200)
    const shorter = await admin.post('blade-user/teacherclass/submit', {
      id: again.id,
      version: longer.data.version,
      endDate: dayIn(term, 4, 7),
    })
    expect([shorter.code, shorter.msg]).toEqual([400, expect.stringContaining('仍有已发布的课')])
    expect((await admin.remove('blade-user/teacherclass', again.id)).code).toBe(400)
  })
})

describe('ISSUE-15-6 another teacher from a week on', () => {
  beforeAll(fresh, 60_000)

  it('has the assignment and the published lessons, in one step or not at all', async () => {
    const id = await term.plan()
    const lesson = await term.lesson(id)
    await term.lesson(id, { classId: term.classes[1], periodNo: 2 })
    expect((await publish(admin, id)).code).toBe(200)
    const [assigned] = (
      await admin.get<{ records: Row[] }>('blade-user/teacherclass/list', {
        userId_equal: term.teachers[0],
        classId_equal: term.classes[0],
      })
    ).data.records
    const over = (userId: string, fromWeek: number) =>
      admin.post<{ id: string; planId: string; lessons: number }>(
        `blade-user/teacherclass/handOver?id=${assigned!.id}&userId=${userId}&fromWeek=${fromWeek}`,
      )
    for (const [who, week] of [
      [term.teachers[0], 9],
      [term.teachers[1], 17],
      [term.teachers[1], 1],
    ] as const)
      expect((await over(who, week)).code).toBe(400)
    // Whoever is taken then does not get it, and nothing has changed.
    const busy = await term.plan()
    expect((await admin.get<Row>('blade-user/teacherclass/detail', { id: assigned!.id })).data.endDate).not.toBe(
      dayIn(term, 8, 7),
    )
    await admin.remove('blade-user/timetableplan', busy)
    const done = await over(term.teachers[1], 9)
    expect([done.code, done.msg, done.data?.lessons]).toEqual([200, '操作成功', 1])
    expect((await admin.get<Row>('blade-user/teacherclass/detail', { id: assigned!.id })).data.endDate).toBe(
      dayIn(term, 8, 7),
    )
    expect(await statusOf(id)).toMatchObject({ status: 2, endWeek: 8 })
    expect(await statusOf(done.data.planId)).toMatchObject({ status: 2, beginWeek: 9 })
    const lessons = (
      await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId_equal: done.data.planId })
    ).data.records
    expect(lessons.map(({ teacherId, classId }) => [classId, teacherId]).sort()).toEqual(
      [
        [term.classes[0], term.teachers[1]],
        [term.classes[1], term.teachers[0]],
      ].sort(),
    )
    expect((await admin.get<Row>('blade-user/classschedule/detail', { id: lesson.id })).data.teacherId).toBe(
      term.teachers[0],
    )
  })
})

describe('R-SCHOOL-1 the current semester', () => {
  beforeAll(fresh, 60_000)

  it('lies in the current year, and ends to be current with it', async () => {
    const asked = await admin.post('blade-user/schoolsemester/submit', { id: term.semesterId, isCurrent: 1 })
    expect([asked.code, asked.msg]).toEqual([400, expect.stringContaining('须在当前学年内')])
    await admin.post('blade-user/schoolyear/submit', { id: term.yearId, isCurrent: 1 })
    expect((await admin.post('blade-user/schoolsemester/submit', { id: term.semesterId, isCurrent: 1 })).code).toBe(200)
    expect((await admin.post('blade-user/schoolyear/submit', { id: term.yearId, isCurrent: 0 })).code).toBe(200)
    expect((await admin.get<Row>('blade-user/schoolsemester/detail', { id: term.semesterId })).data.isCurrent).toBe(0)
  })
})

describe('ISSUE-15-2 what is wrong with a lesson', () => {
  beforeAll(fresh, 60_000)

  it('is told in words that name it, and is not published: a period, a break, weeks, days that there are not', async () => {
    const id = await term.plan()
    for (const wrong of [
      { periodNo: 12 },
      { weekday: '2', periodNo: 4, span: 2 },
      { weekday: '3', weekType: '3', weeks: [17] },
      { weekday: '6' },
    ])
      await term.lesson(id, wrong)
    const said = (await check(id)).map(({ text }) => text.zh)
    expect(said).toEqual([
      '没有第12节',
      '第4节与第5节之间是午休',
      '没有上课的周',
      '第17周超出学期（共16周）',
      '周六不上课',
    ])
    const { code, msg } = await publish(admin, id)
    expect([code, msg]).toEqual([400, expect.stringContaining('没有第12节')])
    const far = await publish(admin, id, 17)
    expect([far.code, far.msg]).toEqual([400, expect.stringContaining('超出学期')])
  })

  it('is refused where it is stored: no plan of another semester, no teacher of another tenant, no week 31', async () => {
    const other = await makeTerm(await world.tenant())
    const id = await term.plan()
    const base = await term.lesson(id)
    const edit = (more: Record<string, unknown>) =>
      admin.post('blade-user/classschedule/submit', { id: base.id, version: base.version, ...more })
    for (const wrong of [
      { teacherId: other.teachers[0] },
      { classroomId: other.rooms[0] },
      { planId: await other.plan() },
      { periodNo: 0 },
      { span: 5 },
      { weekday: '8' },
      { weekType: '3', weeks: ['x'] },
    ])
      expect([wrong, (await edit(wrong)).code]).toEqual([wrong, 400])
    for (const query of ['fromWeek=0', 'fromWeek=31', 'fromWeek=x'])
      expect((await admin.post(`blade-user/timetableplan/publish?id=${id}&${query}`)).code).toBe(400)
    for (const query of ['seconds=0', 'seconds=301', 'seed=-1'])
      expect((await admin.post(`blade-user/timetableplan/generate?id=${id}&${query}`)).code).toBe(400)
    // The other tenant's plan is not there.
    expect((await publish(admin, await other.plan())).status).toBe(404)
  })
})

describe('ISSUE-15-1 the calendar', () => {
  beforeAll(fresh, 60_000)

  it('says what a day is: its week, its kind, whose timetable it has, and the bell times', async () => {
    const bell = { schoolId: term.schoolId, season: '0', kind: '1', campusId: null, gradeIds: [] }
    await term.add('schoolperiod', { ...bell, periodNo: 1, periodName: '第1节', beginTime: '8点', endTime: '8：40' })
    await term.add('schoolperiod', {
      ...bell,
      periodNo: 1,
      periodName: '第1节',
      season: '2',
      beginTime: '0830',
      endTime: '09:10',
    })
    // One schedule has each period and each minute once; the same time stands for another season or campus.
    const again = (more: Record<string, unknown>) =>
      admin.post<Row>('blade-user/schoolperiod/submit', {
        ...{ ...bell, periodNo: 2, periodName: '第2节', beginTime: '08:50', endTime: '09:30' },
        ...more,
      })
    expect((await again({ beginTime: '08:39', endTime: '09:00' })).msg).toContain('与“第1节”的时间重叠')
    expect((await again({ periodNo: 1 })).msg).toContain('与“第1节”相同')
    const summer = await again({ season: '1', beginTime: '08:00' })
    expect((await admin.remove('blade-user/schoolperiod', summer.data.id)).code).toBe(200)
    const day = async (date: string) =>
      (await admin.get<Record<string, unknown>>('blade-user/schoolcalendarday/day', { schoolId: term.schoolId, date }))
        .data
    const monday = dayIn(term, 3, 1)
    const october = dayIn(term, 8, 2)
    expect(await day(monday)).toMatchObject({
      ...{ week: 3, dayType: '1', weekday: 1, semesterId: term.semesterId },
      periods: [{ periodNo: 1, beginTime: monday.slice(5) > '09-30' ? '08:30' : '08:00' }],
    })
    expect(await day(dayIn(term, 3, 6))).toMatchObject({ week: 3, dayType: '2', weekday: null })
    await term.add('schoolcalendarday', { schoolId: term.schoolId, day: october, dayType: '2', dayName: '校庆' })
    expect(await day(october)).toMatchObject({ dayType: '2', name: '校庆', weekday: null })
    const saturday = dayIn(term, 8, 6)
    await term.add('schoolcalendarday', {
      schoolId: term.schoolId,
      day: saturday,
      dayType: '3',
      useWeekday: '2',
      dayName: '补课',
    })
    expect(await day(saturday)).toMatchObject({ dayType: '3', weekday: 2, week: 8 })
    // Whoever works there is told what a day is, and nobody else without a right to the school.
    const teacher = await world.colleague(admin, ['classschedule_view'])
    const asked = () =>
      teacher.get<{ name: string }>('blade-user/schoolcalendarday/day', { schoolId: term.schoolId, date: october })
    expect((await asked()).status).toBe(404)
    const headed = await admin.post('blade-user/schoolclass/submit', {
      id: term.classes[0],
      headTeacherId: teacher.userId,
    })
    expect(headed.msg).toBe('操作成功')
    expect((await asked()).data).toMatchObject({ name: '校庆', dayType: '2' })
    const wrong = await admin.post('blade-user/schoolcalendarday/submit', {
      ...{ schoolId: term.schoolId, day: dayIn(term, 9, 6), dayType: '3', useWeekday: '6' },
    })
    expect([wrong.code, wrong.msg]).toEqual([400, expect.stringContaining('被调换的一天')])
    expect(
      (
        await admin.post('blade-user/schoolperiod/submit', {
          ...bell,
          periodNo: 2,
          periodName: '第2节',
          beginTime: '9:00',
          endTime: '8:00',
        })
      ).code,
    ).toBe(400)
  })

  it('R-SCHOOL-6 a make-up day takes the lessons of another weekday, and books nobody twice', async () => {
    const id = await term.plan()
    await term.lesson(id, { weekday: '2' })
    expect((await publish(admin, id)).code).toBe(200)
    const { rows } = await world.owner.query<{ days: number }>(
      `select (select count(*)::int from unnest(o.days) r cross join generate_series(lower(r), upper(r) - 1, interval '1 day')) as days
       from scheduleoccupancy o where o.tenant_id = $1 and o.resource_type = 'T'`,
      [admin.tenantId],
    )
    // Its sixteen Tuesdays (the first may lie before the term begins), and the Saturday that makes up for one.
    expect([16, 17]).toContain(rows[0]!.days)
    const own = await world.owner.query<{ has: boolean }>(
      `select bool_or(days @> $2::date) as has from scheduleoccupancy where tenant_id = $1`,
      [admin.tenantId, dayIn(term, 8, 6)],
    )
    expect(own.rows[0]!.has).toBe(true)
  })

  it('puts in what has been announced, once, and leaves what the school has said', async () => {
    const year = {
      yearName: '2026-2027学年',
      startYear: 2026,
      beginDate: '2026-09-01',
      endDate: '2027-07-15',
      isCurrent: 0,
    }
    const made = await term.add('schoolyear', { schoolId: term.schoolId, ...year })
    await admin.post('blade-user/schoolcalendarday/submit', {
      schoolId: term.schoolId,
      day: '2026-10-01',
      dayType: '5',
    })
    const put = () =>
      admin.post<{ made: number; kept: number }>(`blade-user/schoolcalendarday/prefill?yearId=${made.id}`)
    const first = await put()
    expect(first.data).toMatchObject({ made: 11, kept: 1, knownUntil: '2026-12-31' })
    expect((await put()).data).toMatchObject({ made: 0, kept: 12 })
    const days = await admin.get<{ days: Record<string, unknown>[] }>('blade-user/schoolcalendarday/year', {
      yearId: made.id,
    })
    expect(days.data.days).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ day: '2026-10-01', dayType: '5' }),
        expect.objectContaining({ day: '2026-10-10', dayType: '3', useWeekday: 3 }),
        expect.objectContaining({ day: '2026-09-20', dayType: '3', useWeekday: 2 }),
      ]),
    )
  })
})

describe('ISSUE-15-4 the generator', () => {
  beforeAll(fresh, 60_000)

  it('places what assignments promise, keeps what is locked, and is published without a conflict', async () => {
    const id = await term.plan()
    const locked = await term.lesson(id, { weekday: '3', periodNo: 4, isLocked: 1 })
    const loose = await term.lesson(id, { weekday: '3', periodNo: 5 })
    const asked = await admin.post<{ jobId: string }>(`blade-user/timetableplan/generate?id=${id}&seed=3&seconds=1`)
    const job = await jobEnded(admin, asked)
    expect(job.state, JSON.stringify(job.failure)).toBe('done')
    // Two classes with five lessons of their main teacher.
    expect(job.result).toMatchObject({ lessons: 10, missing: 0 })
    const lessons = (
      await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId_equal: id, size: 50 })
    ).data.records
    expect(lessons).toHaveLength(10)
    expect(lessons.map((row) => row.id)).toContain(locked.id)
    expect(lessons.map((row) => row.id)).not.toContain(loose.id)
    expect(await check(id)).toEqual([])
    expect((await publish(admin, id)).code).toBe(200)
    const again = await admin.post(`blade-user/timetableplan/generate?id=${id}`)
    expect([again.code, again.msg]).toEqual([400, expect.stringContaining('已发布')])
  })

  it('puts nothing on a locked lesson that nobody is assigned to', async () => {
    const id = await term.plan()
    const stands: Row[] = []
    for (const periodNo of [1, 2, 3, 4])
      stands.push(
        await term.lesson(id, {
          weekday: '2',
          periodNo,
          teacherId: term.teachers[1],
          classId: term.classes[0],
          isLocked: 1,
        }),
      )
    const asked = await admin.post<{ jobId: string }>(`blade-user/timetableplan/generate?id=${id}&seed=5&seconds=1`)
    expect((await jobEnded(admin, asked)).state).toBe('done')
    const lessons = (
      await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId_equal: id, size: 50 })
    ).data.records
    expect(lessons.map((row) => row.id)).toEqual(expect.arrayContaining(stands.map((row) => row.id)))
    expect((await check(id)).filter(({ kind }) => kind !== 'unassigned')).toEqual([])
  })

  it('repairs a draft: of lessons that stand only those move that have to, the others stay the rows that they are', async () => {
    const id = await term.plan()
    await jobEnded(admin, await admin.post(`blade-user/timetableplan/generate?id=${id}&seed=3&seconds=1`))
    const lessonsThere = async () =>
      (await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId_equal: id, size: 50 })).data
        .records
    const before = await lessonsThere()
    const { weekday, periodNo } = before[0]!
    const teacher = (await admin.get<Row>('blade-user/detail', { id: term.teachers[0] })).data
    await admin.post('blade-user/submit', {
      ...{ id: teacher.id, version: teacher.version },
      unavailableSlots: [{ weekday: Number(weekday), periodNo: Number(periodNo) }],
    })
    const asked = await admin.post<{ jobId: string }>(
      `blade-user/timetableplan/generate?id=${id}&seed=4&seconds=1&keep=1`,
    )
    expect((await jobEnded(admin, asked)).result).toMatchObject({ lessons: 10, missing: 0, moved: 1 })
    const after = await lessonsThere()
    const rest = before.slice(1).map((row) => row.id)
    expect(after).toHaveLength(10)
    expect(after.map((row) => row.id)).toEqual(expect.arrayContaining(rest))
    expect(after.map((row) => row.id)).not.toContain(before[0]!.id)
    expect(await check(id)).toEqual([])
  })

  it('says what stands against a timetable, and the least that helps', async () => {
    const id = await term.plan()
    // Eight periods of five days, of which the teacher has four.
    const busy = [1, 2, 3, 4, 5].flatMap((weekday) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((periodNo) => ({ weekday, periodNo })),
    )
    await admin.post('blade-user/submit', { id: term.teachers[0], unavailableSlots: busy.slice(4) })
    const job = await jobEnded(admin, await admin.post(`blade-user/timetableplan/generate?id=${id}&seconds=1`))
    expect(job.result).toMatchObject({ lessons: 4, missing: 6, enough: true })
    const { obstacles } = job.result as unknown as GeneratedPlan
    expect(obstacles.map(({ text }) => text.zh)).toEqual([
      expect.stringMatching(/^王芳每周10节课，只有4个可排的时段：让出6个时段：周[一二三四五]第\d节.*；或减少6节：/),
    ])
    expect(obstacles[0]?.text.en).toMatch(
      /^王芳: 10 lessons and 4 free periods: give back 6 periods: .*; or take away 6 lessons: /,
    )
    expect(obstacles[0]?.about.map(({ entity, name }) => [entity, name.zh])).toEqual([
      ['user', '王芳'],
      ['schoolclass', '一班'],
      ['schoolclass', '二班'],
    ])
    const told = await admin.get<{ records: { title: string; content?: string; body?: string }[] }>(
      'blade-desk/inbox/list',
    )
    expect(JSON.stringify(told.data)).toContain('王芳每周10节课，只有4个可排的时段：让出6个时段')
  })
})
