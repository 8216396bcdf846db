import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../kernel/services.ts'
import type { Width } from './picture.ts'

/*
 * A file is shown by <img>, which sends no header, so its address carries its own leave: in whose session, for which
 * file, and until when. It ends with that session.
 */

/** To whom leave is given: a session of a tenant; null to whoever has no session yet, for the pictures of a log-in page. */
export interface LinkHolder {
  readonly tenantId: string
  readonly sessionId: string | null
}

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
  { tenantId, sessionId }: LinkHolder,
  id: string,
  expires: number,
  width?: Width,
): string =>
  createHmac('sha256', keyOf(services))
    .update(`${tenantId}|${id}|${expires}|${sessionId ?? ''}${width ? `|${width}` : ''}`)
    .digest('base64url')

/** The address of a file without leave: what is stored in a row. */
export const linkOf = (id: string): string => `${path}?id=${id}`

/** The id of the file that an address of ours leads to, with or without a signature. */
export const idOfLink = (link: string): string | undefined => plainLink.exec(link)?.[1]

const pictures = /<img src="([^"]+)"/g

/**
 * Ids of the files that the cleaned text of a notice shows, each once: what its author must be free to show, what its
 * readers are shown, and what is in use by it.
 */
export const picturesOf = (html: string): string[] => [
  ...new Set([...html.matchAll(pictures)].flatMap(([, src]) => idOfLink(src!.replaceAll('&amp;', '&')) ?? [])),
]

/** Cleaned text as somebody gets it: each picture with leave to be shown for some minutes. */
export const withPictures = (services: Pick<Services, 'secrets'>, holder: LinkHolder, html: string): string =>
  html.replace(pictures, (_, src: string) => {
    const signed = freshLink(services, holder, src.replaceAll('&amp;', '&')) ?? ''
    return `<img src="${signed.replaceAll('&', '&amp;')}"`
  })

/** The address of a file, or of one small copy of it, with leave to read that for ten to fifteen minutes. */
export function signedLink(
  services: Pick<Services, 'secrets'>,
  holder: LinkHolder,
  id: string,
  now = Date.now(),
  width?: Width,
): string {
  const expires = Math.floor(now / 1000 / windowSeconds) * windowSeconds + validSeconds
  const sign = signature(services, holder, id, expires, width)
  const session = holder.sessionId === null ? '' : `&session=${holder.sessionId}`
  return `${linkOf(id)}&tenant=${holder.tenantId}${session}&expires=${expires}&sign=${sign}${width ? `&width=${width}` : ''}`
}

/** An address as it leaves the server: one of our files is signed anew, anything else stays. */
export function freshLink(services: Pick<Services, 'secrets'>, holder: LinkHolder, link: string | null): string | null {
  const id = link ? idOfLink(link) : undefined
  return id ? signedLink(services, holder, id) : link
}

/**
 * Seconds that a signed address still holds, and whether for a small copy alone; 0 where it never did or no longer does.
 */
export function leaveOf(
  services: Pick<Services, 'secrets'>,
  claim: LinkHolder & { id: string; expires: number; sign: string; width: Width | undefined },
  now = Date.now(),
): { readonly seconds: number; readonly small: boolean } {
  const { id, expires, width } = claim
  const given = Buffer.from(claim.sign)
  const fits = (of?: Width): boolean => {
    const wanted = Buffer.from(signature(services, claim, id, expires, of))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  const whole = fits()
  const small = !whole && width !== undefined && fits(width)
  return { seconds: whole || small ? Math.max(0, expires - Math.floor(now / 1000)) : 0, small }
}
