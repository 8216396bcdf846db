import type { Problem } from './problem.ts'

/** How PostgreSQL says that a lock was waited for too long. */
const waitedTooLong = '55P03'

/** Waits for what somebody else holds; where that takes too long, the problem says so in place of an outage. */
export async function waitFor<T>(held: () => Promise<T>, problem: Problem): Promise<T> {
  try {
    return await held()
  } catch (error) {
    throw (error as { code?: unknown }).code === waitedTooLong ? problem : error
  }
}
