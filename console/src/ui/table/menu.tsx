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
        root.current?.querySelector('button')?.focus()
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
