import { randomBytes } from 'node:crypto'
import type { Services } from '../../kernel/services.ts'

/*
 * A log-in elsewhere belongs to the browser in which it began: whoever is sent another's address to come back to, with
 * its code and state, must not end up as them, or have the other's account linked to their own.
 */

type Headers = Readonly<Record<string, string | string[] | undefined>>

const secure = ({ environment }: Pick<Services, 'environment'>): boolean =>
  environment.publicUrl?.startsWith('https:') === true

const nameOf = (services: Pick<Services, 'environment'>): string => (secure(services) ? '__Host-social' : 'social')

/** What the browser was given to know itself by; undefined where it was given nothing. */
export function browserOf(services: Pick<Services, 'environment'>, headers: Headers): string | undefined {
  const header = headers.cookie
  if (typeof header !== 'string') return undefined
  const name = `${nameOf(services)}=`
  const value = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
    ?.slice(name.length)
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}

/** What a browser is given, and the header that gives it: half an hour for the way there and a registration after it. */
export function markBrowser(
  services: Pick<Services, 'environment'>,
  headers: Headers,
): { readonly value: string; readonly header: string } {
  const value = browserOf(services, headers) ?? randomBytes(32).toString('base64url')
  const header = `${nameOf(services)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1800${secure(services) ? '; Secure' : ''}`
  return { value, header }
}
