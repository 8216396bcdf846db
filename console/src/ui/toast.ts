import { createStore } from './store.ts'

export type ToastKind = 'success' | 'error' | 'warning'

export interface ToastAction {
  label: string
  run: () => void
  /** It takes something back: Ctrl/⌘+Z does it while the toast is there. */
  undo?: boolean
  /** The requests that it takes back. */
  takes?: readonly string[]
}

export interface ToastMessage {
  id: number
  kind: ToastKind
  text: string
  detail: string | undefined
  action: ToastAction | undefined
  /** What the same words offered before, the newest last: each takes back a step of its own. */
  earlier: readonly ToastAction[]
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
    const same = list.findLast(
      (t, at) =>
        t.kind === kind &&
        t.text === text &&
        t.detail === detail &&
        now - t.shownAt < sameWithin &&
        // What offers a way back comes after what was done before it.
        (!t.action?.undo || at === list.length - 1),
    )
    if (same) {
      const earlier = [...same.earlier, ...(same.action?.undo ? [same.action] : [])]
      return list.map((t) => (t === same ? { ...t, times: t.times + 1, shownAt: now, action, earlier } : t))
    }
    return [...list, { id: next++, kind, text, detail, action, earlier: [], times: 1, shownAt: now }].slice(-longest)
  })
}

/** Short words at the foot of the page, of which those about what went well go by themselves; the same words within 2 s are counted, not repeated. */
export const toast = {
  success: (text: string, detail?: string, action?: ToastAction) => show('success', text, detail, action),
  error: (text: string, detail?: string, action?: ToastAction) => show('error', text, detail, action),
  warning: (text: string, detail?: string, action?: ToastAction) => show('warning', text, detail, action),
}

export const dropToast = (id: number): void => toasts.set((list) => list.filter((t) => t.id !== id))

/** Does what a toast offers, which goes with that unless its words stand for an earlier step as well. */
export function act({ id, action, earlier }: ToastMessage): void {
  if (earlier.length === 0) dropToast(id)
  else
    toasts.set((list) =>
      list.map((t) =>
        t.id === id ? { ...t, times: t.times - 1, action: earlier.at(-1), earlier: earlier.slice(0, -1) } : t,
      ),
    )
  action?.run()
}
