import {
  dept,
  type Entity,
  school,
  schoolcampus,
  schoolclass,
  schoolsemester,
  schoolsubject,
  schoolteachclass,
  schoolyear,
  student,
  studentclass,
  studentparents,
  teacherclass,
  user,
} from '@data-brain/contract'
import { type Model, modelOf } from '../../entity/model.ts'
import {
  byCode,
  byCodes,
  byKnownCode,
  type Code,
  codeFor,
  lastDay,
  plainCode,
  sexCode,
  toRow,
  weekHours,
} from './cell-code.ts'
import type { FileName } from './files.ts'

/** Where a field of an entity stands in the files. */
export interface Link {
  readonly field: string
  readonly file: FileName
  readonly column: string
  readonly code: Code
}

/** An entity that is carried, and how. */
export interface CarriedEntity {
  readonly model: Model
  /** The file in which its records stand. */
  readonly file: FileName
  readonly links: readonly Link[]
  /** By what a record is known when nobody has its sourcedId yet; the first key that is whole counts. */
  readonly keys: readonly (readonly string[])[]
  /** What `status` becomes when a bulk import retires a row. */
  readonly retired: number
}

/** Where a field stands when it has no column of its name among the extensions of its record. */
interface Place {
  readonly column: string
  /** Written as its kind is, unless said otherwise. */
  readonly code?: Code
  /** In the record of another file with the same sourcedId. */
  readonly file?: FileName
}

interface Shape {
  readonly entity: Entity
  readonly file: FileName
  readonly placed: Readonly<Record<string, Place>>
  /** Fields that are not carried in a column: not at all, or by other records. */
  readonly left?: readonly string[]
  /** Only the fields that are placed are carried. */
  readonly only?: boolean
  readonly keys: readonly (readonly string[])[]
  readonly retired: number
}

const at = (column: string, code?: Code): Place => (code ? { column, code } : { column })
const text = (column: string): Place => at(column, plainCode)
const row = (column: string, entity: string): Place => at(column, toRow(entity))
const code = (column: string, entity: string): Place => at(column, byCode(entity))
const codesIn = (column: string, entity: string): Place => at(column, byCodes(entity))
const demographic = (column: string, code?: Code): Place => ({ ...at(column, code), file: 'demographics' })

const session = {
  schoolId: row('metadata.schoolSourcedId', 'school'),
  beginDate: at('startDate'),
  endDate: at('endDate', lastDay),
}
const startYear: Code = {
  give: (value) => String(Number(value) + 1),
  take: (cell) => ({ value: Number(cell) - 1 }),
}

const shapes: readonly Shape[] = [
  { entity: dept, file: 'orgs', placed: { deptName: text('name') }, only: true, keys: [], retired: 1 },
  {
    entity: school,
    file: 'orgs',
    placed: { schoolName: text('name'), schoolCode: text('identifier') },
    left: ['logo', 'deptId'],
    keys: [['schoolCode']],
    retired: 2,
  },
  {
    entity: schoolcampus,
    file: 'orgs',
    placed: {
      campusName: text('name'),
      campusCode: text('identifier'),
      schoolId: row('parentSourcedId', 'school'),
    },
    keys: [['schoolId', 'campusCode']],
    retired: 0,
  },
  {
    entity: user,
    file: 'users',
    placed: {
      account: text('username'),
      staffNo: text('identifier'),
      realName: at('metadata.fullName'),
      name: at('metadata.nickname'),
      email: text('email'),
      phone: at('sms'),
      birthday: demographic('birthDate'),
      sex: demographic('sex', sexCode),
      postId: codesIn('metadata.postCodes', 'post'),
      subjectIds: codesIn('metadata.subjectCodes', 'syssubject'),
    },
    left: ['avatar', 'userExt', 'roleId', 'deptId'],
    keys: [['staffNo'], ['account']],
    retired: 0,
  },
  {
    entity: schoolyear,
    file: 'academicSessions',
    placed: { ...session, yearName: text('title'), startYear: at('schoolYear', startYear) },
    keys: [['schoolId', 'startYear']],
    retired: 3,
  },
  {
    entity: schoolsemester,
    file: 'academicSessions',
    placed: { ...session, semesterName: text('title'), yearId: row('parentSourcedId', 'schoolyear') },
    keys: [['yearId', 'semesterNo']],
    retired: 3,
  },
  {
    entity: schoolsubject,
    file: 'courses',
    placed: {
      schoolId: row('orgSourcedId', 'school'),
      subjectName: text('title'),
      sysSubjectId: at('courseCode', byKnownCode('syssubject')),
      weekHours: at('metadata.weekHours', weekHours),
    },
    keys: [['schoolId', 'subjectName']],
    retired: 0,
  },
  {
    entity: schoolclass,
    file: 'classes',
    placed: {
      schoolId: row('schoolSourcedId', 'school'),
      className: text('title'),
      gradeId: code('metadata.gradeCode', 'sysgrade'),
    },
    left: ['prevClassId', 'nextClassId', 'headTeacherId', 'deputyTeacherIds', 'classroomId', 'studentCount'],
    keys: [['schoolId', 'yearId', 'gradeId', 'classNo']],
    retired: 4,
  },
  {
    entity: student,
    file: 'users',
    placed: {
      schoolId: row('primaryOrgSourcedId', 'school'),
      studentNo: text('identifier'),
      name: at('metadata.fullName'),
      email: text('email'),
      phone: at('phone'),
      birthDate: demographic('birthDate'),
      sex: demographic('sex', sexCode),
      nation: demographic('metadata.nation'),
      nationality: demographic('metadata.nationality'),
      overseas: demographic('metadata.overseas'),
      politics: demographic('metadata.politics'),
      health: demographic('metadata.health'),
      gradeId: code('metadata.gradeCode', 'sysgrade'),
    },
    left: ['photo'],
    keys: [['schoolId', 'studentNo']],
    retired: 10,
  },
  {
    entity: schoolteachclass,
    file: 'classes',
    placed: {
      schoolId: row('schoolSourcedId', 'school'),
      teachClassName: text('title'),
      teachClassCode: text('classCode'),
      subjectId: row('courseSourcedId', 'schoolsubject'),
      semesterId: row('termSourcedIds', 'schoolsemester'),
      gradeIds: codesIn('metadata.gradeCodes', 'sysgrade'),
    },
    left: ['classroomId', 'studentIds'],
    keys: [['semesterId', 'teachClassCode']],
    retired: 3,
  },
  {
    entity: studentparents,
    file: 'users',
    placed: {
      schoolId: row('primaryOrgSourcedId', 'school'),
      studentId: row('agentSourcedIds', 'student'),
      parentName: at('metadata.fullName'),
      mobile: at('sms'),
    },
    left: ['wechatOpenId'],
    keys: [['studentId', 'mobile']],
    retired: 0,
  },
  {
    entity: studentclass,
    file: 'enrollments',
    placed: {
      schoolId: row('schoolSourcedId', 'school'),
      classId: row('classSourcedId', 'schoolclass'),
      studentId: row('userSourcedId', 'student'),
      beginDate: at('beginDate'),
      // The end of a place in a class is the first day that is not in it, on both sides.
      endDate: at('endDate'),
    },
    keys: [['studentId', 'classId', 'beginDate']],
    retired: 0,
  },
  {
    entity: teacherclass,
    file: 'enrollments',
    placed: {
      schoolId: row('schoolSourcedId', 'school'),
      userId: row('userSourcedId', 'user'),
      beginDate: at('beginDate'),
      endDate: at('endDate', lastDay),
      role: at('metadata.teacherRole'),
    },
    // These four are what the class of the enrollment says.
    left: ['classId', 'teachClassId', 'subjectId', 'semesterId'],
    keys: [['semesterId', 'userId', 'classId', 'teachClassId', 'subjectId', 'role', 'beginDate']],
    retired: 0,
  },
]

