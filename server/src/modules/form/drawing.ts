import { FileFault } from '../../kernel/file-fault.ts'
import { lineHeight, type Paper } from '../../kernel/pdf/paper.ts'
import type { Border, CellLook, Side } from './looks.ts'
import { type Area, cellName, keyOf, type SeenCell, type SheetView } from './sheet-view.ts'

/*
 * A sheet drawn on paper, as a spreadsheet prints it: the print area in the size that the page asks for, its title rows on each
 * page. A text that its cell has no room for is drawn smaller; one that has none at the smallest size is refused, so that no
 * paper leaves out what the workbook says.
 */

const smallest = 4
const padding = 2

/** Rows or columns of the area, with where each begins. */
interface Line {
  readonly at: number
  readonly from: number
  readonly size: number
}

function linesFrom(first: number, last: number, sizeOf: (at: number) => number): Line[] {
  const lines: Line[] = []
  let from = 0
  for (let at = first; at <= last; at += 1) {
    const size = sizeOf(at)
    lines.push({ at, from, size })
    from += size
  }
  return lines
}

const lengthOf = (lines: readonly Line[]): number => lines.reduce((sum, { size }) => sum + size, 0)

/** Lines put on pages: as many as have room, and none behind a break. */
function parted(lines: readonly Line[], room: number, breaks: readonly number[]): Line[][] {
  const pages: Line[][] = []
  let left = 0
  for (const line of lines) {
    const last = pages.at(-1)
    if (!last || line.size > left + 0.01 || breaks.includes(last.at(-1)!.at)) {
      pages.push([])
      left = room
    }
    pages.at(-1)!.push({ ...line, from: room - left })
    left -= line.size
  }
  return pages
}

/** The cells of a sheet with the merged ones as one, by the place of their first. */
function mergedOf({ merges }: SheetView): { of: Map<string, Area>; inside: Map<string, Area>; hidden: Set<string> } {
  const of = new Map<string, Area>()
  const inside = new Map<string, Area>()
  const hidden = new Set<string>()
  for (const area of merges) {
    of.set(keyOf(area.top, area.left), area)
    for (let row = area.top; row <= area.bottom; row += 1)
      for (let column = area.left; column <= area.right; column += 1) {
        inside.set(keyOf(row, column), area)
        if (row !== area.top || column !== area.left) hidden.add(keyOf(row, column))
      }
  }
  return { of, inside, hidden }
}

/** Draws sheets one after the other. */
export class SheetDrawing {
  private readonly paper: Paper
  /** What has been drawn of borders on this page. */
  private readonly lines = new Set<string>()
  constructor(paper: Paper) {
    this.paper = paper
  }

  /** Draws a sheet on as many pages as it takes. */
  draw(view: SheetView): void {
    const { area, page, titles } = view
    const merged = mergedOf(view)
    const columns = linesFrom(area.left, area.right, view.widthOf)
    const rows = linesFrom(area.top, area.bottom, (row) => this.heightOf(view, row, merged.hidden, merged.of))
    const room = {
      width: page.width - page.margins.left - page.margins.right,
      height: page.height - page.margins.top - page.margins.bottom,
    }
    const [width, height] = [lengthOf(columns), lengthOf(rows)]
    const { fit } = page
    const factor = fit
      ? Math.min(
          1,
          fit.across > 0 ? (room.width * fit.across) / width : 1,
          fit.down > 0 ? (room.height * fit.down) / height : 1,
        )
      : page.scale
    const repeated = titles ? rows.filter(({ at }) => at >= titles.top && at <= titles.bottom) : []
    const first = parted(rows, room.height / factor, page.breaks)
    const behind = first[0]?.length ?? 0
    // From the second page on the title rows take room.
    const down =
      first.length > 1 && repeated.length > 0
        ? [first[0]!, ...parted(rows.slice(behind), room.height / factor - lengthOf(repeated), page.breaks)]
        : first
    const across = parted(columns, room.width / factor, [])
    const total = down.length * across.length
    let number = 0
    for (const some of across)
      for (const [at, these] of down.entries()) {
        number += 1
        this.paper.page(page.width, page.height)
        this.lines.clear()
        this.edge(view, 'header', number, total)
        this.edge(view, 'footer', number, total)
        const shown = at > 0 ? [...moved(repeated, 0), ...moved(these, lengthOf(repeated))] : these
        const left = page.isCentered.across ? Math.max(0, (room.width - lengthOf(some) * factor) / 2) : 0
        const top = page.isCentered.down ? Math.max(0, (room.height - lengthOf(shown) * factor) / 2) : 0
        this.paper.scaled(page.margins.left + left, page.margins.top + top, factor, () =>
          this.part(view, shown, some, merged),
        )
      }
  }

