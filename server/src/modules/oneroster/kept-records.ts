import { createHash } from 'node:crypto'
import { isMasked, maskOf } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Context } from '../../entity/repository.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { metadataOfFile, recordMarks } from './carried-entities.ts'
import { type Cells, columns, type FileName, fileNames, type Line, type Table, type Tables } from './files.ts'
import { portions } from './pass-progress.ts'

export type Records = Record<FileName, Cells[]>

/**
 * What an archive said of a record beside what a row of ours says. Of a record that we make: the cells in which it
 * differed, each with what we made and what came. Of any other: all its cells.
 */
export interface KeptRecord {
  readonly differ?: Readonly<Record<string, readonly [made: string, came: string]>>
  /** Sign of the record as we made it: when it was last modified elsewhere is true while nothing is modified here. */
  readonly made?: string
  readonly whole?: Cells
}
export type KeptRecords = ReadonlyMap<FileName, ReadonlyMap<string, KeptRecord>>

const placeOf = (tenantId: string, file: string, sourcedId: string) => ({
  table: 'roster_record',
  column: 'cells',
  tenantId,
  id: `${file}|${sourcedId}`,
})

export async function readKeeps({ tx, actor, cipher }: Context): Promise<KeptRecords> {
  const { tenantId } = actor
  const keeps = new Map<FileName, Map<string, KeptRecord>>(fileNames.map((file) => [file, new Map()]))
  for (const row of await tx.run<{ file: FileName; sourced_id: string; cells: Buffer }>(
    sql`select file, sourced_id, cells from roster_record where tenant_id = ${tenantId} order by file, sourced_id`,
  ))
    keeps
      .get(row.file)
      ?.set(
        row.sourced_id,
        JSON.parse(cipher.open(row.cells, placeOf(tenantId, row.file, row.sourced_id))) as KeptRecord,
      )
  return keeps
}

/** Writes what has changed: `undefined` stands for what is kept no longer. */
export async function writeKeeps(
  { tx, actor, cipher }: Context,
  changed: readonly { file: FileName; sourcedId: string; keep: KeptRecord | undefined }[],
): Promise<void> {
  const { tenantId } = actor
  // Processes that remember the records ask for this.
  if (changed.length > 0) await raiseStamp(tx, tenantId, 'roster_record')
  for (const portion of portions(changed)) {
    const gone = portion.filter((each) => !each.keep)
    const kept = portion.filter((each) => each.keep)
    if (gone.length > 0)
      await tx.run(
        sql`delete from roster_record r using unnest(${gone.map((each) => each.file)}::text[], ${gone.map((each) => each.sourcedId)}::text[]) as u(file, id)
            where r.tenant_id = ${tenantId} and r.file = u.file and r.sourced_id = u.id`,
      )
    const sealed = kept.map(({ file, sourcedId, keep }) =>
      cipher.seal(JSON.stringify(keep), placeOf(tenantId, file, sourcedId)),
    )
    if (kept.length > 0)
      await tx.run(
        sql`insert into roster_record (tenant_id, file, sourced_id, cells)
            select ${tenantId}, u.file, u.id, u.cells from unnest(${kept.map((each) => each.file)}::text[], ${kept.map((each) => each.sourcedId)}::text[], ${sealed}::bytea[]) as u(file, id, cells)
            on conflict (tenant_id, file, sourced_id) do update set cells = excluded.cells`,
      )
  }
}

