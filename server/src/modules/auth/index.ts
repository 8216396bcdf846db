import type { Module } from '../module.ts'
import { captchaRoute } from './captcha.ts'
import { changePasswordRoute } from './change-password.ts'
import { lockRoutes } from './lock.ts'
import { waysRoute } from './login-ways.ts'
import { mySessionRoutes } from './my-sessions.ts'
import { phoneCodeRoute } from './phone.ts'
import { addSecondRules, secondFactorRoutes } from './second-factor.ts'
import { sessionRoutes } from './session-routes.ts'
import { tokenRoute } from './token-route.ts'

export { accountHash, nameLocks, ownLocks, unlock } from './attempts.ts'
export { type ClientCredentials, type ClientRow, checkClient, clientColumns, readClient } from './client.ts'
export { endSession, endSessions, setPassword } from './credential.ts'
export { dropIdentities } from './identities.ts'
export { loginPacing, TokenBuckets } from './login-rate.ts'
export { addSocialWays } from './login-ways.ts'
export { online } from './my-sessions.ts'
export { openSession } from './open-session.ts'
export type { TokenAnswer } from './person.ts'
export { md5Of, refuseWeak } from './policy.ts'
export { removeSecond } from './second-factor.ts'
export { readNarrow } from './switch-work.ts'
export { makeTicket, tenantOfTicket, tryTicket, useTicket } from './ticket.ts'
export { addGrant, requiredParameter, slowDown, type TokenCall, tenantOfLogin } from './token-route.ts'

/** Log-in, refresh, log-out, and one's own password. */
export const auth: Module = {
  addRules: addSecondRules,
  routes: [
    tokenRoute,
    waysRoute,
    captchaRoute,
    phoneCodeRoute,
    ...sessionRoutes,
    ...lockRoutes,
    ...mySessionRoutes,
    changePasswordRoute,
    ...secondFactorRoutes,
  ],
}
