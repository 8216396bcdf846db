import type { Words } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { get } from '../../http/client.ts'

/** An entity whose rows can be narrowed. */
export interface Narrowed {
  readonly name: string
  readonly label: Words
}

/** What a data scope on an entity can be made of. */
export interface ScopeOptions {
  /** Keys of the dictionary data_scope_type that fit. */
  readonly types: readonly string[]
  /** Fields that own-rows and department rules may look at, by type. */
  readonly columns: Readonly<Record<string, readonly Narrowed[] | undefined>>
}

const once = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

/** The entities that data scopes can narrow. */
export const useNarrowed = () =>
  useQuery({
    queryKey: ['scope-entities'],
    queryFn: ({ signal }) =>
      get<readonly Narrowed[]>('blade-system/data-scope/entities', undefined, { signal, silent: true }),
    ...once,
  })

/** The rules, fields and comparisons that fit an entity. */
export const useScopeOptions = (entity: string | null) =>
  useQuery({
    queryKey: ['scope-options', entity],
    queryFn: ({ signal }) =>
      get<ScopeOptions>('blade-system/data-scope/options', { entity: entity ?? '' }, { signal, silent: true }),
    enabled: entity !== null && entity !== '',
    ...once,
  })
