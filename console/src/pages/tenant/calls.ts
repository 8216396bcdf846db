import { purgeTenant } from '@data-brain/contract/calls/tenant'
import { followJob, type JobView } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'

/** What a purge leaves behind: how many rows of which tables there were, and files in object stores. */
export interface Certificate {
  readonly tenantId: string
  readonly tenantName: string
  readonly rows: Readonly<Record<string, number>>
  readonly files?: { readonly removed: number; readonly left: number }
}

/** Deletes everything, as a job that `seen` hears of; answers what was deleted. Object stores may keep their files. */
export async function purgeAndFollow(
  id: string,
  tenantId: string,
  keepBuckets: boolean,
  seen: (job: JobView<Certificate>) => void,
): Promise<Certificate> {
  const { jobId } = await call(
    purgeTenant,
    { ids: [id], confirm: tenantId, ...(keepBuckets ? { keepBuckets: 1 } : {}) },
    { silent: true },
  )
  return followJob(jobId, seen)
}
