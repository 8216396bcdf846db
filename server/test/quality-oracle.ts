import type { QualityKey } from '@data-brain/contract/quality'
import type { World } from './world.ts'

/*
 * The checks of the data once more, told in plain loops over whole tables: slow, and without a line of the product's own.
 */

type Row = Readonly<Record<string, string | null>>
type Tables = Readonly<Record<string, readonly Row[]>>

const names = [
  'student',
  'studentparents',
  'studentdetail',
  'studentclass',
  'app_user',
  'schoolclass',
  'schoolclassroom',
  'school',
  'schoolyear',
  'schoolsemester',
  'timetableplan',
  'teacherclass',
  'classschedule',
  'app_user_dept',
  'sysgrade_seen',
] as const

/** Every row of a tenant as texts, and the abolished regions. */
export async function readTables(world: World, tenantId: string): Promise<Tables> {
  const tables: Record<string, readonly Row[]> = {}
  await world.owner.query(`select set_config('app.tenant_id', $1, false)`, [tenantId])
  for (const name of names) {
    const { rows } = await world.owner.query<{ row: Record<string, unknown> }>(
      `select (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(t))) as row from ${name} t where tenant_id = $1`,
      [tenantId],
    )
    tables[name] = rows.map(({ row }) => row as Row)
  }
  const { rows } = await world.owner.query<Row>(
    'select code, valid_to::text as valid_to from region where valid_to is not null',
  )
  tables.region = rows
  return tables
}

const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const addYears = (day: string, years: number): string => {
  const moved = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  // The 29th of February of a year without one is the 28th.
  return Number.isNaN(Date.parse(moved)) || addDays(moved, 0) !== moved ? `${moved.slice(0, 8)}28` : moved
}
const ageOn = (day: string, birth: string): number =>
  Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0)

const bareName = (name: string | null | undefined): string =>
  (name ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s·•・‧.,-]/g, '')
const sameName = (one: string | null | undefined, other: string | null | undefined): boolean =>
  bareName(one) === bareName(other)

