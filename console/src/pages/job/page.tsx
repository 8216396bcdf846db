import { entityOf, type Page, type Words } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import type { Shown } from '../../entity/calls.ts'
import { type CellWords, dictText } from '../../entity/cell.tsx'
import { refresh, useDictionaries } from '../../entity/client.ts'
import type { Cells, Offers, RowAction } from '../../entity/columns.tsx'
import { sizeText } from '../../entity/export.tsx'
import { fetchKept, keptFile } from '../../entity/export-job.tsx'
import { JobProgress } from '../../entity/job.tsx'
import EntityPage from '../../entity/page.tsx'
import { HttpProblem, post } from '../../http/client.ts'
import { jobWords } from '../../locales/job.ts'
import { useSession } from '../../session/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useTab } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, hasWords, useLanguage, useT } from '../../ui/words.ts'
import './page.css'

addWords(jobWords)

const job = entityOf('job')

/** How often a list with a job that has not ended is asked for again. */
const every = 1_000

/** What comes round by the clock, and can be done beside its times. */
const recurring = new Set([
  'notices',
  'reminders',
  'tenant-sweep',
  'file-sweep',
  'log-care',
  'history-seal',
  'job-sweep',
])

const isOpen = (row: Shown): boolean => row.state === 'waiting' || row.state === 'running'

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
function Fetch({ row }: { readonly row: Shown }) {
  const t = useT()
  const session = useSession()
  if (row.createUser !== session?.userId) return null
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

const cells: Cells = {
  state: (row, words) => (
    <span className={`tag ${tones[String(row.state)] ?? 'tag-off'}`}>{dictText(words, 'job_state', row.state)}</span>
  ),
  progress: (row, words) => numberOf(words).format(Number(row.progress)),
  total: (row, words) => numberOf(words).format(Number(row.total)),
  result: (row, words) =>
    isOpen(row) ? (
      <JobProgress
        label={dictText(words, 'job_kind', row.kind)}
        job={{ state: String(row.state), progress: Number(row.progress), total: Number(row.total) }}
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
    if (typeof row.endTime !== 'string') return undefined
    const span = spanOf(words, row.beginTime, row.endTime)
    return (
      <>
        {row.endTime.slice(0, 16)}
        {span && <span className="job-span">{words.t('job.took', { time: span })}</span>}
      </>
    )
  },
}

const offers: Offers = (row, action) => {
  const comesRound = recurring.has(String(row.kind))
  if (action === 'retry') return row.state === 'failed' && !comesRound
  if (action === 'now') return comesRound && !isOpen(row)
  if (action === 'cancel') return row.state === 'waiting' && !comesRound
  return true
}

/** What was asked for and what comes round by the clock: how far it is, what became of it, and another try. */
export default function JobPage() {
  const t = useT()
  const queries = useQueryClient()
  const { active } = useTab()
  const dictionaries = useDictionaries(job)
  const language = useLanguage()
  const words: CellWords = useMemo(() => ({ t, language, dictionaries, regions: {} }), [t, language, dictionaries])
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      const lists = queries.getQueriesData<Page<Shown>>({ queryKey: ['entity', job.name, 'list'], type: 'active' })
      if (lists.some(([, page]) => page?.records.some(isOpen))) void refresh(queries, job.name)
    }, every)
    return () => clearInterval(timer)
  }, [active, queries])
  const again = useCallback(
    async (row: Shown, how: 'retry' | 'now' | 'cancel') => {
      const name = [dictText(words, 'job_kind', row.kind), row.subject].filter(Boolean).join(' · ')
      const sure = await confirm({
        title: t(`job.${how}Ask`, { name }),
        body: t(`job.${how}Body`),
        okText: t(`job.${how}`),
      })
      if (!sure) return
      try {
        await post(`blade-system/job/${how === 'cancel' ? 'cancel' : 'retry'}`, { query: { id: row.id } })
        toast.success(t(how === 'cancel' ? 'job.cancelled' : 'job.retried'))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, job.name)
    },
    [t, words, queries],
  )
  const actions: readonly RowAction[] = useMemo(
    () => [
      {
        key: 'retry',
        label: t('job.retry'),
        icon: 'refresh-cw',
        code: 'job_retry',
        run: (row) => void again(row, 'retry'),
      },
      { key: 'now', label: t('job.now'), icon: 'clock', code: 'job_retry', run: (row) => void again(row, 'now') },
      { key: 'cancel', label: t('job.cancel'), icon: 'x', code: 'job_retry', run: (row) => void again(row, 'cancel') },
    ],
    [t, again],
  )
  return <EntityPage entity={job.name} cells={cells} rowActions={actions} offers={offers} />
}
