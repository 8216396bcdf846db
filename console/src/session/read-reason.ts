import { onForget } from './end.ts'
import { askingStore, type GivenReason, standingReason } from './read-reason-store.ts'

/*
 * Where a tenant asks why somebody looks at a child's record, the server refuses until it is told. The person is asked
 * once for each child; what was said is remembered for as long as the page stands, and nowhere else.
 */

interface Waiting {
  readonly children: readonly string[]
  readonly resolve: (reason: string | undefined) => void
}

const waiting: Waiting[] = []
const known = new Map<string, string>()

const recall = (children: readonly string[]): string | undefined =>
  standingReason.get() ?? (children.every((id) => known.has(id)) ? known.get(children[0] ?? '') : undefined)

/** Why the records of these children are read; undefined where the person does not say. Calls at once ask once. */
export function askReason(children: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    waiting.push({ children, resolve })
    if (!askingStore.get()) goOn()
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
  askingStore.set(first ? { children: first.children, answer: (given) => settle(first, given) } : null)
}

function settle(first: Waiting, given: GivenReason | undefined): void {
  if (!given) {
    for (const { resolve } of waiting.splice(0)) resolve(undefined)
  } else {
    if (given.forAll) standingReason.set(given.reason)
    for (const id of first.children) known.set(id, given.reason)
    // Of many at once nothing is remembered: the next time is another reading.
    if (waiting[0] === first) waiting.shift()
    first.resolve(given.reason)
  }
  goOn()
}

onForget(() => {
  standingReason.set(undefined)
  known.clear()
  for (const { resolve } of waiting.splice(0)) resolve(undefined)
  askingStore.set(null)
})
