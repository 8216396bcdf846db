import { addDays } from '@data-brain/contract/rules/school-year'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finishPast } from '../src/modules/substitution/index.ts'
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
  weekOf,
} from './substitution-parts.ts'
import { publish } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Who sees a substitution, what an examination takes out, what counts, and what a new timetable leaves. Each test has a week of its own. */

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

describe('ISSUE-15-6 what a class sees', () => {
  it('is the new teacher, room and time at once, for whoever heads it and for its pupils', async () => {
    const { version } = (await admin.get<Row>('blade-user/schoolclass/detail', { id: term.classes[0] })).data
    const head = await world.colleague(admin, [])
    const heads = await admin.post('blade-user/schoolclass/submit', {
      ...{ id: term.classes[0], version, headTeacherId: head.userId },
    })
    expect(heads.msg).toBe('操作成功')
    const pupil = await world.colleague(admin, [])
    const child = await term.add('student', { schoolId: term.schoolId, classId: term.classes[0] })
    await world.owner.query('update student set user_id = $1 where id = $2', [pupil.userId, child.id])
    const covers = [
      { scheduleId: term.lessons.mon1, day: monday, teacherId: term.third, classroomId: term.rooms[1] },
      { scheduleId: term.lessons.mon2, day: monday, teacherId: term.teachers[0] },
    ]
    expect((await admin.post(`${path}/cover`, { covers, confirmed: true })).msg).toBe('操作成功')
    const submit = { schoolId: term.schoolId, scheduleId: term.lessons.tue1, day: tuesday, kind: '2' }
    const moved = { ...submit, newDay: tuesday, newPeriodNo: 6 }
    expect((await admin.post(`${path}/submit`, moved)).msg).toBe('操作成功')
    const wanted = [`${monday} 1 赵敏`, `${monday} 2 王芳`, `${tuesday} 6 王芳`]
    expect(await weekOf(head, monday, 'class')).toEqual(wanted)
    expect(await weekOf(pupil, monday, 'pupil')).toEqual(wanted)
    const shown = await pupil.get<{ classroomName: string | null }[]>('blade-user/classschedule/getUserClassSchedule', {
      ...{ date: monday, as: 'pupil' },
    })
    expect(shown.data[0]).toMatchObject({
      classroomName: '102',
      isOwn: false,
      change: { kind: '1', teacherName: '王芳' },
    })
    // The head of the class is told besides the teachers.
    expect((await inboxOf(head)).map(({ title }) => title)).toContain('调代课通知')
    // As it repeats, the timetable is what it was.
    const repeated = await head.get<{ teacherName: string }[]>('blade-user/classschedule/getUserClassSchedule', {
      ...{ semesterId: term.semesterId, as: 'class' },
    })
    expect(repeated.data.map(({ teacherName }) => teacherName)).toEqual(['王芳', '李强', '王芳'])
    const third = await term.people[2].get<unknown[]>('blade-user/classschedule/getUserClassSchedule', {
      semesterId: term.semesterId,
    })
    expect(third.data).toEqual([])
  })
})

