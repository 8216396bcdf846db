import { gradeInTitle } from '@data-brain/contract/import/class-name'
import type { FormKind } from '@data-brain/contract/import/place'
import type { RowRun } from '@data-brain/contract/import/row-place'
import { listLessons } from '../timetable/grid.ts'
import { AddressParts } from './address-parts.ts'
import { FooterFilter } from './below.ts'
import { chooseSheets, type ExaminedSheet, lookOver, sheetsOf } from './choose.ts'
import { Days } from './days.ts'
import { FactsOf } from './facts.ts'
import { joinColumns } from './join.ts'
import { letters } from './layout.ts'
import { FileFault, fileShapeOf } from './limits.ts'
import { figuresOfClass, namesClass } from './line.ts'
import { openBook } from './open.ts'
import { SheetRows } from './sheet-rows.ts'
import type { Choice, Column, SheetRow, Source, TableNote, View } from './table.ts'
import { TickColumns } from './tick-columns.ts'
import { WholeName } from './whole-name.ts'

/** A row before it is numbered. */
export type RawSheetRow = Omit<SheetRow, 'no'> & { readonly row: number }

/** Runs that are kept; of a file of more the rows are told by their numbers. */
const runsMost = 2_000
/** Sheets whose beginning is shown; and of each so many columns, letters of a cell, and rows, more where headings stand below. */
const viewsMost = 6
const shown = { columns: 12, letters: 30, rows: 10, below: 3, most: 60 }

function viewOf({ index, outline, layout }: ExaminedSheet): View {
  const last = Math.max(layout?.bottom ?? 0, ...(layout?.rivals ?? []))
  const rows = Math.max(shown.rows, outline.first.filter(({ no }) => no <= last).length + shown.below)
  return {
    sheet: index,
    top: layout?.top ?? 0,
    bottom: layout?.bottom ?? 0,
    sign: layout?.sign ?? '',
    rows: outline.first.slice(0, Math.min(rows, shown.most)).map(({ no, cells }) => ({
      row: no,
      cells: Array.from({ length: Math.min(cells.length, shown.columns) }, (_c, at) =>
        (cells[at] ?? '').slice(0, shown.letters),
      ),
    })),
  }
}

/**
 * Reads a file as one table: hands on its rows in portions, and answers what it was found to be. Rows are never all in
 * memory where the format can be read piece by piece.
 */
