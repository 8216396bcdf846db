import { confirmNotice, readNotice } from '@data-brain/contract/calls/notice'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { askUnread, newsStore } from '../../session/unread.ts'
import { Icon } from '../../ui/icon.tsx'
import { timeOf } from '../../ui/instant.ts'
import { useStore } from '../../ui/store.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { Failure, Loading, unlessProblem } from './notice-items.tsx'
import { type Notice, noticesKey } from './notice-queries.ts'
import { NoticeText } from './notice-text.tsx'

const kilo = 1024
const sizeText = (bytes: number): string =>
  bytes < kilo * kilo ? `${Math.max(1, Math.round(bytes / kilo))} kB` : `${(bytes / kilo / kilo).toFixed(1)} MB`

/** Files of a notice, each under an address that holds for some minutes. */
export function Files({ files }: { files: Notice['attachments'] }) {
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

/** The receipt that a notice asks for: given by pressing, and shown once it is. */
function Receipt({ notice, onConfirmed }: { notice: Notice; onConfirmed: (() => void) | undefined }) {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { id, confirmBy, confirmedAt } = notice
  if (confirmedAt)
    return (
      <p className="notice-receipt given" role="status">
        <Icon name="check" size={16} />
        {t('notices.receipt', { time: confirmedAt.slice(0, 16) })}
      </p>
    )
  const give = async () => {
    setBusy(true)
    try {
      const given = await call(confirmNotice, { id })
      queries.setQueryData<Notice>([...noticesKey, 'read', id], (now) => now && { ...now, ...given })
      toast.success(t('notices.confirmed'), notice.title)
      onConfirmed?.()
    } catch (problem) {
      // Taken back meanwhile, perhaps: what can be seen is asked for anew.
      unlessProblem(problem)
      void queries.invalidateQueries({ queryKey: [...noticesKey, 'read', id] })
    } finally {
      setBusy(false)
    }
    await Promise.all([
      askUnread(),
      queries.invalidateQueries({ queryKey: [...noticesKey, 'list'] }),
      queries.invalidateQueries({ queryKey: ['home', 'todo'] }),
    ])
  }
  const time = confirmBy?.slice(0, 16)
  const late = confirmBy !== null && timeOf(confirmBy) < Date.now()
  return (
    <div className="notice-receipt">
      <span className={late ? 'late' : undefined}>
        {time ? t(late ? 'notices.asksLate' : 'notices.asksBy', { time }) : t('notices.asks')}
      </span>
      <button type="button" className="button primary" aria-busy={busy} disabled={busy} onClick={() => void give()}>
        {t('notices.confirm')}
      </button>
    </div>
  )
}

/** One notice to read; that it was is recorded by asking for it. */
export function Reading({ id, onConfirmed }: { id: string; onConfirmed?: () => void }) {
  const t = useT()
  const queries = useQueryClient()
  const found = useQuery({
    queryKey: [...noticesKey, 'read', id],
    queryFn: ({ signal }) => call(readNotice, { id }, { signal, silent: true }),
    // The addresses of its pictures hold for some minutes.
    staleTime: 300_000,
    retry: false,
  })
  // What is open may have been taken back: then it is gone here too, at once.
  const news = useStore(newsStore)
  const asked = useRef(news)
  useEffect(() => {
    if (asked.current === news) return
    asked.current = news
    void queries.invalidateQueries({ queryKey: [...noticesKey, 'read', id] })
  }, [queries, news, id])
  const arrived = found.data !== undefined
  useEffect(() => {
    if (!arrived) return
    void askUnread()
    void queries.invalidateQueries({ queryKey: [...noticesKey, 'list', 'notice'] })
  }, [arrived, queries])
  if (found.isError) {
    const gone = found.error instanceof HttpProblem && found.error.status === 404
    if (gone)
      return (
        <p className="notices-none" role="status">
          {t('notices.gone')}
        </p>
      )
    return <Failure problem={found.error} onRetry={() => void found.refetch()} />
  }
  if (!found.data) return <Loading />
  const { title, categoryName, releaseTime, createUserName, content, attachments, needRead } = found.data
  return (
    <article className="notice-read" aria-label={title}>
      <h2>{title}</h2>
      <p className="notice-facts">
        {categoryName && <span>{categoryName}</span>}
        <span>{releaseTime.slice(0, 16)}</span>
        {createUserName && <span>{createUserName}</span>}
      </p>
      <NoticeText html={content} />
      <Files files={attachments} />
      {needRead === 1 && <Receipt notice={found.data} onConfirmed={onConfirmed} />}
    </article>
  )
}
