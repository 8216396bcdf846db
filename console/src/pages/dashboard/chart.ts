import type { DashboardTile } from '@data-brain/contract/calls/dashboard'
import { cellList } from '@data-brain/contract/dashboard'
import * as Plot from '@observablehq/plot'
import { listAddress } from '../../session/paths.ts'
import type { Translate } from '../../ui/words.ts'
import type { Cell } from './cells.ts'

/*
 * How each tile is drawn. Colours are the tokens of the theme, so that a drawing follows it, on paper too; every mark is a
 * link to the rows that it counts, and has its words as its name.
 */

const ink = 'var(--ink)'
const faint = 'var(--ink-3)'
/** A full cell leaves its figure readable. */
const deepest = 0.4

/** Colours of as many columns as can be told apart; columns beyond them share the last. */
const series = ['var(--s1)', 'var(--s2)', 'var(--s8)', 'var(--s3)', 'var(--s4)', 'var(--s5)', 'var(--s6)', 'var(--s7)']

/** What marks have in common: the way to the rows, and the words. */
const linked = { href: 'href', title: 'words' } as const satisfies Plot.MarkOptions

type Drawing = Pick<
  Plot.PlotOptions,
  'marks' | 'x' | 'y' | 'fx' | 'fy' | 'color' | 'height' | 'marginLeft' | 'marginTop' | 'marginBottom' | 'opacity'
>

const names = (cells: readonly Cell[], of: (cell: Cell) => string): string[] => [...new Set(cells.map(of))]

/** Columns that stand on each other, with their sum above. */
function grades(cells: readonly Cell[], width: number): Drawing {
  const [rows, columns] = [names(cells, ({ row }) => row), names(cells, ({ column }) => column)]
  const sumOf = (name: string): number => cells.reduce((sum, { row, value }) => (row === name ? sum + value : sum), 0)
  const beneath = namesBeneath(rows, width)
  return {
    ...beneath.room,
    x: { label: null, domain: rows, padding: 0.3, tickSize: 0, tickFormat: beneath.text },
    marginTop: 24,
    y: { axis: null },
    color: { domain: columns, range: ['var(--s1)', 'var(--s2)', 'var(--s8)'] },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--line)' }),
      Plot.barY(cells, { x: 'row', y: 'value', fill: 'column', order: columns, ...linked }),
      Plot.text(
        rows.map((row) => ({ row, sum: sumOf(row) })),
        { x: 'row', y: 'sum', text: 'sum', dy: -8, fill: ink, fontWeight: 600 },
      ),
    ],
  }
}

/** A mark for each class beside the line that it may not pass: who does is another shape, too. */
function sizes(cells: readonly Cell[], width: number): Drawing {
  const isOver = ({ value, limit }: Cell): boolean => limit !== undefined && value > limit
  // Classes of one name may stand in several schools: each has a place of its own, under the name of its grade.
  const placed = cells.map((cell, at) => ({ ...cell, place: at }))
  const middles = new Map(
    names(cells, ({ group }) => group).map((group) => {
      const of = placed.filter((cell) => cell.group === group)
      return [of[Math.floor((of.length - 1) / 2)]!.place, group]
    }),
  )
  const beneath = namesBeneath([...middles.values()], width)
  return {
    ...beneath.room,
    x: {
      label: null,
      type: 'band',
      domain: placed.map(({ place }) => place),
      ticks: [...middles.keys()],
      tickFormat: (place: number) => beneath.text(middles.get(place) ?? ''),
      tickSize: 0,
    },
    y: {
      label: null,
      grid: true,
      nice: true,
      zero: false,
      tickFormat: (n: number) => (Number.isInteger(n) ? String(n) : ''),
      tickSize: 0,
    },
    marks: [
      Plot.tickY(
        placed.filter(({ limit }) => limit !== undefined),
        { x: 'place', y: 'limit', stroke: faint, strokeWidth: 2 },
      ),
      Plot.dot(
        placed.filter((cell) => !isOver(cell)),
        { x: 'place', y: 'value', r: 4.5, fill: 'var(--s1)', ...linked },
      ),
      Plot.dot(placed.filter(isOver), {
        x: 'place',
        y: 'value',
        r: 6,
        symbol: 'triangle',
        fill: 'var(--s2)',
        ...linked,
      }),
    ],
  }
}

/** Rooms of one colour, the fuller the deeper, each with its figure. */
function heat(cells: readonly Cell[], across: (cell: Cell) => string, down: (cell: Cell) => string): Drawing {
  const place = { x: across, y: down }
  const [columns, rows] = [names(cells, across), names(cells, down)]
  return {
    x: { label: null, domain: columns, axis: 'top', tickSize: 0 },
    y: { label: null, domain: rows, tickSize: 0 },
    opacity: { range: [0.04, deepest] },
    height: rows.length * 28 + 32,
    marginLeft: 56,
    marks: [
      Plot.cell(cells, { ...place, fill: 'var(--s1)', fillOpacity: 'value', inset: 1, ...linked }),
      Plot.text(cells, {
        ...place,
        text: (cell: Cell) => (cell.value ? String(cell.value) : ''),
        fill: ink,
        pointerEvents: 'none',
      }),
    ],
  }
}

