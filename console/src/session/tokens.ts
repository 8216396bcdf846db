import type { AnswerOf } from '@data-brain/contract/call'
import type { getToken } from '@data-brain/contract/calls/auth'
import { dropStored, storedTime, writeStored } from '../ui/stored.ts'

/** The answer of the token call, or of a failure of it. */
export type TokenAnswer = Partial<AnswerOf<typeof getToken>> & { readonly error_description?: string }

const accessCookie = 'databrain-access-token'
const refreshCookie = 'databrain-refresh-token'
const tenantCookie = 'databrain-tenant'
/** Keeps when the tokens were stored; the tokens themselves are in cookies and nowhere else. */
const timeName = 'token'

function cookie(name: string): string {
  for (const part of document.cookie.split('; ')) {
    const at = part.indexOf('=')
    if (part.slice(0, at) === name) return decodeURIComponent(part.slice(at + 1))
  }
  return ''
}

function setCookie(name: string, value: string, seconds: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser the product supports
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${secure}${seconds}`
}

export const accessToken = (): string => cookie(accessCookie)
export const refreshToken = (): string => cookie(refreshCookie)
export const tokenTenant = (): string => cookie(tenantCookie)

/** Keeps the tokens for this browser session, with the moment they were stored. */
export function keepTokens(answer: TokenAnswer): void {
  setCookie(accessCookie, answer.access_token ?? '', '')
  setCookie(refreshCookie, answer.refresh_token ?? '', '')
  setCookie(tenantCookie, answer.tenant_id ?? tokenTenant(), '')
  writeStored(timeName, answer.expires_in ?? 0)
}

export function dropTokens(): void {
  for (const name of [accessCookie, refreshCookie, tenantCookie]) setCookie(name, '', '; Max-Age=0')
  dropStored(timeName)
}

/** Seconds since the tokens were stored; infinite when that is not known. */
export function tokenAge(now: number = Date.now()): number {
  const at = storedTime(timeName)
  return at === undefined ? Number.POSITIVE_INFINITY : (now - at) / 1000
}
