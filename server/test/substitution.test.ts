import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  absent,
  answer,
  cover,
  dayOf,
  inboxOf,
  makeStaffed,
  path,
  type Staffed,
  statusOf,
  uncoveredOn,
  weekOf,
} from './substitution-parts.ts'
import { publish } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Who covers whom, what changes places, and what is told of it. Each test has weeks of its own in one term. */

let world: World
let admin: Person
let term: Staffed
let week = 1
let monday: string
let tuesday: string

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeStaffed(world, admin)
}, 60_000)
afterAll(() => world.close())
beforeEach(() => {
  week += 1
  if (week > 15) throw new Error('the term has no more weeks')
  monday = dayOf(term, week)
  tuesday = dayOf(term, week, 2)
})

describe('ISSUE-15-6 a cover', () => {
  it('waits for its substitute, is accepted, and stands in both weeks and the other weeks as they were', async () => {
    const [wang, , zhao] = term.people
    const made = await cover(admin, term.lessons.mon1, monday, term.third)
    expect(made.msg).toBe('操作成功')
    const { id } = made.data[0]!
    expect(made.data[0]).toMatchObject({ kind: '1', status: 0, teacherId: term.teachers[0], newTeacherId: term.third })
    expect(await weekOf(zhao, monday)).toEqual([`${monday} 1 赵敏`])
    expect(await weekOf(wang, monday)).toEqual([`${monday} 3 王芳`, `${tuesday} 1 王芳`])
    // One week on nothing is otherwise.
    expect(await weekOf(wang, dayOf(term, week + 1))).toHaveLength(3)
    const own = await zhao.get<{ id: string; awaitsMe: boolean }[]>(`${path}/own`, { from: monday, to: tuesday })
    expect(own.data).toEqual([expect.objectContaining({ id, awaitsMe: true })])
    expect((await inboxOf(zhao))[0]).toMatchObject({
      title: '调代课待您确认',
      body: `${monday}第1节一班${await subject()}：由赵敏代课。`,
    })
    expect((await answer(zhao, 'accept', id)).msg).toBe('操作成功')
    expect(await statusOf(admin, id)).toBe(1)
    expect((await inboxOf(wang))[0]).toMatchObject({ title: '调代课已确认' })
    const [given] = (
      await zhao.get<{ change: Record<string, unknown> | null; isOwn: boolean }[]>(
        'blade-user/classschedule/getUserClassSchedule',
        { date: monday },
      )
    ).data
    expect(given).toMatchObject({
      isOwn: true,
      change: { id, kind: '1', status: 1, teacherName: '王芳', day: monday, periodNo: 1 },
    })
  })

  const subject = async (): Promise<string> =>
    String((await admin.get<Row>('blade-user/schoolsubject/detail', { id: term.subjectId })).data.subjectName)

  it('that is declined gives the lesson back, and whoever declined is named beside it', async () => {
    const [wang, , zhao] = term.people
    await absent(term, term.teachers[0], monday)
    expect((await uncoveredOn(admin, term, monday)).map(({ scheduleId }) => scheduleId)).toEqual([
      term.lessons.mon1,
      term.lessons.mon3,
    ])
    const { id } = (await cover(admin, term.lessons.mon1, monday, term.third)).data[0]!
    expect((await uncoveredOn(admin, term, monday)).map(({ scheduleId }) => scheduleId)).toEqual([term.lessons.mon3])
    expect((await answer(zhao, 'decline', id)).msg).toBe('操作成功')
    expect(await statusOf(admin, id)).toBe(3)
    expect(await weekOf(zhao, monday)).toEqual([])
    expect(await weekOf(wang, monday)).toHaveLength(3)
    expect((await uncoveredOn(admin, term, monday))[0]).toMatchObject({
      scheduleId: term.lessons.mon1,
      day: monday,
      declinedBy: ['赵敏'],
    })
    expect((await answer(zhao, 'accept', id)).msg).toContain('只有待确认的可以接受')
  })

  it('is accepted and declined by its own substitute, or with the right to decide, and by nobody else', async () => {
    const [wang] = term.people
    const { id } = (await cover(admin, term.lessons.mon1, monday, term.third)).data[0]!
    const stranger = await world.tenant()
    const viewer = await world.colleague(admin, ['substitution_view', 'substitution_add'])
    for (const who of [wang, viewer, stranger])
      for (const verb of ['accept', 'decline'] as const) expect((await answer(who, verb, id)).status).toBe(404)
    expect((await answer(viewer, 'cancel', id)).status).toBe(403)
    expect(await statusOf(admin, id)).toBe(0)
    const denied = await cover(viewer, term.lessons.mon3, monday, term.third, { confirmed: true })
    expect([denied.status, denied.msg]).toEqual([403, expect.stringContaining('substitution_decide')])
    const office = await world.colleague(admin, ['substitution_decide'])
    expect((await answer(office, 'accept', id)).status).toBe(200)
    expect((await answer(office, 'cancel', id)).status).toBe(200)
    expect(await statusOf(admin, id)).toBe(4)
  })

  it('of a whole day is all of it or nothing, and says what stands against it', async () => {
    const both = (teacherId: string) => ({
      covers: [
        { scheduleId: term.lessons.mon1, day: monday, teacherId },
        { scheduleId: term.lessons.mon3, day: monday, teacherId },
      ],
    })
    const li = term.teachers[1]
    // 李强 gives mon2 and is free in periods 1 and 3; another cover of the third period stands against it.
    await cover(admin, term.lessons.mon1, monday, li, { confirmed: true })
    const { data } = await admin.post<Row[]>(`${path}/cover`, both(term.third))
    expect(data.map(({ newTeacherId, status: state }) => [newTeacherId, state])).toEqual([
      [term.third, 0],
      [term.third, 0],
    ])
    // Whoever covered the first lesson before is free again.
    expect(await weekOf(term.people[1], monday)).toEqual([`${monday} 2 李强`, `${tuesday} 1 李强`])
    const taken = await cover(admin, term.lessons.tue1, tuesday, li)
    expect(taken.status).toBe(400)
    expect(taken.msg).toContain(`“李强”${tuesday}第1节已有课：二班`)
    const english = await admin.post(
      `${path}/cover`,
      { covers: [{ scheduleId: term.lessons.tue1, day: tuesday, teacherId: li }] },
      { language: 'en' },
    )
    expect(english.msg).toContain(`“李强” has a lesson already on ${tuesday}, period 1`)
    const half = await admin.post(`${path}/cover`, {
      covers: [
        { scheduleId: term.lessons.mon2, day: monday, teacherId: term.teachers[0] },
        { scheduleId: term.lessons.tue1, day: tuesday, teacherId: li },
      ],
    })
    expect(half.status).toBe(400)
    expect(await weekOf(term.people[1], monday)).toEqual([`${monday} 2 李强`, `${tuesday} 1 李强`])
  })

  it('is refused where there is no such lesson, by its own teacher, and by whoever is away', async () => {
    expect((await cover(admin, term.lessons.mon1, tuesday, term.third)).msg).toContain('没有这节课')
    expect((await cover(admin, term.lessons.mon1, monday, term.teachers[0])).msg).toContain('就是原任课教师')
    await absent(term, term.third, monday, { beginPeriodNo: 3 })
    expect((await cover(admin, term.lessons.mon3, monday, term.third)).msg).toContain('此时缺勤')
    expect((await cover(admin, term.lessons.mon1, monday, term.third)).msg).toBe('操作成功')
  })

  it('R-PROD-2 is of nobody in another tenant', async () => {
    const stranger = await world.tenant()
    const { id } = (await cover(admin, term.lessons.mon1, monday, term.third)).data[0]!
    expect((await cover(stranger, term.lessons.mon3, monday, term.third)).status).toBe(404)
    for (const call of ['uncovered', 'counts'])
      expect(
        (await stranger.get(`${path}/${call}`, { schoolId: term.schoolId, from: monday, to: monday })).status,
      ).toBe(404)
    expect((await stranger.get(`${path}/candidates`, { scheduleId: term.lessons.mon1, day: monday })).status).toBe(404)
    expect((await answer(stranger, 'cancel', id)).status).toBe(404)
    expect(await statusOf(admin, id)).toBe(0)
  })
})

