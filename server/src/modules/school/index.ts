import type { Module } from '../module.ts'
import { addCampusRules } from './campus.ts'
import { schoolRoutes } from './routes.ts'
import { addSchoolRules } from './rules.ts'
import { setUpRoutes } from './set-up.ts'

/** Schools, their rooms, terms, classes and teaching. */
export const school: Module = {
  routes: [...schoolRoutes, ...setUpRoutes],
  addRules: () => {
    addSchoolRules()
    addCampusRules()
  },
  serves: { sysgrade: ['select'] },
}
