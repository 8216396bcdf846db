import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { StartError } from '../start-error.ts'

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

/** Runs `work` under the advisory lock of migrations: of two processes that start at once, the second waits and finds them applied. */
export async function withMigrationLock<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
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
 * one migrates and the other waits. Refuses a database that a newer version has migrated. Migrations read `tokenPads`,
 * by which hashes of tokens are keyed (kernel/cipher.ts), as the setting app.token_pads.
 */
export function migrate(
  client: pg.ClientBase,
  upTo = Number.POSITIVE_INFINITY,
  { tokenPads = '' }: { readonly tokenPads?: string } = {},
): Promise<number> {
  return withMigrationLock(client, async () => {
    const pending = await pendingMigrations(client)
    await client.query(
      'create table if not exists migration (number integer primary key, name text not null, at timestamptz not null default now())',
    )
    // Beside it what extensions have done, each in a sequence of its own (extensions.ts).
    await client.query(
      'create table if not exists extension_migration (extension text not null, number integer not null, name text not null, at timestamptz not null default now(), primary key (extension, number))',
    )
    let applied = 0
    for (const migration of pending) {
      if (migration.number > upTo) continue
      await applyMigration(client, migration, '%', async (work) => {
        await client.query(`select set_config('app.token_pads', $1, true)`, [tokenPads])
        await work()
        await client.query('insert into migration (number, name) values ($1, $2)', [migration.number, migration.name])
      })
      applied += 1
    }
    return applied
  })
}

/**
 * Applies one file in a transaction of its own, in which the owner sees the rows of all tenants in the tables whose names
 * are `like` that. `around` does what belongs to it in the same transaction.
 */
export async function applyMigration(
  client: pg.ClientBase,
  migration: Migration,
  like: string,
  around: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await client.query('begin')
  try {
    await around(async () => {
      const forced = await unforce(client, like)
      await client.query(migration.text)
      await force(client, forced)
    })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw migrationFailed(migration, error as Error)
  }
}

/**
 * Lets the owner see the rows of all tenants until the transaction ends: forced row-level security would hide them from
 * one that is no superuser, and what a migration changes would touch nothing. Answers the tables it is lifted from.
 */
async function unforce(client: pg.ClientBase, like: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relforcerowsecurity and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname like $1 order by oid`,
    [like],
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
  // One that other sources have given a number in between is as foreign as a newer one.
  const unknown = done.filter((number) => migrations.every((each) => each.number !== number))
  const found = Math.max(...unknown, 0)
  if (found > 0)
    throw new StartError(
      `该数据库已由更新的版本升级（有本版本没有的升级步骤 ${found}，本版本只到 ${newest}），因此未启动，也未作任何改动。请启动那个版本，或恢复升级前的备份。`,
      `This database was migrated by a newer version (migration ${found}, which this one has not; its newest is ${newest}), so nothing was started and nothing was changed. Start that version, or bring back a backup from before.`,
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
