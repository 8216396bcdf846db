import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  decide,
  file,
  type LeaveSchool,
  leavePath,
  makeLeaveSchool,
  preview,
  shownTo,
  wholeDays,
} from './leave-parts.ts'
import { dayOf, inboxOf } from './substitution-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* What a stranger found when leave was tried from outside: each as it was done, and what must come of it. */

let world: World
let admin: Person
let school: LeaveSchool
let week = 1
const nextDay = (): string => {
  week += 1
  return dayOf(school, week)
}
/** Somebody at the gate of a school, by the post. */
async function guardOf(account: string, deptId: unknown): Promise<Person> {
  const post = (await admin.get<{ records: Row[] }>('blade-system/post/list', { postCode_equal: 'guard' })).data
    .records[0]!
  const made = await admin.post<Row>('blade-user/submit', {
    ...{ account, realName: '门卫', deptId, postId: post.id },
  })
  expect(made.code, made.msg).toBe(200)
  await world.owner.query('update credential set must_change = 0 where user_id = $1', [made.data.id])
  return world.as(admin.tenantId, account)
}
let ownGuard: Person
let otherGuard: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  school = await makeLeaveSchool(world, admin)
  const own = (await admin.get<Row>('blade-user/school/detail', { id: school.schoolId })).data
  const { id: _id, version: _version, extId: _extId, ...rest } = own
  const other = await admin.post<Row>('blade-user/school/submit', {
    ...rest,
    ...{ schoolName: '另一所学校', schoolCode: '2111009877', principalId: null, deptId: null },
  })
  expect(other.code, other.msg).toBe(200)
  const second = (await admin.get<Row>('blade-user/school/detail', { id: other.data.id })).data
  ownGuard = await guardOf('guard1', own.deptId)
  otherGuard = await guardOf('guard2', second.deptId)
}, 120_000)
afterAll(() => world.close())

const leaving = () => ({ applicantType: '1', leavesCampus: 1, ...wholeDays(nextDay()) })

describe('R-FLOW-9 R-FLOW-10 the gate', () => {
  it('of the pupil’s school alone is told who leaves, and may look at the pass', async () => {
    const filed = await file(school.pupilSelf, school, leaving())
    expect(filed.code, filed.msg).toBe(200)
    expect((await decide(school.head, filed.data.processInstanceId)).code).toBe(200)
    const titles = async (who: Person) => (await inboxOf(who)).map(({ title }) => title)
    expect(await titles(ownGuard)).toEqual(['学生离校'])
    expect(await titles(otherGuard)).toEqual([])
    const code = String((await shownTo(school.pupilSelf, filed.data.id)).guardPassNo)
    const pass = (who: Person) => who.get<{ isValid: boolean; message: { zh: string } }>(`${leavePath}/pass`, { code })
    expect((await pass(ownGuard)).data).toMatchObject({ isValid: false })
    expect((await pass(otherGuard)).code).toBe(404)
    // It holds from the morning of its day on; of an afternoon from the end of the morning on.
    const at = (begin: string) =>
      world.owner.query(
        `update leave set start_time = ((now() at time zone 'Asia/Shanghai')::date + time '${begin}') at time zone 'Asia/Shanghai', end_time = now() + interval '2 days' where id = $1`,
        [filed.data.id],
      )
    await at('00:00')
    expect((await pass(ownGuard)).data.isValid).toBe(true)
    // At home, the gate of that school alone is told how many may leave today.
    const passes = async (who: Person) =>
      (await who.get<{ key: string; count: number }[]>('blade-desk/todo')).data.filter(({ key }) => key === 'passes')
    expect(await passes(ownGuard)).toMatchObject([{ count: 1 }])
    expect(await passes(otherGuard)).toMatchObject([{ count: 0 }])
    expect(await passes(school.head)).toEqual([])
    await at('23:59')
    const late = (await world.owner.query(`select (now() at time zone 'Asia/Shanghai')::time >= '11:00' as late`))
      .rows[0]
    expect((await pass(ownGuard)).data.isValid).toBe(late.late)
    await admin.post(`${leavePath}/cancel`, { businessId: filed.data.id })
    expect(await titles(otherGuard)).toEqual([])
  })
})

