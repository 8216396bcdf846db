import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { go } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { PAGE_SIZES } from '../../ui/table/page-size.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { useOwnPaging } from '../../ui/table/paging.ts'
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { toast } from '../../ui/toast.ts'
import { type Translate, useLanguage, useT } from '../../ui/words.ts'
import { type BatchLine, type BatchState, isWorking, readBatches, removeBatch } from './calls.ts'
import { importPathOf, kindOf, useImportT, useKind, wordsOf } from './import-kinds.ts'
import { batchKey, followBatch, useWork } from './state.ts'
import { takeBack } from './undo.tsx'
import '../../ui/later-words.ts'

const tones: Readonly<Record<BatchState, string>> = {
  reading: 'warn',
  mapping: 'warn',
  checking: 'warn',
  checked: 'warn',
  committing: 'warn',
  done: 'good',
  undoing: 'warn',
  undone: 'off',
  failed: 'off',
}

function outcomeOf({ state, counts, failure }: BatchLine, t: Translate, number: Intl.NumberFormat): string {
  const { add = 0, update = 0, skip = 0, bad = 0 } = counts
  const count = (n: number) => number.format(n)
  if (state === 'done') return t('import.outcomeDone', { add: count(add), update: count(update), skip: count(skip) })
  if (state === 'checked') return t('import.outcomeChecked', { add: count(add), bad: count(bad) })
  return failure ?? ''
}

const removable = (state: BatchState) => state === 'mapping' || state === 'checked' || state === 'failed'

function planOf(t: Translate, number: Intl.NumberFormat, several: boolean): Column<BatchLine>[] {
  const act = (batch: BatchLine, what: string, label: string, danger = false) => (
    <button
      type="button"
      className={danger ? 'dt-act dt-act-danger' : 'dt-act'}
      data-act={what}
      aria-label={t(`import.${what}Of`, { name: batch.fileName })}
    >
      {label}
    </button>
  )
  return [
    {
      key: 'file',
      label: t('import.file'),
      width: 220,
      title: true,
      cell: (batch) => (
        <a className="dt-link" href={placeOf(batch)} data-act="open" title={batch.fileName}>
          {batch.fileName}
        </a>
      ),
    },
    ...(several
      ? [{ key: 'kind', label: t('import.kind'), width: 110, cell: ({ kind }: BatchLine) => t(`import.kind.${kind}`) }]
      : []),
    {
      key: 'state',
      label: t('import.state'),
      width: 110,
      cell: ({ state }) => <span className={`tag tag-${tones[state]}`}>{t(`import.state.${state}`)}</span>,
    },
    { key: 'rows', label: t('import.rows'), width: 90, numeric: true, cell: ({ total }) => number.format(total) },
    {
      key: 'outcome',
      label: t('import.outcome'),
      width: several ? 200 : 260,
      cell: (batch) => {
        const outcome = outcomeOf(batch, t, number)
        return <span title={outcome}>{outcome || '—'}</span>
      },
    },
    { key: 'by', label: t('import.by'), width: 110, cell: ({ userName }) => userName || '—' },
    { key: 'time', label: t('import.time'), width: 150, cell: ({ createTime }) => createTime.slice(0, 16) },
    {
      key: 'actions',
      label: t('import.actions'),
      width: 130,
      pin: 'end',
      cell: (batch) => (
        <span className="dt-acts">
          {act(batch, 'open', t('import.open'))}
          {batch.state === 'done' && act(batch, 'undo', t('import.undoShort'), true)}
          {removable(batch.state) && act(batch, 'remove', t('import.remove'), true)}
        </span>
      ),
    },
  ]
}

/** Where a batch is looked at and gone on with. */
const placeOf = (batch: BatchLine): string =>
  `${importPathOf(kindOf(batch)) ?? ''}?batch=${batch.id}${batch.state === 'mapping' ? '&step=match' : ''}`

const keyOf = (batch: BatchLine) => batch.id
const nameOf = (batch: BatchLine) => batch.fileName
const nothing: readonly BatchLine[] = []

/** Former imports: how they went, and what can still be done with them; those of every kind where `all` says so. */
export function Batches({ all = false }: { all?: boolean }) {
  const own = useT()
  const t = useImportT()
  const kind = useKind()
  const language = useLanguage()
  const client = useQueryClient()
  const work = useWork()
  const screen = useScreenClass()
  const { current, size, onPage, onSize } = useOwnPaging()
  const found = useQuery({
    queryKey: ['import', 'list', kind, all, current, size, language],
    queryFn: ({ signal }) => readBatches(kind, all, current, size, signal),
    placeholderData: (before) => before,
    refetchInterval: (query) => (query.state.data?.records.some(({ state }) => isWorking(state)) ? 1000 : false),
    // Never an old list first: its rows would move under the pointer once the new one is there.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
  const columns = useMemo(() => planOf(t, new Intl.NumberFormat(language), all), [t, language, all])
  const again = () => client.invalidateQueries({ queryKey: ['import', 'list'] })

  const act = async (what: string, batch: BatchLine) => {
    if (what === 'open') return go(placeOf(batch))
    if (what === 'undo') {
      // Shown where it goes on.
      let begun = false
      await work.run(async () => {
        begun = await takeBack(kindOf(batch), batch, wordsOf(own, kindOf(batch)))
      })
      client.removeQueries({ queryKey: batchKey(batch.id) })
      if (!begun) return
      followBatch(client, kindOf(batch), batch.id)
      return go(placeOf(batch))
    }
    const sure = await askConfirmation({
      title: t('import.removeTitle', { name: batch.fileName }),
      body: wordsOf(own, kindOf(batch))('import.removeBody'),
      danger: true,
      okText: t('import.remove'),
    })
    if (!sure) return
    await work.run(async () => {
      await removeBatch(kindOf(batch), batch.id)
      toast.success(t('spec.deleted'))
    })
    await again()
  }

  const total = found.data?.total ?? 0
  return (
    <div className="card import-batches">
      <h2>{t('import.batches')}</h2>
      {work.failure && (
        <p className="alert" role="alert">
          {work.failure}
        </p>
      )}
      {found.isError && !found.data ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <DataTable
          label={t('import.batches')}
          records={{
            rows: found.data?.records ?? nothing,
            keyOf,
            nameOf,
            state: found.data ? 'ready' : 'first',
            empty: <p className="muted">{t('import.none')}</p>,
          }}
          layout={{ cards: screen === 0 }}
          columns={columns}
          onAct={(what, batch) => void act(what, batch)}
        />
      )}
      {total > PAGE_SIZES[0] && <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />}
    </div>
  )
}
