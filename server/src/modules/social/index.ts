import { addGrant, addSocialWays } from '../auth/index.ts'
import type { Module } from '../module.ts'
import { guestRoutes } from './approve.ts'
import { checkRoute } from './check.ts'
import { renderRoutes } from './flow.ts'
import { socialGrant } from './grant.ts'
import { identityRoutes } from './identities.ts'
import { socialWays } from './provider.ts'
import { registerRoute } from './register.ts'
import { addProviderRules } from './rules.ts'

addGrant('social', socialGrant)
addSocialWays(socialWays)

/** Log-in by an account elsewhere: who may be asked, who of ours is who there, and who asks for an account here. */
export const socialModule: Module = {
  routes: [...renderRoutes, registerRoute, checkRoute, ...guestRoutes, ...identityRoutes],
  addRules: addProviderRules,
}
