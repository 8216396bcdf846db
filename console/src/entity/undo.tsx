import type { Blocker, Entity } from '@data-brain/contract'
import { HttpProblem } from '../http/client.ts'
import { confirm } from '../ui/confirm.tsx'
import { type ToastAction, toast } from '../ui/toast.ts'
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

/** Takes back what one request changed; null where it is refused, which is said, or thought better of. */
async function takeOne(requestId: string, more: boolean, undo: Undo, t: Translate): Promise<Undone | null> {
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
        title: t('entity.undoChanged'),
        body: problem.message,
        danger: true,
        okText: t('entity.undoAllTheSame'),
      })
      return sure ? attempt(true) : null
    }
  }
  return attempt(false)
}

/**
 * Takes back all that requests changed, the newest first, and says what came of it. Where rows were changed since, it
 * asks whether they are to go back all the same. Answers whether all is done.
 */
export async function takeBack(requestIds: string | readonly string[], undo: Undo, t: Translate): Promise<boolean> {
  const newest = [requestIds].flat().reverse()
  let count = 0
  let unit: string | undefined
  let at = 0
  for (; at < newest.length; at += 1) {
    const rows = await takeOne(newest[at]!, at + 1 < newest.length, undo, t)
    if (rows === null) break
    count += rows.count
    unit = rows.unit
  }
  if (at > 0) toast.success(t('entity.undone'), t('entity.undoneCount', { count, unit }))
  return at === newest.length
}

/** What a toast offers after a change that can be taken back; Ctrl/⌘+Z does it as well. */
export const undoing = (requestIds: string | readonly string[], undo: Undo, t: Translate): ToastAction => ({
  label: t('entity.undo'),
  undo: true,
  run: () => void takeBack(requestIds, undo, t),
})

/** The way back from a saved row; none where all tenants share it, for what they share is not taken back. */
export const undoOf = (entity: Entity, { requestId }: Changed, undo: Undo, t: Translate): ToastAction | undefined =>
  requestId === undefined || entity.ownership === 'platform' ? undefined : undoing(requestId, undo, t)