  /** How high a row is: one whose height nobody has set is as high as its texts ask for. */
  private heightOf(
    view: SheetView,
    row: number,
    hidden: ReadonlySet<string>,
    merged: ReadonlyMap<string, Area>,
  ): number {
    const usual = view.heightOf(row)
    if (!view.isFree(row)) return usual
    let most = usual
    for (let column = view.area.left; column <= view.area.right; column += 1) {
      const key = keyOf(row, column)
      const cell = view.cells.get(key)
      if (!cell || cell.text === '' || hidden.has(key) || merged.has(key)) continue
      const { look, text } = cell
      const lines = look.wraps ? this.paper.lines(text, view.widthOf(column) - 2 * padding, look.size).length : 1
      most = Math.max(most, lines * look.size * lineHeight + 1)
    }
    return most
  }

  private part(
    view: SheetView,
    rows: readonly Line[],
    columns: readonly Line[],
    { of, inside, hidden }: ReturnType<typeof mergedOf>,
  ): void {
    const ends = { width: lengthOf(columns), height: lengthOf(rows) }
    const columnAt = new Map(columns.map((line) => [line.at, line]))
    const rowAt = new Map(rows.map((line) => [line.at, line]))
    for (const { at: row, from: y, size: height } of rows)
      for (const { at: column, from: x, size: width } of columns) {
        const cell = view.cells.get(keyOf(row, column))
        if (cell?.look.fill && height > 0 && width > 0) this.paper.box(x, y, width, height, cell.look.fill)
      }
    for (const { at: row, from: y, size: height } of rows)
      for (const { at: column, from: x, size: width } of columns) {
        const key = keyOf(row, column)
        const cell = view.cells.get(key)
        if (!cell || height === 0 || width === 0) continue
        const within = inside.get(key)
        this.borders(cell.look, { x, y, width, height }, within, row, column)
        if (cell.text === '' || hidden.has(key)) continue
        const area = of.get(key)
        const across = area ? span(columnAt, area.left, area.right) : width
        const down = area ? span(rowAt, area.top, area.bottom) : height
        const box = { x, y, width: across, height: down }
        const free = area || cell.look.wraps || cell.isNumber ? box : this.overflow(view, cell, box, columns)
        this.paper.within(
          Math.max(0, free.x),
          y,
          Math.min(free.width, ends.width - free.x),
          Math.min(down, ends.height - y) + 0.5,
          () => this.text(view, cell, free),
        )
      }
  }

  /** A text of one line reaches over the empty cells beside it. */
  private overflow(view: SheetView, { row, column, text, look }: SeenCell, box: Box, columns: readonly Line[]): Box {
    const wanted = this.paper.widthOf(text, look.size) + 2 * padding
    if (look.turned !== 0) return box
    let { x, width } = box
    const isEmpty = (at: number): boolean => {
      const beside = view.cells.get(keyOf(row, at))
      return (beside === undefined || beside.text === '') && !view.merges.some((area) => isWithin(area, row, at))
    }
    const own = columns.findIndex(({ at }) => at === column)
    let [before, after] = [own - 1, own + 1]
    while (look.across !== 'right' && width < wanted && columns[after] && isEmpty(columns[after]!.at)) {
      width += columns[after]!.size
      after += 1
    }
    while (
      (look.across === 'right' || look.across === 'center') &&
      width < wanted &&
      columns[before] &&
      isEmpty(columns[before]!.at)
    ) {
      x -= columns[before]!.size
      width += columns[before]!.size
      before -= 1
    }
    return { ...box, x, width }
  }

  private text(view: SheetView, cell: SeenCell, box: Box): void {
    const { look, text, isNumber } = cell
    if (look.turned === 255) {
      this.stacked(view, cell, box)
      return
    }
    if (look.turned === 90 || look.turned === 180) {
      const isDown = look.turned === 180
      const turned = { x: 0, y: 0, width: box.height, height: box.width }
      const [x, y] = isDown ? [box.x + box.width, box.y] : [box.x, box.y + box.height]
      this.paper.turned(x, y, isDown ? 90 : -90, () =>
        this.text(view, { ...cell, look: { ...look, turned: 0 } }, turned),
      )
      return
    }
    const indent = look.indent * 9
    const room = Math.max(1, box.width - 2 * padding - indent)
    let { size } = look
    let lines = this.linesOf(cell, room, size)
    // A line may stand a little closer to the edge than its height: fonts are drawn in a smaller square.
    const fits = (): boolean =>
      lines.length * size * 1.15 <= box.height + 1 &&
      lines.every((line) => this.paper.widthOf(line, size) <= room + 0.5)
    while (!fits()) {
      size -= 0.5
      if (size < smallest) {
        const at = cellName(cell.row, cell.column)
        throw new FileFault(
          `工作表“${view.name}”的单元格${at}放不下“${shortened(text)}”，请放大单元格，或下载Excel`,
          `Sheet "${view.name}", cell ${at} has no room for "${shortened(text)}": make it larger, or take the .xlsx`,
        )
      }
      lines = this.linesOf(cell, room, size)
    }
    const step = Math.min(size * lineHeight, box.height / lines.length)
    const all = step * (lines.length - 1) + size * 1.2
    const free = box.height - all
    const top = box.y + (look.down === 'top' ? 1 : look.down === 'center' ? free / 2 : free - 1)
    const across = look.across === 'general' ? (isNumber ? 'right' : 'left') : look.across
    for (const [at, line] of lines.entries()) {
      const width = this.paper.widthOf(line, size)
      const rest = room - width
      const left = box.x + padding + (across === 'right' ? rest : across === 'center' ? rest / 2 + indent / 2 : indent)
      const y = top + at * step
      this.paper.text(line, left, y, { size, bold: look.bold, color: look.color })
      if (look.underline && width > 0)
        this.paper.line([left, y + size * 1.16], [left + width, y + size * 1.16], size / 18, look.color)
    }
  }

