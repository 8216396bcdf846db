import type { AnswerOf } from '@data-brain/contract/call'
import { unreadCounts } from '@data-brain/contract/calls/notice'
import { call } from '../http/call.ts'
import { createStore } from '../ui/store.ts'

/** Where notices and messages are read. */
export const noticesPath = '/wel/notice'

/** How much the user has not read. */
export const unreadStore = createStore<AnswerOf<typeof unreadCounts>>({ notices: 0, messages: 0 })
/** Counts the times that there was news: what shows a list of it asks again. */
export const newsStore = createStore(0)
/** Counts the times that lessons of a draft may have changed: a page that arranges one reads it again. */
export const timetableNewsStore = createStore(0)

/** Asks the server; when it cannot be asked, what was known stands. */
export async function askUnread(): Promise<void> {
  try {
    const { notices, messages } = await call(unreadCounts, {}, { silent: true })
    const now = unreadStore.get()
    if (now.notices !== notices || now.messages !== messages) unreadStore.set({ notices, messages })
  } catch {
    // The next event or the next minute asks again; a session that has ended has been told.
  }
}
