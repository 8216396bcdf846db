import type { AnswerOf } from '@data-brain/contract/call'
import { loginWays } from '@data-brain/contract/calls/auth'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { onPublic } from '../../entity/serve-call.ts'
import type { Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { parametersOf } from '../../kernel/setting.ts'

/** A log-in at somebody else's that a tenant offers. */
export type SocialWay = AnswerOf<typeof loginWays>['social'][number]

type SocialWays = (tx: Tx, services: Services, tenantId: string) => Promise<readonly SocialWay[]>

let socialWays: SocialWays = async () => []

/** Says where the social ways of a tenant are known. */
export function addSocialWays(ways: SocialWays): void {
  socialWays = ways
}

/**
 * How one may log in to a tenant: what its log-in page shows. One that does not exist has what every tenant begins with.
 */
export const waysRoute: Route = onPublic(loginWays, ({ tenantId }, { services }) =>
  inTenant(services.pool, tenantId, async (tx) => {
    const set = await parametersOf(tx, tenantId, ['login.captcha', 'login.phone', 'login.switch'])
    return {
      captcha: set['login.captcha'],
      phone: set['login.phone'],
      switchMode: set['login.switch'],
      social: await socialWays(tx, services, tenantId),
    }
  }),
)
