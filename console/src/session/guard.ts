import { loginAddress } from './landing.ts'

export interface GuardedVisit {
  hasToken: boolean
  locked: boolean
  /** The first password has to be changed before anything else. */
  mustChange?: boolean
  /** A second factor has to be set up before anything else. */
  mustSecond?: boolean
}

export interface Journey {
  path: string
  /** With its query: where log-in leads back to. */
  full?: string
  /** The route's meta isAuth: false needs no log-in. */
  isAuth: boolean
}

const infoPath = '/info/index'
export const changePasswordPath = `${infoPath}?tab=password`
export const secondFactorPath = `${infoPath}?tab=security`

/** The way to what has to be done first, with where one was going. */
export const leadingBack = (to: string, full: string | null): string =>
  full === null || full === '/' || full === '/wel/index' ? to : `${to}&back=${encodeURIComponent(full)}`

/**
 * Where a navigation is sent instead, or undefined when it may pass (§2.3 of the specification).
 * An empty token also means a local logout, which is the caller's to do when this answers with the log-in page.
 */
export function guard(journey: Journey, traveller: GuardedVisit): string | undefined {
  const { path } = journey
  if (traveller.hasToken && traveller.locked) return path === '/lock' ? undefined : '/lock'
  if (traveller.hasToken && path === '/login') return '/'
  if (!traveller.hasToken && journey.isAuth) return loginAddress(journey.full ?? path)
  if (traveller.hasToken && journey.isAuth && path !== infoPath) {
    if (traveller.mustChange) return leadingBack(changePasswordPath, journey.full ?? path)
    if (traveller.mustSecond) return leadingBack(secondFactorPath, journey.full ?? path)
  }
  if (traveller.hasToken && path === '/lock') return '/'
  return undefined
}
