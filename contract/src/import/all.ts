import { type EntityFormKind, entityForms } from './entity-forms.ts'
import type { FormColumn } from './form.ts'
import { guardianForm } from './guardian-form.ts'
import { studentForm } from './student-form.ts'
import { userForm } from './user-form.ts'

/** What can be brought in out of a spreadsheet. */
export type FormKind = 'student' | 'studentparents' | 'user' | EntityFormKind

/** The columns of each form. */
export const forms: Readonly<Record<FormKind, readonly FormColumn[]>> = {
  student: studentForm,
  studentparents: guardianForm,
  user: userForm,
  schoolclass: entityForms.schoolclass.columns,
  schoolclassroom: entityForms.schoolclassroom.columns,
  teacherclass: entityForms.teacherclass.columns,
  classschedule: entityForms.classschedule.columns,
}
