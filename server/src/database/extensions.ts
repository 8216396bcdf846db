import type pg from 'pg'
import { StartError } from '../start-error.ts'
import { applyMigration, type Migration } from './migrate.ts'
import { tenantTables } from './tables.ts'

/*
 * The tables of extensions. Each extension has a sequence of migrations of its own, kept by its name and their numbers;
 * what one brings stays in the database when it is not built in, and waits for it there.
 */

/** An extension as its migrations know it. */
export interface ExtensionTables {
  readonly name: string
  readonly migrations: readonly Migration[]
}

/** What extensions have done to a database: by name, the numbers of their migrations. */
async function doneBy(client: pg.ClientBase): Promise<Map<string, Set<number>>> {
  const there = (await client.query(`select 1 where to_regclass('extension_migration') is not null`)).rowCount
  const done = new Map<string, Set<number>>()
  if (!there) return done
  const { rows } = await client.query<{ extension: string; number: number }>(
    'select extension, number from extension_migration order by extension, number',
  )
  for (const { extension, number } of rows) done.set(extension, (done.get(extension) ?? new Set()).add(number))
  return done
}

/** The extensions that a database has had and that are not built in. */
export async function absentExtensions(
  client: pg.ClientBase,
  built: readonly Pick<ExtensionTables, 'name'>[],
): Promise<string[]> {
  return [...(await doneBy(client)).keys()].filter((name) => built.every((each) => each.name !== name))
}

/**
 * The migrations of extensions that a database has not had. Refuses a database that an extension has migrated further
 * than the one which is built in; one that is not built in at all stays as it is.
 */
export async function pendingOfExtensions(
  client: pg.ClientBase,
  built: readonly ExtensionTables[],
): Promise<{ readonly extension: ExtensionTables; readonly migration: Migration }[]> {
  if (built.length === 0) return []
  const done = await doneBy(client)
  for (const { name, migrations } of built) {
    const newest = migrations.at(-1)?.number ?? 0
    const found = Math.max(0, ...(done.get(name) ?? []))
    if (found > newest)
      throw new StartError(
        `扩展“${name}”的数据已由其更新的版本升级（有升级步骤 ${found}，本版本只到 ${newest}），因此未启动，也未作任何改动。请使用那个版本的扩展，或恢复升级前的备份。`,
        `The tables of the extension ${name} were migrated by a newer version of it (migration ${found}, this one's newest is ${newest}), so nothing was started and nothing was changed. Use that version of the extension, or bring back a backup from before.`,
      )
  }
  return built.flatMap((extension) =>
    extension.migrations
      .filter(({ number }) => !done.get(extension.name)?.has(number))
      .map((migration) => ({ extension, migration })),
  )
}

/**
 * Applies what is missing, each file in a transaction of its own, and keeps that the extension was there. Refuses, and
 * rolls back, a file that touches anything but the extension's tables, and tables that row-level security does not wall.
 */
export async function migrateExtensions(client: pg.ClientBase, built: readonly ExtensionTables[]): Promise<number> {
  const pending = await pendingOfExtensions(client, built)
  for (const { extension, migration } of pending) await apply(client, extension, migration, pending)
  if (built.length > 0)
    await client.query(
      `insert into extension_migration (extension, number, name) select name, 0, '' from unnest($1::text[]) name on conflict do nothing`,
      [built.map(({ name }) => name)],
    )
  return pending.length
}

async function apply(
  client: pg.ClientBase,
  { name: extension }: ExtensionTables,
  migration: Migration,
  pending: readonly { readonly extension: ExtensionTables; readonly migration: Migration }[],
): Promise<void> {
  const isLast = pending.findLast((each) => each.extension.name === extension)?.migration === migration
  const around = async (work: () => Promise<void>): Promise<void> => {
    const before = await shapeBeside(client, extension)
    await work()
    const after = await shapeBeside(client, extension)
    const touched = [...before]
      .filter((line) => !after.has(line))
      .concat([...after].filter((line) => !before.has(line)))
    if (touched.length > 0)
      throw new Error(`it changes what is not the extension's own: ${touched.slice(0, 5).join('; ')}`)
    if (isLast) await refuseUnwalled(client, extension)
    await client.query('insert into extension_migration (extension, number, name) values ($1, $2, $3)', [
      extension,
      migration.number,
      migration.name,
    ])
  }
  const { name } = migration
  await applyMigration(client, migration, `${extension}\\_%`, around).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error
    const { message } = error.cause as Error
    throw new StartError(
      `扩展“${extension}”的升级步骤 ${name} 失败，该步骤未作任何改动：${message}。请修正该扩展，或将其移除后再启动。`,
      `Migration ${name} of the extension ${extension} failed, and nothing of it was kept: ${message}. Mend the extension, or take it out, and start again.`,
      { cause: error.cause },
    )
  })
}

