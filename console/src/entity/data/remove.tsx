import type { Blocker, Entity } from '@data-brain/contract'
import { HttpProblem } from '../../http/client.ts'
import { pathOf } from '../../session/paths.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { type Translate, useT } from '../../ui/words.ts'
import { chunksOf } from '../bulk/select-all.ts'
import type { EntityClient } from './client.ts'
import { undoOffer } from './undo.tsx'
import '../../ui/later-words.ts'

/** Why rows could not be deleted: the server's sentence, and what still points at them. */
export interface DeleteRefusal {
  readonly text: string
  readonly blockers: readonly Blocker[]
  /** The row that they point at. */
  readonly id?: string | undefined
  /** Rows that were gone by then: many are deleted in several calls. */
  readonly gone?: readonly string[]
}

interface Removal {
  readonly entity: Entity
  readonly rows: ReadonlyMap<string, string>
  readonly client: EntityClient
  readonly t: Translate
  /** Hears how many are gone, where that takes several calls; null at the end. */
  readonly seen?: (done: number | null) => void
}

const NAMED = 5

/** The rows that a refusal calls missing: deleted by somebody else, or out of reach since they were listed. */
const goneBefore = (problem: unknown): readonly string[] =>
  problem instanceof HttpProblem && problem.status === 404
    ? ((problem.data as { gone?: readonly string[] } | null)?.gone ?? [])
    : []

/**
 * Asks, deletes and says what came of it, with a way back while it is said: the ids that are gone, why not, or null when the person thought better of it.
 * With nothing to delete it says so (R-LIST-3).
 */
export async function removeRows({
  entity,
  rows,
  client,
  t,
  seen,
}: Removal): Promise<readonly string[] | DeleteRefusal | null> {
  if (rows.size === 0) {
    toast.warning(t('spec.selectOne'))
    return null
  }
  const unit = entity.measure
  const names = [...rows.values()]
  const named = names.slice(0, NAMED).join(t('entity.separator'))
  const body = names.length > NAMED ? t('entity.andOthers', { names: named, count: names.length, unit }) : named
  const yes = await askConfirmation({ title: t('spec.deleteConfirm'), body, danger: true, okText: t('entity.delete') })
  if (!yes) return null
  const gone: string[] = []
  // Somebody else was faster with these: as little is left of them as of the others.
  const before: string[] = []
  const requests: string[] = []
  const removeAll = async (part: readonly string[], more: boolean): Promise<void> => {
    if (part.length === 0) return
    try {
      const requestId = await client.remove(part, more)
      gone.push(...part)
      if (requestId !== undefined) requests.push(requestId)
    } catch (problem) {
      const missing = goneBefore(problem).filter((id) => part.includes(id))
      if (missing.length === 0) throw problem
      before.push(...missing)
      await removeAll(
        part.filter((id) => !missing.includes(id)),
        more,
      )
    }
  }
  const toldBefore = () => {
    if (before.length === 0) return undefined
    const first = before.slice(0, NAMED).map((id) => rows.get(id))
    const names = first.join(t('entity.separator'))
    return t(before.length > NAMED ? 'entity.goneBeforeMany' : 'entity.goneBefore', {
      names,
      count: before.length,
      unit,
    })
  }
  const undo = () => (requests.length > 0 ? undoOffer(requests, client.undo, t) : undefined)
  try {
    for (const part of chunksOf([...rows.keys()])) {
      const done = gone.length + before.length
      const more = done + part.length < rows.size
      if (more || done > 0) seen?.(done)
      await removeAll(part, more)
    }
    if (before.length > 0) void client.renew()
    const counted =
      gone.length > 1 || before.length > 0 ? t('entity.deletedCount', { count: gone.length, unit }) : undefined
    const detail = [counted, toldBefore()].filter((each) => each !== undefined).join(t('entity.clause'))
    if (gone.length === 0) toast.warning(toldBefore()!)
    else toast.success(t('spec.deleted'), detail === '' ? undefined : detail, undo())
    return [...gone, ...before]
  } catch (problem) {
    const text = problem instanceof HttpProblem && problem.message ? problem.message : t('spec.unknownError')
    toast.error(text)
    if (gone.length > 0) {
      toast.warning(t('entity.deletedSome', { count: gone.length, all: rows.size, unit }), undefined, undo())
      void client.renew()
    }
    const data =
      problem instanceof HttpProblem ? (problem.data as { id?: string; blockers?: readonly Blocker[] } | null) : null
    return { text, id: data?.id, blockers: data?.blockers ?? [], gone: [...gone, ...before] }
  } finally {
    seen?.(null)
  }
}

/** What stands in the way of a delete, until it is closed. */
export function RefusalBanner({ refusal, onClose }: { refusal: DeleteRefusal; onClose: () => void }) {
  const t = useT()
  return (
    <div className="banner banner-wrong" role="alert">
      <Icon name="triangle-alert" />
      <div>
        <strong>{refusal.text}</strong>
        {refusal.blockers.length > 0 && (
          <ul>
            {refusal.blockers.map(({ entity, field, label, unit, count, sample }) => {
              const path = field && refusal.id ? pathOf(entity) : undefined
              const text = t(sample.length > 0 ? 'entity.blocker' : 'entity.blockerCount', {
                ...{ label, unit, count, sample: sample.join(t('entity.separator')) },
              })
              const more = sample.length > 0 && count > sample.length ? ' …' : ''
              return (
                <li key={`${entity}.${field}`}>
                  {path ? <Link to={`${path}?${field}=${refusal.id}`}>{text + more}</Link> : text + more}
                </li>
              )
            })}
          </ul>
        )}
      </div>
      <button type="button" className="tool" aria-label={t('entity.close')} onClick={onClose}>
        <Icon name="x" size={16} />
      </button>
    </div>
  )
}
