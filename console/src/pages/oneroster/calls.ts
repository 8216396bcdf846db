import { download, get, post } from '../../http/client.ts'

export interface Carried {
  carried: { entity: string; label: string; file: string }[]
  notCarried: string[]
  /** What receivers can be given; the first one loses nothing. */
  profiles: { key: string; label: string }[]
  masked: string[]
}

export interface Fault {
  file: string
  line: number
  column: string
  message: string
  /** In how many lines, and the first of them. */
  count: number
  lines: number[]
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

/** What is wrong with an archive, or what it would do, or has done. */
export interface Report {
  faults: Fault[]
  faultCount: number
  counts: Count[]
  otherFiles: string[]
  /** Of how many new pupils the archive does not tell when they enrolled, and whether their grades do. */
  asks: { enrolled: number; byGrade: boolean } | null
  passed: { file: string; count: number; message: string }[]
}

/** An archive that was brought in, and how it stands. */
export interface RosterBatch {
  id: string
  fileName: string
  state: 'checking' | 'checked' | 'committing' | 'done' | 'failed'
  progress: number
  total: number
  retire: boolean
  failure: string | null
  userName: string | null
  report: Report | null
}

const base = 'blade-user/oneroster'
/** An archive of a whole district takes longer than an ordinary call. */
const patience = 300_000

/** Somebody works on the archive: it is asked for again and again. */
export const isWorking = ({ state }: RosterBatch): boolean => state === 'checking' || state === 'committing'

export const readCarried = (signal: AbortSignal): Promise<Carried> =>
  get(`${base}/carried`, undefined, { signal, silent: true })

export const fetchArchive = (profile: string | undefined): Promise<{ blob: Blob; name: string }> =>
  download(`${base}/export`, { profile }, { timeout: patience })

/** Sends an archive to be checked. */
export function sendArchive(file: File): Promise<RosterBatch> {
  const form = new FormData()
  form.set('file', file)
  return post(`${base}/upload`, { form, timeout: patience })
}

/** An archive; without an id the one that is open: under way, or checked by this person and not imported. */
export const readBatch = (id: string | null, signal: AbortSignal): Promise<RosterBatch | null> =>
  get(`${base}/batch`, { id }, { signal, silent: true })

/** Carries out what the check has shown. */
export const commitBatch = (id: string, retire: boolean, enrolled: string | null): Promise<RosterBatch> =>
  post(`${base}/commit`, { query: { id, retire: retire ? 1 : undefined, enrolled } })

/** Drops an archive that was not imported. */
export const dropBatch = (id: string): Promise<void> => post(`${base}/remove`, { query: { id } })
