import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface PopupProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
}

const GAP = 4
const EDGE = 8

/** What hangs at a date box while it is open: over everything, so that no drawer and no table cuts it off. */
export function Popup({ label, onClose, children }: PopupProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    const box = dialog?.parentElement?.getBoundingClientRect()
    if (!dialog || !box) return
    dialog.showModal()
    const own = dialog.getBoundingClientRect()
    const below = box.bottom + GAP
    const top = below + own.height + EDGE <= window.innerHeight ? below : Math.max(EDGE, box.top - own.height - GAP)
    const left = Math.max(EDGE, Math.min(box.left, window.innerWidth - own.width - EDGE))
    dialog.style.setProperty('--cal-left', `${left}px`)
    dialog.style.setProperty('--cal-top', `${Math.min(top, Math.max(EDGE, window.innerHeight - own.height - EDGE))}px`)
    const first = dialog.querySelector<HTMLElement>('[data-day][tabindex="0"]') ?? dialog.querySelector('select')
    first?.focus()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className="cal"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // What is not in it is its shade.
        if (event.target === ref.current) onClose()
      }}
      onKeyDown={(event) => {
        // Its keys are neither the form's nor the list's.
        event.stopPropagation()
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div className="cal-body">{children}</div>
    </dialog>
  )
}