describe('ISSUE-15-6 whoever works with some classes only', () => {
  it('covers, sees, counts and decides of their lessons, and of no others', async () => {
    const clerk = await world.colleague(admin, [
      'substitution_view',
      'substitution_add',
      'substitution_decide',
      'classschedule_view',
      'user_view',
    ])
    const menu = (await world.menuIds(['classschedule']))[0]
    await world.owner.query(
      `insert into data_scope (tenant_id, id, menu_id, scope_name, resource_code, scope_class, scope_type, scope_value)
       values ($1, 991, $2, '一班的课', 'class-one', 'classschedule', '5', $3)`,
      [admin.tenantId, menu, JSON.stringify({ any: [{ field: 'classId', op: 'in', value: [term.classes[0]] }] })],
    )
    await world.owner.query(
      `insert into role_data_scope (tenant_id, role_id, scope_id)
       select tenant_id, target_id, 991 from app_user_role where tenant_id = $1 and owner_id = $2`,
      [admin.tenantId, clerk.userId],
    )
    await absent(term, term.teachers[0], monday)
    const seen = await clerk.get<{ scheduleId: string }[]>(`${path}/uncovered`, {
      ...{ schoolId: term.schoolId, from: monday, to: monday },
    })
    expect(seen.data.map(({ scheduleId }) => scheduleId)).toEqual([term.lessons.mon1])
    const foreign = (await cover(admin, term.lessons.mon3, monday, term.third, { confirmed: true })).data[0]!
    expect((await cover(clerk, term.lessons.tue2, tuesday, term.third)).status).toBe(404)
    expect((await clerk.get(`${path}/candidates`, { scheduleId: term.lessons.mon3, day: monday })).status).toBe(404)
    expect((await answer(clerk, 'cancel', foreign.id)).status).toBe(404)
    const all = { schoolId: term.schoolId, from: monday, to: monday }
    expect((await clerk.post(`${path}/suspend`, all)).status).toBe(404)
    expect((await clerk.get<unknown[]>(`${path}/counts`, all)).data).toEqual([])
    // That the substitute gives another lesson then is told, not which.
    const busy = { scheduleId: term.lessons.mon1, day: monday, kind: '2', newDay: monday, newPeriodNo: 3 }
    const told = await clerk.post(`${path}/submit`, { ...busy, schoolId: term.schoolId, newTeacherId: term.third })
    expect(told.status).toBe(400)
    expect(told.msg).toContain('第3节已有课')
    expect(told.msg).not.toContain('二班')
    expect((await cover(clerk, term.lessons.mon1, monday, term.third)).msg).toBe('操作成功')
    expect((await clerk.get<{ total: number }>(`${path}/list`, { day: monday })).data.total).toBe(1)
  })
})

