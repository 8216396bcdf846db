import { school } from '@data-brain/contract'
import { type Dashboard, type DashboardFigure, dashboardSummary } from '@data-brain/contract/calls/dashboard'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { dashboardWords } from '../../locales/dashboard.ts'
import { entityWords } from '../../locales/entity.ts'
import { listAddress } from '../../session/paths.ts'
import { useSession } from '../../session/session.ts'
import { Sheet } from '../../ui/drawing.tsx'
import { toggleFullScreen, useFullScreen } from '../../ui/full-screen.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNumber } from '../../ui/number.ts'
import { Link, setQuery, usePlace, useTab } from '../../ui/place.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { Corrected } from './corrected.tsx'
import { isFilled, type Part, useLayout } from './layout.ts'
import { Tile } from './tile.tsx'
import './dashboard.css'

addWords({ ...entityWords, ...dashboardWords })

const NONE: Readonly<Record<string, string>> = {}
/** A wall counts anew by itself. */
const wallEvery = 60_000
/** Parts that name people: not for a wall. */
const personal: readonly Part[] = ['loads']

/** Figures of one school or of all, each the way to the rows that it counts. */
export default function DashboardPage() {
  const t = useT()
  const { query } = usePlace()
  const { active } = useTab()
  const several = useSession()?.severalSchools
  const wall = useFullScreen()
  const [arranging, setArranging] = useState(false)
  const schoolId = query.get('schoolId')
  const layout = useLayout()
  const found = useQuery({
    queryKey: ['dashboard', 'summary', schoolId],
    queryFn: ({ signal }) => call(dashboardSummary, schoolId ? { schoolId } : {}, { signal, silent: true }),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
    enabled: active,
    refetchInterval: wall && active ? wallEvery : false,
  })
  return (
    <div className="page dash" data-wall={wall || undefined}>
      <div className="page-head dash-head">
        <h1 tabIndex={-1}>
          {t('dash.title')}
          {found.data?.school && <span className="muted dash-of">{found.data.school.name}</span>}
        </h1>
        {found.data && <span className="muted">{t('dash.at', { time: found.data.at.slice(0, 16) })}</span>}
        <div className="dash-acts">
          {several && (schoolId || (found.data && !found.data.school)) && (
            <ReferenceSelect
              className="dash-school"
              to={school.name}
              label={t('dash.school')}
              placeholder={t('dash.allSchools')}
              value={schoolId}
              names={NONE}
              onChange={(next) => setQuery({ schoolId: typeof next === 'string' && next ? next : null })}
            />
          )}
          <button type="button" className="button" onClick={() => void found.refetch()}>
            {t('dash.refresh')}
          </button>
          <button type="button" className="button" aria-pressed={arranging} onClick={() => setArranging((now) => !now)}>
            {t(arranging ? 'dash.arranged' : 'dash.arrange')}
          </button>
          <button type="button" className="button" aria-pressed={wall} onClick={toggleFullScreen}>
            {t(wall ? 'dash.leaveWall' : 'dash.wall')}
          </button>
          <button type="button" className="button" onClick={() => window.print()}>
            {t('dash.print')}
          </button>
        </div>
      </div>
      {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
      {found.data && layout.isReady && <Parts shown={found.data} layout={layout} arranging={arranging} wall={wall} />}
      {!(found.data && layout.isReady) && !found.isError && <Bones label={t('entity.searching')} />}
    </div>
  )
}

/** What is to come, in its places. */
const Bones = ({ label }: { readonly label: string }) => (
  <div className="dash-grid" aria-busy="true" aria-label={label} role="status">
    {['a', 'b', 'c', 'd'].map((key) => (
      <div key={key} className="card dash-bone" />
    ))}
  </div>
)

function Parts({
  shown,
  layout: { order, hidden, isUsual, ...layout },
  arranging,
  wall,
}: {
  readonly shown: Dashboard
  readonly layout: ReturnType<typeof useLayout>
  readonly arranging: boolean
  readonly wall: boolean
}) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const filled = order.filter((part) => isFilled(shown, part) && !(wall && personal.includes(part)))
  const parts = filled.filter((part) => !hidden.includes(part))
  /** The button stays under the finger: its part has moved, and the focus with it. */
  const move = (part: Part, step: 1 | -1) => {
    layout.move(part, step, parts)
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>(
          `[data-part="${part}"] [data-step="${step}"]:enabled, [data-part="${part}"] [data-step]:enabled`,
        )
        ?.focus(),
    )
  }
  const acts = (part: Part): ReactNode => {
    if (!arranging) return null
    const name = t(`dash.tile.${part}`)
    const at = parts.indexOf(part)
    return (
      <span className="dash-move">
        <button
          type="button"
          className="icon-button small"
          data-step={-1}
          aria-label={t('dash.up', { name })}
          disabled={at === 0}
          onClick={() => move(part, -1)}
        >
          <Icon name="arrow-up" size={16} />
        </button>
        <button
          type="button"
          className="icon-button small"
          data-step={1}
          aria-label={t('dash.down', { name })}
          disabled={at === parts.length - 1}
          onClick={() => move(part, 1)}
        >
          <Icon name="arrow-down" size={16} />
        </button>
        <button
          type="button"
          className="icon-button small"
          aria-label={t('dash.hide', { name })}
          onClick={() => layout.hide(part)}
        >
          <Icon name="eye-off" size={16} />
        </button>
      </span>
    )
  }
  if (filled.length === 0)
    return (
      <div className="card dash-none">
        <Sheet />
        <p>{t('dash.nothing')}</p>
      </div>
    )
  return (
    <>
      {arranging && (
        <div className="card dash-hidden">
          {hidden.length > 0 && <span className="muted">{t('dash.hiddenTiles')}</span>}
          {hidden.map((part) => (
            <button
              key={part}
              type="button"
              className="button small"
              aria-label={t('dash.show', { name: t(`dash.tile.${part}`) })}
              onClick={() => layout.show(part)}
            >
              {t(`dash.tile.${part}`)}
            </button>
          ))}
          <button type="button" className="link-button" disabled={isUsual} onClick={layout.restore}>
            {t('dash.usual')}
          </button>
        </div>
      )}
      <div className="dash-grid" ref={box}>
        {parts.map((part) => (
          <div key={part} data-part={part}>
            {part === 'figures' || part === 'gaps' ? (
              <Figures part={part} figures={shown[part]} acts={acts(part)} />
            ) : (
              shown.tiles
                .filter(({ key }) => key === part)
                .map((tile) => <Tile key={part} tile={tile} acts={acts(part)} />)
            )}
          </div>
        ))}
      </div>
    </>
  )
}

