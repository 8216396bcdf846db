import { codeOf, type Entity } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { useCan } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import type { Translate } from '../../ui/words.ts'
import type { HistoryEntry } from '../data/calls.ts'
import { type EntityClient, useEntity } from '../data/client.ts'
import type { CellWords } from '../display/cell.tsx'
import { Changes } from '../display/field-changes.tsx'
import '../form/form-words.ts'

interface HistoryProps {
  readonly entity: Entity
  readonly id: string
  readonly words: CellWords
}

/** Asks, and makes a record what it was after an entry of its history; answers whether that was done. */
export async function restoreVersion(
  client: Pick<EntityClient, 'restore'>,
  id: string,
  entry: Pick<HistoryEntry, 'id' | 'time' | 'action'>,
  t: Translate,
): Promise<boolean> {
  const time = entry.time.slice(0, 16)
  const sure = await askConfirmation({
    title: t('detail.restoreAsk'),
    body: t(entry.action === 'delete' ? 'detail.restoreGone' : 'detail.restoreBody', { time }),
    okText: t('detail.restoreTo'),
  })
  if (!sure) return false
  try {
    await client.restore(id, entry.id)
    toast.success(t('detail.restored'))
    return true
  } catch (problem) {
    // The client has said what went wrong; anything else is a defect and goes up.
    if (!(problem instanceof HttpProblem)) throw problem
    return false
  }
}

/** Whether rows of an entity can be put back at all. */
export const isRestorable = (entity: Entity): boolean => entity.ownership !== 'platform' && !entity.readOnly

/** Who did what to a record, newest first: each change in the words of the form, and the way back to it. */
export function History({ entity, id, words }: HistoryProps) {
  const { t } = words
  const can = useCan()
  const client = useEntity(entity)
  const found = useQuery(client.history(id))
  const [busy, setBusy] = useState(false)
  if (found.isError) return <p role="alert">{found.error.message || t('entity.failed')}</p>
  if (!found.data) return <p className="detail-wait">{t('table.loading')}</p>
  if (found.data.length === 0) return <p className="detail-wait">{t('detail.noHistory')}</p>
  const mayRestore = isRestorable(entity) && can(codeOf(entity, 'edit'))
  const back = async (entry: HistoryEntry) => {
    setBusy(true)
    await restoreVersion(client, id, entry, t).finally(() => setBusy(false))
  }
  return (
    <ol className="history">
      {found.data.map((entry, at) => {
        // A new row's values are the record itself; only what came over something is worth a line.
        const changes = entry.changes.filter(
          ({ field, label }) => label !== undefined || field in entity.fields || field === 'status',
        )
        const shown = entry.action === 'add' || entry.action === 'import' ? [] : changes
        return (
          <li key={entry.id}>
            <p>
              <strong>{t(`detail.${entry.action}`)}</strong> {entry.userName || t('detail.machine')}{' '}
              <time className="mono">{entry.time.slice(0, 16)}</time>
              {mayRestore && at > 0 && entry.action !== 'grant' && (
                <button
                  type="button"
                  className="link-button history-back"
                  disabled={busy}
                  aria-label={t('detail.restoreOf', { time: entry.time })}
                  onClick={() => void back(entry)}
                >
                  {t('detail.restoreTo')}
                </button>
              )}
            </p>
            {entry.action === 'grant' && <p className="muted">{t('detail.grantStays')}</p>}
            {shown.length > 0 && <Changes entity={entity} changes={shown} words={words} />}
          </li>
        )
      })}
    </ol>
  )
}
