/**
 * Long work on the thread that answers everybody: an answer takes some turns of the event loop, and each turn waits for
 * whatever is being worked out.
 */

/** Milliseconds of one turn that long work takes. */
const share = 4

let began = 0

/** Whether long work has had its share of this turn: asked where an await for each of many would cost as much as the work. */
export const isOver = (): boolean => performance.now() - began > share

/** Lets everybody else have a turn, once long work has had its share of this one. */
export async function yieldTurn(): Promise<void> {
  if (!isOver()) return
  await new Promise((resolve) => setImmediate(resolve))
  began = performance.now()
}

/** What a function makes of each of many, in their order; others have their turns in between. */
export async function mapGently<T, R>(all: readonly T[], work: (each: T, at: number) => R): Promise<R[]> {
  const made: R[] = []
  for (const [at, each] of all.entries()) {
    // An await costs a row as much as its work does: only where there is something to wait for.
    if (isOver()) await yieldTurn()
    made.push(work(each, at))
  }
  return made
}
