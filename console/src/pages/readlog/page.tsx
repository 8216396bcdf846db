import { Select } from 'antd'
import { useMemo } from 'react'
import { ReferenceSelect } from '../../entity/choose.tsx'
import { NoRight } from '../../entity/empty.tsx'
import { ListFrame, stateOf } from '../../entity/list-frame.tsx'
import { entityWords } from '../../locales/entity.ts'
import { historyWords } from '../../locales/history.ts'
import { useCan } from '../../session/session.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { addWords, type Translate, useT } from '../../ui/words.ts'
import { Older, Times, useOlder } from '../history/older.tsx'
import { kinds, type Read, readReads } from './calls.ts'
import '../../entity/form-words.ts'
import '../../ui/table/menu.css'
import '../history/page.css'

addWords({ ...entityWords, ...historyWords })

const filterNames = ['childId', 'userId', 'kind', 'time_ge', 'time_le'] as const
const keyOf = (read: Read) => read.id
const nameOf = (read: Read) => read.childName || read.childId

/** The columns: when, who, whose record, how, and why where that was said. Names narrow the list to themselves. */
function planOf(t: Translate): Column<Read>[] {
  return [
    {
      key: 'time',
      label: t('changes.time'),
      width: 170,
      pin: 'start',
      cell: ({ time }) => <time className="mono">{time}</time>,
    },
    {
      key: 'child',
      label: t('reads.child'),
      width: 150,
      title: true,
      cell: (read) => (
        <button type="button" className="link-button" data-act="child">
          {read.childName || t('changes.gone', { id: read.childId })}
        </button>
      ),
    },
    {
      key: 'person',
      label: t('reads.person'),
      width: 150,
      cell: ({ userId, userName }) =>
        userId ? (
          <button type="button" className="link-button" data-act="person">
            {userName || userId}
          </button>
        ) : (
          userName || t('detail.machine')
        ),
    },
    { key: 'kind', label: t('reads.kind'), width: 130, cell: ({ kind }) => t(`reads.kind.${kind}`) },
    { key: 'entity', label: t('reads.entity'), width: 130, cell: ({ entityName }) => entityName },
    { key: 'reason', label: t('reads.reason'), width: 220, cell: ({ reason }) => reason || '—' },
    {
      key: 'address',
      label: t('reads.address'),
      width: 140,
      cell: ({ address }) => <span className="mono">{address || '—'}</span>,
    },
  ]
}

/** Who has read which child's record: by child, by person, and by time. */
export default function ReadLogPage() {
  const t = useT()
  const can = useCan()
  const screen = useScreenClass()
  const mayView = can('readlog_view')
  const { query, found, rows, put } = useOlder('reads', filterNames, readReads, mayView)
  const columns = useMemo(() => planOf(t), [t])
  if (!mayView) return <NoRight />
  return (
    <ListFrame
      title={t('reads.title')}
      count={<span className="entity-count">{t('reads.about')}</span>}
      filters={
        <search className="filters">
          <ReferenceSelect
            className="filter-one"
            label={t('reads.child')}
            placeholder={t('reads.child')}
            to="student"
            value={query.get('childId')}
            onChange={(value) => put({ childId: value as string | null })}
          />
          <ReferenceSelect
            className="filter-one"
            label={t('reads.person')}
            placeholder={t('reads.person')}
            to="user"
            value={query.get('userId')}
            onChange={(value) => put({ userId: value as string | null })}
          />
          <Select
            className="filter-one"
            aria-label={t('reads.kind')}
            placeholder={t('reads.kind')}
            allowClear
            options={kinds.map((kind) => ({ value: kind, label: t(`reads.kind.${kind}`) }))}
            value={query.get('kind') ?? undefined}
            onChange={(value: string | undefined) => put({ kind: value ?? null })}
          />
          <Times from={query.get('time_ge')} to={query.get('time_le')} onChange={put} />
        </search>
      }
      refresh={t('changes.refresh')}
      onRefresh={() => void found.refetch()}
      found={found}
    >
      <DataTable
        label={t('reads.title')}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        columns={columns}
        state={stateOf(found)}
        cards={screen === 0}
        onAct={(what, read) => {
          if (what === 'child') put({ childId: read.childId })
          if (what === 'person') put({ userId: read.userId })
        }}
        empty={<p>{t('reads.none')}</p>}
      />
      <Older found={found} />
    </ListFrame>
  )
}
