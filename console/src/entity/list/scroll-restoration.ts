import { type RefObject, useEffect, useRef } from 'react'
import { readStored, writeStored } from '../../ui/stored.ts'
import type { Marks } from '../../ui/table/marks.ts'
import type { ShownRow } from '../data/calls.ts'
import type { ListState } from './list-state.ts'

/** Where somebody was in a list when they left it. */
interface Left {
  /** What was listed. */
  readonly query: string
  readonly top: number
  readonly side: number
  readonly cursor: string | null
}

interface ReturnOptions {
  readonly page: string
  readonly root: RefObject<HTMLElement | null>
  readonly marks: Marks<ShownRow>
  readonly state: ListState
  /** Whether rows stand in the table. */
  readonly isShown: boolean
}

/**
 * Comes back to where one was: after a reload, and when a tab that was no longer kept is opened again, the list stands
 * at the same row, scrolled as it was, as long as it lists the same.
 */
export function useReturn({ page, root, marks, state, isShown }: ReturnOptions): void {
  const name = `list-place:${page}`
  const query = JSON.stringify(state.query)
  const now = useRef(query)
  now.current = query
  const restored = useRef(false)
  useEffect(() => {
    if (!isShown || restored.current) return
    restored.current = true
    const left = readStored<Left>(name, sessionStorage)
    if (left?.query !== now.current) return
    if (left.cursor !== null) marks.moveTo(left.cursor)
    // Of a long list the last rows are drawn a moment after the first.
    const timer = setTimeout(() => {
      root.current?.querySelector('.dt-scroll')?.scrollTo?.(left.side, left.top)
    }, 150)
    return () => clearTimeout(timer)
  }, [isShown, marks, name, root])
  useEffect(() => {
    // The element is gone when the page is: its place is remembered as it scrolls.
    let [top, side] = [0, 0]
    const element = root.current
    const scroll = (event: Event) => {
      const box = event.target as HTMLElement
      if (box.classList?.contains('dt-scroll')) [top, side] = [box.scrollTop, box.scrollLeft]
    }
    const keep = () => {
      const left: Left = { query: now.current, top, side, cursor: marks.cursor() }
      writeStored(name, left, sessionStorage)
    }
    element?.addEventListener('scroll', scroll, true)
    window.addEventListener('pagehide', keep)
    return () => {
      element?.removeEventListener('scroll', scroll, true)
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [marks, name, root])
}
