import { type Page, sysgrade } from '@data-brain/contract'
import { dictionaries } from '@data-brain/contract/dictionaries'
import { topMenus } from '@data-brain/contract/menus'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { modelOf } from '../src/entity/model.ts'
import { takeOnFor } from '../src/entity/shared.ts'
import { system } from '../src/kernel/actor.ts'
import { seedDatabase } from '../src/seed/index.ts'
import { fillTenant } from '../src/seed/tenant.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** What a start brings to the tenants that stand when the product has more menus or dictionaries than before. */

let world: World
let admin: Person

/** A start of a version whose lists are others than those that were laid last. */
async function upgrade(): Promise<void> {
  await world.owner.query(`update seed_mark set value = 'an earlier version' where name = 'freshened'`)
  await seedDatabase(world.services)
}
const tops = async (person: Person): Promise<Row[]> =>
  (await person.get<Page<Row>>('blade-system/topmenu/list', { size: 50 })).data.records
const gathered = async (person: Person, topId: string): Promise<string[]> =>
  (
    await world.inTenant(person.tenantId, (tx) =>
      tx.run<{ code: string }>(
        sql`select m.code from top_menu_setting_seen s join menu m on m.id = s.menu_id where s.top_menu_id = ${topId} order by 1`,
      ),
    )
  ).map(({ code }) => code)
const entries = async (person: Person, code: string): Promise<string[]> =>
  (
    await world.inTenant(person.tenantId, (tx) =>
      tx.run<{ key: string }>(sql`select dict_key as key from dict_biz_seen where code = ${code} order by 1`),
    )
  ).map(({ key }) => key)

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world?.close())

describe('an upgrade', () => {
  it('does not bring back a top menu that the tenant removed, and leaves one that it renamed', async () => {
    const [first, second] = await tops(admin)
    expect((await admin.remove('blade-system/topmenu', first!.id)).status).toBe(200)
    await admin.post('blade-system/topmenu/submit', {
      id: second!.id,
      version: second!.version,
      name: '我们的',
      code: 'ours',
    })
    const before = await tops(admin)
    expect(before).toHaveLength(topMenus.length - 1)
    const other = await world.tenant()
    await upgrade()
    expect((await tops(admin)).map(({ code, name }) => [code, name])).toEqual(
      before.map(({ code, name }) => [code, name]),
    )
    expect(await tops(other)).toHaveLength(topMenus.length)
  })

  it('does not put a menu back that was taken out of a top menu, and puts a new one where it belongs', async () => {
    const person = await world.tenant()
    const top = (await tops(person)).find(({ code }) => code === topMenus[1]!.code)!
    const before = await gathered(person, top.id)
    expect(before.length).toBeGreaterThan(3)
    const [out, fresh, ...rest] = before
    const kept = await person.post('blade-system/topmenu/grant', {
      topMenuIds: [top.id],
      menuIds: await world.menuIds(rest),
    })
    expect(kept.status).toBe(200)
    // As if the product had brought it since the last start.
    await world.owner.query('update menu set create_time = now() where code = $1', [fresh])
    await upgrade()
    expect(await gathered(person, top.id)).toEqual([fresh, ...rest].sort())
    expect(await gathered(person, top.id)).not.toContain(out)
  })

  it('does not bring back an entry of a dictionary that the tenant removed, and adds what is missing', async () => {
    const person = await world.tenant()
    const { code: business } = dictionaries.find(({ code }) => code === 'equipment')!
    const id = async (code: string, key: string) =>
      (await world.inTenant(person.tenantId, (tx) =>
        tx.one<{ id: string }>(sql`select id from dict_biz_seen where code = ${code} and dict_key = ${key}`),
      ))!.id
    const [one, two] = (await entries(person, business)).filter((key) => key !== '-1')
    expect((await person.remove('blade-system/dict-biz', await id(business, one!))).status).toBe(200)
    // Never laid: as in a tenant that an earlier version made.
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(
        sql`delete from dict_biz where tenant_id = ${person.tenantId} and code = ${business} and dict_key = ${two}`,
      ),
    )
    await upgrade()
    expect(await entries(person, business)).not.toContain(one)
    expect(await entries(person, business)).toContain(two)
  })
})

