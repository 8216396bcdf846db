import { Worker } from 'node:worker_threads'
import { vi } from 'vitest'

/** What one hash of a password costs: the whole of what its time depends on. */
interface Work {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** The answer of a call, and the hashes that were made for it: two calls with the same take as long on any machine. */
export async function hashed<A>(call: () => Promise<A>): Promise<{ readonly answer: A; readonly work: Work[] }> {
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  try {
    const answer = await call()
    const work = posted.mock.calls.flatMap(([given]) =>
      given && typeof given === 'object' && 'passes' in given
        ? [given as Work].map(({ memory, passes, parallelism }) => ({ memory, passes, parallelism }))
        : [],
    )
    return { answer, work }
  } finally {
    posted.mockRestore()
  }
}
