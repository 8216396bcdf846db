import { followWindows, lockStore } from '../session/lock-state.ts'
import { accessToken } from '../session/tokens.ts'
import { announce } from '../ui/announce.tsx'
import { dismissQuestion } from '../ui/confirm.tsx'
import { go } from '../ui/place.ts'
import { toasts } from '../ui/toast.ts'
import { closeDialog } from './dialogs.tsx'
import { closePalette } from './palette-store.ts'
import { addressOf, tabStore } from './tabs.ts'

/** Everything that stands over the pages: a locked window shows none of it. */
function clearOverlays(): void {
  closeDialog()
  closePalette()
  dismissQuestion()
  toasts.set([])
  announce('')
  announce('', 'assertive')
}

let stopLocking = (): void => {}

/** From now on a lock leads to /lock, and unlocking back to the tab left; in this window once, however often it is asked. */
export function startLocking(): void {
  stopLocking()
  const stop = lockStore.subscribe(() => {
    if (lockStore.get()) {
      clearOverlays()
      go('/lock', { replace: true })
    } else if (accessToken()) go(addressOf(tabStore.get().active), { replace: true })
  })
  const stopFollowing = followWindows()
  stopLocking = () => {
    stop()
    stopFollowing()
  }
}
