import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flowTimers } from '../src/modules/flow/index.ts'
import { detail, history, list } from './flow-parts.ts'
import { decide, file, type LeaveSchool, makeLeaveSchool, shownTo, wholeDays } from './leave-parts.ts'
import { dayOf, inboxOf } from './substitution-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let school: LeaveSchool
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  school = await makeLeaveSchool(world, admin)
}, 120_000)
afterAll(() => world.close())

let week = 2
/** Files a leave of one day in a week that no other test has used. */
async function filed(who = school.pupilSelf): Promise<{ id: string; processInstanceId: string }> {
  week += 1
  const answer = await file(who, school, { applicantType: '1', ...wholeDays(dayOf(school, week)) })
  expect(answer.code, answer.msg).toBe(200)
  return answer.data
}

/** The school’s rule for a day of pupils, for as long as a leave is filed. */
async function fileUnder(rule: Record<string, unknown>): Promise<{ id: string; processInstanceId: string }> {
  const saved = await admin.post<Row>('blade-desk/leaveapprovalrule/submit', {
    ...{ schoolId: school.schoolId, applicantType: '1', minDays: 0, maxDays: 1, step1: '1' },
    ...rule,
  })
  expect(saved.code, saved.msg).toBe(200)
  const made = await filed()
  await admin.remove('blade-desk/leaveapprovalrule', saved.data.id)
  return made
}

const tick = () => flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })

/** Time passes: what an instance waits for is over. */
async function late(instanceId: string): Promise<void> {
  await world.owner.query(
    "update flow_timer set due_time = now() - interval '1 minute' where tenant_id = $1 and instance_id = $2",
    [admin.tenantId, instanceId],
  )
}

const waitsFor = async (who: Person, instanceId: string, name: 'todo' | 'claim' = 'todo') =>
  (await list(who, name)).find((each) => each.processInstanceId === instanceId)
/** The instances that managers find as overdue. */
const overdue = async () =>
  (await admin.get<{ records: Row[] }>('blade-flow/follow/list', { isOverdue: 1, size: 100 })).data.records.map(
    ({ id }) => id,
  )
const told = async (who: Person) => (await inboxOf(who)).map(({ title }) => title)

describe('what a rule promises of a step', () => {
  it('R-FLOW-9 without a limit there is none, and with one the task says by when', async () => {
    const none = await filed()
    expect((await waitsFor(school.head, none.processInstanceId))?.dueTime).toBeNull()
    const { processInstanceId } = await fileUnder({ timeoutHours: 24, onTimeout: '1' })
    const task = (await waitsFor(school.head, processInstanceId))!
    const hours = (Date.parse(`${task.dueTime}+08:00`.replace(' ', 'T')) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
  })

  it('R-FLOW-9 whoever decides is reminded when it is over, and keeps the task', async () => {
    const { processInstanceId } = await fileUnder({ timeoutHours: 4, onTimeout: '1' })
    await tick()
    expect(await told(school.head)).not.toContain('已超时：王小明 事假 1天')
    await late(processInstanceId)
    await tick()
    expect(await told(school.head)).toContain('已超时：王小明 事假 1天')
    expect(await waitsFor(school.head, processInstanceId)).toBeDefined()
    expect(await overdue()).toContain(processInstanceId)
    expect((await decide(school.head, processInstanceId)).code).toBe(200)
    expect(await overdue()).not.toContain(processInstanceId)
  })

  it('R-FLOW-4 R-FLOW-9 it is handed up once by two that look at once, level by level, with a line of its own', async () => {
    const { id, processInstanceId } = await fileUnder({ timeoutHours: 4, onTimeout: '2' })
    const before = (await waitsFor(school.head, processInstanceId))!
    await late(processInstanceId)
    await Promise.all([tick(), tick()])
    expect(await waitsFor(school.head, processInstanceId)).toBeUndefined()
    const task = (await waitsFor(school.gradeHead, processInstanceId))!
    expect([task.isOverdue, task.taskName]).toEqual([false, before.taskName])
    expect(await overdue()).not.toContain(processInstanceId)
    expect(await told(school.gradeHead)).toContain('超时上交，请办理：王小明 事假 1天')
    expect(await told(school.head)).toContain('已超时，已上交上一级办理：王小明 事假 1天')
    // Whoever had it decides it no more.
    const body = { taskId: before.taskId, flag: 'ok' }
    expect((await school.head.post('blade-flow/work/complete-task', body)).code).toBe(400)
    await late(processInstanceId)
    await tick()
    expect(await waitsFor(school.gradeHead, processInstanceId)).toBeUndefined()
    expect((await decide(school.dean, processInstanceId)).code).toBe(200)
    expect((await shownTo(school.pupilSelf, id)).status).toBe(2)
    const steps = (await history(school.pupilSelf, processInstanceId)).filter(({ taskId }) => taskId)
    expect(steps.map(({ assigneeName, state, outcome }) => [assigneeName, state, outcome])).toEqual([
      ['班主任甲', 'gone', 'overdue'],
      ['年级主任', 'gone', 'overdue'],
      ['教务主任', 'done', 'ok'],
    ])
  })

  it('R-FLOW-4 where nobody is above, it stays where it is and is reminded of', async () => {
    const { processInstanceId } = await fileUnder({
      ...{ step1: '9', step1User: school.principal.userId },
      ...{ timeoutHours: 4, onTimeout: '2' },
    })
    // The administrator is the last one above: handed up to there, it stays.
    await late(processInstanceId)
    await tick()
    expect(await waitsFor(school.principal, processInstanceId)).toBeUndefined()
    const last = (await waitsFor(admin, processInstanceId))!
    await late(processInstanceId)
    await tick()
    expect((await waitsFor(admin, processInstanceId))?.taskId).toBe(last.taskId)
    expect(await told(admin)).toContain('已超时：王小明 事假 1天')
  })

  it('R-FLOW-6 R-FLOW-9 a step that cannot be delegated refuses in words, and does not offer it', async () => {
    const open = await filed()
    expect((await detail(school.head, open.processInstanceId)).may.delegate).toBe(true)
    const { processInstanceId } = await fileUnder({ allowDelegate: 0 })
    const { taskId, may } = await detail(school.head, processInstanceId)
    expect([may.delegate, may.transfer]).toEqual([false, true])
    const hand = (call: string) =>
      school.head.post(`blade-flow/work/${call}`, { taskId, userId: school.gradeHead.userId })
    expect((await hand('delegate')).msg).toBe('本步骤不允许委派')
    expect((await waitsFor(school.head, processInstanceId))?.taskId).toBe(taskId)
    expect((await hand('transfer')).code).toBe(200)
  })
})
