import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { cellMost, rowsMost } from './reader.ts'
import type { SqliteAnswer, SqliteAsk } from './sqlite.ts'

/* The thread that reads a SQLite file: a statement holds it up as long as it takes, and the server goes on. */

const port = parentPort!
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const texts = (row: Record<string, unknown>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]))

let database: DatabaseSync | undefined

const all = (sql: string, ...values: string[]): Record<string, string | null>[] => {
  const found: Record<string, string | null>[] = []
  for (const row of database!.prepare(sql).iterate(...values)) {
    if (found.length > rowsMost) throw new Error('too many')
    found.push(texts(row as Record<string, unknown>))
  }
  return found
}

const lengthOf = (type: string): number | null => {
  const [, length] = /char[a-z ]*\(\s*(\d+)\s*\)/i.exec(type) ?? []
  return length ? Number(length) : null
}

function answer(ask: SqliteAsk): unknown {
  database ??= new DatabaseSync((workerData as { path: string }).path, { readOnly: true, allowExtension: false })
  if (ask.kind === 'tables')
    return all(
      `select '' as schema, name, type as kind, null as comment from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' order by name`,
    )
  if (ask.kind === 'columns') {
    const refers = new Map(
      all('select "from" as name, "table" as target from pragma_foreign_key_list(?)', ask.table).map((row) => [
        row.name,
        row.target,
      ]),
    )
    const single = new Set(
      all('select name from pragma_index_list(?) where "unique" = 1 and partial = 0', ask.table)
        .map(({ name }) => all('select name from pragma_index_info(?)', name!))
        .filter((columns) => columns.length === 1)
        .map(([column]) => column!.name),
    )
    // With generated columns, which the plain list leaves out; what a virtual table hides stays hidden.
    return all(
      'select name, type, "notnull" as needed, pk from pragma_table_xinfo(?) where hidden <> 1 order by cid',
      ask.table,
    ).map((row) => ({
      name: row.name,
      type: row.type || 'any',
      length: lengthOf(row.type ?? ''),
      nullable: row.needed === '1' || row.pk !== '0' ? 0 : 1,
      primary: row.pk === '0' ? 0 : 1,
      single: single.has(row.name!) ? 1 : 0,
      refersTo: refers.get(row.name) ?? null,
      comment: null,
    }))
  }
  const cells = ask.columns.map(
    (name, at) =>
      `case when typeof(${quoted(name)}) = 'blob' then substr(hex(substr(${quoted(name)}, 1, ${cellMost})), 1, ${cellMost}) else substr(cast(${quoted(name)} as text), 1, ${cellMost}) end as c${at}`,
  )
  const rows = all(`select ${cells.join(', ')} from ${quoted(ask.table)} limit ${Math.min(ask.most, rowsMost + 1)}`)
  return rows.map((row) => ask.columns.map((_, at) => row[`c${at}`] ?? null))
}

port.on('message', (ask: SqliteAsk) => {
  const say = (told: SqliteAnswer): void => port.postMessage(told)
  try {
    say({ kind: 'found', found: answer(ask) })
  } catch (error) {
    const { message } = error as Error
    const fault = /too many/.test(message)
      ? 'many'
      : /no such (table|column)/.test(message)
        ? 'gone'
        : /not a database|malformed/.test(message)
          ? 'format'
          : 'other'
    say({ kind: 'fault', fault })
  }
})
