import type { Module } from '../module.ts'
import { addSchoolConstraints } from './agreements.ts'
import { addCampusRules } from './campus.ts'
import { addClassMeaning } from './class-meant.ts'
import { schoolRoutes } from './routes.ts'
import { addSchoolRules } from './rules.ts'
import { setUpRoutes } from './set-up.ts'
import { addSchoolStandings } from './standings.ts'
import { treeRoutes } from './tree.ts'

/** Schools, their rooms, terms, classes and teaching. */
export const school: Module = {
  routes: [...schoolRoutes, ...setUpRoutes, ...treeRoutes],
  addRules: () => {
    addSchoolConstraints()
    addSchoolStandings()
    addClassMeaning()
    addSchoolRules()
    addCampusRules()
  },
  serves: { sysgrade: ['select'] },
}
