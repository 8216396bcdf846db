import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { sql } from '../src/database/statement.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import {
  admin,
  all,
  classes,
  everybody,
  inClasses,
  makeSchool,
  narrowed,
  pupils,
  type Row,
  type Rows,
  world,
} from './scope-school.ts'
import type { Answer, Person } from './world.ts'

/** Issue 5, point 13: the same values for many rows, in one call. */

interface Outcome {
  readonly id: string
  readonly name: string | null
  readonly result: 'changed' | 'same' | 'failed'
  readonly version: number | null
  readonly before: Readonly<Record<string, unknown>>
  readonly msg?: string
  readonly problem?: string
}
interface Told {
  readonly total: number
  readonly changed: number
  readonly same: number
  readonly failed: number
  readonly rows: readonly Outcome[]
  readonly requestId: string | null
}

beforeAll(makeSchool)
afterAll(() => world.close())

const path = 'blade-user/student'
const idOf = (name: string): string => pupils.get(name)!.id
/** The name without what stands beside it. */
const bare = (name: string | null | undefined): string | undefined => name?.replace(/（.*/, '')
const idsOf = (...names: string[]): string => names.map(idOf).join(',')
const bulk = (person: Person, ids: string, body: unknown, preview?: 1): Promise<Answer<Told>> =>
  person.post<Told>(`${path}/bulk`, body, { query: { ids, preview } })
const rowOf = async (name: string): Promise<Row> => (await admin.get<Row>(`${path}/detail`, { id: idOf(name) })).data
const results = (told: Told): Record<string, string> =>
  Object.fromEntries(told.rows.map((row) => [bare(row.name) ?? row.id, row.result]))
const historyOf = async (requestId: string): Promise<{ row_id: string; action: string; user_id: string }[]> =>
  (
    await world.owner.query(
      `select row_id::text, action, user_id::text from history where tenant_id = $1 and request_id = $2 and entity = 'student' order by row_id`,
      [admin.tenantId, requestId],
    )
  ).rows

