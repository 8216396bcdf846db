import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { tableOf } from '../src/database/name.ts'
import { tenantTables } from '../src/database/tables.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** R-PROD-2: nothing that one tenant calls reads, changes, counts or confirms a row of another. */

let world: World
let victim: Person
let thief: Person
/** Ids of the victim, by entity; every text of the victim carries the mark. */
const ids = new Map<string, string>()
const mark = '甲方机密'

const routes = allRoutes().filter((route) => route.access !== 'public')

beforeAll(async () => {
  world = await makeWorld()
  victim = await world.tenant()
  thief = await world.tenant()
  for (const entity of entities) {
    if (['user', 'attach', 'dept', 'role', 'dictbiz', 'studentclass'].includes(entity.name)) continue
    const { draft, made } = await sample(victim, entity)
    const [name] =
      Object.entries(entity.fields).find(
        ([, field]) => field.kind === 'text' && !field.rule && !field.computed && (field.max ?? 0) >= 20,
      ) ?? []
    const answer = await victim.post<{ id: string }>(
      `${entity.path}/submit`,
      name ? { ...draft, [name]: `${mark}${ids.size}` } : draft,
    )
    if (answer.code === 200) ids.set(entity.name, answer.data.id)
    for (const [other, id] of made) if (!ids.has(other)) ids.set(other, id)
  }
  ids.set('user', victim.userId)
  for (const entity of entities) {
    if (ids.has(entity.name)) continue
    const { rows } = await world.owner.query(`select id from ${tableOf(entity)} where tenant_id = $1 limit 1`, [
      victim.tenantId,
    ])
    if (rows[0]) ids.set(entity.name, rows[0].id)
  }
})
afterAll(() => world.close())

/** A fingerprint of everything that the victim owns. */
async function fingerprint(): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  for (const table of Object.keys(tenantTables)) {
    if (table === 'session') continue
    const { rows } = await world.owner.query(
      `select count(*) || ':' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${table} t where tenant_id = $1`,
      [victim.tenantId],
    )
    prints[table] = rows[0].print
  }
  return prints
}

describe('R-PROD-2 two tenants', () => {
  it('walks every call that there is', () => {
    expect(routes.length).toBeGreaterThan(150)
    expect(ids.size).toBeGreaterThan(20)
  })

  it('R-AUTH-7 answers 401 to every call without a session, before anything else is looked at', async () => {
    for (const route of routes) {
      const answer = await world.call(route.method, route.path.slice(1), null, {
        query: { id: 'x', ids: "'" },
        ...(route.method === 'POST' ? { body: { a: 1 } } : {}),
      })
      expect([route.path, answer.status]).toEqual([route.path, 401])
      const forged = await world.call(route.method, route.path.slice(1), `bsa_${victim.tenantId}_${'A'.repeat(43)}0000`)
      expect([route.path, forged.status]).toEqual([route.path, 401])
    }
  })

  it('gives nothing, changes nothing and confirms nothing, whatever ids of the other tenant are tried in every call', async () => {
    const before = await fingerprint()
    const all = [...ids.values()]
    const suspicious: string[] = []
    for (const route of routes) {
      if (route.path.endsWith('oauth/logout')) continue
      const own = ids.get(route.tag ?? '') ?? all[0]!
      const tries: Record<string, string>[] = [
        Object.fromEntries(
          Object.entries(route.parameters ?? {}).map(([name, parameter]) => [
            name,
            parameter.kind === 'ids' || parameter.kind === 'texts'
              ? all.slice(0, 60).join(',')
              : parameter.kind === 'tenant'
                ? victim.tenantId
                : parameter.kind === 'integer'
                  ? '1'
                  : parameter.kind === 'id'
                    ? own
                    : '',
          ]),
        ),
        {
          id: own,
          ids: own,
          tenantId: victim.tenantId,
          parentId: own,
          schoolId: ids.get('school')!,
          userIds: victim.userId,
          roleIds: ids.get('role')!,
          keyword: mark,
        },
      ]
      for (const query of tries) {
        const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
        const body =
          route.method === 'POST'
            ? {
                ...filled,
                roleIds: [ids.get('role')],
                menuIds: [],
                userIds: victim.userId,
                userId: victim.userId,
                status: 9,
              }
            : undefined
        const answer = await world.call(route.method, route.path.slice(1), thief.token, {
          query: filled,
          ...(body ? { body } : {}),
          headers: { 'tenant-id': victim.tenantId },
        })
        const text = JSON.stringify(answer.data ?? null)
        if (answer.status >= 500) suspicious.push(`${route.method} ${route.path}: ${answer.status}`)
        if (text.includes(mark) || text.includes(`"tenantId":"${victim.tenantId}"`))
          suspicious.push(`${route.method} ${route.path}: ${text.slice(0, 200)}`)
        if (
          answer.status === 200 &&
          /"(id|userId)":"(\d+)"/g.test(text) &&
          all.some((id) => text.includes(`"id":"${id}"`))
        )
          suspicious.push(`${route.method} ${route.path} confirms an id: ${text.slice(0, 200)}`)
      }
    }
    expect(suspicious).toEqual([])
    expect(await fingerprint()).toEqual(before)
  })

  it('lets the database itself refuse a reference across tenants, for every foreign key', async () => {
    const { rows: keys } = await world.owner.query<{ name: string; table: string; column: string; target: string }>(
      `select c.conname as name, c.conrelid::regclass::text as table, c.confrelid::regclass::text as target,
         (select a.attname from pg_attribute a where a.attrelid = c.conrelid and a.attnum = c.conkey[array_upper(c.conkey, 1)]) as column
       from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
    )
    const own = keys.filter((key) => key.table in tenantTables && key.target in tenantTables)
    expect(own.length).toBeGreaterThan(60)
    let tried = 0
    for (const key of own) {
      const { rows: mine } = await world.owner.query(`select 1 from ${key.table} where tenant_id = $1 limit 1`, [
        victim.tenantId,
      ])
      const { rows: theirs } = await world.owner.query(`select * from ${key.target} where tenant_id = $1 limit 1`, [
        thief.tenantId,
      ])
      if (mine.length === 0 || theirs.length === 0 || !('id' in theirs[0])) continue
      tried += 1
      await world.owner.query('begin')
      await expect(
        world.owner.query(
          `update ${key.table} set ${key.column} = $1 where ctid = (select ctid from ${key.table} where tenant_id = $2 limit 1)`,
          [theirs[0].id, victim.tenantId],
        ),
        `${key.table}.${key.column}`,
      ).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
      await world.owner.query('rollback')
    }
    expect(tried).toBeGreaterThan(15)
  })
})
