import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { askUnread } from '../../session/unread.ts'
import { useT } from '../../ui/words.ts'
import { type NoticeFile, noticesKey, readNotice } from './calls.ts'
import { Failure, Loading } from './parts.tsx'
import { NoticeText } from './text.tsx'

const kilo = 1024
const sizeText = (bytes: number): string =>
  bytes < kilo * kilo ? `${Math.max(1, Math.round(bytes / kilo))} kB` : `${(bytes / kilo / kilo).toFixed(1)} MB`

/** Files of a notice, each under an address that holds for some minutes. */
export function Files({ files }: { files: readonly NoticeFile[] }) {
  const t = useT()
  if (files.length === 0) return null
  return (
    <section className="notice-files">
      <h3>{t('notices.files')}</h3>
      <ul>
        {files.map((file) => (
          <li key={file.id}>
            <a href={file.link} target="_blank" rel="noopener noreferrer">
              {file.name}
            </a>
            {file.size !== null && <span className="muted"> {sizeText(file.size)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** One notice to read; that it was is recorded by asking for it. */
export function Reading({ id }: { id: string }) {
  const t = useT()
  const queries = useQueryClient()
  const found = useQuery({
    queryKey: [...noticesKey, 'read', id],
    queryFn: ({ signal }) => readNotice(id, signal),
    // The addresses of its pictures hold for some minutes.
    staleTime: 300_000,
    retry: false,
  })
  const arrived = found.data !== undefined
  useEffect(() => {
    if (!arrived) return
    void askUnread()
    void queries.invalidateQueries({ queryKey: [...noticesKey, 'list', 'notice'] })
  }, [arrived, queries])
  if (found.isError) {
    const gone = found.error instanceof HttpProblem && found.error.status === 404
    if (gone) return <p className="notices-none">{t('notices.gone')}</p>
    return <Failure problem={found.error} onRetry={() => void found.refetch()} />
  }
  if (!found.data) return <Loading />
  const { title, categoryName, releaseTime, createUserName, content, attachments, needRead, readAt } = found.data
  return (
    <article className="notice-read" aria-label={title}>
      <h2>{title}</h2>
      <p className="notice-facts">
        {categoryName && <span>{categoryName}</span>}
        <span>{releaseTime.slice(0, 16)}</span>
        {createUserName && <span>{createUserName}</span>}
        {needRead === 1 && readAt && <span>{t('notices.receipt', { time: readAt.slice(0, 16) })}</span>}
      </p>
      <NoticeText html={content} />
      <Files files={attachments} />
    </article>
  )
}
