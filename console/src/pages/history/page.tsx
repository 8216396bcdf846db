import { codeOf, entities } from '@data-brain/contract'
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
import { DataTable } from '../../ui/table/table.tsx'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { type Changed, readChanges } from './calls.ts'
import { actions, nameOf, planOf } from './columns.tsx'
import { ChangeDetail } from './detail.tsx'
import { Older, Times, useOlder } from './older.tsx'
import { useVerify, VerdictBanner } from './verify.tsx'
import '../../entity/form-words.ts'
import '../../entity/page.css'
import '../../entity/detail.css'
import '../../ui/table/menu.css'
import './page.css'

addWords({ ...entityWords, ...historyWords })

const filterNames = ['entity', 'action', 'userId', 'requestId', 'time_ge', 'time_le'] as const
const NONE: readonly Changed[] = []
const keyOf = (changed: Changed) => changed.id

/** All changes of the tenant, newest first: who did what to which record, and the ways back. */
export default function HistoryPage() {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const screen = useScreenClass()
  const { path, query } = usePlace()
  const mayView = can('history_view')
  const asked = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, value]] : []
    }),
  )
  const found = useOlder('changes', asked, readChanges, mayView)
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.records) ?? NONE, [found.data])
  const columns = useMemo(() => planOf(t), [t])
  const verify = useVerify()
  const put = (patch: Record<string, string | null>) => setQuery(patch, { path, replace: true })
  const kinds = useMemo(
    () =>
      entities
        .filter((entity) => can(codeOf(entity, 'view')))
        .map(({ name, label }) => ({ value: name, label: pick(label) })),
    [can, pick],
  )
  const id = query.get('id')
  if (!mayView) return <NoRight />
  return (
    <div className="page entity" data-screen={screen}>
      <header className="entity-head">
        <h1 tabIndex={-1}>{t('changes.title')}</h1>
        {can('history_verify') && (
          <span className="entity-buttons">
            <button type="button" className="button" disabled={verify.busy} onClick={() => void verify.run()}>
              {t('changes.verify')}
            </button>
          </span>
        )}
      </header>
      {verify.state && <VerdictBanner state={verify.state} onClose={verify.close} />}
      <div className="entity-body">
        <div className="entity-card">
          <div className="entity-tools">
            <search className="filters">
              <Select
                className="filter-one"
                aria-label={t('changes.entity')}
                placeholder={t('changes.entity')}
                allowClear
                showSearch={{ optionFilterProp: 'label' }}
                options={kinds}
                value={query.get('entity') ?? undefined}
                onChange={(value: string | undefined) => put({ entity: value ?? null })}
              />
              <Select
                className="filter-one"
                aria-label={t('changes.action')}
                placeholder={t('changes.action')}
                allowClear
                options={actions.map((action) => ({ value: action, label: t(`detail.${action}`) }))}
                value={query.get('action') ?? undefined}
                onChange={(value: string | undefined) => put({ action: value ?? null })}
              />
              <ReferenceSelect
                className="filter-one"
                label={t('changes.person')}
                placeholder={t('changes.person')}
                to="user"
                value={query.get('userId')}
                onChange={(value) => put({ userId: value as string | null })}
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
          {asked.requestId && (
            <div className="chips">
              <span>{t('changes.onlyRequest', { id: asked.requestId })}</span>
              <button type="button" className="link-button" onClick={() => put({ requestId: null })}>
                {t('changes.all')}
              </button>
            </div>
          )}
          {found.isError && !found.data ? (
            <Failed problem={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <>
              <DataTable
                label={t('changes.title')}
                rows={rows}
                keyOf={keyOf}
                nameOf={(changed) => nameOf(changed, t)}
                columns={columns}
                state={found.data ? (found.isPlaceholderData ? 'refresh' : 'ready') : 'first'}
                cards={screen === 0}
                onAct={(what, changed) => {
                  if (what === 'view' || what === 'open') put({ id: changed.id })
                  if (what === 'same') put({ requestId: changed.requestId })
                }}
                empty={<p>{t('changes.none')}</p>}
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
      {id && <ChangeDetail id={id} onClose={() => put({ id: null })} onDone={() => put({ id: null })} />}
    </div>
  )
}
