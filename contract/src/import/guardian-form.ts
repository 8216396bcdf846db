import type { FormColumn } from './form.ts'
import { memberParts, studentForm } from './student-form.ts'

/** What a list of guardians says of the pupil that they belong to. */
const ofPupil: ReadonlySet<string> = new Set([
  'student.name',
  'student.studentNo',
  'student.idNo',
  'student.nationalCode',
  'student.birthDate',
  'student.gradeId',
  'student.classId',
])

/** Guardians of pupils who stand: the columns of the pupils' form, of which only those of guardians are stored. */
export const guardianForm: readonly FormColumn[] = studentForm.map((column) =>
  (memberParts as readonly string[]).includes(column.part) || ofPupil.has(column.key) || column.part === 'ignored'
    ? { ...column, starred: column.key === 'student.name' || column.key === 'member1.parentName' }
    : { ...column, part: 'ignored', key: `ignored.${column.part}_${column.field}`, starred: false },
)
