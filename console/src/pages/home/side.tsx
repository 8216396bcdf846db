import { useQuery } from '@tanstack/react-query'
import { noticesWords } from '../../locales/notices.ts'
import { allNodes, forRoles, type MenuNode, menuLabel, menuStore } from '../../session/menus.ts'
import { useSession } from '../../session/session.ts'
import { newsStore, noticesPath } from '../../session/unread.ts'
import { mostVisited } from '../../session/visits.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { addWords, useT } from '../../ui/words.ts'
import { readHeads } from '../wel/calls.ts'
import { Failure, HeadLink, noticesKey } from '../wel/parts.tsx'
import '../wel/page.css'

addWords(noticesWords)

/** What a person who is new here is led to first. */
const first = ['student', 'schoolclass', 'studentparents', 'classschedule', 'user', 'import']
const shown = 6

/** The newest notices of this person. */
function Notices() {
  const t = useT()
  const news = useStore(newsStore)
  const found = useQuery({
    queryKey: [...noticesKey, 'list', 'home', news],
    queryFn: ({ signal }) => readHeads({ current: 1, size: 4 }, signal),
    placeholderData: (before) => before,
    retry: false,
  })
  return (
    <section className="card" aria-labelledby="home-notices">
      <div className="card-head">
        <h2 id="home-notices">{t('home.notices')}</h2>
        <Link to={noticesPath}>{t('notices.all')}</Link>
      </div>
      {found.isError && <Failure problem={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.records.length === 0 && <p className="muted">{t('notices.noNotice')}</p>}
      {found.data && found.data.records.length > 0 && (
        <ul className="notice-list">
          {found.data.records.map((head) => (
            <li key={head.id}>
              <HeadLink head={head} to={`${noticesPath}?id=${head.id}`} />
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
  const usual = first.flatMap((code) => pages.find((page) => page.code === code) ?? [])
  return [...new Set([...visited, ...usual])].slice(0, shown)
}

function Often() {
  const t = useT()
  const pages = useOften()
  if (pages.length === 0) return null
  return (
    <section className="card" aria-labelledby="home-often">
      <div className="card-head">
        <h2 id="home-often">{t('home.often')}</h2>
      </div>
      <ul className="often">
        {pages.map((page) => (
          <li key={page.id}>
            <Link to={page.path!}>
              <Icon name={page.source ?? ''} />
              <span>{t(menuLabel(page.code))}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Beside what waits: what has been announced, and the ways that this person goes most. */
export default function HomeSide() {
  return (
    <>
      <Notices />
      <Often />
    </>
  )
}
