import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { migrate, readMigrations } from '../src/database/migrate.ts'
import { tenantTables } from '../src/database/tables.ts'
import { columnsOf, fill } from './migrate-fill.ts'

/*
 * Databases of earlier versions, filled with whatever these allowed, are migrated step by step by an owner that is no
 * superuser: each step is killed before its end once, and done then.
 */

const folder = join(import.meta.dirname, 'upgrade')
const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))

describe('R-PROD-2 the migrations', () => {
  it('are numbered without a gap, but for the numbers that CONTRIBUTING names', async () => {
    const numbers = new Set((await readMigrations()).map(({ number }) => number))
    const missing = Array.from({ length: Math.max(...numbers) }, (_, at) => at + 1).filter((each) => !numbers.has(each))
    expect(missing).toEqual([13, 31, 32, 33, 36, 37, 38])
  })
})

describe.each(files)('R-PROD-2 a database of %s, by an ordinary owner', (file) => {
  const { owner } = inject('database')
  const name = `odd_${randomBytes(4).toString('hex')}`
  const role = `${name}_owner`
  const from = Number(file.slice(0, 4))
  let admin: pg.Client
  let look: pg.Client
  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url })
    // One of them is killed.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const asOwner = (): Promise<pg.Client> =>
    connect(changeAddress(owner, { database: name, user: role, password: 'only-for-a-test' }))
  /** What a step does before its own: the owner sees the rows of all tenants. */
  const unforced = async (): Promise<string> =>
    (
      await look.query<{ name: string }>(
        `select relname as name from pg_class where relforcerowsecurity and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
      )
    ).rows
      .map(({ name: table }) => `alter table ${table} no force row level security;`)
      .join(' ')
  const one = async <T>(text: string, values: unknown[] = []): Promise<T> =>
    (await look.query(text, values)).rows[0] as T

  beforeAll(async () => {
    admin = await connect(owner)
    await admin.query(`create role ${role} login createrole password 'only-for-a-test'`)
    await admin.query(`create database ${name} owner ${role}`)
    const first = await asOwner()
    await migrate(first, from)
    await first.end()
    look = await connect(changeAddress(owner, { database: name }))
    await look.query(`begin; ${readFileSync(join(folder, file), 'utf8')} commit`)
  })
  afterAll(async () => {
    await look?.end()
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${role}`)
    await admin.end()
  })

  it('is filled with nothing, and with odd texts, wherever its version takes them', async () => {
    const { changed } = await fill(look)
    expect(changed).toBeGreaterThan(500)
    if (from === 3)
      await look.query(`update tenant set linkman = null, contact_number = null where tenant_id = '200001'`)
  })

  it('goes through every step, one that was killed before its end too, and is as forced as before', async () => {
    const before = await one<{ n: number; files: number }>(
      `select (select count(*)::int from app_user) as n, (select count(*)::int from attach) as files`,
    )
    const steps = (await readMigrations()).filter(({ number }) => number > from)
    const everEmpty = new Map<string, number>()
    for (const { number, text } of steps) {
      const known = await columnsOf(look)
      const killed = await asOwner()
      await killed.query(`begin; ${await unforced()} ${/force row level/.test(text) ? '' : text}`)
      const { rows } = await killed.query<{ pid: number }>('select pg_backend_pid() as pid')
      await look.query('select pg_terminate_backend($1)', [rows[0]!.pid])
      await killed.end().catch(() => {})
      const client = await asOwner()
      expect(await migrate(client, number), String(number)).toBe(1)
      expect(await migrate(client, number), 'a second time').toBe(0)
      await client.end()
      if (number === 6)
        expect(await one('select count(*)::int as n from attach where used_at is null')).toEqual({ n: 0 })
      // Each version leaves its own tables and columns filled for the next.
      const { empty } = await fill(look, known)
      for (const table of empty) everEmpty.set(table, number)
      const { rows: open } = await look.query<{ name: string }>(
        `select relname as name from pg_class c where relkind in ('r', 'p') and relrowsecurity and not relforcerowsecurity
           and relnamespace = 'public'::regnamespace`,
      )
      expect(open, `left open by ${number}`).toEqual([])
    }
    expect([...everEmpty]).toEqual([])
    const { rows: forced } = await look.query<{ name: string }>(
      `select relname as name from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
    )
    const names = new Set(forced.map((each) => each.name))
    expect(Object.keys(tenantTables).filter((table) => !names.has(table))).toEqual([])
    expect(
      await one(`select (select count(*)::int from app_user) as n, (select count(*)::int from attach) as files`),
    ).toEqual(before)
    // The rules that the generator kept unseen are rows of every semester that has a plan.
    expect(
      await one(
        `select count(*)::int > 0 as some, count(*) filter (where r.rules < 2)::int as without
         from (select distinct tenant_id, semester_id from timetableplan) p
           cross join lateral (select count(*) as rules from timetablerule r
             where r.tenant_id = p.tenant_id and r.semester_id = p.semester_id) r`,
      ),
    ).toEqual({ some: true, without: 0 })
    // What a migration changes, it has changed for every tenant.
    expect(await one(`select count(*)::int as n from tenant where linkman = '-'`)).toEqual({ n: 0 })
  })

  it('lets a migration see the rows of all tenants', async () => {
    const client = await asOwner()
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from app_user')
    expect(rows[0]!.n, 'outside a migration').toBe(0)
    expect((await one<{ n: number }>('select count(*)::int as n from app_user')).n).toBeGreaterThan(0)
    await client.end()
  })
})
