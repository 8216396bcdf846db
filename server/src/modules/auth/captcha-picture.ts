import { randomInt } from 'node:crypto'
import { openPicture } from '../../kernel/picture-library.ts'

/*
 * Signs are drawn as strokes of our own, so a picture needs no font of the machine, and no two of a sign are alike. They
 * are those that cannot be taken for one another when they are bent: no 0 and O, no 1 and I, no B and 8.
 */

type Point = readonly [number, number]
type Stroke = readonly Point[]

/** An arc as a stroke, in degrees clockwise from the right. */
function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): Stroke {
  const steps = 14
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)]
  })
}

const line = (...points: Point[]): Stroke => points

/** Each sign in a box of 10 by 14. */
const signs: Readonly<Record<string, readonly Stroke[]>> = {
  2: [[...arc(5, 4, 4, 4, 190, 395), [1, 14], [9, 14]]],
  3: [arc(4.5, 3.5, 4, 3.5, 200, 450), arc(4.5, 10.2, 4.5, 3.8, 270, 520)],
  4: [line([7, 14], [7, 0], [0.5, 9.5], [10, 9.5])],
  6: [[...arc(9, 9.5, 8, 9.5, 255, 180), ...arc(5, 9.8, 4, 4.2, 180, 540)]],
  7: [line([1, 0], [9, 0], [4, 14])],
  A: [line([0.5, 14], [5, 0], [9.5, 14]), line([2.4, 9], [7.6, 9])],
  E: [line([9, 0], [1, 0], [1, 14], [9, 14]), line([1, 7], [7.5, 7])],
  F: [line([9, 0], [1, 0], [1, 14]), line([1, 7], [7.5, 7])],
  H: [line([1, 0], [1, 14]), line([9, 0], [9, 14]), line([1, 7], [9, 7])],
  K: [line([1, 0], [1, 14]), line([9, 0], [1, 8]), line([4, 5.5], [9.5, 14])],
  M: [line([0.5, 14], [0.5, 0], [5, 8], [9.5, 0], [9.5, 14])],
  P: [[[1, 14], [1, 0], ...arc(5, 4, 4, 4, 270, 450), [1, 8]]],
  R: [[[1, 14], [1, 0], ...arc(5, 3.8, 4, 3.8, 270, 450), [1, 7.6]], line([4.5, 7.6], [9.5, 14])],
  T: [line([0.5, 0], [9.5, 0]), line([5, 0], [5, 14])],
  W: [line([0, 0], [2.5, 14], [5, 5], [7.5, 14], [10, 0])],
  X: [line([0.8, 0], [9.2, 14]), line([9.2, 0], [0.8, 14])],
}

/** What a captcha may hold. */
export const captchaSigns: readonly string[] = Object.keys(signs)

/** How many signs a picture has. */
export const captchaLength = 5

const width = 130
const height = 48

/** A random number between two, to hundredths: what a picture looks like must not be told by any before it. */
const between = (from: number, to: number): number => from + randomInt(0, 10_001) / (10_000 / (to - from))

/** Five signs that nobody can foresee. */
export const captchaText = (): string =>
  Array.from({ length: captchaLength }, () => captchaSigns[randomInt(captchaSigns.length)]).join('')

/** More points on a stroke, so that it bends where the sheet does. */
function finer(stroke: Stroke): Point[] {
  const points: Point[] = []
  for (const [index, [x, y]] of stroke.entries()) {
    const before = stroke[index - 1]
    const steps = before ? Math.max(1, Math.ceil(Math.hypot(x - before[0], y - before[1]) / 1.5)) : 1
    for (let step = 1; step <= steps; step += 1)
      points.push(
        before ? [before[0] + ((x - before[0]) * step) / steps, before[1] + ((y - before[1]) * step) / steps] : [x, y],
      )
  }
  return points
}

const path = (points: readonly Point[], more: string): string =>
  `<path fill="none" stroke-linecap="round" stroke-linejoin="round" ${more} d="M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}"/>`

/** The PNG of a text: its signs turned, stretched and bent together, crossed by lines. */
export async function captchaPicture(text: string): Promise<Buffer> {
  const wave = { height: between(1.5, 3), length: between(35, 60), shift: between(0, 60) }
  const bend = ([x, y]: Point): Point => [x, y + wave.height * Math.sin(((x + wave.shift) * 2 * Math.PI) / wave.length)]
  const colour = (): string => `hsl(${randomInt(360)} 70% ${randomInt(22, 36)}%)`
  const step = (width - 14) / text.length
  const drawn = [...text].flatMap((sign, at) => {
    const angle = (between(-20, 20) * Math.PI) / 180
    const [sx, sy] = [between(1.45, 1.8), between(1.6, 2.05)]
    const lean = between(-0.2, 0.2)
    const middle: Point = [7 + step * (at + 0.5) + between(-2, 2), height / 2 + between(-4, 4)]
    const look = `stroke="${colour()}" stroke-width="${between(2.2, 3.4).toFixed(1)}"`
    return (signs[sign] ?? []).map((stroke) =>
      path(
        finer(stroke).map(([x, y]) => {
          const [left, top] = [(x - 5) * sx + (y - 7) * lean * sy, (y - 7) * sy]
          return bend([
            middle[0] + left * Math.cos(angle) - top * Math.sin(angle),
            middle[1] + left * Math.sin(angle) + top * Math.cos(angle),
          ])
        }),
        look,
      ),
    )
  })
  const crossing = Array.from({ length: 3 }, () => {
    const from: Point = [between(-5, 20), between(6, height - 6)]
    const to: Point = [between(width - 20, width + 5), between(6, height - 6)]
    const turn = between(-14, 14)
    return path(
      Array.from({ length: 17 }, (_, at): Point => {
        const part = at / 16
        return [
          from[0] + (to[0] - from[0]) * part,
          from[1] + (to[1] - from[1]) * part + turn * Math.sin(part * Math.PI * 2),
        ]
      }),
      `stroke="${colour()}" stroke-width="${between(0.9, 1.5).toFixed(1)}"`,
    )
  })
  const dots = Array.from(
    { length: 36 },
    () =>
      `<circle cx="${between(0, width).toFixed(1)}" cy="${between(0, height).toFixed(1)}" r="${between(0.5, 1.3).toFixed(1)}" fill="${colour()}"/>`,
  )
  // Twice the size that it is shown at: half of the screens would blur it otherwise.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#fff"/>${dots.join('')}${drawn.join('')}${crossing.join('')}</svg>`
  return openPicture(Buffer.from(svg)).png({ palette: true, colours: 32, compressionLevel: 9 }).toBuffer()
}
