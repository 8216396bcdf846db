import { expect, it } from 'vitest'
import { entities, entityOf, relatedOf } from '../src/index.ts'

/** Why a reference is not shown the other way round; undefined where it has to be. */
function excluded(of: string, by: string): string | undefined {
  const field = entityOf(of).fields[by]!
  if (field.to === 'attach') return 'a file hangs on what refers to it'
  if (entityOf(of).readOnly) return 'a log'
  if (field.computed) return 'copied by the server from a nearer row'
  return undefined
}

it('C12 every reference of every definition is a part of the record it points at, or is left out by a rule', () => {
  const references = entities.flatMap((of) =>
    Object.entries(of.fields).flatMap(([by, field]) => (field.to ? [{ of: of.name, by, to: field.to }] : [])),
  )
  expect(references.length).toBeGreaterThan(80)
  const shown = (to: string) => relatedOf(entityOf(to)).map(({ of, by }) => `${of.name}.${by}`)
  for (const { of, by, to } of references)
    expect([`${of}.${by}`, shown(to).includes(`${of}.${by}`)]).toEqual([`${of}.${by}`, excluded(of, by) === undefined])
})

it.each([
  [
    'student',
    [
      'studentparents.studentId',
      'studentclass.studentId',
      'studentdetail.studentId',
      'studentresume.studentId',
      'studentgrouprelevance.studentId',
    ],
  ],
  [
    'schoolclass',
    [
      'student.classId',
      'teacherclass.classId',
      'classschedule.classId',
      'studentclass.classId',
      'schoolteachclass.classIds',
    ],
  ],
  ['school', ['schoolcampus.schoolId', 'schoolclass.schoolId', 'student.schoolId']],
  ['role', ['user.roleId']],
  ['user', ['classschedule.teacherId', 'teacherclass.userId', 'schoolclass.headTeacherId']],
])('C12 a %s shows what people ask for', (name, parts) => {
  expect(relatedOf(entityOf(name)).map(({ of, by }) => `${of.name}.${by}`)).toEqual(expect.arrayContaining(parts))
})
