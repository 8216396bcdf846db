import type { QualityKey } from '@data-brain/contract/quality'
import { sql } from '../../database/statement.ts'

/*
 * What makes a row, called `t`, a finding of a check. Of other rows that the finding tells of, only those within the
 * caller's reach count; numbers that stand on the row's own record anyway are counted whole.
 */

type Sql = ReturnType<typeof sql>

/** What a check looks at besides the row. */
export interface CheckGround {
  readonly tenantId: string
  readonly today: string
  /** Guardians whose phone is one: more pupils than these are doubtful. */
  readonly phoneFamilies: number
  /** That the row called so, of the entity of that name, is within the caller's reach; it begins with `and`. */
  readonly reached: (entity: string, alias: string) => Sql
}

type Where = (ground: CheckGround) => Sql

const enrolled = sql`t.status = 1`
const guardians = ({ reached }: CheckGround, such: Sql): Sql =>
  sql`exists (select 1 from studentparents p where p.tenant_id = t.tenant_id and p.student_id = t.id ${such} ${reached('studentparents', 'p')})`
const history = ({ reached }: CheckGround, such: Sql): Sql =>
  sql`exists (select 1 from studentclass h where h.tenant_id = t.tenant_id and h.student_id = t.id ${such} ${reached('studentclass', 'h')})`
const pupilsIn = sql`(select count(*) from student s where s.tenant_id = t.tenant_id and s.class_id = t.id and s.status = 1)`
/** Somebody who does not work here any more. */
const gone = (column: Sql, today: string): Sql =>
  sql`exists (select 1 from app_user u where u.tenant_id = t.tenant_id and u.id = ${column} and (u.status <> 1 or u.leave_date < ${today}::date))`
const abolished = (column: Sql, today: string): Sql =>
  sql`exists (select 1 from region r where r.code = ${column} and r.valid_to < ${today}::date)`

/** What names are compared by: width, case, spaces and the points between parts of a name make no other name. */
const nameKey = (name: Sql): Sql => sql`lower(regexp_replace(normalize(${name}, NFKC), '[[:space:]·•・‧.,-]', '', 'g'))`

/** Lessons of a plan that is in force, in a semester that is now. */
const published = sql`exists (
    select 1 from timetableplan p join schoolsemester m on m.tenant_id = p.tenant_id and m.id = p.semester_id and m.is_current = 1
    where p.tenant_id = t.tenant_id and p.id = t.plan_id and p.status = 2)`