describe('ISSUE-15-6 moves, rooms and lessons that fall out', () => {
  const submit = (more: Record<string, unknown>) =>
    admin.post<Row>(`${path}/submit`, { schoolId: term.schoolId, scheduleId: term.lessons.mon1, day: monday, ...more })

  it('are put in by the form, each as its kind is made of, and a lesson is never moved onto itself', async () => {
    expect((await submit({ kind: '2' })).status).toBe(400)
    expect((await submit({ kind: '4' })).status).toBe(400)
    expect((await submit({ kind: '2', newDay: dayOf(term, week, 7), newPeriodNo: 1 })).msg).toContain(
      '不是本学期的上课日',
    )
    expect((await submit({ kind: '2', newDay: monday, newPeriodNo: 1 })).msg).toContain('与原来相同')
    // Its own lesson of the next week is there.
    const onto = await submit({ kind: '2', newDay: dayOf(term, week + 1), newPeriodNo: 1 })
    expect([onto.status, onto.msg]).toEqual([
      400,
      expect.stringContaining(`“王芳”${dayOf(term, week + 1)}第1节已有课：一班`),
    ])
    const room = await submit({ kind: '4', newClassroomId: term.rooms[1] })
    expect(room.data).toMatchObject({ kind: '4', status: 1 })
    expect((await submit({ kind: '3' })).msg).toBe('操作成功')
    expect((await submit({ kind: '3' })).msg).toContain('已有调代课')
    expect((await admin.post(`${path}/submit`, { id: room.data.id, version: 1, status: 4 })).status).toBe(400)
    expect((await admin.post(`${path}/submit`, { id: room.data.id, version: 1, day: tuesday })).msg).toContain(
      '不能修改',
    )
  })

  it('an examination takes out what it names alone, and the cover below it is there again when it is cancelled', async () => {
    const [wang, li, zhao] = term.people
    const { id } = (await cover(admin, term.lessons.mon1, monday, term.third, { confirmed: true })).data[0]!
    const exam = await admin.post<{ lessons: number; ids: string[] }>(`${path}/suspend`, {
      ...{
        schoolId: term.schoolId,
        from: monday,
        to: monday,
        classIds: [term.classes[0]],
        periods: [1],
        reason: '月考',
      },
    })
    expect([exam.msg, exam.data?.lessons]).toEqual(['操作成功', 1])
    expect(await weekOf(zhao, monday)).toEqual([])
    expect(await weekOf(li, monday)).toEqual([`${monday} 2 李强`, `${tuesday} 1 李强`])
    expect(await weekOf(wang, monday)).toEqual([`${monday} 3 王芳`, `${tuesday} 1 王芳`])
    expect(await statusOf(admin, id)).toBe(1)
    // Meanwhile the substitute is free for another lesson, and then the cover cannot come back.
    const moved = await submit({
      scheduleId: term.lessons.mon3,
      kind: '2',
      newTeacherId: term.third,
      newDay: monday,
      newPeriodNo: 1,
    })
    expect(moved.msg).toBe('操作成功')
    const refused = await answer(admin, 'cancel', ...exam.data.ids)
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining(`“赵敏”${monday}第1节已有课`)])
    expect((await answer(admin, 'cancel', moved.data.id)).status).toBe(200)
    expect((await answer(admin, 'cancel', ...exam.data.ids)).status).toBe(200)
    expect(await weekOf(zhao, monday)).toEqual([`${monday} 1 赵敏`])
  })

  it('on an examination day of the calendar nobody has lessons, and covers are there again without it', async () => {
    const [wang, , zhao] = term.people
    await cover(admin, term.lessons.mon1, monday, term.third, { confirmed: true })
    const day = await term.add('schoolcalendarday', {
      schoolId: term.schoolId,
      day: monday,
      dayType: '4',
      useWeekday: null,
    })
    expect(await weekOf(zhao, monday)).toEqual([])
    expect(await weekOf(wang, monday)).toEqual([`${tuesday} 1 王芳`])
    expect((await cover(admin, term.lessons.mon3, monday, term.third)).msg).toContain('没有这节课')
    expect((await admin.remove('blade-user/schoolcalendarday', day.id)).status).toBe(200)
    expect(await weekOf(zhao, monday)).toEqual([`${monday} 1 赵敏`])
  })
})

describe('ISSUE-15-6 what has been covered', () => {
  it('is counted by periods: given, given away, and for pay; not what waits or was cancelled', async () => {
    const counts = async () =>
      (
        await admin.get<{ teacherName: string; covered: number; givenAway: number; extra: number }[]>(
          `${path}/counts`,
          {
            ...{ schoolId: term.schoolId, from: monday, to: tuesday },
          },
        )
      ).data.map(({ teacherName, covered, givenAway, extra }) => [teacherName, covered, givenAway, extra])
    expect(await counts()).toEqual([])
    const waiting = (await cover(admin, term.lessons.mon1, monday, term.third)).data[0]!
    expect(await counts()).toEqual([])
    await answer(term.people[2], 'accept', waiting.id)
    await cover(admin, term.lessons.mon3, monday, term.third, { confirmed: true, countsAsExtra: 0 })
    expect(await counts()).toEqual([
      ['赵敏', 2, 0, 1],
      ['王芳', 0, 2, 0],
    ])
    await answer(admin, 'cancel', waiting.id)
    expect(await counts()).toEqual([
      ['赵敏', 1, 0, 0],
      ['王芳', 0, 1, 0],
    ])
  })
})

