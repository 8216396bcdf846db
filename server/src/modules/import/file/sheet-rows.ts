import type { ExaminedSheet } from './choose.ts'
import type { Layout } from './layout.ts'
import type { Mark } from './limits.ts'
import { kindOf, namesClass } from './line.ts'
import type { RawRow, Span } from './raw-rows.ts'
import type { RawSheetRow } from './read-sheet.ts'
import type { NoteKind, TableNote } from './table.ts'

/** Kinds of lines of which the text is told one by one, as far as there are few. */
const told: ReadonlySet<NoteKind> = new Set(['title', 'note', 'total', 'footer', 'section', 'unheaded'])
const toldMost = 30

/** Marks by which a clerk repeats the cell above, and words for it that may mean another cell of the same row as well. */
const dittoMark = /^(?:[〃″〞”"]{1,2}|''|ditto)$/i
const dittoWord = /^(?:同上|同前)$/
const ofAddress = /址|住|户[籍口]|address/i

/** Turns the rows of one sheet into rows of the table, one after the other, and notes what they are not. */
export class SheetRows {
  sections = 0
  private readonly layout: Layout
  private readonly counts = new Map<NoteKind, { row: number; count: number }>()
  /** Cells merged downwards, by their first row; and those that reach to where we are, by column. */
  private readonly starting = new Map<number, Span[]>()
  private readonly reaching = new Map<number, { bottom: number; text: string; mark: Mark | undefined }>()
  private readonly about: string[]
  private readonly lastClass = new Map<number, string>()
  private readonly above = new Map<number, readonly string[]>()
  private readonly inside: ReadonlySet<number>
  private readonly sheet: ExaminedSheet
  private readonly places: readonly number[]
  private readonly notes: TableNote[]

  constructor(sheet: ExaminedSheet, places: readonly number[], notes: TableNote[]) {
    this.sheet = sheet
    this.places = places
    this.notes = notes
    const { layout, outline } = sheet
    if (!layout) throw new Error('a sheet without a table is not read')
    this.layout = layout
    this.about = [...layout.about]
    this.inside = new Set(layout.blocks.flat())
    for (const span of outline.spans)
      if (span.bottom > span.top && span.top > layout.bottom && this.inside.has(span.left))
        this.starting.set(span.top, [...(this.starting.get(span.top) ?? []), span])
    for (const { row, text } of layout.titles) this.note('title', row, text)
    if (layout.blocks.length > 1) this.count('stacked', layout.top, layout.blocks.length)
    const unseen = [...outline.hiddenColumns].filter((at) => this.inside.has(at)).length
    if (unseen > 0) this.count('hiddenColumns', layout.bottom, unseen)
  }

  private note(kind: NoteKind, row: number, text: string): void {
    if (told.has(kind) && this.notes.filter((each) => each.kind === kind).length < toldMost)
      this.notes.push({ kind, sheet: this.sheet.index, row, text: text.slice(0, 500) })
    else this.count(kind, row)
  }

  private count(kind: NoteKind, row: number, more = 1): void {
    const held = this.counts.get(kind)
    if (held) held.count += more
    else this.counts.set(kind, { row, count: more })
  }

  /** Fills a row from cells above that are merged with its own. */
  private fillDown(raw: RawRow): string[] {
    const cells = [...raw.cells]
    for (const [at, { bottom, text, mark }] of this.reaching) {
      if (raw.no > bottom) this.reaching.delete(at)
      else if ((cells[at] ?? '') === '' && !raw.marks?.[at]) {
        while (cells.length < at) cells.push('')
        cells[at] = text
        if (mark) {
          raw.marks ??= {}
          raw.marks[at] = mark
        }
        this.count('merged', raw.no)
      }
    }
    for (const { left, bottom } of this.starting.get(raw.no) ?? []) {
      const text = cells[left] ?? ''
      if (text !== '') this.reaching.set(left, { bottom, text, mark: raw.marks?.[left] })
    }
    return cells
  }

  /** Takes a row of the sheet; answers what it is in each of the tables beside one another. */
  take(raw: RawRow): { block: number; found: RawSheetRow; about: string }[] {
    const { layout } = this
    if (raw.no <= layout.bottom) return []
    const own = raw.cells
    const cells = this.fillDown(raw)
    const outside = own.filter((cell, at) => cell !== '' && !this.inside.has(at))
    const rows: { block: number; found: RawSheetRow; about: string }[] = []
    for (const [block, at] of layout.blocks.entries()) {
      const mine = at.map((place) => cells[place] ?? '')
      const marks = marksOf(raw, at)
      // Beside the end of the one table the other goes on.
      if (layout.blocks.length > 1 && !marks && at.every((place) => (own[place] ?? '') === '')) continue
      const kind =
        marks && this.isBlank(own, at)
          ? 'row'
          : kindOf({
              cells: mine,
              // What refers to a row that nobody has filled in shows an error.
              own: at.map((place) => (raw.marks?.[place] === 'error' ? '' : (own[place] ?? ''))),
              nameAt: layout.nameAt,
              namesClasses: layout.namesClasses,
              serialAt: layout.serialAt,
              width: at.length,
              headings: layout.headRows,
            })
      if (kind === 'row') this.fillClass(mine, block, raw.no)
      if (kind === 'row') this.fillDitto(mine, block, raw.no)
      const sex = layout.sexes[block]
      if (sex && kind === 'row') mine[mine.length - 1] = sex
      if (kind === 'row') rows.push({ block, found: this.rowOf(raw, mine, marks), about: this.about[block] ?? '' })
      else this.passOver(kind, raw, block, at)
    }
    if (outside.length > 0 && rows.length > 0) this.note('unheaded', raw.no, outside.join(' '))
    return rows
  }

  /** Fills in the class that only the first row of its pupils names. */
  private fillClass(mine: string[], block: number, no: number): void {
    for (const at of this.layout.downAt) {
      const key = block * 1_000 + at
      if (mine[at]) this.lastClass.set(key, mine[at])
      else if (this.lastClass.has(key)) {
        mine[at] = this.lastClass.get(key) ?? ''
        this.count('filledDown', no)
      }
    }
  }

  /** Puts what stands above in the place of 〃 and 同上; 同上 behind another address of the row says that it is that one. */
  private fillDitto(mine: string[], block: number, no: number): void {
    const { columns, nameAt } = this.layout
    const isAddress = (at: number): boolean => ofAddress.test(columns[at]?.heading ?? '')
    for (const [at, cell] of mine.entries()) {
      const above = this.above.get(block)?.[at] ?? ''
      if (above === '' || at === nameAt) continue
      const isOfRow = (): boolean =>
        isAddress(at) && mine.slice(0, at).some((each, left) => each !== '' && isAddress(left))
      if (!dittoMark.test(cell) && !(dittoWord.test(cell) && !isOfRow())) continue
      mine[at] = above
      this.count('filledDown', no)
    }
    this.above.set(block, mine)
  }

  private isBlank(own: readonly string[], at: readonly number[]): boolean {
    return at.every((place) => (own[place] ?? '') === '')
  }

  private passOver(kind: NoteKind, raw: RawRow, block: number, at: readonly number[]): void {
    const text = at
      .map((place) => raw.cells[place] ?? '')
      .filter((cell) => cell !== '')
      .join(' ')
    if (kind === 'section') {
      this.sections += 1
      const named = /班\s*级\s*[:：]\s*([^\s:：]+)/.exec(text)?.[1]
      this.about[block] = (named && namesClass(named) ? named : text).slice(0, 100)
    }
    this.note(kind, raw.no, text)
  }

  private rowOf(raw: RawRow, mine: readonly string[], marks: Record<number, Mark> | undefined): RawSheetRow {
    const cells: string[] = []
    const marked: Record<number, Mark> = {}
    for (const [index, text] of mine.entries()) {
      const to = this.places[index] ?? index
      const mark = marks?.[index]
      if (mark) marked[to] = mark
      if (text === '' && !mark) continue
      while (cells.length < to) cells.push('')
      cells[to] = text
    }
    if (raw.formulas) this.count('formulas', raw.no, raw.formulas)
    const hidden = raw.hidden ? (this.isFiltered(raw.no) ? 'byFilter' : 'byHand') : undefined
    if (hidden) this.count(hidden === 'byFilter' ? 'filteredRows' : 'hiddenRows', raw.no)
    return { row: raw.no, cells, ...(marks ? { marks: marked } : {}), ...(hidden ? { hidden } : {}) }
  }

  private isFiltered(no: number): boolean {
    return this.sheet.outline.filters.some(({ top, bottom }) => no >= top && no <= bottom)
  }

  /** Notes what was only counted. */
  end(): void {
    for (const [kind, { row, count }] of this.counts) this.notes.push({ kind, sheet: this.sheet.index, row, count })
  }
}

/** The marks of a row's cells, by their place in the table. */
function marksOf(raw: RawRow, at: readonly number[]): Record<number, Mark> | undefined {
  if (!raw.marks) return undefined
  const marks: Record<number, Mark> = {}
  for (const [index, place] of at.entries()) {
    const mark = raw.marks[place]
    if (mark) marks[index] = mark
  }
  return Object.keys(marks).length > 0 ? marks : undefined
}
