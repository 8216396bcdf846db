/** The address of the log-in page that leads back to where the person was. */
export function loginAddress(back: string): string {
  const plain = back === '/' || back === '/wel' || back === '/wel/index' || back === ''
  return plain ? '/login' : `/login?back=${encodeURIComponent(back)}`
}

/** Where to go after log-in: only a path of this very origin, never another site and never the log-in page itself. */
export function landing(back: string | null, origin: string = window.location.origin): string {
  const home = '/wel/index'
  if (!back?.startsWith('/')) return home
  try {
    const url = new URL(back, origin)
    if (url.origin !== origin || url.pathname.startsWith('/login')) return home
    return url.pathname + url.search + url.hash
  } catch {
    return home
  }
}
