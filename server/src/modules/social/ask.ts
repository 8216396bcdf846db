import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import type { Services } from '../../kernel/services.ts'
import { gatedFetch } from './fetch.ts'
import type { Kind, Provider } from './provider.ts'

/*
 * What is said to a provider: where to send somebody, and who came back. OpenID Connect with discovery and a signed ID
 * token; GitHub and Gitee by OAuth 2 and the address at which each tells who a token belongs to.
 */

type Asking = Pick<Services, 'environment'>

/** Who somebody is elsewhere. */
export interface Identity {
  readonly subject: string
  /** What they are called there: for people to read, never to find anybody by. */
  readonly name: string | null
}

/** What only this log-in knows, kept with its state. */
export interface Secrets {
  readonly verifier: string
  readonly nonce: string
}

const base = (provider: Provider, own: string): string => (provider.issuer ?? own).replace(/\/+$/, '')

/** Where the providers without discovery are asked. GitHub's own calls lie on a host of their own, an enterprise's do not. */
const places: Record<Exclude<Kind, 'oidc'>, (provider: Provider) => AuthorizationServer> = {
  github: (provider) => {
    const site = base(provider, 'https://github.com')
    return {
      issuer: site,
      authorization_endpoint: `${site}/login/oauth/authorize`,
      token_endpoint: `${site}/login/oauth/access_token`,
      userinfo_endpoint: provider.issuer ? `${site}/api/v3/user` : 'https://api.github.com/user',
    }
  },
  gitee: (provider) => {
    const site = base(provider, 'https://gitee.com')
    return {
      issuer: site,
      authorization_endpoint: `${site}/oauth/authorize`,
      token_endpoint: `${site}/oauth/token`,
      userinfo_endpoint: `${site}/api/v5/user`,
    }
  },
}

const kept = new Map<string, { readonly at: number; readonly server: Promise<AuthorizationServer> }>()
const keepFor = 3_600_000
const keepMost = 500

const options = (services: Asking) => ({
  [customFetch]: gatedFetch(services) as typeof fetch,
  // Judged in the gate itself, by the host.
  [allowInsecureRequests]: true,
})

async function discover(services: Asking, provider: Provider): Promise<AuthorizationServer> {
  const issuer = new URL(provider.issuer ?? '')
  return processDiscoveryResponse(issuer, await discoveryRequest(issuer, options(services)))
}

/** What a provider says of itself: asked once an hour, and anew when its settings change or `anew` says so. A failure is not kept. */
export function serverOf(services: Asking, provider: Provider, anew = false): Promise<AuthorizationServer> {
  if (provider.kind !== 'oidc') return Promise.resolve(places[provider.kind](provider))
  const key = `${provider.tenantId}|${provider.id}|${provider.version}|${provider.issuer}`
  const known = kept.get(key)
  if (known && !anew && Date.now() - known.at < keepFor) return known.server
  const server = discover(services, provider)
  kept.delete(key)
  if (kept.size >= keepMost) kept.delete(kept.keys().next().value as string)
  kept.set(key, { at: Date.now(), server })
  server.catch(() => {
    if (kept.get(key)?.server === server) kept.delete(key)
  })
  return server
}

const clientOf = (provider: Provider): Client => ({ client_id: provider.clientId, [clockTolerance]: 30 })

/** How the product proves which application it is: as the provider says it may, and by header where it says nothing. */
function proofOf(provider: Provider, server: AuthorizationServer): ClientAuth {
  if (!provider.clientSecret) return None()
  if (provider.kind !== 'oidc') return ClientSecretPost(provider.clientSecret)
  const ways = server.token_endpoint_auth_methods_supported
  return !ways || ways.includes('client_secret_basic')
    ? ClientSecretBasic(provider.clientSecret)
    : ClientSecretPost(provider.clientSecret)
}

