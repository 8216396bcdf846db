import { act, type ToastMessage, toasts } from './toast.ts'

/** Steps that can be taken back once they are done. */
const underway = new Set<Promise<unknown>>()

/** Counts a step as on its way until it is done and told: what takes back the last step waits for it. */
export function asStep<T>(step: Promise<T>): Promise<T> {
  const end = () => void underway.delete(step)
  underway.add(step)
  step.then(end, end)
  return step
}

/** Until all that is on its way now is done and told. */
export async function untilTold(): Promise<void> {
  const now = [...underway]
  if (now.length === 0) return
  await Promise.allSettled(now)
  await new Promise((told) => setTimeout(told))
}

/** The message of the last step that can be taken back. */
export const newestUndo = (): ToastMessage | undefined => toasts.get().findLast((one) => one.action?.undo)

let presses = 0
/** Takes back what is on its way once it is told; where it has failed there is nothing to take back, and no older step is meant. */
async function undoWhenDone(): Promise<void> {
  presses += 1
  if (presses > 1) return
  const before = newestUndo()?.action
  while (underway.size > 0) {
    await Promise.allSettled(underway)
    await new Promise((told) => setTimeout(told))
  }
  const meant = presses - (newestUndo()?.action === before ? 1 : 0)
  presses = 0
  for (let n = 0; n < meant; n += 1) undoLast()
}

/** Does what the newest toast that can take something back offers, after what is on its way; false where there is none. */
export function undoLast(): boolean {
  if (underway.size > 0) {
    void undoWhenDone()
    return true
  }
  const last = newestUndo()
  if (last) act(last)
  return last !== undefined
}
