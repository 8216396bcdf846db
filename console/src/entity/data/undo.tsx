import type { Entity } from '@data-brain/contract'
import type { TouchedRows } from '@data-brain/contract/generic'
import { HttpProblem } from '../../http/client.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { type ToastAction, toast } from '../../ui/toast.ts'
import type { Translate } from '../../ui/words.ts'
import type { SavedRow } from './calls.ts'
import { TouchedList, touchedLines } from './changed-rows.tsx'
import type { UndoSummary } from './client.ts'

/** What the server says where somebody has touched the rows since. */
interface Refused {
  readonly blockers?: readonly TouchedRows[]
  /** Only rows of the work itself were changed: whoever knows may go on. */
  readonly own?: boolean
}

/** Names that a toast has room for. */
const namesShown = 5

/** Takes back what one request changed; `more`: others follow. Answers how many rows that were. */
export type Undo = (requestId: string, changed: boolean, more?: boolean) => Promise<UndoSummary>

/** The rows that somebody has touched since, where the server names them. */
const touchedOf = ({ data }: HttpProblem): readonly TouchedRows[] =>
  ((data as Refused | null | undefined)?.blockers ?? []).filter(({ rows }) => rows !== undefined)

/** Why something was not taken back: which rows were touched since, and by whom; else what the server says. */
export const toldOf = (problem: HttpProblem, t: Translate): string =>
  touchedOf(problem)
    .flatMap((each) => touchedLines(each, t))
    .join('\n') ||
  problem.message ||
  t('spec.unknownError')

/** Takes back what one request changed; null where it is refused, which is said, or thought better of. */
async function takeOne(requestId: string, more: boolean, undo: Undo, t: Translate): Promise<UndoSummary | null> {
  const attempt = async (changed: boolean): Promise<UndoSummary | null> => {
    try {
      return await undo(requestId, changed, more)
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      const refused = problem.data as Refused | null | undefined
      const touched = touchedOf(problem)
      if (changed || refused?.own !== true) {
        const lines = touched.flatMap((each) => touchedLines(each, t))
        toast.error(problem.message || t('spec.unknownError'), lines.join('\n') || undefined)
        return null
      }
      const sure = await askConfirmation({
        title: t('entity.undoChanged'),
        body: (
          <>
            <p>{touched.length > 0 ? t('entity.undoOver') : problem.message}</p>
            {touched.length > 0 && <TouchedList touched={touched} t={t} />}
          </>
        ),
        danger: true,
        okText: t('entity.undoAllTheSame'),
      })
      return sure ? attempt(true) : null
    }
  }
  return attempt(false)
}

/**
 * Takes back all that requests changed, the newest first, and says by name what went back. Where rows were changed since, it
 * asks whether they are to go back all the same. Answers whether all is done.
 */
export async function takeBack(requestIds: string | readonly string[], undo: Undo, t: Translate): Promise<boolean> {
  const newest = [requestIds].flat().reverse()
  let count = 0
  let unit: string | undefined
  const names: string[] = []
  let at = 0
  for (; at < newest.length; at += 1) {
    const rows = await takeOne(newest[at]!, at + 1 < newest.length, undo, t)
    if (rows === null) break
    count += rows.count
    unit = rows.unit
    names.push(...(rows.names ?? []))
  }
  if (at > 0) {
    const told = names.slice(0, namesShown).join(t('entity.separator')) + (count > namesShown ? '…' : '')
    toast.success(
      t('entity.undone'),
      names.length > 0
        ? t('entity.undoneNames', { count, unit, names: told })
        : t('entity.undoneCount', { count, unit }),
    )
  }
  return at === newest.length
}

/** What a toast offers after a change that can be taken back; Ctrl/⌘+Z does it as well. */
export const undoOffer = (requestIds: string | readonly string[], undo: Undo, t: Translate): ToastAction => ({
  label: t('entity.undo'),
  undo: true,
  takes: [requestIds].flat(),
  run: () => void takeBack(requestIds, undo, t),
})

/** The way back from a saved row; none where all tenants share it, for what they share is not taken back. */
export const undoOf = (entity: Entity, { requestId }: SavedRow, undo: Undo, t: Translate): ToastAction | undefined =>
  requestId === undefined || entity.ownership === 'platform' ? undefined : undoOffer(requestId, undo, t)
