import { type RefObject, useEffect, useRef } from 'react'
import type { FlatRow, TreePart } from './flat.ts'

/** Where a row goes: under which parent (null: the top), and before which of its children (null: after all). */
export interface TreeMove {
  readonly id: string
  readonly parentId: string | null
  readonly beforeId: string | null
}

/** How a row stands to the one under the pointer. */
export type DropSpot = 'before' | 'inside' | 'after'

interface Drop<N> {
  readonly row: FlatRow<N>
  readonly spot: DropSpot
}

/** The parent of the row at a place: the nearest one above it that is a level up. */
export function parentAt<N extends TreePart>(rows: readonly FlatRow<N>[], at: number): FlatRow<N> | undefined {
  const level = rows[at]?.level ?? 1
  return rows.slice(0, at).findLast((row) => row.level === level - 1)
}

/** The rows beside the one at a place, itself included, in order. */
export function besideAt<N extends TreePart>(rows: readonly FlatRow<N>[], at: number): FlatRow<N>[] {
  const row = rows[at]
  if (!row) return []
  const above = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  const end = rows.slice(at).findIndex(({ level }) => level < row.level)
  return rows.slice(above + 1, end < 0 ? undefined : at + end).filter(({ level }) => level === row.level)
}

/** What a drop means. After an open row is where its first child stands: that is what one sees there. */
export function moveOf<N extends TreePart>(rows: readonly FlatRow<N>[], id: string, { row, spot }: Drop<N>): TreeMove {
  const at = rows.indexOf(row)
  if (spot === 'inside') return { id, parentId: row.node.id, beforeId: null }
  if (spot === 'after' && row.open) {
    const first = rows[at + 1]
    return { id, parentId: row.node.id, beforeId: first && first.level > row.level ? first.node.id : null }
  }
  const parentId = parentAt(rows, at)?.node.id ?? null
  const beside = besideAt(rows, at).filter(({ node }) => node.id !== id || node.id === row.node.id)
  const next = spot === 'before' ? row : beside[beside.indexOf(row) + 1]
  return { id, parentId, beforeId: next?.node.id ?? null }
}

interface DragOptions<N> {
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly scroller: RefObject<HTMLElement | null>
  readonly mark: RefObject<HTMLElement | null>
  readonly rows: readonly FlatRow<N>[]
  readonly height: number
  readonly mayMove: (move: TreeMove) => boolean
  readonly onMove: (move: TreeMove) => void
  /** The pointer rests on a closed row. */
  readonly onRest: (row: FlatRow<N>) => void
}

const THRESHOLD = 5
const REST = 600
const EDGE = 40

/**
 * Moves rows by a pointer of any kind, from where their grip was taken. A line or a frame shows where the row would
 * go; nothing of the tree is drawn again meanwhile. Esc gives up.
 */
export function useTreeDrag<N extends TreePart>(options: DragOptions<N>): (event: React.PointerEvent) => void {
  const now = useRef(options)
  now.current = options
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  return (down) => {
    const grip = (down.target as HTMLElement).closest<HTMLElement>('[data-grip]')
    const id = grip?.closest<HTMLElement>('[data-key]')?.dataset.key
    if (!grip || id === undefined || down.button !== 0) return
    down.preventDefault()
    const start = { x: down.clientX, y: down.clientY }
    let dragging = false
    let drop: Drop<N> | null = null
    let rest: ReturnType<typeof setTimeout> | undefined
    let rolling = 0

    const show = () => {
      const { mark, body, scroller, rows, height } = now.current
      const [line, table, box] = [mark.current, body.current, scroller.current]
      if (!line || !table || !box) return
      line.hidden = drop === null
      if (!drop) return
      const at = rows.indexOf(drop.row)
      const offset = table.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
      const top = offset + at * height
      line.dataset.spot = drop.spot
      line.style.top = `${drop.spot === 'after' ? top + height - 1 : drop.spot === 'before' ? top - 1 : top}px`
      line.style.height = drop.spot === 'inside' ? `${height}px` : '2px'
      line.style.insetInlineStart = `${(drop.row.level - (drop.spot === 'after' && drop.row.open ? 0 : 1)) * 20 + 24}px`
    }
    const look = (event: PointerEvent) => {
      const { body, rows, height, mayMove, onRest } = now.current
      const table = body.current
      if (!table) return
      const y = (event.clientY - table.getBoundingClientRect().top) / height
      const row = rows[Math.floor(y)]
      const part = y - Math.floor(y)
      const wanted: DropSpot = part < 0.27 ? 'before' : part > 0.73 ? 'after' : 'inside'
      const may = (spot: DropSpot) =>
        row !== undefined && row.node.id !== id && mayMove(moveOf(rows, id, { row, spot }))
      // Where the row cannot hold another, its halves are before and after.
      const spot = may(wanted) ? wanted : wanted === 'inside' ? (part < 0.5 ? 'before' : 'after') : null
      const next = row && spot && may(spot) ? { row, spot } : null
      if (next?.row !== drop?.row) {
        clearTimeout(rest)
        if (row?.open === false && row.node.id !== id) rest = setTimeout(() => onRest(row), REST)
      }
      drop = next
      show()
    }
    /** Near an edge the list goes on by itself. */
    const roll = (event: PointerEvent) => {
      cancelAnimationFrame(rolling)
      const box = now.current.scroller.current
      const { top, bottom } = box?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
      const by = event.clientY < top + EDGE ? -8 : event.clientY > bottom - EDGE ? 8 : 0
      if (by === 0 || !box) return
      rolling = requestAnimationFrame(() => {
        box.scrollTop += by
        look(event)
        roll(event)
      })
    }
    const move = (event: PointerEvent) => {
      if (!dragging) {
        if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < THRESHOLD) return
        dragging = true
        now.current.scroller.current?.setAttribute('data-dragging', '')
      }
      look(event)
      roll(event)
    }
    const end = (done: boolean) => {
      stop.current = undefined
      clearTimeout(rest)
      cancelAnimationFrame(rolling)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', key, true)
      now.current.scroller.current?.removeAttribute('data-dragging')
      const target = drop
      drop = null
      show()
      if (done && dragging && target) now.current.onMove(moveOf(now.current.rows, id, target))
    }
    const up = () => end(true)
    const cancel = () => end(false)
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      end(false)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', key, true)
    stop.current = cancel
  }
}
