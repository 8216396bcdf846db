import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { flowTimers } from '../src/modules/flow/index.ts'
import { history, list } from './flow-parts.ts'
import { decide, file, hire, type LeaveSchool, leavePath, makeLeaveSchool, wholeDays } from './leave-parts.ts'
import { dayOf, inboxOf } from './substitution-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let school: LeaveSchool
beforeEach(async () => {
  world ??= await makeWorld()
  admin = await world.tenant()
  school = await makeLeaveSchool(world, admin)
}, 120_000)
afterAll(() => world.close())

const title = '王小明 事假 1天'
const tick = () => flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })

/** The pupil asks for a day, or for more. */
async function filed(until = 1): Promise<string> {
  const times = wholeDays(dayOf(school, 4), dayOf(school, 4, until))
  const answer = await file(school.pupilSelf, school, { applicantType: '1', ...times })
  expect(answer.code, answer.msg).toBe(200)
  return answer.data.processInstanceId
}

/** Somebody is on approved leave from an hour ago, for so many hours more. */
async function isAway(who: Person, hours: number): Promise<void> {
  const draft = await admin.post<Row>(`${leavePath}/submit`, {
    ...{ schoolId: school.schoolId, applicantType: '2', userId: who.userId, leaveType: '2', reason: '发烧需要休息' },
    ...wholeDays(dayOf(school, 9)),
  })
  expect(draft.code, draft.msg).toBe(200)
  await world.owner.query(
    "update leave set status = 2, start_time = now() - interval '1 hour', end_time = now() + make_interval(hours => $2) where id = $1",
    [draft.data.id, hours],
  )
}

/** The leave of somebody ends so long after now. */
const endsLeave = (who: Person, after: string) =>
  world.owner.query(
    "update leave set start_time = now() - interval '5 days', end_time = now() + $2::interval where user_id = $1 and status = 2",
    [who.userId, after],
  )

/** A deputy of the first class. */
async function deputy(): Promise<Person> {
  const { deptId } = (await admin.get<Row>('blade-user/school/detail', { id: school.schoolId })).data
  const person = await hire(world, admin, '副班主任', { deptId })
  const saved = await admin.post('blade-user/schoolclass/submit', {
    id: school.classes[0],
    deputyTeacherIds: person.userId,
  })
  expect(saved.code, saved.msg).toBe(200)
  return person
}

const has = async (who: Person, name: 'todo' | 'claim' = 'todo') => (await list(who, name)).length > 0
const lines = async (instance: string) =>
  (await history(school.pupilSelf, instance))
    .filter(({ taskId }) => taskId)
    .map(({ assigneeName, outcome }) => [assigneeName, outcome])
const told = async (who: Person, text: string) =>
  (await inboxOf(who)).filter((message) => message.title === text).length

describe('R-FLOW-4 somebody on leave', () => {
  it('who heads a class has deputies: one of them decides, once, and the history says why', async () => {
    const second = await deputy()
    const instance = await filed()
    await tick()
    expect(await has(school.head)).toBe(true)
    await isAway(school.head, 8)
    await Promise.all([tick(), tick()])
    expect(await has(school.head)).toBe(false)
    expect(await told(second, `请代办：${title}`)).toBe(1)
    expect((await decide(second, instance)).code).toBe(200)
    expect(await lines(instance)).toEqual([
      ['班主任甲', 'away'],
      ['副班主任', 'ok'],
    ])
  })

  it('where nobody stands in, the task stays, and whoever manages is told once, of a long leave alone', async () => {
    const instance = await filed()
    await isAway(school.head, 8)
    await tick()
    expect(await told(admin, `没有审批人：${title}`)).toBe(0)
    const other = await file(admin, school, { studentId: school.other, ...wholeDays(dayOf(school, 5)) })
    expect(other.code, other.msg).toBe(200)
    await isAway(school.otherHead, 48)
    await tick()
    await tick()
    expect(await told(admin, '没有审批人：李小红 事假 1天')).toBe(1)
    expect(await has(school.otherHead)).toBe(true)
    const unattended = async () =>
      (await admin.get<{ records: Row[] }>('blade-flow/follow/list', { lacksApprover: 1 })).data.records.map(
        ({ id }) => id,
      )
    expect(await unattended()).toEqual([other.data.processInstanceId])
    // Back from it, the head decides again; away once more, nobody does.
    await endsLeave(school.otherHead, '-1 hour')
    await tick()
    expect(await unattended()).toEqual([])
    await endsLeave(school.otherHead, '2 days')
    await tick()
    expect(await unattended()).toEqual([other.data.processInstanceId])
    const [task] = await list(school.otherHead, 'todo')
    const given = { taskId: task!.taskId, userId: school.dean.userId }
    expect((await school.otherHead.post('blade-flow/work/transfer', given)).code).toBe(200)
    expect(await unattended()).toEqual([])
    expect((await decide(school.head, instance)).code).toBe(200)
  })
})

describe('R-FLOW-4 an account that is disabled', () => {
  const disable = async (who: Person) => {
    const answer = await admin.post('blade-user/submit', { id: who.userId, status: 0 })
    expect(answer.code, answer.msg).toBe(200)
  }

  it('hands over with that what waited: to a deputy, else to whoever manages', async () => {
    const second = await deputy()
    const instance = await filed(2)
    await disable(school.head)
    expect(await told(second, `请代办：王小明 事假 2天`)).toBe(1)
    expect((await decide(second, instance)).code).toBe(200)
    // Of the head of the grade there is no deputy.
    expect(await has(school.gradeHead)).toBe(true)
    await disable(school.gradeHead)
    expect((await decide(admin, instance)).code).toBe(200)
    const [first, deputed, gone, last] = await lines(instance)
    expect([first, deputed, gone]).toEqual([
      ['班主任甲', 'left'],
      ['副班主任', 'ok'],
      ['年级主任', 'left'],
    ])
    expect(last?.[1]).toBe('ok')
  })

  it('leaves what waits for others where it is, and a change of something else hands nothing over', async () => {
    await deputy()
    const instance = await filed()
    await disable(school.dean)
    await admin.post('blade-user/submit', { id: school.head.userId, realName: '班主任丙' })
    expect(await has(school.head)).toBe(true)
    expect(await lines(instance)).toEqual([['班主任丙', null]])
  })
})
