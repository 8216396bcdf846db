import { createStore } from './store.ts'

export type ToastKind = 'success' | 'error' | 'warning'

export interface ToastAction {
  label: string
  run: () => void
  /** It takes something back: Ctrl/⌘+Z does it while the toast is there. */
  undo?: boolean
}

export interface ToastMessage {
  id: number
  kind: ToastKind
  text: string
  detail: string | undefined
  action: ToastAction | undefined
  times: number
  shownAt: number
}

export const toasts = createStore<readonly ToastMessage[]>([])

const longest = 3
const sameWithin = 2000
let next = 1

function show(kind: ToastKind, text: string, detail?: string, action?: ToastAction): void {
  const now = Date.now()
  toasts.set((before) => {
    // What went wrong before and has gone well since is no news; what offers a way on, or has just been said, stays.
    const list =
      kind === 'success'
        ? before.filter((t) => t.kind !== 'error' || t.action !== undefined || now - t.shownAt < sameWithin)
        : before
    const same = list.find(
      (t) => t.kind === kind && t.text === text && t.detail === detail && now - t.shownAt < sameWithin,
    )
    if (same) return list.map((t) => (t === same ? { ...t, times: t.times + 1, shownAt: now, action } : t))
    return [...list, { id: next++, kind, text, detail, action, times: 1, shownAt: now }].slice(-longest)
  })
}

/** Short words at the foot of the page, of which those about what went well go by themselves; the same words within 2 s are counted, not repeated. */
export const toast = {
  success: (text: string, detail?: string, action?: ToastAction) => show('success', text, detail, action),
  error: (text: string, detail?: string, action?: ToastAction) => show('error', text, detail, action),
  warning: (text: string, detail?: string, action?: ToastAction) => show('warning', text, detail, action),
}

export const dropToast = (id: number): void => toasts.set((list) => list.filter((t) => t.id !== id))

/** Does what the newest toast that can take something back offers; false where there is none. */
export function undoLast(): boolean {
  const last = toasts.get().findLast((one) => one.action?.undo)
  if (!last) return false
  dropToast(last.id)
  last.action?.run()
  return true
}
