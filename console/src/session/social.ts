import { goToProvider } from '@data-brain/contract/calls/social'
import { dropStored, readStored, writeStored } from '../ui/stored.ts'
import { tokenTenant } from './tokens.ts'

/*
 * The way to a provider and back. What the browser was about is kept here while it is away: the provider brings back
 * nothing but a code and a state.
 */

/** What was meant by going to a provider. */
export interface SocialErrand {
  /** Links the account there to who is logged in here; without it, logs in. */
  readonly link: boolean
  /** Where to go afterwards. */
  readonly back: string | null
}

const errandName = 'social'
const noteName = 'social-note'

/** Leaves for a provider. */
export function leaveFor(source: string, tenantId: string, errand: SocialErrand): void {
  writeStored(errandName, errand, sessionStorage)
  window.location.assign(`/api/${goToProvider.path}?${new URLSearchParams({ source, tenantId })}`)
}

/** Goes to a provider, to link the account there to who is logged in. */
export const beginLink = (source: string): void =>
  leaveFor(source, tokenTenant(), { link: true, back: '/info/index?tab=identities' })

/** What the browser was about before it left; told once. */
export function takeErrand(): SocialErrand {
  const kept = readStored<Partial<SocialErrand>>(errandName, sessionStorage)
  dropStored(errandName, sessionStorage)
  return { link: kept?.link === true, back: typeof kept?.back === 'string' ? kept.back : null }
}

export interface LinkNote {
  readonly ok: boolean
  readonly text: string
}

/** Keeps what became of linking for the page that is gone to. */
export const keepLinkNote = (note: LinkNote): boolean => writeStored(noteName, note, sessionStorage)

/** What became of linking; told once. */
export function takeLinkNote(): LinkNote | undefined {
  const note = readStored<LinkNote>(noteName, sessionStorage)
  dropStored(noteName, sessionStorage)
  return note && typeof note.text === 'string' ? note : undefined
}
