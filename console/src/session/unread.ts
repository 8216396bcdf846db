import { get } from '../http/client.ts'
import { createStore } from '../ui/store.ts'

/** Where notices and messages are read. */
export const noticesPath = '/wel/notice'

export interface Unread {
  readonly notices: number
  readonly messages: number
}

/** How much the user has not read. */
export const unreadStore = createStore<Unread>({ notices: 0, messages: 0 })
/** Counts the times that there was news: what shows a list of it asks again. */
export const newsStore = createStore(0)

/** Asks the server; when it cannot be asked, what was known stands. */
export async function askUnread(): Promise<void> {
  try {
    const { notices, messages } = await get<Unread>('blade-desk/notice/unread', undefined, { silent: true })
    const now = unreadStore.get()
    if (now.notices !== notices || now.messages !== messages) unreadStore.set({ notices, messages })
  } catch {
    // The next event or the next minute asks again; a session that has ended has been told.
  }
}
