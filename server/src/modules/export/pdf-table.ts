import { lineHeight, Paper } from '../../kernel/pdf/paper.ts'
import type { Cell } from './columns.ts'
import { type Columns, type ColumnWidths, columnsFor, margin, padding } from './pdf-columns.ts'
import type { PdfSheet } from './pdf-sheet.ts'

export interface TableRow {
  readonly cells: readonly Cell[]
  /** A sum of rows, which stands out. */
  readonly isSum: boolean
}

/** A row, or a part of one that is higher than a page, broken into lines. */
interface Broken {
  readonly lines: readonly (readonly string[])[]
  readonly isSum: boolean
  /** A sentence over the whole width. */
  readonly isNote: boolean
  readonly height: number
}

const ink = { text: '#1f2329', muted: '#646a73', rule: '#c9cdd4', head: '#eef1f5', sum: '#f7f8fa' } as const
const foot = 22
const small = 7.5

const words = {
  zh: { page: (page: number) => `第${page}页`, total: (pages: number) => `共${pages}页`, columns: '列' },
  en: { page: (page: number) => `Page ${page}`, total: (pages: number) => `of ${pages}`, columns: 'columns' },
} as const

const textOf = (cell: Cell, language: PdfSheet['language']): string =>
  cell === null
    ? ''
    : typeof cell === 'number'
      ? cell.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB', { maximumFractionDigits: 6 })
      : cell

/** A list as pages of a PDF, with its heads on each. How its columns stand is seen by the rows that come first. */
export class PdfTable {
  private readonly sheet: PdfSheet
  private readonly paper: Paper
  private columns: Columns | undefined
  /** Rows that are on no page yet, and how high they are together. */
  private waiting: Broken[] = []
  private filled = 0
  private headHeight = 0

  constructor(sheet: PdfSheet, take: (bytes: Uint8Array) => void) {
    this.sheet = sheet
    this.paper = new Paper({ title: sheet.name, author: sheet.foot, language: sheet.language }, take)
  }

  /** Takes rows in. */
  add(rows: readonly TableRow[]): void {
    if (!this.columns) this.begin(rows)
    for (const row of rows)
      for (const part of this.broken(row)) {
        if (this.filled + part.height > this.room()) this.flush()
        this.waiting.push(part)
        this.filled += part.height
      }
  }

  /** Ends the file once everything is written. */
  async end(): Promise<void> {
    if (!this.columns) this.begin([])
    if (this.waiting.length > 0 || this.paper.pages === 0) this.flush()
    const missing = this.paper.missingWords(this.sheet.language)
    if (missing) this.note(missing)
    const ended = this.paper.ended()
    this.paper.end(words[this.sheet.language].total)
    await ended
  }

  private begin(rows: readonly TableRow[]): void {
    this.columns = this.measured(rows)
    const { size } = this.columns
    const heads = this.sheet.columns.map(({ heading }, at) => this.paper.lines(heading, this.widthOf(at), size))
    this.headHeight = this.heightOf(heads)
  }

  private measured(rows: readonly TableRow[]): Columns {
    const { language, columns } = this.sheet
    const wanted = columns.map(({ heading }, column): ColumnWidths => {
      const texts = rows.filter((row) => !isNote(row)).map(({ cells }) => textOf(cells[column] ?? null, language))
      const widths = texts.map((text) => this.paper.widthOf(text, 1)).sort((one, other) => one - other)
      // One long text among many is broken rather than that all columns become narrow.
      const usual = widths[Math.floor(widths.length * 0.98)] ?? 0
      const word = Math.max(
        0,
        ...texts
          .slice(0, 200)
          .flatMap((text) => text.split(/[\s\u2e80-\u{3ffff}]/u).map((each) => this.paper.widthOf(each, 1))),
      )
      const head = this.paper.widthOf(heading, 1)
      return { whole: Math.max(usual, Math.min(head * 1.05, 8)) + 0.2, word: Math.min(word + 0.2, 14) }
    })
    return columnsFor(wanted)
  }

  private get lineOf(): number {
    return this.columns!.size * lineHeight
  }

  /** What the rows of a page may take, below the heads. */
  private room(): number {
    return this.columns!.page.height - margin - foot - this.top() - this.headHeight
  }

  /** Where the table begins: below the title on the first page, and below the name of the list on others. */
  private top(): number {
    return this.paper.pages === 0 ? margin + 18 * lineHeight + small * lineHeight + 6 : margin + 14
  }

  private broken(row: TableRow): Broken[] {
    const { language } = this.sheet
    const { size, page } = this.columns!
    const isOne = isNote(row)
    const lines = isOne
      ? [this.paper.lines(textOf(row.cells[0]!, language), page.width - 2 * margin - 2 * padding, size)]
      : this.sheet.columns.map((_, at) =>
          this.paper.lines(textOf(row.cells[at] ?? null, language), this.widthOf(at), size),
        )
    const most = Math.floor((this.columns!.page.height - 2 * margin - foot - this.headHeight - 60) / this.lineOf)
    const parts = Math.max(1, ...lines.map((each) => Math.ceil(each.length / most)))
    return Array.from({ length: parts }, (_, part) => {
      const some = lines.map((each) => each.slice(part * most, (part + 1) * most))
      return { lines: some, isSum: row.isSum, isNote: isOne, height: this.heightOf(some) }
    })
  }

  private widthOf(column: number): number {
    const widths = this.columns!.bands.flatMap((band) =>
      band.filter((each) => each.column === column).map(({ width }) => width),
    )
    return Math.min(...widths) - 2 * padding
  }

