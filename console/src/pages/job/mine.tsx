import { job } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { myJobs } from '@data-brain/contract/calls/job'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDictionaries } from '../../entity/data/index.ts'
import type { CellWords } from '../../entity/display/index.ts'
import { Count, ListFrame, stateOf } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { useTab } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import { changeJob, isCancellable, isOpen, jobCells, nameOf, POLL_MS } from './parts.tsx'

addWords(entityWords)

type MyJob = AnswerOf<typeof myJobs>[number]
const NONE: readonly MyJob[] = []
const keyOf = ({ id }: MyJob) => id

/** How often the list is asked for again while none of its jobs is open: one may have been begun in another window. */
const seldom = 30_000

function planOf(words: CellWords, pick: ReturnType<typeof useWords>): Column<MyJob>[] {
  const { t } = words
  const told = (key: 'state' | 'result' | 'failure' | 'endTime', width: number): Column<MyJob> => ({
    key,
    label: pick(job.fields[key].label),
    width,
    cell: (row) => jobCells[key]!(row, words) ?? '—',
  })
  return [
    { key: 'name', label: t('job.what'), width: 240, title: true, pin: 'start', cell: (row) => nameOf(words, row) },
    told('state', 110),
    told('result', 320),
    told('failure', 220),
    {
      key: 'createTime',
      label: t('job.asked'),
      width: 150,
      cell: ({ createTime }) => <span className="mono">{createTime.slice(0, 16)}</span>,
    },
    told('endTime', 230),
    {
      key: 'actions',
      label: t('job.actions'),
      width: 110,
      pin: 'end',
      cell: (row) =>
        isCancellable(row) ? (
          <span className="dt-acts">
            <button
              type="button"
              className="dt-act"
              data-act="cancel"
              aria-label={t('job.cancelOf', { name: nameOf(words, row) })}
            >
              {t('job.cancel')}
            </button>
          </span>
        ) : (
          <span className="none">—</span>
        ),
    },
  ]
}

/** What the person has asked for: how far it is, its file, and the way to take it back. Nobody needs a right for it. */
export default function MyJobsPage() {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const screen = useScreenClass()
  const { active } = useTab()
  const dictionaries = useDictionaries(job)
  const words: CellWords = useMemo(() => ({ t, language, dictionaries, regions: {} }), [t, language, dictionaries])
  const columns = useMemo(() => planOf(words, pick), [words, pick])
  const found = useQuery({
    queryKey: ['job', 'mine'],
    queryFn: ({ signal }) => call(myJobs, {}, { signal, silent: true }),
    refetchInterval: ({ state }) => (active ? (state.data?.some(isOpen) ? POLL_MS : seldom) : false),
    staleTime: 0,
    retry: false,
  })
  return (
    <ListFrame
      head={{ title: t('job.mine'), count: found.data && <Count total={found.data.length} /> }}
      banner={<p className="muted">{t('job.mineText')}</p>}
      onRefresh={() => void found.refetch()}
      found={found}
    >
      <DataTable
        label={t('job.mine')}
        records={{
          rows: found.data ?? NONE,
          keyOf,
          nameOf: (row) => nameOf(words, row),
          state: stateOf(found),
          empty: <p>{t('job.none')}</p>,
        }}
        layout={{ cards: screen === 0 }}
        columns={columns}
        onAct={async (_what, row) => {
          if (await changeJob(words, row, 'cancel')) await found.refetch()
        }}
      />
    </ListFrame>
  )
}