describe('ISSUE-15-6 candidates', () => {
  it('come with figures and reasons: who is free, of the subject and known to the class before the others, who cannot last', async () => {
    const ask = async () =>
      (
        await admin.get<
          {
            teacherName: string
            isFree: boolean
            knowsClass: boolean
            covers: number
            reasons: { zh: string; en: string }[]
          }[]
        >(`${path}/candidates`, { scheduleId: term.lessons.tue1, day: tuesday })
      ).data
    const found = await ask()
    // 王芳 gives the lesson herself, and is none.
    expect(found.map(({ teacherName }) => teacherName)).toEqual(['赵敏', '李强'])
    expect(found[0]).toMatchObject({ isFree: true, sameSubject: true, knowsClass: false })
    expect(found[1]).toMatchObject({ isFree: false, sameSubject: true, knowsClass: true })
    expect(found[1]!.reasons[0]!.zh).toContain('当时有课：二班')
    expect(found[1]!.reasons[0]!.en).toContain('teaching then')
    const before = found[0]!.covers
    await cover(admin, term.lessons.mon1, monday, term.third, { confirmed: true })
    expect((await ask())[0]!.covers).toBe(before + 1)
    await absent(term, term.third, tuesday)
    const away = (await ask()).find(({ teacherName }) => teacherName === '赵敏')!
    expect([away.isFree, away.reasons[0]]).toEqual([false, { zh: '当时缺勤', en: 'absent then' }])
  })
})

