import { schoolclass, student } from '@data-brain/contract'
import { everyKeys } from '@data-brain/contract/subscription'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { deliverReports } from '../src/modules/subscription/index.ts'
import { addRoles } from '../src/seed/index.ts'
import { sample } from './sample.ts'
import { jobsEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/* Whoever a report is shared with, in the usual roles of class teachers and principals, has it come by the clock. */

const path = 'blade-report/report/rest'
let world: World
let admin: Person
let head: Person
let principal: Person
let roleIds: string[]

/** Somebody of one of the usual roles. */
async function inRole(roleId: string): Promise<Person> {
  const person = await world.colleague(admin, [])
  await world.inTenant(admin.tenantId, async (tx) => {
    await tx.run(
      sql`update app_user_role set target_id = ${roleId} where tenant_id = ${admin.tenantId} and owner_id = ${person.userId}`,
    )
    await tx.run(sql`update grant_stamp set stamp = stamp + 1 where tenant_id = ${admin.tenantId}`)
  })
  return person
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const roles = await world.inTenant(admin.tenantId, (tx) => addRoles(tx, admin.tenantId))
  roleIds = [roles.classTeacher, roles.principal]
  head = await inRole(roles.classTeacher)
  principal = await inRole(roles.principal)
  const { draft, made } = await sample(admin, student, new Map())
  const pupil = async (name: string, more: Record<string, unknown>): Promise<void> => {
    const added = await admin.post<Row>(`${student.path}/submit`, { ...draft, ...more, name, idType: null, idNo: null })
    if (added.code !== 200) throw new Error(added.msg)
  }
  const led = await sample(admin, schoolclass, made)
  const classed = await admin.post<Row>(`${schoolclass.path}/submit`, { ...led.draft, headTeacherId: head.userId })
  if (classed.code !== 200) throw new Error(classed.msg)
  const classId = classed.data.id
  await pupil('甲班学生', { classId, gradeId: null, studentNo: 'S001' })
  await pupil('无班学生', { classId: null, gradeId: null, studentNo: 'S002' })
  const { rows } = await world.owner.query<{ id: string }>(
    'select dept_id::text as id from school where tenant_id = $1',
    [admin.tenantId],
  )
  const placed = await admin.post('blade-user/submit', { id: principal.userId, deptId: rows[0]!.id })
  if (placed.status !== 200) throw new Error(placed.msg)
}, 120_000)
afterAll(() => world?.close())

const content = (more: Record<string, unknown> = {}) => ({
  ...{ entity: 'student', columns: ['name', 'sex'], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [], sort: null, chart: 'none', hideBelow: 0 },
  ...more,
})
const counted = { columns: [], groups: [{ field: 'sex', by: null }], measures: [{ of: 'count', field: null }] }
async function saved(name: string, more: Record<string, unknown> = {}, shared = roleIds): Promise<string> {
  const made = await admin.post<Row>(`${path}/submit`, { name, content: content(more), roleIds: shared })
  expect(made.msg).toBe('操作成功')
  return made.data.id
}
const subscribe = (who: Person, reportId: string) =>
  who.post<Row>(`${path}/subscribe`, { reportId, every: everyKeys.day, hour: 7, format: 'csv', way: '1' })
const at = (moment: unknown): Date => new Date(`${String(moment).replace(' ', 'T')}+08:00`)
const textOf = async (who: Person): Promise<string> => {
  const [job] = (await who.get<Row[]>('blade-system/job/mine')).data
  const file = await world.http.inject({
    ...{ method: 'GET', url: `/api/blade-system/job/file?id=${job!.id}` },
    headers: { 'blade-auth': `bearer ${who.token}` },
  })
  expect(file.statusCode).toBe(200)
  return file.rawPayload.toString('utf8')
}

describe('R-DEV-7 whoever a report is shared with subscribes to it', () => {
  it('R-DEV-7 class teachers and principals get the rows of their own scope, of a list and of counts', async () => {
    const list = await saved('学生名单')
    const counts = await saved('男女人数', counted)
    for (const [who, names] of [
      [head, ['甲班学生']],
      [principal, ['甲班学生', '无班学生']],
    ] as const) {
      const made = await subscribe(who, list)
      expect(made.msg).toBe('操作成功')
      expect(await deliverReports(world.services, admin.tenantId, at(made.data.nextRun))).toMatchObject({ paused: 0 })
      await jobsEnded()
      const text = await textOf(who)
      for (const name of ['甲班学生', '无班学生'])
        expect([name, text.includes(name)]).toEqual([name, names.includes(name as never)])
      expect((await subscribe(who, counts)).msg).toBe('操作成功')
    }
  })

  it('R-DEV-7 not what is not shared with them, nor the list of pupils itself', async () => {
    const closed = await saved('未共享', {}, [])
    expect((await subscribe(head, closed)).msg).toContain('报表：所选数据不存在')
    const taken = await head.get('blade-user/student/export', { format: 'csv' })
    expect(taken.status).toBe(403)
    // A list that one has made oneself takes the right to export the rows.
    const codes = [
      'student_view',
      'report_view',
      'report_add',
      'report_export',
      'report_take',
      'reportsubscription_add',
    ]
    const author = await world.colleague(admin, codes)
    const own = await author.post<Row>(`${path}/submit`, { name: '自建', content: content(), roleIds: [] })
    const refused = await subscribe(author, own.data.id)
    expect([refused.status, refused.msg]).toEqual([403, expect.stringContaining('student_export')])
  })

  it('R-DEV-7 runs with the rights of that moment: paused when the role loses the right to look at the rows', async () => {
    const reportId = await saved('再一份')
    const codes = ['student_view', 'report_view', 'report_export', 'report_take']
    const own = ['reportsubscription_view', 'reportsubscription_add']
    const who = await world.colleague(admin, [...codes, ...own])
    const { rows } = await world.owner.query<{ id: string }>(
      'select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2',
      [admin.tenantId, who.userId],
    )
    const { data } = await admin.get<Row>(`${path}/detail`, { id: reportId })
    await admin.post(`${path}/submit`, { id: reportId, version: data.version, roleIds: [rows[0]!.id] })
    const made = await subscribe(who, reportId)
    expect(made.msg).toBe('操作成功')
    await world.owner.query(
      `delete from role_menu m using menu c where m.tenant_id = $1 and m.role_id = $2 and c.id = m.menu_id and c.code = 'report_take'`,
      [admin.tenantId, rows[0]!.id],
    )
    await world.inTenant(admin.tenantId, (tx) =>
      tx.run(sql`update grant_stamp set stamp = stamp + 1 where tenant_id = ${admin.tenantId}`),
    )
    expect(await deliverReports(world.services, admin.tenantId, at(made.data.nextRun))).toMatchObject({ paused: 1 })
  })
})
