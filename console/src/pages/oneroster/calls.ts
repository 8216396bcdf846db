import type { AnswerOf } from '@data-brain/contract/call'
import {
  commitRoster,
  exportRoster,
  type RosterBatch,
  removeRoster,
  rosterBatchOf,
  uploadRoster,
  type whatIsCarried,
} from '@data-brain/contract/calls/oneroster'
import { call, fetchFile, sendFile } from '../../http/call.ts'

export type { RosterBatch }
export type CarriedEntities = AnswerOf<typeof whatIsCarried>
export type Report = NonNullable<RosterBatch['report']>
export type Fault = Report['faults'][number]
export type Count = Report['counts'][number]

/** An archive of a whole district takes longer than an ordinary call. */
const patience = 300_000

/** Somebody works on the archive: it is asked for again and again. */
export const isWorking = ({ state }: RosterBatch): boolean => state === 'checking' || state === 'committing'

export const fetchArchive = (profile: string | undefined) => fetchFile(exportRoster, { profile }, { timeout: patience })

/** Sends an archive to be checked. */
export const sendArchive = (file: File) => sendFile(uploadRoster, file, {}, { timeout: patience })

/** An archive; without an id the one that is open: under way, or checked by this person and not imported. */
export const readBatch = (id: string | null, signal: AbortSignal) =>
  call(rosterBatchOf, { id: id ?? undefined }, { signal, silent: true })

/** Carries out what the check has shown. */
export const commitBatch = (id: string, retire: boolean, enrolled: string | null) =>
  call(commitRoster, { id, retire: retire ? 1 : undefined, enrolled: enrolled ?? undefined })

/** Drops an archive that was not imported. */
export const dropBatch = (id: string) => call(removeRoster, { id })
