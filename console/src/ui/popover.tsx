import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import './table/menu.css'

interface PopProps {
  readonly label: string
  /** What it was opened by: it stands under it, and the focus goes back to it. */
  readonly anchor: HTMLElement | null
  /** At the lower edge of a small screen, where a thumb reaches it. */
  readonly sheet: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What belongs to a control inside although it is drawn elsewhere in the page. */
const elsewhere = '.ant-select-dropdown,.cal'

/** A small panel under what it was opened by; Esc, or a press outside, closes it and gives the focus back. */
export function Popover({ label, anchor, sheet, onClose, children }: PopProps) {
  const root = useRef<HTMLElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const panel = root.current
    if (!panel) return
    // Where it was when the panel opened: what is chosen moves the anchor along, and not the panel.
    const under = sheet ? undefined : anchor?.getBoundingClientRect()
    const place = () => {
      if (!under) return
      const { width, height } = panel.getBoundingClientRect()
      panel.style.left = `${Math.max(8, Math.min(under.left, window.innerWidth - width - 8))}px`
      panel.style.top = `${Math.max(8, Math.min(under.bottom + 4, window.innerHeight - height - 8))}px`
    }
    place()
    // With the press itself: a key that is pressed right after it is for the panel, and not for the page behind. What is
    // not shown yet takes no focus, so it is placed before.
    panel.focus({ preventScroll: true })
    const sizes = under && typeof ResizeObserver !== 'undefined' ? new ResizeObserver(place) : undefined
    sizes?.observe(panel)
    return () => sizes?.disconnect()
  }, [anchor, sheet])
  const held = useRef<Element | null>(null)
  useEffect(() => {
    const panel = root.current
    const outside = (event: Event) => {
      const target = event.target as Element
      if (panel?.contains(target)) held.current = target
      if (panel?.contains(target) || anchor?.contains(target) || target.closest?.(elsewhere)) return
      close.current()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
      const left = document.activeElement
      if (anchor?.isConnected && (left === null || left === document.body || panel?.contains(left))) anchor.focus()
    }
  }, [anchor])
  // What had the focus is gone when another part takes its place, which may be on its way: keys typed meanwhile are for
  // that part, and not for the page behind, from the very frame in which it goes.
  useLayoutEffect(() => {
    if (held.current === null || held.current.isConnected) return
    held.current = null
    if (document.activeElement === document.body) root.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    // A moment later: between two boxes nothing has the focus, and what is drawn meanwhile must not take it.
    const timer = setTimeout(() => {
      const lost = document.activeElement
      if (lost === null || lost === document.body) root.current?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  })
  return (
    <>
      {sheet && <div className="pop-shade" />}
      <section
        ref={root}
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className={sheet ? 'pop-sheet' : 'pop pop-fixed'}
        onKeyDown={(event) => {
          const isList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true'
          if (event.key === 'Escape') {
            if (isList) return
            event.stopPropagation()
            onClose()
          }
          // From the panel itself an arrow goes to the first thing that can be chosen in it.
          else if (event.target === root.current && event.key === 'ArrowDown') {
            event.preventDefault()
            event.stopPropagation()
            root.current?.querySelector<HTMLElement>('input,[data-option]')?.focus()
          }
          // A letter, Delete or an arrow means what stands here: the page behind has keys of its own.
          else if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation()
        }}
      >
        {children}
      </section>
    </>
  )
}