describe('a bulk change', () => {
  it('is told before it is made: who changes, who has the value already, from what; and nothing is written', async () => {
    await admin.post(`${path}/submit`, { id: idOf('学一甲'), remark: '走读' })
    const before = await Promise.all(everybody.map(rowOf))
    const entries = async (): Promise<unknown> =>
      (await world.owner.query('select count(*) from history where tenant_id = $1', [admin.tenantId])).rows[0].count
    const written = await entries()
    const { data: told, msg } = await bulk(
      admin,
      idsOf('学一甲', '学一乙', '学二甲'),
      { values: { remark: '走读' } },
      1,
    )
    expect(msg).toBe('操作成功')
    expect([told.total, told.changed, told.same, told.failed, told.requestId]).toEqual([3, 2, 1, 0, null])
    expect(results(told)).toEqual({ 学一甲: 'same', 学一乙: 'changed', 学二甲: 'changed' })
    expect(told.rows.find((row) => bare(row.name) === '学一甲')!.before).toEqual({ remark: '走读' })
    expect(await Promise.all(everybody.map(rowOf))).toEqual(before)
    expect(await entries()).toBe(written)
  })

  it('changes rows under one request, leaves those that have the value alone, and goes back as one', async () => {
    const before = await rowOf('学二甲')
    const ids = idsOf('学一甲', '学一乙', '学二甲')
    const { data: told } = await bulk(admin, ids, { values: { remark: '走读', studyWay: '2' } })
    expect([told.changed, told.same, told.failed]).toEqual([3, 0, 0])
    const again = await bulk(admin, ids, { values: { remark: '走读', studyWay: '2' } })
    expect([again.data.changed, again.data.same, again.data.requestId]).toEqual([0, 3, null])
    const entries = await historyOf(told.requestId!)
    expect(entries.map((entry) => entry.row_id)).toEqual(ids.split(',').sort())
    expect(new Set(entries.map((entry) => `${entry.action} ${entry.user_id}`))).toEqual(
      new Set([`edit ${admin.userId}`]),
    )
    const after = await rowOf('学二甲')
    expect([after.remark, after.studyWay, after.version]).toEqual(['走读', '2', before.version + 1])
    expect(told.rows.find((row) => bare(row.name) === '学二甲')!.version).toBe(after.version)
    const undone = await admin.post<{ rows: number }>('blade-log/history/undo', undefined, {
      query: { requestId: told.requestId! },
    })
    expect([undone.msg, undone.data.rows]).toEqual(['操作成功', 3])
    const back = await rowOf('学二甲')
    expect([back.remark, back.studyWay]).toEqual([before.remark, before.studyWay])
  })

  it('moves pupils to another class with all that a move brings along, and counts both classes anew', async () => {
    const countOf = async (at: number): Promise<unknown> =>
      (await admin.get<Row>('blade-user/schoolclass/detail', { id: classes[at]!.id })).data.studentCount
    expect([await countOf(0), await countOf(1)]).toEqual([2, 2])
    const { data: told } = await bulk(admin, idsOf('学一甲', '学一乙'), { values: { classId: classes[1]!.id } })
    expect(told.changed).toBe(2)
    expect(told.rows[0]!.before).toMatchObject({ classId: classes[0]!.id, className: expect.stringContaining('一班') })
    expect([await countOf(0), await countOf(1)]).toEqual([0, 4])
    await admin.post('blade-log/history/undo', undefined, { query: { requestId: told.requestId! } })
    expect([await countOf(0), await countOf(1)]).toEqual([2, 2])
  })

  it('keeps what fits and says of each other row why not; a rule broken half-way leaves nothing of that row', async () => {
    await admin.post(`${path}/submit`, { id: idOf('学一甲'), seatNo: 7 })
    // A seat has one pupil: the first of a class gets it, the second is refused by the database itself.
    const { data: told } = await bulk(admin, idsOf('学一甲', '学一乙', '学二甲'), {
      values: { seatNo: 7, remark: '座' },
    })
    expect([told.changed, told.same, told.failed]).toEqual([2, 0, 1])
    const failed = told.rows.find((row) => row.result === 'failed')!
    expect([bare(failed.name), failed.problem]).toEqual(['学一乙', 'conflict'])
    // Two of one name are told apart by class and number.
    expect(failed.name).toMatch(/^学一乙（一班，\w+）$/)
    expect(failed.msg).toContain('班内学号')
    const left = await rowOf('学一乙')
    expect([left.seatNo, left.remark === '座']).toEqual([null, false])
    expect((await rowOf('学二甲')).seatNo).toBe(7)
    expect((await historyOf(told.requestId!)).map((entry) => entry.row_id)).toEqual(
      [idOf('学一甲'), idOf('学二甲')].sort(),
    )
    const english = await admin.post<Told>(
      `${path}/bulk`,
      { values: { sex: 'nobody' } },
      { query: { ids: idOf('学一甲') }, language: 'en' },
    )
    expect(english.data.rows[0]!.msg).toBe('Sex: "nobody" is not one of the choices')
  })

  it('checks the versions that it is given: somebody else’s change is not written over', async () => {
    const [one, two] = [await rowOf('学三甲'), await rowOf('学三乙')]
    await admin.post(`${path}/submit`, { id: two.id, remark: '别人改的' })
    const { data: told } = await bulk(admin, idsOf('学三甲', '学三乙'), {
      values: { remark: '我改的' },
      versions: { [one.id]: one.version, [two.id]: two.version },
    })
    expect(results(told)).toEqual({ 学三甲: 'changed', 学三乙: 'failed' })
    expect(told.rows.find((row) => bare(row.name) === '学三乙')!.problem).toBe('stale')
    expect((await rowOf('学三乙')).remark).toBe('别人改的')
  })

  it('refuses what is no field, nothing at all, and more rows than a call takes', async () => {
    const ids = idOf('学一甲')
    const told = async (body: unknown, of = ids): Promise<[number, string]> => {
      const answer = await bulk(admin, of, body)
      return [answer.status, answer.msg]
    }
    expect(await told({ values: {} })).toEqual([400, '缺少必要的请求参数：values'])
    expect((await told({}))[0]).toBe(400)
    expect((await told([]))[0]).toBe(400)
    expect((await told({ values: { id: '1' } }))[0]).toBe(400)
    expect((await told({ values: { password: 'x' } }))[1]).toBe('没有名为 password 的字段')
    expect((await told({ values: { tenantId: '000000' } }))[0]).toBe(400)
    expect((await told({ values: { remark: 'x' } }, Array.from({ length: 201 }, newId).join(',')))[0]).toBe(400)
    expect((await told({ values: { remark: 'x' } }, ''))[0]).toBe(400)
    expect((await bulk(admin, ids, { values: { remark: 'x' } }, 2 as 1)).status).toBe(400)
  })
})

