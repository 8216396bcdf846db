import { classschedule } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { type EntityCalls, toldOf, undoOffer, useCalls, useEntity } from '../../entity/data/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { type Binding, useKeys } from '../../ui/keys.ts'
import { useTab } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { act, toast, toasts } from '../../ui/toast.ts'
import { asStep, newestUndo, untilTold } from '../../ui/undo.ts'
import { useT } from '../../ui/words.ts'
import type { Lesson } from './lesson.ts'
import { stepsOf, type Way } from './steps.ts'

/** Steps back and forth through what was done to a draft. */
export interface Turning {
  readonly back: () => void
  readonly forth: () => void
  readonly canBack: boolean
  readonly canForth: boolean
}

/** The calls of a draft's page, which remember what they change. */
export function useCallsOfDraft(planId: string, lessons: readonly Lesson[] | undefined): EntityCalls {
  const calls = useCalls()
  const shown = useRef(lessons)
  shown.current = lessons
  return useMemo(() => {
    const nameOf = (ids: readonly string[]): string => {
      const [first] = shown.current?.filter(({ id }) => ids.includes(id)) ?? []
      return first ? `${first.className} ${first.subjectName}` : ''
    }
    return stepsOf(planId).callsOver(calls, nameOf)
  }, [planId, calls])
}

/** The keys and buttons that take a step back or forth; `before` is called first. */
export function useTurning(planId: string, isDraft: boolean, before: () => void): Turning {
  const t = useT()
  const calls = useCalls()
  const queries = useQueryClient()
  const { undo } = useEntity(classschedule)
  const steps = stepsOf(planId)
  const counts = useStore(steps.counts)
  const turn = (way: Way): boolean => {
    // A message that offers to take back what comes is dropped, and stands by then.
    const told = untilTold()
    dropOffer(steps.newest(way))
    const work = steps.turn(way, async (requestId) => {
      await told
      dropOffer(requestId)
      return calls.undo(requestId, false)
    })
    if (!work) return false
    before()
    void asStep(
      work.then(
        async (done) => {
          if (!done) return
          await queries.invalidateQueries()
          if (way === 'back') toast.success(t('plan.undone', { name: done.name }))
          else toast.success(t('plan.redone', { name: done.name }), undefined, undoOffer(done.requestId, undo, t))
        },
        async (problem: unknown) => {
          if (!(problem instanceof HttpProblem)) throw problem
          toast.error(t(way === 'back' ? 'plan.notUndone' : 'plan.notRedone'), toldOf(problem, t))
          await queries.invalidateQueries()
        },
      ),
    )
    return true
  }
  const bindings: readonly Binding[] = [
    {
      keys: ['Mod+KeyZ'],
      label: 'plan.keyUndo',
      // What is offered by a message of another page is newer than any step that has no message left.
      run: () => {
        const newest = newestUndo()?.action?.takes
        return (!newest || steps.has(newest)) && turn('back')
      },
    },
    { keys: ['Mod+Shift+KeyZ', 'Mod+KeyY'], label: 'plan.keyRedo', run: () => turn('forth') },
  ]
  useKeys(useTab().active && isDraft, { name: 'plan.gridKeys', bindings })
  return {
    back: () => void turn('back'),
    forth: () => void turn('forth'),
    canBack: counts.back > 0,
    canForth: counts.forth > 0,
  }
}

/** A message that offers what has been done has nothing to offer any more. */
function dropOffer(requestId: string | undefined): void {
  const told = requestId && toasts.get().find(({ action }) => action?.takes?.includes(requestId))
  if (told) act({ ...told, action: undefined })
}
