import { randomBytes } from 'node:crypto'
import type { InputOf } from '@data-brain/contract/call'
import { goToNamedProvider, goToProvider } from '@data-brain/contract/calls/social'
import { inTenant } from '../../database/transaction.ts'
import { onPublic } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import { type PublicCall, RawResponse } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { makeTicket, slowDown, useTicket } from '../auth/index.ts'
import type { Identity, Secrets } from './ask.ts'
import { browserOf, markBrowser } from './browser.ts'
import { type Provider, providerById, providerBySource } from './provider.ts'

/** How long somebody may be away at a provider. */
const stateSeconds = 600

/** What waits with a state. */
interface Away extends Secrets {
  readonly source: string
  readonly providerId: string
}

/** Where a provider sends people back to: an address of its own for each, so that one cannot answer for another. */
export const redirectUri = (publicUrl: string, source: string): string => {
  const address = new URL('/login', publicUrl)
  address.searchParams.set('source', source)
  return address.href
}

/** What went wrong on the way out, as the log-in page is told it. */
type Fault = 'unavailable' | 'unreachable' | 'address'

const backToLogin = (tenantId: string, source: string, fault: Fault): RawResponse<null> => {
  const query = new URLSearchParams({ tenant: tenantId, source, error: fault })
  return new RawResponse(null, 302, { Location: `/login?${query}` })
}

/** Sends a browser to a provider. It is a page that asks, so what goes wrong is told on the log-in page. */
async function begin(
  { source, tenantId = '000000' }: InputOf<typeof goToProvider>,
  call: PublicCall,
): Promise<RawResponse<null>> {
  const { services, headers } = call
  const { publicUrl } = services.environment
  await slowDown(call)
  if (publicUrl === null) return backToLogin(tenantId, source, 'address')
  const provider = await inTenant(services.pool, tenantId, (tx) => providerBySource(tx, services, tenantId, source))
  if (!provider) return backToLogin(tenantId, source, 'unavailable')
  const browser = markBrowser(services, headers)
  const secrets: Secrets = {
    verifier: randomBytes(32).toString('base64url'),
    nonce: randomBytes(32).toString('base64url'),
  }
  try {
    const { addressOf, serverOf } = await import('./ask.ts')
    const server = await serverOf(services, provider)
    const payload: Away = { ...secrets, source, providerId: provider.id }
    const ticket = { tenantId, kind: 'social', seconds: stateSeconds, code: browser.value, payload } as const
    const state = await inTenant(services.pool, tenantId, (tx) => makeTicket(tx, services, ticket))
    const address = await addressOf(server, provider, {
      ...secrets,
      state,
      redirectUri: redirectUri(publicUrl, source),
    })
    return new RawResponse(null, 302, {
      Location: address,
      'Set-Cookie': browser.header,
      'Referrer-Policy': 'no-referrer',
    })
  } catch (error) {
    told(services, provider, error)
    return backToLogin(tenantId, source, 'unreachable')
  }
}

/** What a provider's failure says goes to the log: never a code, a token or a name, which the errors do not hold. */
function told(services: Pick<Services, 'log'>, provider: Provider, error: unknown): void {
  const { name, message, code } = error as Error & { code?: string }
  services.log.warn('social log-in', {
    tenantId: provider.tenantId,
    source: provider.source,
    error: [name, code, message].filter(Boolean).join(': ').slice(0, 300),
  })
}

/** Under both addresses by which clients of this wire go to a provider. */
export const renderRoutes = [onPublic(goToProvider, begin), onPublic(goToNamedProvider, begin)]

/** Somebody who has come back from a provider. */
export interface ReturnedPerson extends Identity {
  readonly provider: Provider
}

interface Return {
  readonly tenantId: string
  readonly source: string
  readonly code: string
  readonly state: string
  readonly iss: string | undefined
}

/**
 * Finds out who has come back with a code and a state. A state is good once, for ten minutes, in the browser, for the
 * tenant and from the provider that it was made for. Throws `social_state`, `social_unavailable` or `social_failed`.
 */
export async function comeBack(
  { services, headers }: Pick<PublicCall, 'services' | 'headers'>,
  { tenantId, source, code, state, iss }: Return,
): Promise<ReturnedPerson> {
  const browser = browserOf(services, headers)
  const { publicUrl } = services.environment
  if (publicUrl === null) throw new Problem('social_unavailable')
  const found = await inTenant(services.pool, tenantId, async (tx) => {
    const use = { tenantId, kind: 'social', key: state, code: browser ?? '' } as const
    const away = (await useTicket(tx, services, use))?.payload as Away | undefined
    return away && { away, provider: await providerById(tx, services, tenantId, away.providerId) }
  })
  // Told after the transaction: a state that was tried is used up.
  if (!found || browser === undefined || found.away.source !== source) throw new Problem('social_state')
  const { away, provider } = found
  if (!provider) throw new Problem('social_unavailable')
  const { verifier, nonce } = away
  try {
    const redirect = redirectUri(publicUrl, source)
    const { identityOf } = await import('./ask.ts')
    const who = await identityOf(services, provider, { code, state, iss, verifier, nonce, redirectUri: redirect })
    return { ...who, provider }
  } catch (error) {
    told(services, provider, error)
    throw new Problem('social_failed')
  }
}
