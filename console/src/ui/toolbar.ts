import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'

interface Toolbar {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The keys of a toolbar, by the ARIA pattern: it is one stop of Tab, and arrows, Home and End go from tool to tool. */
export function useToolbar(): Toolbar {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef<Element | null>(null)
  const tools = () => [...(ref.current?.querySelectorAll<HTMLElement>('select,button:not(:disabled)') ?? [])]
  /** The tool that was used last is where Tab comes back to. */
  const mark = () => {
    const all = tools()
    const stop = all.find((tool) => tool === last.current) ?? all[0]
    for (const tool of all) tool.tabIndex = tool === stop ? 0 : -1
  }
  useLayoutEffect(mark)
  return {
    ref,
    onFocus: () => {
      last.current = document.activeElement
      mark()
    },
    onKeyDown: (event) => {
      const all = tools()
      const at = all.indexOf(document.activeElement as HTMLElement)
      const steps: Readonly<Record<string, number>> = {
        ArrowRight: at + 1,
        ArrowLeft: at - 1 + all.length,
        Home: 0,
        End: all.length - 1,
      }
      const to = steps[event.key]
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      all[to % all.length]?.focus()
    },
  }
}
