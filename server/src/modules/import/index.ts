import { tellFilesTo } from '../jobs/index.ts'
import type { Module } from '../module.ts'
import { addChecking } from './batch/check-job.ts'
import { addCommitting } from './batch/commit-job.ts'
import { importsAll } from './batch/import-access.ts'
import { addUndoing } from './batch/undo-job.ts'
import { entityFormsMade } from './entity/form.ts'
import { addReading } from './file/read-job.ts'
import { routesOf } from './routes.ts'
import { guardianForm } from './student/guardian-form.ts'
import { studentForm } from './student/student-form.ts'
import { passwordsRoute } from './user/passwords.ts'
import { userForm } from './user/user-form.ts'

export { headingsOf } from './file/headings.ts'

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
