import { queryClient } from '../http/query.ts'
import { askTasks } from '../session/tasks.ts'
import { askUnread } from '../session/unread.ts'
import { followWork } from '../session/working-as.ts'
import { go } from '../ui/place.ts'
import { routeOf } from './routes.ts'
import { addressOf, closeTab, dirtyAmong, refreshTab, type Tab, tabStore } from './tabs.ts'

/** Closes the pages that may not be opened any more, and answers them. */
export function closeLost(): readonly Tab[] {
  const lost = tabStore.get().list.filter((tab) => !routeOf(tab.value))
  for (const tab of lost) closeTab(tab.value)
  go(addressOf(tabStore.get().active), { replace: true })
  return lost
}

/**
 * Everything on the screen is read anew, as what the session works now: pages that it may not open are closed, and one
 * with unsaved changes stays as it is, its data read behind it.
 */
export function readAnew(): void {
  closeLost()
  const open = tabStore.get().list.map((tab) => tab.value)
  const dirty = dirtyAmong(open)
  // What the former role saw must not be shown for a moment: only what is being edited keeps its data until the new are there.
  if (dirty.length === 0) queryClient.clear()
  else void queryClient.invalidateQueries()
  for (const value of open) if (!dirty.includes(value)) refreshTab(value)
  void askUnread()
  void askTasks()
}

let stopFollowing = (): void => {}

/** From now on another window's switch is this one's too; once, however often it is asked. */
export function startWork(): void {
  stopFollowing()
  stopFollowing = followWork(readAnew)
}
