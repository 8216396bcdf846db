import { yieldTurn } from '../../kernel/cooperative.ts'
import { Problem } from '../../kernel/problem.ts'
import { readInThread } from '../../kernel/reading-thread.ts'
import { threadOf } from '../../kernel/thread.ts'
import type { Faults } from './fault.ts'
import { type Cells, type FileName, isFileName, type Line, type Tables } from './files.ts'
import type { PassProgress } from './pass-progress.ts'
import { ArchiveRefusal, type Piece, readDirectory, threadLimits, type UnreadFiles } from './unpack.ts'

/** One cell, quoted where RFC 4180 asks for it. */
const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const row = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

/** A file's text, in the order that the lines have. */
export async function csvText(header: readonly string[], lines: readonly Record<string, string>[]): Promise<string> {
  const parts = [row(header)]
  for (const cells of lines) {
    await yieldTurn()
    parts.push(row(header.map((name) => cells[name] ?? '')))
  }
  return parts.join('')
}

/** Packs texts; the same texts give the same bytes, whenever and wherever. */
export async function packArchive(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const { zip } = await import('fflate')
  const encoder = new TextEncoder()
  // Local parts are written into the archive, so a local date is the same bytes in every zone.
  const mtime = new Date(1980, 0, 1)
  const entries = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, encoder.encode(text)]))
  return new Promise((resolve, reject) => {
    zip(entries, { level: 6, mtime }, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

/** What was told of an archive that is not taken, as whoever brought it hears it. */
const told = (reason: { zh: string; en: string }): Problem => new Problem('rule_broken', { reason })

/** The contents of an archive. */
export interface OpenedArchive {
  readonly manifest: ReadonlyMap<string, string> | undefined
  readonly tables: Tables
  /** Files that are there and are not read. */
  readonly others: readonly string[]
}

/** Refuses at once what cannot be an archive of OneRoster, without unpacking it. */
export const refuseNoArchive = (path: string): Promise<void> =>
  readDirectory(path, async () => {}).catch((error: unknown) => {
    throw error instanceof ArchiveRefusal ? told(error.words) : error
  })

/** A file as it grows, portion by portion. */
interface Growing {
  readonly header: readonly string[]
  /** A record without cells. Copies of it have one shape; records made cell by cell would take several times the room. */
  readonly blank: Cells
  readonly lines: Line[]
  above: readonly string[]
}

/** Reads the files of an archive that are carried, in a thread of their own. What is wrong inside a file is a fault. */
export async function openArchive(path: string, faults: Faults, pace: PassProgress): Promise<OpenedArchive> {
  const files = new Map<string, Growing>()
  let step: ((bytes: number) => Promise<void>) | undefined
  const { others, found } = await readInThread<Piece, UnreadFiles>({
    thread: threadOf('worker-archive', import.meta.url),
    data: path,
    ...threadLimits,
    take: async ({ file, header, at, records, bytes, unpacked }) => {
      const growing = files.get(file) ?? { header, blank: blankOf(header), lines: [], above: [] }
      files.set(file, growing)
      for (const [index, record] of records.entries()) growing.lines.push(lineOf(growing, at[index]!, record))
      step ??= pace.begin('read', unpacked)
      await step(bytes)
    },
    refusal: told,
    tooMuch: () =>
      told({
        zh: '压缩包过大或过于复杂，请分批导入',
        en: 'The archive is too large or too complex: bring it in parts',
      }),
  })
  faults.join(found)
  const tables: Tables = {}
  for (const [name, { header, lines }] of files) if (isFileName(name)) tables[name as FileName] = { header, lines }
  const manifest = files.get('manifest')
  return {
    manifest: manifest && new Map(manifest.lines.map(({ cells }) => [cells.propertyName ?? '', cells.value ?? ''])),
    tables,
    others,
  }
}

const blankOf = (header: readonly string[]): Cells =>
  JSON.parse(JSON.stringify(Object.fromEntries(header.map((name) => [name, ''])))) as Cells

/** One record as it is held. Most cells say what the line above said: the same text is held once. */
function lineOf(file: Growing, line: number, record: readonly string[]): Line {
  const cells = { ...file.blank }
  const held: string[] = []
  for (const [index, name] of file.header.entries()) {
    const cell = record[index] ?? ''
    const above = file.above[index]
    const text = cell === above ? above : cell
    cells[name] = text
    held.push(text)
  }
  file.above = held
  return { line, cells }
}