  private heightOf(lines: readonly (readonly string[])[]): number {
    return Math.max(1, ...lines.map((each) => each.length)) * this.lineOf + 2 * padding
  }

  /** Puts the rows that wait on a page, or on one for each band of columns. */
  private flush(): void {
    const { bands, page } = this.columns!
    const top = this.top()
    for (const [number, band] of bands.entries()) {
      this.paper.page(page.width, page.height)
      if (this.sheet.watermark) this.paper.watermark(this.sheet.watermark)
      if (number === 0 && this.paper.pages === 1) this.title()
      else this.name()
      if (bands.length > 1) this.bandName(band.slice(1).map(({ column }) => column))
      this.footer()
      const at = number === 0 ? top : margin + 14
      this.rows(band, at)
    }
    this.waiting = []
    this.filled = 0
  }

  private rows(band: Columns['bands'][number], top: number): void {
    const width = band.reduce((sum, each) => sum + each.width, 0)
    const heads: Broken = {
      lines: this.sheet.columns.map(({ heading }, at) =>
        this.paper.lines(heading, this.widthOf(at), this.columns!.size),
      ),
      ...{ isSum: true, isNote: false, height: this.headHeight },
    }
    let y = top
    for (const [at, row] of [heads, ...this.waiting].entries()) {
      if ((at === 0 || row.isSum) && !row.isNote)
        this.paper.box(margin, y, width, row.height, at === 0 ? ink.head : ink.sum)
      let x = margin
      if (row.isNote) this.cell(row.lines[0]!, { x, y, width, isRight: false, isBold: false })
      else
        for (const { column, width: wide } of band) {
          const isRight = this.sheet.numeric[column] === true
          this.cell(row.lines[column]!, { x, y, width: wide, isRight, isBold: row.isSum })
          x += wide
        }
      y += row.height
      this.paper.line([margin, y], [margin + width, y], 0.5, ink.rule)
    }
    this.paper.line([margin, top], [margin + width, top], 0.5, ink.rule)
    // A sentence over the whole width has no columns.
    let from = top
    let to = top
    for (const row of [heads, ...this.waiting, undefined]) {
      if (row && !row.isNote) {
        to += row.height
        continue
      }
      let x = margin
      for (const edge of [0, ...band.map((each) => each.width)]) {
        x += edge
        if (to > from) this.paper.line([x, from], [x, to], 0.5, ink.rule)
      }
      to += row?.height ?? 0
      from = to
    }
  }

  private cell(
    lines: readonly string[],
    { x, y, width, isRight, isBold }: { x: number; y: number; width: number; isRight: boolean; isBold: boolean },
  ): void {
    const { size } = this.columns!
    for (const [at, line] of lines.entries()) {
      if (line === '') continue
      const left = isRight ? x + width - padding - this.paper.widthOf(line, size) : x + padding
      this.paper.text(line, left, y + padding + at * this.lineOf, { size, bold: isBold, color: ink.text })
    }
  }

  private title(): void {
    const { name, owner, about } = this.sheet
    const said = [owner, ...about.slice(1).map(([word, text]) => `${word}: ${text}`)].filter(Boolean).join('   ')
    this.paper.text(this.fitted(name, 16, this.paper.width - 2 * margin), margin, margin, {
      size: 16,
      bold: true,
      color: ink.text,
    })
    this.paper.text(this.fitted(said, small, this.paper.width - 2 * margin), margin, margin + 18 * lineHeight, {
      size: small,
      color: ink.muted,
    })
  }

  private name(): void {
    this.paper.text(this.fitted(this.sheet.name, small, this.paper.width / 2), margin, margin, {
      size: small,
      color: ink.muted,
    })
  }

  private bandName(columns: readonly number[]): void {
    const text = `${words[this.sheet.language].columns} ${columns[0]! + 1}–${columns.at(-1)! + 1} / ${this.sheet.columns.length}`
    this.paper.text(text, this.paper.width - margin - this.paper.widthOf(text, small), margin, {
      size: small,
      color: ink.muted,
    })
  }

  private footer(): void {
    const y = this.paper.height - margin - 4
    const { page, total } = words[this.sheet.language]
    const look = { size: small, color: ink.muted }
    const shown = `${page(this.paper.pages)} `
    // As many digits as anybody’s list has pages: the number itself is known at the end.
    const room = this.paper.widthOf(total(88_888), small)
    const left = this.paper.width - margin - room - this.paper.widthOf(shown, small)
    this.paper.text(this.fitted(this.sheet.foot, small, left - margin - 10), margin, y, look)
    this.paper.text(shown, left, y, look)
    this.paper.totalAt(this.paper.width - margin - room, y, small)
  }

  /** A text of one line, shortened where it would reach over the width. */
  private fitted(text: string, size: number, width: number): string {
    const [first = '', second] = this.paper.lines(text, width, size)
    if (second === undefined) return first
    return `${this.paper.lines(text, width - size, size)[0]}…`
  }

  /** A sentence on a page of its own, behind the rows. */
  private note(text: string): void {
    const { page, size } = this.columns!
    this.paper.page(page.width, page.height)
    this.name()
    this.footer()
    for (const [at, line] of this.paper.lines(text, page.width - 2 * margin, size).entries())
      this.paper.text(line, margin, margin + 20 + at * size * lineHeight, { size, color: ink.text })
  }
}

/** Whether a row is a sentence about the rows, which no column holds. */
const isNote = ({ cells }: TableRow): boolean =>
  cells.length > 1 &&
  typeof cells[0] === 'string' &&
  cells[0].length > 12 &&
  cells.slice(1).every((cell) => cell === null)
