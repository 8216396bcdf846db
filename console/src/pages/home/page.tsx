import { home } from '@data-brain/contract/calls/home'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react'
import { call } from '../../http/call.ts'
import { menuStore } from '../../session/menus.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan, useSession } from '../../session/session.ts'
import { unreadStore } from '../../session/unread.ts'
import { clockOf } from '../../ui/instant.ts'
import { Link } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { readStored, writeStored } from '../../ui/stored.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { receiptsKey } from '../inbox/index.ts'
import { useSetUp } from '../setup/index.ts'
import { HomeSide, useNewest } from './side.tsx'
import type { HomeKind, HomePart, HomeSummary } from './summary.ts'
import { gateFigure, gatePath, useWaiting } from './waiting.ts'
// Every home is made of them: beside the page, and not as a file that each of them waits for.
import './home-parts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const Steps = lazyPart(() => import('../setup/steps.tsx'))
const Receipts = lazyPart(() => import('./receipts.tsx'))
const PlatformStart = lazyPart(() => import('../setup/platform.tsx'))

// A home for each kind of work, in a file of its own that only those fetch who have it.
const homes: Readonly<Record<HomeKind, () => Promise<{ default: ComponentType<HomePart> }>>> = {
  teacher: () => import('./teacher.tsx'),
  office: () => import('./office.tsx'),
  bureau: () => import('./bureau.tsx'),
  admin: () => import('./admin.tsx'),
}
const parts: Readonly<Record<HomeKind, ComponentType<HomePart>>> = {
  teacher: lazyPart(homes.teacher),
  office: lazyPart(homes.office),
  bureau: lazyPart(homes.bureau),
  admin: lazyPart(homes.admin),
}

