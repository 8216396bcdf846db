import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { get } from '../../http/client.ts'
import { menuStore } from '../../session/menus.ts'
import { callsOf, pathOf } from '../../session/paths.ts'
import { useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { clockOf } from '../../ui/instant.ts'
import { Link } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { useSetUp } from '../setup/calls.ts'
import { HomeSide } from './side.tsx'

const Steps = lazy(() => import('../setup/steps.tsx'))
const PlatformStart = lazy(() => import('../setup/steps.tsx').then((module) => ({ default: module.PlatformStart })))

const counted = ['school', 'schoolclass', 'student', 'user'] as const
type Counted = (typeof counted)[number]

type Totals = Readonly<Partial<Record<Counted, number>>>

async function readTotals(asked: readonly Counted[], signal: AbortSignal): Promise<Totals> {
  const pages = await Promise.allSettled(
    asked.map((entity) =>
      get<{ total: number }>(`${callsOf(entity)}/list`, { current: 1, size: 1 }, { signal, silent: true }),
    ),
  )
  // What could not be counted is left out: no figure is better than a wrong one.
  return Object.fromEntries(
    asked.flatMap((entity, at) => {
      const page = pages[at]
      return page?.status === 'fulfilled' ? [[entity, page.value.total]] : []
    }),
  )
}

/** Rows of each entity that this user may list. */
function useTotals(): { totals: Totals; at: number } {
  const can = useCan()
  const asked = counted.filter((entity) => can(`${entity}_view`) && callsOf(entity))
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['home', 'totals', asked],
    queryFn: ({ signal }) => readTotals(asked, signal),
    meta: { reads: asked },
  })
  return { totals: data ?? {}, at: dataUpdatedAt }
}

/** Something that waits for this person, as the server counts it. */
interface Waiting {
  key: string
  code: string
  query: Readonly<Record<string, string>>
  count: number
}

/** What waits today, each line with the list that shows exactly that. */
function Today() {
  const t = useT()
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['home', 'todo'],
    queryFn: ({ signal }) => get<Waiting[]>('blade-desk/todo', undefined, { signal, silent: true }),
    meta: { reads: ['student', 'schoolclass', 'schoolyear', 'schoolsemester', 'user', 'guest', 'job'] },
  })
  const lines = (data ?? []).flatMap(({ key, code, query, count }) => {
    const to = pathOf(code)
    return to ? [{ key, to: `${to}?${new URLSearchParams(query)}`, count }] : []
  })
  if (!data) return null
  return (
    <section className="card" aria-labelledby="today">
      <div className="card-head">
        <h2 id="today">{t('home.today')}</h2>
      </div>
      {lines.length === 0 ? (
        <p className="muted">{t('home.todayNone')}</p>
      ) : (
        <ul className="today">
          {lines.map(({ key, to, count }) => (
            <li key={key}>
              <Link to={to}>
                <span className="today-count">{count.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB')}</span>
                <span>{t(`home.todo.${key}`, { count })}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const tiles: readonly { entity: Counted; icon: string }[] = [
  { entity: 'student', icon: 'graduation-cap' },
  { entity: 'schoolclass', icon: 'presentation' },
  { entity: 'user', icon: 'users-round' },
  { entity: 'school', icon: 'school' },
]

function Counts({ totals, at }: { totals: Totals; at: number }) {
  const t = useT()
  const language = useLanguage()
  const shown = tiles.flatMap(({ entity, icon }) => {
    const to = pathOf(entity)
    const total = totals[entity]
    return to && total !== undefined ? [{ entity, icon, to, total }] : []
  })
  // An empty tenant has its steps to look at; a row of noughts says nothing more.
  if (shown.every((tile) => tile.total === 0)) return null
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB'
  const time = clockOf(at)
  return (
    <section aria-labelledby="counts">
      <div className="card-head">
        <h2 id="counts">{t('home.counts')}</h2>
        <span className="muted">{t('home.countedAt', { time })}</span>
      </div>
      <div className="tiles">
        {shown.map((tile) => (
          <Link key={tile.entity} className="card tile" to={tile.to}>
            <span className="tile-label">
              <Icon name={tile.icon} />
              {t(`home.${tile.entity}`)}
            </span>
            <span className="tile-figure">{tile.total.toLocaleString(locale)}</span>
          </Link>
        ))}
      </div>
    </section>
  )
}

/**
 * The first page: what has to be set up while a tenant is empty, else what waits; the counts of what it holds; and beside
 * them what was announced and the pages that the person opens most.
 */
export default function HomePage() {
  const t = useT()
  const can = useCan()
  const session = useSession()
  const menus = useStore(menuStore)
  const { totals, at } = useTotals()
  const { data: setUp } = useSetUp(can('school_add'))
  const schools = setUp?.schools ?? []
  const open = schools.find(({ year, grades, classes, students }) => !(year && grades && classes && students))
  // Who runs the platform registers no school there; one that is there all the same is set up like any other.
  const runsPlatform = setUp !== undefined && schools.length === 0 && can('tenant_add')
  const setsUp = setUp !== undefined && !runsPlatform && (schools.length === 0 || open !== undefined)
  return (
    <div className="page home">
      <div className="page-head">
        <h1 tabIndex={-1}>
          {t('home.hello', { name: session?.realName || session?.nickName || session?.account || '' })}
        </h1>
        {session?.tenantName && <span className="muted">{session.tenantName}</span>}
      </div>
      {menus.length === 0 && <p className="muted">{t('home.nothing')}</p>}
      <div className="home-parts">
        <div className="home-main">
          {(setsUp || runsPlatform) && (
            <Suspense fallback={<div className="card" />}>
              {runsPlatform ? <PlatformStart /> : <Steps school={open} several={schools.length > 1} />}
            </Suspense>
          )}
          {!setsUp && menus.length > 0 && <Today />}
          {at > 0 && <Counts totals={totals} at={at} />}
        </div>
        <div className="home-side">
          <HomeSide />
        </div>
      </div>
    </div>
  )
}
