import type { job, Words } from '@data-brain/contract'
import { cancelJob, retryJob } from '@data-brain/contract/calls/job'
import type { ReactNode } from 'react'
import { JobProgress, type ShownRow } from '../../entity/data/index.ts'
import { type CellWords, dictText } from '../../entity/display/index.ts'
import { fetchKept, keptFile, sizeText } from '../../entity/export/index.ts'
import type { OffersAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { jobWords } from '../../locales/job.ts'
import { useSession } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, hasWords, useT } from '../../ui/words.ts'
import './page.css'

addWords(jobWords)

/** How often a list with a job that has not ended is asked for again. */
export const POLL_MS = 1_000

/** What comes round by the clock, and can be done beside its times. */
const recurring = new Set([
  'notices',
  'reminders',
  'tenant-sweep',
  'file-sweep',
  'log-care',
  'history-seal',
  'job-sweep',
  'quality-daily',
  'quality-digest',
  'report-delivery',
  'sent-sweep',
])

/** What is shown of a job: of a row of the list of all, or of one of one's own. */
type JobRow = Pick<
  ShownRow<typeof job>,
  'id' | 'kind' | 'subject' | 'state' | 'progress' | 'total' | 'result' | 'failure' | 'beginTime' | 'endTime'
> & { readonly createUser?: string | null }

export const isOpen = (row: JobRow): boolean => row.state === 'waiting' || row.state === 'running'

/** What only reads, and can be stopped half way. */
const stoppable = new Set(['export'])

/** Whether a job can be taken back as it is now. */
export const isCancellable = ({ state, kind }: JobRow): boolean =>
  state === 'waiting' || (state === 'running' && stoppable.has(String(kind)))

const tones: Readonly<Record<string, string>> = { done: 'tag-good', failed: 'job-wrong', running: 'job-running' }

const numberOf = (words: CellWords) => new Intl.NumberFormat(words.language)

/** A span in words, by its two largest figures. */
function spanOf({ t }: CellWords, from: unknown, to: unknown): string | undefined {
  const [begin, end] = [from, to].map((at) => Date.parse(String(at).replace(' ', 'T')))
  if (!begin || !end || end < begin) return undefined
  const seconds = Math.round((end - begin) / 1000)
  const minutes = Math.floor(seconds / 60)
  const text = t('job.seconds', { count: seconds % 60 })
  return minutes === 0 ? text : `${t('job.minutes', { count: minutes })} ${text}`
}

/** The figures of a result, each with its name; tables with their rows are added up. */
function resultOf(words: CellWords, result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const { t } = words
  const number = numberOf(words)
  const figures = Object.entries(result).flatMap(([name, value]) => {
    if (name === 'bytes' && typeof value === 'number') return [sizeText(value)]
    if (typeof value === 'number')
      return [`${hasWords(`job.result.${name}`) ? t(`job.result.${name}`) : name} ${number.format(value)}`]
    if (name !== 'rows' || typeof value !== 'object' || value === null) return []
    const counts = (Object.values(value) as number[]).filter((count) => count > 0)
    const rows = counts.reduce((sum, count) => sum + count, 0)
    return [t('job.tables', { rows: number.format(rows), count: counts.length })]
  })
  const until =
    'expires' in result
      ? [t(keptFile(result) ? 'job.keptUntil' : 'job.keptNoMore', { time: String(result.expires).slice(5, 16) })]
      : []
  const parts = [...until, ...figures]
  return parts.length > 0 ? parts.join(t('entity.separator')) : undefined
}

/** Fetches the file of an export, for whoever asked for it. */
function Fetch({ row }: { readonly row: JobRow }) {
  const t = useT()
  const session = useSession()
  // Without the word of whose it is, it is one of the person's own.
  if (row.createUser !== undefined && row.createUser !== session?.userId) return null
  const fetch = async () => {
    try {
      await fetchKept(row.id)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
  }
  return (
    <button type="button" className="link-button job-fetch" onClick={() => void fetch()}>
      {t('job.fetch')}
    </button>
  )
}

const failureOf = ({ language }: CellWords, failure: unknown): string | undefined =>
  typeof failure === 'object' && failure !== null ? (failure as Words)[language] : undefined

/** How the cells of a job are shown, where they are not what its definition says. */
export const jobCells: Readonly<Record<string, (row: JobRow, words: CellWords) => ReactNode>> = {
  state: (row, words) => (
    <span className={`tag ${tones[row.state] ?? 'tag-off'}`}>{dictText(words, 'job_state', row.state)}</span>
  ),
  progress: (row, words) => numberOf(words).format(row.progress),
  total: (row, words) => numberOf(words).format(row.total),
  result: (row, words) =>
    isOpen(row) ? (
      <JobProgress
        label={dictText(words, 'job_kind', row.kind)}
        job={{ state: row.state, progress: row.progress, total: row.total }}
      />
    ) : (
      <>
        {row.state === 'done' && keptFile(row.result) && <Fetch row={row} />}
        {resultOf(words, row.result) ?? '—'}
      </>
    ),
  failure: (row, words) => {
    const failure = failureOf(words, row.failure)
    return failure ? <span className="job-failure">{failure}</span> : '—'
  },
  endTime: (row, words) => {
    if (!row.endTime) return undefined
    const span = spanOf(words, row.beginTime, row.endTime)
    return (
      <>
        {row.endTime.slice(0, 16)}
        {span && <span className="job-span">{words.t('job.took', { time: span })}</span>}
      </>
    )
  },
}

/** What can be done with a job in the state that it is in. */
export const jobOffers: OffersAction<typeof job> = (row, action) => {
  const comesRound = recurring.has(row.kind)
  if (action === 'retry') return row.state === 'failed' && !comesRound
  if (action === 'now') return comesRound && !isOpen(row)
  if (action === 'cancel') return !comesRound && isCancellable(row)
  return true
}

/** What a job is called: its kind, and what it is about. */
export const nameOf = (words: CellWords, row: JobRow): string =>
  [dictText(words, 'job_kind', row.kind), row.subject].filter(Boolean).join(' · ')

/** Asks whether, and then tries a job again or takes it back; false where nothing was asked of the server. */
export async function changeJob(words: CellWords, row: JobRow, how: 'retry' | 'now' | 'cancel'): Promise<boolean> {
  const { t } = words
  const sure = await askConfirmation({
    title: t(`job.${how}Ask`, { name: nameOf(words, row) }),
    body: t(how === 'cancel' && row.state === 'running' ? 'job.stopBody' : `job.${how}Body`),
    okText: t(`job.${how}`),
  })
  if (!sure) return false
  try {
    await call(how === 'cancel' ? cancelJob : retryJob, { id: row.id })
    toast.success(t(how === 'cancel' ? 'job.cancelled' : 'job.retried'))
  } catch (problem) {
    // The client has said what went wrong; anything else is a defect and goes up.
    if (!(problem instanceof HttpProblem)) throw problem
  }
  return true
}
