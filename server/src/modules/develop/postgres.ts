import pg from 'pg'
import { guardedSocket } from '../../kernel/outbound.ts'
import type { Services } from '../../kernel/services.ts'
import type { SourceAddress } from './address.ts'
import {
  cellMost,
  connectMs,
  type Login,
  rowsMost,
  type SourceColumn,
  type SourceReader,
  statementMs,
  type TableName,
  type TextRow,
  tableOf,
} from './reader.ts'
import {
  noDatabase,
  reachFailure,
  type SourceError,
  tableGone,
  tooMany,
  tooSlow,
  wrongPassword,
} from './source-error.ts'

type Address = Extract<SourceAddress, { host: string }>

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function failure(error: unknown, host: string): SourceError {
  const { code } = error as { code?: string }
  if (code === '28P01' || code === '28000') return wrongPassword()
  if (code === '3D000' || code === '42501') return noDatabase()
  if (code === '57014' || code === '25P03') return tooSlow()
  if (/timeout/i.test((error as Error).message)) return tooSlow()
  if (/SSL/.test((error as Error).message)) return reachFailure({ code: 'SSL' }, host)
  return reachFailure(error, host)
}

const tablesText = `select n.nspname as schema, c.relname as name, case when c.relkind in ('v', 'm') then 'view' else 'table' end as kind,
    obj_description(c.oid, 'pg_class') as comment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
  order by n.nspname, c.relname`

const columnsText = `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    case when a.atttypid in (1042, 1043) and a.atttypmod > 4 then (a.atttypmod - 4)::text end as length,
    not a.attnotnull as nullable, col_description(c.oid, a.attnum) as comment,
    exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)) as primary,
    exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indnkeyatts = 1 and i.indkey[0] = a.attnum and i.indpred is null) as single,
    (select t.relname from pg_constraint k join pg_class t on t.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] limit 1) as "refersTo"
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped order by a.attnum`

const yes = (value: string | null | undefined): 0 | 1 => (value === 't' ? 1 : 0)

/** Opens a PostgreSQL in a transaction that can only read. The gate judges the address that is connected to. */
export async function openPostgres(services: Services, address: Address, login: Login): Promise<SourceReader> {
  const { host, port, database, tls } = address
  const socket = guardedSocket(services)
  const client = new pg.Client({
    host,
    port,
    database,
    user: login.username ?? '',
    password: login.password ?? '',
    ssl: tls === 'off' ? false : { rejectUnauthorized: tls === 'verify' },
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    idle_in_transaction_session_timeout: statementMs * 3,
    application_name: 'data-brain',
    // Every value is a text, as its database writes it.
    types: { getTypeParser: () => (value: unknown) => value } as unknown as pg.CustomTypesConfig,
    stream: () => socket,
  } as pg.ClientConfig)
  // A connection that breaks between two statements is told by the next one.
  client.on('error', () => {})
  const close = async (): Promise<void> => {
    // A server that does not answer does not hear of the end either, and one that is gone never says so.
    const patience = new Promise((done) => setTimeout(done, 1_000).unref())
    await Promise.race([client.end().catch(() => {}), patience])
    socket.destroy()
  }
  const read = async (text: string, values: readonly string[] = []): Promise<TextRow[]> => {
    try {
      return (await client.query<Record<string, string | null>>(text, [...values])).rows
    } catch (error) {
      throw failure(error, host)
    }
  }
  const whole = async (text: string, values?: readonly string[]): Promise<TextRow[]> => {
    const rows = await read(`${text} limit ${rowsMost + 1}`, values)
    if (rows.length > rowsMost) throw tooMany(rowsMost)
    return rows
  }
  try {
    await client.connect()
    await client.query('begin transaction read only')
  } catch (error) {
    await close()
    throw failure(error, host)
  }
  return {
    tables: async () => (await whole(tablesText)).map(tableOf),
    columns: async ({ schema, name }: TableName) =>
      (await whole(columnsText, [schema, name])).map(
        (row): SourceColumn => ({
          name: row.name!,
          type: row.type!,
          length: row.length ? Number(row.length) : null,
          nullable: yes(row.nullable),
          primary: yes(row.primary),
          single: yes(row.single),
          refersTo: row.refersTo ?? null,
          comment: row.comment ?? null,
        }),
      ),
    rows: async ({ schema, name }, columns, most) => {
      const cells = columns.map((column, at) => `left(${quoted(column.name)}::text, ${cellMost}) as c${at}`)
      try {
        const rows = await client.query<Record<string, string | null>>(
          `select ${cells.join(', ')} from ${quoted(schema)}.${quoted(name)} limit ${Math.min(most, rowsMost + 1)}`,
        )
        return rows.rows.map((row) => columns.map((_, at) => row[`c${at}`] ?? null))
      } catch (error) {
        if (['42P01', '42703', '42501', '3F000'].includes((error as { code?: string }).code ?? ''))
          throw tableGone(name)
        throw failure(error, host)
      }
    },
    close,
  }
}
