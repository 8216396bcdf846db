import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../ui/words.ts'

/** What was asked of the server, while it is on its way, when it failed, and when it is there. */
export function InfoQuery({ query, children }: { query: UseQueryResult<unknown>; children: ReactNode }) {
  const t = useT()
  if (query.data !== undefined) return children
  if (!query.error) return <p aria-busy="true">{t('common.loading')}</p>
  return (
    <p role="alert">
      {query.error.message}{' '}
      <button type="button" className="link-button" onClick={() => void query.refetch()}>
        {t('common.retry')}
      </button>
    </p>
  )
}
