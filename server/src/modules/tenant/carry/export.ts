import { createWriteStream } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readMigrations } from '../../../database/migrate.ts'
import { sql } from '../../../database/statement.ts'
import { inTenant, type Tx } from '../../../database/transaction.ts'
import { nameRef } from '../../../entity/select.ts'
import type { Cipher } from '../../../kernel/cipher.ts'
import type { Services } from '../../../kernel/services.ts'
import { StartError } from '../../../start-error.ts'
import { folderOf } from '../../resource/index.ts'
import type { TenantConnections } from '../make.ts'
import { passphraseLeast, seal } from './envelope.ts'
import { readExact } from './exact.ts'
import {
  carriedFrom,
  carriedRows,
  carriedTables,
  emptyColumns,
  modelByTable,
  sealedColumns,
  sharedColumns,
} from './plan.ts'
import { portableRow, translate } from './row.ts'
import { type Entry, tar } from './tar.ts'

/** What exporting and importing work with. */
export interface CarryContext extends TenantConnections, Pick<Services, 'environment' | 'cipher'> {
  /** The console's own client, which every installation names otherwise. */
  readonly clientId: string
}

/** The name under which the console's own client travels: no client is called so. */
const consoles = '@console'

/** The first part of an exported tenant: whose it is, and what must be known to read the rest. */
export interface Manifest {
  readonly format: 1
  /** The newest migration of the database that it comes from. */
  readonly migration: number
  readonly at: string
  /** The tenant's own row, by column. */
  readonly tenant: Readonly<Record<string, unknown>> & { readonly tenant_id: string; readonly tenant_name: string }
}

/** The last part: what a whole file holds. */
export interface EndPart {
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Files that a row names and that were not there. */
  readonly lost: readonly string[]
}

/** The newest migration that this version knows. */
export const newestMigration = async (): Promise<number> => (await readMigrations()).at(-1)?.number ?? 0

const portion = 500

const json = (name: string, value: unknown): Entry => ({ name, bytes: Buffer.from(JSON.stringify(value)) })

/** Ids of what all tenants share, with the names that other installations know them by. */
export async function sharedNames(tx: Tx, way: 'out' | 'in', clientId: string): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const put = (table: string, id: string, name: string): unknown =>
    way === 'out' ? names.set(`${table} ${id}`, name) : names.set(`${table} ${name}`, id)
  for (const { table, key } of new Map(Object.values(sharedColumns).map((rule) => [rule.table, rule])).values())
    for (const { id, name } of await tx.run<{ id: string; name: string }>(
      sql`select id, ${nameRef(key)} as name from ${nameRef(table)}`,
    ))
      put(table, id, table === 'client' && name === clientId ? consoles : name)
  return names
}

/** Refuses to carry a table with bytes that no definition explains: they may be sealed, and would be useless elsewhere. */
async function refuseUnknownBytes(tx: Tx, tables: readonly string[]): Promise<void> {
  const found = await tx.run<{ table_name: string; column_name: string }>(
    sql`select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea' and table_name = any(${[...tables]}::text[])`,
  )
  for (const { table_name: table, column_name: column } of found) {
    const fields = modelByTable().get(table)?.fields ?? []
    if (emptyColumns.includes(`${table}.${column}`) || sealedColumns[table]?.column === column) continue
    const known = fields.some(
      (field) =>
        (field.kind === 'secret' && column === field.column) ||
        (field.kind === 'personal' && [field.column, `${field.column}_hash`, `${field.column}_tail`].includes(column)),
    )
    if (!known) throw new Error(`nobody knows how to carry ${table}.${column}`)
  }
}

