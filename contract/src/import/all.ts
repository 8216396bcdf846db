import { type EntityFormKind, entityForms } from './entity-forms.ts'
import type { FormColumn } from './form.ts'
import { guardianForm } from './guardian-form.ts'
import { studentForm } from './student-form.ts'
import { userForm } from './user-form.ts'

/** What can be brought in out of a spreadsheet. */
export type FormKind = 'student' | 'studentparents' | 'user' | EntityFormKind

const columnsOf = (of: typeof entityForms): Readonly<Record<EntityFormKind, readonly FormColumn[]>> =>
  Object.fromEntries(Object.entries(of).map(([kind, { columns }]) => [kind, columns])) as Record<
    EntityFormKind,
    readonly FormColumn[]
  >

/** The columns of each form. */
export const forms: Readonly<Record<FormKind, readonly FormColumn[]>> = {
  student: studentForm,
  studentparents: guardianForm,
  user: userForm,
  ...columnsOf(entityForms),
}
