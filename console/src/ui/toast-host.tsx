import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { useStore } from './store.ts'
import { act, dropToast, type ToastKind, type ToastMessage, toasts } from './toast.ts'
import { useT } from './words.ts'

/** Milliseconds a toast stays; a pointer or the focus on it stops the clock. What failed stays until it is put away. */
const stays: Readonly<Record<ToastKind, number | undefined>> = { success: 4000, warning: 5000, error: undefined }
/** One that offers something to do stays until it can have been read and reached. */
const offers = 8000
const icon: Readonly<Record<ToastKind, string>> = {
  success: 'circle-check',
  warning: 'triangle-alert',
  error: 'circle-x',
}

/** Where toasts appear; once in the page. */
export function ToastHost() {
  const list = useStore(toasts)
  const box = useRef<HTMLDivElement>(null)
  const newest = list.at(-1)?.id
  // Over a dialog too, and over one that opened since: the last that comes into the top layer stands above the others.
  useLayoutEffect(() => {
    const layer = box.current
    if (newest === undefined || !layer?.showPopover || layer.contains(document.activeElement)) return
    layer.popover = 'manual'
    layer.hidePopover()
    layer.showPopover()
  }, [newest])
  return (
    <div className="toasts" ref={box}>
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { toast: ToastMessage }) {
  const t = useT()
  const [held, setHeld] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: shownAt starts the clock again when the same words come twice
  useEffect(() => {
    const time = toast.action && toast.kind !== 'error' ? offers : stays[toast.kind]
    if (held || time === undefined) return
    const timer = setTimeout(() => dropToast(toast.id), time)
    return () => clearTimeout(timer)
  }, [held, toast.id, toast.kind, toast.action, toast.shownAt])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done by it; a pointer on it only stops the clock
    <div
      className={`toast ${toast.kind}`}
      role={toast.kind === 'success' ? 'status' : 'alert'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={icon[toast.kind]} />
      <div className="toast-words">
        <span className="toast-text">{toast.text}</span>
        {toast.times > 1 && <span className="toast-times">{t('common.times', { times: toast.times })}</span>}
        {toast.detail && <span className="toast-detail">{toast.detail}</span>}
      </div>
      {toast.action && (
        <button type="button" className="link-button" onClick={() => act(toast)}>
          {toast.action.label}
        </button>
      )}
      <button
        type="button"
        className="icon-button small"
        aria-label={t('common.close')}
        onClick={() => dropToast(toast.id)}
      >
        <Icon name="x" size={16} />
      </button>
    </div>
  )
}