describe('R-PERM-2 R-PERM-3 R-PROD-2 a bulk change by somebody who may not', () => {
  it('needs the code to edit, and the call that saves one row', async () => {
    const viewer = await world.colleague(admin, ['student_view', 'student_add'])
    expect((await bulk(viewer, idOf('学一甲'), { values: { remark: 'x' } })).status).toBe(403)
    const clerk = await world.colleague(admin, ['student_view', 'student_edit'])
    expect((await bulk(clerk, idOf('学一甲'), { values: { remark: 'x' } }, 1)).status).toBe(200)
    // An API scope on the single save keeps the many saves as well, or it would keep nothing.
    await world.inTenant(admin.tenantId, async (tx) => {
      await tx.run(
        sql`insert into api_scope (tenant_id, id, scope_name, resource_code, scope_path, scope_type) values (${admin.tenantId}, ${newId()}, ${'保存'}, ${`s${newId()}`}, ${`POST /api/${path}/submit`}, '2')`,
      )
      await raiseGrants(tx, admin.tenantId)
    })
    const refused = await bulk(clerk, idOf('学一甲'), { values: { remark: 'x' } }, 1)
    expect([refused.status, refused.msg]).toEqual([403, `没有权限：POST /${path}/submit`])
    await world.inTenant(admin.tenantId, async (tx) => {
      await tx.run(sql`delete from api_scope where tenant_id = ${admin.tenantId}`)
      await raiseGrants(tx, admin.tenantId)
    })
  })

  it('reaches the rows of one’s scope and no others, and moves none out of it', async () => {
    const teacher = await narrowed(all, [inClasses(classes[2]!.id)])
    const outside = await rowOf('学一甲')
    const ids = idsOf('学三甲', '学一甲')
    const { data: told } = await bulk(teacher, `${ids},${newId()}`, { values: { remark: '只改本班' } })
    const [foreign, never] = told.rows.filter((row) => row.result === 'failed')
    expect(told.changed).toBe(1)
    // What lies outside is told of exactly as what never was.
    expect({ ...foreign, id: '' }).toEqual({ ...never, id: '' })
    expect(foreign).toMatchObject({ name: null, version: null, before: {}, problem: 'not_found' })
    expect(await rowOf('学一甲')).toEqual(outside)
    const { data: moved } = await bulk(teacher, idOf('学三甲'), { values: { classId: classes[0]!.id } })
    expect(moved.rows[0]).toMatchObject({ result: 'failed', msg: '超出您的数据权限范围' })
    expect((await rowOf('学三甲')).classId).toBe(classes[2]!.id)
    const { data: seen } = await teacher.get<Rows>(`${path}/list`)
    expect(seen.total).toBe(2)
  })

  it('finds no row of another tenant, and gives none a reference into one', async () => {
    const stranger = await world.tenant()
    const before = await rowOf('学二乙')
    const { data: told } = await bulk(stranger, `${before.id},${newId()}`, { values: { remark: '偷改' } })
    expect(told.rows.map(({ id: _, ...row }) => row)).toEqual([
      { name: null, result: 'failed', version: null, before: {}, msg: '没有找到该数据', problem: 'not_found' },
      { name: null, result: 'failed', version: null, before: {}, msg: '没有找到该数据', problem: 'not_found' },
    ])
    expect(await rowOf('学二乙')).toEqual(before)
    const grade = await stranger.get<Rows>('blade-user/sysgrade/list', { size: 1 })
    const foreignId = grade.data.records[0]!.id
    const { data: pointed } = await bulk(admin, before.id, { values: { gradeId: foreignId } })
    expect(pointed.rows[0]!.result).toBe('failed')
    expect(await rowOf('学二乙')).toEqual(before)
  })
})

describe('entities with a save of their own', () => {
  it('save each row by it: nobody disables himself among many, and whoever is disabled is out', async () => {
    const clerk = await world.colleague(admin, [])
    const answer = await admin.post<Told>(
      'blade-user/bulk',
      { values: { status: 0 } },
      { query: { ids: `${admin.userId},${clerk.userId}` } },
    )
    expect(answer.data.rows.map((row) => [row.id, row.result]).sort()).toEqual(
      [
        [admin.userId, 'failed'],
        [clerk.userId, 'changed'],
      ].sort(),
    )
    expect((await clerk.get('blade-auth/oauth/user-info')).status).toBe(401)
    expect((await admin.get('blade-auth/oauth/user-info')).status).toBe(200)
  })

  it('what all tenants share, and what the server alone writes, has no such call', async () => {
    for (const none of ['blade-system/menu', 'blade-system/tenant', 'blade-system/dict', 'blade-resource/smslog'])
      expect((await admin.post(`${none}/bulk`, { values: { remark: 'x' } }, { query: { ids: '1' } })).status).toBe(404)
  })
})
