import { createStore } from '../ui/store.ts'
import { onForget } from './end.ts'

/*
 * Where a tenant asks why somebody looks at a child's record, the server refuses until it is told. The person is asked
 * once for each child; what was said is remembered for as long as the page stands, and nowhere else.
 */

/** What the person said, and whether it goes for all other children as well. */
export interface Given {
  readonly reason: string
  readonly forAll: boolean
}

interface Asking {
  /** Whose records wait; none where they are too many to name. */
  readonly children: readonly string[]
  readonly answer: (given: Given | undefined) => void
}

/** What is asked just now. */
export const asking = createStore<Asking | null>(null)

interface Waiting {
  readonly children: readonly string[]
  readonly resolve: (reason: string | undefined) => void
}

const waiting: Waiting[] = []
const known = new Map<string, string>()
let forAll: string | undefined

/** The reason that goes for whatever is read, sent with every call. */
export const standingReason = (): string | undefined => forAll

const recall = (children: readonly string[]): string | undefined =>
  forAll ?? (children.every((id) => known.has(id)) ? known.get(children[0] ?? '') : undefined)

/** Why the records of these children are read; undefined where the person does not say. Calls at once ask once. */
export function explain(children: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    waiting.push({ children, resolve })
    if (!asking.get()) goOn()
  })
}

/** Answers whoever has an answer, and asks for the first of the others. */
function goOn(): void {
  const open = waiting.splice(0).filter(({ children, resolve }) => {
    const reason = recall(children)
    if (reason !== undefined) resolve(reason)
    return reason === undefined
  })
  waiting.push(...open)
  const [first] = waiting
  asking.set(first ? { children: first.children, answer: (given) => settle(first, given) } : null)
}

function settle(first: Waiting, given: Given | undefined): void {
  if (!given) {
    for (const { resolve } of waiting.splice(0)) resolve(undefined)
  } else {
    if (given.forAll) forAll = given.reason
    for (const id of first.children) known.set(id, given.reason)
    // Of many at once nothing is remembered: the next time is another reading.
    if (waiting[0] === first) waiting.shift()
    first.resolve(given.reason)
  }
  goOn()
}

onForget(() => {
  forAll = undefined
  known.clear()
  for (const { resolve } of waiting.splice(0)) resolve(undefined)
  asking.set(null)
})
