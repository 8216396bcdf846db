import { type ReactNode, useEffect, useRef } from 'react'
import './side-panel.css'

/** A modal panel from the left edge, for small screens. */
export function SidePanel({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click on the backdrop has its key, Esc, through onCancel
    <dialog
      ref={ref}
      className="side-panel"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      {children}
    </dialog>
  )
}