export async function readTable(
  path: string,
  kind: FormKind,
  choice: Choice,
  take: (row: SheetRow) => Promise<void>,
): Promise<Source> {
  const opened = await openBook(path)
  const book = kind === 'classschedule' ? await listLessons(opened) : opened
  try {
    const looked = await lookOver(kind, book, choice)
    const sheets = sheetsOf(kind, looked)
    const { sheets: chosen, why, rivals } = chooseSheets(kind, looked, sheets, choice)
    const { columns: found, places } = joinColumns(kind, chosen)
    const whole = new WholeName(kind, new TickColumns(kind, new AddressParts(kind, new Days(kind, found)), chosen))
    const { columns } = whole
    const below = new FooterFilter<RawSheetRow>(kind, whole, chosen)
    const width = columns.length + below.headings.length
    const sheetAt =
      chosen.length > 1 ||
      chosen.some(({ raw: { name } }) => namesClass(name) || figuresOfClass(name) || gradeInTitle(name) !== undefined)
        ? width
        : undefined
    const aboutAt = sheetAt === undefined ? width : width + 1
    const facts = Array.from({ length: aboutAt + 1 }, () => new FactsOf())
    const notes: TableNote[] = []
    const hidden = { byHand: 0, byFilter: 0 }
    const several = chosen.length > 1 || chosen.some(({ layout }) => (layout?.blocks.length ?? 1) > 1)
    const most = fileShapeOf(kind).rows
    let count = 0
    let sections = 0
    const runs: RowRun[] = []
    const note = (no: number, sheet: number, row: number): void => {
      const last = runs.at(-1)
      if (last?.sheet !== sheet || last.row + no - last.no !== row) runs.push({ no, sheet, row })
    }
    const hand = async ({ row, ...found }: RawSheetRow, sheet: number, about: string): Promise<void> => {
      count += 1
      if (count > most) throw new FileFault(`超过${most}行，请分成几个文件`, `More than ${most} rows: split the file`)
      const cells = [...found.cells]
      const put = (at: number, text: string): void => {
        if (text === '') return
        while (cells.length < at) cells.push('')
        cells[at] = text
      }
      if (sheetAt !== undefined) put(sheetAt, looked[sheet]?.raw.name ?? '')
      put(aboutAt, about)
      for (let at = 0; at < cells.length; at += 1) facts[at]?.add(cells[at] ?? '')
      if (found.hidden) hidden[found.hidden] += 1
      if (several) note(count, sheet, row)
      await take({ ...found, no: several ? count : row, cells })
    }
    /** The pupil whose guardians may go on below. */
    let open: { found: RawSheetRow; sheet: number; about: string; more: number } | undefined
    const close = async (): Promise<void> => {
      if (open) await hand(open.found, open.sheet, open.about)
      open = undefined
    }
    const next = async (found: RawSheetRow, sheet: number, about: string): Promise<void> => {
      const further = open && below.goesOn(open.found, found) ? below.of(found, open.more + 1) : undefined
      if (!open || !further) {
        await close()
        open = { found, sheet, about, more: 0 }
        return
      }
      const cells = [...open.found.cells]
      while (cells.length < columns.length + open.more * further.length) cells.push('')
      open = { ...open, found: { ...open.found, cells: [...cells, ...further] }, more: open.more + 1 }
    }
    for (const [at, each] of chosen.entries()) {
      const reader = new SheetRows(each, places[at] ?? [], notes)
      // Of tables side by side the first is handed on as it comes, the others when it has ended.
      const later: { found: RawSheetRow; about: string }[][] = []
      for await (const raw of each.raw.rows())
        for (const { block, found, about } of reader.take(raw))
          if (block === 0) await next(whole.row(found), each.index, about)
          else {
            later[block] ??= []
            later[block].push({ found: whole.row(found), about })
          }
      for (const block of later) for (const { found, about } of block ?? []) await next(found, each.index, about)
      await close()
      reader.end()
      sections += reader.sections
    }
    if (count === 0) throw new FileFault('标题行下面没有数据', 'There are no rows below the heading')
    const first = chosen[0]!
    const told: Column[] = columns.map(({ heading, parts, at }, place) => ({
      heading,
      parts,
      from: 'file',
      letter: letters(at),
      ...(first.outline.hiddenColumns.has(at) ? { hidden: true } : {}),
      facts: facts[place]!.facts(),
    }))
    for (const [index, heading] of below.headings.entries())
      told.push({ heading, parts: [heading], from: 'file', facts: facts[columns.length + index]!.facts() })
    const extra = (heading: string, from: 'sheet' | 'section' | 'title', at: number): void => {
      told.push({ heading, parts: [heading], from, facts: facts[at]!.facts() })
    }
    if (sheetAt !== undefined) extra('工作表', 'sheet', sheetAt)
    if (facts[aboutAt]!.facts().filled > 0)
      extra(sections > 0 ? '分段标题' : '表格标题', sections > 0 ? 'section' : 'title', aboutAt)
    return {
      format: book.format,
      ...(book.encoding ? { encoding: book.encoding } : {}),
      ...(book.delimiter ? { delimiter: book.delimiter } : {}),
      sheets,
      chosen: chosen.map(({ index }) => index),
      why,
      columns: told,
      notes,
      rows: count,
      runs: runs.length > runsMost ? [] : runs,
      hidden,
      views: [...chosen.slice(0, 1), ...rivals].slice(0, viewsMost).map(viewOf),
      unsure: {
        sheets: rivals.length > 0,
        heading: chosen.some(({ layout }) => layout && !layout.isChosen && layout.rivals.length > 0),
      },
    }
  } finally {
    book.close?.()
  }
}
