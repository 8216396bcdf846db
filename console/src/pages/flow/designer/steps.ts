/** What was done, step by step. Steps with the same mark that follow one another, such as letters of one field, are one. */
export interface Steps<T> {
  readonly past: readonly T[]
  readonly now: T
  readonly future: readonly T[]
  readonly mark: string | null
}

export type StepAction<T> =
  | { readonly do: 'put'; readonly next: T; readonly mark?: string }
  | { readonly do: 'undo' | 'redo' }
  | { readonly do: 'begin'; readonly next: T }

/** As many steps as can be taken back. */
const most = 200

export const beginSteps = <T>(now: T): Steps<T> => ({ past: [], now, future: [], mark: null })

export function takeStep<T>(steps: Steps<T>, action: StepAction<T>): Steps<T> {
  const { past, now, future, mark } = steps
  if (action.do === 'begin') return beginSteps(action.next)
  if (action.do === 'put') {
    if (action.next === now) return steps
    const goesOn = action.mark !== undefined && action.mark === mark
    return {
      past: goesOn ? past : [...past, now].slice(-most),
      now: action.next,
      future: [],
      mark: action.mark ?? null,
    }
  }
  if (action.do === 'undo') {
    const before = past.at(-1)
    return before === undefined ? steps : { past: past.slice(0, -1), now: before, future: [now, ...future], mark: null }
  }
  const [after, ...rest] = future
  return after === undefined ? steps : { past: [...past, now], now: after, future: rest, mark: null }
}