  private linesOf({ text, look }: SeenCell, room: number, size: number): string[] {
    return look.wraps ? this.paper.lines(text, room, size) : text.split(/\r\n|[\n\r]/)
  }

  /** Signs below each other. */
  private stacked(view: SheetView, cell: SeenCell, box: Box): void {
    const signs = [...cell.text.replace(/\s+/g, '')]
    const size = Math.min(cell.look.size, (box.height - 2) / (signs.length * 1.1))
    if (size < smallest) {
      this.text(view, { ...cell, look: { ...cell.look, turned: 0, wraps: true } }, box)
      return
    }
    const top = box.y + (box.height - signs.length * size * 1.1) / 2
    for (const [at, sign] of signs.entries()) {
      const left = box.x + (box.width - this.paper.widthOf(sign, size)) / 2
      this.paper.text(sign, left, top + at * size * 1.1, { size, bold: cell.look.bold, color: cell.look.color })
    }
  }

  /** The borders of a cell, without those inside a merged one. */
  private borders(
    look: CellLook,
    { x, y, width, height }: Box,
    inside: Area | undefined,
    row: number,
    column: number,
  ): void {
    const edges: Record<Side, { from: [number, number]; to: [number, number]; isInner: boolean }> = {
      left: { from: [x, y], to: [x, y + height], isInner: inside !== undefined && column > inside.left },
      right: {
        from: [x + width, y],
        to: [x + width, y + height],
        isInner: inside !== undefined && column < inside.right,
      },
      top: { from: [x, y], to: [x + width, y], isInner: inside !== undefined && row > inside.top },
      bottom: {
        from: [x, y + height],
        to: [x + width, y + height],
        isInner: inside !== undefined && row < inside.bottom,
      },
    }
    for (const [side, edge] of Object.entries(edges)) {
      const border = look.borders[side as Side]
      if (!border || edge.isInner) continue
      // Neighbours say the same line twice.
      const line = `${edge.from.map(Math.round)} ${edge.to.map(Math.round)} ${border.width}`
      if (this.lines.has(line)) continue
      this.lines.add(line)
      this.border(border, edge.from, edge.to)
    }
  }

  private border({ width, color, dash, isDouble }: Border, from: [number, number], to: [number, number]): void {
    if (!isDouble) {
      this.paper.line(from, to, width, color, dash)
      return
    }
    const [dx, dy] = from[0] === to[0] ? [0.8, 0] : [0, 0.8]
    for (const sign of [-1, 1])
      this.paper.line([from[0] + sign * dx, from[1] + sign * dy], [to[0] + sign * dx, to[1] + sign * dy], width, color)
  }

  /** Head or foot of a page: three texts, with what they ask for. */
  private edge(view: SheetView, edge: 'header' | 'footer', number: number, total: number): void {
    const { page, name } = view
    const text = page[edge]
    if (text === '') return
    const parts = { L: '', C: '', R: '' }
    let part: keyof typeof parts = 'C'
    let size = 10
    for (const [whole, code = '', sized] of text.matchAll(/&(?:([A-Za-z&])|(\d+)|"[^"]*")|[^&]+/g)) {
      if (sized) size = Number(sized)
      else if (code === 'L' || code === 'C' || code === 'R') part = code
      else if (code === 'P') parts[part] += number
      else if (code === 'N') parts[part] += total
      else if (code === 'A') parts[part] += name
      else if (code === '&') parts[part] += '&'
      else if (code === '' && !whole.startsWith('&')) parts[part] += whole
    }
    const room = page.width - page.margins.left - page.margins.right
    for (const [at, said] of Object.entries(parts)) {
      if (said === '') continue
      const lines = this.paper.lines(said, room, size)
      const top =
        edge === 'header' ? page.margins.header : page.height - page.margins.footer - lines.length * size * lineHeight
      for (const [index, line] of lines.entries()) {
        const rest = room - this.paper.widthOf(line, size)
        const left = page.margins.left + (at === 'L' ? 0 : at === 'C' ? rest / 2 : rest)
        this.paper.text(line, left, top + index * size * lineHeight, { size })
      }
    }
  }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const moved = (lines: readonly Line[], by: number): Line[] => {
  let from = by
  return lines.map((line) => {
    const here = { ...line, from }
    from += line.size
    return here
  })
}

const isWithin = ({ top, left, bottom, right }: Area, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

function span(lines: ReadonlyMap<number, Line>, first: number, last: number): number {
  let sum = 0
  for (let at = first; at <= last; at += 1) sum += lines.get(at)?.size ?? 0
  return sum
}

const shortened = (text: string): string => (text.length > 20 ? `${text.slice(0, 20)}…` : text)
