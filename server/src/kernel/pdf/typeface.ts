import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/*
 * Which font draws a character: Noto Sans SC, else the file of rare characters in whose 4,096 it falls. These are unpacked
 * when a text first asks for one of them.
 */

export const commonFont = 'noto-sans-sc'
/** What stands where no font has a character; it is told which ones these were. */
export const standIn = '〓'

/** A font as somebody draws with it: how wide a character is, of the size that it is drawn in; undefined where it has none. */
export interface KnownFont {
  widthOf(character: number): number | undefined
}

/** Fonts by name, opened by whoever draws. */
export type OpenFont = (name: string, bytes: Buffer) => KnownFont

/** Characters of a text that one font draws. */
export interface Run {
  readonly font: string
  readonly text: string
  readonly width: number
}

interface Shape {
  readonly font: string
  readonly width: number
  readonly text: string
}

/** What only tells a reader how to break or join texts: it has no shape. */
const shapeless = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/u

const rareFont = (character: number): string => `rare-${(character >> 12).toString(16).padStart(2, '0')}`

function bytesOf(name: string): Buffer | undefined {
  try {
    return brotliDecompressSync(readFileSync(new URL(`./fonts/${name}.ttf.br`, import.meta.url)))
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}

/** The fonts of one document. */
export class Typeface {
  /** Characters that no font has, in the order of their coming. */
  readonly missing = new Set<string>()
  private readonly open: OpenFont
  private readonly fonts = new Map<string, KnownFont | undefined>()
  private readonly shapes = new Map<string, Shape>()

  constructor(open: OpenFont) {
    this.open = open
  }

  private font(name: string): KnownFont | undefined {
    if (!this.fonts.has(name)) {
      const bytes = bytesOf(name)
      this.fonts.set(name, bytes && this.open(name, bytes))
    }
    return this.fonts.get(name)
  }

  private shapeOf(sign: string): Shape {
    const known = this.shapes.get(sign)
    if (known) return known
    const shape = this.found(sign)
    this.shapes.set(sign, shape)
    return shape
  }

  private found(sign: string): Shape {
    const character = sign.codePointAt(0)!
    if (shapeless.test(sign)) return { font: commonFont, width: 0, text: '' }
    for (const font of [commonFont, rareFont(character)]) {
      const width = this.font(font)?.widthOf(character)
      if (width !== undefined) return { font, width, text: sign }
    }
    this.missing.add(sign)
    return { font: commonFont, width: this.font(commonFont)!.widthOf(standIn.codePointAt(0)!)!, text: standIn }
  }

  /** How wide a sign is, of the size that it is drawn in. */
  widthOf(sign: string): number {
    return this.shapeOf(sign).width
  }

  /** A text of one line, by the fonts that draw it. */
  runsOf(text: string): Run[] {
    const runs: { font: string; text: string; width: number }[] = []
    for (const sign of text) {
      const shape = this.shapeOf(sign)
      if (shape.text === '') continue
      const run = runs.at(-1)
      if (run?.font === shape.font) {
        run.text += shape.text
        run.width += shape.width
      } else runs.push({ ...shape })
    }
    return runs
  }
}
