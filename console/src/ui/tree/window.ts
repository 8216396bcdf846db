import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Lists up to this long are drawn whole. */
const WHOLE = 200
const SPARE = 12

export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Which rows of equal height to draw: all of a short list; of a long one those near the visible part. Before printing
 * the whole list is drawn, so that paper has every row.
 */
export function useSpan(scroller: RefObject<HTMLElement | null>, count: number, height: number): Span {
  const [span, setSpan] = useState<Span>(() => ({ from: 0, to: Math.ceil(window.innerHeight / height) + SPARE }))
  const [printing, setPrinting] = useState(false)
  const long = count > WHOLE && !printing
  useEffect(() => {
    const element = scroller.current
    if (!element || !long) return
    const look = () => {
      const room = element.clientHeight || window.innerHeight
      const top = Math.floor(element.scrollTop / height)
      const from = Math.max(0, top - SPARE)
      const to = top + Math.ceil(room / height) + SPARE
      // Steps of a few rows: a pixel of scrolling draws nothing again.
      setSpan((now) =>
        Math.abs(now.from - from) < SPARE / 2 && Math.abs(now.to - to) < SPARE / 2 && (from > 0 || now.from === 0)
          ? now
          : { from, to },
      )
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(look)
    sizes?.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      sizes?.disconnect()
    }
  }, [scroller, long, height])
  useEffect(() => {
    // At once: the browser takes what stands on the page when this returns.
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return long ? { from: Math.min(span.from, count), to: Math.min(span.to, count) } : { from: 0, to: count }
}
