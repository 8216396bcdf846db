import type { Words } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { get } from '../../http/client.ts'

/** A call of the server, as one may ask about it. */
export interface KnownCall {
  readonly method: string
  /** Begins with /api/. */
  readonly path: string
  readonly summary: Words
  /** Whether it can never be kept by a scope: nobody could work, or leave, without it. */
  readonly always: 0 | 1
}

/** Every call that needs a session; read once, because it changes with the server's version only. */
export const useKnownCalls = (enabled = true) =>
  useQuery({
    queryKey: ['known-calls'],
    queryFn: ({ signal }) =>
      get<readonly KnownCall[]>('blade-system/explain/calls', undefined, { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
    retry: false,
  })

const form = /^(?:(GET|POST) )?(?:\/api)?(\/[A-Za-z0-9._/-]*?)(\/\*\*)?$/

/** The calls that a scope's path governs: the same reading as the server's, which has the last word when it is saved. */
export function governedBy(path: string, calls: readonly KnownCall[]): readonly KnownCall[] {
  const [, method, wanted, below] = form.exec(path.trim()) ?? []
  if (wanted === undefined) return []
  const whole = `/api${wanted}`
  return calls.filter(
    (call) =>
      call.always !== 1 &&
      (!method || call.method === method) &&
      (below ? call.path.startsWith(`${whole}/`) : call.path === whole),
  )
}

/** What calls stand under, with `/**` behind it: `/api/blade-user/student/**`. */
export const prefixesOf = (calls: readonly KnownCall[]): readonly string[] =>
  [
    ...new Set(
      calls.filter(({ always }) => always !== 1).map(({ path }) => `${path.slice(0, path.lastIndexOf('/'))}/**`),
    ),
  ].sort()
