import { inTenant, type Tx } from '../../database/transaction.ts'
import { publicRoute, type Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { parametersOf } from '../../kernel/setting.ts'

/** A log-in at somebody else's that a tenant offers. */
export interface SocialWay {
  readonly source: string
  readonly name: string
  readonly nameEn: string | null
  readonly kind: string
}

type SocialWays = (tx: Tx, services: Services, tenantId: string) => Promise<readonly SocialWay[]>

let socialWays: SocialWays = async () => []

/** Says where the social ways of a tenant are known. */
export function addSocialWays(ways: SocialWays): void {
  socialWays = ways
}

/**
 * How one may log in to a tenant: what its log-in page shows. One that does not exist has what every tenant begins with.
 */
export const waysRoute: Route = publicRoute({
  method: 'GET',
  path: '/blade-auth/oauth/ways',
  summary: { zh: '登录方式', en: 'Ways to log in' },
  access: 'public',
  parameters: { tenantId: { kind: 'tenant', required: true } },
  handler: ({ services, parameters: { tenantId } }) =>
    inTenant(services.pool, tenantId, async (tx) => {
      const set = await parametersOf(tx, tenantId, ['login.captcha', 'login.phone', 'login.switch'])
      return {
        captcha: set['login.captcha'],
        phone: set['login.phone'],
        switchMode: set['login.switch'],
        social: await socialWays(tx, services, tenantId),
      }
    }),
})
