import { errorGroups, logState } from '@data-brain/contract/calls/log'
import { countedMost, type LogKind, logEvents, logs } from '@data-brain/contract/entities/log/logs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import {
  aText,
  Count,
  FilterLine,
  FrameMenu,
  ListFrame,
  NoRight,
  oneOf,
  stateOf,
  useFrameColumns,
} from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { logWords } from '../../locales/log.ts'
import { useCan, useSession } from '../../session/session.ts'
import { NotFound } from '../../ui/drawing.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { usePaging } from '../../ui/table/paging.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { type LogRow, readLog } from './calls.ts'
import { type ErrorGroup, groupPlan, labelOf, planOf } from './columns.tsx'
import { LogDetail } from './detail.tsx'
import { boundsOf, type Preset, presetNames } from './range.ts'
import '../../ui/table/menu.css'
import './page.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords({ ...entityWords, ...logWords })

// The calendar weighs as much as the rest of the page: the rows do not wait for it.
const Moment = lazyPart(() => import('./moment.tsx'))

/** Filters that are one press away, by log: what they ask the server for. */
const quick: Readonly<Record<LogKind, readonly (readonly [string, string, string])[]>> = {
  usual: [['mine', 'userId', '']],
  api: [
    ['failed', 'status_ge', '400'],
    ['slow', 'time_ge', '1000'],
    ['mine', 'userId', ''],
  ],
  error: [['mine', 'userId', '']],
}

/** The field that the text over a log looks into. */
const quickField: Readonly<Record<LogKind, string>> = { usual: 'title', api: 'requestUri', error: 'title' }

const NO_ROWS: readonly LogRow[] = []
const NO_GROUPS: readonly ErrorGroup[] = []
const keyOf = ({ id }: { id: string }) => id
const nameOfRow = (row: LogRow) => `${row.createTime} ${row.title}`
const nameOfGroup = (group: ErrorGroup) => group.title

