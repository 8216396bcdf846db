import type { Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seenName, sharedName } from '../src/database/name.ts'
import { sql } from '../src/database/statement.ts'
import { sharedTables } from '../src/database/tables.ts'
import { addRoles, seedDatabase } from '../src/seed/index.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Grades with subjects, top menus and what the usual roles are granted are kept once, until a tenant changes them. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const wholes = sharedTables.filter((table) => table !== 'dict_biz' && table !== 'role_menu')
const catalogue = ['sysgrade', 'syssubject', 'syssubject_grade']

/** How many rows of its own a tenant has in each of these tables. */
const held = async (tenantId: string, tables: readonly string[] = wholes): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of tables)
    counts[table] = (await world.owner.query(`select from ${table} where tenant_id = $1`, [tenantId])).rowCount!
  return counts
}
const nothing = (tables: readonly string[] = wholes) => Object.fromEntries(tables.map((table) => [table, 0]))

/** All that a tenant sees of a table, as texts in one order. */
const seen = (tenantId: string, table: string): Promise<unknown[]> =>
  world.inTenant(tenantId, (tx) =>
    tx.run(sql`select to_jsonb(t) as row from ${sql.table(seenName(table))} t order by to_jsonb(t)::text`),
  )
const allSeen = async (tenantId: string, tables: readonly string[]): Promise<unknown[][]> => {
  const all: unknown[][] = []
  for (const table of tables) all.push(await seen(tenantId, table))
  return all
}

const grades = async (person: Person): Promise<Row[]> =>
  (await person.get<Page<Row>>('blade-user/sysgrade/list', { size: 50 })).data.records
const subjects = async (person: Person): Promise<(Row & { gradeIds: string[] })[]> =>
  (await person.get<Page<Row & { gradeIds: string[] }>>('blade-user/syssubject/list', { size: 50 })).data.records
const named = (rows: readonly Row[], name: string): Row => rows.find((row) => Object.values(row).includes(name))!

