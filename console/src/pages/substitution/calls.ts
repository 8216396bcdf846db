import { classschedule, substitution, teacherabsence } from '@data-brain/contract'
import {
  coverLessons,
  substituteCandidates,
  type UncoveredLesson,
  uncoveredLessons,
} from '@data-brain/contract/calls/substitution'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { refresh, undoOffer, useEntity, useTask } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { useTimetableNews } from '../../session/timetable-news.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

/** The days that are looked at, in one school. */
export interface Days {
  readonly schoolId: string
  readonly from: string
  readonly to: string
}

const reads = [substitution.name, teacherabsence.name, classschedule.name]

export const uncoveredIn = (days: Days) =>
  queryOptions({
    queryKey: ['cover', 'uncovered', days],
    queryFn: ({ signal }) => call(uncoveredLessons, days, { signal, silent: true }),
    retry: false,
    meta: { reads },
  })

export const candidatesOf = ({ scheduleId, day }: Pick<UncoveredLesson, 'scheduleId' | 'day'>) =>
  queryOptions({
    queryKey: ['cover', 'candidates', scheduleId, day],
    queryFn: ({ signal }) => call(substituteCandidates, { scheduleId, day }, { signal, silent: true }),
    retry: false,
    meta: { reads },
  })

/** Has the desk show what somebody else has arranged, and who is away by now. */
export function useDeskNews(): void {
  const queries = useQueryClient()
  useTimetableNews(() => {
    for (const name of reads) void refresh(queries, name)
  })
}

/** How covers are given: whether their teachers are asked, and whether they count for pay. */
export interface Terms {
  readonly confirmed: boolean
  readonly countsAsExtra: boolean
}

export interface Cover {
  readonly scheduleId: string
  readonly day: string
  readonly teacherId: string
  /** The substitution that was seen on the lesson; 0 for none. */
  readonly over: string
}

/** Hears the number of the request by which a change is taken back. */
type Numbered = { readonly silent: true; readonly numbered: (requestId: string) => void }

/**
 * Does one thing at a time, says what was done, and offers to take it back; what the server refuses is kept as `failure`.
 * Everything that is shown of substitutions is read again.
 */
export function useArranging() {
  const t = useT()
  const queries = useQueryClient()
  const { undo } = useEntity(substitution)
  const { busy, failure, run } = useTask()
  const arrange = useCallback(
    <A>(work: (options: Numbered) => Promise<A>, said: string | ((answer: A) => string)) =>
      run(async () => {
        let number: string | undefined
        let answer: A
        try {
          answer = await work({ silent: true, numbered: (requestId) => (number = requestId) })
        } finally {
          // Also after a refusal: somebody else may have arranged it meanwhile.
          await Promise.all(reads.map((name) => refresh(queries, name)))
        }
        const words = typeof said === 'string' ? said : said(answer)
        toast.success(words, undefined, number === undefined ? undefined : undoOffer(number, undo, t))
      }),
    [run, queries, undo, t],
  )
  const cover = useCallback(
    (covers: readonly Cover[], { confirmed, countsAsExtra }: Terms, said: string) =>
      arrange(
        (options) =>
          call(coverLessons, { covers: [...covers], confirmed, countsAsExtra: countsAsExtra ? 1 : 0 }, options),
        said,
      ),
    [arrange],
  )
  return { busy, failure, arrange, cover }
}
