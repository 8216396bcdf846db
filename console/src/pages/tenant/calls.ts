import type { Page } from '@data-brain/contract'
import { followJob, type JobView } from '../../entity/job.tsx'
import { get, post } from '../../http/client.ts'

const path = 'blade-system/tenant'

/** A client beside a tenant: ticked when the tenant's people may log in through it. */
export interface ClientChoice {
  readonly id: string
  readonly clientId: string
  readonly clientGroup: string | null
  readonly remark: string | null
  readonly granted: 0 | 1
}

/** What a purge leaves behind: how many rows of which tables there were, and files in object stores. */
export interface Certificate {
  readonly tenantId: string
  readonly tenantName: string
  readonly rows: Readonly<Record<string, number>>
  readonly files?: { readonly removed: number; readonly left: number }
}

/** A certificate as it is kept. */
export interface KeptCertificate {
  readonly id: string
  readonly tenantId: string
  readonly tenantName: string
  readonly purgedBy: string
  readonly at: string
  readonly rowCounts: Readonly<Record<string, number>>
}

// Failures are thrown and shown in the dialog that called.
const silent = true

export interface TenantSetting {
  readonly accountNumber: number
  readonly quotaStorageMb: number
  readonly expireTime: string | null
}

export const setTenants = (
  ids: readonly string[],
  { accountNumber, quotaStorageMb, expireTime }: TenantSetting,
): Promise<null> =>
  // As a form: an empty time means never, and an address leaves out what is empty.
  post(`${path}/setting`, {
    form: new URLSearchParams({
      ids: ids.join(','),
      accountNumber: String(accountNumber),
      quotaStorageMb: String(quotaStorageMb),
      expireTime: expireTime ?? '',
    }),
    silent,
  })

export const bindDatasource = (tenantId: string, datasourceId: string | null): Promise<null> =>
  post(`${path}/datasource`, { form: new URLSearchParams({ tenantId, datasourceId: datasourceId ?? '' }), silent })

export const readClients = (tenantId: string, signal: AbortSignal): Promise<readonly ClientChoice[]> =>
  get('blade-system/client/selectClientByTenantId', { tenantId }, { signal })

export const grantClients = (tenantId: string, clientIds: readonly string[]): Promise<null> =>
  post('blade-system/tenantclientrelevance/add', { query: { tableTenantId: tenantId }, body: { clientIds }, silent })

export const removeTenants = (ids: readonly string[]): Promise<null> =>
  post(`${path}/remove`, { query: { ids }, silent })

export const restoreTenants = (ids: readonly string[]): Promise<null> => post(`${path}/restore`, { query: { ids } })

/** Deletes everything, as a job that `seen` hears of; answers what was deleted. Object stores may keep their files. */
export async function purgeTenant(
  id: string,
  tenantId: string,
  keepBuckets: boolean,
  seen: (job: JobView<Certificate>) => void,
): Promise<Certificate> {
  const query = { ids: id, confirm: tenantId, ...(keepBuckets ? { keepBuckets: 1 } : {}) }
  const { jobId } = await post<{ jobId: string }>(`${path}/purge`, { query, silent })
  return followJob(jobId, seen)
}

export const readCertificates = (current: number, size: number, signal: AbortSignal): Promise<Page<KeptCertificate>> =>
  get(`${path}/purges`, { current, size }, { signal })