function Figures({
  part,
  figures,
  acts,
}: {
  readonly part: 'figures' | 'gaps'
  readonly figures: readonly DashboardFigure[]
  readonly acts: ReactNode
}) {
  const t = useT()
  const pick = useWords()
  const number = useNumber()
  const name = `dash-${part}`
  return (
    <section className="card dash-tile" aria-labelledby={name}>
      <div className="card-head">
        <h2 id={name}>{t(`dash.tile.${part}`)}</h2>
        {acts}
      </div>
      <ul className="dash-figures" data-of={part}>
        {figures.map(({ key, value, counted, code, query, past }) => {
          const to = listAddress(code, query)
          const inside = (
            <>
              <span>{t(`dash.figure.${key}`)}</span>
              <strong>{number(value)}</strong>
              {past && <Past past={past} value={value} />}
            </>
          )
          return (
            <li key={key} title={pick(counted)}>
              {to ? <Link to={to}>{inside}</Link> : <span>{inside}</span>}
              {past && past.corrected.length > 0 && <Corrected name={t(`dash.figure.${key}`)} past={past} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** How a figure has come to what it is: the change since the end of the month before, and a line through its months. */
function Past({
  past: { day, values, corrected },
  value,
}: {
  readonly past: NonNullable<DashboardFigure['past']>
  readonly value: number
}) {
  const t = useT()
  const number = useNumber()
  const change = value - values.at(-1)!
  const all = [...values, value]
  const [least, span] = [Math.min(...all), Math.max(...all) - Math.min(...all) || 1]
  const places = all.map((each, at) => [(at * 96) / (all.length - 1), 18 - ((each - least) * 16) / span] as const)
  return (
    <span className="dash-past">
      <svg viewBox="-4 -2 104 24" aria-hidden="true" preserveAspectRatio="none">
        <polyline points={places.join(' ')} vectorEffect="non-scaling-stroke" />
        {corrected.map(({ at, day: of }) => (
          <circle key={of} cx={places[at]![0]} cy={places[at]![1]} r={3} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
      {t(change === 0 ? 'dash.same' : change > 0 ? 'dash.grown' : 'dash.fewer', {
        day,
        count: number(Math.abs(change)),
      })}
    </span>
  )
}
