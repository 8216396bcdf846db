import type { AnswerOf } from '@data-brain/contract/call'
import { getToken } from '@data-brain/contract/calls/auth'
import { call } from '../http/call.ts'
import { HttpProblem } from '../http/client.ts'
import { accessToken, keepTokens, refreshToken, tokenAge, tokenTenant } from './tokens.ts'

const every = 10_000
const lockName = 'databrain-refresh'
/** Seconds since the tokens were stored after which they are exchanged: `tokenTime` of the site configuration. */
export const tokenTime = 3000

let inFlight: Promise<void> | undefined

/** Exchanges a refresh token; the headers name what the session is to be narrowed to. */
const ask = (used: string, narrow: Readonly<Record<string, string>> = {}): Promise<AnswerOf<typeof getToken>> =>
  call(
    getToken,
    { grant_type: 'refresh_token', refresh_token: used, tenantId: tokenTenant(), scope: 'all' },
    { silent: true, headers: narrow },
  )

async function exchange(lost: (problem: HttpProblem) => void): Promise<void> {
  const used = refreshToken()
  // Another tab of this browser may have done it while this one waited for the lock.
  if (!used || tokenAge() < tokenTime) return
  try {
    const answer = await ask(used)
    // A log-out while the answer was on its way wins.
    if (accessToken()) keepTokens(answer)
  } catch (error) {
    // No answer is no verdict: the next check tries again. A refusal is final.
    if (error instanceof HttpProblem && error.status >= 400 && error.status < 500 && error.status !== 429) lost(error)
  }
}

/**
 * Sends one refresh when the tokens are old enough and none is on its way, in this tab or in another of the same
 * browser. The lock is released whatever comes of it.
 */
export function refreshIfDue(lost: (problem: HttpProblem) => void): Promise<void> {
  if (inFlight) return inFlight
  if (!accessToken() || tokenAge() < tokenTime) return Promise.resolve()
  // Where the page is not served securely there are no locks between tabs; the server's grace for a token used twice covers that.
  const turn = navigator.locks
    ? navigator.locks.request(lockName, { ifAvailable: true }, (lock) => (lock ? exchange(lost) : undefined))
    : exchange(lost)
  inFlight = Promise.resolve(turn).then(
    () => {
      inFlight = undefined
    },
    () => {
      inFlight = undefined
    },
  )
  return inFlight
}

/**
 * Exchanges the tokens at once, so that the session works as one department and role from its next call on. Waits for a
 * refresh that is under way. Throws `HttpProblem` where the server refuses; the tokens then stay.
 */
export async function refreshAs(choice: { deptId: string; roleId: string }): Promise<void> {
  await inFlight
  const turn = async () => {
    const answer = await ask(refreshToken(), { 'Dept-Id': choice.deptId, 'Role-Id': choice.roleId })
    if (accessToken()) keepTokens(answer)
  }
  if (navigator.locks) await navigator.locks.request(lockName, turn)
  else await turn()
}

/** Checks every 10 s; returns how to stop. */
export function startRefreshing(lost: (problem: HttpProblem) => void): () => void {
  const timer = setInterval(() => void refreshIfDue(lost), every)
  void refreshIfDue(lost)
  return () => clearInterval(timer)
}
