import { pipeline } from 'node:stream/promises'
import type yauzl from 'yauzl'
import { breathe } from '../../kernel/gently.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Faults } from './fault.ts'
import { type FileName, isFileName, type Line, type Table, type Tables } from './files.ts'
import type { Pace } from './pace.ts'

const entriesMost = 40
const unpackedMost = 200 * 1_048_576
const ratioMost = 100
export const recordsMost = 600_000
/** The files of the binding have at most 28 columns; the rest is room for extensions. */
const columnsMost = 256
/** What the cells of an archive take while they are held at once: unpacked bytes alone do not tell it. */
const heldMost = 256 * 1_048_576
/** A place in its record, and a text of its own. */
const bytesOfPlace = 8
const bytesOfText = 24

/** One cell, quoted where RFC 4180 asks for it. */
const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const row = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

/** A file's text, in the order that the lines have. */
export async function csvText(header: readonly string[], lines: readonly Record<string, string>[]): Promise<string> {
  const parts = [row(header)]
  for (const cells of lines) {
    await breathe()
    parts.push(row(header.map((name) => cells[name] ?? '')))
  }
  return parts.join('')
}

/** Packs texts; the same texts give the same bytes, whenever and wherever. */
export async function pack(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const { zip } = await import('fflate')
  const encoder = new TextEncoder()
  // Local parts are written into the archive, so a local date is the same bytes in every zone.
  const mtime = new Date(1980, 0, 1)
  const entries = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, encoder.encode(text)]))
  return new Promise((resolve, reject) => {
    zip(entries, { level: 6, mtime }, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

const refused = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })
const tooMany = (): Problem => refused(`一次最多${recordsMost}条记录`, `At most ${recordsMost} records at a time`)
const tooFull = (): Problem =>
  refused('压缩包的单元格太多，请分批导入', 'The archive holds too many cells: bring it in parts')
const broken = (): Problem => refused('文件不是有效的zip压缩包', 'The file is not a valid zip archive')

/** The contents of an archive. */
export interface Opened {
  readonly manifest: ReadonlyMap<string, string> | undefined
  readonly tables: Tables
  /** Files that are there and are not read. */
  readonly others: readonly string[]
}

/**
 * Looks at the directory of an archive, before anything is unpacked. What is no archive, holds too much, or is a bomb is
 * refused.
 */
async function openDirectory<T>(
  path: string,
  work: (archive: yauzl.ZipFile, entries: readonly yauzl.Entry[], unpacked: number) => Promise<T>,
): Promise<T> {
  const { default: zip } = await import('yauzl')
  const archive = await zip
    .openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true })
    .catch(() => {
      throw broken()
    })
  try {
    if (archive.entryCount > entriesMost)
      throw refused(`压缩包内最多${entriesMost}个文件`, `An archive holds at most ${entriesMost} files`)
    const entries: yauzl.Entry[] = []
    try {
      for await (const entry of archive.eachEntry()) entries.push(entry)
    } catch {
      throw broken()
    }
    let unpacked = 0
    const seen = new Set<string>()
    for (const entry of entries) {
      unpacked += entry.uncompressedSize
      if (entry.isEncrypted()) throw refused('不支持加密的压缩包', 'Encrypted archives cannot be read')
      if (entry.uncompressedSize > 1_048_576 && entry.uncompressedSize > entry.compressedSize * ratioMost)
        throw refused(`${entry.fileName}的压缩比过高`, `${entry.fileName} is packed too tightly to be genuine`)
      if (seen.has(entry.fileName))
        throw refused(`压缩包内有两个${entry.fileName}`, `The archive holds ${entry.fileName} twice`)
      seen.add(entry.fileName)
    }
    if (unpacked > unpackedMost)
      throw refused(
        `解压后最大${unpackedMost / 1_048_576}MB`,
        `Unpacked, an archive has at most ${unpackedMost / 1_048_576} MB`,
      )
    return await work(archive, entries, unpacked)
  } finally {
    archive.close()
  }
}

