import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import './menu.css'

interface MenuProps {
  readonly label: string
  readonly button: ReactNode
  /** What the button looks like: a small tool where not said. */
  readonly className?: string
  /** The pointer or the focus is on the way to it. */
  readonly onNear?: () => void
  /** Whether it is open, and the way to say so, where it is opened from elsewhere too. */
  readonly state?: readonly [boolean, (open: boolean) => void]
  readonly children: ReactNode
}

/** A button that opens a small panel under itself; Esc, or a press outside, closes it and gives the focus back. */
export function Panel({ label, button, className = 'tool', onNear, state, children }: MenuProps) {
  const own = useState(false)
  const [open, setOpen] = state ?? own
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  // Opened from elsewhere, it stands nowhere behind what opened it: Tab would not come to it.
  const isApart = !button
  const opener = useRef<HTMLElement | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that comes while it is open takes nothing away
  useEffect(() => {
    if (!open || !isApart) return
    // After the menu that it was chosen from has given the focus back.
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document
      opener.current = activeElement instanceof HTMLElement ? activeElement : null
      root.current?.querySelector<HTMLElement>(':is(input, select, button):not(:disabled)')?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [open])
  useEffect(() => {
    if (!open) return
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
    }
  }, [open, setOpen])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc is heard for the button and the panel alike
    <div
      className="pop-root"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        setOpen(false)
        if (button) root.current?.querySelector('button')?.focus()
        else opener.current?.focus()
      }}
    >
      {button && (
        <button
          type="button"
          className={className}
          aria-label={label}
          title={label}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onPointerEnter={onNear}
          onFocus={onNear}
          onClick={() => setOpen(!open)}
        >
          {button}
        </button>
      )}
      {open && (
        <section id={id} className="pop" aria-label={label}>
          {children}
        </section>
      )}
    </div>
  )
}
