import { getCaptcha } from '@data-brain/contract/calls/auth'
import { sql } from '../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../database/transaction.ts'
import { onPublic } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import { RawResponse, type Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { captchaPicture, captchaText } from './captcha-picture.ts'
import { loginPacing } from './login-rate.ts'
import { makeTicket, newKey, sweepTickets, useTicket } from './ticket.ts'

/** How long a picture may be read. */
const captchaSeconds = 180

/** Pictures take work to make: an address is slowed that asks for more in a minute than a school at eight o'clock. */
const slowDown = loginPacing()

export interface Captcha {
  readonly key: string
  readonly code: string
}

/** What came with a call of a picture that was read; throws `captcha_needed`, with these data, where nothing did. */
export function readCaptcha(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  data: unknown = null,
): Captcha {
  const [key, code] = [headers['captcha-key'], headers['captcha-code']]
  if (typeof key !== 'string' || typeof code !== 'string' || !key || !code.trim())
    throw new Problem('captcha_needed', {}, data)
  return { key, code }
}

/**
 * Whether a picture was read right, in small or capital letters: once, within its time, in the tenant it was made for.
 * It is used up either way, so the transaction must be committed either way.
 */
export const useCaptcha = async (
  tx: Tx,
  services: Pick<Services, 'cipher'>,
  { tenantId, key, code }: Captcha & { readonly tenantId: string },
): Promise<boolean> =>
  (await useTicket(tx, services, { tenantId, kind: 'captcha', key, code: code.trim().toUpperCase() })) !== undefined

/** A picture to read. Answered bare, as clients of this wire expect it, with the envelope's fields beside. */
export const captchaRoute: Route = onPublic(getCaptcha, async (given, { services, circumstance, headers }) => {
  const header = headers['tenant-id']
  const tenantId = given.tenantId ?? (isTenantCode(header) ? header : '000000')
  await slowDown({ services, circumstance })
  const code = captchaText()
  const picture = await captchaPicture(code)
  const key = await inTenant(services.pool, tenantId, async (tx) => {
    const ticket = { tenantId, kind: 'captcha', seconds: captchaSeconds, code } as const
    // A code that is nobody's gets a picture as well, and nothing is kept of it.
    const tenant = await tx.one(sql`select 1 from tenant where tenant_id = ${tenantId}`)
    return tenant ? makeTicket(tx, services, ticket) : newKey(tenantId)
  })
  if (Math.random() < 0.01) await sweepTickets(services, tenantId)
  const data = { key, image: `data:image/png;base64,${picture.toString('base64')}` }
  return new RawResponse({ code: 200, success: true, ...data, data })
})
