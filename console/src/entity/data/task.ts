import { useCallback, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { asStep } from '../../ui/undo.ts'
import { useT } from '../../ui/words.ts'

export interface Task {
  readonly busy: boolean
  /** What the server said of the last try; empty when nothing is wrong. */
  readonly failure: string
  /**
   * Does one thing at a time; answers whether it was done. The calls inside are silent: the failure is shown here.
   * `onStale`: what follows where somebody else has changed the same meanwhile.
   */
  readonly run: (work: () => Promise<void>, onStale?: () => Promise<void>) => Promise<boolean>
}

/** What a dialog's button does: shown as busy while it lasts, and what goes wrong is kept to be shown in the dialog. */
export function useTask(): Task {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const running = useRef(false)
  const run = useCallback(
    async (work: () => Promise<void>, onStale?: () => Promise<void>) => {
      if (running.current) return false
      running.current = true
      setBusy(true)
      setFailure('')
      try {
        try {
          await asStep(work())
          return true
        } catch (problem) {
          if (!onStale || !(problem instanceof HttpProblem) || problem.code !== 409) throw problem
          await onStale()
          return false
        }
      } catch (problem) {
        // Anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
        setFailure(problem.message || t('spec.unknownError'))
        return false
      } finally {
        running.current = false
        setBusy(false)
      }
    },
    [t],
  )
  return { busy, failure, run }
}
