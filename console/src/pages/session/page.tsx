import { endSessions, sessions } from '@data-brain/contract/calls/session'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { BulkBar } from '../../entity/bulk/index.ts'
import {
  aText,
  Count,
  FilterLine,
  FrameMenu,
  ListFrame,
  NoRight,
  stateOf,
  useFrameColumns,
} from '../../entity/list/index.ts'
import { call, plainList } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { entityWords } from '../../locales/entity.ts'
import { sessionWords } from '../../locales/session.ts'
import { useCan } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { momentOf } from '../../ui/instant.ts'
import { useTab } from '../../ui/place.ts'
import { createMarks } from '../../ui/table/marks.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { usePaging } from '../../ui/table/paging.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { nameOf, type OnlineSession, planOf } from './columns.tsx'
import '../../ui/table/menu.css'
import './page.css'
import '../../ui/later-words.ts'

addWords({ ...entityWords, ...sessionWords })

/** How often the list asks again while somebody looks at it. */
const EVERY = 30_000
const list = plainList('session', sessions)
const NONE: readonly OnlineSession[] = []
const keyOf = (session: OnlineSession) => session.id

/** Who is logged in, on what and since when, and the way to end it. */
export default function SessionPage() {
  const t = useT()
  const can = useCan()
  const { active } = useTab()
  const { query, put, current, size, onPage, onSize } = usePaging()
  const [marks] = useState(() => createMarks<OnlineSession>())
  const asked = {
    current,
    size,
    account: query.get('account') ?? '',
    realName: query.get('realName') ?? '',
  }
  const mayView = can('session_view')
  const mayEnd = can('session_end')
  const found = useQuery({
    queryKey: ['session', 'list', asked],
    queryFn: ({ signal }) => call(sessions, asked, { signal, silent: true }),
    placeholderData: (before) => before,
    refetchInterval: active ? EVERY : false,
    staleTime: 0,
    retry: false,
    enabled: mayView,
  })
  const rows = found.data?.records ?? NONE
  const total = found.data?.total ?? 0
  // Times are told from when the rows were read: they are read again every half minute.
  const columns = useMemo(() => planOf(t, mayEnd, found.dataUpdatedAt || Date.now()), [t, mayEnd, found.dataUpdatedAt])
  const frame = useFrameColumns('sessions', columns)
  const keys = useMemo(() => rows.map(keyOf), [rows])

  const end = async (chosen: readonly OnlineSession[]) => {
    const others = chosen.filter((session) => session.own !== 1)
    if (others.length === 0) {
      toast.warning(t(chosen.length === 0 ? 'spec.selectOne' : 'session.onlyOwn'))
      return
    }
    const named = others.slice(0, 5).map(nameOf).join(t('entity.separator'))
    const names = others.length > 5 ? t('entity.andOthers', { names: named, count: others.length }) : named
    const sure = await askConfirmation({
      title: others.length === 1 ? t('session.endAsk') : t('session.endAskMany', { count: others.length }),
      body: t('session.endBody', { names }),
      danger: true,
      okText: t('session.end'),
    })
    if (!sure) return
    try {
      await call(endSessions, { ids: others.map(keyOf) })
      toast.success(t('session.ended'), named)
      marks.clear()
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await found.refetch()
  }

  if (!mayView) return <NoRight />
  const time = momentOf(found.dataUpdatedAt).slice(11)
  return (
    <ListFrame
      head={{
        title: t('session.title'),
        count: (
          <>
            {found.data && <Count total={total} />}
            <span className="session-time">{found.data && t('session.refreshed', { time })}</span>
          </>
        ),
        menu: (
          <FrameMenu
            list={list}
            query={{ account: asked.account, realName: asked.realName }}
            frame={frame}
            title={t('session.title')}
            total={found.data?.total}
            read={async (_last, page) => {
              const part = await call(sessions, { ...asked, current: page, size: 200 }, { silent: true })
              return { rows: part.records, more: page < part.pages }
            }}
          />
        ),
      }}
      tools={{
        filters: (
          <FilterLine
            quick={{
              label: t('session.realName'),
              value: asked.realName,
              onText: (realName) => put({ realName, current: null }),
            }}
            fields={[
              aText('account', t('session.account'), asked.account, (account) => put({ account, current: null })),
            ]}
            onReset={() => put({ account: null, realName: null, current: null })}
          />
        ),
        refresh: t('session.refresh'),
        columns: frame,
      }}
      onRefresh={() => void found.refetch()}
      found={found}
    >
      <DataTable
        label={t('session.title')}
        records={{ rows, keyOf, nameOf, state: stateOf(found), empty: <p>{t('session.none')}</p> }}
        {...frame.table}
        marks={mayEnd ? marks : undefined}
        onAct={(what, session) => {
          if (what === 'end') void end([session])
        }}
      />
      <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />
      {mayEnd && (
        <BulkBar marks={marks} here={keys} actions={[endAction(t('session.end'), end)]} onDelete={undefined} />
      )}
    </ListFrame>
  )
}

const endAction = (label: string, end: (chosen: readonly OnlineSession[]) => Promise<void>) => ({
  key: 'end',
  label,
  icon: 'log-out',
  run: (chosen: readonly OnlineSession[]) => void end(chosen),
})
