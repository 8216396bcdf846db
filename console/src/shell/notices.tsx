import { markMessages, messages } from '@data-brain/contract/calls/desk'
import { ownNotices, readAllNotices } from '@data-brain/contract/calls/notice'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../http/call.ts'
import { noticesWords } from '../locales/notices.ts'
import { Failure, HeadLink, type Message, MessageItem, noticesKey, unlessProblem } from '../pages/inbox/index.ts'
import { askUnread, newsStore, noticesPath, unreadStore } from '../session/unread.ts'
import { go, Link } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { TabRow } from '../ui/tab-row.tsx'
import { addWords, useT } from '../ui/words.ts'
import './notices.css'

addWords(noticesWords)

const shown = 20
type Tab = 'mail' | 'message' | 'notice'

function Skeleton() {
  return (
    <div className="notices-skeleton" aria-hidden>
      <span />
      <span />
      <span />
    </div>
  )
}

function List<T>({
  tab,
  read,
  empty,
  item,
}: {
  tab: Tab
  read: (signal: AbortSignal) => Promise<{ records: readonly T[] }>
  empty: string
  item: (row: T) => ReactNode
}) {
  const news = useStore(newsStore)
  const found = useQuery({
    queryKey: [...noticesKey, 'list', 'popover', tab, news],
    queryFn: ({ signal }) => read(signal),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  if (found.isError) return <Failure problem={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton />
  if (found.data.records.length === 0) return <p className="notices-none">{empty}</p>
  return <ul className="notice-list">{found.data.records.map(item)}</ul>
}

/** Mail, messages and notices under the bell; Esc and a click elsewhere close it. */
export default function NoticesPanel({ onClose }: { onClose: () => void }) {
  const t = useT()
  const queries = useQueryClient()
  const ref = useRef<HTMLDivElement>(null)
  const unread = useStore(unreadStore)
  const [tab, setTab] = useState<Tab>(unread.notices === 0 && unread.messages > 0 ? 'message' : 'notice')

  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
    const outside = (event: PointerEvent) => {
      // The bell closes by itself.
      if (event.target instanceof Node && !ref.current?.parentElement?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [onClose])

  const again = () => Promise.all([askUnread(), queries.invalidateQueries({ queryKey: [...noticesKey, 'list'] })])
  const readAll = async () => {
    await (tab === 'notice' ? call(readAllNotices) : call(markMessages)).catch(unlessProblem)
    await again()
  }
  const readMessage = async ({ id, readAt, link }: Message) => {
    if (readAt === null) await call(markMessages, { ids: [id] }).catch(unlessProblem)
    if (link?.startsWith('/')) {
      go(link)
      onClose()
    }
    await again()
  }
  const label = (key: 'message' | 'notice', count: number) =>
    count > 0 ? t(`notices.${key}Count`, { count }) : t(`notices.${key}`)
  return (
    <div
      ref={ref}
      className="notices-panel"
      role="dialog"
      aria-label={t('shell.notices')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <TabRow
        label={t('shell.notices')}
        items={[
          { key: 'mail', label: t('notices.mail') },
          { key: 'message', label: label('message', unread.messages) },
          { key: 'notice', label: label('notice', unread.notices) },
        ]}
        value={tab}
        onChange={(key) => setTab(key as Tab)}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard */}
        <div className="notices-scroll" tabIndex={0}>
          {tab === 'mail' && (
            <div className="notices-none">
              <p>{t('notices.noMail')}</p>
              <p className="muted">{t('notices.mailNote')}</p>
            </div>
          )}
          {tab === 'message' && (
            <List
              key="message"
              tab="message"
              read={(signal) => call(messages, { current: 1, size: shown }, { signal, silent: true })}
              empty={t('notices.noMessage')}
              item={(row) => (
                <li key={row.id}>
                  <MessageItem message={row} onRead={() => void readMessage(row)} />
                </li>
              )}
            />
          )}
          {tab === 'notice' && (
            <List
              key="notice"
              tab="notice"
              read={(signal) => call(ownNotices, { current: 1, size: shown }, { signal, silent: true })}
              empty={t('notices.noNotice')}
              item={(row) => (
                <li key={row.id}>
                  <HeadLink head={row} to={`${noticesPath}?id=${row.id}`} onOpen={onClose} />
                </li>
              )}
            />
          )}
        </div>
      </TabRow>
      {tab !== 'mail' && (
        <div className="notices-foot">
          <Link to={tab === 'message' ? `${noticesPath}?tab=message` : noticesPath} onClick={onClose}>
            {t('notices.all')}
          </Link>
          <button type="button" className="link-button" onClick={() => void readAll()}>
            {t('notices.readAll')}
          </button>
        </div>
      )}
    </div>
  )
}
