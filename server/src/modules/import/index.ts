import type { Module } from '../module.ts'
import { passwordsRoute } from './passwords.ts'
import { routesOf } from './routes.ts'
import { studentForm } from './student-form.ts'
import { userForm } from './user-form.ts'

/** Students and users out of spreadsheets: read, matched, checked, corrected, stored as one batch, and undone. */
export const importing: Module = {
  routes: [...routesOf(studentForm), ...routesOf(userForm), passwordsRoute(userForm)],
}
