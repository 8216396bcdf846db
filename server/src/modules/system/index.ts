import type { Module } from '../module.ts'
import { addDeptRules, deptRoutes } from './dept.ts'
import { dictRoutes } from './dict.ts'
import { addDictRules } from './dict-rules.ts'
import { menuRoutes } from './menu.ts'
import { postRoutes } from './post.ts'
import { regionRoutes } from './region.ts'
import { addRoleRules, roleRoutes } from './role.ts'
import { userRoutes } from './user.ts'
import { addUserRules } from './user-rules.ts'

/** Menus, dictionaries, regions, departments, roles, posts and users. */
export const system: Module = {
  routes: [...menuRoutes, ...dictRoutes, ...regionRoutes, ...deptRoutes, ...roleRoutes, ...postRoutes, ...userRoutes],
  addRules: () => {
    addDeptRules()
    addRoleRules()
    addDictRules()
    addUserRules()
  },
  serves: {
    user: ['list', 'detail', 'submit', 'remove'],
    dept: ['list', 'submit'],
    role: ['list', 'submit'],
    dictbiz: ['list', 'submit', 'remove'],
    post: ['select'],
  },
}
