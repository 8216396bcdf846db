import { flowmodel } from '@data-brain/contract'
import { modelCheck, modelFromCards } from '@data-brain/contract/calls/flow'
import type { CardModel } from '@data-brain/contract/flow/cards'
import { call } from '../../../http/call.ts'
import { draftKey } from '../../../session/draft.ts'

/** Where a model is designed. */
export const designPath = (id: string): string => `/flow/designer/${id}`

export type Mode = 'cards' | 'bpmn'

/** What a model is as it is worked at: cards, or BPMN where cards do not say it. */
export type Content =
  | { readonly mode: 'cards'; readonly cards: CardModel }
  | { readonly mode: 'bpmn'; readonly xml: string }

/** What stands against deploying it. */
export interface Fault {
  readonly element: string | null
  readonly message: string
}

/** Reads stored BPMN: cards where they can say it. */
export async function contentOf(xml: string): Promise<Content> {
  const { cards } = await call(modelCheck, { xml }, { silent: true })
  return cards ? { mode: 'cards', cards: cards as CardModel } : { mode: 'bpmn', xml }
}

/** The BPMN that cards say, and what stands against it. */
export const fromCards = (cards: CardModel) => call(modelFromCards, { cards }, { silent: true })

export const faultsOf = async (xml: string): Promise<readonly Fault[]> =>
  (await call(modelCheck, { xml }, { silent: true })).faults

/** What was not saved, and over which version it was made. */
interface Draft {
  readonly version: number
  readonly content: Content
}

const keyOf = (id: string): string => draftKey(`${flowmodel.name}-design`, id)

export function readDraft(id: string): Draft | undefined {
  const text = sessionStorage.getItem(keyOf(id))
  if (text === null) return undefined
  try {
    const draft = JSON.parse(text) as Partial<Draft>
    return typeof draft.version === 'number' && draft.content ? (draft as Draft) : undefined
  } catch {
    // Written by something else: as good as absent.
    return undefined
  }
}

/** Answers whether it is kept; nothing is where there is no room left. */
export function writeDraft(id: string, draft: Draft | null): boolean {
  try {
    if (draft) sessionStorage.setItem(keyOf(id), JSON.stringify(draft))
    else sessionStorage.removeItem(keyOf(id))
    return true
  } catch {
    return false
  }
}

/**
 * The stop that an element of the written BPMN belongs to: cards have their own ids; flows and the merge of a branch are
 * named after the card that they come from.
 */
export function stopOfElement(element: string | null, keys: readonly string[]): string | undefined {
  if (element === null) return undefined
  if (keys.includes(element)) return element
  return keys.filter((key) => element.startsWith(`${key}_`)).toSorted((a, b) => b.length - a.length)[0]
}
