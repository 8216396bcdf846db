import { isOver, yieldTurn } from '../../kernel/cooperative.ts'
import { recordMarks } from './carried-entities.ts'
import { isGone } from './delta.ts'
import type { Faults } from './fault.ts'
import { type Cells, type FileName, fileNames, type Line, type Tables } from './files.ts'
import { deriveId } from './gather.ts'

/** A record of a file that becomes a row of an entity. */
export interface Item {
  readonly entity: string
  readonly file: FileName
  readonly line: Line
  readonly sourcedId: string
  /** Facts that follow from other records, by field: sourcedIds, not ids. */
  readonly facts: Record<string, string>
}

/** What a class of the archive is here. */
export type ClassKind =
  | { readonly kind: 'homeroom' }
  | { readonly kind: 'teaching' }
  | { readonly kind: 'lessons'; readonly homeroom: string; readonly subject: string; readonly semester: string }

export interface SortedRecords {
  readonly items: ReadonlyMap<string, Item[]>
  readonly classKinds: ReadonlyMap<string, ClassKind>
  /** Teachers of a homeroom, the class teacher first. */
  readonly heads: ReadonlyMap<string, string[]>
  readonly members: ReadonlyMap<string, string[]>
  readonly teachers: ReadonlyMap<string, string[]>
  readonly orgsOfUser: ReadonlyMap<string, string[]>
  readonly roleOfUser: ReadonlyMap<string, string>
  /** The first day of somebody as a pupil, where it is told. */
  readonly beganOf: ReadonlyMap<string, string>
  readonly demographics: ReadonlyMap<string, Line>
  /** Whether the archive says who is in which class. */
  readonly enrolled: boolean
  /** The files that name all there is. */
  readonly files: readonly FileName[]
  /** Records that have no place here, by file and reason. */
  readonly passed: { file: string; count: number; reason: { zh: string; en: string } }[]
}

