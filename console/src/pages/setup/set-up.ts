import { setUp } from '@data-brain/contract/calls/school'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'

/** The schools that the person may see, with how far each is set up. */
export function useSetUp(enabled: boolean) {
  return useQuery({
    queryKey: ['setUp'],
    queryFn: ({ signal }) => call(setUp, {}, { signal, silent: true }),
    meta: { reads: ['school', 'schoolcampus', 'schoolyear', 'schoolsemester', 'sysgrade', 'schoolclass', 'student'] },
    enabled,
  })
}