/** A log: its rows newest first with filters, and each with all that it holds. */
export function LogList({ kind }: { kind: LogKind }) {
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const me = useSession()
  const { query, put, current, size, onPage, onSize } = usePaging()
  const definition = logs[kind]
  const label = definition.label[language]
  const mayView = can(`${definition.name}_view`)

  const chosen = query.get('range')
  const range: Preset = presetNames.find((name) => name === chosen) ?? 'week'
  const from = query.get('from') ?? ''
  const to = query.get('to') ?? ''
  const grouped = kind === 'error' && query.get('grouped') === '1'
  const open = query.get('row')
  const names = useMemo(
    () => [...definition.search, ...quick[kind].map(([, parameter]) => parameter)],
    [definition, kind],
  )
  const filters = Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])))
  const filter: typeof put = (patch) => put({ ...patch, current: null })

  // The bounds move with the clock only when somebody asks anew: pages of one list belong to one moment.
  const [asked, setAsked] = useState(() => Date.now())
  const bounds = boundsOf({ range, from, to }, asked)
  const list = useQuery({
    queryKey: ['log', kind, 'list', filters, bounds, current, size],
    queryFn: ({ signal }) => readLog(kind, { ...filters, ...bounds, current, size }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    enabled: mayView && !grouped,
  })
  const groups = useQuery({
    queryKey: ['log', 'groups', filters, bounds],
    queryFn: ({ signal }) => call(errorGroups, { ...filters, ...bounds }, { signal, silent: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    enabled: mayView && grouped,
  })
  const state = useQuery({
    queryKey: ['log', 'state', asked],
    queryFn: ({ signal }) => call(logState, {}, { signal, silent: true }),
    retry: false,
    enabled: mayView,
  })
  const columns = useMemo(() => planOf(kind, t, language), [kind, t, language])
  const groupColumns = useMemo(() => groupPlan(t, language), [t, language])
  const frame = useFrameColumns(`log-${kind}`, columns)
  const groupFrame = useFrameColumns('log-groups', groupColumns)
  const refresh = () => {
    setAsked(Date.now())
    void (grouped ? groups : list).refetch()
  }

  const reset = () =>
    filter({
      ...Object.fromEntries(names.map((name) => [name, null])),
      ...{ range: null, from: null, to: null, grouped: null },
    })
  const presses = [
    ...quick[kind].map(([name, parameter, value]) => {
      const wanted = value || (me?.userId ?? '')
      const on = query.get(parameter) === wanted
      return { key: name, label: t(`log.${name}`), on, press: () => filter({ [parameter]: on ? null : wanted }) }
    }),
    ...(kind === 'error'
      ? [
          {
            key: 'grouped',
            label: t('log.grouped'),
            on: grouped,
            press: () => filter({ grouped: grouped ? null : 1 }),
          },
        ]
      : []),
  ]

  if (!mayView) return <NoRight />
  const page = list.data
  const total = page?.total ?? 0
  const found = grouped ? groups : list
  const searchedTo = grouped ? groups.data?.searchedTo : page?.searchedTo
  const counted =
    !grouped && page
      ? page.more === 1 && total >= countedMost
        ? t('log.countMore', { count: new Intl.NumberFormat(language).format(total) })
        : t('log.count', { count: total })
      : ''
  const lost = state.data?.lost ?? 0
  const records = {
    state: stateOf(found),
    empty: (
      <>
        <NotFound />
        <p>{t('log.none')}</p>
      </>
    ),
    keyOf,
  }
  return (
    <ListFrame
      head={{
        title: label,
        count: counted && (
          <span role="status">
            {page?.more === 1 && total >= countedMost ? (
              <span className="entity-count">{counted}</span>
            ) : (
              <Count total={total} />
            )}
          </span>
        ),
        menu: grouped ? (
          <FrameMenu
            query={filters}
            frame={groupFrame}
            title={label}
            total={groups.data?.groups.length}
            read={async () => ({ rows: groups.data?.groups ?? NO_GROUPS, more: false })}
          />
        ) : (
          <FrameMenu
            list={definition}
            query={{ ...filters, ...bounds }}
            frame={frame}
            title={label}
            total={page?.more === 1 ? undefined : page?.total}
            read={async (_last, current) => {
              const part = await readLog(kind, { ...filters, ...bounds, current, size: 200 })
              return { rows: part.records, more: current < part.pages }
            }}
          />
        ),
      }}
      tools={{
        filters: (
          <FilterLine
            quick={{
              label: labelOf(kind, quickField[kind], language),
              value: query.get(quickField[kind]) ?? '',
              onText: (text) => filter({ [quickField[kind]]: text }),
            }}
            fields={[
              {
                name: 'time',
                label: t('log.time'),
                told: from || to ? `${from} – ${to}` : range === 'all' ? '' : t(`log.${range}`),
                clear: () => filter({ range: 'all', from: null, to: null }),
                editor: (close) => (
                  <>
                    <ul>
                      {presetNames.map((name) => (
                        <li key={name}>
                          <button
                            type="button"
                            className="pick-one"
                            data-option={name}
                            aria-pressed={!from && !to && range === name}
                            onClick={() => {
                              setAsked(Date.now())
                              filter({ range: name === 'week' ? null : name, from: null, to: null })
                              close()
                            }}
                          >
                            {t(`log.${name}`)}
                          </button>
                        </li>
                      ))}
                    </ul>
                    {[
                      ['from', from],
                      ['to', to],
                    ].map(([name = '', value = '']) => (
                      <Suspense key={name} fallback={<span className="log-when" />}>
                        <Moment
                          label={t(`log.${name}`)}
                          value={value}
                          onChange={(moment) => filter({ [name]: moment || null })}
                        />
                      </Suspense>
                    ))}
                  </>
                ),
              },
              ...definition.search
                .filter((name) => name !== quickField[kind])
                .map((name) => {
                  const put = (value: string | null) => filter({ [name]: value })
                  const named = labelOf(kind, name, language)
                  if (name !== 'logId') return aText(name, named, query.get(name), put)
                  const events = Object.entries(logEvents).map(([value, words]) => ({ value, label: words[language] }))
                  return oneOf(name, named, events, query.get(name), put)
                }),
            ]}
            onReset={reset}
          >
            {presses.map(({ key, label, on, press }) => (
              <button key={key} type="button" className="filter-press" aria-pressed={on} onClick={press}>
                {label}
              </button>
            ))}
          </FilterLine>
        ),
        refresh: t('log.refresh'),
        columns: grouped ? groupFrame : frame,
      }}
      onRefresh={refresh}
      notes={
        <>
          {lost > 0 && <p className="log-note log-lost">{t('log.lost', { count: lost })}</p>}
          {searchedTo && <p className="log-note">{t('log.searchedTo', { time: searchedTo })}</p>}
          {!searchedTo && !grouped && page?.more === 1 && (
            <p className="log-note">
              {t('log.countedMost', { count: new Intl.NumberFormat(language).format(countedMost) })}
            </p>
          )}
        </>
      }
      found={found}
      over={open && <LogDetail kind={kind} id={open} onClose={() => put({ row: null })} />}
    >
      {grouped ? (
        <DataTable
          label={label}
          records={{ ...records, rows: groups.data?.groups ?? NO_GROUPS, nameOf: nameOfGroup }}
          {...groupFrame.table}
          onAct={(_act, group) => filter({ grouped: null, title: group.title })}
        />
      ) : (
        <>
          <DataTable
            label={label}
            records={{ ...records, rows: page?.records ?? NO_ROWS, nameOf: nameOfRow }}
            {...frame.table}
            onAct={(_act, row) => put({ row: row.id })}
          />
          <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />
        </>
      )}
    </ListFrame>
  )
}