/** The address at the provider to which somebody is sent. */
export async function addressOf(
  server: AuthorizationServer,
  provider: Provider,
  given: Secrets & { readonly state: string; readonly redirectUri: string },
): Promise<string> {
  const address = URL.parse(server.authorization_endpoint ?? '')
  if (!address || !/^https?:$/.test(address.protocol)) throw new Error('the provider names no place to log in')
  const openid = provider.kind === 'oidc'
  const scope = openid
    ? ['openid', ...(provider.scopes ?? 'profile').split(/\s+/).filter((word) => word && word !== 'openid')].join(' ')
    : (provider.scopes ?? '')
  const asked: Record<string, string> = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: given.redirectUri,
    state: given.state,
    code_challenge: await calculatePKCECodeChallenge(given.verifier),
    code_challenge_method: 'S256',
    ...(scope ? { scope } : {}),
    ...(openid ? { nonce: given.nonce } : {}),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  return address.href
}

const shortName = (...names: unknown[]): string | null => {
  const name = names.find(
    (each): each is string => typeof each === 'string' && each.trim() !== '' && each.isWellFormed(),
  )
  return name ? [...name.replaceAll('\u0000', '').trim()].slice(0, 100).join('') : null
}

/** Who a token of GitHub or Gitee belongs to. Their ids are numbers, which stay when a name is changed. */
async function ownerOf(
  services: Asking,
  provider: Provider,
  server: AuthorizationServer,
  token: string,
): Promise<Identity> {
  const address = new URL(server.userinfo_endpoint ?? '')
  // Gitee documents its token in the query alone.
  if (provider.kind === 'gitee') address.searchParams.set('access_token', token)
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(provider.kind === 'gitee' ? {} : { authorization: `Bearer ${token}` }),
  }
  const answer = await gatedFetch(services)(address.href, { headers })
  if (answer.status !== 200) throw new Error(`who the token belongs to was answered with ${answer.status}`)
  const person = (await answer.json()) as { id?: unknown; login?: unknown; name?: unknown } | null
  const id = person?.id
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new Error('the answer names nobody')
  return { subject: `${id}`, name: shortName(person?.name, person?.login) }
}

/** What somebody is called, where the ID token does not say; nothing where the provider does not tell either. */
async function nameAt(
  services: Asking,
  server: AuthorizationServer,
  client: Client,
  token: string,
  subject: string,
): Promise<string | null> {
  if (!server.userinfo_endpoint) return null
  try {
    const answer = await userInfoRequest(server, client, token, options(services))
    const person = await processUserInfoResponse(server, client, subject, answer)
    return shortName(person.name, person.preferred_username, person.nickname)
  } catch {
    // Who they are is settled; what they are called there is a courtesy.
    return null
  }
}

/** What came back from a provider with somebody. */
export interface ReturnedLogin extends Secrets {
  readonly code: string
  readonly state: string
  readonly iss: string | undefined
  readonly redirectUri: string
}

/**
 * Exchanges a code for who somebody is. Throws whatever went wrong: a code that is none, a token for somebody else, with
 * another nonce, of another issuer, or with a signature that is not the provider's.
 */
export async function identityOf(services: Asking, provider: Provider, returned: ReturnedLogin): Promise<Identity> {
  const server = await serverOf(services, provider)
  const client = clientOf(provider)
  const openid = provider.kind === 'oidc'
  const parameters = new URLSearchParams({ code: returned.code, state: returned.state })
  // Each provider comes back to an address of its own, and the state is bound to it: a client that does not hand `iss` on
  // loses nothing. One that does is held to it.
  const iss = returned.iss ?? (server.authorization_response_iss_parameter_supported ? server.issuer : undefined)
  if (iss !== undefined) parameters.set('iss', iss)
  const checked = validateAuthResponse(server, client, parameters, returned.state)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    proofOf(provider, server),
    checked,
    returned.redirectUri,
    returned.verifier,
    options(services),
  )
  const result = await processAuthorizationCodeResponse(server, client, response, {
    ...(openid ? { expectedNonce: returned.nonce, requireIdToken: true } : {}),
  })
  if (!openid) return ownerOf(services, provider, server, result.access_token)
  await validateApplicationLevelSignature(server, response, options(services))
  const claims = getValidatedIdTokenClaims(result)
  if (!claims || claims.sub.length > 255 || claims.sub.includes('\u0000') || !claims.sub.isWellFormed())
    throw new Error('the ID token names nobody')
  const name =
    shortName(claims.name, claims.preferred_username, claims.nickname) ??
    (await nameAt(services, server, client, result.access_token, claims.sub))
  return { subject: claims.sub, name }
}
