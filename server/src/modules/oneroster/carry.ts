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
import { byCode, byCodes, type Code, codeFor, flag, lastDay, plain, sex, toRow, weekHours } from './code.ts'
import type { FileName } from './files.ts'

/** Where a field of an entity stands in the files. */
export interface Link {
  readonly field: string
  readonly file: FileName
  readonly column: string
  readonly code: Code
}

/** An entity that is carried, and how. */
export interface Carrier {
  readonly model: Model
  /** The file in which its records stand. */
  readonly file: FileName
  readonly links: readonly Link[]
  /** By what a record is known when nobody has its sourcedId yet; the first key that is whole counts. */
  readonly keys: readonly (readonly string[])[]
  /** What `status` becomes when a bulk import retires a row. */
  readonly retired: number
}

interface Shape {
  readonly entity: Entity
  readonly file: FileName
  /** Fields that stand in a column of their own; `metadata.` ones keep the name that is given. */
  readonly placed: Readonly<Record<string, { column: string; code?: Code; file?: FileName }>>
  /** Fields that are not carried in a column: not at all, or by other records. */
  readonly left: readonly string[]
  /** Only the fields that are placed are carried. */
  readonly only?: boolean
  readonly keys: readonly (readonly string[])[]
  readonly retired: number
}

const schoolOf = { column: 'metadata.schoolSourcedId', code: toRow('school') }

const shapes: readonly Shape[] = [
  {
    entity: dept,
    file: 'orgs',
    placed: { deptName: { column: 'name', code: plain } },
    left: [],
    only: true,
    keys: [],
    retired: 1,
  },
  {
    entity: school,
    file: 'orgs',
    placed: { schoolName: { column: 'name', code: plain }, schoolCode: { column: 'identifier', code: plain } },
    left: ['logo', 'deptId'],
    keys: [['schoolCode']],
    retired: 2,
  },
  {
    entity: schoolcampus,
    file: 'orgs',
    placed: {
      campusName: { column: 'name', code: plain },
      campusCode: { column: 'identifier', code: plain },
      schoolId: { column: 'parentSourcedId', code: toRow('school') },
    },
    left: [],
    keys: [['schoolId', 'campusCode']],
    retired: 0,
  },
  {
    entity: user,
    file: 'users',
    placed: {
      account: { column: 'username', code: plain },
      staffNo: { column: 'identifier', code: plain },
      realName: { column: 'metadata.fullName' },
      name: { column: 'metadata.nickname' },
      email: { column: 'email', code: plain },
      phone: { column: 'sms' },
      birthday: { column: 'birthDate', file: 'demographics' },
      sex: { column: 'sex', code: sex, file: 'demographics' },
      postId: { column: 'metadata.postCodes', code: byCodes('post') },
      subjectIds: { column: 'metadata.subjectCodes', code: byCodes('syssubject') },
    },
    left: ['avatar', 'userExt', 'roleId', 'deptId'],
    keys: [['staffNo'], ['account']],
    retired: 0,
  },
  {
    entity: schoolyear,
    file: 'academicSessions',
    placed: {
      schoolId: schoolOf,
      yearName: { column: 'title', code: plain },
      beginDate: { column: 'startDate' },
      endDate: { column: 'endDate', code: lastDay },
      startYear: {
        column: 'schoolYear',
        code: { give: (value) => String(Number(value) + 1), take: (cell) => ({ value: Number(cell) - 1 }) },
      },
    },
    left: [],
    keys: [['schoolId', 'startYear']],
    retired: 3,
  },
  {
    entity: schoolsemester,
    file: 'academicSessions',
    placed: {
      schoolId: schoolOf,
      semesterName: { column: 'title', code: plain },
      beginDate: { column: 'startDate' },
      endDate: { column: 'endDate', code: lastDay },
      yearId: { column: 'parentSourcedId', code: toRow('schoolyear') },
    },
    left: [],
    keys: [['yearId', 'semesterNo']],
    retired: 3,
  },
  {
    entity: schoolsubject,
    file: 'courses',
    placed: {
      schoolId: { column: 'orgSourcedId', code: toRow('school') },
      subjectName: { column: 'title', code: plain },
      sysSubjectId: { column: 'courseCode', code: byCode('syssubject') },
      weekHours: { column: 'metadata.weekHours', code: weekHours },
    },
    left: [],
    keys: [['schoolId', 'subjectName']],
    retired: 0,
  },
  {
    entity: schoolclass,
    file: 'classes',
    placed: {
      schoolId: { column: 'schoolSourcedId', code: toRow('school') },
      className: { column: 'title', code: plain },
      gradeId: { column: 'metadata.gradeCode', code: byCode('sysgrade') },
    },
    left: ['prevClassId', 'nextClassId', 'headTeacherId', 'deputyTeacherIds', 'classroomId', 'studentCount'],
    keys: [['schoolId', 'yearId', 'gradeId', 'classNo']],
    retired: 4,
  },
  {
    entity: student,
    file: 'users',
    placed: {
      schoolId: { column: 'primaryOrgSourcedId', code: toRow('school') },
      studentNo: { column: 'identifier', code: plain },
      name: { column: 'metadata.fullName' },
      email: { column: 'email', code: plain },
      phone: { column: 'phone' },
      birthDate: { column: 'birthDate', file: 'demographics' },
      sex: { column: 'sex', code: sex, file: 'demographics' },
      nation: { column: 'metadata.nation', file: 'demographics' },
      nationality: { column: 'metadata.nationality', file: 'demographics' },
      overseas: { column: 'metadata.overseas', file: 'demographics' },
      politics: { column: 'metadata.politics', file: 'demographics' },
      health: { column: 'metadata.health', file: 'demographics' },
      gradeId: { column: 'metadata.gradeCode', code: byCode('sysgrade') },
    },
    left: ['photo'],
    keys: [['schoolId', 'studentNo']],
    retired: 10,
  },
  {
    entity: schoolteachclass,
    file: 'classes',
    placed: {
      schoolId: { column: 'schoolSourcedId', code: toRow('school') },
      teachClassName: { column: 'title', code: plain },
      teachClassCode: { column: 'classCode', code: plain },
      subjectId: { column: 'courseSourcedId', code: toRow('schoolsubject') },
      semesterId: { column: 'termSourcedIds', code: toRow('schoolsemester') },
      gradeIds: { column: 'metadata.gradeCodes', code: byCodes('sysgrade') },
    },
    left: ['classroomId', 'studentIds'],
    keys: [['semesterId', 'teachClassCode']],
    retired: 3,
  },
  {
    entity: studentparents,
    file: 'users',
    placed: {
      schoolId: { column: 'primaryOrgSourcedId', code: toRow('school') },
      studentId: { column: 'agentSourcedIds', code: toRow('student') },
      parentName: { column: 'metadata.fullName' },
      mobile: { column: 'sms' },
    },
    left: ['wechatOpenId'],
    keys: [['studentId', 'mobile']],
    retired: 0,
  },
  {
    entity: studentclass,
    file: 'enrollments',
    placed: {
      schoolId: { column: 'schoolSourcedId', code: toRow('school') },
      classId: { column: 'classSourcedId', code: toRow('schoolclass') },
      studentId: { column: 'userSourcedId', code: toRow('student') },
      beginDate: { column: 'beginDate' },
      // The end of a place in a class is the first day that is not in it, on both sides.
      endDate: { column: 'endDate' },
    },
    left: [],
    keys: [['studentId', 'classId', 'beginDate']],
    retired: 0,
  },
  {
    entity: teacherclass,
    file: 'enrollments',
    placed: {
      schoolId: { column: 'schoolSourcedId', code: toRow('school') },
      userId: { column: 'userSourcedId', code: toRow('user') },
      beginDate: { column: 'beginDate' },
      endDate: { column: 'endDate', code: lastDay },
      role: { column: 'metadata.teacherRole' },
    },
    // These four are what the class of the enrollment says.
    left: ['classId', 'teachClassId', 'subjectId', 'semesterId'],
    keys: [['semesterId', 'userId', 'classId', 'teachClassId', 'subjectId', 'role', 'beginDate']],
    retired: 0,
  },
]

