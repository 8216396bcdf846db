import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { announce } from '../../ui/announce.tsx'
import { NotFound, Sheet } from '../../ui/drawing.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { severalOf } from '../display/cell.tsx'

interface EmptyProps {
  readonly label: string
  readonly filtered: boolean
  /** What it is filtered by. */
  readonly filters?: readonly string[]
  readonly onReset: () => void
  readonly onAdd: (() => void) | undefined
  readonly toolbar: ReactNode
}

/** An empty list says why it is empty and what to do about it. */
export function Empty({ label, filtered, filters = [], onReset, onAdd, toolbar }: EmptyProps) {
  const t = useT()
  const many = severalOf(label, useLanguage())
  return (
    <>
      {filtered ? <NotFound /> : <Sheet plus={onAdd !== undefined || Boolean(toolbar)} />}
      <p>{t(filtered ? 'entity.emptyFiltered' : 'entity.emptyNever', { label: many })}</p>
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
export function LoadFailed({ problem, onRetry }: { problem: Error; onRetry: () => void }) {
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
export function QueryStates<T>({ query, children }: AskedProps<T>) {
  const t = useT()
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <LoadFailed problem={query.error} onRetry={() => void query.refetch()} />
  return (
    <p className="muted" aria-busy="true">
      {t('common.loading')}
    </p>
  )
}
