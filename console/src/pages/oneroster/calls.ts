import { download, get, post } from '../../http/client.ts'

export interface Carried {
  carried: { entity: string; label: string; file: string }[]
  notCarried: string[]
  masked: string[]
}

export interface Fault {
  file: string
  line: number
  column: string
  message: string
}

export interface Count {
  file: string
  entity: string
  label: string
  add: number
  update: number
  unchanged: number
  missing: number
  missingNames: string[]
}

export interface Report {
  faults: Fault[]
  faultCount: number
  counts: Count[]
  otherFiles: string[]
  passed: { file: string; count: number; message: string }[]
  plan: string
  committed: boolean
  batchId: string | null
}

const base = 'blade-user/oneroster'
/** An archive of a whole district takes longer than an ordinary call. */
const patience = 300_000

export const readCarried = (signal: AbortSignal): Promise<Carried> =>
  get(`${base}/carried`, undefined, { signal, silent: true })

export const fetchArchive = (): Promise<{ blob: Blob; name: string }> =>
  download(`${base}/export`, undefined, { timeout: patience })

/** Sends an archive: to be checked, or to be carried out as the check of that plan has shown. */
export function sendArchive(file: File, wish: { plan?: string; retire?: boolean } = {}): Promise<Report> {
  const form = new FormData()
  form.set('file', file)
  const query = wish.plan === undefined ? {} : { commit: 1, plan: wish.plan, retire: wish.retire ? 1 : undefined }
  return post(`${base}/import`, { form, query, timeout: patience })
}
