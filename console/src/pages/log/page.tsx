import { countedMost, type LogKind, logEvents, logs } from '@data-brain/contract/entities/log/logs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { NoRight } from '../../entity/empty.tsx'
import { ListFrame, stateOf } from '../../entity/list-frame.tsx'
import { SearchText } from '../../entity/search-text.tsx'
import { entityWords } from '../../locales/entity.ts'
import { logWords } from '../../locales/log.ts'
import { useCan, useSession } from '../../session/session.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { usePaging } from '../../ui/table/paging.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { type ErrorGroup, type LogRow, readGroups, readLog, readState } from './calls.ts'
import { groupPlan, labelOf, planOf } from './columns.tsx'
import { LogDetail } from './detail.tsx'
import { boundsOf, type Preset, presetNames } from './range.ts'
import '../../ui/table/menu.css'
import './page.css'

addWords({ ...entityWords, ...logWords })

// The calendar weighs as much as the rest of the page: the rows do not wait for it.
const Moment = lazy(() => import('./moment.tsx'))

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
  const screen = useScreenClass()
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
  // On a phone they would fill the screen before the first row: those in use are shown, the others wait.
  const [more, setMore] = useState(false)
  const shownFilters = definition.search.filter((name) => screen > 0 || more || query.get(name))
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
    queryFn: ({ signal }) => readGroups({ ...filters, ...bounds }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    enabled: mayView && grouped,
  })
  const state = useQuery({
    queryKey: ['log', 'state', asked],
    queryFn: ({ signal }) => readState(signal),
    retry: false,
    enabled: mayView,
  })
  const columns = useMemo(() => planOf(kind, t, language), [kind, t, language])
  const groupColumns = useMemo(() => groupPlan(t, language), [t, language])
  const refresh = () => {
    setAsked(Date.now())
    void (grouped ? groups : list).refetch()
  }

  if (!mayView) return <NoRight />
  const page = list.data
  const total = page?.total ?? 0
  const found = grouped ? groups : list
  const searchedTo = grouped ? groups.data?.searchedTo : page?.searchedTo
  const counted =
    !grouped && page
      ? page.more === 1 && total >= countedMost
        ? t('log.countMore', { count: total })
        : t('log.count', { count: total })
      : ''
  const lost = state.data?.lost ?? 0
  const table = { label, state: stateOf(found), cards: screen === 0, empty: <p>{t('log.none')}</p>, keyOf }
  return (
    <ListFrame
      title={label}
      count={
        <span className="entity-count" role="status">
          {counted}
        </span>
      }
      filters={
        <search className="log-filters" aria-label={t('entity.filters')}>
          <Choices
            label={t('log.presets')}
            entries={presetNames.map((name) => ({
              key: name,
              label: t(`log.${name}`),
              on: !from && !to && range === name,
              press: () => {
                setAsked(Date.now())
                filter({ range: name === 'week' ? null : name, from: null, to: null })
              },
            }))}
          />
          {[
            ['from', from],
            ['to', to],
          ].map(([name = '', value = '']) => (
            <Suspense key={name} fallback={<span className="log-moment log-when" />}>
              <Moment
                label={t(`log.${name}`)}
                value={value}
                onChange={(moment) => filter({ [name]: moment || null })}
              />
            </Suspense>
          ))}
          <Choices
            label={t('log.quick')}
            entries={[
              ...quick[kind].map(([name, parameter, value]) => {
                const wanted = value || (me?.userId ?? '')
                const on = query.get(parameter) === wanted
                return {
                  key: name,
                  label: t(`log.${name}`),
                  on,
                  press: () => filter({ [parameter]: on ? null : wanted }),
                }
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
            ]}
          />
          {screen === 0 && (
            <button type="button" className="button" aria-expanded={more} onClick={() => setMore(!more)}>
              {t('entity.moreFilters')}
            </button>
          )}
          {shownFilters.map((name) => {
            const named = labelOf(kind, name, language)
            const value = query.get(name) ?? ''
            const narrow = (text: string | null) => filter({ [name]: text })
            return name === 'logId' ? (
              <EventSelect key={name} label={named} value={value} onChange={narrow} />
            ) : (
              <SearchText key={name} className="filter-one" label={named} value={value} onText={narrow} />
            )
          })}
          <button
            type="button"
            className="button"
            onClick={() =>
              filter({
                ...Object.fromEntries(names.map((name) => [name, null])),
                ...{ range: null, from: null, to: null, grouped: null },
              })
            }
          >
            {t('log.reset')}
          </button>
        </search>
      }
      refresh={t('log.refresh')}
      onRefresh={refresh}
      notes={
        <>
          {lost > 0 && <p className="log-note log-lost">{t('log.lost', { count: lost })}</p>}
          {searchedTo && <p className="log-note">{t('log.searchedTo', { time: searchedTo })}</p>}
          {!searchedTo && !grouped && page?.more === 1 && (
            <p className="log-note">{t('log.countedMost', { count: countedMost })}</p>
          )}
        </>
      }
      found={found}
      over={open && <LogDetail kind={kind} id={open} onClose={() => put({ row: null })} />}
    >
      {grouped ? (
        <DataTable
          {...table}
          rows={groups.data?.groups ?? NO_GROUPS}
          nameOf={nameOfGroup}
          columns={groupColumns}
          onAct={(_act, group) => filter({ grouped: null, title: group.title })}
        />
      ) : (
        <>
          <DataTable
            {...table}
            rows={page?.records ?? NO_ROWS}
            nameOf={nameOfRow}
            columns={columns}
            onAct={(_act, row) => put({ row: row.id })}
          />
          <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />
        </>
      )}
    </ListFrame>
  )
}

interface Entry {
  readonly key: string
  readonly label: string
  readonly on: boolean
  readonly press: () => void
}

/** Buttons that are pressed or not, side by side. */
function Choices({ label, entries }: { label: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <fieldset className="log-choices" aria-label={label}>
      {entries.map(({ key, label: text, on, press }) => (
        <button key={key} type="button" aria-pressed={on} onClick={press}>
          {text}
        </button>
      ))}
    </fieldset>
  )
}

interface EventProps {
  readonly label: string
  readonly value: string
  readonly onChange: (event: string | null) => void
}

/** The events that there are, of which the log is narrowed to one. */
function EventSelect({ label, value, onChange }: EventProps) {
  const language = useLanguage()
  return (
    <select
      className="log-moment"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value || null)}
    >
      <option value="">{label}</option>
      {Object.entries(logEvents).map(([name, words]) => (
        <option key={name} value={name}>
          {words[language]}
        </option>
      ))}
    </select>
  )
}