/** The ids of the rows that a check should find, in no order. */
export function faultsOf(tables: Tables, key: QualityKey, phoneFamilies = 3): string[] {
  const all = (name: string): readonly Row[] => tables[name]!
  const by = (name: string, id: string | null | undefined) => all(name).find((row) => row.id === id)
  const pick = (rows: readonly Row[], is: (row: Row) => boolean): string[] => rows.filter(is).map((row) => row.id!)
  const pupils = all('student').filter((row) => row.status === '1')
  const staff = all('app_user').filter((row) => row.status === '1')
  const classes = all('schoolclass').filter((row) => row.status === '1')
  const parents = all('studentparents')
  const left = (id: string | null | undefined): boolean => {
    const who = by('app_user', id)
    return who !== undefined && (who.status !== '1' || (who.leave_date !== null && who.leave_date! < today))
  }
  const sizeOf = (id: string | null): number => pupils.filter((row) => row.class_id === id).length
  const gone = (code: string | null): boolean => all('region').some((row) => row.code === code && row.valid_to! < today)
  const guardians = (id: string | null, is: (row: Row) => boolean = () => true): boolean =>
    parents.some((row) => row.student_id === id && is(row))
  const stays = (id: string | null): Row[] => all('studentclass').filter((row) => row.student_id === id)
  const current = (row: Row): boolean => row.is_current === '1'
  const lessons = all('classschedule').filter(
    (row) =>
      by('timetableplan', row.plan_id)?.status === '2' &&
      by('schoolsemester', by('timetableplan', row.plan_id)!.semester_id)?.is_current === '1',
  )
  switch (key) {
    case 'pupilGuardian':
      return pick(pupils, ({ id }) => !guardians(id!))
    case 'pupilGuardianship':
      return pick(pupils, ({ id }) => guardians(id!) && !guardians(id!, (row) => row.is_guardian === '1'))
    case 'pupilEmergency':
      return pick(pupils, ({ id }) => guardians(id!) && !guardians(id!, (row) => row.is_emergency === '1'))
    case 'pupilIdNo':
      return pick(pupils, (row) => row.id_no === null && row.id_type !== 'Z')
    case 'pupilNational':
      return pick(pupils, (row) => row.national_code === null)
    case 'pupilPhoto':
      return pick(pupils, (row) => row.photo === null)
    case 'pupilClass':
      return pick(pupils, (row) => row.class_id === null)
    case 'pupilSeat':
      return pick(pupils, (row) => row.class_id !== null && row.seat_no === null)
    case 'pupilDetail':
      return pick(pupils, ({ id }) => !all('studentdetail').some((row) => row.student_id === id))
    case 'pupilAge': {
      const begin = `${Number(today.slice(0, 4)) - (today.slice(5) < '09-01' ? 1 : 0)}-09-01`
      return pick(pupils, (row) => {
        const grade = by('sysgrade_seen', row.grade_id)
        const age = ageOn(begin, row.birth_date!)
        if (!grade) return false
        return (
          (grade.min_age !== null && age < Number(grade.min_age)) ||
          (grade.max_age !== null && age > Number(grade.max_age))
        )
      })
    }
    case 'pupilEnrol':
      return pick(pupils, (row) => row.enroll_date! > today || row.enroll_date! < addYears(row.birth_date!, 2))
    case 'pupilGrade':
      return pick(pupils, (row) => row.class_id !== null && by('schoolclass', row.class_id)?.grade_id !== row.grade_id)
    case 'pupilClassClosed':
      return pick(pupils, (row) => row.class_id !== null && by('schoolclass', row.class_id)?.status !== '1')
    case 'pupilHistory':
      return pick(
        pupils,
        (row) =>
          row.class_id !== null &&
          !stays(row.id!).some((stay) => stay.class_id === row.class_id && stay.end_date === null),
      )
    case 'pupilHistoryHole':
      return pick(pupils, (row) => {
        const sorted = stays(row.id!).sort((a, b) =>
          a.begin_date === b.begin_date
            ? BigInt(a.id!) < BigInt(b.id!)
              ? -1
              : 1
            : a.begin_date! < b.begin_date!
              ? -1
              : 1,
        )
        return sorted.some(
          (stay, at) => at > 0 && sorted[at - 1]!.end_date !== null && stay.begin_date! > sorted[at - 1]!.end_date!,
        )
      })
    case 'pupilLeft':
      return pick(all('student'), (row) => row.status !== '1' && stays(row.id!).some((stay) => stay.end_date === null))
    case 'pupilTwin':
      return pick(pupils, (row) =>
        pupils.some((other) => other !== row && sameName(other.name, row.name) && other.birth_date === row.birth_date),
      )
    case 'pupilSex':
      return pick(pupils, (row) => row.sex !== '1' && row.sex !== '2')
    case 'pupilIdExpired':
      return pick(pupils, (row) => row.id_expire !== null && row.id_expire! < today)
    case 'pupilYear':
      return pick(pupils, (row) => {
        const of = by('schoolclass', row.class_id)
        const now = all('schoolyear').find((year) => current(year) && year.school_id === of?.school_id)
        return (
          of !== undefined &&
          now !== undefined &&
          Number(by('schoolyear', of.year_id)!.start_year) < Number(now.start_year)
        )
      })
    case 'parentName':
      return pick(parents, (row) => by('student', row.student_id)?.name === row.parent_name)
    case 'parentPickup':
      return pick(parents, (row) => row.custody_restricted === '1' && row.can_pickup === '1')
    case 'parentTwin':
      return pick(parents, (row) =>
        parents.some(
          (other) =>
            other !== row && other.student_id === row.student_id && sameName(other.parent_name, row.parent_name),
        ),
      )
    case 'parentPhone':
      return pick(
        parents,
        (row) =>
          row.mobile_hash !== null &&
          new Set(parents.filter((other) => other.mobile_hash === row.mobile_hash).map((other) => other.student_id))
            .size > phoneFamilies,
      )
    case 'detailRegion':
      return pick(
        all('studentdetail'),
        (row) => gone(row.hukou_region_code!) && by('student', row.student_id)?.status === '1',
      )
    case 'staffPhone':
      return pick(staff, (row) => row.phone === null)
    case 'staffNo':
      return pick(staff, (row) => row.staff_no === null)
    case 'staffDept':
      return pick(staff, ({ id }) => !all('app_user_dept').some((row) => row.owner_id === id))
    case 'staffHired':
      return pick(
        staff,
        (row) => row.hire_date !== null && row.birthday !== null && row.hire_date! < addYears(row.birthday!, 16),
      )
    case 'staffLoad':
      return pick(
        staff,
        (row) =>
          row.max_week_hours !== null &&
          all('teacherclass')
            .filter(
              (one) =>
                one.user_id === row.id &&
                one.status === '1' &&
                by('schoolsemester', one.semester_id)?.is_current === '1',
            )
            .reduce((sum, one) => sum + Number(one.week_hours), 0) > Number(row.max_week_hours),
      )
    case 'staffTwin':
      return pick(staff, (row) =>
        staff.some(
          (other) =>
            other !== row &&
            row.phone_hash !== null &&
            other.phone_hash === row.phone_hash &&
            sameName(other.real_name, row.real_name),
        ),
      )
    case 'staffLeft':
      return pick(staff, (row) => row.leave_date !== null && row.leave_date! < today)
    case 'classTeacher':
      return pick(classes, (row) => row.head_teacher_id === null)
    case 'classRoom':
      return pick(classes, (row) => row.classroom_id === null)
    case 'classCap':
      return pick(classes, (row) => sizeOf(row.id!) > Number(row.max_size))
    case 'classSeats':
      return pick(classes, (row) => sizeOf(row.id!) > Number(by('schoolclassroom', row.classroom_id)?.capacity ?? 1e9))
    case 'classTeacherLeft':
      return pick(classes, (row) => left(row.head_teacher_id))
    case 'classTeacherTwice':
      return pick(classes, (row) =>
        classes.some(
          (other) =>
            other !== row &&
            row.head_teacher_id !== null &&
            other.head_teacher_id === row.head_teacher_id &&
            other.year_id === row.year_id,
        ),
      )
    case 'classEmpty':
      return pick(classes, (row) => sizeOf(row.id!) === 0)
    case 'classYear':
      return pick(classes, (row) => {
        const year = by('schoolyear', row.year_id)!
        return !current(year) && year.end_date! < today
      })
    case 'roomHome':
      return pick(
        all('schoolclassroom'),
        (row) =>
          row.home_class_id !== null &&
          !classes.some((one) => one.id === row.home_class_id && one.classroom_id === row.id),
      )
    case 'schoolPrincipal':
      return pick(all('school'), (row) => row.status === '1' && row.principal_id === null)
    case 'schoolYear':
      return pick(
        all('school'),
        (row) => row.status === '1' && !all('schoolyear').some((year) => year.school_id === row.id && current(year)),
      )
    case 'schoolRegion':
      return pick(all('school'), (row) => row.status === '1' && gone(row.region_code!))
    case 'yearOver':
      return pick(all('schoolyear'), (row) => current(row) && row.end_date! < today)
    case 'semesterOver':
      return pick(all('schoolsemester'), (row) => current(row) && row.end_date! < today)
    case 'semesterOutside':
      return pick(all('schoolsemester'), (row) => {
        const year = by('schoolyear', row.year_id)!
        return row.begin_date! < year.begin_date! || row.end_date! > year.end_date!
      })
    case 'semesterOverlap':
      return pick(all('schoolsemester'), (row) =>
        all('schoolsemester').some(
          (other) =>
            other !== row &&
            other.school_id === row.school_id &&
            other.begin_date! <= row.end_date! &&
            other.end_date! >= row.begin_date!,
        ),
      )
    case 'semesterPlan':
      return pick(
        all('schoolsemester'),
        (row) =>
          current(row) && !all('timetableplan').some((plan) => plan.semester_id === row.id && plan.status === '2'),
      )
    case 'assignmentLeft':
      return pick(all('teacherclass'), (row) => row.status === '1' && row.end_date! >= today && left(row.user_id))
    case 'lessonLeft':
      return pick(lessons, (row) => left(row.teacher_id))
    case 'lessonSeats':
      return pick(lessons, (row) => {
        const room = by('schoolclassroom', row.classroom_id)
        return row.class_id !== null && room !== undefined && Number(room.capacity) < sizeOf(row.class_id!)
      })
  }
}
