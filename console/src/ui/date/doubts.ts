import { useState } from 'react'

/** Which date boxes of a dialog hold what is not understood: while one does, nothing is saved by it. */
export interface Doubts {
  readonly any: boolean
  /** Takes up what a box says of itself. */
  of(name: string): (isDoubtful: boolean) => void
}

/** Keeps which date boxes hold what is not understood. */
export function useDoubts(): Doubts {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  return {
    any: names.size > 0,
    of: (name) => (isDoubtful) =>
      setNames((known) =>
        known.has(name) === isDoubtful
          ? known
          : new Set([...known].filter((each) => each !== name).concat(isDoubtful ? [name] : [])),
      ),
  }
}
