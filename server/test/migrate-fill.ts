import type pg from 'pg'
import { written } from './migrate-rows.ts'

/*
 * Fills a database with whatever its version takes: nothing, empty and odd texts in every column, and rows in tables that
 * have none. What a version refuses is left as it was.
 */

export const odd = `"\\ %_<b>‮𠮷`

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly nullable: boolean
  readonly given: boolean
}

/** Every column that can be written, by `table.column`. */
export async function columnsOf(client: pg.Client): Promise<Map<string, Column>> {
  const { rows } = await client.query<Column>(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
       not a.attnotnull as nullable, a.atthasdef as given
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'migration' and a.attgenerated = '' and a.attidentity = ''
     order by c.relname, a.attnum`,
  )
  return new Map(rows.map((row) => [`${row.table}.${row.column}`, row]))
}

const attempt = async (client: pg.Client, text: string): Promise<number> => {
  await client.query('savepoint try')
  const done = await client.query(text).catch(() => null)
  await client.query(done ? 'release try' : 'rollback to try')
  return done?.rowCount ?? 0
}

/** What may stand in a column: the first of these that fits is taken by a row that is made, and nothing where it may. */
function valuesOf({ type, column }: Column, round: number): string[] {
  if (type.endsWith('[]')) return [`'{}'`, `'{1}'`]
  if (column === 'tenant_id') return [`'200001'`, `'000000'`]
  if (/char|text/.test(type)) return [`'${odd}'`, `'${'f'.repeat(32)}'`, `'${round}'`, `'1'`, `'student'`]
  if (/^(big|small)?int|numeric|double|real/.test(type)) return [`${9_000 + round}`, '1', '0', '2']
  if (/^timestamp|^date/.test(type)) return [`'2026-09-0${round + 1} 00:00:00'`]
  if (/^time/.test(type)) return [`'08:00'`]
  if (type === 'boolean') return ['true']
  // Hashes are as long as one of two digests.
  if (type === 'bytea') return [`decode(md5('${round}') || md5('x${round}'), 'hex')`, `decode(md5('${round}'), 'hex')`]
  if (/^json/.test(type)) return [`'{}'`, `'[]'`]
  if (type === 'inet') return [`'127.0.0.1'`]
  if (type === 'uuid') return [`md5('${round}')::uuid`]
  return []
}

/** Rows that a table without any takes; what it points at is taken from what there is. */
async function rowsInto(client: pg.Client, table: string, columns: readonly Column[]): Promise<number> {
  const { rows: keys } = await client.query<{ own: string[]; target: string; theirs: string[] }>(
    `select c.confrelid::regclass::text as target,
       array(select attname::text from unnest(c.conkey) with ordinality k(n, at) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.at) as own,
       array(select attname::text from unnest(c.confkey) with ordinality k(n, at) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.at) as theirs
     from pg_constraint c where c.contype = 'f' and c.conrelid = $1::regclass`,
    [table],
  )
  let made = 0
  for (const round of [0, 1])
    for (const full of [false, true]) {
      const values = new Map<string, string[]>()
      for (const column of columns)
        if (full || !(column.nullable || column.given)) values.set(column.column, valuesOf(column, round))
      for (const { own, target, theirs } of keys)
        for (const [at, name] of own.entries())
          if (values.has(name) && name !== 'tenant_id')
            values.set(name, [
              `(select ${theirs[at]} from ${target} ${theirs.includes('tenant_id') ? `where tenant_id = '200001'` : ''} order by 1 offset ${round} limit 1)`,
            ])
      const names = [...values.keys()]
      const row = (at: number): string =>
        names.map((name) => values.get(name)![at] ?? values.get(name)![0] ?? 'null').join()
      for (let at = 0; at < 4; at += 1) {
        const done = await attempt(client, `insert into ${table} (${names.join()}) values (${row(at)})`)
        made += done
        if (done) break
      }
    }
  return made
}

/**
 * Fills the columns that `known` does not have, and the tables that stand empty. Answers how many cells and rows were
 * written, and which tables still have no row.
 */
export async function fill(
  client: pg.Client,
  known: ReadonlyMap<string, Column> = new Map(),
): Promise<{ changed: number; empty: string[]; columns: ReadonlyMap<string, Column> }> {
  const columns = await columnsOf(client)
  const byTable = Map.groupBy(columns.values(), ({ table }) => table)
  let changed = 0
  await client.query('begin')
  const standsEmpty = async (table: string): Promise<boolean> =>
    (await client.query(`select 1 from ${table} limit 1`)).rowCount === 0
  // Twice: what a table points at may be made after it.
  const isNew = (all: readonly Column[]): boolean => all.some(({ table, column }) => !known.has(`${table}.${column}`))
  for (let pass = 0; pass < 2; pass += 1)
    for (const [table, all] of byTable)
      if (isNew(all) && (await standsEmpty(table))) changed += await rowsInto(client, table, all)
  for (const [table, ...texts] of written) {
    if (!byTable.has(table) || !(await standsEmpty(table))) continue
    for (const text of texts) {
      const done = await attempt(client, text)
      changed += done
      if (done > 0) break
    }
  }
  for (const [name, { table, column, type, nullable }] of columns) {
    if (known.has(name) || column === 'tenant_id' || column === 'id') continue
    const values = [...(type === 'text' ? [`'${odd}'`, `''`] : []), ...(nullable ? ['null'] : [])]
    // Every other row, so that what there was is beside it.
    for (const [n, value] of values.entries())
      changed += await attempt(
        client,
        `update ${table} set ${column} = ${value} where abs(hashtext(ctid::text)) % 4 = ${n}`,
      )
  }
  await client.query('commit')
  const empty: string[] = []
  for (const table of byTable.keys()) if (await standsEmpty(table)) empty.push(table)
  return { changed, empty, columns }
}
