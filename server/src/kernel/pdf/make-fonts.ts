/**
 * Writes fonts/ out of two packages of fonts under the SIL Open Font License. Run by hand after one of them was updated:
 * node server/src/kernel/pdf/make-fonts.ts
 *
 * - @fontsource-variable/noto-sans-sc: what is in common use, at the weight of running text
 * - hanamin (Hanazono Mincho): every other Chinese character up to Extension F, a file for each 4,096 of them
 *
 * The packages hold 27 MB that only this maker needs; what it writes is a tenth of it, as each outline is brought down to
 * the points that can be told apart on paper.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { create, type Glyph } from 'fontkit'
import subsetFont from 'subset-font'
import { fontFile, type Outline, type Point } from './font-file.ts'

const require = createRequire(import.meta.url)
const folder = path.join(import.meta.dirname, 'fonts')

/** The contours of a glyph in another size of the square that it is drawn in. */
function contoursOf(glyph: Glyph, scale: number): Point[][] {
  const contours: Point[][] = []
  const at = (x: number, y: number, on: boolean): Point => ({ x: Math.round(x * scale), y: Math.round(y * scale), on })
  for (const { command, args } of glyph.path.commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args
    if (command === 'moveTo') contours.push([at(a, b, true)])
    else if (command === 'lineTo') contours.at(-1)!.push(at(a, b, true))
    else if (command === 'quadraticCurveTo') contours.at(-1)!.push(at(a, b, false), at(c, d, true))
    else if (command !== 'closePath') throw new Error(`an outline with ${command}`)
  }
  return contours.map(tidied).filter((contour) => contour.length > 2)
}

const isSame = (one: Point, other: Point): boolean => one.x === other.x && one.y === other.y

/** A contour without points that fall together. */
const tidied = (contour: readonly Point[]): Point[] =>
  contour.filter((point, at) => !isSame(point, contour[(at + contour.length - 1) % contour.length]!) || !point.on)

/** How far a point is from the line through two others. */
function distance({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  if (length === 0) return Math.hypot(x - from.x, y - from.y)
  return Math.abs(dx * (y - from.y) - dy * (x - from.x)) / length
}

/** A line with only the points that are further from it than can be seen (Douglas and Peucker). */
function thinned(line: readonly Point[], most: number): Point[] {
  const [first, last] = [line[0]!, line.at(-1)!]
  let far = 0
  let split = 0
  for (let at = 1; at < line.length - 1; at += 1) {
    const off = distance(line[at]!, first, last)
    if (off > far) [far, split] = [off, at]
  }
  if (far <= most) return [first, last]
  return [...thinned(line.slice(0, split + 1), most).slice(0, -1), ...thinned(line.slice(split), most)]
}

/** A contour as straight lines, thinned. */
function straightened(contour: readonly Point[], most: number): Point[] {
  const line: Point[] = []
  for (const [at, point] of contour.entries()) {
    if (point.on) {
      line.push(point)
      continue
    }
    const before = line.at(-1)!
    const after = contour[(at + 1) % contour.length]!
    for (let step = 1; step < 4; step += 1) {
      const t = step / 4
      const mix = (a: number, b: number, c: number): number => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c
      line.push({ x: mix(before.x, point.x, after.x), y: mix(before.y, point.y, after.y), on: true })
    }
  }
  // A ring is split where it is widest, so that neither half is a line from a point to itself.
  const first = line[0]!
  const far = line.reduce(
    (best, point, at) => {
      const off = Math.hypot(point.x - first.x, point.y - first.y)
      return off > best.off ? { at, off } : best
    },
    { at: 0, off: 0 },
  ).at
  const ring = [
    ...thinned(line.slice(0, far + 1), most).slice(0, -1),
    ...thinned([...line.slice(far), first], most).slice(0, -1),
  ]
  return tidied(ring.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y), on: true })))
}

function write(name: string, square: number, outlines: ReadonlyMap<number, Outline>, notice: string): void {
  const bytes = fontFile({ name, square, ascent: 0.88, descent: -0.12, notice, outlines })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const packed = brotliCompressSync(bytes, { params })
  writeFileSync(path.join(folder, `${name}.ttf.br`), packed)
  console.log(`${name}: ${outlines.size} characters, ${bytes.length} bytes, ${packed.length} packed`)
}

for (const file of readdirSync(folder)) if (file.endsWith('.ttf.br')) rmSync(path.join(folder, file))

const common = new Map<number, Outline>()
const noto = path.dirname(require.resolve('@fontsource-variable/noto-sans-sc/package.json'))
for (const file of readdirSync(path.join(noto, 'files')).sort()) {
  const bytes = readFileSync(path.join(noto, 'files', file))
  const characters = create(bytes).characterSet
  const text = String.fromCodePoint(...characters)
  const still = create(
    Buffer.from(await subsetFont(bytes, text, { targetFormat: 'truetype', variationAxes: { wght: 400 } })),
  )
  for (const character of characters) {
    const glyph = still.glyphForCodePoint(character)
    if (common.has(character)) continue
    common.set(character, { width: glyph.advanceWidth, contours: contoursOf(glyph, 1) })
  }
}
write('noto-sans-sc', 1_000, common, 'Noto Sans SC, (c) Adobe, Google. SIL Open Font License 1.1')

/** Where every Chinese character stands that the first font may lack. */
const rareBlocks = [
  ...[
    [0x2e80, 0x2fdf],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
  ],
  ...[
    [0x20000, 0x2a6df],
    [0x2a700, 0x2ceaf],
    [0x2f800, 0x2fa1f],
  ],
] as const
const square = 128
const pieces = new Map<number, Map<number, Outline>>()
const hanamin = path.dirname(require.resolve('hanamin/package.json'))
for (const file of readdirSync(hanamin).sort()) {
  if (!/^HanaMin[AB]\.(CJK|Kangxi).*\.woff2$/.test(file)) continue
  const font = create(readFileSync(path.join(hanamin, file)))
  for (const character of font.characterSet) {
    if (common.has(character) || !rareBlocks.some(([from, to]) => character >= from! && character <= to!)) continue
    const piece = pieces.get(character >> 12) ?? new Map<number, Outline>()
    pieces.set(character >> 12, piece)
    const contours = contoursOf(font.glyphForCodePoint(character), square / font.unitsPerEm)
      .map((contour) => straightened(contour, 1))
      .filter((contour) => contour.length > 2)
    piece.set(character, { width: square, contours })
  }
}
for (const [number, piece] of [...pieces].sort(([one], [other]) => one - other))
  write(`rare-${number.toString(16).padStart(2, '0')}`, square, piece, 'Hanazono Mincho. SIL Open Font License 1.1')
