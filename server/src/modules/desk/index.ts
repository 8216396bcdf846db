import type { Module } from '../module.ts'
import { inboxRoutes } from './inbox.ts'
import { liveRoute } from './live.ts'
import { noticeRoutes } from './notice.ts'
import { addNoticeRules } from './notice-rules.ts'
import { readerRoutes } from './reader.ts'
import { searchRoute } from './search.ts'

export { announce } from './announce.ts'
export { stopLive } from './hub.ts'
export { type Message, tell } from './inbox.ts'
export { startSchedule } from './schedule.ts'

/** What is on everybody's desk: the search, notices, messages, and the channel that tells of news. */
export const desk: Module = {
  routes: [searchRoute, ...noticeRoutes, ...readerRoutes, ...inboxRoutes, liveRoute],
  addRules: addNoticeRules,
  serves: { notice: ['submit'] },
}
