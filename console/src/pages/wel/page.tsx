import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { noticesWords } from '../../locales/notices.ts'
import { askUnread, newsStore, unreadStore } from '../../session/unread.ts'
import { Icon } from '../../ui/icon.tsx'
import { TabRow } from '../../ui/overlay.tsx'
import { go, Link, setQuery, usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { useStore } from '../../ui/store.ts'
import { Pager, SIZES } from '../../ui/table/pager.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { type Head, type Message, markMessages, readAllNotices, readHeads, readMessages } from './calls.ts'
import { Reading } from './reading.tsx'
import './page.css'

addWords(noticesWords)

/** What the reader's page and the popover have asked for begins with this. */
export const noticesKey = ['notices'] as const

/** Lists that are asked for again whenever there is news. */
function useNews(): void {
  const queries = useQueryClient()
  const news = useStore(newsStore)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count says that there is news, and is asked for nothing else
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: [...noticesKey, 'list'] })
  }, [queries, news])
}

function NoticeList({ chosen, hrefOf }: { chosen: string | null; hrefOf: (id: string) => string }) {
  const t = useT()
  const { path, query } = usePlace()
  const onlyUnread = query.get('unread') === '1'
  const asked = {
    current: Math.max(1, Number(query.get('current')) || 1),
    size: SIZES.find((size) => size === Number(query.get('size'))) ?? SIZES[0],
    ...(onlyUnread ? { unread: 1 as const } : {}),
  }
  const found = useQuery({
    queryKey: [...noticesKey, 'list', 'notice', asked],
    queryFn: ({ signal }) => readHeads(asked, signal),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  const put = (patch: Record<string, string | number | null>) => setQuery(patch, { path, replace: true })
  if (found.isError) return <Failure problem={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Loading />
  const { records, total } = found.data
  return (
    <>
      {records.length === 0 ? (
        <p className="notices-none">{t(onlyUnread ? 'notices.noUnread' : 'notices.noNotice')}</p>
      ) : (
        <ul className="notice-list">
          {records.map((head) => (
            <li key={head.id}>
              <HeadLink head={head} to={hrefOf(head.id)} chosen={head.id === chosen} />
            </li>
          ))}
        </ul>
      )}
      <Pager
        total={total}
        current={asked.current}
        size={asked.size}
        onPage={(current) => put({ current })}
        onSize={(size) => put({ size, current: null })}
      />
    </>
  )
}

/** A notice in a list: whether it is unread is said in words, not by its weight alone. */
export function HeadLink({
  head,
  to,
  chosen = false,
  onOpen,
}: {
  head: Head
  to: string
  chosen?: boolean
  onOpen?: () => void
}) {
  const t = useT()
  return (
    <Link className="notice-item" to={to} aria-current={chosen || undefined} onClick={onOpen}>
      <span className="notice-item-title">
        {head.readAt === null && <span className="notice-dot" role="img" aria-label={t('notices.unread')} />}
        {head.isTop === 1 && <span className="notice-mark">{t('notices.top')}</span>}
        <span className={head.readAt === null ? 'notice-name unread' : 'notice-name'}>{head.title}</span>
      </span>
      {head.summary && <span className="notice-summary">{head.summary}</span>}
      <span className="notice-facts">
        {head.categoryName && <span>{head.categoryName}</span>}
        <span>{head.releaseTime.slice(0, 16)}</span>
        {head.needRead === 1 && head.readAt === null && <span className="notice-want">{t('notices.needRead')}</span>}
      </span>
    </Link>
  )
}

function MessageList() {
  const t = useT()
  const queries = useQueryClient()
  const { path, query } = usePlace()
  const onlyUnread = query.get('unread') === '1'
  const asked = {
    current: Math.max(1, Number(query.get('current')) || 1),
    size: SIZES.find((size) => size === Number(query.get('size'))) ?? SIZES[0],
    ...(onlyUnread ? { unread: 1 as const } : {}),
  }
  const found = useQuery({
    queryKey: [...noticesKey, 'list', 'message', asked],
    queryFn: ({ signal }) => readMessages(asked, signal),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  const put = (patch: Record<string, string | number | null>) => setQuery(patch, { path, replace: true })
  if (found.isError) return <Failure problem={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Loading />
  const { records, total } = found.data
  const read = async ({ id, readAt, link }: Message) => {
    if (readAt === null) await markMessages([id]).catch(unlessProblem)
    if (link?.startsWith('/')) go(link)
    await Promise.all([askUnread(), queries.invalidateQueries({ queryKey: [...noticesKey, 'list', 'message'] })])
  }
  return (
    <>
      {records.length === 0 ? (
        <p className="notices-none">{t(onlyUnread ? 'notices.noUnread' : 'notices.noMessage')}</p>
      ) : (
        <ul className="notice-list">
          {records.map((message) => (
            <li key={message.id}>
              <MessageItem message={message} onRead={() => void read(message)} />
            </li>
          ))}
        </ul>
      )}
      <Pager
        total={total}
        current={asked.current}
        size={asked.size}
        onPage={(current) => put({ current })}
        onSize={(size) => put({ size, current: null })}
      />
    </>
  )
}

/** A message; pressing it marks it as read, and leads to what it is about. */
export function MessageItem({ message, onRead }: { message: Message; onRead: () => void }) {
  const t = useT()
  const isNew = message.readAt === null
  return (
    <button type="button" className="notice-item" onClick={() => (isNew || message.link) && onRead()}>
      <span className="notice-item-title">
        {isNew && <span className="notice-dot" role="img" aria-label={t('notices.unread')} />}
        <span className={isNew ? 'notice-name unread' : 'notice-name'}>{message.title}</span>
      </span>
      {message.body && <span className="notice-body">{message.body}</span>}
      <span className="notice-facts">{message.createTime.slice(0, 16)}</span>
    </button>
  )
}

/** The client has said what went wrong; anything else is a defect and goes up. */
export function unlessProblem(problem: unknown): void {
  if (!(problem instanceof HttpProblem)) throw problem
}

export function Loading() {
  const t = useT()
  return (
    <p className="notices-none" role="status">
      {t('notices.loading')}
    </p>
  )
}

export function Failure({ problem, onRetry }: { problem: Error; onRetry: () => void }) {
  const t = useT()
  return (
    <div className="notices-none" role="alert">
      <p>{problem.message || t('notices.failed')}</p>
      <button type="button" className="button" onClick={onRetry}>
        {t('notices.retry')}
      </button>
    </div>
  )
}

/** What there is to read for whoever works here: notices with their text beside the list, and the product's messages. */
export default function WelPage() {
  const t = useT()
  const queries = useQueryClient()
  const screen = useScreenClass()
  const { path, query } = usePlace()
  const unread = useStore(unreadStore)
  useNews()
  const tab = query.get('tab') === 'message' ? 'message' : 'notice'
  const id = tab === 'notice' ? query.get('id') : null
  const narrow = screen <= 1
  const hrefOf = (to: string | null): string => {
    const next = new URLSearchParams(query)
    if (to) next.set('id', to)
    else next.delete('id')
    const text = next.toString()
    return text ? `${path}?${text}` : path
  }
  const readAll = async () => {
    await (tab === 'notice' ? readAllNotices() : markMessages()).then(
      () => toast.success(t('notices.allRead')),
      unlessProblem,
    )
    await Promise.all([askUnread(), queries.invalidateQueries({ queryKey: [...noticesKey, 'list'] })])
  }
  const counted = (key: 'notice' | 'message', count: number) =>
    count > 0 ? t(`notices.${key}Count`, { count }) : t(`notices.${key}`)
  return (
    <div className="page notices-page">
      <header className="page-head">
        <h1 tabIndex={-1}>{t('notices.title')}</h1>
        <label className="notices-only">
          <input
            type="checkbox"
            checked={query.get('unread') === '1'}
            onChange={(event) =>
              setQuery({ unread: event.target.checked ? '1' : null, current: null }, { path, replace: true })
            }
          />
          {t('notices.onlyUnread')}
        </label>
        <button type="button" className="button" onClick={() => void readAll()}>
          {t('notices.readAll')}
        </button>
      </header>
      <div className="card">
        <TabRow
          label={t('notices.title')}
          items={[
            { key: 'notice', label: counted('notice', unread.notices) },
            { key: 'message', label: counted('message', unread.messages) },
          ]}
          value={tab}
          onChange={(key) =>
            setQuery({ tab: key === 'notice' ? null : key, id: null, current: null }, { path, replace: true })
          }
        >
          {tab === 'message' ? (
            <MessageList />
          ) : (
            <div className="notices-panes">
              {(!narrow || !id) && (
                <div className="notices-side">
                  <NoticeList chosen={id} hrefOf={hrefOf} />
                </div>
              )}
              {(!narrow || id) && (
                <div className="notices-read">
                  {narrow && (
                    <Link className="link-button" to={hrefOf(null)}>
                      <Icon name="arrow-left" size={16} /> {t('notices.back')}
                    </Link>
                  )}
                  {id ? <Reading key={id} id={id} /> : <p className="notices-none">{t('notices.choose')}</p>}
                </div>
              )}
            </div>
          )}
        </TabRow>
      </div>
    </div>
  )
}
