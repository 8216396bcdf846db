import { createStore } from '../ui/store.ts'

/* What the shell knows of reasons (reason.ts), which are asked for where a tenant wants them: in few. */

/** What the person said, and whether it goes for all other children as well. */
export interface GivenReason {
  readonly reason: string
  readonly forAll: boolean
}

interface Asking {
  /** Whose records wait; none where they are too many to name. */
  readonly children: readonly string[]
  readonly answer: (given: GivenReason | undefined) => void
}

/** What is asked just now. */
export const askingStore = createStore<Asking | null>(null)

/** The reason that goes for whatever is read, sent with every call. */
export const standingReason = createStore<string | undefined>(undefined)
