import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HttpProblem } from '../http/client.ts'
import { announce } from '../ui/announce.tsx'
import { Icon } from '../ui/icon.tsx'
import { useT } from '../ui/words.ts'

interface EmptyProps {
  readonly label: string
  readonly filtered: boolean
  /** What it is filtered by. */
  readonly filters?: readonly string[]
  readonly onReset: () => void
  readonly onAdd: (() => void) | undefined
  readonly toolbar: ReactNode
}

/** A sheet with a plus, for what has not begun. */
const Never = () => (
  <svg className="empty-drawing" viewBox="0 0 120 84" width="120" height="84" aria-hidden="true">
    <rect x="26" y="14" width="68" height="58" rx="8" fill="var(--tint)" />
    <rect x="36" y="6" width="68" height="58" rx="8" fill="var(--card)" stroke="var(--line)" strokeWidth="1.5" />
    <circle cx="52" cy="24" r="7" fill="var(--tint)" />
    <path d="M65 21h28M65 28h18M46 42h48M46 51h34" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
    <circle cx="98" cy="62" r="13" fill="var(--fill)" />
    <path d="M98 56v12M92 62h12" stroke="var(--on-fill)" strokeWidth="2.5" strokeLinecap="round" />
  </svg>
)

/** A glass over rows, for what was looked for and is not there. */
const NotFound = () => (
  <svg className="empty-drawing" viewBox="0 0 120 84" width="120" height="84" aria-hidden="true">
    <path d="M20 24h80M20 44h58M20 64h68" stroke="var(--field)" strokeWidth="12" strokeLinecap="round" />
    <circle cx="66" cy="42" r="20" fill="var(--card)" stroke="var(--fill)" strokeWidth="4" />
    <path d="m81 57 14 14" stroke="var(--fill)" strokeWidth="6" strokeLinecap="round" />
    <path d="m59 35 14 14M73 35 59 49" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
  </svg>
)

/** An empty list says why it is empty and what to do about it. */
export function Empty({ label, filtered, filters = [], onReset, onAdd, toolbar }: EmptyProps) {
  const t = useT()
  return (
    <>
      {filtered ? <NotFound /> : <Never />}
      <p>{t(filtered ? 'entity.emptyFiltered' : 'entity.emptyNever', { label })}</p>
      {filtered && filters.length > 0 && (
        <p className="empty-more">{t('entity.emptyBy', { names: filters.join(t('entity.separator')) })}</p>
      )}
      {filtered ? (
        <button type="button" className="button" onClick={onReset}>
          {t('entity.clearFilters')}
        </button>
      ) : (
        <span className="empty-buttons">
          {onAdd && (
            <button type="button" className="button primary" onClick={onAdd}>
              {t('entity.add', { label })}
            </button>
          )}
          {toolbar}
        </span>
      )}
    </>
  )
}

/** What could not be read, in its place: what the server said, its number, and the way to try again. */
export function Failed({ problem, onRetry }: { problem: Error; onRetry: () => void }) {
  const t = useT()
  const number = problem instanceof HttpProblem ? problem.requestId : undefined
  return (
    <div className="failed" role="alert">
      <Icon name="triangle-alert" size={16} />
      <p>
        {problem.message || t('entity.failed')}
        {number && <small>{t('entity.failedNumber', { number })}</small>}
      </p>
      {number && (
        <button
          type="button"
          className="button"
          onClick={() => void navigator.clipboard.writeText(number).then(() => announce(t('entity.copied')))}
        >
          {t('entity.copyNumber')}
        </button>
      )}
      <button type="button" className="button" onClick={onRetry}>
        {t('entity.retry')}
      </button>
    </div>
  )
}

/** What stands instead of a page that somebody may not open; its heading, as every page has one. */
export function NoRight() {
  const t = useT()
  return (
    <h1 className="page-none" tabIndex={-1}>
      {t('entity.noPermission')}
    </h1>
  )
}

interface AskedProps<T> {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
}

/** What was asked of the server: while it is on its way, when it failed, and when it is there. */
export function Asked<T>({ query, children }: AskedProps<T>) {
  const t = useT()
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed problem={query.error} onRetry={() => void query.refetch()} />
  return (
    <p className="muted" aria-busy="true">
      {t('common.loading')}
    </p>
  )
}
