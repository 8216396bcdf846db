import type { Module } from '../module.ts'
import { jobRoutes } from './routes.ts'

export { startJob } from './ask.ts'
export { type Batch, batchColumns, batchOf, needState, type State, tellFilesTo, toldBatches } from './batch.ts'
export { addBatchWork, type BatchJob, recoverBatches, reviveBatches, startBatch } from './batch-work.ts'
export { dropFile, fetchFile, hasFile, keepFile } from './keep-file.ts'
export { startJobs, stopJobs, tickAt, workUnderWay } from './queue.ts'
export { doneOf, isWorkedOn, openJobs } from './row.ts'
export { jobLimits } from './run.ts'
export { jobSweep } from './sweep.ts'
export { addWork, type Progress, type RecurringWork, type Work, type WorkContext } from './work.ts'

/** Work outside any request: what is asked for, and what comes round by the clock. */
export const jobsModule: Module = { routes: jobRoutes }