describe('ISSUE-15-6 what is past', () => {
  it('is done in the night, if it was confirmed, and is counted and not removed', async () => {
    const [sure, open] = [
      (await cover(admin, term.lessons.mon1, monday, term.third, { confirmed: true })).data[0]!,
      (await cover(admin, term.lessons.tue1, tuesday, term.third)).data[0]!,
    ]
    await finishPast(world.services, admin.tenantId, monday)
    expect(await statusOf(admin, sure.id)).toBe(1)
    await finishPast(world.services, admin.tenantId, addDays(tuesday, 1))
    expect([await statusOf(admin, sure.id), await statusOf(admin, open.id)]).toEqual([2, 0])
    expect((await admin.remove(path, sure.id)).msg).toContain('不能删除')
    expect(await weekOf(term.people[2], monday)).toEqual([`${monday} 1 赵敏`, `${tuesday} 1 赵敏`])
    // One that is wrong is removed as if it had never been, and the lesson is as it was.
    expect((await admin.remove(path, open.id)).status).toBe(200)
    expect(await weekOf(term.people[2], monday)).toEqual([`${monday} 1 赵敏`])
  })
})

describe('ISSUE-15-6 the undo', () => {
  it('takes back a cover that was arranged, and one that took the place of another is the other again', async () => {
    const [, li, zhao] = term.people
    const lessonsOfMonday = async (who: Person): Promise<string[]> =>
      (await weekOf(who, monday)).filter((each) => each.startsWith(monday))
    await cover(admin, term.lessons.mon1, monday, term.third, { confirmed: true })
    const { headers } = await cover(admin, term.lessons.mon1, monday, term.teachers[1], { confirmed: true })
    expect(await lessonsOfMonday(li)).toHaveLength(2)
    expect(await lessonsOfMonday(zhao)).toEqual([])
    const undone = await admin.post(`blade-log/history/undo?requestId=${headers['x-request-id']}`)
    expect(undone.msg).toBe('操作成功')
    expect(await lessonsOfMonday(li)).toEqual([`${monday} 2 李强`])
    expect(await lessonsOfMonday(zhao)).toEqual([`${monday} 1 赵敏`])
  })
})

describe('ISSUE-15-6 a timetable that is published in mid-term', () => {
  it('takes covers along to the lessons that take the place of theirs, and cancels in words what has none', async () => {
    const other = await world.tenant()
    const own = await makeStaffed(world, other)
    const [day, next] = [dayOf(own, 8), dayOf(own, 8, 2)]
    const kept = (await cover(other, own.lessons.mon1, day, own.third, { confirmed: true })).data[0]!
    const lost = (await cover(other, own.lessons.tue1, next, own.third, { confirmed: true })).data[0]!
    const earlier = (await cover(other, own.lessons.mon1, dayOf(own, 3), own.third, { confirmed: true })).data[0]!
    const copy = (await other.post<Row>(`blade-user/timetableplan/copy?id=${own.planId}`)).data.id
    const drafts = (await other.get<{ records: Row[] }>('blade-user/classschedule/list', { planId: copy, size: 50 }))
      .data.records
    const tue1 = drafts.find((each) => each.weekday === '2' && each.classId === own.classes[0])!
    expect(
      (await other.post('blade-user/classschedule/submit', { id: tue1.id, version: tue1.version, periodNo: 5 })).msg,
    ).toBe('操作成功')
    expect((await publish(other, copy, 6)).msg).toBe('操作成功')
    const rowOf = async (id: string) => (await other.get<Row>(`${path}/detail`, { id })).data
    const mon1 = drafts.find((each) => each.weekday === '1' && each.periodNo === 1)!
    expect(await rowOf(kept.id)).toMatchObject({ status: 1, scheduleId: mon1.id })
    expect(await rowOf(earlier.id)).toMatchObject({ status: 1, scheduleId: own.lessons.mon1 })
    expect(await rowOf(lost.id)).toMatchObject({ status: 4 })
    expect(await weekOf(own.people[2], day)).toEqual([`${day} 1 赵敏`])
    expect(await weekOf(own.people[2], dayOf(own, 3))).toEqual([`${dayOf(own, 3)} 1 赵敏`])
    expect((await inboxOf(own.people[2]))[0]).toMatchObject({ title: '调代课已取消' })
  })
})
