import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { BulkBar } from '../../entity/bulk.tsx'
import { Failed, NoRight } from '../../entity/empty.tsx'
import { HttpProblem } from '../../http/client.ts'
import { entityWords } from '../../locales/entity.ts'
import { sessionWords } from '../../locales/session.ts'
import { useCan } from '../../session/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { TextInput } from '../../ui/form/text-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { momentOf } from '../../ui/instant.ts'
import { setQuery, usePlace, useTab } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { createMarks } from '../../ui/table/marks.ts'
import { Pager, SIZES } from '../../ui/table/pager.tsx'
import { DataTable } from '../../ui/table/table.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { endSessions, type OnlineSession, readSessions } from './calls.ts'
import { nameOf, planOf } from './columns.tsx'
import '../../entity/page.css'
import '../../ui/table/menu.css'
import './page.css'

addWords({ ...entityWords, ...sessionWords })

/** How often the list asks again while somebody looks at it. */
const EVERY = 30_000
const PAUSE = 300
const NONE: readonly OnlineSession[] = []
const keyOf = (session: OnlineSession) => session.id

/** Who is logged in, on what and since when, and the way to end it. */
export default function SessionPage() {
  const t = useT()
  const can = useCan()
  const screen = useScreenClass()
  const { active } = useTab()
  const { path, query } = usePlace()
  const [marks] = useState(() => createMarks<OnlineSession>())
  const asked = {
    current: Math.max(1, Number(query.get('current')) || 1),
    size: SIZES.find((size) => size === Number(query.get('size'))) ?? SIZES[0],
    account: query.get('account') ?? '',
    realName: query.get('realName') ?? '',
  }
  const mayView = can('session_view')
  const mayEnd = can('session_end')
  const found = useQuery({
    queryKey: ['session', 'list', asked],
    queryFn: ({ signal }) => readSessions(asked, signal),
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
  const keys = useMemo(() => rows.map(keyOf), [rows])
  const put = (patch: Record<string, string | number | null>) => setQuery(patch, { path, replace: true })

  const end = async (chosen: readonly OnlineSession[]) => {
    const others = chosen.filter((session) => session.own !== 1)
    if (others.length === 0) {
      toast.warning(t(chosen.length === 0 ? 'spec.selectOne' : 'session.onlyOwn'))
      return
    }
    const named = others.slice(0, 5).map(nameOf).join(t('entity.separator'))
    const names = others.length > 5 ? t('entity.andOthers', { names: named, count: others.length }) : named
    const sure = await confirm({
      title: others.length === 1 ? t('session.endAsk') : t('session.endAskMany', { count: others.length }),
      body: t('session.endBody', { names }),
      danger: true,
      okText: t('session.end'),
    })
    if (!sure) return
    try {
      await endSessions(others.map(keyOf))
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
    <div className="page entity" data-screen={screen}>
      <header className="entity-head">
        <h1 tabIndex={-1}>{t('session.title')}</h1>
        <span className="entity-count">{found.data && t('session.count', { count: total })}</span>
        <span className="session-time">{found.data && t('session.refreshed', { time })}</span>
        {mayEnd && (
          <span className="entity-buttons">
            <button type="button" className="button" onClick={() => void end([...marks.selected().values()])}>
              {t('session.end')}
            </button>
          </span>
        )}
      </header>
      <div className="entity-body">
        <div className="entity-card">
          <div className="entity-tools">
            <search className="filters">
              <Filter
                label={t('session.account')}
                value={asked.account}
                onChange={(account) => put({ account, current: null })}
              />
              <Filter
                label={t('session.realName')}
                value={asked.realName}
                onChange={(realName) => put({ realName, current: null })}
              />
            </search>
            <span className="tools">
              <button
                type="button"
                className="tool"
                aria-label={t('session.refresh')}
                title={t('session.refresh')}
                onClick={() => void found.refetch()}
              >
                <Icon name="refresh-cw" size={16} />
              </button>
            </span>
          </div>
          {found.isError && !found.data ? (
            <Failed problem={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <DataTable
              label={t('session.title')}
              rows={rows}
              keyOf={keyOf}
              nameOf={nameOf}
              columns={columns}
              marks={mayEnd ? marks : undefined}
              state={found.data ? (found.isPlaceholderData ? 'refresh' : 'ready') : 'first'}
              cards={screen === 0}
              onAct={(what, session) => {
                if (what === 'end') void end([session])
              }}
              empty={<p>{t('session.none')}</p>}
            />
          )}
          <Pager
            total={total}
            current={asked.current}
            size={asked.size}
            onPage={(current) => put({ current: current === 1 ? null : current })}
            onSize={(size) => put({ size: size === SIZES[0] ? null : size, current: null })}
          />
          {mayEnd && (
            <BulkBar marks={marks} here={keys} actions={[endAction(t('session.end'), end)]} onDelete={undefined} />
          )}
        </div>
      </div>
    </div>
  )
}

const endAction = (label: string, end: (chosen: readonly OnlineSession[]) => Promise<void>) => ({
  key: 'end',
  label,
  icon: 'log-out',
  run: (chosen: readonly OnlineSession[]) => void end(chosen),
})

/** A line of text that searches when the typing pauses, and not in the middle of a composition. */
function Filter({ label, value, onChange }: { label: string; value: string; onChange: (text: string | null) => void }) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const composing = useRef(false)
  // The address was changed from elsewhere: Back, or a link.
  if (value !== seen) {
    setSeen(value)
    setText(value)
  }
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      if (!composing.current) change.current(text.trim() || null)
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <TextInput
      className="filter-one"
      placeholder={label}
      aria-label={label}
      value={text}
      onCompositionStart={() => {
        composing.current = true
      }}
      onCompositionEnd={(event) => {
        composing.current = false
        setText(event.currentTarget.value)
      }}
      onChange={(event) => setText(event.target.value)}
      onClear={() => {
        setText('')
        onChange(null)
      }}
    />
  )
}
