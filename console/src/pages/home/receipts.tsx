import { ownNotices } from '@data-brain/contract/calls/notice'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../http/call.ts'
import { newsStore, noticesPath } from '../../session/unread.ts'
import { Icon } from '../../ui/icon.tsx'
import { momentOf, timeOf } from '../../ui/instant.ts'
import { Link } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { useT } from '../../ui/words.ts'
import { type Head, Reading, receiptsKey } from '../inbox/index.ts'
import './receipts.css'

const shown = 10

/** Until when a receipt is asked for; that it is late is said in words. */
function Deadline({ by }: { by: string | null }) {
  const t = useT()
  if (!by) return null
  const late = timeOf(by) < Date.now()
  // The year is said where it is another one.
  const time = by.slice(by.slice(0, 4) === momentOf(Date.now()).slice(0, 4) ? 5 : 0, 16)
  return <span className={late ? 'late' : 'muted'}>{t(late ? 'notices.late' : 'notices.dueBy', { time })}</span>
}

/**
 * Notices that ask for a receipt: read and confirmed where they stand, the nearest deadline first. `onReading` hears
 * whether one is open.
 */
export default function Receipts({ onReading }: { onReading: (reads: boolean) => void }) {
  const t = useT()
  const queries = useQueryClient()
  const [opened, setOpened] = useState<Head | null>(null)
  const open = opened?.id ?? null
  const list = useRef<HTMLUListElement>(null)
  const { data } = useQuery({
    queryKey: receiptsKey,
    queryFn: ({ signal }) => call(ownNotices, { current: 1, size: shown, unconfirmed: 1 }, { signal, silent: true }),
    retry: false,
  })
  // One that was taken back is waited for no longer; where it is being read, the reader says so before it goes.
  const news = useStore(newsStore)
  const asked = useRef(news)
  useEffect(() => {
    if (asked.current === news) return
    asked.current = news
    void queries.invalidateQueries({ queryKey: receiptsKey })
    if (open === null) void queries.invalidateQueries({ queryKey: ['home', 'todo'] })
  }, [queries, news, open])
  const gone = opened && data && !data.records.some(({ id }) => id === opened.id) ? [opened] : []
  const shownHeads = data ? [...gone, ...data.records] : []
  if (!data || shownHeads.length === 0) return null
  const setOpen = (head: Head | null) => {
    setOpened(head)
    onReading(head !== null)
    if (gone.length > 0) void queries.invalidateQueries({ queryKey: ['home', 'todo'] })
  }
  const done = (index: number) => {
    setOpen(null)
    // What was answered goes; the next one is where one goes on.
    const buttons = list.current?.querySelectorAll<HTMLElement>('.receipt-ask') ?? []
    ;(buttons[index + 1] ?? buttons[index - 1])?.focus()
  }
  const line = (head: Head, index: number) => {
    const isOpen = head.id === open
    return (
      <li key={head.id}>
        <div className="receipt-line">
          <Icon name="megaphone" size={16} />
          <span className="receipt-title">
            <Link to={`${noticesPath}?id=${head.id}`}>{head.title}</Link>
            {head.createUserName && <span className="muted">{head.createUserName}</span>}
          </span>
          <Deadline by={head.confirmBy} />
          <button
            type="button"
            className="button receipt-ask"
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'notices.foldNamed' : 'notices.readNamed', { name: head.title })}
            onClick={() => setOpen(isOpen ? null : head)}
          >
            {t(isOpen ? 'notices.fold' : 'notices.readConfirm')}
          </button>
        </div>
        {isOpen && <Reading id={head.id} onConfirmed={() => done(index)} />}
      </li>
    )
  }
  return (
    <>
      <ul ref={list} className="receipt-todo">
        {shownHeads.map(line)}
      </ul>
      {data.total > shown && <Link to={noticesPath}>{t('notices.allWaiting', { count: data.total })}</Link>}
    </>
  )
}
