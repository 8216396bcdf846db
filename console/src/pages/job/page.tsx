import { job, type Page } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { refresh, type ShownRow, useDictionaries } from '../../entity/data/index.ts'
import type { CellWords } from '../../entity/display/index.ts'
import { EntityPage, type RowAction } from '../../entity/list/index.ts'
import { useTab } from '../../ui/place.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { changeJob, isOpen, jobCells, jobOffers, POLL_MS } from './parts.tsx'

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
      const lists = queries.getQueriesData<Page<ShownRow<typeof job>>>({
        queryKey: ['entity', job.name, 'list'],
        type: 'active',
      })
      if (lists.some(([, page]) => page?.records.some(isOpen))) void refresh(queries, job.name)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [active, queries])
  const again = useCallback(
    async (row: ShownRow<typeof job>, how: 'retry' | 'now' | 'cancel') => {
      if (await changeJob(words, row, how)) await refresh(queries, job.name)
    },
    [words, queries],
  )
  const actions: readonly RowAction<typeof job>[] = useMemo(
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
  return <EntityPage entity={job} cells={jobCells} rowActions={actions} offers={jobOffers} />
}
