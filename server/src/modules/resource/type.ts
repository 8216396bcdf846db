import { type FileHandle, open } from 'node:fs/promises'

/** A file as its kind is told: never read as a whole where a part will do. */
export interface FileSample {
  readonly size: number
  /** The first bytes. */
  readonly head: Buffer
  readonly handle: FileHandle
}

const mb = 1_048_576

/** A kind of file that is taken, and how it is handed back. */
export interface FileType {
  readonly extension: string
  readonly mime: string
  /** Shown in place; everything else is offered for saving. */
  readonly inline: boolean
  /** Most bytes. */
  readonly most: number
  /** Is drawn anew before it is kept, and has small copies. */
  readonly picture?: boolean
  readonly is: (look: FileSample) => boolean | Promise<boolean>
}

const begins =
  (...parts: (readonly [number, string])[]) =>
  ({ head }: FileSample): boolean =>
    parts.every(([at, text]) => head.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1')))

const endOfZip = 0x06054b50
const entryOfZip = 0x02014b50
/** Longest directory of a zip that is read: far more than ten thousand names need. */
const directoryMost = 4 * mb

async function readAt({ handle, size }: FileSample, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
  return bytes.subarray(0, bytesRead)
}

/** The names in a zip's directory, or nothing where it has none: read without unpacking, and at most 10,000. */
async function zipNames(look: FileSample): Promise<string[]> {
  const tailAt = Math.max(0, look.size - 65_557)
  const tail = await readAt(look, tailAt, 65_557)
  let end = -1
  for (let at = tail.length - 22; at >= 0; at -= 1)
    if (tail.readUInt32LE(at) === endOfZip) {
      end = at
      break
    }
  if (end < 0) return []
  const count = tail.readUInt16LE(end + 10)
  const length = tail.readUInt32LE(end + 12)
  const from = tail.readUInt32LE(end + 16)
  if (length > directoryMost || from + length > tailAt + end) return []
  const directory = await readAt(look, from, length)
  const names: string[] = []
  let at = 0
  for (let index = 0; index < Math.min(count, 10_000); index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== entryOfZip) return []
    const nameLength = directory.readUInt16LE(at + 28)
    names.push(directory.subarray(at + 46, at + 46 + nameLength).toString('utf8'))
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return names
}

const isZip = async (look: FileSample): Promise<boolean> =>
  begins([0, 'PK\x03\x04'])(look) && (await zipNames(look)).length > 0

const office =
  (folder: string) =>
  async (look: FileSample): Promise<boolean> => {
    if (!begins([0, 'PK\x03\x04'])(look)) return false
    const names = await zipNames(look)
    // A document with macros is a program.
    return (
      names.includes('[Content_Types].xml') &&
      names.some((name) => name.startsWith(folder)) &&
      !names.some((name) => /vbaProject/i.test(name))
    )
  }

/** Text holds no control signs but tab and line ends, whatever its encoding. */
async function isText({ handle }: FileSample): Promise<boolean> {
  for await (const part of handle.createReadStream({ start: 0, autoClose: false }))
    if ((part as Buffer).some((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127)) return false
  return true
}

/** Every kind of file that is taken: nothing that a browser would run (no svg, no html). */
export const fileTypes: readonly FileType[] = [
  { extension: 'jpg', mime: 'image/jpeg', inline: true, most: 20 * mb, picture: true, is: begins([0, '\xff\xd8\xff']) },
  {
    extension: 'png',
    mime: 'image/png',
    inline: true,
    most: 20 * mb,
    picture: true,
    is: begins([0, '\x89PNG\r\n\x1a\n']),
  },
  {
    extension: 'gif',
    mime: 'image/gif',
    inline: true,
    most: 20 * mb,
    picture: true,
    is: (look) => begins([0, 'GIF87a'])(look) || begins([0, 'GIF89a'])(look),
  },
  {
    extension: 'webp',
    mime: 'image/webp',
    inline: true,
    most: 20 * mb,
    picture: true,
    is: begins([0, 'RIFF'], [8, 'WEBP']),
  },
  { extension: 'pdf', mime: 'application/pdf', inline: false, most: 50 * mb, is: begins([0, '%PDF-']) },
  {
    extension: 'docx',
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    inline: false,
    most: 50 * mb,
    is: office('word/'),
  },
  {
    extension: 'xlsx',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    inline: false,
    most: 50 * mb,
    is: office('xl/'),
  },
  {
    extension: 'pptx',
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    inline: false,
    most: 50 * mb,
    is: office('ppt/'),
  },
  { extension: 'txt', mime: 'text/plain; charset=utf-8', inline: false, most: 10 * mb, is: isText },
  { extension: 'csv', mime: 'text/csv; charset=utf-8', inline: false, most: 10 * mb, is: isText },
  { extension: 'zip', mime: 'application/zip', inline: false, most: 500 * mb, is: isZip },
  {
    extension: 'mp3',
    mime: 'audio/mpeg',
    inline: true,
    most: 500 * mb,
    is: (look) => begins([0, 'ID3'])(look) || (look.head[0] === 0xff && ((look.head[1] ?? 0) & 0xe6) === 0xe2),
  },
  { extension: 'mp4', mime: 'video/mp4', inline: true, most: 500 * mb, is: begins([4, 'ftyp']) },
]

/** The ending of a name, in small letters; jpeg is jpg. */
export function extensionOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return ending === 'jpeg' ? 'jpg' : ending
}

export const typeOf = (extension: string): FileType | undefined =>
  fileTypes.find((type) => type.extension === extension)

/** Whether a file is by its content what its kind says. */
export async function isOf(type: FileType, path: string, size: number): Promise<boolean> {
  const handle = await open(path)
  try {
    const look: FileSample = { size, handle, head: await readAt({ size, handle, head: Buffer.alloc(0) }, 0, 64) }
    return await type.is(look)
  } finally {
    await handle.close()
  }
}
