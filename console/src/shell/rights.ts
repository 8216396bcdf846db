import { queryClient } from '../http/query.ts'
import { rightsWords } from '../locales/rights.ts'
import { keepDraftsNow } from '../session/draft.ts'
import { loadSession } from '../session/load.ts'
import { isLocked } from '../session/lock-state.ts'
import { menuStore } from '../session/menus.ts'
import { codesStore, sessionStore } from '../session/session.ts'
import { toast } from '../ui/toast.ts'
import { addWords, translate } from '../ui/words.ts'
import { closeLost } from './after-switch.ts'
import { dirtyAmong, tabStore } from './tabs.ts'

addWords(rightsWords)

/** Nobody who goes to and fro between windows asks more often. */
const RARELY = 15_000

const shown = (): string =>
  JSON.stringify([menuStore.get(), [...codesStore.get()].sort(), sessionStore.get()?.roleName])

let asking: Promise<void> | undefined
let toldMeanwhile = false
let askedAt = Number.NEGATIVE_INFINITY

async function ask(told: boolean): Promise<void> {
  askedAt = performance.now()
  const before = shown()
  // A page that may not be open any more is taken down with its menu.
  const dirty = dirtyAmong(tabStore.get().list.map((tab) => tab.value))
  if (dirty.length > 0) keepDraftsNow()
  // A session that has ended is told by the call itself; without an answer all stays as it is.
  await loadSession({ silent: true }).catch(() => undefined)
  if (!sessionStore.get()) return
  const isOther = shown() !== before
  if (isOther) {
    const kept = closeLost().filter((tab) => dirty.includes(tab.value))
    const pages = kept.map((tab) => translate(tab.label)).join(translate('rights.and'))
    toast.warning(translate('rights.changed'), kept.length > 0 ? translate('rights.kept', { pages }) : undefined)
  }
  // What is ticked, filled in or half-way done on a page stays: buttons follow by themselves, and rows are read again.
  if (isOther || told) void queryClient.invalidateQueries()
}

/**
 * Asks who is logged in and what they may; where that is something else than what is shown, menus and buttons follow.
 * `told`: the server says that something has changed, which may be the rows alone. What changes while somebody asks
 * may be missing in the answers: then it is asked once more.
 */
export function lookAtRights(told = false): Promise<void> {
  if (isLocked() || !sessionStore.get()) return Promise.resolve()
  if (asking) {
    toldMeanwhile ||= told
    return asking
  }
  asking = askUntilQuiet(told).finally(() => {
    asking = undefined
  })
  return asking
}

async function askUntilQuiet(told: boolean): Promise<void> {
  toldMeanwhile = false
  await ask(told)
  while (toldMeanwhile && sessionStore.get()) {
    toldMeanwhile = false
    await ask(true)
  }
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
