/** A kind of file that is taken, and how it is handed back. */
export interface FileType {
  readonly extension: string
  readonly mime: string
  /** Shown in place; everything else is offered for saving. */
  readonly inline: boolean
  readonly is: (bytes: Buffer) => boolean
}

const begins =
  (...parts: (readonly [number, string])[]) =>
  (bytes: Buffer): boolean =>
    parts.every(([at, text]) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1')))

const endOfZip = 0x06054b50
const entryOfZip = 0x02014b50

/** The names in a zip's directory, or nothing where it has none: read without unpacking, and at most 10,000. */
export function zipNames(bytes: Buffer): string[] {
  const from = Math.max(0, bytes.length - 65_557)
  let end = -1
  for (let at = bytes.length - 22; at >= from; at -= 1)
    if (bytes.readUInt32LE(at) === endOfZip) {
      end = at
      break
    }
  if (end < 0) return []
  const names: string[] = []
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < Math.min(count, 10_000); index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryOfZip) return []
    const length = bytes.readUInt16LE(at + 28)
    names.push(bytes.subarray(at + 46, at + 46 + length).toString('utf8'))
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return names
}

const isZip = (bytes: Buffer): boolean =>
  bytes.length >= 22 && begins([0, 'PK\x03\x04'])(bytes) && zipNames(bytes).length > 0

const office =
  (folder: string) =>
  (bytes: Buffer): boolean => {
    if (!isZip(bytes)) return false
    const names = zipNames(bytes)
    // A document with macros is a program.
    return (
      names.includes('[Content_Types].xml') &&
      names.some((name) => name.startsWith(folder)) &&
      !names.some((name) => /vbaProject/i.test(name))
    )
  }

/** Text holds no control signs but tab and line ends, whatever its encoding. */
const isText = (bytes: Buffer): boolean => !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127)

/** Every kind of file that is taken: nothing that a browser would run (no svg, no html). */
export const fileTypes: readonly FileType[] = [
  { extension: 'jpg', mime: 'image/jpeg', inline: true, is: begins([0, '\xff\xd8\xff']) },
  { extension: 'png', mime: 'image/png', inline: true, is: begins([0, '\x89PNG\r\n\x1a\n']) },
  {
    extension: 'gif',
    mime: 'image/gif',
    inline: true,
    is: (bytes) => begins([0, 'GIF87a'])(bytes) || begins([0, 'GIF89a'])(bytes),
  },
  { extension: 'webp', mime: 'image/webp', inline: true, is: begins([0, 'RIFF'], [8, 'WEBP']) },
  { extension: 'pdf', mime: 'application/pdf', inline: false, is: begins([0, '%PDF-']) },
  {
    extension: 'docx',
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    inline: false,
    is: office('word/'),
  },
  {
    extension: 'xlsx',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    inline: false,
    is: office('xl/'),
  },
  {
    extension: 'pptx',
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    inline: false,
    is: office('ppt/'),
  },
  { extension: 'txt', mime: 'text/plain; charset=utf-8', inline: false, is: isText },
  { extension: 'csv', mime: 'text/csv; charset=utf-8', inline: false, is: isText },
  { extension: 'zip', mime: 'application/zip', inline: false, is: isZip },
  {
    extension: 'mp3',
    mime: 'audio/mpeg',
    inline: true,
    is: (bytes) => begins([0, 'ID3'])(bytes) || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2),
  },
  { extension: 'mp4', mime: 'video/mp4', inline: true, is: begins([4, 'ftyp']) },
]

/** The ending of a name, in small letters; jpeg is jpg. */
export function extensionOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return ending === 'jpeg' ? 'jpg' : ending
}

export const typeOf = (extension: string): FileType | undefined =>
  fileTypes.find((type) => type.extension === extension)
