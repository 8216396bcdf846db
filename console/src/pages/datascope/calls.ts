import type { Kind, Words } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { get } from '../../http/client.ts'
import type { Op } from './rule.ts'

/** An entity whose rows can be narrowed. */
export interface Narrowed {
  readonly name: string
  readonly label: Words
}

/** A field that a condition may look at. */
export interface ScopeField {
  readonly name: string
  readonly label: Words
  readonly kind: Kind
  readonly dict?: string
  readonly to?: string
  readonly ops: readonly Op[]
}

/** What a data scope on an entity can be made of. */
export interface ScopeOptions {
  /** Keys of the dictionary data_scope_type that fit. */
  readonly types: readonly string[]
  /** Fields that own-rows and department rules may look at, by type. */
  readonly columns: Readonly<Record<string, readonly Narrowed[] | undefined>>
  readonly fields: readonly ScopeField[]
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