/** Everything in the database but an extension's own tables, and what hangs on them, line by line. */
async function shapeBeside(client: pg.ClientBase, extension: string): Promise<Set<string>> {
  const { rows } = await client.query<{ line: string }>(
    `with foreign_class as (
       select n.nspname || '.' || c.relname as name, c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname !~ '^(pg_|information_schema)' and not (n.nspname = 'public' and starts_with(c.relname, $1)))
     select concat_ws(' ', 'relation', name, relkind, relowner, relacl, relrowsecurity, relforcerowsecurity, reloptions) as line from foreign_class
     union all select concat_ws(' ', 'column', c.name, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attacl, pg_get_expr(d.adbin, d.adrelid))
       from foreign_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     union all select concat_ws(' ', 'constraint', c.name, k.conname, pg_get_constraintdef(k.oid)) from foreign_class c join pg_constraint k on k.conrelid = c.oid
     union all select concat_ws(' ', 'policy', c.name, p.polname, p.polcmd, p.polpermissive, p.polroles, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
       from foreign_class c join pg_policy p on p.polrelid = c.oid
     union all select concat_ws(' ', 'trigger', c.name, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled)
       from foreign_class c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
     union all select concat_ws(' ', 'view', c.name, md5(pg_get_viewdef(c.oid))) from foreign_class c where c.relkind in ('v', 'm')
     union all select concat_ws(' ', 'function', p.oid::regprocedure, p.proowner, p.proacl, md5(p.prosrc)) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname !~ '^(pg_|information_schema)' and not (n.nspname = 'public' and starts_with(p.proname, $1))
     union all select concat_ws(' ', 'schema', nspname, nspowner, nspacl) from pg_namespace where nspname !~ '^pg_'
     union all select concat_ws(' ', 'extension', extname) from pg_extension`,
    [`${extension}_`],
  )
  return new Set(rows.map(({ line }) => line))
}

/** Refuses tables of an extension that are no entity's, that are missing, or whose rows are not walled by their tenant. */
async function refuseUnwalled(client: pg.ClientBase, extension: string): Promise<void> {
  const { rows } = await client.query<{ name: string; walled: boolean }>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity and array(
         select concat_ws(' ', p.polname, p.polcmd, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
         from pg_policy p where p.polrelid = c.oid)::text[] = array[$2] as walled
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind not in ('i', 't', 'I') and starts_with(c.relname, $1)`,
    [`${extension}_`, wall],
  )
  const wanted = Object.keys(tenantTables).filter((name) => name.startsWith(`${extension}_`))
  const faults = [
    ...rows.filter(({ name }) => !wanted.includes(name)).map(({ name }) => `${name} is the table of no entity`),
    ...rows
      .filter(({ walled }) => !walled)
      .map(({ name }) => `${name} has not its tenant's wall of row-level security`),
    ...wanted.filter((name) => rows.every((row) => row.name !== name)).map((name) => `${name} is missing`),
  ]
  if (faults.length > 0) throw new Error(faults.join('; '))
}

const own = "(tenant_id = current_setting('app.tenant_id'::text, true))"
const wall = `tenant * ${own} ${own}`

/** Whether a role may work with the tables of the extensions that are built in: a database that was brought back may lack that. */
export async function mayWork(
  client: pg.ClientBase,
  role: string,
  built: readonly ExtensionTables[],
): Promise<boolean> {
  const tables = Object.keys(tenantTables).filter((table) => built.some(({ name }) => table.startsWith(`${name}_`)))
  if (tables.length === 0) return true
  const { rows } = await client.query<{ may: boolean | null }>(
    `select bool_and(has_table_privilege($1, t, 'insert')) as may from unnest($2::text[]) t where to_regclass(t) is not null`,
    [role, tables],
  )
  return rows[0]?.may !== false
}

/** What carries the names of extensions among what the core keeps, and the column that carries them. */
const named = [
  ['menu', 'code'],
  ['dict', 'code'],
  ['dict_biz', 'code'],
  ['dict_biz_shared', 'code'],
  ['top_menu', 'code'],
  ['top_menu_shared', 'code'],
  ['data_scope', 'scope_class'],
] as const

/**
 * Hides what extensions that are not built in have left among the core's own: menus with their permission codes,
 * dictionaries, data scopes. The rows stay, with all that was granted by them, and are seen again when the extension is
 * back. It is a policy of row-level security, so that no reader can forget it; without such extensions there is none.
 */
export async function hideAbsent(client: pg.ClientBase, absent: readonly string[]): Promise<void> {
  const strange = absent.find((name) => !/^[a-z][a-z0-9]*$/.test(name))
  if (strange !== undefined) throw new Error(`not the name of an extension: ${strange}`)
  const wanted = absent.join(',')
  const { rows } = await client.query<{ hidden: string }>(
    `select obj_description(oid, 'pg_policy') as hidden from pg_policy where polname = 'absent' and polrelid = 'menu'::regclass`,
  )
  if ((rows[0]?.hidden ?? '') === wanted) return
  const list = absent.map((name) => `'${name}'`).join(', ')
  const statements = named.flatMap(([table, column]) => {
    const ofTenants = table in tenantTables
    return [
      `drop policy if exists absent on ${table}`,
      ...(ofTenants ? [] : [`drop policy if exists everyone on ${table}`]),
      ...(absent.length === 0 && !ofTenants ? [`alter table ${table} disable row level security`] : []),
      ...(absent.length === 0
        ? []
        : [
            ...(ofTenants
              ? []
              : [
                  `alter table ${table} enable row level security`,
                  `create policy everyone on ${table} using (true) with check (true)`,
                ]),
            `create policy absent on ${table} as restrictive using (split_part(${column}, '_', 1) not in (${list})) with check (true)`,
          ]),
    ]
  })
  if (absent.length > 0) statements.push(`comment on policy absent on menu is '${wanted}'`)
  await client.query(`begin; ${statements.join('; ')}; commit`)
}
