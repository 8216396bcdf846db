import { queryClient } from '../http/query.ts'
import { askUnread } from '../session/unread.ts'
import { followWork, type Work, workAs } from '../session/working.ts'
import { confirm } from '../ui/confirm.tsx'
import { go } from '../ui/place.ts'
import { translate } from '../ui/words.ts'
import { routeOf } from './routes.tsx'
import { addressOf, closeTab, dirtyAmong, refreshTab, tabStore } from './tabs.ts'

/**
 * Everything on the screen is read anew, as what the session works now: pages that it may not open are closed, and one
 * with unsaved changes stays as it is, its data read behind it.
 */
function readAnew(): void {
  const { list } = tabStore.get()
  for (const tab of list) if (!routeOf(tab.value)) closeTab(tab.value)
  const open = tabStore.get().list.map((tab) => tab.value)
  const dirty = dirtyAmong(open)
  // What the former role saw must not be shown for a moment: only what is being edited keeps its data until the new are there.
  if (dirty.length === 0) queryClient.clear()
  else void queryClient.invalidateQueries()
  for (const value of open) if (!dirty.includes(value)) refreshTab(value)
  go(addressOf(tabStore.get().active), { replace: true })
  void askUnread()
}

/**
 * Works as another department and role, without loading the page anew; asks first where something is not saved. Answers
 * whether it was done. Throws `HttpProblem` where the server refuses.
 */
export async function switchWork(work: Work): Promise<boolean> {
  if (dirtyAmong(tabStore.get().list.map((tab) => tab.value)).length > 0) {
    const sure = await confirm({
      title: translate('work.dirty'),
      body: translate('work.dirtyText'),
      okText: translate('work.switch'),
    })
    if (!sure) return false
  }
  await workAs(work)
  readAnew()
  return true
}

let stopFollowing = (): void => {}

/** From now on another window's switch is this one's too; once, however often it is asked. */
export function startWork(): void {
  stopFollowing()
  stopFollowing = followWork(readAnew)
}
