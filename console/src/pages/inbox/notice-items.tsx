import { HttpProblem } from '../../http/client.ts'
import { noticesWords } from '../../locales/notices.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import type { Head, Message } from './notice-queries.ts'
import './page.css'

// What home and the popover of the header show too: without the parts of the whole page, which weigh much.

addWords(noticesWords)

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
        {head.needRead === 1 && head.confirmedAt === null && (
          <span className="notice-want">{t('notices.needRead')}</span>
        )}
      </span>
    </Link>
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