const split = (cell: string | undefined): string[] =>
  (cell ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Cells with which somebody is reached or identified: they leave masked where such values do. */
const isPersonal = (file: FileName, column: string): boolean =>
  (file === 'users' && ['sms', 'phone', 'userIds'].includes(column)) ||
  (['users', 'demographics'].includes(file) && column.startsWith('metadata.'))

const signOf = (cells: Cells): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(cells).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url')
    .slice(0, 16)

/** The records as they leave: each with the cells that came with it, as long as ours still says what it said then. */
export function overlayKept(made: Records, keeps: KeptRecords, reveals: boolean): Records {
  const shown = (file: FileName, column: string, came: string): string =>
    reveals || !isPersonal(file, column) ? came : maskOf(came)
  const back = new Map<Cells, { file: FileName; cells: Cells }>()
  const records = {} as Records
  const others: { file: FileName; cells: Cells }[] = []
  for (const file of fileNames) {
    const kept = keeps.get(file) ?? new Map<string, KeptRecord>()
    const ids = new Set(made[file].map((cells) => cells.sourcedId!))
    records[file] = made[file].map((cells) => {
      const { differ, made: sign } = kept.get(cells.sourcedId!) ?? {}
      if (!differ) return cells
      const whole = { ...cells }
      for (const [column, [ours, came]] of Object.entries(differ))
        if ((cells[column] ?? '') === ours && (column !== 'dateLastModified' || signOf(cells) === sign))
          whole[column] = shown(file, column, came)
      if (file === 'enrollments' && whole.endDate && !cells.endDate && cells['metadata.status'])
        whole[recordMarks.held] = 'true'
      back.set(whole, { file, cells })
      return whole
    })
    for (const [id, { whole }] of kept)
      if (whole && !ids.has(id)) {
        const cells = Object.entries(whole).map(([column, came]) => [column, shown(file, column, came)])
        others.push({ file, cells: Object.fromEntries(cells) })
      }
  }
  settle(records, others, back)
  for (const list of Object.values(records)) list.sort((a, b) => (a.sourcedId! < b.sourcedId! ? -1 : 1))
  return records
}

/** Nothing that leaves points at what does not. */
function settle(
  records: Records,
  others: readonly { file: FileName; cells: Cells }[],
  back: ReadonlyMap<Cells, { file: FileName; cells: Cells }>,
): void {
  const ids = new Map(fileNames.map((file) => [file, new Set(records[file].map((cells) => cells.sourcedId!))]))
  for (const { file, cells } of others) ids.get(file)!.add(cells.sourcedId!)
  const dangles = (file: FileName, name: string, cells: Cells): boolean => {
    const { to, kind } = columns[file].find((column) => column.name === name) ?? {}
    if (!to || !cells[name]) return false
    return (kind === 'guids' ? split(cells[name]) : [cells[name]!]).some((id) => !ids.get(to)!.has(id))
  }
  let staying = [...others]
  for (let before = -1; before !== staying.length; ) {
    before = staying.length
    staying = staying.filter(({ file, cells }) => {
      const stays = columns[file].every(({ name }) => !dangles(file, name, cells))
      if (!stays) ids.get(file)!.delete(cells.sourcedId!)
      return stays
    })
  }
  for (const [whole, { file, cells }] of back)
    for (const { name } of columns[file]) if (dangles(file, name, whole)) whole[name] = cells[name] ?? ''
  for (const { file, cells } of staying) records[file].push(cells)
  // The course that we make for all homerooms of a school is needed only where they have none of their own.
  const used = new Set(records.classes.map((cells) => cells.courseSourcedId))
  records.courses = records.courses.filter((cells) => !cells[recordMarks.homeroomCourse] || used.has(cells.sourcedId))
}

/** By what a record of an archive is known to be one that we make under another sourcedId. */
const likenesses: Partial<Record<FileName, readonly (readonly string[])[]>> = {
  roles: [
    ['userSourcedId', 'orgSourcedId', 'role'],
    ['userSourcedId', 'orgSourcedId'],
  ],
  enrollments: [
    ['classSourcedId', 'userSourcedId', 'role', 'beginDate'],
    ['classSourcedId', 'userSourcedId', 'role'],
  ],
}

/** Each line with the record that we make of it, where we make one. */
function pairs(file: FileName, lines: readonly Line[], made: readonly Cells[]): Map<Line, Cells | undefined> {
  const found = new Map<Line, Cells | undefined>()
  const free = new Map(made.map((cells) => [cells.sourcedId!, cells]))
  const take = (line: Line, cells: Cells | undefined): void => {
    if (!cells) return
    found.set(line, cells)
    free.delete(cells.sourcedId!)
  }
  for (const line of lines) take(line, free.get(line.cells.sourcedId!))
  for (const names of likenesses[file] ?? []) {
    const keyOf = (cells: Cells): string => names.map((name) => cells[name] ?? '').join('|')
    const byKey = Map.groupBy(free.values(), keyOf)
    for (const line of lines) if (!found.has(line)) take(line, byKey.get(keyOf(line.cells))?.shift())
  }
  return new Map(lines.map((line) => [line, found.get(line)]))
}

/** Every cell that was named may be kept, but no password. */
const isKept = (file: FileName, column: string): boolean =>
  !(file === 'users' && column === 'password') && !metadataOfFile(file).includes(column)

const nameOf = (column: string): string => (column === 'resourceSourcedIds' ? 'metadata.resourceSourcedIds' : column)

function keepOf(
  file: FileName,
  header: readonly string[],
  line: Line,
  made: Cells | undefined,
  before?: KeptRecord,
): KeptRecord | undefined {
  const named = new Set(header.map(nameOf))
  const came: [string, string][] = header.flatMap((column) => {
    const cell = line.cells[column] ?? ''
    const held = before?.differ?.[nameOf(column)]?.[1] ?? before?.whole?.[nameOf(column)] ?? ''
    const value = isMasked(cell) ? held : cell
    return value !== '' && isKept(file, column) ? [[nameOf(column), value]] : []
  })
  if (!made) {
    const rest = Object.entries(before?.whole ?? {}).filter(([column]) => !named.has(column))
    return { whole: Object.fromEntries([...rest, ...came]) }
  }
  const rest = Object.entries(before?.differ ?? {}).filter(([column]) => !named.has(column))
  const sameMembers = (a: string, b: string): boolean => split(a).sort().join() === split(b).sort().join()
  const differ = came.flatMap(([column, cell]) => {
    const ours = made[column] ?? ''
    // Whose guardian somebody is, is what the rows say.
    const told = column === 'agentSourcedIds' ? ours !== cell && sameMembers(ours, cell) : ours !== cell
    return told ? [[column, [ours, cell]] as const] : []
  })
  const all = Object.fromEntries([...rest, ...differ])
  if (Object.keys(all).length === 0) return undefined
  return { differ: all, ...('dateLastModified' in all ? { made: signOf(made) } : {}) }
}

/** What is to be kept of an archive beside the rows that were made of it: only what is kept otherwise by now. */
export function changedKeeps(
  tables: Tables,
  made: Records,
  keeps: KeptRecords,
  retire: boolean,
): { file: FileName; sourcedId: string; keep: KeptRecord | undefined }[] {
  const changed: { file: FileName; sourcedId: string; keep: KeptRecord | undefined }[] = []
  for (const file of fileNames) {
    const before = keeps.get(file) ?? new Map<string, KeptRecord>()
    const now = new Map<string, KeptRecord | undefined>()
    const ids = new Set(made[file].map((cells) => cells.sourcedId!))
    const { header, lines }: Table = tables[file] ?? { header: [], lines: [] }
    const own = lines.filter(({ line }) => line > 0)
    for (const [line, ours] of pairs(file, own, made[file])) {
      const id = ours?.sourcedId ?? line.cells.sourcedId!
      const dropped = !ours && line.cells.status === 'tobedeleted'
      now.set(id, dropped ? undefined : keepOf(file, header, line, ours, before.get(id)))
    }
    const isWhole = tables[file] !== undefined && !tables[file].delta
    for (const [id, keep] of before)
      if (!now.has(id) && (keep.differ ? !ids.has(id) : isWhole && retire)) now.set(id, undefined)
    for (const [sourcedId, keep] of now)
      if (JSON.stringify(keep) !== JSON.stringify(before.get(sourcedId))) changed.push({ file, sourcedId, keep })
  }
  return changed
}
