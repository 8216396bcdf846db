import { ownNotices } from '@data-brain/contract/calls/notice'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { allNodes, forRoles, type MenuNode, menuLabel, menuStore } from '../../session/menus.ts'
import { useSession } from '../../session/session.ts'
import { newsStore, noticesPath } from '../../session/unread.ts'
import { mostVisited } from '../../session/visits.ts'
import { Link } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { useT } from '../../ui/words.ts'
import { type Head, noticesKey } from '../inbox/index.ts'
import { gateFigure, gatePath, useWaiting } from './waiting.ts'

// Home is the first page that is fetched: what it shows of notices is less than their reader does, and so weighs less.

/** A notice with its day; that it is unread is said, not only drawn. */
function Notice({ head }: { head: Head }) {
  const t = useT()
  const isNew = head.readAt === null
  return (
    <Link className={isNew ? 'unread' : undefined} to={`${noticesPath}?id=${head.id}`}>
      <span>
        {head.title}
        {isNew && <span className="sr-only">{t('home.unread')}</span>}
      </span>
      <span className="muted">{head.releaseTime.slice(5, 10)}</span>
    </Link>
  )
}

/** What a person who is new here is led to first. */
const first = ['student', 'schoolclass', 'studentparents', 'classschedule', 'user', 'import']
/** The same of the platform’s people, whose tenant keeps no pupils. */
const firstOfPlatform = ['tenant', 'user', 'menu', 'client', 'dict', 'param']
const shown = 6

/** The newest notices of this person. */
export function useNewest() {
  const news = useStore(newsStore)
  return useQuery({
    queryKey: [...noticesKey, 'list', 'home', news],
    queryFn: ({ signal }) => call(ownNotices, { current: 1, size: 4 }, { signal, silent: true }),
    placeholderData: (before) => before,
    retry: false,
  })
}

function Notices() {
  const t = useT()
  const found = useNewest()
  return (
    <section className="card" aria-labelledby="home-notices">
      <div className="card-head">
        <h2 id="home-notices">{t('home.notices')}</h2>
        <Link to={noticesPath}>{t('home.allNotices')}</Link>
      </div>
      {found.isError && (
        <p className="muted" role="alert">
          {found.error.message}
        </p>
      )}
      {found.data?.records.length === 0 && <p className="muted">{t('home.noNotice')}</p>}
      {found.data && found.data.records.length > 0 && (
        <ul className="often news">
          {found.data.records.map((head) => (
            <li key={head.id}>
              <Notice head={head} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The pages that this person opens most; before there are any, those that most people need first. */
function useOften(): readonly MenuNode[] {
  const menus = useStore(menuStore)
  const roles = useSession()?.roles ?? []
  const pages = allNodes(menus).filter(
    (node) => node.path?.startsWith('/') && node.isOpen !== 2 && !node.children?.length && forRoles(node.meta, roles),
  )
  const visited = mostVisited().flatMap((path) => pages.find((page) => page.path === path) ?? [])
  const usual = (pages.some((page) => page.code === 'tenant') ? firstOfPlatform : first).flatMap(
    (code) => pages.find((page) => page.code === code) ?? [],
  )
  return [...new Set([...visited, ...usual])].slice(0, shown)
}

function Often() {
  const t = useT()
  const { data } = useWaiting()
  // Whoever stands at the gate needs its page most, and finds it in no menu.
  const gate = data?.some(({ key }) => key === gateFigure)
    ? [{ id: gatePath, to: gatePath, label: t('shell.gate') }]
    : []
  const usual = useOften().map(({ id, path, code }) => ({ id, to: path!, label: t(menuLabel(code)) }))
  const pages = [...gate, ...usual].slice(0, shown)
  if (pages.length === 0) return null
  return (
    <section className="card" aria-labelledby="home-often">
      <div className="card-head">
        <h2 id="home-often">{t('home.often')}</h2>
      </div>
      <ul className="often">
        {pages.map(({ id, to, label }) => (
          <li key={id}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Beside what waits: what has been announced, and the ways that this person goes most. */
export function HomeSide() {
  return (
    <>
      <Notices />
      <Often />
    </>
  )
}
