import type { OpenedArchive } from './archive.ts'
import { completeDelta } from './delta.ts'
import type { Faults } from './fault.ts'
import {
  type Cells,
  type Column,
  columns,
  type FileName,
  fileNames,
  forms,
  isGuid,
  type Line,
  manifestFiles,
  type Table,
  type Tables,
} from './files.ts'
import type { Records } from './kept-records.ts'
import { type PassProgress, portions, sizeOf } from './pass-progress.ts'

export const isDay = (cell: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(cell)) return false
  const at = new Date(`${cell}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === cell
}
const split = (cell: string): string[] =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** What is wrong with a cell of a kind, in both languages; null when nothing is. References are judged apart. */
const judges: Record<Column['kind'], (cell: string, column: Column) => readonly [zh: string, en: string] | null> = {
  text: () => null,
  list: () => null,
  guid: (cell) =>
    isGuid(cell)
      ? null
      : ['只能包含字母、数字和 . - _ / @，少于256个字符', 'holds only letters, digits and . - _ / @, fewer than 256'],
  guids: (cell) =>
    split(cell).every(isGuid) ? null : ['其中有不合规的sourcedId', 'holds something that is no sourcedId'],
  boolean: (cell) => (cell === 'true' || cell === 'false' ? null : ['须为true或false', 'must be true or false']),
  date: (cell) => (isDay(cell) ? null : ['不是有效的日期，应形如2026-09-01', 'is not a date such as 2026-09-01']),
  dateTime: (cell) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(cell) ? null : ['不是UTC时间', 'is not a time in UTC'],
  year: (cell) => (/^\d{4}$/.test(cell) ? null : ['应为4位年份', 'is not a year of four digits']),
  word: (cell, column) =>
    column.words!.includes(cell) || cell.startsWith('ext:')
      ? null
      : [`须为以下之一：${column.words!.join('、')}`, `must be one of ${column.words!.join(', ')}`],
}

/** A file whose lines can be judged: its columns, and the sourcedIds of its records. */
interface Known {
  readonly form: readonly Column[]
  readonly ids: ReadonlySet<string>
}

/**
 * Judges an archive as OneRoster does: manifest, headers, kinds of cells, sourcedIds and what they point at. What comes as
 * a delta is completed from what stands.
 */
export async function checkTables(
  opened: OpenedArchive,
  faults: Faults,
  pace: PassProgress,
  base?: Records,
): Promise<Tables> {
  const tables = checkManifest(opened, faults)
  // A file that cannot be read is one fault: what points into it is not wrong for that.
  const known = new Map<FileName, Known | undefined>()
  for (const name of fileNames) {
    const table = tables[name]
    if (!table) {
      if (base && base[name].length > 0) known.set(name, { form: columns[name], ids: idsOf(base[name]) })
      continue
    }
    const form = checkHeader(name, table, faults)
    const ids = checkIds(name, table, faults)
    const isWhole = !base || modeOf(opened.manifest, name) === 'bulk'
    known.set(name, form && { form, ids: isWhole ? ids : new Set([...ids, ...idsOf(base[name])]) })
    if (!form) delete tables[name]
  }
  const lines = fileNames.map((name) => [name, tables[name]?.lines ?? []] as const)
  const step = pace.begin('lines', sizeOf(lines.map(([, list]) => list)))
  for (const [name, list] of lines)
    for (const portion of portions(list)) {
      for (const line of portion) checkLine(name, line, known, faults, modeOf(opened.manifest, name) === 'delta')
      await step(portion.length)
    }
  if (!base) return tables
  const bulk = fileNames.filter((name) => modeOf(opened.manifest, name) === 'bulk')
  return completeDelta(tables, base, new Set(bulk))
}

const modeOf = (manifest: OpenedArchive['manifest'], file: string): string => manifest?.get(`file.${file}`) ?? 'absent'

/** Whether an archive tells what has changed, and not all there is. */
export function isDelta({ manifest }: OpenedArchive): boolean {
  return fileNames.some((name) => modeOf(manifest, name) === 'delta')
}

const idsOf = (records: readonly Cells[]): Set<string> => new Set(records.map((cells) => cells.sourcedId!))

function checkManifest({ manifest, tables }: OpenedArchive, faults: Faults): Tables {
  if (!manifest) {
    faults.add('manifest.csv', 0, '', '缺少manifest.csv', 'manifest.csv is missing')
    return {}
  }
  const version = manifest.get('oneroster.version')
  if (version !== '1.2')
    faults.add(
      'manifest.csv',
      0,
      'oneroster.version',
      `须为1.2，而不是“${version ?? ''}”`,
      `must be 1.2, not "${version ?? ''}"`,
    )
  const told: Tables = {}
  for (const name of manifestFiles) {
    const state = modeOf(manifest, name)
    if (!['absent', 'bulk', 'delta'].includes(state))
      faults.add('manifest.csv', 0, `file.${name}`, '须为absent、bulk或delta', 'must be absent, bulk or delta')
    const file = fileNames.find((each) => each === name)
    if (!file) continue
    if (state !== 'absent' && !tables[file])
      faults.add(
        'manifest.csv',
        0,
        `file.${name}`,
        `清单中有${name}.csv，压缩包中没有`,
        `names ${name}.csv, which is not in the archive`,
      )
    if (state === 'absent' && tables[file])
      faults.add(
        'manifest.csv',
        0,
        `file.${name}`,
        `压缩包中有${name}.csv，清单却说没有`,
        `says absent, but ${name}.csv is in the archive`,
      )
    if (state !== 'absent' && tables[file]) told[file] = tables[file]
  }
  if (Object.keys(told).length === 0 && faults.count === 0)
    faults.add('manifest.csv', 0, '', '没有可以导入的文件', 'names no file that could be read')
  return told
}

/** The columns of a file, where they are those of a known version in their order, and what follows are extensions. */
function checkHeader(name: FileName, { header, lines }: Table, faults: Faults): readonly Column[] | undefined {
  const form = forms[name].find((each) => each.every((column, index) => header[index] === column.name)) ?? columns[name]
  for (const [index, column] of form.entries())
    if (header[index] !== column.name) {
      faults.add(
        `${name}.csv`,
        1,
        header[index] ?? '',
        `第${index + 1}列应为${column.name}`,
        `column ${index + 1} should be ${column.name}`,
      )
      return undefined
    }
  const extra = header.slice(form.length)
  for (const [index, column] of extra.entries())
    if (!/^metadata\.[A-Za-z0-9_.-]{1,64}$/.test(column) || extra.indexOf(column) !== index) {
      faults.add(
        `${name}.csv`,
        1,
        column,
        '扩展列须以metadata.开头且不能重复',
        'an extension must begin with metadata. and stand once',
      )
      return undefined
    }
  if (lines.length === 0)
    faults.add(`${name}.csv`, 1, '', '没有数据行的文件应当省略', 'a file without records must be left out')
  return form
}

function checkIds(name: FileName, table: Table, faults: Faults): Set<string> {
  const ids = new Set<string>()
  for (const { line, cells } of table.lines) {
    const id = cells.sourcedId!
    if (ids.has(id))
      faults.add(
        `${name}.csv`,
        line,
        'sourcedId',
        `sourcedId“${id}”重复`,
        `the sourcedId "${id}" stands twice`,
        'twice',
      )
    ids.add(id)
  }
  return ids
}

function checkLine(
  name: FileName,
  { line, cells }: Line,
  known: ReadonlyMap<FileName, Known | undefined>,
  faults: Faults,
  delta: boolean,
): void {
  const add = (column: string, zh: string, en: string, cause?: string): void =>
    faults.add(`${name}.csv`, line, column, zh, en, cause)
  for (const [column, cell] of Object.entries(cells))
    if (cell.includes('\r') || cell.includes('\n') || cell.includes('\0'))
      add(column, '单元格内不能有换行', 'a cell must not hold a line break')
  for (const column of known.get(name)!.form) {
    const cell = cells[column.name] ?? ''
    if (cell === '') {
      const needed = column.required || (delta && column.name === 'status')
      if (needed) add(column.name, '不能为空', 'is required')
      continue
    }
    const wrong = judges[column.kind](cell, column)
    if (wrong) add(column.name, ...wrong)
    else if (column.to) checkReference(column, cell, known, add)
  }
}

function checkReference(
  { name, kind, to }: Column,
  cell: string,
  known: ReadonlyMap<FileName, Known | undefined>,
  add: (column: string, zh: string, en: string, cause?: string) => void,
): void {
  const file = to!
  if (!known.has(file)) {
    add(name, `压缩包中没有${file}.csv，却引用了它`, `points into ${file}.csv, which is not in the archive`)
    return
  }
  const ids = known.get(file)?.ids
  if (!ids) return
  for (const id of kind === 'guids' ? split(cell) : [cell])
    if (!ids.has(id)) add(name, `${file}.csv中没有sourcedId“${id}”`, `${file}.csv has no sourcedId "${id}"`, 'nowhere')
}
