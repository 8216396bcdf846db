import { createHash } from 'node:crypto'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import {
  type ClientCredentials,
  type ClientRow,
  checkClient,
  clientColumns,
  makeTicket,
  openSession,
  readClient,
  readNarrow,
  requiredParameter,
  slowDown,
  type TokenAnswer,
  type TokenCall,
  tenantOfLogin,
  tenantOfTicket,
  tryTicket,
} from '../auth/index.ts'
import { browserOf } from './browser.ts'
import { comeBack, type ReturnedPerson } from './flow.ts'
import { type Kind, providerById } from './provider.ts'

/** How long somebody who is not known here may take to register or to log in. */
const ticketSeconds = 1_800

/** Who somebody unknown is elsewhere: what waits with their `oauth_id`. */
interface Stranger {
  readonly providerId: string
  readonly subject: string
  readonly name: string | null
  /** Digest of what their browser knows itself by. */
  readonly browser: string
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The user who is this identity, which is marked as used; undefined where it is nobody's. */
async function userOf(tx: Tx, tenantId: string, { provider, subject }: ReturnedPerson): Promise<string | undefined> {
  const row = await tx.one<{ user_id: string }>(
    sql`update social_identity set last_used = now()
        where tenant_id = ${tenantId} and provider_id = ${provider.id} and subject = ${subject} returning user_id`,
  )
  return row?.user_id
}

const isWaiting = async (tx: Tx, tenantId: string, { provider, subject }: ReturnedPerson): Promise<boolean> =>
  (await tx.one(
    sql`select 1 from guest_secret where tenant_id = ${tenantId} and provider_id = ${provider.id} and subject = ${subject}`,
  )) !== undefined

/** The application must be one that may ask this before anything is found out, or used up. */
async function mustBeClient(services: Services, tenantId: string, client: ClientCredentials): Promise<void> {
  const row = await inTenant(services.pool, tenantId, (tx) =>
    tx.one<ClientRow>(sql`select ${clientColumns} from client c where c.client_id = ${client.id}`),
  )
  checkClient(row, client, 'social')
}

/** What stands for a person in the answer to somebody whom nobody here is: no tokens, but what they register with. */
const stranger = (tenantId: string, client: string, oauthId: string, name: string | null): TokenAnswer => ({
  access_token: '',
  refresh_token: '',
  token_type: 'bearer',
  expires_in: 0,
  scope: 'all',
  tenant_id: tenantId,
  user_id: '',
  dept_id: '',
  post_id: '',
  role_id: '',
  oauth_id: oauthId,
  account: '',
  user_name: '',
  nick_name: name ?? '',
  real_name: '',
  role_name: 'guest',
  avatar: '',
  client_id: client,
  detail: { type: 'web' },
  license: 'Apache-2.0',
  jti: '',
})

/**
 * Log-in by an account elsewhere. Whoever is known is logged in as by any other way, with the second factor where there
 * is one; somebody unknown is given an `oauth_id`, with which the same browser may register.
 */
export async function socialGrant(call: TokenCall): Promise<TokenAnswer> {
  const { services, headers, parameters } = call
  const client = readClient(headers.authorization)
  const narrow = readNarrow(headers)
  const [source, code, state] = [
    requiredParameter(parameters, 'source'),
    requiredParameter(parameters, 'code'),
    requiredParameter(parameters, 'state'),
  ]
  const tenantId = parameters.tenantId || headers['tenant-id'] ? tenantOfLogin(call) : tenantOfTicket(state)
  if (tenantId === undefined) throw new Problem('social_state')
  await slowDown(call)
  await mustBeClient(services, tenantId, client)
  const back = await comeBack(call, { tenantId, source, code, state, iss: parameters.iss })
  const found = await inTenant(services.pool, tenantId, async (tx) => {
    const userId = await userOf(tx, tenantId, back)
    if (userId !== undefined) return { userId, oauthId: undefined }
    if (await isWaiting(tx, tenantId, back)) throw new Problem('guest_waiting')
    const { provider, subject, name } = back
    const browser = digest(browserOf(services, headers) ?? '')
    const payload: Stranger = { providerId: provider.id, subject, name, browser }
    const ticket = { tenantId, kind: 'guest', seconds: ticketSeconds, clientId: client.id, payload } as const
    return { oauthId: await makeTicket(tx, services, ticket) }
  })
  return found.oauthId !== undefined
    ? stranger(tenantId, client.id, found.oauthId, back.name)
    : openSession(call, { client, tenantId, userId: found.userId, narrow, proof: { grant: 'social' } })
}

/** Somebody unknown, as their `oauth_id` tells, and what uses that up. */
export interface HeldStranger extends Stranger {
  readonly source: string
  readonly kind: Kind
  spend(): Promise<void>
}

/**
 * Who came with an `oauth_id`, held until the transaction ends. Throws `social_ticket` where it is none, has run out, was
 * used, or was given to another browser, or its provider is no longer there.
 */
export async function heldStranger(
  tx: Tx,
  { services, headers }: Pick<TokenCall, 'services' | 'headers'>,
  tenantId: string,
  oauthId: string,
): Promise<HeldStranger> {
  // What is registered with it may be refused a few times over, for a password that is too weak, say.
  const ticket = await tryTicket(tx, services, { tenantId, kind: 'guest', key: oauthId, tries: 50 })
  const who = ticket?.payload as Stranger | undefined
  const browser = browserOf(services, headers)
  if (!ticket || !who || browser === undefined || digest(browser) !== who.browser) throw new Problem('social_ticket')
  const provider = await providerById(tx, services, tenantId, who.providerId)
  if (!provider) throw new Problem('social_ticket')
  return { ...who, source: provider.source, kind: provider.kind, spend: ticket.spend }
}
