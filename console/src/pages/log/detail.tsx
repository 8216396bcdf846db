import { type LogKind, logs } from '@data-brain/contract/entities/log/logs'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useId, useRef } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { copyText } from '../../ui/dialog/copy.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { type LogRow, readLogRow } from './calls.ts'
import { Duration, eventName, StatusOf } from './columns.tsx'
import { curlOf, laidOut } from './curl.ts'

/** Fields that are shown as blocks, below the others. */
const blocks: readonly string[] = ['message', 'stackTrace', 'params', 'logData']

/** One row of a log with all that it holds, over the list. */
export function LogDetail({ kind, id, onClose }: { kind: LogKind; id: string; onClose: () => void }) {
  const t = useT()
  const language = useLanguage()
  const titleId = useId()
  const place = useRef<HTMLDivElement>(null)
  const found = useQuery({
    queryKey: ['log', kind, 'detail', id],
    queryFn: ({ signal }) => readLogRow(kind, id, signal),
    retry: false,
    // A log is never changed.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const row = found.data
  const fields = Object.entries(logs[kind].fields)
  const value = (name: string, from: LogRow) => {
    const given = from[name]
    if (given === null || given === undefined || given === '') return <span className="none">—</span>
    if (name === 'time') return <Duration ms={Number(given)} t={t} />
    if (name === 'status') return <StatusOf status={Number(given)} />
    return name === 'logId' ? eventName(String(given), language) : String(given)
  }
  const copy = (text: string) => void copyText(text, place.current)
  return (
    <Drawer
      open
      closable={{ placement: 'end' }}
      size="min(680px, 100%)"
      title={<span id={titleId}>{row ? row.title : t('log.detail')}</span>}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <div ref={place} className="log-detail">
        {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
        {!row && !found.isError && <p role="status">{t('table.loading')}</p>}
        {row && (
          <>
            <p className="log-buttons">
              <button type="button" className="button" onClick={() => copy(JSON.stringify(row, null, 2))}>
                {t('log.copyAll')}
              </button>
              {kind === 'api' && (
                <button
                  type="button"
                  className="button"
                  title={t('log.curlNote')}
                  onClick={() => copy(curlOf(row, location.origin))}
                >
                  {t('log.curl')}
                </button>
              )}
            </p>
            <dl className="log-facts">
              <div>
                <dt>{t('log.time')}</dt>
                <dd className="mono">{row.createTime}</dd>
              </div>
              {fields
                .filter(([name]) => !blocks.includes(name))
                .map(([name, field]) => (
                  <div key={name}>
                    <dt>{field.label[language]}</dt>
                    <dd>{value(name, row)}</dd>
                  </div>
                ))}
            </dl>
            {fields
              .filter(([name]) => blocks.includes(name) && row[name])
              .map(([name, field]) => (
                <section key={name} className="log-block" aria-label={field.label[language]}>
                  <h2>
                    {field.label[language]}
                    <button
                      type="button"
                      className="button plain"
                      aria-label={t('log.copyOf', { label: field.label[language] })}
                      onClick={() => copy(laidOut(row[name]))}
                    >
                      {t('log.copy')}
                    </button>
                  </h2>
                  {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
                  <pre tabIndex={0}>{laidOut(row[name])}</pre>
                </section>
              ))}
          </>
        )}
      </div>
    </Drawer>
  )
}
