import type pg from 'pg'
import { functions, neverChanged, platformTables, seenViews, tenantTables } from './tables.ts'

export interface Roles {
  readonly app: string
  readonly platform: string
  /** Owns the functions that do what their caller may not, has just the rights that they need, and logs in nowhere. */
  readonly definer: string
}

const roleName = /^[a-z_][a-z0-9_]{0,62}$/

/** Role names of a database: roles belong to the whole server, so they carry the database's name. */
export function rolesOf(database: string): Roles {
  const stem = database
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .slice(0, 40)
  return { app: `${stem}_app`, platform: `${stem}_platform`, definer: `${stem}_definer` }
}

/**
 * Makes the roles when missing, sets the passwords of those that log in, and grants exactly what tables.ts says. None is a
 * superuser, owns a table, or may bypass row-level security.
 */
export async function ensureRoles(
  client: pg.ClientBase,
  roles: Roles,
  passwords: { app: string; platform: string },
): Promise<void> {
  for (const [role, password] of [
    [roles.app, passwords.app],
    [roles.platform, passwords.platform],
    [roles.definer, undefined],
  ] as const) {
    if (!roleName.test(role)) throw new Error(`not a role name: ${role}`)
    const login = password === undefined ? 'nologin' : `login password ${pgLiteral(password)}`
    const exists = (await client.query('select 1 from pg_roles where rolname = $1', [role])).rowCount
    // An owner who may make roles but is no superuser may not even repeat what a role is not.
    await client.query(
      exists
        ? `alter role ${role} ${login}`
        : `create role ${role} nosuperuser nobypassrls nocreatedb nocreaterole ${login}`,
    )
    await client.query(`grant usage on schema public to ${role}`)
  }
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select c.relname as "table", array_agg(quote_ident(a.attname) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') group by 1`,
  )
  const existing = new Map(rows.map(({ table, columns }) => [table, columns]))
  const statements: string[] = ['revoke create on schema public from public']
  for (const [table, kind] of Object.entries(tenantTables)) {
    const columns = existing.get(table)
    if (!columns) continue
    const fixed = neverChanged[table]
    const updating = fixed ? `update (${columns.filter((name) => !fixed.includes(name)).join(', ')})` : 'update'
    statements.push(
      ...(fixed ? [`revoke update on ${table} from ${roles.app}`] : []),
      `grant select, insert${kind === 'append' ? '' : `, delete, ${updating}`} on ${table} to ${roles.app}`,
      `grant select on ${table} to ${roles.platform}`,
      `grant select, delete on ${table} to ${roles.definer}`,
    )
  }
  // Tables of extensions that are not built in are nobody's to work with; with their tenant its rows go all the same.
  const { rows: walled } = await client.query<{ table: string }>(
    `select c.relname as "table" from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
     where c.relnamespace = 'public'::regnamespace and not c.relispartition`,
  )
  for (const { table } of walled)
    if (!(table in tenantTables)) statements.push(`grant select, delete on ${table} to ${roles.definer}`)
  for (const [table, { app, platform }] of Object.entries(platformTables)) {
    if (!existing.has(table)) continue
    if (app === 'read') statements.push(`grant select on ${table} to ${roles.app}`)
    if (platform !== 'none') statements.push(`grant select, insert, update, delete on ${table} to ${roles.platform}`)
  }
  for (const view of seenViews)
    if (existing.has(view)) statements.push(`grant select on ${view} to ${roles.app}, ${roles.platform}`)
  // What the platform's administrators change has a history and stamps like everything else, in their own tenant.
  statements.push(
    `grant insert on history to ${roles.platform}`,
    `grant insert, update on entity_stamp, grant_stamp to ${roles.platform}`,
    `grant update (last_used) on session to ${roles.platform}`,
    `grant insert, update, delete on request_key to ${roles.platform}`,
    // What the platform's administrators ask for is put to work in the transaction that asks.
    `grant insert, update on job to ${roles.platform}`,
    `grant usage on schema pgboss to ${roles.app}, ${roles.platform}`,
    `grant select, insert, update, delete on pgboss.job, pgboss.job_common, pgboss.job_dependency, pgboss.queue, pgboss.schedule, pgboss.warning to ${roles.app}`,
    // The number of the queue's schema says what the owner does to it at the next start: only the clocks beside it move.
    `revoke update on pgboss.version from ${roles.app}`,
    `grant select, update (cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) on pgboss.version to ${roles.app}`,
    `grant select, insert on pgboss.job, pgboss.job_common to ${roles.platform}`,
    `grant select on pgboss.queue to ${roles.platform}`,
  )
  statements.push(
    `drop policy if exists platform on tenant`,
    `create policy platform on tenant to ${roles.platform} using (true) with check (true)`,
    `grant usage on sequence node_number to ${roles.app}`,
    `grant select on tenant to ${roles.definer}`,
    ...(await functionStatements(client, roles)),
  )
  await client.query(statements.join(';\n'))
}

/** Hands the functions that do what their caller may not to the role that has just the rights for it; nobody else calls them. */
async function functionStatements(client: pg.ClientBase, roles: Roles): Promise<string[]> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  const owned = Object.entries(functions).filter(
    ([, { definer }]) => definer && rows[0]!.version >= (definer.since ?? 0),
  )
  return [
    `grant ${roles.definer} to current_user`,
    `grant create on schema public to ${roles.definer}`,
    ...owned.map(([name]) => `alter function ${name} owner to ${roles.definer}`),
    `revoke create on schema public from ${roles.definer}`,
    // The newest change of all tenants is asked for, and no tenant's rows.
    'drop policy if exists definer on history',
    `create policy definer on history for select to ${roles.definer} using (true)`,
    ...Object.entries(functions).flatMap(([name, { callers }]) => [
      `revoke all on function ${name} from public`,
      ...callers.map((caller) => `grant execute on function ${name} to ${roles[caller]}`),
    ]),
    ...owned.flatMap(([, { definer }]) => (definer?.needs ? [`grant ${definer.needs} to ${roles.definer}`] : [])),
  ]
}

/**
 * Takes from everybody what PostgreSQL gives to all: temporary tables, and objects that lie outside of every table. At each
 * start, for a dump that was brought back comes without it.
 */
export async function shutDoors(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; superuser: boolean }>(
    `select quote_ident(current_database()) as name, rolsuper as superuser from pg_roles where rolname = current_user`,
  )
  const { name, superuser } = rows[0]!
  await client.query(
    [
      `revoke temporary on database ${name} from public`,
      // These belong to PostgreSQL: only a superuser may (docs/operators/production.md).
      ...(superuser ? largeObjectMakers.map((maker) => `revoke execute on function ${maker} from public`) : []),
    ].join(';'),
  )
}

/** The functions of PostgreSQL that make a large object. */
export const largeObjectMakers = [
  'pg_catalog.lo_creat(integer)',
  'pg_catalog.lo_create(oid)',
  'pg_catalog.lo_from_bytea(oid, bytea)',
] as const

const pgLiteral = (text: string): string => {
  if (!/^[A-Za-z0-9_-]{16,}$/.test(text)) throw new Error('a role password must be made of letters, digits, _ and -')
  return `'${text}'`
}
