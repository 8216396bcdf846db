import { Select } from 'antd'
import { useMemo } from 'react'
import { ReferenceSelect } from '../../entity/choose.tsx'
import { Failed, NoRight } from '../../entity/empty.tsx'
import { entityWords } from '../../locales/entity.ts'
import { historyWords } from '../../locales/history.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { addWords, type Translate, useT } from '../../ui/words.ts'
import { Older, Times, useOlder } from '../history/older.tsx'
import { kinds, type Read, readReads } from './calls.ts'
import '../../entity/form-words.ts'
import '../../entity/page.css'
import '../../ui/table/menu.css'
import '../history/page.css'

addWords({ ...entityWords, ...historyWords })

const filterNames = ['childId', 'userId', 'kind', 'time_ge', 'time_le'] as const
const NONE: readonly Read[] = []
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
  const { path, query } = usePlace()
  const mayView = can('readlog_view')
  const asked = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, value]] : []
    }),
  )
  const found = useOlder('reads', asked, readReads, mayView)
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.records) ?? NONE, [found.data])
  const columns = useMemo(() => planOf(t), [t])
  const put = (patch: Record<string, string | null>) => setQuery(patch, { path, replace: true })
  if (!mayView) return <NoRight />
  return (
    <div className="page entity" data-screen={screen}>
      <header className="entity-head">
        <h1 tabIndex={-1}>{t('reads.title')}</h1>
        <span className="entity-count">{t('reads.about')}</span>
      </header>
      <div className="entity-body">
        <div className="entity-card">
          <div className="entity-tools">
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
            <span className="tools">
              <button
                type="button"
                className="tool"
                aria-label={t('changes.refresh')}
                title={t('changes.refresh')}
                onClick={() => void found.refetch()}
              >
                <Icon name="refresh-cw" size={16} />
              </button>
            </span>
          </div>
          {found.isError && !found.data ? (
            <Failed problem={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <>
              <DataTable
                label={t('reads.title')}
                rows={rows}
                keyOf={keyOf}
                nameOf={nameOf}
                columns={columns}
                state={found.data ? (found.isPlaceholderData ? 'refresh' : 'ready') : 'first'}
                cards={screen === 0}
                onAct={(what, read) => {
                  if (what === 'child') put({ childId: read.childId })
                  if (what === 'person') put({ userId: read.userId })
                }}
                empty={<p>{t('reads.none')}</p>}
              />
              {found.data && (
                <Older
                  more={found.hasNextPage}
                  busy={found.isFetchingNextPage}
                  none={rows.length === 0}
                  onMore={() => void found.fetchNextPage()}
                />
              )}
            </>
          )}
        </div>
      </div>
    </div>
  )
}
