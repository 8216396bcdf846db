import { codeOf, entities } from '@data-brain/contract'
import { type Changed, recordedChanges } from '@data-brain/contract/calls/history'
import { useMemo } from 'react'
import {
  FilterLine,
  FrameMenu,
  ListFrame,
  NoRight,
  oneOf,
  stateOf,
  useFrameColumns,
  useReferenceField,
  useTimeField,
} from '../../entity/list/index.ts'
import { call, plainList } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { historyWords } from '../../locales/history.ts'
import { useCan } from '../../session/session.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { historyActions, nameOf, planOf } from './columns.tsx'
import { ChangeDetail } from './detail.tsx'
import { OlderButton, readOnward, type SliceRequest, useOlder } from './older-records.tsx'
import { useVerify, VerdictBanner } from './verify.tsx'
import '../../entity/form/form-words.ts'
import '../../entity/detail/detail.css'
import '../../ui/table/menu.css'
import './page.css'

addWords({ ...entityWords, ...historyWords })

const list = plainList('history', recordedChanges)
const filterNames = ['entity', 'action', 'userId', 'requestId', 'time_ge', 'time_le'] as const
const readChanges = ({ entity, action, ...asked }: SliceRequest<(typeof filterNames)[number]>, signal: AbortSignal) =>
  call(recordedChanges, { ...asked, entity: entity?.split(','), action: action?.split(',') }, { signal, silent: true })
const readOn = readOnward(readChanges)
const keyOf = (changed: Changed) => changed.id

/** All changes of the tenant, newest first: who did what to which record, and the ways back. */
export default function HistoryPage() {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const mayView = can('history_view')
  const { query, asked, found, rows, put } = useOlder('changes', filterNames, readChanges, mayView)
  const columns = useMemo(() => planOf(t), [t])
  const frame = useFrameColumns('changes', columns)
  const person = useReferenceField('userId', t('changes.person'), 'user', query.get('userId'), (userId) =>
    put({ userId }),
  )
  const time = useTimeField(query.get('time_ge'), query.get('time_le'), put)
  const verify = useVerify()
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
    <ListFrame
      head={{
        title: t('changes.title'),
        buttons: can('history_verify') && (
          <button type="button" className="button" disabled={verify.busy} onClick={() => void verify.run()}>
            {t('changes.verify')}
          </button>
        ),
        menu: (
          <FrameMenu
            list={list}
            query={asked}
            frame={frame}
            title={t('changes.title')}
            total={undefined}
            read={readOn(asked)}
          />
        ),
      }}
      tools={{
        filters: (
          <FilterLine
            fields={[
              oneOf('entity', t('changes.entity'), kinds, query.get('entity'), (entity) => put({ entity })),
              oneOf(
                'action',
                t('changes.action'),
                historyActions.map((action) => ({ value: action, label: t(`detail.${action}`) })),
                query.get('action'),
                (action) => put({ action }),
              ),
              person,
              time,
            ]}
            onReset={() => put({ entity: null, action: null, userId: null, time_ge: null, time_le: null })}
          />
        ),
        refresh: t('changes.refresh'),
        columns: frame,
      }}
      banner={verify.state && <VerdictBanner state={verify.state} onClose={verify.close} />}
      onRefresh={() => void found.refetch()}
      notes={
        asked.requestId && (
          <div className="chips">
            <span>{t('changes.onlyRequest', { id: asked.requestId })}</span>
            <button type="button" className="link-button" onClick={() => put({ requestId: null })}>
              {t('changes.all')}
            </button>
          </div>
        )
      }
      found={found}
      over={id && <ChangeDetail id={id} onClose={() => put({ id: null })} onDone={() => put({ id: null })} />}
    >
      <DataTable
        label={t('changes.title')}
        records={{
          rows,
          keyOf,
          nameOf: (changed) => nameOf(changed, t),
          state: stateOf(found),
          empty: <p>{t('changes.none')}</p>,
        }}
        {...frame.table}
        onAct={(what, changed) => {
          if (what === 'view' || what === 'open') put({ id: changed.id })
          if (what === 'same') put({ requestId: changed.requestId })
        }}
      />
      <OlderButton found={found} />
    </ListFrame>
  )
}
