/*
 * A TrueType file: outlines by character, with the few tables that a reader of fonts asks for. Nothing in it is hinted: it is
 * for paper.
 */

export interface Point {
  readonly x: number
  readonly y: number
  /** On the contour, or the point that pulls a curve. */
  readonly on: boolean
}

export interface Outline {
  readonly width: number
  readonly contours: readonly (readonly Point[])[]
}

export interface FontSource {
  readonly name: string
  /** Units of the square that a character is drawn in. */
  readonly square: number
  /** Of the square, above and below the line. */
  readonly ascent: number
  readonly descent: number
  readonly notice: string
  readonly outlines: ReadonlyMap<number, Outline>
}

/** Big-endian numbers, one after the other. */
const shorts = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}
const longs = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

const even = (bytes: Buffer, to: number): Buffer =>
  bytes.length % to === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(to - (bytes.length % to))])

/** One coordinate of a point, as it is from the point before. */
function step(by: number, short: number, same: number): { flag: number; bytes: Buffer } {
  if (by === 0) return { flag: same, bytes: Buffer.alloc(0) }
  if (Math.abs(by) < 256) return { flag: by > 0 ? short | same : short, bytes: Buffer.from([Math.abs(by)]) }
  return { flag: 0, bytes: shorts(by) }
}

function glyphOf({ contours }: Outline): Buffer {
  if (contours.length === 0) return Buffer.alloc(0)
  const points = contours.flat()
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const flags: number[] = []
  const [across, down]: [Buffer[], Buffer[]] = [[], []]
  let from = { x: 0, y: 0 }
  for (const point of points) {
    const x = step(point.x - from.x, 2, 16)
    const y = step(point.y - from.y, 4, 32)
    flags.push((point.on ? 1 : 0) | x.flag | y.flag)
    across.push(x.bytes)
    down.push(y.bytes)
    from = point
  }
  let last = -1
  const ends = contours.map((contour) => (last += contour.length))
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const head = shorts(contours.length, ...box, ...ends, 0)
  return even(Buffer.concat([head, Buffer.from(flags), ...across, ...down]), 2)
}

/** Runs of characters that follow one another, with the glyph of the first. */
function runsOf(characters: readonly number[]): [number, number, number][] {
  const runs: [number, number, number][] = []
  for (const [at, character] of characters.entries()) {
    const run = runs.at(-1)
    if (run && run[1] === character - 1) run[1] = character
    else runs.push([character, character, at + 1])
  }
  return runs
}

function nameTable(name: string, notice: string): Buffer {
  const entries: [number, string][] = [
    [0, notice],
    [1, name],
    [2, 'Regular'],
    [4, name],
    [6, name],
  ]
  const texts = entries.map(([, text]) => Buffer.from(text, 'utf16le').swap16())
  let at = 0
  const records = entries.map(([id], index) => {
    const record = shorts(3, 1, 0x409, id, texts[index]!.length, at)
    at += texts[index]!.length
    return record
  })
  return Buffer.concat([shorts(0, entries.length, 6 + entries.length * 12), ...records, ...texts])
}

/** The bytes of a font. */
export function fontFile({ name, square, ascent, descent, notice, outlines }: FontSource): Buffer {
  const characters = [...outlines.keys()].sort((one, other) => one - other)
  // The first glyph stands for what a font has not: a box, which no text of ours ever asks for.
  const missing: Outline = {
    width: square,
    contours: [
      [
        { x: 0, y: 0, on: true },
        { x: 0, y: square >> 1, on: true },
        { x: square >> 1, y: square >> 1, on: true },
      ],
    ],
  }
  const all = [missing, ...characters.map((character) => outlines.get(character)!)]
  const glyphs = all.map(glyphOf)
  let offset = 0
  const places = [0, ...glyphs.map((glyph) => (offset += glyph.length))]
  const [top, bottom] = [Math.round(ascent * square), Math.round(descent * square)]
  const widest = Math.max(...all.map(({ width }) => width))
  const runs = runsOf(characters)
  const groups = Buffer.concat(runs.map((run) => longs(...run)))
  const tables: Record<string, Buffer> = {
    cmap: Buffer.concat([
      shorts(0, 1, 3, 10),
      longs(12),
      shorts(12, 0),
      longs(16 + groups.length, 0, runs.length),
      groups,
    ]),
    glyf: Buffer.concat(glyphs),
    head: Buffer.concat([
      longs(0x10000, 0x10000, 0, 0x5f0f3cf5),
      shorts(0, square),
      Buffer.alloc(16),
      shorts(0, bottom, widest, top, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([
      longs(0x10000),
      shorts(top, bottom, 0, widest, 0, 0, widest, 1, 0, 0, 0, 0, 0, 0, 0, all.length),
    ]),
    hmtx: Buffer.concat(
      all.map(({ width, contours }) => shorts(width, Math.min(0, ...contours.flat().map(({ x }) => x)))),
    ),
    loca: longs(...places),
    maxp: Buffer.concat([longs(0x10000), shorts(all.length, 1_000, 200, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: nameTable(name, notice),
    post: Buffer.concat([longs(0x30000, 0), shorts(0, 0), longs(0, 0, 0, 0, 0)]),
  }
  const tags = Object.keys(tables).sort()
  let at = 12 + tags.length * 16
  const directory = tags.map((tag) => {
    const table = tables[tag]!
    const entry = Buffer.concat([Buffer.from(tag, 'latin1'), longs(0, at, table.length)])
    at += even(table, 4).length
    return entry
  })
  const power = 2 ** Math.floor(Math.log2(tags.length))
  const header = Buffer.concat([
    longs(0x10000),
    shorts(tags.length, power * 16, Math.log2(power), (tags.length - power) * 16),
  ])
  return Buffer.concat([header, ...directory, ...tags.map((tag) => even(tables[tag]!, 4))])
}
