import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { StartError } from '../start-error.ts'
import { platformTables, tenantTables } from './tables.ts'

const folder = [join(import.meta.dirname, 'migrations'), join(import.meta.dirname, 'database', 'migrations')].find(
  existsSync,
)

export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
}

/** The numbered SQL files, in order. Throws when there is none: a check that saw nothing fails. */
export async function readMigrations(): Promise<Migration[]> {
  if (!folder) throw new Error('the folder of migrations is missing')
  const files = (await readdir(folder)).filter((file) => /^[0-9]{4}_.+\.sql$/.test(file)).sort()
  if (files.length === 0) throw new Error(`no migration in ${folder}`)
  return Promise.all(
    files.map(async (name) => ({
      number: Number(name.slice(0, 4)),
      name,
      text: await readFile(join(folder, name), 'utf8'),
    })),
  )
}

const migrationLock = 2024112101

/** Works while no other process brings the same database up to date: of two that start at once, the second finds it done. */
export async function alone<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  await client.query('select pg_advisory_lock($1)', [migrationLock])
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock])
  }
}

/**
 * Brings the database to the newest schema, each file in its own transaction, under a lock so that of two processes
 * one migrates and the other waits. Refuses a database that a newer version has migrated.
 */
export function migrate(client: pg.ClientBase, upTo = Number.POSITIVE_INFINITY): Promise<number> {
  return alone(client, async () => {
    const pending = await pendingMigrations(client)
    await client.query(
      'create table if not exists migration (number integer primary key, name text not null, at timestamptz not null default now())',
    )
    let applied = 0
    for (const migration of pending) {
      if (migration.number > upTo) continue
      await client.query('begin')
      try {
        const forced = await unforce(client)
        await client.query(migration.text)
        await force(client, forced)
        await client.query('insert into migration (number, name) values ($1, $2)', [migration.number, migration.name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw migrationFailed(migration, error as Error)
      }
      applied += 1
    }
    return applied
  })
}

/**
 * Lets the owner see the rows of all tenants until the transaction ends: forced row-level security would hide them from
 * one that is no superuser, and what a migration changes would touch nothing. Answers the tables it is lifted from.
 */
async function unforce(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relforcerowsecurity and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by oid`,
  )
  const tables = rows.map(({ name }) => name)
  await client.query(tables.map((name) => `alter table ${name} no force row level security`).join(';'))
  return tables
}

async function force(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [tables],
  )
  // What waits for the end of the transaction would hold up the change of a table.
  const statements = [
    'set constraints all immediate',
    ...rows.map(({ name }) => `alter table ${name} force row level security`),
  ]
  await client.query(statements.join(';'))
}

/** The migrations that a database has not had. Refuses a database that has had one which this version does not know. */
export async function pendingMigrations(client: pg.ClientBase): Promise<Migration[]> {
  const migrations = await readMigrations()
  const there = (await client.query(`select 1 where to_regclass('migration') is not null`)).rowCount
  const done = there
    ? (await client.query<{ number: number }>('select number from migration')).rows.map((row) => row.number)
    : []
  const newest = migrations.at(-1)!.number
  const found = Math.max(...done, 0)
  if (found > newest)
    throw new StartError(
      `该数据库已由更新的版本升级（结构 ${found}，本版本只到 ${newest}），因此未启动，也未作任何改动。请启动那个版本，或恢复升级前的备份。`,
      `This database was migrated by a newer version (migration ${found}; this one knows ${newest}), so nothing was started and nothing was changed. Start that version, or bring back a backup from before.`,
    )
  return migrations.filter(({ number }) => !done.includes(number))
}

function migrationFailed({ name }: Migration, cause: Error): StartError {
  return new StartError(
    `升级步骤 ${name} 失败，该步骤未作任何改动：${cause.message}。请用原来的版本启动，并报告此问题。`,
    `Migration ${name} failed, and nothing of it was kept: ${cause.message}. Start the former version again, and report this.`,
    { cause },
  )
}

export interface Roles {
  readonly app: string
  readonly platform: string
}

const roleName = /^[a-z_][a-z0-9_]{0,62}$/

/** Role names of a database: roles belong to the whole server, so they carry the database's name. */
export function rolesOf(database: string): Roles {
  const stem = database
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .slice(0, 40)
  return { app: `${stem}_app`, platform: `${stem}_platform` }
}

/**
 * Makes the app role and the platform role when missing, sets their passwords, and grants exactly what tables.ts says.
 * Neither is a superuser, owns a table, or may bypass row-level security.
 */
export async function ensureRoles(
  client: pg.ClientBase,
  roles: Roles,
  passwords: { app: string; platform: string },
): Promise<void> {
  for (const [role, password] of [
    [roles.app, passwords.app],
    [roles.platform, passwords.platform],
  ] as const) {
    if (!roleName.test(role)) throw new Error(`not a role name: ${role}`)
    const literal = pgLiteral(password)
    const exists = (await client.query('select 1 from pg_roles where rolname = $1', [role])).rowCount
    // An owner who may make roles but is no superuser may not even repeat what a role is not.
    await client.query(
      exists
        ? `alter role ${role} login password ${literal}`
        : `create role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole password ${literal}`,
    )
    await client.query(`grant usage on schema public to ${role}`)
  }
  const existing = new Set(
    (await client.query<{ tablename: string }>(`select tablename from pg_tables where schemaname = 'public'`)).rows.map(
      (row) => row.tablename,
    ),
  )
  const statements: string[] = ['revoke create on schema public from public']
  for (const [table, kind] of Object.entries(tenantTables)) {
    if (!existing.has(table)) continue
    statements.push(
      `grant ${kind === 'append' ? 'select, insert' : 'select, insert, update, delete'} on ${table} to ${roles.app}`,
      `grant select on ${table} to ${roles.platform}`,
    )
  }
  for (const [table, { app, platform }] of Object.entries(platformTables)) {
    if (!existing.has(table)) continue
    if (app === 'read') statements.push(`grant select on ${table} to ${roles.app}`)
    if (platform !== 'none') statements.push(`grant select, insert, update, delete on ${table} to ${roles.platform}`)
  }
  // What the platform's administrators change has a history and stamps like everything else, in their own tenant.
  statements.push(
    `grant insert on history to ${roles.platform}`,
    `grant insert, update on entity_stamp, grant_stamp to ${roles.platform}`,
    `grant update (last_used) on session to ${roles.platform}`,
    `grant insert, update, delete on request_key to ${roles.platform}`,
    `grant execute on function purge_tenant(text, text[]) to ${roles.platform}`,
    // What the platform's administrators ask for is put to work in the transaction that asks.
    `grant insert, update on job to ${roles.platform}`,
    `grant usage on schema pgboss to ${roles.app}, ${roles.platform}`,
    `grant select, insert, update, delete on pgboss.job, pgboss.job_common, pgboss.job_dependency, pgboss.queue, pgboss.schedule, pgboss.warning to ${roles.app}`,
    `grant select, update on pgboss.version to ${roles.app}`,
    `grant select, insert on pgboss.job, pgboss.job_common to ${roles.platform}`,
    `grant select on pgboss.queue to ${roles.platform}`,
  )
  statements.push(
    `drop policy if exists platform on tenant`,
    `create policy platform on tenant to ${roles.platform} using (true) with check (true)`,
    `grant usage on sequence node_number to ${roles.app}`,
  )
  await client.query(statements.join(';\n'))
}

const pgLiteral = (text: string): string => {
  if (!/^[A-Za-z0-9_-]{16,}$/.test(text)) throw new Error('a role password must be made of letters, digits, _ and -')
  return `'${text}'`
}
