import type { Module } from '../module.ts'
import { addStudentConstraints } from './constraints.ts'
import { addStudentRules } from './rules.ts'
import { siblingRoutes } from './siblings.ts'

export { countClasses } from './class-count.ts'
export { guardianUnknown } from './rules.ts'

/** Students, their guardians, records, groups and messages. */
export const student: Module = {
  routes: siblingRoutes,
  addRules: () => {
    addStudentConstraints()
    addStudentRules()
  },
}
