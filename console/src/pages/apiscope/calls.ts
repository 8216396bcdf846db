import type { AnswerOf } from '@data-brain/contract/call'
import { knownCalls } from '@data-brain/contract/calls/explain'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'

/** A call of the server, as one may ask about it. */
export type KnownCall = AnswerOf<typeof knownCalls>[number]

/** Every call that needs a session; read once, because it changes with the server's version only. */
export const useKnownCalls = (enabled = true) =>
  useQuery({
    queryKey: ['known-calls'],
    queryFn: ({ signal }) => call(knownCalls, {}, { signal, silent: true }),
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
    (known) =>
      known.always !== 1 &&
      (!method || known.method === method) &&
      (below ? known.path.startsWith(`${whole}/`) : known.path === whole),
  )
}

/** What calls stand under, with `/**` behind it: `/api/…/student/**`. */
export const prefixesOf = (calls: readonly KnownCall[]): readonly string[] =>
  [
    ...new Set(
      calls.filter(({ always }) => always !== 1).map(({ path }) => `${path.slice(0, path.lastIndexOf('/'))}/**`),
    ),
  ].sort()
