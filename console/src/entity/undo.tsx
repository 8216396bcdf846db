import type { Blocker } from '@data-brain/contract'
import { HttpProblem } from '../http/client.ts'
import { confirm } from '../ui/confirm.tsx'
import { type ToastAction, toast } from '../ui/toast.ts'
import type { Translate } from '../ui/words.ts'

/** What the server says where somebody has touched the rows since. */
interface Touched {
  readonly blockers?: readonly Blocker[]
  /** Only rows of the work itself were changed: whoever knows may go on. */
  readonly own?: boolean
}

/**
 * Takes back all that one request changed, and says what came of it. Where its rows were changed since, asks whether
 * they are to go back all the same. Answers whether it is done.
 */
export async function takeBack(
  requestId: string,
  undo: (requestId: string, changed: boolean) => Promise<number>,
  t: Translate,
): Promise<boolean> {
  const attempt = async (changed: boolean): Promise<boolean> => {
    try {
      const count = await undo(requestId, changed)
      toast.success(t('entity.undone'), t('entity.undoneCount', { count }))
      return true
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      const touched = problem.data as Touched | null | undefined
      if (changed || touched?.own !== true) {
        toast.error(problem.message || t('spec.unknownError'))
        return false
      }
      const sure = await confirm({
        title: t('entity.undoChanged'),
        body: problem.message,
        danger: true,
        okText: t('entity.undoAllTheSame'),
      })
      return sure && attempt(true)
    }
  }
  return attempt(false)
}

/** What a toast offers after a change that can be taken back; Ctrl/⌘+Z does it as well. */
export const undoing = (
  requestId: string,
  undo: (requestId: string, changed: boolean) => Promise<number>,
  t: Translate,
): ToastAction => ({ label: t('entity.undo'), undo: true, run: () => void takeBack(requestId, undo, t) })
