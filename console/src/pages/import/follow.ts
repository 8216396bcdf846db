import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { HttpProblem } from '../../http/client.ts'

/** How often a batch is asked for while the server works on it. */
const every = 500
/** Answers that may fail one after the other before nobody is asked any more; whoever looks again begins anew. */
const failuresMost = 60

interface Followed<T> {
  /** Where the answer is kept; asked anew each time, since the language belongs to it. */
  readonly key: () => QueryKey
  readonly read: (signal: AbortSignal) => Promise<T>
  readonly isWorking: (found: T) => boolean
  /** Told once, with how it ended. */
  readonly ended: (found: T) => void
}

const followed = new WeakMap<QueryClient, Set<string>>()

/**
 * Asks for a piece of the server's work again and again until it has ended, whatever page is shown meanwhile: a page
 * in a hidden tab asks for nothing, and the lists that the work changes must be fresh when it ends. Of several that
 * want the same `name` followed, one asks.
 */
export async function followWork<T>(client: QueryClient, name: string, work: Followed<T>): Promise<void> {
  const names = followed.get(client) ?? new Set()
  followed.set(client, names)
  if (names.has(name)) return
  names.add(name)
  try {
    let found = client.getQueryData<T>(work.key())
    let failures = 0
    while (found === undefined || work.isWorking(found)) {
      if (found !== undefined || failures > 0) await new Promise((resolve) => setTimeout(resolve, every))
      try {
        found = await client.fetchQuery({
          queryKey: work.key(),
          queryFn: ({ signal }) => work.read(signal),
          staleTime: 0,
          retry: false,
        })
        failures = 0
      } catch (problem) {
        failures += 1
        // A server that is away comes back; one that answers "not for you" or "not there" means it.
        const away = problem instanceof HttpProblem && (problem.status === 0 || problem.status >= 500)
        if (!away || failures > failuresMost) return
      }
    }
    work.ended(found)
  } finally {
    names.delete(name)
  }
}
