import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { sweepSessions } from '../src/modules/auth/credential.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let stranger: Person
let clerk: Person
const pupils: string[] = []
let guardian: Row

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  const made = new Map<string, string>()
  const add = async (entity: string, draft: object = {}): Promise<Row> => {
    const answer = await admin.post<Row>(`${entityOf(entity).path}/submit`, {
      ...(await sample(admin, entityOf(entity), made)).draft,
      ...draft,
    })
    if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
    return answer.data
  }
  for (let nth = 0; nth < 3; nth += 1) pupils.push((await add('student', { classId: null, seatNo: null })).id)
  guardian = await add('studentparents', { studentId: pupils[0] })
  clerk = await world.colleague(admin, ['student_view', 'studentparents_view'])
})
afterAll(() => world.close())

type Listed = { total: number; records: Row[] }
const pupilsWith = async (who: Person, query: Record<string, string>) => {
  const { data, code } = await who.get<Listed>('blade-user/student/list', { ...query, size: 200 })
  return code === 200 ? [data.total, data.records.map(({ id }) => id).filter((id) => pupils.includes(id))] : code
}

describe('R-LIST-1 a list asked for what belongs to its rows', () => {
  it('has those to whom nobody belongs, or somebody does, and counts them at once after a change', async () => {
    const [, all] = (await pupilsWith(admin, {})) as [number, string[]]
    expect(all).toHaveLength(3)
    expect(await pupilsWith(admin, { guardians_notnull: '1' })).toEqual([1, [pupils[0]]])
    const [, without] = (await pupilsWith(admin, { guardians_null: '1' })) as [number, string[]]
    expect(without.toSorted()).toEqual(pupils.slice(1).toSorted())
    expect(await pupilsWith(admin, { guardians_null: '1', guardians_notnull: '1' })).toEqual([0, []])
    const more = await admin.post<Row>('blade-user/studentparents/submit', {
      studentId: pupils[1],
      parentName: '李妈妈',
      relation: '52',
      mobile: '13900139001',
      contactPriority: 1,
    })
    expect(more.msg).toBe('操作成功')
    expect(await pupilsWith(admin, { guardians_null: '1' })).toMatchObject([expect.any(Number), [pupils[2]]])
    expect((await admin.remove('blade-user/studentparents', more.data.id)).code).toBe(200)
    expect(((await pupilsWith(admin, { guardians_null: '1' })) as [number, string[]])[1]).toHaveLength(2)
  })

  it('R-PERM-4 takes the permission to see what belongs to them', async () => {
    expect(await pupilsWith(await world.colleague(admin, ['student_view']), { guardians_null: '1' })).toBe(403)
    expect(await pupilsWith(clerk, { guardians_notnull: '1' })).toEqual([1, [pupils[0]]])
  })

  it('R-PERM-4 knows only of what a data scope lets somebody see', async () => {
    const scope = '7000000000000000001'
    await world.inTenant(admin.tenantId, async (tx) => {
      await tx.run(
        sql`insert into data_scope (tenant_id, id, scope_name, resource_code, scope_class, scope_type) values (${admin.tenantId}, ${scope}, '本人登记的家长', 'own-guardians', 'studentparents', '2')`,
      )
      await tx.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) select tenant_id, target_id, ${scope}::bigint from app_user_role where tenant_id = ${admin.tenantId} and owner_id = ${clerk.userId}`,
      )
      await raiseGrants(tx, admin.tenantId)
    })
    const fresh = await clerk.get<Listed>('blade-user/studentparents/list', {})
    expect(fresh.data.records.map(({ id }) => id)).not.toContain(guardian.id)
    expect(await pupilsWith(clerk, { guardians_notnull: '1' })).toEqual([0, []])
    expect(((await pupilsWith(clerk, { guardians_null: '1' })) as [number, string[]])[1]).toHaveLength(3)
  })

  it('R-PROD-2 knows nothing of another tenant', async () => {
    expect(await pupilsWith(stranger, { guardians_notnull: '1' })).toEqual([0, []])
  })

  it('tells users who have never logged in, also when the sessions of the others are long over and swept', async () => {
    const made = await admin.post<Row>('blade-user/submit', { account: 'never', realName: '未登录' })
    const absent = async () =>
      (await admin.get<Listed>('blade-user/list', { logins_null: '1', size: 200 })).data.records.map(({ id }) => id)
    expect(await absent()).toEqual([made.data.id])
    const newest = async () =>
      world.inTenant(admin.tenantId, (tx) =>
        tx.run<{ id: string; address: string | null }>(
          sql`select id, address from session where tenant_id = ${admin.tenantId} and user_id = ${clerk.userId}::bigint order by id`,
        ),
      )
    await world.as(
      admin.tenantId,
      String((await admin.get<Row>('blade-user/detail', { id: clerk.userId })).data.account),
    )
    const before = await newest()
    expect(before.length).toBeGreaterThan(1)
    await world.owner.query(
      `update session set absolute_expires = now() - interval '31 days', address = '10.0.0.9' where tenant_id = $1 and user_id = $2`,
      [admin.tenantId, clerk.userId],
    )
    await sweepSessions(world.services, admin.tenantId)
    expect(await newest()).toEqual([{ id: before.at(-1)!.id, address: null }])
    expect(await absent()).toEqual([made.data.id])
  })
})

describe('R-LIST-1 a list filtered by one of several texts', () => {
  it('takes each as it is, and no part of it', async () => {
    const numbers = (await admin.get<Listed>('blade-user/student/list', { size: 200 })).data.records
      .filter(({ id }) => pupils.includes(id))
      .map(({ studentNo }) => String(studentNo))
    const found = async (text: string) =>
      (await admin.get<Listed>('blade-user/student/list', { studentNo_in: text })).data.records.map(
        (row) => row.studentNo,
      )
    expect((await found(`${numbers[0]},${numbers[2]},nothing`)).toSorted()).toEqual([numbers[0], numbers[2]].toSorted())
    expect(await found(numbers[0]!.slice(0, -1))).toEqual([])
    expect(await found("') or true --,%")).toEqual([])
  })
})