describe('ISSUE-15-6 an exchange', () => {
  it('has two lessons change places, and is accepted by each teacher, cancelled as one', async () => {
    const [wang, li] = term.people
    const pair = {
      first: { scheduleId: term.lessons.mon1, day: monday },
      second: { scheduleId: term.lessons.mon2, day: monday },
    }
    const made = await admin.post<Row[]>(`${path}/swap`, { pairs: [pair] })
    expect(made.msg).toBe('操作成功')
    const [one, two] = made.data
    expect([one!.newPeriodNo, two!.newPeriodNo, two!.pairId]).toEqual([2, 1, one!.id])
    expect(await weekOf(wang, monday)).toEqual([`${monday} 2 王芳`, `${monday} 3 王芳`, `${tuesday} 1 王芳`])
    expect(await weekOf(li, monday)).toEqual([`${monday} 1 李强`, `${tuesday} 1 李强`])
    expect((await answer(wang, 'accept', two!.id)).status).toBe(404)
    expect((await answer(wang, 'accept', one!.id)).status).toBe(200)
    expect((await answer(li, 'decline', two!.id)).status).toBe(200)
    // Half of it is nothing.
    expect([await statusOf(admin, one!.id), await statusOf(admin, two!.id)]).toEqual([3, 3])
    expect(await weekOf(li, monday)).toEqual([`${monday} 2 李强`, `${tuesday} 1 李强`])
  })

  it('of several pairs is one step, over days too, and is refused in words where something is in the way', async () => {
    const friday = dayOf(term, week, 5)
    const pairs = [
      {
        first: { scheduleId: term.lessons.mon1, day: monday },
        second: { scheduleId: term.lessons.tue1, day: tuesday },
      },
      {
        first: { scheduleId: term.lessons.mon3, day: monday },
        second: { scheduleId: term.lessons.tue2, day: tuesday },
      },
    ]
    const refused = await admin.post(`${path}/swap`, { pairs })
    // mon1 and mon3 of 王芳 cannot both be hers on Tuesday in the first period.
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining(`“王芳”${tuesday}第1节已有课`)])
    const other = [
      {
        first: { scheduleId: term.lessons.mon2, day: monday },
        second: { scheduleId: term.lessons.tue1, day: tuesday },
      },
    ]
    expect((await admin.post(`${path}/swap`, { pairs: other })).msg).toContain(`“李强”${tuesday}第1节已有课`)
    const away = await admin.post<Row>(`${path}/submit`, {
      ...{
        schoolId: term.schoolId,
        scheduleId: term.lessons.tue2,
        day: tuesday,
        kind: '2',
        newDay: friday,
        newPeriodNo: 4,
      },
    })
    expect(away.msg).toBe('操作成功')
    expect((await admin.post(`${path}/swap`, { pairs: other })).msg).toBe('操作成功')
    expect(await weekOf(term.people[1], monday)).toEqual([`${tuesday} 1 李强`, `${friday} 4 李强`])
    // What has changed places does not do so again before that is cancelled.
    expect((await admin.post(`${path}/swap`, { pairs: other })).msg).toContain('已有调代课')
  })

  it('is taken back whole, though each of its lessons needs the place of the other; and nobody moves to where they are away', async () => {
    const other = await world.tenant()
    const own = await makeStaffed(world, other)
    const [day, next] = [dayOf(own, week), dayOf(own, week, 2)]
    const pairs = [{ first: { scheduleId: own.lessons.mon1, day }, second: { scheduleId: own.lessons.mon2, day } }]
    const made = await other.post<Row[]>(`${path}/swap`, { pairs, confirmed: true })
    expect(made.msg).toBe('操作成功')
    expect(await weekOf(own.people[1], day)).toContain(`${day} 1 李强`)
    const undone = await other.post(`blade-log/history/undo?requestId=${made.headers['x-request-id']}`)
    expect(undone.msg).toBe('操作成功')
    expect(await weekOf(own.people[1], day)).toContain(`${day} 2 李强`)
    expect((await other.get<{ total: number }>(`${path}/list`, { size: 10 })).data.total).toBe(0)
    await absent(own, own.teachers[0]!, next)
    const moved = { schoolId: own.schoolId, scheduleId: own.lessons.mon1, day, kind: '2', newDay: next, newPeriodNo: 5 }
    const refused = await other.post(`${path}/submit`, moved)
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('原任课教师此时缺勤')])
    expect((await other.post(`${path}/submit`, { ...moved, newPeriodNo: 5, newDay: dayOf(own, week, 3) })).msg).toBe(
      '操作成功',
    )
  })

  it('finds its place on a playground that is full only until both have moved', async () => {
    const other = await world.tenant()
    const own = await makeStaffed(world, other)
    const planId = await own.plan()
    const field = { periodNo: 1, classroomId: own.playground }
    const lesson = async (weekday: string, at: 0 | 1): Promise<string> =>
      (await own.lesson(planId, { ...field, weekday, classId: own.classes[at], teacherId: own.teachers[at] })).id
    const [wednesday, , thursday] = [await lesson('3', 0), await lesson('3', 1), await lesson('4', 0)]
    expect((await publish(other, planId)).msg).toBe('操作成功')
    const [third, fourth] = [dayOf(own, 4, 3), dayOf(own, 4, 4)]
    const pair = {
      first: { scheduleId: thursday, day: fourth },
      second: { scheduleId: wednesday, day: third },
    }
    expect((await other.post(`${path}/swap`, { pairs: [pair] })).msg).toBe('操作成功')
    expect(await weekOf(own.people[0], third)).toEqual([`${third} 1 王芳`, `${fourth} 1 王芳`])
  })
})
