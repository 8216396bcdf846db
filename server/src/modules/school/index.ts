import type { Module } from '../module.ts'
import { schoolRoutes } from './routes.ts'
import { addSchoolRules } from './rules.ts'

/** Schools, their rooms, terms, classes and teaching. */
export const school: Module = {
  routes: schoolRoutes,
  addRules: addSchoolRules,
  serves: { sysgrade: ['select'] },
}
