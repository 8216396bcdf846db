import { useState } from 'react'
import { setQuery, usePlace } from '../place.ts'
import { chosenSize, PAGE_SIZES, sizeIn, useChosenSize } from './page-size.ts'

/** Where in a list the address says that one is, and the ways to say otherwise. */
export function usePaging() {
  const { path, query } = usePlace()
  /** Changes the address without a step in the browser's history: null takes a parameter away. */
  const put = (patch: Record<string, string | number | null>) => setQuery(patch, { path, replace: true })
  const current = Math.max(1, Number(query.get('current')) || 1)
  useChosenSize()
  const size = sizeIn(query)
  return {
    query,
    put,
    current,
    size,
    onPage: (next: number) => put({ current: next === 1 ? null : next }),
    onSize: (next: number) => put({ size: next === PAGE_SIZES[0] ? null : next, current: null }),
  }
}

/** The same of a list in a dialog, whose place the address does not keep. */
export function useOwnPaging() {
  const [{ current, size }, setAt] = useState(() => ({ current: 1, size: chosenSize() ?? PAGE_SIZES[0] }))
  return {
    current,
    size,
    onPage: (next: number) => setAt({ current: next, size }),
    onSize: (next: number) => setAt({ current: 1, size: next }),
  }
}
