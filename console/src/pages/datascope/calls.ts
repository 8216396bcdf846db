import { narrowedEntities, scopeOptions } from '@data-brain/contract/calls/scope'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'

const once = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

/** The entities that data scopes can narrow. */
export const useNarrowed = () =>
  useQuery({
    queryKey: ['scope-entities'],
    queryFn: ({ signal }) => call(narrowedEntities, {}, { signal, silent: true }),
    ...once,
  })

/** The rules, fields and comparisons that fit an entity. */
export const useScopeOptions = (entity: string | null) =>
  useQuery({
    queryKey: ['scope-options', entity],
    queryFn: ({ signal }) => call(scopeOptions, { entity: entity ?? '' }, { signal, silent: true }),
    enabled: entity !== null && entity !== '',
    ...once,
  })