describe('D19 grades, subjects and top menus are kept once', () => {
  it('gives a new tenant all of them and no row', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    expect(await held(one.tenantId)).toEqual(nothing())
    expect((await grades(one)).map(({ gradeCode }) => gradeCode)).toEqual(
      expect.arrayContaining(['01', '11', '21', '31']),
    )
    const [first] = await subjects(one)
    expect(first).toMatchObject({ tenantId: one.tenantId, version: 1, subjectName: '语文' })
    expect(first!.gradeIds).toHaveLength(12)
    expect((await one.get<Page<Row>>('blade-system/topmenu/list', { size: 50 })).data.total).toBeGreaterThan(3)
    expect((await one.get<Row[]>('blade-system/menu/top-menu')).data.length).toBeGreaterThan(3)
    expect(await grades(other)).toEqual((await grades(one)).map((row) => ({ ...row, tenantId: other.tenantId })))
    // What leads from one to the other is told and found as with rows of one's own.
    const lower = named(await grades(one), '小班')
    const upper = named(await grades(one), '高三')
    const of = async (id: string) =>
      (await one.get<Row[]>('blade-user/syssubject/selectSubject', { gradeId: id })).data.map(({ name }) => name)
    expect(await of(lower.id)).toEqual([])
    expect(await of(upper.id)).toContain('思想政治')
    expect((await one.get<Page<Row>>('blade-user/syssubject/list', { gradeIds: upper.id })).data.total).toBe(14)
    expect(await held(one.tenantId)).toEqual(nothing())
  })

  it('makes them the tenant’s own, unchanged to the last column, with the first row that refers to one', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    const before = await allSeen(one.tenantId, catalogue)
    const [subject] = await subjects(one)
    const user = (await one.get<Page<Row>>('blade-user/page')).data.records[0]!
    const saved = await one.post<Row>('blade-user/submit', { id: user.id, subjectIds: [subject!.id] })
    expect(saved.status, saved.msg).toBe(200)
    expect(await allSeen(one.tenantId, catalogue)).toEqual(before)
    const own = await held(one.tenantId)
    expect(own).toMatchObject({ sysgrade: 15, syssubject: 16, top_menu: 0, top_menu_setting: 0 })
    expect(await held(other.tenantId)).toEqual(nothing())
    // And from there on a key holds them.
    const blocked = await one.remove('blade-user/syssubject', subject!.id)
    expect(blocked.status).toBe(400)
  })

  it('keeps what a tenant changes, adds and removes to itself, with its history', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    const before = await grades(one)
    const last = named(before, '高三')
    const saved = await one.post<Row>('blade-user/sysgrade/submit', { id: last.id, version: 1, gradeName: '毕业班' })
    expect(saved).toMatchObject({ status: 200, data: { id: last.id, version: 2 } })
    expect(await held(one.tenantId)).toMatchObject({ sysgrade: before.length })
    expect((await grades(one)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect((await one.get<unknown[]>('blade-user/sysgrade/history', { id: last.id })).data).toHaveLength(1)
    expect(named(await grades(other), '高三').id).toBe(last.id)
    expect(await held(other.tenantId)).toEqual(nothing())
    // A shared subject holds its grades, and what is of the same code is refused, as with rows of one's own.
    const blocked = await other.remove('blade-user/sysgrade', last.id)
    expect([blocked.status, blocked.msg]).toEqual([400, expect.stringContaining('系统学科')])
    const twice = await other.post('blade-user/sysgrade/submit', {
      gradeCode: '11',
      gradeName: '另一个一年级',
      stage: '2',
      gradeNo: 9,
    })
    expect(twice.status).toBe(409)
    // What was refused has left nothing.
    expect(await held(other.tenantId)).toEqual(nothing())
    const first = named(await grades(other), '小班')
    expect((await other.remove('blade-user/sysgrade', first.id)).status).toBe(200)
    expect((await grades(other)).map(({ id }) => id)).not.toContain(first.id)
    expect((await grades(one)).map(({ id }) => id)).toContain(first.id)
  })

  it('keeps both of two first changes that come at once', async () => {
    const one = await world.tenant()
    const [first, second] = await grades(one)
    const saved = await Promise.all(
      [first!, second!].map(({ id }, at) =>
        one.post('blade-user/sysgrade/submit', { id, version: 1, gradeName: `同时${at}` }),
      ),
    )
    expect(saved.map(({ status }) => status)).toEqual([200, 200])
    expect((await grades(one)).slice(0, 2).map(({ gradeName }) => gradeName)).toEqual(['同时0', '同时1'])
    expect(await held(one.tenantId)).toMatchObject({ sysgrade: 15 })
  })

  it('makes the top menus the tenant’s own, with what they gather, when it changes one', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    const tables = ['top_menu', 'top_menu_setting']
    const before = await allSeen(one.tenantId, tables)
    const [top] = (await one.get<Page<Row>>('blade-system/topmenu/list', { size: 50 })).data.records
    const menuIds = await world.menuIds(['student'])
    const set = await one.post('blade-system/topmenu/grant', { topMenuIds: [top!.id], menuIds })
    expect(set.status, set.msg).toBe(200)
    expect(await allSeen(one.tenantId, ['top_menu'])).toEqual([before[0]])
    expect(await held(one.tenantId, catalogue)).toEqual(nothing(catalogue))
    const gathered = await world.inTenant(one.tenantId, (tx) =>
      tx.run<{ id: string }>(sql`select menu_id as id from top_menu_setting where top_menu_id = ${top!.id}`),
    )
    expect(gathered.map(({ id }) => id)).toEqual(menuIds)
    expect(JSON.stringify(await allSeen(other.tenantId, tables)).replaceAll(other.tenantId, one.tenantId)).toBe(
      JSON.stringify(before),
    )
  })
})

