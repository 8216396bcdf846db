import type { InputOf } from '@data-brain/contract/call'
import { rosterToken } from '@data-brain/contract/calls/oneroster'
import type { ValueOf } from '@data-brain/contract/shape'
import { onPublic } from '../../../entity/serve-call.ts'
import { shapeSchema } from '../../../entity/shape-schema.ts'
import { Problem } from '../../../kernel/problem.ts'
import { RawRefusal, RawResponse } from '../../../kernel/route.ts'
import { grantToken, type RestScope, scopes } from './client.ts'
import { RatePerMinute } from './rate-limit.ts'
import { grantFailure } from './shape.ts'

/** Most tokens that one address asks for in a minute. */
const grants = new RatePerMinute(60)

const failure = (error: string, description: string, status = 400): RawRefusal =>
  new RawRefusal({ error, error_description: description } satisfies ValueOf<typeof grantFailure>, status, {
    headers: {
      Pragma: 'no-cache',
      ...(status === 401 ? { 'WWW-Authenticate': 'Basic realm="OneRoster"' } : {}),
      ...(status === 429 ? { 'Retry-After': '60' } : {}),
    },
  })

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** How a client proves itself: by HTTP Basic, or by two fields of the form; by both is by neither. */
function proofOf(
  { client_id: id, client_secret: secret }: InputOf<typeof rosterToken>,
  header: string | string[] | undefined,
): { clientId: string; secret: string } | undefined {
  if (header === undefined) return id && secret ? { clientId: id, secret } : undefined
  if (secret !== undefined) return undefined
  const basic = typeof header === 'string' ? /^basic ([A-Za-z0-9+/=]{1,512})$/i.exec(header)?.[1] : undefined
  const text = basic ? Buffer.from(basic, 'base64').toString('utf8') : ''
  const at = text.indexOf(':')
  const clientId = at > 0 ? decoded(text.slice(0, at)) : undefined
  const given = at > 0 ? decoded(text.slice(at + 1)) : undefined
  return clientId && given && (id === undefined || id === clientId) ? { clientId, secret: given } : undefined
}

const wantedOf = (given: string | undefined): RestScope[] | undefined | 'unknown' => {
  if (given === undefined) return undefined
  const names = given.split(' ').filter(Boolean)
  const known = Object.entries(scopes) as [RestScope, string][]
  const wanted = names.map((name) => known.find(([, uri]) => uri === name)?.[0])
  return wanted.every((each) => each !== undefined) ? [...new Set(wanted as RestScope[])] : 'unknown'
}

export const tokenRoute = onPublic(
  rosterToken,
  async (given, { services, circumstance, headers }) => {
    if (!grants.allows(circumstance.address)) return failure('temporarily_unavailable', 'Too many requests.', 429)
    if (!given.grant_type) return failure('invalid_request', 'grant_type is missing.')
    if (given.grant_type !== 'client_credentials')
      return failure('unsupported_grant_type', 'Only client_credentials is granted.')
    const proof = proofOf(given, headers.authorization)
    if (!proof) return failure('invalid_client', 'The client has not proved itself.', 401)
    const wanted = wantedOf(given.scope)
    if (wanted === 'unknown') return failure('invalid_scope', 'One of the scopes is not known.')
    const granted = await grantToken(services, { ...proof, wanted })
    if (granted === 'client') return failure('invalid_client', 'The client is not known, or may not read.', 401)
    if (granted === 'scope') return failure('invalid_scope', 'The client does not hold one of the scopes.')
    return new RawResponse(
      {
        access_token: granted.token,
        token_type: 'Bearer',
        expires_in: granted.seconds,
        scope: granted.scopes.map((scope) => scopes[scope]).join(' '),
      },
      200,
      { Pragma: 'no-cache' },
    )
  },
  {
    told: (thrown) =>
      thrown instanceof Problem
        ? thrown.status < 500
          ? failure('invalid_request', thrown.words('en'))
          : failure('server_error', thrown.words('en'), thrown.status)
        : undefined,
    toldSchema: shapeSchema(grantFailure),
  },
)
