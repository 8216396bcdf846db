import { student, studentclass, studentparents } from '@data-brain/contract'
import { addConstraints, notAfterToday, overlaps } from '../../entity/agreement.ts'

/** Teaches the engine what the constraints on students and their guardians mean, by the names that the migrations give them. */
export function addStudentConstraints(): void {
  addConstraints(student, { student_birth_date_past: { field: 'birthDate', reason: notAfterToday } })
  addConstraints(studentclass, { studentclass_overlap: { field: 'beginDate', reason: overlaps } })
  addConstraints(studentparents, {
    studentparents_one_father: {
      field: 'relation',
      reason: { zh: '该学生已有父亲', en: 'the student has a father already' },
    },
    studentparents_one_mother: {
      field: 'relation',
      reason: { zh: '该学生已有母亲', en: 'the student has a mother already' },
    },
  })
}