/** Refuses at once what cannot be an archive of OneRoster, without unpacking it. */
export const refuseNoArchive = (path: string): Promise<void> => openDirectory(path, async () => {})

/** Reads the files of an archive that are carried. What is wrong inside a file is a fault. */
export const openArchive = (path: string, faults: Faults, pace: Pace): Promise<Opened> =>
  openDirectory(path, async (archive, entries, unpacked) => {
    const step = pace.begin('read', unpacked)
    const tables: Tables = {}
    const others: string[] = []
    let manifest: Map<string, string> | undefined
    let records = 0
    const room = { bytes: heldMost }
    for (const entry of entries) {
      const { fileName } = entry
      if (fileName.endsWith('/')) continue
      const name = fileName.replace(/\.csv$/, '')
      if (name === 'manifest') manifest = manifestOf(await readCsv(archive, entry, faults, step, room))
      else if (isFileName(name) && fileName.endsWith('.csv')) {
        const table = await readCsv(archive, entry, faults, step, room)
        records += table.lines.length
        if (records > recordsMost) throw tooMany()
        tables[name as FileName] = table
      } else others.push(fileName)
    }
    return { manifest, tables, others }
  })

function manifestOf(table: Table): Map<string, string> {
  return new Map(table.lines.map(({ cells }) => [cells.propertyName ?? '', cells.value ?? '']))
}

async function readCsv(
  archive: yauzl.ZipFile,
  entry: yauzl.Entry,
  faults: Faults,
  step: (bytes: number) => Promise<void>,
  room: { bytes: number },
): Promise<Table> {
  const { parse } = await import('csv-parse')
  const stream = await archive.openReadStreamPromise(entry).catch(() => {
    throw broken()
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let header: string[] = []
  const lines: Line[] = []
  let above: readonly string[] = []
  let count = 0
  const take = (record: string[], line: number): void => {
    count += 1
    if (count === 1) {
      if (record.length > columnsMost)
        throw refused(
          `${entry.fileName}最多${columnsMost}列，实有${record.length}列`,
          `${entry.fileName} has ${record.length} columns; at most ${columnsMost} are read`,
        )
      header = record
      return
    }
    if (count > recordsMost) throw tooMany()
    if (record.length !== header.length)
      faults.add(
        entry.fileName,
        line,
        '',
        `应有${header.length}列，实有${record.length}列`,
        `has ${record.length} columns instead of ${header.length}`,
      )
    // Of one shape, in the order of the header: a table without a prototype takes several times the room.
    const cells: Record<string, string> = {}
    // Each line has a place for each column, however short it is, and most cells say what the line above said.
    room.bytes -= header.length * bytesOfPlace
    for (const [index, name] of header.entries()) {
      const cell = record[index] ?? ''
      const same = cell === above[index]
      if (!same && cell !== '') room.bytes -= bytesOfText + cell.length
      cells[name] = same ? above[index]! : cell
    }
    if (room.bytes < 0) throw tooFull()
    above = record
    lines.push({ line, cells })
  }
  try {
    // A pipeline hears the errors of all its parts: of a file that is longer than the directory said, too.
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          yield decoder.decode(chunk, { stream: true })
          await step(chunk.length)
        }
        yield decoder.decode()
      },
      parse({ bom: true, relaxColumnCount: true, maxRecordSize: 1_048_576, skipEmptyLines: true, info: true }),
      async (records: AsyncIterable<{ record: string[]; info: { lines: number } }>) => {
        for await (const { record, info } of records) take(record, info.lines)
      },
    )
  } catch (error) {
    if (error instanceof Problem) throw error
    const { code, lines: at } = error as { code?: string; lines?: number }
    if (!String(code).startsWith('CSV_') && code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw broken()
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      faults.add(entry.fileName, 0, '', '不是UTF-8编码', 'is not encoded in UTF-8')
    else
      faults.add(
        entry.fileName,
        at ?? 0,
        '',
        'CSV格式不正确（引号或行过长）',
        'is not well-formed CSV (a quote, or too long a line)',
      )
  }
  return { header, lines }
}
