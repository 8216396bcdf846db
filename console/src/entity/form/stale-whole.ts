import type { Entity } from '@data-brain/contract'
import { HttpProblem } from '../../http/client.ts'
import { staleWords } from '../../locales/stale.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { addWords, type Translate } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'

addWords(staleWords)

/** The row as somebody else saved it, where that is why a save was refused. */
export const theirsOf = <E extends Entity>(problem: unknown): ShownRow<E> | undefined =>
  problem instanceof HttpProblem && problem.code === 409
    ? ((problem.data as { readonly theirs?: ShownRow<E> } | null)?.theirs ?? undefined)
    : undefined

interface Whole<E extends Entity> {
  readonly theirs: ShownRow<E>
  readonly name: string
  readonly t: Translate
  /** Saves what is here over theirs, whose version is given. */
  readonly keepMine: (version: number) => Promise<boolean>
  /** Shows what is stored in the place of what is here. */
  readonly takeTheirs: (theirs: ShownRow<E>) => void
}

/** Of a drawing or a question, which is saved as a whole: asks whose is to stay. Answers whether mine was saved. */
export async function settleWhole<E extends Entity>({ theirs, name, t, keepMine, takeTheirs }: Whole<E>) {
  const isMine = await askConfirmation({
    title: t('stale.title', { who: String(theirs.updateUserName ?? '') || t('stale.somebody'), name }),
    body: t('stale.text'),
    okText: t('stale.keepMine'),
    cancelText: t('stale.lookFirst'),
    other: { text: t('stale.takeTheirs'), run: () => takeTheirs(theirs) },
  })
  return isMine ? await keepMine(theirs.version) : false
}
