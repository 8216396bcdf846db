import { dept, user } from '@data-brain/contract'
import type { DemoRows } from './book.ts'
import { nameOf, type SexCode } from './names.ts'
import { clubs, loadOf, officers } from './plan.ts'
import type { Campus, ClassRoom, School } from './schools.ts'
import type { LessonNeed } from './timetable.ts'

export interface Teacher {
  readonly id: string
  readonly subject: string
  readonly values: Record<string, unknown>
}

/** The teachers of a campus and what each of them teaches whom. */
export interface CampusFaculty {
  readonly school: School
  readonly campus: Campus
  readonly teachers: readonly Teacher[]
  readonly needs: readonly LessonNeed[]
  /** Class teacher of each class, in the order of the classes. */
  readonly heads: readonly Teacher[]
}

/** Hires everybody: officers of the schools, and teachers for all lessons. */
export function hireStaff(book: DemoRows, schools: readonly School[]): CampusFaculty[] {
  return schools.flatMap((school) => {
    hireOfficers(book, school)
    const faculties = school.campuses.map((campus) => hireFaculty(book, school, campus))
    leadSubjects(book, school, faculties)
    return faculties
  })
}

/** Adds one member of staff; `years` is how long ago they began to work. */
export function hireMember(
  book: DemoRows,
  more: {
    staffNo: string
    subject?: string
    deptIds: string[]
    posts: string[]
    role: string
    campusId?: string
    title?: string
    sex?: SexCode
  },
): Teacher {
  const { dice, known } = book
  const sex: SexCode =
    more.sex ?? (dice.chance(more.subject === 'TY' || more.subject === 'WL' ? 0.75 : 0.28) ? '1' : '2')
  const age = dice.int(25, 56)
  const born = book.year.startYear - age
  const hired = born + dice.int(22, 24)
  const title = more.title ?? (age > 45 ? dice.pick(['2', '2', '3']) : age > 33 ? dice.pick(['2', '3', '3']) : '4')
  const realName = nameOf(dice, sex, born)
  const id = book.add(user, {
    account: more.staffNo.toLowerCase(),
    realName,
    name: realName,
    sex,
    birthday: book.day(`${born}-01-01`, `${born}-12-31`),
    phone: book.phone(),
    email: `${more.staffNo.toLowerCase()}@school.example`,
    staffNo: more.staffNo,
    hireDate: `${Math.min(hired, book.year.startYear)}-08-15`,
    title,
    roleId: [more.role],
    deptId: more.deptIds,
    postId: more.posts.map((post) => known.posts.get(post)!),
    subjectIds: more.subject && known.subjects.has(more.subject) ? [known.subjects.get(more.subject)!.id] : [],
    maxWeekHours: more.subject ? 18 : null,
    maxDayHours: more.subject ? 5 : null,
    userType: '1',
    staffStatus: '1',
  })
  if (more.campusId) book.later(user, id, 'homeCampusId', more.campusId)
  return { id, subject: more.subject ?? '', values: book.rows.get('user')!.at(-1)!.values }
}

const staffNo = (school: School, count: number): string => `T${school.order + 1}${String(count).padStart(3, '0')}`
const counts = new WeakMap<School, number>()
const nextNo = (school: School): string => {
  const count = (counts.get(school) ?? 0) + 1
  counts.set(school, count)
  return staffNo(school, count)
}

function hireOfficers(book: DemoRows, school: School): void {
  for (const { post, dept: office, title } of officers) {
    const officeId = office === null ? undefined : school.officeIds.get(office)
    const officer = hireMember(book, {
      staffNo: nextNo(school),
      deptIds: officeId ? [school.deptId, officeId] : [school.deptId],
      posts: [post],
      role: post === 'principal' ? book.known.roles.principal : book.known.roles.teacher,
      campusId: school.campuses[0]!.id,
      title,
    })
    if (post === 'principal') {
      school.values.principalId = officer.id
      school.values.contactName = officer.values.realName
      book.later(dept, school.deptId, 'leaderId', officer.id)
      for (const campus of book.rows.get('schoolcampus')!)
        if (campus.values.schoolId === school.id) campus.values.managerId = officer.id
    }
    // The last of an office's officers in the list does not lead it.
    if (officeId && post !== 'guard') book.later(dept, officeId, 'leaderId', officer.id)
  }
}

