import type { Entity } from '@data-brain/contract'
import type { jobShape } from '@data-brain/contract/generic'
import type { ValueOf } from '@data-brain/contract/shape'
import { post, type Query } from '../../http/client.ts'
import { fetchJobFile } from '../../http/jobs.ts'
import { exportWords } from '../../locales/export.ts'
import { Icon } from '../../ui/icon.tsx'
import { timeOf } from '../../ui/instant.ts'
import { saveFile } from '../../ui/save-file.ts'
import { addWords, useT } from '../../ui/words.ts'
import { followJob, JobProgress, type JobView } from '../data/job.tsx'

addWords(exportWords)

/** The file of an export in the background, as its job tells of it. */
export interface KeptFile {
  readonly rows: number
  readonly bytes: number
  readonly fileId: string
  /** `yyyy-MM-dd HH:mm:ss` of Shanghai. */
  readonly expires: string
}

/** The file that the result of a job tells of, while it is kept. */
export function keptFile(result: unknown): KeptFile | undefined {
  if (typeof result !== 'object' || result === null || !('fileId' in result)) return undefined
  const kept = result as KeptFile
  return timeOf(kept.expires) > Date.now() ? kept : undefined
}

/** Hands the file of an export in the background to the browser; answers its name. */
export async function fetchKept(jobId: string): Promise<string> {
  const file = await fetchJobFile(jobId)
  saveFile(file)
  return file.name
}

/** Asks for a list as a file that is written in the background, and follows it; `signal` ends the following alone. */
export async function exportInBackground(
  entity: Pick<Entity, 'path'>,
  query: Query,
  seen: (job: JobView<KeptFile>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { jobId } = await post<ValueOf<typeof jobShape>>(`${entity.path}/export-job`, { query, silent: true })
  await followJob<KeptFile>(jobId, seen, signal)
}

interface StateProps {
  readonly job: JobView<KeptFile>
  readonly fetch: () => void
}

/** How far an export in the background is, or its file. */
export function ExportState({ job, fetch }: StateProps) {
  const t = useT()
  const kept = keptFile(job.result)
  if (job.state !== 'done')
    return (
      <div className="export-ways">
        <JobProgress label={t('export.background')} job={job} />
        <p className="muted">{t('export.closing')}</p>
      </div>
    )
  return kept ? (
    <div className="export-ways">
      <button type="button" className="button primary" onClick={fetch}>
        <Icon name="download" size={16} />
        {t('export.fetch')}
      </button>
      <p className="muted">{t('export.expires', { time: kept.expires.slice(0, 16) })}</p>
    </div>
  ) : null
}