/** Bars that lie, with their names before and their figures behind; those of several columns stand on each other. */
function bars(cells: readonly Cell[]): Drawing {
  const [rows, columns] = [names(cells, ({ row }) => row), names(cells, ({ column }) => column)]
  const sums = rows.map((row) => ({ row, ...sidesOf(cells.filter((cell) => cell.row === row)) }))
  const [least, most] = [Math.min(0, ...sums.map(({ below }) => below)), Math.max(1, ...sums.map(({ above }) => above))]
  return {
    x: { axis: null, domain: [least, most + (most - least) * 0.12] },
    y: { label: null, domain: rows, padding: 0.25, tickSize: 0 },
    color: { domain: columns, range: series },
    height: rows.length * 28 + 8,
    marginTop: 4,
    marginBottom: 4,
    marginLeft: nameWidth(rows),
    marks: [
      Plot.barX(cells, { x: 'value', y: 'row', fill: 'column', order: columns, ...linked }),
      Plot.text(sums, { x: 'above', y: 'row', text: 'sum', textAnchor: 'start', dx: 6, fill: ink }),
    ],
  }
}

/** What bars that stand on each other come to, above and below nothing, and in all. */
function sidesOf(cells: readonly Cell[]): { above: number; below: number; sum: number } {
  const above = cells.reduce((sum, { value }) => sum + Math.max(0, value), 0)
  const below = cells.reduce((sum, { value }) => sum + Math.min(0, value), 0)
  // Sums of shares and of decimals carry no rounding errors into sight.
  return { above, below, sum: Math.round((above + below) * 1_000) / 1_000 }
}

/** Bars as long as what is measured beside the counts, in words. */
function measured(cells: readonly Cell[]): Drawing {
  const most = Math.max(1, ...cells.map(({ amount = 0 }) => amount))
  // A bar of next to nothing is still seen, and leads to its rows.
  const { marks = [], ...drawing } = bars(
    cells.map((cell) => ({ ...cell, value: Math.max(cell.amount ?? 0, most / 200) })),
  )
  return {
    ...drawing,
    // The words are longer than a count.
    x: { axis: null, domain: [0, most * 1.3] },
    marks: [
      marks[0]!,
      Plot.text(cells, { x: 'amount', y: 'row', text: 'amountWords', textAnchor: 'start', dx: 6, fill: ink }),
    ],
  }
}

/** Names beneath a drawing so wide: where they have no room beside each other, every second stands a line lower. */
function namesBeneath(all: readonly string[], width: number): { room: Drawing; text: (name: string) => string } {
  const isCrowded = Math.max(0, ...all.map(wordWidth)) + 8 > (width - 50) / all.length
  const lower = new Set(isCrowded ? all.filter((_, at) => at % 2 === 1) : [])
  return { room: isCrowded ? { marginBottom: 44 } : {}, text: (name) => (lower.has(name) ? `\n${name}` : name) }
}

/** About how wide words are in pixels: a Chinese sign takes twice the room of a letter. */
const wordWidth = (words: string): number => [...words].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 12 : 7), 0)

/** Room for the longest name before a bar. */
const nameWidth = (rows: readonly string[]): number =>
  8 + 13 * Math.min(12, Math.max(3, ...rows.map((name) => name.length)))

/** Bars beside each other in each row, of numbers that do not add up: averages, the least, the most. */
function beside(kind: 'columns' | 'bars', cells: readonly Cell[]): Drawing {
  const [rows, columns] = [names(cells, ({ row }) => row), names(cells, ({ column }) => column)]
  const color = { domain: columns, range: series }
  const figure = { text: 'value', fill: ink } as const
  if (kind === 'bars')
    return {
      x: { axis: null, domain: [0, Math.max(1, ...cells.map(({ value }) => value)) * 1.12] },
      y: { axis: null, domain: columns },
      fy: { label: null, domain: rows, padding: 0.25 },
      color,
      height: rows.length * (columns.length * 18 + 10) + 8,
      marginTop: 4,
      marginBottom: 4,
      marginLeft: nameWidth(rows),
      marks: [
        Plot.axisFy({ anchor: 'left', tickSize: 0 }),
        Plot.barX(cells, { x: 'value', y: 'column', fy: 'row', fill: 'column', ...linked }),
        Plot.text(cells, { x: 'value', y: 'column', fy: 'row', textAnchor: 'start', dx: 6, ...figure }),
      ],
    }
  return {
    x: { axis: null, domain: columns },
    fx: { label: null, domain: rows, padding: 0.3 },
    y: { axis: null },
    color,
    marginTop: 24,
    marginBottom: 28,
    marks: [
      Plot.axisFx({ anchor: 'bottom', tickSize: 0 }),
      Plot.ruleY([0], { stroke: 'var(--line)' }),
      Plot.barY(cells, { x: 'column', y: 'value', fx: 'row', fill: 'column', ...linked }),
      Plot.text(cells, { x: 'column', y: 'value', fx: 'row', dy: -8, ...figure }),
    ],
  }
}

