import type { RawBuilder } from 'kysely'
import { seenName } from '../../../database/name.ts'
import { sql } from '../../../database/statement.ts'
import { sharedTables, tenantTables } from '../../../database/tables.ts'
import type { Tx } from '../../../database/transaction.ts'
import { allModels, type Model } from '../../../entity/model.ts'

/**
 * What stays behind. Passwords and sessions are bound to the installation's own secrets; the stamps count what its
 * processes remember; search keys are made anew, and so is the chain over the history, which is sealed as it stands here;
 * an import that was not committed is a file on somebody's desk, and bytes that no row leads to are nobody's.
 */
export const notCarried: readonly string[] = [
  'credential',
  'login_failure',
  'session',
  'refresh_token',
  'login_ticket',
  'second_factor',
  'recovery_code',
  'grant_stamp',
  'entity_stamp',
  'request_key',
  'search_key',
  'history_seal',
  'log_usual',
  'log_api',
  'log_error',
  'import_row',
  'import_memory',
  // They tell of calls to this installation, and lie in partitions of its months.
  'log_usual',
  'log_api',
  'log_error',
  'attach_loose',
  // It follows from lessons, and is made with them.
  'scheduleoccupancy',
  // They tell of this installation's work, and the queue that would do those that wait is this installation's.
  'job',
  // It waits with a password, of which the hash is this installation's.
  'guest_secret',
  // Of secrets and tokens there is only this installation's hash.
  'roster_secret',
  'roster_token',
  'calendar_feed',
]

/** Which rows of a table are carried, where not all are. */
export const carriedRows: Readonly<Record<string, () => RawBuilder<unknown>>> = {
  // The history of what all tenants share is the platform's.
  history: () =>
    sql`entity <> all(${allModels()
      .filter((model) => model.platform)
      .map((model) => model.entity.name)}::text[])`,
  import_batch: () => sql`state in ('done', 'undone')`,
  // What still waits to be sent is sent from where it was asked for, and not from both places.
  sms_log: () => sql`payload is null`,
  mail_log: () => sql`payload is null`,
  // A registration that waits does so with what stays behind.
  guest: () => sql`status <> 0`,
}

/** Tables of which the tenant's view is carried: another installation does not know what all tenants share here. */
const carriedWhole = (): Set<string> => {
  const units = new Set(
    allModels()
      .filter((model) => model.entity.shares && 'by' in model.entity.shares)
      .map((model) => model.table),
  )
  return new Set(sharedTables.filter((table) => !units.has(table)))
}

/** What the rows of a table are read from. */
export const carriedFrom = (table: string): string => (carriedWhole().has(table) ? seenName(table) : table)

/** Sealed columns that no definition names, and that `carriedRows` keeps empty. */
export const emptyColumns: readonly string[] = ['sms_log.payload', 'mail_log.payload']

/** Sealed columns that no definition names and that are carried, with what of a row they are bound to. */
export const sealedColumns: Readonly<Record<string, { column: string; id: (row: Record<string, unknown>) => string }>> =
  {
    roster_record: { column: 'cells', id: (row) => `${row.file}|${row.sourced_id}` },
  }

/** Columns of a tenant's tables that point at what all tenants share, and what names the same thing elsewhere. */
export const sharedColumns: Readonly<Record<string, { column: string; table: string; key: string; drop: boolean }>> = {
  role_menu: { column: 'menu_id', table: 'menu', key: 'code', drop: true },
  top_menu_setting: { column: 'menu_id', table: 'menu', key: 'code', drop: true },
  data_scope: { column: 'menu_id', table: 'menu', key: 'code', drop: false },
  api_scope: { column: 'menu_id', table: 'menu', key: 'code', drop: false },
  tenant_client: { column: 'client_id', table: 'client', key: 'client_id', drop: true },
  user_client: { column: 'client_id', table: 'client', key: 'client_id', drop: true },
}

const ownModels = (): Model[] => allModels().filter((model) => !model.platform)

/** The tables that are carried, each after those whose rows it cannot be made without. */
export function carriedTables(): string[] {
  const models = ownModels()
  const first = [
    ...models.map((model) => model.table),
    ...models.flatMap((model) => model.fields.flatMap((field) => field.linkTable ?? [])),
  ]
  const rest = Object.keys(tenantTables).filter((table) => !first.includes(table))
  return [...first, ...rest].filter((table) => !notCarried.includes(table))
}

/** The model of a table, of those that are an entity's. */
export const modelByTable = (): ReadonlyMap<string, Model> => new Map(ownModels().map((model) => [model.table, model]))

/** The model of an entity by its name, of those that a tenant owns. */
export const modelByName = (): ReadonlyMap<string, Model> =>
  new Map(ownModels().map((model) => [model.entity.name, model]))

/**
 * Columns that point forward or at their own kind, by table: they are set when all rows are there. Told by the database's
 * own constraints, of which the last column is the one that points.
 */
export async function laterColumns(tx: Tx): Promise<ReadonlyMap<string, readonly string[]>> {
  const order = new Map(carriedTables().map((table, at) => [table, at]))
  const found = await tx.run<{ table: string; target: string; column: string; needed: boolean }>(
    sql`select c.conrelid::regclass::text as table, c.confrelid::regclass::text as target, a.attname as column, a.attnotnull as needed
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[cardinality(c.conkey)]
        where c.contype = 'f' and c.conparentid = 0 and c.conrelid::regclass::text = any(${[...order.keys()]}::text[])`,
  )
  const later = new Map<string, string[]>()
  for (const { table, target, column, needed } of found) {
    if ((order.get(target) ?? -1) < order.get(table)!) continue
    if (needed) throw new Error(`${table}.${column} points at what is stored after it`)
    later.set(table, [...(later.get(table) ?? []), column])
  }
  return later
}
