import type { Module } from '../module.ts'
import { addCustomFieldRules } from './custom-field.ts'
import { addDeptRules, deptRoutes } from './dept.ts'
import { dictRoutes } from './dict.ts'
import { addDictRules } from './dict-rules.ts'
import { explainRoutes } from './explain.ts'
import { grantRoutes } from './grant.ts'
import { menuRoutes } from './menu.ts'
import { addMenuRules, menuEditRoutes } from './menu-rules.ts'
import { moveRoutes } from './move-rows.ts'
import { addOwnClassRules } from './own-classes.ts'
import { addParamRules, paramRoutes } from './param.ts'
import { postRoutes } from './post.ts'
import { regionRecords, regionRoutes } from './region.ts'
import { regionEditRoutes } from './region-edit.ts'
import { regionSearchRoutes } from './region-search.ts'
import { addRoleRules, roleRoutes } from './role.ts'
import { roleCopyRoutes } from './role-copy.ts'
import { addScopeRules, scopeRoutes } from './scopes.ts'
import { sessionRecords, sessionRoutes } from './session.ts'
import { addSystemStandings } from './standings.ts'
import { addTopMenuRules, topMenuRoutes } from './topmenu.ts'
import { userRoutes } from './user.ts'
import { userClientRoutes } from './user-client.ts'
import { userLockRoutes } from './user-lock.ts'
import { addUserRules } from './user-rules.ts'

export { type Dictionaries, dictionariesOf } from './dictionaries.ts'
export { frameSources } from './frame-sources.ts'
export { holdAdmins, isCovered, mustCoverRoles, mustCoverUsers, mustKeepAdmin, mustStandWithin } from './held-rights.ts'
export { holdGrants } from './shared-grants.ts'
export { deptsBelow } from './user.ts'
export { regionRecords, sessionRecords }

/** Menus, dictionaries, regions, departments, roles, posts and users. */
export const system: Module = {
  routes: [
    ...menuRoutes,
    ...menuEditRoutes,
    ...topMenuRoutes,
    ...moveRoutes,
    ...grantRoutes,
    ...scopeRoutes,
    ...explainRoutes,
    ...dictRoutes,
    ...paramRoutes,
    ...regionRoutes,
    ...regionSearchRoutes,
    ...regionEditRoutes,
    ...deptRoutes,
    ...roleRoutes,
    ...roleCopyRoutes,
    ...postRoutes,
    ...userRoutes,
    ...userLockRoutes,
    ...userClientRoutes,
    ...sessionRoutes,
  ],
  addRules: () => {
    addSystemStandings()
    addMenuRules()
    addTopMenuRules()
    addDeptRules()
    addRoleRules()
    addScopeRules()
    addDictRules()
    addParamRules()
    addCustomFieldRules()
    addUserRules()
    addOwnClassRules()
  },
  serves: {
    menu: ['list', 'detail', 'submit'],
    dict: ['list', 'detail', 'submit', 'remove'],
    user: ['list', 'detail', 'submit', 'remove'],
    dept: ['list', 'submit'],
    role: ['list', 'submit'],
    dictbiz: ['list', 'submit', 'remove'],
    post: ['select'],
  },
}
