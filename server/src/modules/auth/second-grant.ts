import { inTenant } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import { type ClientCredentials, requireGrant } from './client.ts'
import { type HalfDone, openSession } from './open-session.ts'
import type { TokenAnswer } from './person.ts'
import { judgeSecond } from './second-code.ts'
import { tenantOfTicket, tryTicket } from './ticket.ts'

/** Tries that one ticket is good for. */
const ticketTries = 5

/** The second step of a log-in whose first one answered a ticket: a code of the authenticator, or a recovery code. */
export async function secondFactorGrant(
  call: Pick<PublicCall, 'services' | 'circumstance'>,
  wish: { readonly client: ClientCredentials; readonly ticket: string; readonly code: string },
): Promise<TokenAnswer> {
  const { services } = call
  const { client, ticket: key } = wish
  const tenantId = tenantOfTicket(key)
  if (!tenantId) throw new Problem('second_factor_over')
  const judged = await inTenant(services.pool, tenantId, async (tx) => {
    const ticket = await tryTicket(tx, services, { tenantId, kind: 'second', key, tries: ticketTries })
    if (!ticket?.userId || ticket.clientId !== client.id) return undefined
    const { userId } = ticket
    const half = ticket.payload as HalfDone
    await requireGrant(tx, client, half.grant)
    const right = await judgeSecond(tx, services.cipher, { tenantId, userId }, wish.code)
    if (right) await ticket.spend()
    return { userId, half, right }
  })
  if (!judged) throw new Problem('second_factor_over')
  if (!judged.right) throw new Problem('second_factor_wrong')
  const { grant, hash, narrow } = judged.half
  return openSession(call, {
    client,
    tenantId,
    userId: judged.userId,
    narrow,
    proof: { grant, ...(hash === null ? {} : { hash }) },
    secondFactorDone: true,
  })
}
