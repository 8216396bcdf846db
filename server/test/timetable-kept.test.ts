import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayIn, makeTerm, publish, setWeekNow, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* What a published timetable rests on: the periods that it has lessons in, and the days that are taught as another one. */

let world: World
let admin: Person
let term: Term

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
}, 60_000)
afterAll(() => world.close())

describe('ISSUE-15-1 a make-up day', () => {
  const path = 'blade-user/schoolcalendarday'
  const saturday = () => dayIn(term, 3, 6)

  it('says whose timetable it has, however it is written', async () => {
    const draft = { schoolId: term.schoolId, day: saturday(), dayType: '3' }
    const without = await admin.post(`${path}/submit`, draft)
    expect([without.status, without.msg]).toEqual([400, expect.stringContaining('按星期几上课')])
    const holiday = await admin.post<Row>(`${path}/submit`, { ...draft, dayType: '2' })
    expect(holiday.msg).toBe('操作成功')
    const { id, version } = holiday.data
    const made = await admin.post(`${path}/submit`, { id, version, dayType: '3' })
    expect([made.status, made.msg]).toEqual([400, expect.stringContaining('按星期几上课')])
    const given = await admin.post<Row>(`${path}/submit`, { id, version, dayType: '3', useWeekday: '1' })
    expect(given.msg).toBe('操作成功')
    const emptied = await admin.post(`${path}/submit`, { id, version: given.data.version, useWeekday: '' })
    expect([emptied.status, emptied.msg]).toEqual([400, expect.stringContaining('按星期几上课')])
    // The database holds it, whoever writes.
    await expect(
      world.owner.query('update schoolcalendarday set use_weekday = null where id = $1', [id]),
    ).rejects.toThrow('schoolcalendarday_made_up_as')
  })
})

describe('ISSUE-15-1 a period that published lessons stand in', () => {
  const path = 'blade-user/schoolperiod'
  const bell = (no: number, more: Record<string, unknown> = {}) =>
    term.add('schoolperiod', {
      ...{ schoolId: term.schoolId, campusId: null, gradeIds: [], season: '0', kind: '1', periodNo: no },
      ...{ periodName: `第${no}节`, beginTime: `${String(7 + no).padStart(2, '0')}:00` },
      ...{ endTime: `${String(7 + no).padStart(2, '0')}:40`, ...more },
    })

  it('is neither removed nor given another number, and is told how many lessons of which plan; a free one is', async () => {
    const [first, second, third] = [await bell(1), await bell(2), await bell(3)]
    await setWeekNow(world, term, 2)
    const id = await term.plan()
    await term.lesson(id, { periodNo: 1, span: 2 })
    await term.lesson(id, { weekday: '2', periodNo: 2 })
    expect((await publish(admin, id)).msg).toBe('操作成功')
    const name = String((await admin.get<Row>('blade-user/timetableplan/detail', { id })).data.planName)
    const removed = await admin.remove(path, second.id)
    expect([removed.status, removed.msg]).toEqual([400, expect.stringContaining(`课表“${name}”2节`)])
    const moved = await admin.post(`${path}/submit`, { id: first.id, version: first.version, periodNo: 4 })
    expect([moved.status, moved.msg]).toEqual([400, expect.stringContaining(`课表“${name}”1节`)])
    const winter = await admin.post(`${path}/submit`, { id: first.id, version: first.version, season: '2' })
    expect(winter.msg).toContain('第1节有已发布的课')
    const english = await admin.post(`${path}/remove?ids=${second.id}`, undefined, { language: 'en' })
    expect(english.msg).toContain(`2 of the timetable “${name}”`)
    // Its name and times change, and a period without lessons goes.
    const renamed = await admin.post<Row>(`${path}/submit`, { id: first.id, version: first.version, periodName: '一' })
    expect(renamed.msg).toBe('操作成功')
    expect((await admin.remove(path, third.id)).msg).toBe('操作成功')
    // What a grade has of its own goes, as all have that period besides.
    const { gradeId } = (await admin.get<Row>('blade-user/schoolclass/detail', { id: term.classes[0] })).data
    const own = await bell(1, { gradeIds: [gradeId] })
    expect((await admin.remove(path, own.id)).msg).toBe('操作成功')
  })

  it('goes where the term of these lessons is over', async () => {
    const at = await makeTerm(admin)
    const only = await at.add('schoolperiod', {
      ...{ schoolId: at.schoolId, campusId: null, gradeIds: [], season: '0', kind: '1', periodNo: 1 },
      ...{ periodName: '第1节', beginTime: '08:00', endTime: '08:40' },
    })
    const id = await at.plan()
    await at.lesson(id)
    expect((await publish(admin, id)).msg).toBe('操作成功')
    // It is one of years ago.
    expect((await admin.remove(path, only.id)).msg).toBe('操作成功')
  })
})

describe('ISSUE-15-2 what publishing changes', () => {
  it('counts a lesson once that both plans of the term have', async () => {
    const at = await makeTerm(admin)
    const [first, second, third] = [await at.plan(), await at.plan(), await at.plan()]
    for (const id of [first, second]) {
      await at.lesson(id)
      await at.lesson(id, { weekday: '2', span: 2 })
    }
    await at.lesson(third)
    expect((await publish(admin, first)).msg).toBe('操作成功')
    expect((await publish(admin, second, 9)).msg).toBe('操作成功')
    const changes = await admin.get('blade-user/timetableplan/changes', { id: third })
    expect(changes.data).toMatchObject({ added: 0, removed: 1, same: 1, classes: [{ lessons: 1 }] })
  })

  it('says how many weeks of the term have begun: those that whoever publishes may want to leave as they were', async () => {
    const at = await makeTerm(admin)
    const id = await at.plan()
    await at.lesson(id)
    const begun = async (week: number) => {
      await setWeekNow(world, at, week)
      return (await admin.get<{ begunWeeks: number }>('blade-user/timetableplan/changes', { id })).data.begunWeeks
    }
    expect(await begun(3)).toBe(3)
    expect(await begun(1)).toBe(1)
    // Next week it begins.
    expect(await begun(0)).toBe(0)
    expect(await begun(-5)).toBe(0)
    expect(await begun(at.weekCount + 4)).toBe(at.weekCount)
  })
})

describe('ISSUE-15-3 the board', () => {
  it('says of whom there are more lessons than the assignment has, and of whom fewer', async () => {
    const at = await makeTerm(admin)
    const id = await at.plan()
    for (const weekday of ['1', '2', '3']) await at.lesson(id, { weekday, span: 2 })
    const board = async (of: string) =>
      (
        await admin.get<Record<'owed' | 'surplus', { classId: string; hours: number; placed: number }[]>>(
          'blade-user/timetableplan/board',
          { id, by: 'class', of },
        )
      ).data
    const [one, two] = [await board(at.classes[0]), await board(at.classes[1])]
    expect(one.surplus).toMatchObject([{ classId: at.classes[0], teacherName: '王芳', hours: 5, placed: 6 }])
    expect([one.owed, two.surplus]).toEqual([[], []])
    expect(two.owed).toMatchObject([{ hours: 5, placed: 0 }])
  })
})
