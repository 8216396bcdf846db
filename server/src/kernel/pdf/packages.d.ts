/** What is used of packages that bring no types. */

declare module '@react-pdf/pdfkit' {
  import type { Readable } from 'node:stream'
  import type { Font } from 'fontkit'

  export interface Reference {
    data: Record<string, unknown>
    end(chunk?: string): void
    toString(): string
  }
  export interface TextOptions {
    lineBreak?: boolean
    fill?: boolean
    stroke?: boolean
  }
  interface EmbeddedFont {
    readonly id: string
    readonly font: Font
    /** What it has laid out, kept for as long as nobody empties it. */
    layoutCache: Record<string, unknown>
    ref(): Reference
  }
  export default class PDFDocument extends Readable {
    constructor(options: {
      size?: string | readonly [number, number]
      layout?: 'portrait' | 'landscape'
      margin?: number
      autoFirstPage?: boolean
      info?: Record<string, string | Date>
      lang?: string
    })
    readonly page: {
      width: number
      height: number
      xobjects: Record<string, Reference>
      fonts: Record<string, Reference>
    }
    /** The font that was set last. */
    readonly _font: EmbeddedFont & { encode(text: string, features: readonly string[]): [string[], unknown] }
    addPage(options?: {
      size?: string | readonly [number, number]
      layout?: 'portrait' | 'landscape'
      margin?: number
    }): this
    addContent(content: string): this
    ref(data: Record<string, unknown>): Reference
    font(name: string, size?: number): this
    fontSize(size: number): this
    registerFont(name: string, source: Buffer): this
    text(text: string, x: number, y: number, options: TextOptions): this
    rect(x: number, y: number, width: number, height: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    dash(length: number, options?: { space?: number }): this
    undash(): this
    stroke(color?: string): this
    fill(color?: string): this
    clip(): this
    fillColor(color: string, opacity?: number): this
    strokeColor(color: string): this
    save(): this
    restore(): this
    rotate(angle: number, options?: { origin: readonly [number, number] }): this
    scale(factor: number): this
    translate(x: number, y: number): this
    end(): void
  }
}

declare module 'fontkit' {
  export interface Glyph {
    readonly advanceWidth: number
    readonly path: { readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[] }
  }
  export interface Font {
    readonly unitsPerEm: number
    readonly characterSet: readonly number[]
    hasGlyphForCodePoint(character: number): boolean
    glyphForCodePoint(character: number): Glyph
  }
  export function create(bytes: Uint8Array): Font
}

declare module 'subset-font' {
  export default function subsetFont(
    bytes: Uint8Array,
    text: string,
    options: { targetFormat: 'truetype'; variationAxes: Record<string, number> },
  ): Promise<Uint8Array>
}
