import type { Module } from '../module.ts'
import { logRoutes } from './routes.ts'
import { uploadRoute } from './upload.ts'

export { ofPeople, peopleOf } from './read.ts'
export { logRecords } from './records.ts'
export { logCare } from './retention.ts'
export { logsOf, startLogs } from './running.ts'
export { sentSweep } from './sent.ts'

/** What happened: the usual, the API and the error log, written beside the requests and read by whoever may. */
export const logging: Module = { routes: [...logRoutes, uploadRoute] }
