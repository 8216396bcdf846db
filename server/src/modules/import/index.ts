import { tellFilesTo } from '../jobs/index.ts'
import type { Module } from '../module.ts'
import { addChecking } from './check-job.ts'
import { addCommitting } from './commit-job.ts'
import { entityFormsMade } from './entity/form.ts'
import { guardianForm } from './guardian-form.ts'
import { passwordsRoute } from './passwords.ts'
import { importsAll } from './reach.ts'
import { addReading } from './read-job.ts'
import { routesOf } from './routes.ts'
import { studentForm } from './student-form.ts'
import { addUndoing } from './undo-job.ts'
import { userForm } from './user-form.ts'

const forms = [studentForm, guardianForm, userForm, ...entityFormsMade]
for (const form of forms) {
  tellFilesTo(form.kind, (actor) => importsAll(form, actor))
  addReading(form)
  addChecking(form)
  addCommitting(form)
  addUndoing(form)
}

/** Students, users, classes, rooms and teaching assignments out of spreadsheets: read, matched, checked, corrected, stored as one batch, and undone. */
export const importing: Module = {
  routes: [...forms.flatMap((form) => routesOf(form, forms)), passwordsRoute(userForm)],
}