function hireFaculty(book: DemoRows, school: School, campus: Campus): CampusFaculty {
  const teachers: Teacher[] = []
  const needs: LessonNeed[] = []
  const subjects = [...new Set(campus.classes.flatMap((each) => Object.keys(each.hours)))]
  for (const subject of subjects) {
    const wanting = campus.classes
      .map((each, classAt) => ({ classAt, hours: each.hours[subject] ?? 0 }))
      .filter((each) => each.hours > 0)
    const total = wanting.reduce((sum, each) => sum + each.hours, 0)
    const staff = Array.from({ length: Math.ceil(total / loadOf(subject)) }, () => ({
      teacher: hireMember(book, {
        staffNo: nextNo(school),
        subject: subject === 'YD' ? 'YW' : subject,
        deptIds: [school.deptId],
        posts: ['teacher'],
        role: book.known.roles.teacher,
        campusId: campus.id,
      }),
      load: 0,
    }))
    for (const { classAt, hours } of wanting) {
      const least = staff.reduce((lightest, each) => (each.load < lightest.load ? each : lightest))
      least.load += hours
      let teacherAt = teachers.indexOf(least.teacher)
      if (teacherAt < 0) teacherAt = teachers.push(least.teacher) - 1
      needs.push({ classAt, teacherAt, subject, hours })
    }
  }
  const heads = chooseHeads(book, campus.classes, teachers, needs)
  return { school, campus, teachers, needs, heads }
}

/** One class teacher for each class, from those who teach it most, none twice. */
function chooseHeads(
  book: DemoRows,
  classes: readonly ClassRoom[],
  teachers: readonly Teacher[],
  needs: readonly LessonNeed[],
): Teacher[] {
  const taken = new Set<Teacher>()
  return classes.map((each, classAt) => {
    const candidates = needs
      .filter((need) => need.classAt === classAt)
      .sort((a, b) => b.hours - a.hours)
      .map((need) => teachers[need.teacherAt]!)
    const head = candidates.find((teacher) => !taken.has(teacher))
    if (!head) throw new Error(`nobody is left to lead ${each.name}`)
    taken.add(head)
    each.values.headTeacherId = head.id
    head.values.postId = [book.known.posts.get('class-teacher')!, book.known.posts.get('teacher')!]
    head.values.roleId = [book.known.roles.classTeacher]
    return head
  })
}

/** Each subject has a leader, who also sits in its research group. */
function leadSubjects(book: DemoRows, school: School, faculties: readonly CampusFaculty[]): void {
  for (const [order, [code, subjectId]] of [...school.subjectIds].entries()) {
    const staff = faculties.flatMap((faculty) => faculty.teachers).filter((teacher) => teacher.subject === code)
    if (staff.length === 0) continue
    const leader = staff[0]!
    const row = book.rows.get('schoolsubject')!.find((each) => each.id === subjectId)!
    row.values.leaderId = leader.id
    const group = book.add(dept, {
      parentId: school.deptId,
      ancestors: `0,${book.known.rootDept},${school.deptId}`,
      deptName: `${row.values.subjectName}教研组`,
      fullName: `${school.plan.name}${row.values.subjectName}教研组`,
      deptCategory: '5',
      sort: 10 + order,
    })
    book.later(dept, group, 'schoolId', school.id)
    book.later(dept, group, 'leaderId', leader.id)
    for (const teacher of staff) teacher.values.deptId = [school.deptId, group]
  }
}

/** Who runs a club: a teacher of its subject from the main campus. */
export function clubLeaders(faculty: CampusFaculty): { name: string; subject: string; teacher: Teacher }[] {
  return (clubs[faculty.school.plan.stage] ?? []).map((club) => ({
    ...club,
    teacher: faculty.teachers.find((teacher) => teacher.subject === club.subject)!,
  }))
}