const metadataOf = (name: string): string =>
  `metadata.${name.endsWith('Ids') ? `${name.slice(0, -3)}SourcedIds` : name.endsWith('Id') ? `${name.slice(0, -2)}SourcedId` : name}`

function carrierOf(shape: Shape): Carrier {
  const model = modelOf(shape.entity)
  const links = model.fields
    .filter((field) => !shape.left.includes(field.name) && (!shape.only || field.name in shape.placed))
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
export const carriers: ReadonlyMap<string, Carrier> = new Map(
  shapes.map((shape) => [shape.entity.name, carrierOf(shape)]),
)

export function carrierFor(entity: string): Carrier {
  const carrier = carriers.get(entity)
  if (!carrier) throw new Error(`${entity} is not carried`)
  return carrier
}

/** Marks of records that are not rows of ours: the course of all homerooms, and enrollments that follow from others. */
export const marks = {
  homeroomCourse: 'metadata.homeroom',
  derived: 'metadata.derived',
  homeroom: 'metadata.homeroomSourcedId',
} as const
export const markCode = flag

/** Extension columns of a file, in their fixed order. */
export function metadataOfFile(file: FileName): string[] {
  const names = new Set<string>()
  for (const carrier of carriers.values())
    for (const link of carrier.links)
      if (link.file === file && link.column.startsWith('metadata.')) names.add(link.column)
  if (file === 'courses') names.add(marks.homeroomCourse)
  if (file === 'classes') names.add(marks.homeroom)
  if (file === 'enrollments') names.add(marks.derived)
  if (['orgs', 'academicSessions', 'courses', 'classes', 'users', 'enrollments'].includes(file))
    names.add('metadata.status')
  return [...names].sort()
}
