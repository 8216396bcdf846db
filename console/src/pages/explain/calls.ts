import { get } from '../../http/client.ts'

/** A grant that allows what was asked. */
export interface Reason {
  readonly kind: 'role' | 'admin' | 'public' | 'session'
  readonly roleId?: string
  readonly roleName?: string
  readonly code?: string
  /** The data scope that takes the row in; null where the role is not narrowed. */
  readonly scope?: { readonly id: string; readonly name: string; readonly type: string } | null
}

/** What stands in the way. */
export interface Missing {
  readonly kind: 'user' | 'code' | 'platform' | 'apiScope' | 'scope' | 'row'
  readonly code?: string
  readonly roleName?: string
  readonly scopeName?: string
  /** In words, in the caller's language. */
  readonly text: string
}

export interface Verdict {
  readonly allowed: boolean
  readonly reasons: readonly Reason[]
  readonly missing: readonly Missing[]
}

export const verbs = ['view', 'edit', 'delete'] as const

/** What is asked: about a call, or about a row. */
export type Question =
  | { readonly kind: 'call'; readonly userId: string; readonly method: string; readonly path: string }
  | {
      readonly kind: 'row'
      readonly userId: string
      readonly entity: string
      readonly id: string
      readonly verb: string
    }

/** Whether the user may, and why; the failure is shown where the answer would be. */
export const explain = ({ kind, ...query }: Question, signal?: AbortSignal) =>
  get<Verdict>(`blade-system/explain/${kind}`, query, { signal, silent: true })
