import { rightsWords } from '../locales/rights.ts'
import { loadSession } from '../session/load.ts'
import { isLocked } from '../session/lock-state.ts'
import { menuStore } from '../session/menus.ts'
import { codesStore, sessionStore } from '../session/session.ts'
import { toast } from '../ui/toast.ts'
import { addWords, translate } from '../ui/words.ts'
import { readAnew } from './work.ts'

addWords(rightsWords)

/** Nobody who goes to and fro between windows asks more often. */
const RARELY = 15_000

const shown = (): string =>
  JSON.stringify([menuStore.get(), [...codesStore.get()].sort(), sessionStore.get()?.roleName])

let asking: Promise<void> | undefined
let askedAt = Number.NEGATIVE_INFINITY

async function ask(): Promise<void> {
  askedAt = performance.now()
  const before = shown()
  // A session that has ended is told by the call itself; without an answer all stays as it is.
  await loadSession({ silent: true }).catch(() => undefined)
  if (!sessionStore.get() || shown() === before) return
  readAnew()
  toast.warning(translate('rights.changed'))
}

/** Asks who is logged in and what they may; where that is something else than what is shown, menus and buttons follow. */
export function lookAtRights(): Promise<void> {
  if (isLocked() || !sessionStore.get()) return Promise.resolve()
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

/** Looks when somebody comes back to the window; answers how to stop. */
export function followWindow(): () => void {
  const back = (): void => {
    if (document.visibilityState === 'visible' && performance.now() - askedAt > RARELY) void lookAtRights()
  }
  window.addEventListener('focus', back)
  document.addEventListener('visibilitychange', back)
  return () => {
    window.removeEventListener('focus', back)
    document.removeEventListener('visibilitychange', back)
  }
}
