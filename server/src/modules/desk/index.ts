import type { Module } from '../module.ts'
import { homeRoute } from './home.ts'
import { inboxRoutes } from './inbox.ts'
import { liveRoute } from './live.ts'
import { noticeRoutes } from './notice.ts'
import { addNoticeRules } from './notice-rules.ts'
import { readerRoutes } from './reader.ts'
import { receiptRoutes } from './receipts.ts'
import { searchRoute } from './search.ts'
import { todoRoute } from './todo.ts'

export { liveState, stopLive } from './channel-hub.ts'
export { workKinds } from './home.ts'
export { type Message, sendMessage } from './inbox.ts'
export { issueNotice } from './notice.ts'
export { notices, reminders } from './schedule.ts'
export { addFigures, mayRead } from './todo.ts'

/** What is on everybody's desk: the search, notices, messages, and the channel that tells of news. */
export const deskModule: Module = {
  routes: [
    searchRoute,
    todoRoute,
    homeRoute,
    ...noticeRoutes,
    ...receiptRoutes,
    ...readerRoutes,
    ...inboxRoutes,
    liveRoute,
  ],
  addRules: addNoticeRules,
  serves: { notice: ['submit'] },
}
