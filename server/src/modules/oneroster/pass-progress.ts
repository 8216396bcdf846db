import type { Progress } from '../jobs/index.ts'

/** What is gone through, one after the other, and what part of the whole work each is. */
const shares = { read: 10, lines: 5, match: 5, judge: 5, write: 75 } as const
type Pass = keyof typeof shares

export const checking: readonly Pass[] = ['read', 'lines', 'match', 'judge']
export const commitPasses: readonly Pass[] = [...checking, 'write']

/** Adds up how far a job is: passes follow one another, each over a number of pieces that is known when it begins. */
export class PassProgress {
  readonly #tell: Progress
  readonly #total: number
  #before = 0

  constructor(passes: readonly Pass[], tell: Progress) {
    this.#tell = tell
    this.#total = passes.reduce((sum, pass) => sum + shares[pass] * grain, 0)
  }

  /** Begins a pass; what comes back is told after every few pieces, and lets other requests have their turn. */
  begin(pass: Pass, pieces: number): (more: number) => Promise<void> {
    const from = this.#before
    const share = shares[pass] * grain
    this.#before += share
    let done = 0
    return (more) => {
      done += more
      return this.#tell(Math.round(from + share * Math.min(1, done / pieces)), this.#total)
    }
  }
}

/** Steps of a share: fine enough for a bar that moves. */
const grain = 10

/** A list in portions, between which others have their turn. */
export function* portions<T>(list: readonly T[], size = 500): Iterable<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/** How many there are in all the lists. */
export const sizeOf = (lists: Iterable<readonly unknown[]>): number =>
  [...lists].reduce((sum, list) => sum + list.length, 0)