describe('D19 what the usual roles are granted is kept once', () => {
  const roleOf = async (person: Person, alias: string): Promise<Row> =>
    (await person.get<Page<Row>>('blade-system/role/list', { size: 50 })).data.records.find(
      ({ roleAlias }) => roleAlias === alias,
    )!
  const keys = async (person: Person, id: string): Promise<string[]> =>
    (await person.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: id })).data.menu
  const withRoles = async (): Promise<Person> => {
    const person = await world.tenant()
    await world.inTenant(person.tenantId, (tx) => addRoles(tx, person.tenantId))
    return person
  }
  const own = async (person: Person) => (await held(person.tenantId, ['role_menu'])).role_menu

  it('grants it to a new tenant’s roles without a row, and to no role of another id', async () => {
    const person = await withRoles()
    const teacher = await roleOf(person, 'teacher')
    expect((await keys(person, teacher.id)).length).toBeGreaterThan(3)
    expect(await own(person)).toBe(0)
    const added = await person.post<Row>('blade-system/role/submit', { roleName: '空', sort: 1 })
    expect(await keys(person, added.data.id)).toEqual([])
    // Whoever has the role may what it grants.
    const colleague = await world.colleague(person, [])
    expect((await colleague.get('blade-user/schoolclass/list')).status).toBe(403)
    await world.inTenant(person.tenantId, async (tx) => {
      await tx.run(
        sql`insert into app_user_role (tenant_id, owner_id, target_id, ord) values (${person.tenantId}, ${colleague.userId}, ${teacher.id}, 2)`,
      )
      await tx.run(sql`update grant_stamp set stamp = stamp + 1 where tenant_id = ${person.tenantId}`)
    })
    expect((await colleague.get('blade-user/schoolclass/list')).status).toBe(200)
    expect((await colleague.get('blade-user/student/list')).status).toBe(403)
  })

  it('makes it the tenant’s own when it changes what the role is granted, and stays so when all is taken away', async () => {
    const [one, other] = [await withRoles(), await withRoles()]
    const teacher = await roleOf(one, 'teacher')
    const before = await keys(one, teacher.id)
    expect((await roleOf(other, 'teacher')).id).toBe(teacher.id)
    const more = await world.menuIds(['student_view'])
    const grant = (menuIds: readonly string[]) =>
      one.post('blade-system/role/grant', { roleIds: [teacher.id], menuIds, dataScopeIds: [] })
    expect((await grant([...before, ...more])).status).toBe(200)
    expect((await keys(one, teacher.id)).sort()).toEqual([...before, ...more].sort())
    expect(await keys(other, teacher.id)).toEqual(before)
    expect([await own(one), await own(other)]).toEqual([before.length + 1, 0])
    const history = await one.get<{ changes: { before: unknown; after: unknown }[] }[]>('blade-system/role/history', {
      id: teacher.id,
    })
    expect(history.data).toHaveLength(1)
    expect((await grant([])).status).toBe(200)
    expect(await keys(one, teacher.id)).toEqual([])
    const heads = await roleOf(one, 'class-teacher')
    expect((await keys(one, heads.id)).length).toBeGreaterThan(5)
  })

  it('grants nothing to a role that was removed and is brought back', async () => {
    const person = await withRoles()
    const teacher = await roleOf(person, 'teacher')
    const gone = await person.remove('blade-system/role', teacher.id)
    expect(gone.status, gone.msg).toBe(200)
    const undone = await person.post('blade-log/history/undo', undefined, {
      query: { requestId: String(gone.headers['x-request-id']) },
    })
    expect(undone.status, undone.msg).toBe(200)
    expect((await roleOf(person, 'teacher')).id).toBe(teacher.id)
    expect(await keys(person, teacher.id)).toEqual([])
  })

  it('does not change with a version that grants more: only tenants made since have that', async () => {
    const before = await withRoles()
    const teacher = await roleOf(before, 'teacher')
    const granted = await keys(before, teacher.id)
    // As if an earlier version had granted one thing less.
    await world.owner.query(
      `delete from role_menu_shared where role_id = $1 and menu_id = (select id from menu where code = 'teacherclass_view')`,
      [teacher.id],
    )
    await seedDatabase(world.services)
    expect((await keys(before, teacher.id)).length).toBe(granted.length - 1)
    const after = await withRoles()
    const newer = await roleOf(after, 'teacher')
    expect(newer.id).not.toBe(teacher.id)
    expect((await keys(after, newer.id)).sort()).toEqual(granted.sort())
    await seedDatabase(world.services)
    expect((await roleOf(await withRoles(), 'teacher')).id).toBe(newer.id)
  })
})

it('D19 no request writes what is shared, and a connection without a tenant sees none of it', async () => {
  for (const table of sharedTables) {
    for (const target of [sharedName(table), seenName(table)])
      await expect(world.services.pool.query(`delete from ${target}`), target).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|55000)$/),
      })
    const { rows } = await world.services.pool.query(`select count(*)::int as n from ${seenName(table)}`)
    expect(rows[0].n, table).toBe(0)
  }
})