export const checkWheres: Readonly<Record<QualityKey, Where>> = {
  pupilGuardian: (ground) => sql`${enrolled} and not ${guardians(ground, sql``)}`,
  pupilGuardianship: (ground) =>
    sql`${enrolled} and ${guardians(ground, sql``)} and not ${guardians(ground, sql`and p.is_guardian = 1`)}`,
  pupilEmergency: (ground) =>
    sql`${enrolled} and ${guardians(ground, sql``)} and not ${guardians(ground, sql`and p.is_emergency = 1`)}`,
  pupilIdNo: () => sql`${enrolled} and t.id_no is null and t.id_type is distinct from 'Z'`,
  pupilNational: () => sql`${enrolled} and t.national_code is null`,
  pupilPhoto: () => sql`${enrolled} and t.photo is null`,
  pupilClass: () => sql`${enrolled} and t.class_id is null`,
  pupilSeat: () => sql`${enrolled} and t.class_id is not null and t.seat_no is null`,
  pupilDetail: ({ reached }) =>
    sql`${enrolled} and not exists (select 1 from studentdetail d where d.tenant_id = t.tenant_id and d.student_id = t.id ${reached('studentdetail', 'd')})`,
  // Whole years on the last first of September.
  pupilAge: ({ today }) => sql`${enrolled} and exists (
      select 1 from sysgrade_seen g, make_date((extract(year from ${today}::date) - case when extract(month from ${today}::date) < 9 then 1 else 0 end)::int, 9, 1) school(day)
      where g.tenant_id = t.tenant_id and g.id = t.grade_id
        and (extract(year from age(school.day, t.birth_date)) < g.min_age or extract(year from age(school.day, t.birth_date)) > g.max_age))`,
  pupilEnrol: ({ today }) =>
    sql`${enrolled} and (t.enroll_date > ${today}::date or t.enroll_date < t.birth_date + interval '2 years')`,
  pupilGrade: () =>
    sql`${enrolled} and exists (select 1 from schoolclass c where c.tenant_id = t.tenant_id and c.id = t.class_id and c.grade_id is distinct from t.grade_id)`,
  pupilClassClosed: () =>
    sql`${enrolled} and exists (select 1 from schoolclass c where c.tenant_id = t.tenant_id and c.id = t.class_id and c.status <> 1)`,
  pupilHistory: (ground) =>
    sql`${enrolled} and t.class_id is not null and not ${history(ground, sql`and h.class_id = t.class_id and h.end_date is null`)}`,
  // A stay ends before its last day begins.
  pupilHistoryHole: ({ reached }) => sql`${enrolled} and exists (
      select 1 from (select h.begin_date, lag(h.end_date) over (order by h.begin_date, h.id) as before
        from studentclass h where h.tenant_id = t.tenant_id and h.student_id = t.id ${reached('studentclass', 'h')}) x
      where x.begin_date > x.before)`,
  pupilLeft: (ground) => sql`t.status <> 1 and ${history(ground, sql`and h.end_date is null`)}`,
  // Groups are made once for all rows: every row beside every other takes too long.
  pupilTwin: ({ tenantId, reached }) => sql`${enrolled} and (${nameKey(sql`t.name`)}, t.birth_date) in (
      select ${nameKey(sql`o.name`)}, o.birth_date from student o where o.tenant_id = ${tenantId} and o.status = 1 ${reached('student', 'o')}
      group by 1, 2 having count(*) > 1)`,
  pupilSex: () => sql`${enrolled} and t.sex not in ('1', '2')`,
  pupilIdExpired: ({ today }) => sql`${enrolled} and t.id_expire < ${today}::date`,
  pupilYear: () => sql`${enrolled} and exists (
      select 1 from schoolclass c join schoolyear y on y.tenant_id = c.tenant_id and y.id = c.year_id
        join schoolyear now on now.tenant_id = c.tenant_id and now.school_id = c.school_id and now.is_current = 1
      where c.tenant_id = t.tenant_id and c.id = t.class_id and y.start_year < now.start_year)`,
  parentName: ({ reached }) =>
    sql`exists (select 1 from student s where s.tenant_id = t.tenant_id and s.id = t.student_id and s.name = t.parent_name ${reached('student', 's')})`,
  parentPickup: () => sql`t.custody_restricted = 1 and t.can_pickup = 1`,
  parentTwin: ({ tenantId, reached }) => sql`(t.student_id, ${nameKey(sql`t.parent_name`)}) in (
      select o.student_id, ${nameKey(sql`o.parent_name`)} from studentparents o where o.tenant_id = ${tenantId} ${reached('studentparents', 'o')}
      group by 1, 2 having count(*) > 1)`,
  parentPhone: ({ tenantId, reached, phoneFamilies }) => sql`t.mobile_hash in (
      select o.mobile_hash from studentparents o where o.tenant_id = ${tenantId} and o.mobile_hash is not null ${reached('studentparents', 'o')}
      group by 1 having count(distinct o.student_id) > ${phoneFamilies}::int)`,
  detailRegion: ({ today }) =>
    sql`(${abolished(sql`t.hukou_region_code`, today)} and exists (select 1 from student s where s.tenant_id = t.tenant_id and s.id = t.student_id and s.status = 1))`,
  staffPhone: () => sql`t.status = 1 and t.phone is null`,
  staffNo: () => sql`t.status = 1 and t.staff_no is null`,
  staffDept: () =>
    sql`t.status = 1 and not exists (select 1 from app_user_dept l where l.tenant_id = t.tenant_id and l.owner_id = t.id)`,
  staffHired: () => sql`t.status = 1 and t.hire_date < t.birthday + interval '16 years'`,
  staffLoad: ({ reached }) => sql`t.status = 1 and (
      select sum(a.week_hours) from teacherclass a join schoolsemester m on m.tenant_id = a.tenant_id and m.id = a.semester_id and m.is_current = 1
      where a.tenant_id = t.tenant_id and a.user_id = t.id and a.status = 1 ${reached('teacherclass', 'a')}) > t.max_week_hours`,
  staffTwin: ({
    tenantId,
    reached,
  }) => sql`t.status = 1 and t.phone_hash is not null and (${nameKey(sql`t.real_name`)}, t.phone_hash) in (
      select ${nameKey(sql`o.real_name`)}, o.phone_hash from app_user o where o.tenant_id = ${tenantId} and o.status = 1 and o.phone_hash is not null ${reached('user', 'o')}
      group by 1, 2 having count(*) > 1)`,
  staffLeft: ({ today }) => sql`t.status = 1 and t.leave_date < ${today}::date`,
  classTeacher: () => sql`t.status = 1 and t.head_teacher_id is null`,
  classRoom: () => sql`t.status = 1 and t.classroom_id is null`,
  classCap: () => sql`t.status = 1 and ${pupilsIn} > t.max_size`,
  classSeats: () =>
    sql`t.status = 1 and ${pupilsIn} > (select r.capacity from schoolclassroom r where r.tenant_id = t.tenant_id and r.id = t.classroom_id)`,
  classTeacherLeft: ({ today }) => sql`t.status = 1 and ${gone(sql`t.head_teacher_id`, today)}`,
  classTeacherTwice: ({ reached }) => sql`t.status = 1 and exists (
      select 1 from schoolclass o where o.tenant_id = t.tenant_id and o.id <> t.id and o.status = 1 and o.year_id = t.year_id
        and o.head_teacher_id = t.head_teacher_id ${reached('schoolclass', 'o')})`,
  classEmpty: () => sql`t.status = 1 and ${pupilsIn} = 0`,
  classYear: ({ today }) =>
    sql`t.status = 1 and exists (select 1 from schoolyear y where y.tenant_id = t.tenant_id and y.id = t.year_id and y.is_current = 0 and y.end_date < ${today}::date)`,
  roomHome: ({ reached }) => sql`t.home_class_id is not null and not exists (
      select 1 from schoolclass c where c.tenant_id = t.tenant_id and c.id = t.home_class_id and c.status = 1 and c.classroom_id = t.id ${reached('schoolclass', 'c')})`,
  schoolPrincipal: () => sql`t.status = 1 and t.principal_id is null`,
  schoolYear: ({ reached }) =>
    sql`t.status = 1 and not exists (select 1 from schoolyear y where y.tenant_id = t.tenant_id and y.school_id = t.id and y.is_current = 1 ${reached('schoolyear', 'y')})`,
  schoolRegion: ({ today }) => sql`t.status = 1 and ${abolished(sql`t.region_code`, today)}`,
  yearOver: ({ today }) => sql`t.is_current = 1 and t.end_date < ${today}::date`,
  semesterOutside: ({ reached }) => sql`exists (
      select 1 from schoolyear y where y.tenant_id = t.tenant_id and y.id = t.year_id
        and (t.begin_date < y.begin_date or t.end_date > y.end_date) ${reached('schoolyear', 'y')})`,
  semesterOverlap: ({ reached }) => sql`exists (
      select 1 from schoolsemester o where o.tenant_id = t.tenant_id and o.school_id = t.school_id and o.id <> t.id
        and o.begin_date <= t.end_date and o.end_date >= t.begin_date ${reached('schoolsemester', 'o')})`,
  semesterOver: ({ today }) => sql`t.is_current = 1 and t.end_date < ${today}::date`,
  semesterPlan: ({ reached }) =>
    sql`t.is_current = 1 and not exists (select 1 from timetableplan p where p.tenant_id = t.tenant_id and p.semester_id = t.id and p.status = 2 ${reached('timetableplan', 'p')})`,
  assignmentLeft: ({ today }) => sql`t.status = 1 and t.end_date >= ${today}::date and ${gone(sql`t.user_id`, today)}`,
  lessonLeft: ({ today }) => sql`${published} and ${gone(sql`t.teacher_id`, today)}`,
  lessonSeats: () => sql`${published} and (
      select r.capacity from schoolclassroom r where r.tenant_id = t.tenant_id and r.id = t.classroom_id)
      < (select count(*) from student s where s.tenant_id = t.tenant_id and s.class_id = t.class_id and s.status = 1)`,
}

/** Rows that a finding of a check is about besides its own, called `o`. */
export const othersOf: Readonly<Partial<Record<QualityKey, Sql>>> = {
  pupilTwin: sql`o.id <> t.id and o.status = 1 and ${nameKey(sql`o.name`)} = ${nameKey(sql`t.name`)} and o.birth_date = t.birth_date`,
  staffTwin: sql`o.id <> t.id and o.status = 1 and ${nameKey(sql`o.real_name`)} = ${nameKey(sql`t.real_name`)} and o.phone_hash = t.phone_hash`,
  parentTwin: sql`o.id <> t.id and o.student_id = t.student_id and ${nameKey(sql`o.parent_name`)} = ${nameKey(sql`t.parent_name`)}`,
  parentPhone: sql`o.student_id <> t.student_id and o.mobile_hash = t.mobile_hash`,
  classTeacherTwice: sql`o.id <> t.id and o.status = 1 and o.year_id = t.year_id and o.head_teacher_id = t.head_teacher_id`,
  semesterOverlap: sql`o.id <> t.id and o.school_id = t.school_id and o.begin_date <= t.end_date and o.end_date >= t.begin_date`,
}
