import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { platformTables, tenantTables } from '../src/database/tables.ts'
import { oneOfEach } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** R-PROD-2: nothing that one tenant calls reads, changes, counts or confirms a row of another. */

let world: World
let victim: Person
let thief: Person
/** Ids of the victim, and of what the platform's administrators alone see, by entity; their names carry the mark. */
let ids: Map<string, string>
const mark = '甲方机密'

const routes = allRoutes().filter((route) => route.access !== 'public')

beforeAll(async () => {
  world = await makeWorld()
  victim = await world.tenant()
  thief = await world.tenant()
  ids = await oneOfEach(world, victim, mark)
})
afterAll(() => world.close())

/** A fingerprint of everything that the victim owns, and of everything that all tenants share. */
async function fingerprint(): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  const take = async (table: string, where: string): Promise<void> => {
    const { rows } = await world.owner.query(
      `select count(*) || ':' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${table} t where ${where}`,
    )
    prints[table] = rows[0].print
  }
  // That somebody tried is in the victim's log of refused calls, and is meant to be.
  for (const table of Object.keys(tenantTables))
    if (table !== 'session' && !table.startsWith('log_')) await take(table, `tenant_id = '${victim.tenantId}'`)
  for (const table of Object.keys(platformTables)) await take(table, 'true')
  return prints
}

describe('R-PROD-2 two tenants', () => {
  it('walks every call that there is', () => {
    expect(routes.length).toBeGreaterThan(150)
    expect(entities.filter(({ name, readOnly }) => !ids.has(name) && !readOnly).map(({ name }) => name)).toEqual([
      'attach',
    ])
  })

  it('R-AUTH-7 answers 401 to every call without a session, before anything else is looked at', {
    timeout: 120_000,
  }, async () => {
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

  it('gives nothing, changes nothing and confirms nothing, whatever ids of the other tenant are tried in every call', {
    timeout: 120_000,
  }, async () => {
    const before = await fingerprint()
    const all = [...ids.values()]
    const suspicious: string[] = []
    for (const route of routes) {
      if (/oauth\/logout$|session\/lock$/.test(route.path)) continue
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
                    : name === 'format'
                      ? 'csv'
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
          format: 'csv',
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
    expect(suspicious.join('\n')).toBe('')
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
