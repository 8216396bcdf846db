import { type ReactNode, useEffect, useId, useRef } from 'react'
import { focusBack } from './focus-back.ts'
import { Icon } from './icon.tsx'
import { useT } from './words.ts'
import './modal.css'

interface ModalProps {
  readonly title: string
  readonly className?: string
  readonly onClose: () => void
  /** What Esc does, where that is something else than the button in the corner. */
  readonly onEscape?: () => void
  /** Only its own buttons close it: what it shows is not shown again. */
  readonly firm?: boolean
  readonly children: ReactNode
}

/** A dialog over everything, without the weight of a component library: Esc closes it, and the focus goes back to where it came from. */
export function Modal({ title, className, onClose, onEscape = onClose, firm, children }: ModalProps) {
  const t = useT()
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    const dialog = ref.current
    dialog?.showModal()
    // Opening chooses the first thing that takes the focus, which is the button in the corner.
    dialog?.querySelector<HTMLElement>('[data-focus=true]')?.focus()
    return () => {
      dialog?.close()
      focusBack(opener)
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={`dialog modal ${className ?? ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!firm) onEscape()
      }}
      // A form beneath hears every Esc as well: one closes what is uppermost alone.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <div className="modal-head">
        <h2 id={id}>{title}</h2>
        {!firm && (
          <button type="button" className="icon-button" aria-label={t('common.close')} onClick={onClose}>
            <Icon name="x" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}
