import type { Blocker, Entity } from '@data-brain/contract'
import { HttpProblem } from '../http/client.ts'
import { confirm } from '../ui/confirm.tsx'
import { type ToastAction, toast, type Way } from '../ui/toast.ts'
import type { Translate } from '../ui/words.ts'
import type { Changed } from './calls.ts'
import type { Undone } from './client.ts'

/** What the server says where somebody has touched the rows since. */
interface Touched {
  readonly blockers?: readonly Blocker[]
  /** Only rows of the work itself were changed: whoever knows may go on. */
  readonly own?: boolean
}

/** Takes back what one request changed; `more`: others follow. Answers how many rows that were. */
export type Undo = (requestId: string, changed: boolean, more?: boolean) => Promise<Undone>

const words = {
  undo: { done: 'entity.undone', changed: 'entity.undoChanged', sure: 'entity.undoAllTheSame', offer: 'entity.undo' },
  redo: { done: 'entity.redone', changed: 'entity.redoChanged', sure: 'entity.redoAllTheSame', offer: 'entity.redo' },
} as const satisfies Record<Way, Record<string, string>>

/** Takes back what one request changed; null where it is refused, which is said, or thought better of. */
async function takeOne(requestId: string, more: boolean, undo: Undo, t: Translate, way: Way): Promise<Undone | null> {
  const attempt = async (changed: boolean): Promise<Undone | null> => {
    try {
      return await undo(requestId, changed, more)
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      const touched = problem.data as Touched | null | undefined
      if (changed || touched?.own !== true) {
        toast.error(problem.message || t('spec.unknownError'))
        return null
      }
      const sure = await confirm({
        title: t(words[way].changed),
        body: problem.message,
        danger: true,
        okText: t(words[way].sure),
      })
      return sure ? attempt(true) : null
    }
  }
  return attempt(false)
}

/**
 * Takes back all that requests changed, the newest first, and says what came of it, with the way to do it again: what
 * takes something back is a request too. Where rows were changed since, it asks whether they are to go back all the same.
 * Answers whether all is done.
 */
export async function takeBack(
  requestIds: string | readonly string[],
  undo: Undo,
  t: Translate,
  way: Way = 'undo',
): Promise<boolean> {
  const newest = [requestIds].flat().reverse()
  const back: string[] = []
  let count = 0
  let unit: string | undefined
  let at = 0
  for (; at < newest.length; at += 1) {
    const rows = await takeOne(newest[at]!, at + 1 < newest.length, undo, t, way)
    if (rows === null) break
    count += rows.count
    unit = rows.unit
    if (rows.requestId !== undefined) back.push(rows.requestId)
  }
  const again = back.length > 0 ? leading(way === 'undo' ? 'redo' : 'undo', back, undo, t) : undefined
  if (at > 0) toast.success(t(words[way].done), t('entity.undoneCount', { count, unit }), again)
  return at === newest.length
}

/** What a toast offers after a change; the keys of undo and redo do it as well. */
const leading = (way: Way, requestIds: string | readonly string[], undo: Undo, t: Translate): ToastAction => ({
  label: t(words[way].offer),
  way,
  run: () => void takeBack(requestIds, undo, t, way),
})

/** What a toast offers after a change that can be taken back. */
export const undoing = (requestIds: string | readonly string[], undo: Undo, t: Translate): ToastAction =>
  leading('undo', requestIds, undo, t)

/** The way back from a saved row; none where all tenants share it, for what they share is not taken back. */
export const undoOf = (entity: Entity, { requestId }: Changed, undo: Undo, t: Translate): ToastAction | undefined =>
  requestId === undefined || entity.ownership === 'platform' ? undefined : undoing(requestId, undo, t)