const metadataOf = (name: string): string =>
  `metadata.${name.endsWith('Ids') ? `${name.slice(0, -3)}SourcedIds` : name.endsWith('Id') ? `${name.slice(0, -2)}SourcedId` : name}`

function carrierOf(shape: Shape): CarriedEntity {
  const model = modelOf(shape.entity)
  const links = model.fields
    // What is for the server alone stays: the column of a tenant's own fields would leave with all its values.
    .filter((field) => !field.inner && !shape.left?.includes(field.name) && (!shape.only || field.name in shape.placed))
    .map((field): Link => {
      const placed = shape.placed[field.name]
      return {
        field: field.name,
        file: placed?.file ?? shape.file,
        column: placed?.column ?? metadataOf(field.name),
        code: placed?.code ?? codeFor(field, shape.entity.name),
      }
    })
  return { model, file: shape.file, links, keys: shape.keys, retired: shape.retired }
}

/** The entities that are carried, each after those whose sourcedIds it is made with. */
export const carriers: ReadonlyMap<string, CarriedEntity> = new Map(
  shapes.map((shape) => [shape.entity.name, carrierOf(shape)]),
)

/** The entities of which some values are seen only by whoever may. */
export const personalEntities: readonly Entity[] = [student, studentparents, user]

/** The entities whose rows an archive holds. */
export const carriedEntities = (): Entity[] => [...carriers.values()].map(({ model }) => model.entity)

export function carrierFor(entity: string): CarriedEntity {
  const carrier = carriers.get(entity)
  if (!carrier) throw new Error(`${entity} is not carried`)
  return carrier
}

/**
 * Marks of records that are not rows of ours: the course of all homerooms, and enrollments that follow from others. And of
 * a place in a class whose end another system has told beforehand: here it has none yet.
 */
export const recordMarks = {
  homeroomCourse: 'metadata.homeroom',
  derived: 'metadata.derived',
  homeroom: 'metadata.homeroomSourcedId',
  held: 'metadata.held',
} as const

/** Extension columns of a file, in their fixed order. */
export function metadataOfFile(file: FileName): string[] {
  const names = new Set<string>()
  for (const carrier of carriers.values())
    for (const link of carrier.links)
      if (link.file === file && link.column.startsWith('metadata.')) names.add(link.column)
  if (file === 'courses') names.add(recordMarks.homeroomCourse)
  if (file === 'classes') names.add(recordMarks.homeroom)
  if (file === 'enrollments') names.add(recordMarks.derived)
  if (['orgs', 'academicSessions', 'courses', 'classes', 'users', 'enrollments'].includes(file))
    names.add('metadata.status')
  return [...names].sort()
}