const split = (cell: string | undefined): string[] =>
  (cell ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const push = <K>(map: Map<K, string[]>, key: K, value: string): void => {
  map.set(key, [...(map.get(key) ?? []), value])
}

/** Says of every record what it is here. */
export async function sortRecords(tables: Tables, faults: Faults): Promise<SortedRecords> {
  const items = new Map<string, Item[]>()
  const passed = new Map<string, { file: string; count: number; reason: { zh: string; en: string } }>()
  const add = (
    entity: string,
    file: FileName,
    line: Line,
    facts: Record<string, string> = {},
    sourcedId = line.cells.sourcedId!,
  ): void => {
    const list = items.get(entity) ?? []
    list.push({ entity, file, line, sourcedId, facts })
    items.set(entity, list)
  }
  const pass = (file: FileName, { line }: Line, zh: string, en: string): void => {
    // What stands and was passed over when it came is not told again.
    if (line === 0) return
    const known = passed.get(file + zh) ?? { file: `${file}.csv`, count: 0, reason: { zh, en } }
    known.count += 1
    passed.set(file + zh, known)
  }
  const lines = (file: FileName): readonly Line[] => tables[file]?.lines ?? []
  const orgKinds = new Map<string, string>()

  for (const line of lines('orgs')) {
    const { type, sourcedId } = line.cells as { type: string; sourcedId: string }
    orgKinds.set(sourcedId, type)
    if (type === 'school') add('school', 'orgs', line)
    else if (type === 'department') {
      if (line.cells['metadata.isMain']) add('schoolcampus', 'orgs', line)
      else pass('orgs', line, '没有metadata.isMain的部门不是校区', 'a department without metadata.isMain is no campus')
    } else if (!items.has('dept')) add('dept', 'orgs', line)
    else pass('orgs', line, '只收一个上级机构', 'only one organisation above the schools is kept')
  }
  for (const line of lines('academicSessions')) {
    const { type } = line.cells
    if (type === 'schoolYear') add('schoolyear', 'academicSessions', line)
    else if (type === 'semester' || type === 'term') add('schoolsemester', 'academicSessions', line)
    else pass('academicSessions', line, '评分期不导入', 'grading periods are not kept')
  }
  for (const line of lines('courses'))
    if (line.cells[recordMarks.homeroomCourse] === 'true') continue
    else add('schoolsubject', 'courses', line)
  const classKinds = sortClasses(lines('classes'), add)
  const courses = new Set(
    lines('classes')
      .filter((line) => line.cells.classType !== 'homeroom')
      .map((line) => line.cells.courseSourcedId),
  )
  const homeroomCourses = new Set(
    lines('classes')
      .filter((line) => line.cells.classType === 'homeroom')
      .map((line) => line.cells.courseSourcedId),
  )
  // A course that only homerooms name is no subject.
  const subjects = items.get('schoolsubject')
  if (subjects)
    items.set(
      'schoolsubject',
      subjects.filter((item) => courses.has(item.sourcedId) || !homeroomCourses.has(item.sourcedId)),
    )

  const { orgsOfUser, roleOfUser, beganOf } = await sortRoles(lines('roles'))
  const kindOf = (id: string): 'student' | 'studentparents' | 'user' => {
    const role = roleOfUser.get(id)
    return role === 'student'
      ? 'student'
      : role && ['parent', 'guardian', 'relative'].includes(role)
        ? 'studentparents'
        : 'user'
  }
  const wards = new Map<string, string[]>()
  for (const line of lines('users')) {
    if (isOver()) await yieldTurn()
    const id = line.cells.sourcedId!
    for (const agent of split(line.cells.agentSourcedIds)) {
      if (kindOf(id) === 'student' && kindOf(agent) === 'studentparents' && !wards.get(agent)?.includes(id))
        push(wards, agent, id)
      if (kindOf(agent) === 'student' && kindOf(id) === 'studentparents' && !wards.get(id)?.includes(agent))
        push(wards, id, agent)
    }
  }
  for (const line of lines('users')) {
    if (isOver()) await yieldTurn()
    const id = line.cells.sourcedId!
    if (line.cells.password) pass('users', line, '密码不导入，也不保存', 'passwords are neither taken over nor kept')
    if (!roleOfUser.has(id)) {
      faults.add('users.csv', line.line, 'sourcedId', 'roles.csv中没有该用户的角色', 'has no role in roles.csv')
      continue
    }
    const entity = kindOf(id)
    if (entity !== 'studentparents') add(entity, 'users', line)
    else if (!wards.has(id)) pass('users', line, '没有对应学生的家长', 'a guardian of no student')
    // A guardian of several children is a row with each of them.
    else
      for (const [order, ward] of wards.get(id)!.entries())
        add('studentparents', 'users', line, { studentId: ward }, order === 0 ? id : deriveId(id, ward))
  }
  const heads = new Map<string, string[]>()
  const members = new Map<string, string[]>()
  const teachers = new Map<string, string[]>()
  for (const line of lines('enrollments')) {
    if (isOver()) await yieldTurn()
    const {
      classSourcedId: classId,
      userSourcedId: userId,
      role,
      primary,
    } = line.cells as Cells & Record<'classSourcedId' | 'userSourcedId' | 'role', string>
    const kind = classKinds.get(classId)
    if (line.cells[recordMarks.derived] === 'true' || !kind) continue
    const gone = isGone(line.cells)
    if (role === 'student' && kindOf(userId) === 'student') {
      if (kind.kind === 'homeroom') add('studentclass', 'enrollments', line)
      else if (kind.kind === 'teaching' && !gone) push(members, classId, userId)
      continue
    }
    if (role !== 'teacher' || kindOf(userId) !== 'user') {
      pass('enrollments', line, '只导入学生和教师的选课', 'only those of students and teachers are kept')
      continue
    }
    if (kind.kind === 'homeroom') {
      if (gone) continue
      heads.set(
        classId,
        primary === 'true' ? [userId, ...(heads.get(classId) ?? [])] : [...(heads.get(classId) ?? []), userId],
      )
    } else {
      const others = teachers.get(classId) ?? []
      if (!gone) teachers.set(classId, primary === 'true' ? [userId, ...others] : [...others, userId])
      add(
        'teacherclass',
        'enrollments',
        line,
        kind.kind === 'lessons'
          ? { classId: kind.homeroom, subjectId: kind.subject, semesterId: kind.semester }
          : { teachClassId: classId },
      )
    }
  }
  return {
    items,
    classKinds,
    heads,
    members,
    teachers,
    orgsOfUser,
    roleOfUser,
    beganOf,
    demographics: new Map(lines('demographics').map((line) => [line.cells.sourcedId!, line])),
    enrolled: tables.enrollments !== undefined,
    files: fileNames.filter((file) => tables[file] && !tables[file].delta),
    passed: [...passed.values()],
  }
}

function sortClasses(
  lines: readonly Line[],
  add: (entity: string, file: FileName, line: Line) => void,
): Map<string, ClassKind> {
  const kinds = new Map<string, ClassKind>()
  for (const line of lines) {
    const { sourcedId, classType } = line.cells as Cells & { sourcedId: string }
    const homeroom = line.cells[recordMarks.homeroom]
    if (classType === 'homeroom') {
      kinds.set(sourcedId, { kind: 'homeroom' })
      add('schoolclass', 'classes', line)
    } else if (homeroom)
      kinds.set(sourcedId, {
        kind: 'lessons',
        homeroom,
        subject: line.cells.courseSourcedId!,
        semester: split(line.cells.termSourcedIds)[0] ?? '',
      })
    else {
      kinds.set(sourcedId, { kind: 'teaching' })
      add('schoolteachclass', 'classes', line)
    }
  }
  return kinds
}

async function sortRoles(
  lines: readonly Line[],
): Promise<Pick<SortedRecords, 'orgsOfUser' | 'roleOfUser' | 'beganOf'>> {
  const beganOf = new Map<string, string>()
  const orgsOfUser = new Map<string, string[]>()
  const roleOfUser = new Map<string, string>()
  // A role that ends tells of somebody who has no other.
  const held = new Set(lines.flatMap(({ cells }) => (isGone(cells) ? [] : [cells.userSourcedId!])))
  for (const { cells } of lines) {
    if (isOver()) await yieldTurn()
    const id = cells.userSourcedId!
    if (isGone(cells) && held.has(id)) continue
    const orgs = (orgsOfUser.get(id) ?? []).filter((org) => org !== cells.orgSourcedId)
    const primary = cells.roleType === 'primary'
    orgsOfUser.set(id, primary ? [cells.orgSourcedId!, ...orgs] : [...orgs, cells.orgSourcedId!])
    if (primary || !roleOfUser.has(id)) roleOfUser.set(id, cells.role!)
    const began = cells.role === 'student' ? cells.beginDate : ''
    if (began && began < (beganOf.get(id) ?? '9999')) beganOf.set(id, began)
  }
  return { orgsOfUser, roleOfUser, beganOf }
}
