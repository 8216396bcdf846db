import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise'
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

interface VersionRow extends RowDataPacket {
  readonly version: string
}

type Address = Extract<SourceAddress, { host: string }>

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

function failure(error: unknown, host: string): SourceError {
  const { errno, code, message } = error as { errno?: number; code?: string; message?: string }
  if (errno === 1045 || errno === 1698 || code === 'ER_NOT_SUPPORTED_AUTH_MODE') return wrongPassword()
  if (errno === 1044 || errno === 1049 || errno === 1142) return noDatabase()
  if (errno === 1969 || errno === 3024 || errno === 1317 || /TIMEOUT|timeout/.test(`${code} ${message}`))
    return tooSlow()
  return reachFailure(error, host)
}

const tablesText = `select '' as \`schema\`, table_name as name, if(table_type like '%VIEW%', 'view', 'table') as kind,
    nullif(if(table_type like '%VIEW%', '', table_comment), '') as comment
  from information_schema.tables where table_schema = database() order by table_name`

const columnsText = `select c.column_name as name, c.column_type as type, c.character_maximum_length as length, c.is_nullable as nullable,
    c.column_key as indexed, nullif(c.column_comment, '') as comment,
    (select max(k.referenced_table_name) from information_schema.key_column_usage k
      where k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = c.column_name and k.referenced_table_name is not null) as refersTo
  from information_schema.columns c where c.table_schema = database() and c.table_name = ? order by c.ordinal_position`

/** Opens a MySQL or MariaDB in a transaction that can only read. The gate judges the address that is connected to. */
export async function openMysql(services: Services, address: Address, login: Login): Promise<SourceReader> {
  const { host, port, database, tls } = address
  // Of the larger packages; an installation without such a source needs none of it.
  const { createConnection } = await import('mysql2/promise')
  const socket = guardedSocket(services)
  let connection: Connection | undefined
  const close = async (): Promise<void> => {
    connection?.destroy()
    socket.destroy()
  }
  const options: ConnectionOptions = {
    host,
    port,
    database,
    user: login.username ?? '',
    password: login.password ?? '',
    connectTimeout: connectMs,
    multipleStatements: false,
    // A server must not ask for files of this one.
    flags: ['-LOCAL_FILES'],
    // Every value is a text, as its database writes it.
    typeCast: (field, next) => (field.type === 'GEOMETRY' ? next() : field.string()),
    stream: () => socket.connect(port, host),
    ...(tls === 'off' ? {} : { ssl: { rejectUnauthorized: tls === 'verify', verifyIdentity: tls === 'verify' } }),
  }
  try {
    connection = await createConnection(options)
    connection.on('error', () => {})
    const [[found]] = await connection.query<VersionRow[]>({ sql: 'select version() as version', timeout: statementMs })
    await connection.query({
      sql: /mariadb/i.test(found?.version ?? '')
        ? `set session max_statement_time = ${statementMs / 1_000}`
        : `set session max_execution_time = ${statementMs}`,
      timeout: statementMs,
    })
    await connection.query({ sql: 'start transaction read only', timeout: statementMs })
  } catch (error) {
    await close()
    throw failure(error, host)
  }
  const opened = connection
  const read = async (sql: string, values: readonly string[] = []): Promise<TextRow[]> => {
    const [rows] = await opened.query({ sql, timeout: statementMs + 1_000 }, [...values])
    return rows as TextRow[]
  }
  const whole = async (sql: string, values?: readonly string[]): Promise<TextRow[]> => {
    try {
      const rows = await read(`${sql} limit ${rowsMost + 1}`, values)
      if (rows.length > rowsMost) throw tooMany(rowsMost)
      return rows
    } catch (error) {
      throw failure(error, host)
    }
  }
  return {
    tables: async () => (await whole(tablesText)).map(tableOf),
    columns: async ({ name }) =>
      (await whole(columnsText, [name])).map(
        (row): SourceColumn => ({
          name: row.name!,
          type: row.type!,
          length: row.length ? Number(row.length) : null,
          nullable: row.nullable === 'YES' ? 1 : 0,
          primary: row.indexed === 'PRI' ? 1 : 0,
          single: row.indexed === 'UNI' ? 1 : 0,
          refersTo: row.refersTo ?? null,
          comment: row.comment ?? null,
        }),
      ),
    rows: async ({ name }, columns, most) => {
      const cells = columns.map((column, at) => {
        const bytes = /blob|binary|bit|geometry|point|polygon|linestring/i.test(column.type)
        const cell = bytes
          ? `hex(left(${quoted(column.name)}, ${cellMost / 2}))`
          : `left(cast(${quoted(column.name)} as char), ${cellMost})`
        return `${cell} as c${at}`
      })
      try {
        const rows = await read(`select ${cells.join(', ')} from ${quoted(name)} limit ${Math.min(most, rowsMost + 1)}`)
        return rows.map((row) => columns.map((_, at) => row[`c${at}`] ?? null))
      } catch (error) {
        if ([1146, 1054, 1142, 1356].includes((error as { errno?: number }).errno ?? 0)) throw tableGone(name)
        throw failure(error, host)
      }
    },
    close,
  }
}
