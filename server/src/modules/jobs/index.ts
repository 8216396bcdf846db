export { type Batch, batchColumns, batchOf, type Kind, needState, type State, setState } from './batch.ts'
export {
  type Job,
  jobLimits,
  jobOf,
  jobsEnded,
  type Progress,
  recoverJobs,
  reviveJobs,
  startJob,
  stopJobs,
} from './run.ts'
