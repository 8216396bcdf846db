/*
 * A photo from a telephone carries the place and time at which a child was photographed. What says nothing about how
 * the picture looks is taken out before it is stored.
 */

const orientationTag = 0x0112

/** The orientation that an Exif block names: without it a portrait would lie on its side. */
function orientationOf(block: Buffer): number {
  if (block.toString('latin1', 0, 6) !== 'Exif\0\0') return 1
  const tiff = block.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const word = (at: number): number =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const long = (at: number): number =>
    at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)
  const directory = long(4)
  for (let index = 0; index < Math.min(word(directory), 200); index += 1) {
    const entry = directory + 2 + index * 12
    if (word(entry) === orientationTag) return word(entry + 8)
  }
  return 1
}

/** An Exif block that says the orientation and nothing else. */
function exifOf(orientation: number): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01', 'latin1')
  const entry = Buffer.alloc(12)
  entry.writeUInt16BE(orientationTag, 0)
  entry.writeUInt16BE(3, 2)
  entry.writeUInt32BE(1, 4)
  entry.writeUInt16BE(orientation, 8)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, entry, Buffer.alloc(4)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Whether an application block of a JPEG says how it looks: JFIF, the colour profile, Adobe's colour transform. */
const isLook = (mark: number, block: Buffer): boolean =>
  mark === 0xe0 || mark === 0xee || (mark === 0xe2 && block.toString('latin1', 4, 15) === 'ICC_PROFILE')

/** Where the coded picture that begins at `at` ends: at the next mark that is no part of it. */
function endOfScan(bytes: Buffer, at: number): number {
  let next = bytes.indexOf(0xff, at)
  while (next >= 0 && next + 1 < bytes.length) {
    const mark = bytes[next + 1]!
    if (mark !== 0 && mark !== 0xff && !(mark >= 0xd0 && mark <= 0xd7)) return next
    next = bytes.indexOf(0xff, next + (mark === 0xff ? 1 : 2))
  }
  return -1
}

function stripJpeg(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let orientation = 1
  let at = 2
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const mark = bytes[at + 1]!
    if (mark === 0xff) {
      at += 1
      continue
    }
    // The end: what stands behind it (previews, another picture) is left out.
    if (mark === 0xd9) {
      const exif = orientation > 1 && orientation <= 8 ? [exifOf(orientation)] : []
      return Buffer.concat([bytes.subarray(0, 2), ...exif, ...parts, bytes.subarray(at, at + 2)])
    }
    if (at + 4 > bytes.length) return undefined
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const block = bytes.subarray(at, end)
    if (end > bytes.length || block.length < 4) return undefined
    if (mark === 0xe1 && orientation === 1) orientation = orientationOf(block.subarray(4))
    if (!((mark >= 0xe0 && mark <= 0xef) || mark === 0xfe) || isLook(mark, block)) parts.push(block)
    at = end
    if (mark !== 0xda) continue
    at = endOfScan(bytes, end)
    if (at < 0) return undefined
    parts.push(bytes.subarray(end, at))
  }
  return undefined
}

/** Chunks of a PNG that say who, where and when, and no more. */
const droppedChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

function stripPng(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [bytes.subarray(0, 8)]
  let at = 8
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const kind = bytes.toString('latin1', at + 4, at + 8)
    if (at + 12 + length > bytes.length) return undefined
    if (!droppedChunks.has(kind)) parts.push(bytes.subarray(at, at + 12 + length))
    at += 12 + length
    if (kind === 'IEND') return Buffer.concat(parts)
  }
  return undefined
}

/** A picture without what it tells beside itself; undefined of one that is broken. Other files stay as they are. */
export function strip(extension: string, bytes: Buffer): Buffer | undefined {
  if (extension === 'jpg') return stripJpeg(bytes)
  if (extension === 'png') return stripPng(bytes)
  return bytes
}
