import { type RecordedRead, recordedReads } from '@data-brain/contract/calls/history'
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
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { addWords, type Translate, useT } from '../../ui/words.ts'
import { OlderButton, readOnward, type SliceRequest, useOlder } from '../history/index.ts'
import '../../entity/form/form-words.ts'
import '../../ui/table/menu.css'

addWords({ ...entityWords, ...historyWords })

const list = plainList('readlog', recordedReads)
const kinds: readonly RecordedRead['kind'][] = ['list', 'detail', 'personal', 'export', 'file']
const filterNames = ['childId', 'userId', 'kind', 'time_ge', 'time_le'] as const
const readReads = ({ kind, ...asked }: SliceRequest<(typeof filterNames)[number]>, signal: AbortSignal) =>
  call(recordedReads, { ...asked, kind: kind?.split(',') }, { signal, silent: true })
const readOn = readOnward(readReads)
const keyOf = (read: RecordedRead) => read.id
const nameOf = (read: RecordedRead) => read.childName || read.childId

/** The columns: when, who, whose record, how, and why where that was said. Names narrow the list to themselves. */
function planOf(t: Translate): Column<RecordedRead>[] {
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
  const mayView = can('readlog_view')
  const { query, asked, found, rows, put } = useOlder('reads', filterNames, readReads, mayView)
  const columns = useMemo(() => planOf(t), [t])
  const frame = useFrameColumns('reads', columns)
  const child = useReferenceField('childId', t('reads.child'), 'student', query.get('childId'), (childId) =>
    put({ childId }),
  )
  const person = useReferenceField('userId', t('reads.person'), 'user', query.get('userId'), (userId) =>
    put({ userId }),
  )
  const time = useTimeField(query.get('time_ge'), query.get('time_le'), put)
  if (!mayView) return <NoRight />
  return (
    <ListFrame
      head={{
        title: t('reads.title'),
        count: <span className="entity-about">{t('reads.about')}</span>,
        menu: (
          <FrameMenu
            list={list}
            query={asked}
            frame={frame}
            title={t('reads.title')}
            total={undefined}
            read={readOn(asked)}
          />
        ),
      }}
      tools={{
        filters: (
          <FilterLine
            fields={[
              child,
              person,
              oneOf(
                'kind',
                t('reads.kind'),
                kinds.map((kind) => ({ value: kind, label: t(`reads.kind.${kind}`) })),
                query.get('kind'),
                (kind) => put({ kind }),
              ),
              time,
            ]}
            onReset={() => put({ childId: null, userId: null, kind: null, time_ge: null, time_le: null })}
          />
        ),
        refresh: t('changes.refresh'),
        columns: frame,
      }}
      onRefresh={() => void found.refetch()}
      found={found}
    >
      <DataTable
        label={t('reads.title')}
        records={{ rows, keyOf, nameOf, state: stateOf(found), empty: <p>{t('reads.none')}</p> }}
        {...frame.table}
        onAct={(what, read) => {
          if (what === 'child') put({ childId: read.childId })
          if (what === 'person') put({ userId: read.userId })
        }}
      />
      <OlderButton found={found} />
    </ListFrame>
  )
}
