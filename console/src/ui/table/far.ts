import { type RefObject, useEffect } from 'react'

/** Rows beyond the edges of what is seen that are ready to be scrolled to, and how far one scrolls before it is looked at again. */
const AROUND = 25
const STEP = 8
/** Up to so many rows it makes no difference. */
const FEW = 60

/**
 * Marks the rows of a long table that are far from what is seen, with `data-far`. Each of their cells would be a thing
 * of its own to the browser, clipped and pinned, at every frame in which anything on the page changes.
 */
export function useFar(body: RefObject<HTMLTableSectionElement | null>, rows: readonly unknown[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are marked anew
  useEffect(() => {
    const table = body.current
    const region = table?.closest<HTMLElement>('.dt-scroll')
    if (!table || !region || table.rows.length <= FEW) {
      for (const row of table?.querySelectorAll('[data-far]') ?? []) row.removeAttribute('data-far')
      return
    }
    let [from, to] = [Number.NaN, Number.NaN]
    const mark = () => {
      const height = table.offsetHeight / table.rows.length
      if (!(height > 0)) return
      const first = Math.floor(region.scrollTop / height)
      const last = Math.ceil((region.scrollTop + region.clientHeight) / height)
      if (Math.abs(first - from) < STEP && Math.abs(last - to) < STEP) return
      ;[from, to] = [first, last]
      for (const [at, row] of [...table.rows].entries())
        row.toggleAttribute('data-far', at < first - AROUND || at > last + AROUND)
    }
    mark()
    region.addEventListener('scroll', mark, { passive: true })
    const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(mark)
    sizes?.observe(region)
    return () => {
      region.removeEventListener('scroll', mark)
      sizes?.disconnect()
    }
  }, [body, rows])
}
