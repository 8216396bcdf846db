import type { ShownCell, ShownSheet } from '@data-brain/contract/fixed-form'
import { type Filling, filledSheets, type Page } from './fill.ts'
import { type CellLook, looksOf } from './looks.ts'
import { relationsOf, sharedOf } from './package.ts'
import { keyOf, type SheetView, sheetView } from './sheet-view.ts'

/* How a filled form looks, for a screen: the sheets that would be printed, as far as a preview goes. */

/** As much of a sheet as a preview shows. */
const most = { rows: 200, columns: 60 } as const

function shownSheet(view: SheetView, hasMore: boolean): ShownSheet {
  const { area, merges, cells } = view
  const [bottom, right] = [
    Math.min(area.bottom, area.top + most.rows - 1),
    Math.min(area.right, area.left + most.columns - 1),
  ]
  const within = new Set<string>()
  for (const merge of merges)
    for (let row = merge.top; row <= merge.bottom; row += 1)
      for (let column = merge.left; column <= merge.right; column += 1)
        if (row !== merge.top || column !== merge.left) within.add(keyOf(row, column))
  const rows = []
  for (let row = area.top; row <= bottom; row += 1) {
    const shown: ShownCell[] = []
    for (let column = area.left; column <= right; column += 1) {
      if (within.has(keyOf(row, column))) continue
      const merge = merges.find((each) => each.top === row && each.left === column)
      const cell = cells.get(keyOf(row, column))
      const last = merge && cells.get(keyOf(merge.bottom, merge.right))
      shown.push({
        column: column - area.left,
        columns: merge ? Math.min(merge.right, right) - column + 1 : 1,
        rows: merge ? Math.min(merge.bottom, bottom) - row + 1 : 1,
        text: cell?.text ?? '',
        ...lookOf(cell?.look, last?.look, cell?.isNumber ?? false),
      })
    }
    rows.push({ height: view.heightOf(row), cells: shown })
  }
  const widths = Array.from({ length: right - area.left + 1 }, (_, at) => view.widthOf(area.left + at))
  return { name: view.name, widths, rows, hasMore }
}

function lookOf(look: CellLook | undefined, last: CellLook | undefined, isNumber: boolean) {
  const sides = { ...look?.borders, ...(last ? { right: last.borders.right, bottom: last.borders.bottom } : {}) }
  const down = { top: 'top', center: 'middle', bottom: 'bottom' } as const
  return {
    size: look?.size ?? 11,
    bold: look?.bold ?? false,
    color: look?.color ?? '#000000',
    fill: look?.fill ?? null,
    across: look && look.across !== 'general' ? look.across : isNumber ? ('right' as const) : ('left' as const),
    down: down[look?.down ?? 'bottom'],
    lines: (['left', 'right', 'top', 'bottom'] as const).flatMap((side) => (sides[side] ? [side[0]!] : [])).join(''),
  }
}

/** The sheets of a form that is filled with pages. */
export function showForm(bytes: Uint8Array, pages: readonly Page[], filling: Filling): ShownSheet[] {
  const { parts, sheets } = filledSheets(bytes, pages, filling)
  const [looks, shared] = [looksOf(parts), sharedOf(parts)]
  const shown: ShownSheet[] = []
  for (const { sheet, xml } of sheets) {
    if (sheet.isHidden || looks.length === 0) continue
    const view = sheetView(parts, { name: sheet.name, at: sheet.at, xml, looks, shared })
    const hasDrawing = relationsOf(parts, sheet.part).some(({ type }) => type === 'drawing')
    if ([...view.cells.values()].some(({ text }) => text !== ''))
      shown.push(shownSheet(view, hasDrawing || /<f(?=[\s/>])/.test(xml)))
  }
  return shown
}
