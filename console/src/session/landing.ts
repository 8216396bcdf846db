import { dropStored, readStored, writeStored } from '../ui/stored.ts'

const landingName = (userId: string): string => `landing:${userId}`

/** The page that a person chose to begin with, in this browser. */
export function chosenLanding(userId: string | undefined): string | undefined {
  const path = userId ? readStored<unknown>(landingName(userId)) : undefined
  return typeof path === 'string' && path.startsWith('/') ? path : undefined
}

/** Keeps the page to begin with; without one, it is home again. */
export function keepLanding(userId: string, path: string): void {
  if (path) writeStored(landingName(userId), path)
  else dropStored(landingName(userId))
}

/** The address of the log-in page that leads back to where the person was. */
export function loginAddress(back: string): string {
  const plain = back === '/' || back === '/wel' || back === '/wel/index' || back === ''
  return plain ? '/login' : `/login?back=${encodeURIComponent(back)}`
}

/**
 * Where to go after log-in: only a path of this very origin, never another site and never the log-in page itself.
 * Without one, where the person chose to begin.
 */
export function landing(back: string | null, origin: string = window.location.origin, chosen?: string): string {
  const home = '/wel/index'
  if (!back?.startsWith('/')) return chosen === undefined ? home : landing(chosen, origin)
  try {
    const url = new URL(back, origin)
    // A path that begins with two slashes once its dots are gone (`/.//host`) would be read as another host.
    if (url.origin !== origin || url.pathname.startsWith('/login') || url.pathname.startsWith('//')) return home
    return url.pathname + url.search + url.hash
  } catch {
    return home
  }
}
