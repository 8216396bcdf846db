import { createHash } from 'node:crypto'
import { Problem } from '../../kernel/problem.ts'

/** What is given, by whom it is given to. */
type Given = readonly { readonly to: string; readonly id: string }[]

export const pairsIn = (all: ReadonlyMap<string, Iterable<string>>): Given =>
  [...all].flatMap(([to, ids]) => [...ids].map((id) => ({ to, id })))

/** Says what was given when somebody looked: the same for the same, in whatever order. */
export const stampOf = (given: Given): string =>
  createHash('sha256')
    .update(
      given
        .map(({ to, id }) => `${to} ${id}`)
        .sort()
        .join(),
    )
    .digest('base64url')
    .slice(0, 22)

/** Whoever replaces what is given by what they saw does not take away what somebody else has given since. */
export function mustStillBe(stamp: string | undefined, given: Given): void {
  if (stamp && stamp !== stampOf(given)) throw new Problem('stale')
}