describe('R-ROUTE-4 the roles and grades that tenants did not begin with at first', () => {
  /** A tenant as an earlier version made it: with grades of its own, and without a trace of the roles and the kindergarten. */
  async function earlier(): Promise<Person> {
    const person = await world.tenant()
    const { tenantId } = person
    await world.inTenant(tenantId, (tx) => takeOnFor(modelOf(sysgrade), { tx, actor: system('test', tenantId) }, []))
    await world.owner.query(
      `delete from sysgrade where tenant_id = '${tenantId}' and stage = '1';
       delete from data_scope where tenant_id = '${tenantId}';
       delete from role where tenant_id = '${tenantId}' and is_admin = 0`,
    )
    return person
  }
  const roles = async (person: Person): Promise<Row[]> =>
    (await person.get<Page<Row>>('blade-system/role/list', { size: 50 })).data.records.filter(
      ({ isAdmin }) => isAdmin === 0,
    )
  const grades = async (person: Person): Promise<Row[]> =>
    (await person.get<Page<Row>>('blade-user/sysgrade/list', { size: 50, stage: '1' })).data.records
  const names = async (person: Person): Promise<unknown[]> => (await roles(person)).map(({ roleName }) => roleName)

  it('come once, and give a class teacher the own class and no other', async () => {
    const person = await earlier()
    expect(await names(person)).toEqual([])
    await upgrade()
    expect(await names(person)).toEqual(['教务', '班主任', '任课教师', '校长', '教育局'])
    expect((await grades(person)).map(({ gradeName }) => gradeName)).toEqual(['小班', '中班', '大班'])
    const before = [await roles(person), await grades(person)]
    await upgrade()
    expect([await roles(person), await grades(person)]).toEqual(before)
    const scopes = (await person.get<Page<Row>>('blade-system/data-scope/list', { size: 50 })).data.records
    expect(scopes.filter(({ scopeClass }) => scopeClass === 'student')).toHaveLength(1)
    const role = before[0]!.find(({ roleAlias }) => roleAlias === 'class-teacher')!
    const granted = await person.get<{ dataScope: string[] }>('blade-system/menu/role-tree-keys', { roleIds: role.id })
    expect(granted.data.dataScope).toHaveLength(7)
  })

  it('stay away where the tenant removed or renamed them, or has its own', async () => {
    const removed = await earlier()
    const renamed = await earlier()
    const own = await earlier()
    await upgrade()
    for (const { id } of await roles(removed)) {
      const gone = await removed.remove('blade-system/role', id)
      expect(gone.status, gone.msg).toBe(200)
    }
    for (const { id } of await grades(removed))
      expect((await removed.remove('blade-user/sysgrade', id)).status).toBe(200)
    for (const [at, { id }] of (await roles(renamed)).entries())
      await renamed.post('blade-system/role/submit', { id, roleName: `我们的角色${at}`, roleAlias: `ours-${at}` })
    for (const [at, { id }] of (await grades(renamed)).entries())
      await renamed.post('blade-user/sysgrade/submit', { id, gradeName: `托班${at}`, gradeCode: `T${at}` })
    const kept = await roles(renamed)
    // As earlier versions left it, with what this tenant made for itself.
    await world.owner.query(
      `delete from sysgrade where tenant_id = '${own.tenantId}' and stage = '1';
       delete from role where tenant_id = '${own.tenantId}' and is_admin = 0`,
    )
    await own.post('blade-system/role/submit', { roleName: '班主任', roleAlias: 'our-heads' })
    await own.post('blade-user/sysgrade/submit', { gradeName: '小班', gradeCode: 'K1', stage: '1', gradeNo: 1 })
    await upgrade()
    expect(await names(removed)).toEqual([])
    expect(await grades(removed)).toEqual([])
    expect(await roles(renamed)).toEqual(kept)
    expect((await grades(renamed)).map(({ gradeName }) => gradeName)).toEqual(['托班0', '托班1', '托班2'])
    expect((await names(own)).sort()).toEqual(['任课教师', '教务', '班主任', '校长', '教育局'].sort())
    expect((await roles(own)).find(({ roleName }) => roleName === '班主任')?.roleAlias).toBe('our-heads')
    expect((await grades(own)).map(({ gradeCode }) => gradeCode)).toEqual(['K1'])
  })
})

it('the first password of a tenant lasts as long as its parameter says', async () => {
  const tenantId = '700001'
  await world.inTenant(tenantId, async (tx) => {
    await tx.run(
      sql`insert into param (tenant_id, id, param_name, param_key, param_value) values (${tenantId}, 1, ${'时长'}, 'account.oneTimeHours', '3')`,
    )
    const tenant = { tenantId, name: '新租户', account: 'admin', realName: '管理员', password: 'Correct-Horse-9' }
    await fillTenant(tx, { ...tenant, mustChange: true }, world.services.secrets.pepper)
  })
  const { rows } = await world.owner.query<{ hours: number }>(
    'select round(extract(epoch from expires_at - now()) / 3600)::int as hours from credential where tenant_id = $1',
    [tenantId],
  )
  expect(rows).toEqual([{ hours: 3 }])
})

describe('two that start at once', () => {
  it('wait for each other longer than a request waits for a lock, and leave no such patience behind', async () => {
    await world.owner.query('select pg_advisory_lock(2024112102)')
    let over = false
    const second = seedDatabase(world.services).finally(() => {
      over = true
    })
    // A request gives up on a lock after two seconds, and the first start may be laying all of the demo.
    await new Promise((done) => setTimeout(done, 2_600))
    expect(over).toBe(false)
    await world.owner.query('select pg_advisory_unlock(2024112102)')
    await second
    for (const client of [await world.services.platform.connect(), await world.services.platform.connect()]) {
      const { rows } = await client.query(
        `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`,
      )
      expect(rows).toEqual([{ lock: '2s', statement: '5s' }])
      client.release(true)
    }
  })
})
