import type { Module } from '../module.ts'
import { changePassword } from './change-password.ts'
import { lockRoutes } from './lock.ts'
import { sessionRoutes } from './session-routes.ts'
import { tokenRoute } from './token-route.ts'

export { accountHash, type Counted, unlock } from './attempts.ts'
export { endSession, endSessions, type NewPassword, setPassword } from './credential.ts'
export { md5Of, refuseWeak } from './policy.ts'
export { Slow } from './slow.ts'

/** Log-in, refresh, log-out, and one's own password. */
export const auth: Module = { routes: [tokenRoute, ...sessionRoutes, ...lockRoutes, changePassword] }