const weekday = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The way to all that a day counts, whoever it is about. */
function wholeDay(tile: DashboardTile, day: string): string | undefined {
  const { code, query } = cellList({ ...tile, columns: [{ key: '', query: {} }] }, { id: day }, 0)
  return listAddress(code, query)
}

/** Days of the term, a column a week: what counts nothing has no figure, and its place. */
function calendar(tile: DashboardTile, cells: readonly Cell[], t: Translate): Drawing {
  const { begin, end } = tile
  if (!begin || !end)
    return heat(
      cells,
      ({ row }) => row,
      ({ column }) => column,
    )
  const monday = dayAfter(begin, 1 - weekday(begin))
  const weekOf = (day: string): string =>
    String(1 + Math.floor((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${monday}T00:00:00Z`)) / 604_800_000))
  const all = Array.from({ length: Math.min(400, (Date.parse(end) - Date.parse(begin)) / 86_400_000 + 1) }, (_, at) => {
    const day = dayAfter(begin, at)
    const parts = cells.filter(({ row }) => row === day)
    const value = parts.reduce((sum, each) => sum + each.value, 0)
    const words = parts.length > 0 ? parts.map((part) => part.words).join('; ') : `${day}: 0`
    return {
      day,
      week: weekOf(day),
      weekday: t(`dash.day${weekday(day)}`),
      value,
      words,
      href: value > 0 ? wholeDay(tile, day) : undefined,
    }
  })
  const place = { x: 'week', y: 'weekday' } as const
  return {
    x: { label: null, domain: [...new Set(all.map(({ week }) => week))], axis: 'top', tickSize: 0 },
    y: { label: null, domain: [1, 2, 3, 4, 5, 6, 7].map((no) => t(`dash.day${no}`)), tickSize: 0 },
    opacity: { range: [0.04, deepest] },
    height: 7 * 26 + 32,
    marginLeft: 48,
    marks: [
      Plot.cell(all, { ...place, fill: 'var(--s1)', fillOpacity: 'value', inset: 1, ...linked }),
      Plot.text(all, {
        ...place,
        text: ({ value }: { value: number }) => (value ? String(value) : ''),
        fill: ink,
        pointerEvents: 'none',
      }),
    ],
  }
}

function drawingOf(tile: DashboardTile, cells: readonly Cell[], width: number, t: Translate): Drawing {
  switch (tile.key) {
    case 'grades':
      return grades(cells, width)
    case 'sizes':
      return sizes(cells, width)
    case 'leave':
      return calendar(tile, cells, t)
    case 'periods':
      return heat(
        cells,
        ({ row }) => row,
        ({ column }) => column,
      )
    case 'schools':
      return bars(cells.filter(({ columnKey }) => columnKey === 'pupils'))
    case 'loads':
    case 'rooms':
      return bars(cells)
    case 'files':
    case 'decided':
      return measured(cells)
  }
}

export function draw(tile: DashboardTile, cells: readonly Cell[], width: number, t: Translate): SVGSVGElement {
  return drawn(drawingOf(tile, cells, width, t), width)
}

/**
 * Draws a table of counts in one of the ways that any table can be drawn in, so wide. Columns stand on each other where
 * their sum says something, else beside each other.
 */
export function drawTable(
  kind: 'columns' | 'bars' | 'heat',
  cells: readonly Cell[],
  width: number,
  isStacked = true,
): SVGSVGElement {
  if (kind !== 'heat' && !isStacked && new Set(cells.map(({ column }) => column)).size > 1)
    return drawn(beside(kind, cells), width)
  if (kind === 'bars') return drawn(bars(cells), width)
  if (kind === 'heat')
    return drawn(
      heat(
        cells,
        ({ column }) => column,
        ({ row }) => row,
      ),
      width,
    )
  const drawing = grades(cells, width)
  return drawn({ ...drawing, color: { ...drawing.color, range: series } }, width)
}

/**
 * A drawing, so wide. The library writes a style of its own into each drawing, which the content-security policy
 * refuses: it is taken out before the drawing stands on the page, and dashboard.css says the same.
 */
function drawn(made: Drawing, width: number): SVGSVGElement {
  const drawing = Plot.plot({
    height: 240,
    ...made,
    width,
    className: 'dash-plot',
    style: { background: 'none', fontSize: '12px', overflow: 'visible' },
  }) as SVGSVGElement
  for (const style of drawing.querySelectorAll('style')) style.remove()
  // Parts that are no images of their own have no names: the marks have.
  for (const part of drawing.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label')
  for (const link of drawing.querySelectorAll('a')) {
    link.setAttribute('aria-label', link.querySelector('title')?.textContent ?? '')
    link.setAttribute('tabindex', '-1')
  }
  drawing.querySelector('a')?.setAttribute('tabindex', '0')
  return drawing
}
