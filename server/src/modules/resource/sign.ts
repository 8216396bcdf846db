import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../kernel/services.ts'
import type { Width } from './picture.ts'

/*
 * A file is shown by <img>, which sends no header, so its address carries its own leave: who signed it (the tenant),
 * for which file, and until when.
 */

/** Links of the same five minutes are the same, so that a browser need not fetch an image twice. */
const windowSeconds = 300
const validSeconds = 900

const path = '/api/blade-resource/attach/file'
const plainLink = new RegExp(`^${path}\\?id=([1-9][0-9]{0,18})(?:&|$)`)

const keys = new WeakMap<Buffer, Buffer>()

function keyOf(services: Pick<Services, 'secrets'>): Buffer {
  const { pepper } = services.secrets
  const key = keys.get(pepper) ?? Buffer.from(hkdfSync('sha256', pepper, '', 'attach-link', 32))
  keys.set(pepper, key)
  return key
}

/** With a width the leave is for the small copy of that width, and for nothing else. */
const signature = (
  services: Pick<Services, 'secrets'>,
  tenantId: string,
  id: string,
  expires: number,
  width?: Width,
): string =>
  createHmac('sha256', keyOf(services))
    .update(`${tenantId}|${id}|${expires}${width ? `|${width}` : ''}`)
    .digest('base64url')

/** The address of a file without leave: what is stored in a row. */
export const linkOf = (id: string): string => `${path}?id=${id}`

/** The id of the file that an address of ours leads to, with or without a signature. */
export const idOfLink = (link: string): string | undefined => plainLink.exec(link)?.[1]

const anyLink = /\/api\/blade-resource\/attach\/file\?id=([1-9][0-9]{0,18})(?![0-9])(?:&(?:amp;)?[\w=&;-]*)?/g

/** The ids of the files of ours whose addresses stand in a text, each once. */
export const idsOfLinks = (text: string): string[] => [...new Set([...text.matchAll(anyLink)].map(([, id]) => id!))]

/** The address of a file, or of one small copy of it, with leave to read that for ten to fifteen minutes. */
export function signedLink(
  services: Pick<Services, 'secrets'>,
  tenantId: string,
  id: string,
  now = Date.now(),
  width?: Width,
): string {
  const expires = Math.floor(now / 1000 / windowSeconds) * windowSeconds + validSeconds
  const sign = signature(services, tenantId, id, expires, width)
  return `${linkOf(id)}&tenant=${tenantId}&expires=${expires}&sign=${sign}${width ? `&width=${width}` : ''}`
}

/** An address as it leaves the server: one of our files is signed anew, anything else stays. */
export function freshLink(services: Pick<Services, 'secrets'>, tenantId: string, link: string | null): string | null {
  const id = link ? idOfLink(link) : undefined
  return id ? signedLink(services, tenantId, id) : link
}

/**
 * Seconds that a signed address still holds, and whether for a small copy alone; 0 where it never did or no longer does.
 */
export function leaveOf(
  services: Pick<Services, 'secrets'>,
  claim: { tenantId: string; id: string; expires: number; sign: string; width: Width | undefined },
  now = Date.now(),
): { readonly seconds: number; readonly small: boolean } {
  const { tenantId, id, expires, width } = claim
  const given = Buffer.from(claim.sign)
  const fits = (of?: Width): boolean => {
    const wanted = Buffer.from(signature(services, tenantId, id, expires, of))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  const whole = fits()
  const small = !whole && width !== undefined && fits(width)
  return { seconds: whole || small ? Math.max(0, expires - Math.floor(now / 1000)) : 0, small }
}
