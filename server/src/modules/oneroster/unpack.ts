import { pipeline } from 'node:stream/promises'
import type { Words } from '@data-brain/contract'
import type yauzl from 'yauzl'
import { type Fault, Faults } from './fault.ts'
import { isFileName } from './files.ts'

/* Takes an archive apart. What is unpacked and read is so in a thread (worker-archive.ts), whatever the archive holds. */

/** What the thread itself may take: it holds a portion of one file at a time. */
export const threadLimits = { memory: 96, seconds: 120 } as const

const entriesMost = 40
const unpackedMost = 200 * 1_048_576
const ratioMost = 100
const recordsMost = 600_000
/** The files of the binding have at most 28 columns; the rest is room for extensions. */
const columnsMost = 256
/** What the cells of an archive take while they are held at once: unpacked bytes alone do not tell it. */
const heldMost = 256 * 1_048_576
/** A place in its record, and a text of its own. */
const bytesOfPlace = 8
const bytesOfText = 24

/** An archive that is not taken, in words for whoever brought it. */
export class ArchiveRefusal extends Error {
  readonly words: Words
  constructor(zh: string, en: string) {
    super(en)
    this.words = { zh, en }
  }
}

const tooMany = (): ArchiveRefusal =>
  new ArchiveRefusal(`一次最多${recordsMost}条记录`, `At most ${recordsMost} records at a time`)
const tooFull = (): ArchiveRefusal =>
  new ArchiveRefusal('压缩包的单元格太多，请分批导入', 'The archive holds too many cells: bring it in parts')
const broken = (): ArchiveRefusal =>
  new ArchiveRefusal('文件不是有效的zip压缩包', 'The file is not a valid zip archive')

/** Some records of one file, each with the line where it stands. A file is told of at least once, with its header. */
export interface Piece {
  readonly file: string
  readonly header: readonly string[]
  readonly at: number[]
  readonly records: string[][]
  /** Bytes that were read for it, of all that the archive unpacks to. */
  bytes: number
  readonly unpacked: number
}

/** What is told when all is read: the files that are not read, and what was wrong inside the others. */
export interface UnreadFiles {
  readonly others: readonly string[]
  readonly found: { readonly shown: readonly Fault[]; readonly count: number }
}

/** Records, or characters, that are handed over at once. */
const portion = { records: 500, characters: 1_000_000 }

/**
 * Looks at the directory of an archive, before anything is unpacked. What is no archive, holds too much, or is a bomb is
 * refused.
 */
export async function readDirectory<T>(
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
      throw new ArchiveRefusal(`压缩包内最多${entriesMost}个文件`, `An archive holds at most ${entriesMost} files`)
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
      if (entry.isEncrypted()) throw new ArchiveRefusal('不支持加密的压缩包', 'Encrypted archives cannot be read')
      if (entry.uncompressedSize > 1_048_576 && entry.uncompressedSize > entry.compressedSize * ratioMost)
        throw new ArchiveRefusal(
          `${entry.fileName}的压缩比过高`,
          `${entry.fileName} is packed too tightly to be genuine`,
        )
      if (seen.has(entry.fileName))
        throw new ArchiveRefusal(`压缩包内有两个${entry.fileName}`, `The archive holds ${entry.fileName} twice`)
      seen.add(entry.fileName)
    }
    if (unpacked > unpackedMost)
      throw new ArchiveRefusal(
        `解压后最大${unpackedMost / 1_048_576}MB`,
        `Unpacked, an archive has at most ${unpackedMost / 1_048_576} MB`,
      )
    return await work(archive, entries, unpacked)
  } finally {
    archive.close()
  }
}

/** Reads the files of an archive that are carried, portion by portion. */
export const unpack = (path: string, give: (piece: Piece) => Promise<void>): Promise<UnreadFiles> =>
  readDirectory(path, async (archive, entries, unpacked) => {
    const faults = new Faults()
    const others: string[] = []
    const room = { bytes: heldMost, records: recordsMost }
    for (const entry of entries) {
      const { fileName } = entry
      if (fileName.endsWith('/')) continue
      const file = fileName.replace(/\.csv$/, '')
      if (file === 'manifest' || (isFileName(file) && fileName.endsWith('.csv')))
        await readCsv(archive, entry, { file, unpacked, faults, room, give })
      else others.push(fileName)
    }
    return { others, found: { shown: faults.shown, count: faults.count } }
  })

interface Reader {
  readonly file: string
  readonly unpacked: number
  readonly faults: Faults
  /** What is left for the archive as a whole. */
  readonly room: { bytes: number; records: number }
  readonly give: (piece: Piece) => Promise<void>
}

async function readCsv(
  archive: yauzl.ZipFile,
  entry: yauzl.Entry,
  { file, unpacked, faults, room, give }: Reader,
): Promise<void> {
  const { parse } = await import('csv-parse')
  const stream = await archive.openReadStreamPromise(entry).catch(() => {
    throw broken()
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let header: string[] | undefined
  let above: readonly string[] = []
  let characters = 0
  let bytes = 0
  let at: number[] = []
  let records: string[][] = []
  const flush = (): Promise<void> => {
    const piece: Piece = { file, header: header ?? [], at, records, bytes, unpacked }
    at = []
    records = []
    bytes = 0
    characters = 0
    return give(piece)
  }
  const take = (record: string[], line: number): void => {
    if (!header) {
      if (record.length > columnsMost)
        throw new ArchiveRefusal(
          `${entry.fileName}最多${columnsMost}列，实有${record.length}列`,
          `${entry.fileName} has ${record.length} columns; at most ${columnsMost} are read`,
        )
      header = record
      return
    }
    room.records -= 1
    if (room.records < 0) throw tooMany()
    if (record.length !== header.length)
      faults.add(
        entry.fileName,
        line,
        '',
        `应有${header.length}列，实有${record.length}列`,
        `has ${record.length} columns instead of ${header.length}`,
      )
    // Each line has a place for each column, however short it is, and most cells say what the line above said.
    room.bytes -= header.length * bytesOfPlace
    const cells = record.slice(0, header.length)
    for (const [index, cell] of cells.entries()) {
      characters += cell.length
      if (cell !== above[index] && cell !== '') room.bytes -= bytesOfText + cell.length
    }
    if (room.bytes < 0) throw tooFull()
    above = cells
    at.push(line)
    records.push(cells)
  }
  try {
    // A pipeline hears the errors of all its parts: of a file that is longer than the directory said, too.
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          yield decoder.decode(chunk, { stream: true })
        }
        yield decoder.decode()
      },
      parse({ bom: true, relaxColumnCount: true, maxRecordSize: 1_048_576, skipEmptyLines: true, info: true }),
      async (found: AsyncIterable<{ record: string[]; info: { lines: number } }>) => {
        for await (const { record, info } of found) {
          take(record, info.lines)
          if (records.length >= portion.records || characters >= portion.characters) await flush()
        }
      },
    )
  } catch (error) {
    if (error instanceof ArchiveRefusal) throw error
    const { code, lines: line } = error as { code?: string; lines?: number }
    if (!String(code).startsWith('CSV_') && code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw broken()
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      faults.add(entry.fileName, 0, '', '不是UTF-8编码', 'is not encoded in UTF-8')
    else
      faults.add(
        entry.fileName,
        line ?? 0,
        '',
        'CSV格式不正确（引号或行过长）',
        'is not well-formed CSV (a quote, or too long a line)',
      )
  }
  await flush()
}
