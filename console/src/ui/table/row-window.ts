import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Rows beyond the edges of what is seen that are ready to be scrolled to, and how far one scrolls before it is looked at again. */
const AROUND = 25
const STEP = 8
/** Up to so many rows it makes no difference. */
const FEW = 60

/**
 * Marks the rows of a long table that are far from what is seen, with `data-far`. Each of their cells would be a thing
 * of its own to the browser, clipped and pinned, at every frame in which anything on the page changes. `height` is that
 * of a row in pixels: rows are marked before they are laid out for the first time, so nothing here asks for a layout.
 */
export function useRowWindow(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: readonly unknown[],
  height: number,
): void {
  const seen = useRef({ top: 0, height: window.innerHeight })
  const mark = useRef(() => {})
  useLayoutEffect(() => {
    const table = body.current
    if (!table) return
    let [from, to] = [Number.NaN, Number.NaN]
    mark.current = () => {
      const first = Math.floor(seen.current.top / height)
      const last = Math.ceil((seen.current.top + seen.current.height) / height)
      if (Math.abs(first - from) < STEP && Math.abs(last - to) < STEP) return
      ;[from, to] = [first, last]
      for (const [at, row] of [...table.rows].entries())
        row.toggleAttribute('data-far', rows.length > FEW && (at < first - AROUND || at > last + AROUND))
    }
    mark.current()
  }, [body, rows, height])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table may come later than the first rows, in place of cards
  useEffect(() => {
    const region = body.current?.closest<HTMLElement>('.dt-scroll')
    if (!region) return
    const look = () => {
      seen.current = { top: region.scrollTop, height: region.clientHeight }
      mark.current()
    }
    region.addEventListener('scroll', look, { passive: true })
    const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(look)
    sizes?.observe(region)
    return () => {
      region.removeEventListener('scroll', look)
      sizes?.disconnect()
    }
  }, [body, rows])
}