describe('R-FLOW-9 what is asked for', () => {
  it('leave of a teacher without cover says how the lessons are given', async () => {
    const [wang] = school.people
    const asked = { applicantType: '2', needSubstitute: 0, ...wholeDays(nextDay()) }
    const { problems } = await preview(wang, asked)
    expect(problems.map(({ field }) => field)).toEqual(['substitutePlan'])
    expect((await file(wang, school, { ...asked, substitutePlan: '  ' })).msg).toContain('代课安排')
    expect((await file(wang, school, { ...asked, substitutePlan: '已与李老师换课' })).code).toBe(200)
  })

  it('says of a time outside school hours, and outside any semester, what it is', async () => {
    const day = nextDay()
    const told = async (startTime: string, endTime: string): Promise<string | undefined> =>
      (await preview(school.pupilSelf, { applicantType: '1', startTime, endTime })).problems[0]?.message.zh
    expect(await told(`${day} 20:00:00`, `${day} 21:00:00`)).toContain('不在上学时间之内')
    expect(await told('2099-03-02 08:00:00', '2099-03-02 18:00:00')).toContain('不在任何学期之内')
    expect(await told(`${day} 08:00:00`, `${day} 12:00:00`)).toBeUndefined()
  })

  it('pupils have no leave for marriage or maternity', async () => {
    const answer = await file(school.pupilSelf, school, { applicantType: '1', leaveType: '4', ...wholeDays(nextDay()) })
    expect(answer.msg).toContain('教职工的请假类型')
    const staff = await preview(school.people[0], { applicantType: '2', leaveType: '5', ...wholeDays(nextDay()) })
    expect(staff.problems.map(({ field }) => field)).not.toContain('leaveType')
  })

  it('whoever stands twice in a route decides last', async () => {
    // The principal heads the department, too.
    const own = (await admin.get<Row>('blade-user/school/detail', { id: school.schoolId })).data
    const dept = (await admin.get<Row>('blade-system/dept/detail', { id: String(own.deptId) })).data
    const led = await admin.post('blade-system/dept/submit', { ...dept, leaderId: school.principal.userId })
    expect(led.code, led.msg).toBe(200)
    week += 1
    const asked = { applicantType: '2', ...wholeDays(dayOf(school, week), dayOf(school, week, 5)) }
    const { approvers } = await preview(school.people[1], asked)
    const names = approvers.map(({ people }) => people.map(({ name }) => name).join('+'))
    expect(names.at(-1)).toBe('校长')
    expect(names.filter((name) => name === '校长')).toHaveLength(1)
    expect(names).toContain('教务主任')
  })
})

describe('R-FLOW-10 who sees the process', () => {
  it('is whoever sees the leave, so that the office ends it; and nobody else', async () => {
    const filed = await file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(nextDay()) })
    const office = await world.colleague(admin, ['leave_view', 'leave_edit'])
    const detail = (who: Person) =>
      who.get('blade-flow/process/detail', { processInstanceId: filed.data.processInstanceId })
    expect((await detail(office)).code).toBe(200)
    expect((await detail(await world.colleague(admin, ['student_view']))).code).toBe(404)
    expect((await detail(await world.tenant())).code).toBe(404)
  })
})

describe('R-FLOW-6 a task', () => {
  it('of another process or row than the call names is not decided', async () => {
    const [one, other] = [
      await file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(nextDay()) }),
      await file(admin, school, { applicantType: '1', studentId: school.pupil, ...wholeDays(nextDay()) }),
    ]
    const waiting = await school.head.get<{ records: { taskId: string; processInstanceId: string }[] }>(
      'blade-flow/work/todo-list',
      { size: 100 },
    )
    const { taskId } = waiting.data.records.find(
      ({ processInstanceId }) => processInstanceId === one.data.processInstanceId,
    )!
    const send = (more: object) => school.head.post('blade-flow/work/complete-task', { taskId, flag: 'ok', ...more })
    expect((await send({ processInstanceId: other.data.processInstanceId })).msg).toContain('不符')
    expect((await send({ businessId: other.data.id })).msg).toContain('不符')
    expect((await shownTo(school.pupilSelf, one.data.id)).status).toBe(1)
    const right = { processInstanceId: one.data.processInstanceId, businessId: one.data.id }
    expect((await send(right)).code).toBe(200)
  })
})
