import { createHash } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { largeObjectMakers, rolesOf } from '../src/database/roles.ts'
import { functions } from '../src/database/tables.ts'
import { platformTenant } from '../src/entity/model.ts'
import { makeWorld, type Person, type World } from './world.ts'

/*
 * Somebody has found a way to run statements of their own as the role of requests. What they may do then is what this
 * file says: every door of the database itself is tried.
 */

let world: World
let admin: Person
let client: pg.PoolClient
const roles = rolesOf(inject('database').template)

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  client = await world.services.pool.connect()
})
afterAll(async () => {
  client?.release(true)
  await world.close()
})

const looked = async <T extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.owner.query<T>(text, values)).rows

/** Runs statements of the attacker in a transaction of a tenant; nothing of it stays. */
async function attack(tenantId: string, ...statements: string[]): Promise<pg.QueryResult> {
  await client.query(`begin; set local app.tenant_id = '${tenantId}'`)
  try {
    let last: pg.QueryResult | undefined
    for (const statement of statements) last = await client.query(statement)
    return last!
  } finally {
    await client.query('rollback')
  }
}

const refused = (code = '42501') => ({ code })

describe('R-PROD-2 every function of the database', () => {
  it('is on the list, and is called by those alone who are named there', async () => {
    const found = await looked<{ name: string; callers: string[]; definer: boolean }>(
      `select p.oid::regprocedure::text as name, p.prosecdef as definer,
         array(select x.grantee::regrole::text from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee <> p.proowner) as callers
       from pg_proc p where p.pronamespace = 'public'::regnamespace
         and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
    )
    const wanted = Object.entries(functions).map(([name, { callers, definer }]) => ({
      name: name.replace('public.', '').replaceAll(', ', ','),
      definer: definer !== undefined,
      callers: callers.map((caller) => roles[caller]),
    }))
    expect(found.map((each) => ({ ...each, name: each.name.replaceAll(', ', ',') }))).toEqual(
      wanted.sort((one, other) => (one.name < other.name ? -1 : 1)),
    )
  })

  it('that does what its caller may not finds names in fixed places, and is owned by no superuser', async () => {
    const found = await looked<{ name: string; path: string | null; owner: string; superuser: boolean }>(
      `select p.oid::regprocedure::text as name, r.rolname as owner, r.rolsuper as superuser,
         (select setting from unnest(p.proconfig) setting where setting like 'search_path=%') as path
       from pg_proc p join pg_roles r on r.oid = p.proowner where p.prosecdef and p.pronamespace::regnamespace::text not like 'pg\\_%'`,
    )
    expect(found.length).toBe(Object.values(functions).filter(({ definer }) => definer).length)
    for (const each of found)
      expect(each).toMatchObject({
        path: 'search_path=pg_catalog, public, pg_temp',
        owner: roles.definer,
        superuser: false,
      })
  })

  it('that comes later is open to nobody by itself', async () => {
    await world.owner.query('create function public.later() returns int language sql as $$ select 1 $$')
    await expect(attack(admin.tenantId, 'select public.later()')).rejects.toMatchObject(refused())
    await world.owner.query('drop function public.later()')
  })

  it('is not made, and no role is taken, by whoever runs statements', async () => {
    for (const statement of [
      'create function pg_temp.now() returns timestamptz language sql as $$ select null::timestamptz $$',
      'create function public.f() returns int language sql as $$ select 1 $$',
      'create schema s',
      `set role ${roles.definer}`,
      `set role ${roles.platform}`,
      `grant ${roles.platform} to ${roles.app}`,
      `alter role ${roles.app} bypassrls`,
      'alter table student no force row level security',
      'create policy open on student using (true)',
      "select public.purge_tenant(current_setting('app.tenant_id'), array['history'])",
      'select public.sms_waiting()',
      'select public.mail_waiting()',
    ])
      await expect(attack(admin.tenantId, statement), statement).rejects.toMatchObject(refused())
  })
})

describe('R-PROD-2 the schema of the queue', () => {
  it('is given another number by nobody who runs statements: the owner would go by it at the next start', async () => {
    await expect(attack(admin.tenantId, 'update pgboss.version set version = 1')).rejects.toMatchObject(refused())
    await attack(admin.tenantId, 'update pgboss.version set cron_on = now()')
  })
})

describe('R-PROD-2 what PostgreSQL gives to everybody', () => {
  it('is taken away: temporary tables and large objects', async () => {
    for (const statement of [
      'create temporary table t (a int)',
      'select 1 as a into temporary t',
      'select lo_create(0)',
      'select lo_creat(-1)',
      `select lo_from_bytea(0, 'x')`,
      `select lo_import('/etc/hostname')`,
    ])
      await expect(attack(admin.tenantId, statement), statement).rejects.toMatchObject(refused())
    const [left] = await looked<{ temporary: number; makers: number }>(
      `select (select count(*)::int from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) x
           where d.datname = current_database() and x.grantee = 0 and x.privilege_type = 'TEMPORARY') as temporary,
         (select count(*)::int from unnest($1::text[]) as m(name), aclexplode(coalesce((select proacl from pg_proc where oid = m.name::regprocedure), acldefault('f', 10))) x where x.grantee = 0) as makers`,
      [[...largeObjectMakers]],
    )
    // A copy of a database does not bring along what is said of the database as a whole: the template is asked.
    expect(left!.makers).toBe(0)
  })
})

describe('R-PERM-5 power', () => {
  it('is in no hash that somebody can make: what is kept of a token is keyed', async () => {
    const [row] = await looked<{ access_hash: Buffer }>(
      'select access_hash from session where tenant_id = $1 and user_id = $2',
      [admin.tenantId, admin.userId],
    )
    expect(row!.access_hash.equals(world.services.cipher.token(admin.token))).toBe(true)
    const forged = `bsa_${admin.tenantId}_${'A'.repeat(43)}0000`
    await world.owner.query(
      `insert into session (tenant_id, id, user_id, client_id, access_hash, access_seal, access_expires, absolute_expires)
       values ($1, 1, $2, $3, $4, $4, now() + interval '1 hour', now() + interval '1 day')`,
      [admin.tenantId, admin.userId, world.services.secrets.clientId, createHash('sha256').update(forged).digest()],
    )
    expect((await world.call('GET', 'blade-auth/oauth/user-info', forged)).status).toBe(401)
  })

  it('ISSUE-13-C11 is in no hash of a token one holds that is copied to the session of another person', async () => {
    const other = await world.colleague(admin, ['student_view'])
    const info = async (token: string) => {
      const { status, data } = await world.call<{ account?: string }>('GET', 'blade-auth/oauth/user-info', token)
      return [status, data?.account]
    }
    expect(await info(other.token)).toEqual([200, expect.not.stringMatching(/^admin$/)])
    const { token: target } = await world.as(admin.tenantId, 'admin')
    const run = (text: string) => world.inTenant(admin.tenantId, (tx) => tx.run({ text, values: [] }))
    // The role itself may write it: the row of the session that one has gives all that it has to another's.
    const held = world.services.cipher.token(other.token).toString('hex')
    const theirs = world.services.cipher.token(target).toString('hex')
    const [row] = await looked<{ seal: string }>(
      `select encode(access_seal, 'hex') as seal from session where access_hash = decode($1, 'hex')`,
      [held],
    )
    await run(`delete from session where access_hash = '\\x${held}'`)
    await run(
      `update session set access_hash = '\\x${held}', access_seal = '\\x${row!.seal}' where access_hash = '\\x${theirs}'`,
    )
    expect(await info(other.token)).toEqual([401, undefined])
    // Nor as the token before the last exchange.
    await run(
      `update session set access_hash = '\\x00', prev_access_hash = '\\x${held}', prev_access_seal = '\\x${row!.seal}', prev_access_until = now() + interval '1 minute' where access_hash = '\\x${held}'`,
    )
    expect(await info(other.token)).toEqual([401, undefined])
  })

  it('is given to no role of a tenant that stands', async () => {
    const sql = (flag: number) =>
      `insert into role (tenant_id, id, role_name, role_alias, sort, is_admin) values ('${admin.tenantId}', 77, '我', 'me', 1, ${flag})`
    await expect(attack(admin.tenantId, sql(1))).rejects.toMatchObject(refused())
    await attack(admin.tenantId, sql(0))
    for (const statement of [
      'update role set is_admin = 1',
      `insert into role (tenant_id, id, role_name, role_alias, sort) values ('${admin.tenantId}', 77, '我', 'me', 1) on conflict (tenant_id, id) do update set is_admin = 1`,
    ])
      await expect(attack(admin.tenantId, statement), statement).rejects.toMatchObject(refused())
    // Nor by way of removing the one that there is.
    await expect(
      attack(admin.tenantId, 'delete from app_user_role', 'delete from role_menu', 'delete from role', sql(1)),
    ).rejects.toMatchObject(refused())
    await expect(attack(platformTenant, sql(1).replace(admin.tenantId, platformTenant))).rejects.toMatchObject(
      refused(),
    )
  })

  it('is in no session that was somebody else’s: a session stays that of its person', async () => {
    for (const column of ['user_id = 1', `client_id = 'x'`, 'id = 1', `absolute_expires = now() + interval '1 year'`])
      await expect(attack(platformTenant, `update session set ${column}`), column).rejects.toMatchObject(refused())
  })

  it('is in nothing that lets somebody else in: a refresh token keeps its session, a recovery code its person', async () => {
    for (const change of [
      'refresh_token set session_id = 1',
      `refresh_token set hash = 'x'`,
      `refresh_token set expires = now() + interval '1 year'`,
      'recovery_code set user_id = 1',
      `recovery_code set hash = 'x'`,
    ])
      await expect(attack(admin.tenantId, `update ${change}`), change).rejects.toMatchObject(refused())
    // What a log-in does with them goes on.
    await attack(admin.tenantId, 'update refresh_token set used_at = now()', 'update recovery_code set used_at = now()')
  })
})
