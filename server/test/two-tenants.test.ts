import { entities, entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { platformTables, tenantTables } from '../src/database/tables.ts'
import { allModels, modelOf } from '../src/entity/model.ts'
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
    expect(entities.filter(({ name, readOnly }) => !ids.has(name) && !readOnly).map(({ name }) => name)).toEqual([])
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

  it('R-SCHOOL-17 lets the database itself refuse a reference across tenants, for every foreign key', async () => {
    const { owner } = world
    const { rows: keys } = await owner.query<Key>(
      `select c.conname as name, c.conrelid::regclass::text as table, c.confrelid::regclass::text as target,
         array(select a.attname::text from unnest(c.conkey) with ordinality k(n, o) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.o) as columns,
         array(select a.attname::text from unnest(c.confkey) with ordinality k(n, o) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.o) as aims
       from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0`,
    )
    const own = keys.filter((key) => key.table in tenantTables && key.target in tenantTables)
    expect(own.length).toBeGreaterThan(60)
    // Each reference that a definition names is among them.
    const kept = new Set(own.map(({ table, columns }) => `${table}.${columns.at(-1)}`))
    for (const { entity, table, fields, platform } of allModels())
      for (const field of platform ? [] : fields) {
        if (!field.to || modelOf(entityOf(field.to)).platform || field.computed) continue
        const place = field.kind === 'references' ? `${field.linkTable}.target_id` : `${table}.${field.column}`
        expect(kept, `${entity.name}.${field.name}`).toContain(place)
      }
    const wrong: string[] = []
    await owner.query('begin')
    for (const key of own) {
      await owner.query('savepoint whole')
      const made = await rowsAround(key)
      // Within the tenant it is taken, so that what follows is refused for the tenant and nothing else.
      const taken = await tried(() => made.point(thief.tenantId))
      if (taken !== 'taken') wrong.push(`${key.table} ${key.name} within a tenant: ${taken}`)
      const refused = await tried(() => made.point(victim.tenantId))
      if (refused !== '23503') wrong.push(`${key.table} ${key.name} across tenants: ${refused}`)
      await owner.query('rollback to whole')
    }
    await owner.query('rollback')
    expect(wrong).toEqual([])
  })
})

interface Key {
  readonly name: string
  readonly table: string
  readonly target: string
  readonly columns: readonly string[]
  readonly aims: readonly string[]
}

/** What the database says to an attempt within a transaction that goes on. */
async function tried(act: () => Promise<unknown>): Promise<string> {
  await world.owner.query('savepoint attempt')
  try {
    await act()
    await world.owner.query('release attempt')
    return 'taken'
  } catch (error) {
    await world.owner.query('rollback to attempt')
    return String((error as { code?: string }).code)
  }
}

/** A row of the thief's that a foreign key may aim at, and rows that aim at it: of nothing but the columns of keys. */
async function rowsAround(key: Key): Promise<{ point: (tenantId: string) => Promise<unknown> }> {
  const { owner } = world
  // What else the two tables demand of a row is lifted: it is another test's, and the transaction ends in a rollback.
  for (const table of new Set([key.table, key.target])) {
    const { rows } = await owner.query<{ part: string }>(
      `select 'drop constraint ' || quote_ident(conname) as part from pg_constraint
         where conrelid = $1::regclass and contype in ('c', 'x', 'f') and conname <> $2
       union all
       select 'alter column ' || quote_ident(attname) || ' drop not null' from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and attnotnull and not attisdropped and attnum <> all (
           select unnest(conkey) from pg_constraint where conrelid = $1::regclass and contype = 'p')`,
      [table, key.name],
    )
    if (rows.length > 0) await owner.query(`alter table ${table} ${rows.map(({ part }) => part).join(', ')}`)
  }
  let counter = 0
  const insert = async (table: string, given: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> => {
    const { rows: columns } = await owner.query<{ name: string; type: string }>(
      `select a.attname::text as name, t.typname::text as type from pg_attribute a join pg_type t on t.oid = a.atttypid
         join pg_constraint c on c.conrelid = a.attrelid and c.contype = 'p' and a.attnum = any (c.conkey) where a.attrelid = $1::regclass`,
      [table],
    )
    const made = Object.fromEntries(
      columns.map(({ name, type }) => {
        counter += 1
        const value = /^timestamp|^date/.test(type)
          ? new Date()
          : type.endsWith('range')
            ? `[${counter},${counter}]`
            : counter
        return [name, value]
      }),
    )
    const row = { ...made, ...given }
    const names = Object.keys(row)
    const { rows } = await owner.query(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning *`,
      Object.values(row),
    )
    return rows[0]
  }
  // Parts of the aim beside tenant and id, such as its school.
  const parts = Object.fromEntries(key.aims.map((name, at) => [name, 900 + at]))
  const aim = await insert(key.target, { ...parts, tenant_id: thief.tenantId })
  const pointing = Object.fromEntries(key.columns.map((column, at) => [column, aim[key.aims[at]!]]))
  return { point: (tenantId) => insert(key.table, { ...pointing, tenant_id: tenantId }) }
}