async function* rowsOf(
  tx: Tx,
  table: string,
  { tenantId, cipher, shared }: { tenantId: string; cipher: Cipher; shared: ReadonlyMap<string, string> },
): AsyncGenerator<{ count: number; text: string }> {
  await tx.run(
    sql`declare carried no scroll cursor for select to_jsonb(t)::text as row from ${nameRef(carriedFrom(table))} t where t.tenant_id = ${tenantId} and ${carriedRows[table]?.() ?? sql`true`}`,
  )
  for (;;) {
    const rows = await tx.run<{ row: string }>(sql`fetch ${sql.lit(portion)} from carried`)
    if (rows.length === 0) break
    const lines = rows.map(({ row }) => {
      const plain = portableRow(table, readExact(row), { cipher, tenantId })
      translate(table, plain, shared)
      return JSON.stringify(plain)
    })
    yield { count: rows.length, text: lines.join('\n') }
  }
  await tx.run(sql`close carried`)
}

/** Files in a store of the tenant's own stay there, under the name that they have. */
const inFolder = sql`to_jsonb(a) ->> 'oss_id' is null`

async function* entriesOf(
  tx: Tx,
  services: CarryContext,
  tenantId: string,
  told: (ending: EndPart) => void,
): AsyncGenerator<Entry> {
  const row = await tx.one<{ row: string }>(
    sql`select to_jsonb(t)::text as row from tenant t where t.tenant_id = ${tenantId}`,
  )
  if (!row) throw new StartError(`没有租户 ${tenantId}。`, `There is no tenant ${tenantId}.`)
  const tenant = readExact(row.row) as Manifest['tenant']
  yield json('tenant.json', {
    format: 1,
    migration: await newestMigration(),
    at: new Date().toISOString(),
    tenant,
  } satisfies Manifest)
  const tables = carriedTables()
  await refuseUnknownBytes(tx, tables)
  const shared = await sharedNames(tx, 'out', services.clientId)
  const rows: Record<string, number> = {}
  for (const table of tables) {
    rows[table] = 0
    let part = 0
    for await (const { count, text } of rowsOf(tx, table, { tenantId, cipher: services.cipher, shared })) {
      part += 1
      rows[table] += count
      yield { name: `rows/${table}/${String(part).padStart(6, '0')}.ndjson`, bytes: Buffer.from(text) }
    }
  }
  const folder = folderOf(services, tenantId)
  const named = await tx.run<{ name: string }>(
    sql`select distinct name from attach a where tenant_id = ${tenantId} and ${inFolder} and name like ${`${tenantId}/%`} order by name`,
  )
  const lost: string[] = []
  for (const { name } of named) {
    const inside = name.slice(tenantId.length + 1)
    const bytes = await readFile(join(folder, inside)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      lost.push(name)
      return undefined
    })
    if (bytes) yield { name: `files/${inside}`, bytes }
  }
  const ending = { rows, files: named.length - lost.length, lost }
  told(ending)
  yield json('end.json', ending)
}

/**
 * Writes all that a tenant owns into one sealed file, as it stands at one moment, while others go on working. What was
 * encrypted with this installation's keys is opened; the passphrase protects it from then on. The file appears whole or
 * not at all; one that is there already is left alone.
 */
export async function exportTenant(
  carrier: CarryContext,
  { tenantId, file, passphrase }: { tenantId: string; file: string; passphrase: string },
): Promise<EndPart> {
  if ([...passphrase].length < passphraseLeast)
    throw new StartError(
      `口令至少${passphraseLeast}位。`,
      `The passphrase must have at least ${passphraseLeast} signs.`,
    )
  if (await stat(file).catch(() => undefined))
    throw new StartError(`文件 ${file} 已存在。`, `The file ${file} exists already.`)
  const partial = `${file}.part`
  let ending: EndPart | undefined
  try {
    await inTenant(carrier.pool, tenantId, async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read, read only`)
      await tx.allow({ statement: 0, idle: 0 })
      await pipeline(
        tar(
          entriesOf(tx, carrier, tenantId, (whole) => {
            ending = whole
          }),
        ),
        createGzip(),
        (source: AsyncIterable<Buffer>) => seal(source, passphrase),
        createWriteStream(partial, { mode: 0o600 }),
      )
    })
    const handle = await open(partial, 'r')
    await handle.sync().finally(() => handle.close())
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new StartError(`没有文件夹 ${dirname(file)}。`, `There is no folder ${dirname(file)}.`)
    throw error
  }
  return ending!
}
