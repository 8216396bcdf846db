import type { AnswerOf } from '@data-brain/contract/call'
import { jobFile, ownJob } from '@data-brain/contract/calls/job'
import { call, fetchFile } from './call.ts'

/** How far a job of one's own is. */
export type OwnJob = AnswerOf<typeof ownJob>

export const readJob = (id: string, signal: AbortSignal | undefined): Promise<OwnJob> =>
  call(ownJob, { id }, { silent: true, signal })

/** The file that a job has made. */
export const fetchJobFile = (id: string): ReturnType<typeof fetchFile> => fetchFile(jobFile, { id })
