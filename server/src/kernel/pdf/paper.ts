import PDFDocument, { type Reference } from '@react-pdf/pdfkit'
import type { Font } from 'fontkit'
import { linesOf } from './lines.ts'
import { standIn, Typeface } from './typeface.ts'

/** A4 in points. */
export const a4 = { width: 595.28, height: 841.89 } as const

export interface TextLook {
  readonly size: number
  readonly bold?: boolean
  readonly color?: string
}

export interface PaperFacts {
  readonly title: string
  readonly author: string
  readonly language: 'zh' | 'en'
}

const black = '#000000'
/** So many laid out texts are remembered. */
const laidOutMost = 20_000
/** How far below the top of a line its letters stand, and how high a line is, of their size. */
export const lineHeight = 1.3
const baseline = 1.02

/**
 * A document that is written page by page: what has been drawn goes out as soon as the next page begins. Texts are drawn with
 * fonts that are embedded, as far as they are used.
 */
export class Paper {
  readonly typeface: Typeface
  pages = 0
  private readonly document: PDFDocument
  private readonly total: Reference
  private mark: Reference | undefined
  /** Texts that the fonts have laid out and remember: heads and labels come again and again. */
  private laidOut = 0
  private readonly opened: PDFDocument['_font'][] = []

  constructor({ title, author, language }: PaperFacts, take: (bytes: Uint8Array) => void) {
    this.document = new PDFDocument({
      autoFirstPage: false,
      info: { Title: title, Author: author, Creator: 'Data Brain', Producer: 'Data Brain' },
      lang: language === 'zh' ? 'zh-CN' : 'en',
    })
    this.document.on('data', (bytes: Buffer) => take(new Uint8Array(bytes)))
    this.typeface = new Typeface((name, bytes) => {
      this.document.registerFont(name, bytes)
      const { _font } = this.document.font(name)
      this.opened.push(_font)
      const { font } = _font
      return {
        widthOf: (character) =>
          font.hasGlyphForCodePoint(character)
            ? font.glyphForCodePoint(character).advanceWidth / font.unitsPerEm
            : undefined,
      }
    })
    this.total = this.document.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -20, 200, 20] })
  }

  get width(): number {
    return this.document.page.width
  }

  get height(): number {
    return this.document.page.height
  }

  /** Begins a page. */
  page(width: number, height: number): void {
    this.document.addPage({ size: [width, height], margin: 0 })
    if (this.laidOut > laidOutMost) {
      for (const font of this.opened) font.layoutCache = Object.create(null) as Record<string, unknown>
      this.laidOut = 0
    }
    this.pages += 1
  }

  /** How wide a text of one line is. */
  widthOf(text: string, size: number): number {
    let width = 0
    for (const sign of text) width += this.typeface.widthOf(sign)
    return width * size
  }

  /** A text in lines of this width. */
  lines(text: string, width: number, size: number): string[] {
    return linesOf(this.typeface, text, width / size)
  }

  /** A text in one line, its top left at this place. */
  text(text: string, x: number, y: number, { size, bold = false, color = black }: TextLook): void {
    let at = x
    this.document.fillColor(color)
    if (bold) this.document.strokeColor(color).lineWidth(size * 0.028)
    for (const run of this.typeface.runsOf(text)) {
      this.document.font(run.font, size)
      const top = y + baseline * size - ascent * size
      this.laidOut += 1
      this.document.text(run.text, at, top, {
        lineBreak: false,
        ...(bold ? { fill: true, stroke: true } : {}),
      })
      at += run.width * size
    }
  }

  /** A line from one place to another. */
  line(
    from: readonly [number, number],
    to: readonly [number, number],
    width: number,
    color = black,
    dash?: number,
  ): void {
    this.document.lineWidth(width)
    if (dash) this.document.dash(dash, { space: dash })
    this.document
      .moveTo(...from)
      .lineTo(...to)
      .stroke(color)
    if (dash) this.document.undash()
  }

  /** A filled box. */
  box(x: number, y: number, width: number, height: number, color: string): void {
    this.document.rect(x, y, width, height).fill(color)
  }

  /** Draws within a box: what reaches over it is cut off. */
  within(x: number, y: number, width: number, height: number, draw: () => void): void {
    this.document.save().rect(x, y, width, height).clip()
    draw()
    this.document.restore()
  }

  /** Draws smaller, or larger, from this place on. */
  scaled(x: number, y: number, factor: number, draw: () => void): void {
    this.document.save().translate(x, y).scale(factor)
    draw()
    this.document.restore()
  }

  /** Draws turned by so many degrees with the clock around this place, which is then the origin. */
  turned(x: number, y: number, degrees: number, draw: () => void): void {
    this.document.save().translate(x, y).rotate(degrees)
    draw()
    this.document.restore()
  }

  /**
   * Says across the page, so faintly that it disturbs no reader, whose copy it is. It is drawn as shapes: whoever searches or
   * copies the text of the page does not come upon it.
   */
  watermark(text: string): void {
    const size = 15
    const step = Math.max(this.widthOf(text, size) + 60, 260)
    this.mark ??= this.shapesOf(text)
    this.document.page.xobjects.Mark = this.mark
    this.document.save().rotate(-28, { origin: [this.width / 2, this.height / 2] })
    const reach = Math.hypot(this.width, this.height) / 2
    for (let y = this.height / 2 - reach; y < this.height / 2 + reach; y += 150)
      for (let x = this.width / 2 - reach; x < this.width / 2 + reach; x += step)
        this.document.addContent(`q ${size} 0 0 -${size} ${x.toFixed(1)} ${y.toFixed(1)} cm /Mark Do Q`)
    this.document.restore()
  }

  /** A text as shapes of one unit’s size, to be put on pages. */
  private shapesOf(text: string): Reference {
    const content: string[] = ['0.925 g']
    let from = 0
    for (const run of this.typeface.runsOf(text)) {
      const { font } = this.document.font(run.font)._font
      for (const sign of run.text) {
        content.push(...shapeOf(font, sign, from))
        from += this.typeface.widthOf(sign)
      }
    }
    const mark = this.document.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -1, Math.max(1, from), 2] })
    mark.end(content.join('\n'))
    return mark
  }

  /** Puts the words that tell how many pages there are here: they are known at the end. */
  totalAt(x: number, y: number, size: number): void {
    this.document.page.xobjects.Total = this.total
    this.document.addContent(
      `q ${size} 0 0 -${size} ${x.toFixed(2)} ${(y + baseline * size).toFixed(2)} cm /Total Do Q`,
    )
  }

  /** The characters that no font has, in words for the reader; none where all of them are drawn. */
  missingWords(language: PaperFacts['language']): string | undefined {
    const { missing } = this.typeface
    if (missing.size === 0) return undefined
    const most = 30
    const codes = [...missing]
      .slice(0, most)
      .map((sign) => `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
    if (language === 'zh')
      return `有${missing.size}个字符没有字形，以“${standIn}”代替，原文请用Excel导出查看：${codes.join('、')}${missing.size > most ? '等' : ''}`
    return `${missing.size} characters have no shape in the fonts and are shown as "${standIn}"; the .xlsx has them: ${codes.join(', ')}${missing.size > most ? ' …' : ''}`
  }

  /** Ends the document; `total` says how many pages there are. */
  end(total: (pages: number) => string): void {
    const text = total(this.pages)
    const fonts: Record<string, Reference> = {}
    const shown = this.typeface.runsOf(text).map(({ font, text: part }) => {
      const { _font } = this.document.font(font)
      fonts[_font.id] = _font.ref()
      return `/${_font.id} 1 Tf <${_font.encode(part, [])[0].join('')}> Tj`
    })
    this.total.data.Resources = { Font: fonts }
    this.total.end(`BT ${shown.join(' ')} ET`)
    this.document.end()
  }

  /** Resolves when the last byte has gone out. */
  ended(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.document.once('end', resolve)
      this.document.once('error', reject)
    })
  }
}

/** Of the fonts: from the line up, of the size. */
const ascent = 0.88

/** What fills the shape of a sign, in the language of pages: its curves have two points that pull, those of fonts one. */
function shapeOf(font: Font, sign: string, from: number): string[] {
  const { path } = font.glyphForCodePoint(sign.codePointAt(0)!)
  const told = (x: number, y: number): string =>
    `${(from + x / font.unitsPerEm).toFixed(3)} ${(y / font.unitsPerEm).toFixed(3)}`
  let [px, py] = [0, 0]
  const content: string[] = []
  for (const { command, args } of path.commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args
    if (command === 'moveTo') content.push(`${told(a, b)} m`)
    else if (command === 'lineTo') content.push(`${told(a, b)} l`)
    else if (command === 'quadraticCurveTo') {
      const first = told(px + (2 / 3) * (a - px), py + (2 / 3) * (b - py))
      content.push(`${first} ${told(c + (2 / 3) * (a - c), d + (2 / 3) * (b - d))} ${told(c, d)} c`)
    } else content.push('h')
    ;[px, py] = command === 'quadraticCurveTo' ? [c, d] : command === 'closePath' ? [px, py] : [a, b]
  }
  return content.length > 0 ? [...content, 'f'] : []
}
