import type { Entity } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useWords } from '../ui/words.ts'
import type { Change } from './calls.ts'
import { type CellWords, dictText, Nothing, textOf } from './cell.tsx'
import { useEntity, useRegionPaths } from './client.ts'

interface HistoryProps {
  readonly entity: Entity
  readonly id: string
  readonly words: CellWords
}

/** Who did what to a record, newest first: each change in the words of the form. */
export function History({ entity, id, words: plain }: HistoryProps) {
  const pick = useWords()
  const { t } = plain
  const found = useQuery(useEntity(entity).history(id))
  const codes = (found.data ?? []).flatMap(({ changes }) =>
    changes
      .filter(({ field }) => entity.fields[field]?.kind === 'region')
      .flatMap(({ before, after }) => [before, after])
      .filter((code): code is string => typeof code === 'string' && code !== ''),
  )
  const regions = useRegionPaths(codes)
  const words = { ...plain, regions }
  if (found.isError) return <p role="alert">{found.error.message || t('entity.failed')}</p>
  if (!found.data) return <p className="detail-wait">{t('table.loading')}</p>
  if (found.data.length === 0) return <p className="detail-wait">{t('detail.noHistory')}</p>
  const label = (name: string) => {
    const field = entity.fields[name]
    return field ? pick(field.label) : name === 'status' ? t('entity.status') : name
  }
  const show = ({ field: name, before, after, beforeName, afterName }: Change, side: 'before' | 'after') => {
    const field = entity.fields[name]
    const value = side === 'before' ? before : after
    const text = field
      ? textOf(field, value, words, side === 'before' ? beforeName : afterName)
      : name === 'status' && value !== null && value !== undefined
        ? dictText(words, entity.status?.dict, value)
        : String(value ?? '')
    return text === '' ? <Nothing t={t} /> : text
  }
  return (
    <ol className="history">
      {found.data.map((entry) => {
        // A new row's values are the record itself; only what came over something is worth a line.
        const changes = entry.changes.filter(({ field }) => field in entity.fields || field === 'status')
        const shown = entry.action === 'add' || entry.action === 'import' ? [] : changes
        return (
          <li key={entry.id}>
            <p>
              <strong>{t(`detail.${entry.action}`)}</strong> {entry.userName || t('detail.machine')}{' '}
              <time className="mono">{entry.time.slice(0, 16)}</time>
            </p>
            {shown.length > 0 && (
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('detail.field')}</th>
                    <th scope="col">{t('detail.before')}</th>
                    <th scope="col">{t('detail.after')}</th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map((change) => (
                    <tr key={change.field}>
                      <th scope="row">{label(change.field)}</th>
                      <td>{show(change, 'before')}</td>
                      <td>{show(change, 'after')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </li>
        )
      })}
    </ol>
  )
}
