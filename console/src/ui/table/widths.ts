/*
 * Widths while somebody drags them: shown in the columns of the table itself, so that no row is drawn again before the
 * width is kept.
 */

const BESIDE = 24

/** The table of a head's part, and which of its columns that is. */
function columnOf(from: HTMLElement): { table: HTMLTableElement; at: number } | undefined {
  const head = from.closest('th')
  const table = from.closest('table')
  return head && table ? { table, at: head.cellIndex } : undefined
}

/** Shows a column at a width that is not kept yet. */
export function showWidth(from: HTMLElement, width: number): void {
  const found = columnOf(from)
  const column = found?.table.querySelectorAll('col')[found.at]
  if (!found || !column) return
  const before = Number.parseFloat(column.style.width) || from.closest('th')!.getBoundingClientRect().width
  column.style.width = `${width}px`
  const least = Number.parseFloat(found.table.style.minWidth)
  if (Number.isFinite(least)) found.table.style.minWidth = `${least + width - before}px`
}

/** How wide a column must be for all that it shows now. */
export function fitOf(from: HTMLElement): number {
  const found = columnOf(from)
  if (!found) return 0
  const range = document.createRange()
  const widths = [...found.table.rows].map((row) => {
    const cell = row.cells[found.at]
    if (!cell) return 0
    const isHead = row.parentElement?.tagName === 'THEAD'
    // A head's edge is no part of what it says.
    const said = isHead ? cell.firstChild : cell
    if (!said) return 0
    range.selectNodeContents(said)
    const { width } = range.getBoundingClientRect?.() ?? { width: 0 }
    // What cuts itself off knows how long it is.
    const links = [...cell.querySelectorAll('.dt-link')].map((link) => link.scrollWidth)
    return Math.max(isHead ? width + 16 : width, ...links)
  })
  return Math.ceil(Math.max(...widths)) + BESIDE
}

/**
 * The column that takes what is left where a table is wider than its columns: none while all are as the page has them,
 * for then all share it; else the one that names the row, or the last one that has no width of its own.
 */
export function stretchedOf(
  places: readonly { readonly key: string; readonly title?: boolean; readonly pin?: string | undefined }[],
  widths: Readonly<Record<string, number>>,
): string | undefined {
  if (!places.some((place) => widths[place.key] !== undefined)) return undefined
  const free = places.filter((place) => widths[place.key] === undefined)
  const last = free.findLast((place) => !place.pin) ?? places.findLast((place) => !place.pin)
  return (free.find((place) => place.title) ?? last)?.key
}