/** What waits today, each line with the list that shows exactly that. */
function Today({ quiet }: { quiet: boolean }) {
  const t = useT()
  const language = useLanguage()
  const queries = useQueryClient()
  const { notices } = useStore(unreadStore)
  const { data } = useWaiting()
  // A notice that has just come may ask for a receipt.
  const counted = useRef(notices)
  useEffect(() => {
    if (counted.current === notices) return
    counted.current = notices
    void queries.invalidateQueries({ queryKey: ['home', 'todo'] })
    void queries.invalidateQueries({ queryKey: receiptsKey })
  }, [notices, queries])
  // What is being read stays until it is folded, though it was taken back and nothing waits any more.
  const [reading, setReading] = useState(false)
  const asked = reading || data?.some(({ key }) => key === 'receipts')
  const lines = (data ?? []).flatMap(({ key, code, query, count }) => {
    const to = key === 'receipts' ? undefined : key === gateFigure ? gatePath : pathOf(code)
    return to ? [{ key, to: `${to}?${new URLSearchParams(query)}`, count }] : []
  })
  if (!data || (quiet && lines.length === 0 && !asked)) return null
  return (
    <section className="card" aria-labelledby="today">
      <div className="card-head">
        <h2 id="today">{t('home.today')}</h2>
      </div>
      {asked && (
        <Suspense fallback={null}>
          <Receipts onReading={setReading} />
        </Suspense>
      )}
      {lines.length === 0 ? (
        !asked && <p className="muted">{t('home.todayNone')}</p>
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

/** How one is greeted at this hour of the school. */
function greeting() {
  const hour = Number(clockOf(Date.now()).slice(0, 2))
  return hour < 12 ? 'home.morning' : hour < 18 ? 'home.afternoon' : 'home.evening'
}

const kindWords = {
  teacher: 'home.kind.teacher',
  office: 'home.kind.office',
  bureau: 'home.kind.bureau',
  admin: 'home.kind.admin',
} as const

/** The shape of the page before its answers are there. */
const Bones = () => (
  <div className="home-parts skeleton" aria-busy="true">
    <div className="home-main">
      <div className="bone tall" />
      <div className="bone tall" />
    </div>
    <div className="home-side">
      <div className="bone tall" />
    </div>
  </div>
)

/** The day as it is said: 11月23日 星期一. */
function Day({ summary }: { summary: HomeSummary | undefined }) {
  const t = useT()
  const locale = useLanguage() === 'zh' ? 'zh-CN' : 'en-GB'
  const session = useSession()
  if (!summary) return <span className="muted">{session?.tenantName}</span>
  const day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', weekday: 'long', timeZone: 'UTC' })
  const { term, today } = summary
  const facts = [
    day.format(Date.parse(`${today}T00:00:00Z`)),
    ...(term ? [t('home.week', { term: term.name, week: term.week })] : []),
    ...(session?.tenantName ? [session.tenantName] : []),
  ]
  return <span className="muted">{facts.join(t('home.comma'))}</span>
}

/**
 * The first page, by what somebody may and has: what has to be set up while a tenant is empty, what waits, the page of
 * one's work, and beside it what was announced and the pages that the person opens most.
 */
export default function HomePage() {
  const t = useT()
  const can = useCan()
  const session = useSession()
  const menus = useStore(menuStore)
  const [chosen, setChosen] = useState(() => readStored<HomeKind>('home'))
  const [classId, setClassId] = useState<string>()
  const summary = useQuery({
    queryKey: ['home', 'summary', chosen, classId],
    queryFn: async ({ signal }) => {
      // Beside the call, not behind it: the page that was shown last is the likely one.
      if (chosen && chosen in homes) void homes[chosen]()
      return call(home, { kind: chosen, classId }, { signal, silent: true })
    },
    placeholderData: (before) => before,
    meta: { reads: ['student', 'studentparents', 'schoolclass', 'schoolsemester', 'classschedule', 'user', 'notice'] },
  })
  const { data, dataUpdatedAt } = summary
  const steps = useSetUp(can('school_add'))
  const setUp = steps.data
  // All of it comes at once: a card that came by itself would push away what somebody is about to click.
  const asked = [summary, steps, useWaiting(), useNewest()]
  const answered = asked.every(({ isLoading, failureCount }) => !isLoading || failureCount > 0)
  // Once there, it stays: what is asked again takes nothing off the screen.
  const [ready, setReady] = useState(answered)
  if (answered && !ready) setReady(true)
  const schools = setUp?.schools ?? []
  const open = schools.find((each) => !(each.campus && each.year && each.grades && each.classes && each.students))
  // Who runs the platform registers no school there; one that is there all the same is set up like any other.
  const runsPlatform = setUp !== undefined && schools.length === 0 && can('tenant_add')
  const setsUp = setUp !== undefined && !runsPlatform && (schools.length === 0 || open !== undefined)
  // Who teaches and has no home of another kind has a teacher's.
  const kind = data && (data.kind ?? (data.week ? 'teacher' : null))
  const Part = kind ? parts[kind] : undefined
  // While the only school is being set up, the steps stand alone: a row of noughts says nothing more than they do.
  const alone = setsUp && schools.length < 2
  useEffect(() => {
    if (kind && !steps.isLoading && !alone) void homes[kind]()
  }, [kind, steps.isLoading, alone])
  const part = (place: HomePart['place']) =>
    data && Part ? <Part summary={data} at={dataUpdatedAt} place={place} onClass={setClassId} /> : null
  const name = session?.realName || session?.nickName || session?.account || ''
  const choose = (kind: HomeKind) => {
    writeStored('home', kind)
    setChosen(kind)
  }
  return (
    <div className="page home">
      <div className="page-head">
        <div className="home-hello">
          <h1 tabIndex={-1}>{t(greeting(), { name })}</h1>
          <Day summary={data} />
        </div>
        {ready && (
          <Suspense fallback={null}>
            <div className="home-acts">
              {data && data.kinds.length > 1 && (
                <fieldset className="home-kinds">
                  <legend className="sr-only">{t('home.kind')}</legend>
                  {data.kinds.map((kind) => (
                    <button
                      key={kind}
                      type="button"
                      className="button"
                      aria-pressed={kind === data.kind}
                      onClick={() => choose(kind)}
                    >
                      {t(kindWords[kind])}
                    </button>
                  ))}
                </fieldset>
              )}
              {!setsUp && part('start')}
            </div>
          </Suspense>
        )}
      </div>
      {menus.length === 0 && <p className="muted">{t('home.nothing')}</p>}
      {ready ? (
        <Suspense fallback={<Bones />}>
          <div className="home-parts">
            <div className="home-main">
              {summary.isError && !data && (
                <section className="card" role="alert">
                  <p>{summary.error.message}</p>
                  <p className="actions">
                    <button type="button" className="button" onClick={() => void summary.refetch()}>
                      {t('common.retry')}
                    </button>
                  </p>
                </section>
              )}
              {runsPlatform && <PlatformStart />}
              {setsUp && <Steps school={open} several={schools.length > 1} />}
              <Today quiet={menus.length === 0 || setsUp || Part !== undefined} />
              {!alone && part('main')}
            </div>
            <div className="home-side">
              {!setsUp && part('side')}
              <HomeSide />
            </div>
          </div>
        </Suspense>
      ) : (
        <Bones />
      )}
    </div>
  )
}
