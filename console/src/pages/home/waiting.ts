import { waiting } from '@data-brain/contract/calls/home'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'

/** The gate is a page of no menu. */
export const gatePath = '/work/gate'
/** What waits at the gate; named, though it be none, to whoever stands there. */
export const gateFigure = 'passes'

/** What waits for this person today. */
export const useWaiting = () =>
  useQuery({
    queryKey: ['home', 'todo'],
    queryFn: ({ signal }) => call(waiting, {}, { signal, silent: true }),
    meta: { reads: ['student', 'schoolclass', 'schoolyear', 'schoolsemester', 'user', 'guest', 'job'] },
  })
