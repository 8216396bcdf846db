import type { Page } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { markMessages, messages } from '@data-brain/contract/calls/desk'
import { ownNotices, readAllNotices } from '@data-brain/contract/calls/notice'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { askUnread, newsStore, unreadStore } from '../../session/unread.ts'
import { Sheet } from '../../ui/drawing.tsx'
import { Icon } from '../../ui/icon.tsx'
import { go, Link, setQuery, usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { useStore } from '../../ui/store.ts'
import { TabRow } from '../../ui/tab-row.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { usePaging } from '../../ui/table/paging.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Failure, HeadLink, Loading, MessageItem, unlessProblem } from './notice-items.tsx'
import { type Message, noticesKey } from './notice-queries.ts'
import { Reading } from './notice-reader.tsx'
import './page.css'

// The pager's words.
addWords(entityWords)

/** Lists that are asked for again whenever there is news. */
function useNews(): void {
  const queries = useQueryClient()
  const news = useStore(newsStore)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count says that there is news, and is asked for nothing else
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: [...noticesKey, 'list'] })
  }, [queries, news])
}

interface NewsProps<T> {
  readonly kind: 'notice' | 'message'
  readonly read: (asked: InputOf<typeof messages>, signal: AbortSignal) => Promise<Page<T>>
  readonly none: string
  readonly children: (one: T) => ReactNode
}

/** What came in of one kind, page by page; only what is unread where that is asked for. */
function News<T extends { readonly id: string }>({ kind, read, none, children }: NewsProps<T>) {
  const { query, current, size, onPage, onSize } = usePaging()
  const asked = { current, size, ...(query.get('unread') === '1' ? { unread: 1 as const } : {}) }
  const found = useQuery({
    queryKey: [...noticesKey, 'list', kind, asked],
    queryFn: ({ signal }) => read(asked, signal),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  if (found.isError) return <Failure problem={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Loading />
  const { records, total } = found.data
  return (
    <>
      {records.length === 0 ? (
        <div className="notices-none">
          <Sheet />
          <p>{none}</p>
        </div>
      ) : (
        <ul className="notice-list">
          {records.map((one) => (
            <li key={one.id}>{children(one)}</li>
          ))}
        </ul>
      )}
      <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />
    </>
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
  const onlyUnread = query.get('unread') === '1'
  const narrow = screen <= 1
  const hrefOf = (to: string | null): string => {
    const next = new URLSearchParams(query)
    if (to) next.set('id', to)
    else next.delete('id')
    const text = next.toString()
    return text ? `${path}?${text}` : path
  }
  const told = () => Promise.all([askUnread(), queries.invalidateQueries({ queryKey: [...noticesKey, 'list'] })])
  const readOne = async ({ id: message, readAt, link }: Message) => {
    if (readAt === null) await call(markMessages, { ids: [message] }).catch(unlessProblem)
    if (link?.startsWith('/')) go(link)
    await told()
  }
  const readAll = async () => {
    await (tab === 'notice' ? call(readAllNotices) : call(markMessages)).then(
      () => toast.success(t('notices.allRead')),
      unlessProblem,
    )
    await told()
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
            checked={onlyUnread}
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
            <News
              kind="message"
              read={(asked, signal) => call(messages, asked, { signal, silent: true })}
              none={t(onlyUnread ? 'notices.noUnread' : 'notices.noMessage')}
            >
              {(message) => <MessageItem message={message} onRead={() => void readOne(message)} />}
            </News>
          ) : (
            <div className="notices-panes">
              {(!narrow || !id) && (
                <div className="notices-side">
                  <News
                    kind="notice"
                    read={(asked, signal) => call(ownNotices, asked, { signal, silent: true })}
                    none={t(onlyUnread ? 'notices.noUnread' : 'notices.noNotice')}
                  >
                    {(head) => <HeadLink head={head} to={hrefOf(head.id)} chosen={head.id === id} />}
                  </News>
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
