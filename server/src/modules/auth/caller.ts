import { authenticate, type Opened } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'

type Headers = PublicCall['headers']

/** Calls that change something by GET: no other site may lead a browser to them. Old browsers send no such header. */
export function refuseCrossSite(headers: Headers): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Problem('cross_site')
}

/**
 * Runs `work` as whoever the token names, in one transaction: for calls that must read headers, or that hash between
 * two transactions, and so cannot leave their session to the router.
 */
export async function asCaller<T>(
  services: Services,
  headers: Headers,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await authenticate(services, headers['blade-auth'])
  try {
    const answer = await work(opened)
    await opened.commit()
    return answer
  } catch (error) {
    await opened.rollback()
    throw error
  }
}
