import {
  attach,
  codeOf,
  type Entity,
  notice,
  school,
  schoolclass,
  schoolsemester,
  student,
  studentdetail,
  studentparents,
  user,
} from '@data-brain/contract'
import { recordedChanges } from '@data-brain/contract/calls/history'
import type { Figure, Home } from '@data-brain/contract/calls/home'
import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { Call } from '../../kernel/route.ts'
import { changesList } from '../history/index.ts'
import { toldBatches } from '../jobs/index.ts'
import { ofPeople, peopleOf } from '../log/index.ts'
import { readCounts, seenBy } from './receipts.ts'
import { mayRead } from './todo.ts'

/*
 * What the first pages count. Each figure is counted within the caller's data scopes, by the very filters of the list
 * that it leads to; what its reader may not list is absent.
 */

type Office = NonNullable<Home['office']>
type Bureau = NonNullable<Home['bureau']>
type Admin = NonNullable<Home['admin']>

export async function figures(
  call: Call,
  wanted: readonly {
    key: string
    entity: Entity
    query: Figure['query']
    /** What it tells of besides. */
    of?: readonly Entity[]
  }[],
): Promise<Figure[]> {
  const found: Figure[] = []
  for (const { key, entity, query, of = [] } of wanted)
    if (
      mayRead(call.actor, codeOf(entity, 'view'), `/${entity.path}/list`) &&
      of.every((each) => holdsCode(call.actor, codeOf(each, 'view')))
    )
      found.push({ key, code: entity.name, query, count: await rowsOf(entity, call).count({ ...query }) })
  return found
}

/** Pupils by grade. */
const byGrade = (call: Call): Promise<Office['grades']> =>
  queryReached(
    call,
    student,
    (scope) => sql`select g.id, g.grade_name as name, count(*) filter (where t.sex = '1')::int as boys,
          count(*) filter (where t.sex = '2')::int as girls, count(*)::int as total
        from student t join sysgrade_seen g on g.tenant_id = t.tenant_id and g.id = t.grade_id
        where t.tenant_id = ${call.actor.tenantId} and t.status = 1 ${scope} group by g.id, g.grade_name, g.sort order by g.sort, g.id`,
  )

/** Who may bring students in sees how the newest imports of them ended: who works with some only, one's own. */
async function imports({ tx, actor }: Call): Promise<Office['imports']> {
  if (!mayRead(actor, 'student_import', '/blade-user/import/list')) return null
  return tx.run(
    sql`select id, file_name as "fileName", state, user_name as "userName", create_time as time,
          coalesce((counts->>'add')::int, 0) as added, coalesce((counts->>'update')::int, 0) as updated, coalesce((counts->>'bad')::int, 0) as bad
        from import_batch where ${toldBatches(['student'], actor)} order by create_time desc, id desc limit 4`,
  )
}

/** The classes that are nearest to the most that they may have, or over it. */
const fullest = (call: Call): Promise<Office['full']> =>
  queryReached(
    call,
    schoolclass,
    (
      scope,
    ) => sql`select t.id, t.class_name as name, s.school_name as "schoolName", coalesce(t.student_count, 0) as count, t.max_size as "maxSize"
        from schoolclass t join school s on s.tenant_id = t.tenant_id and s.id = t.school_id
        where t.tenant_id = ${call.actor.tenantId} and t.status = 1 ${scope} order by t.student_count - t.max_size desc, t.id limit 6`,
  )

/** Every class with its pupils, by grade. */
const classSizes = (call: Call): Promise<Office['sizes']> =>
  queryReached(
    call,
    schoolclass,
    (
      scope,
    ) => sql`select g.id, g.grade_name as name, jsonb_agg(jsonb_build_object('id', t.id::text, 'name', t.class_name, 'no', t.class_no,
            'count', coalesce(t.student_count, 0), 'maxSize', t.max_size) order by t.class_no, t.id) as classes
        from schoolclass t join sysgrade_seen g on g.tenant_id = t.tenant_id and g.id = t.grade_id
          join schoolyear y on y.tenant_id = t.tenant_id and y.id = t.year_id
        where t.tenant_id = ${call.actor.tenantId} and t.status = 1 and y.is_current = 1 ${scope}
        group by g.id, g.grade_name, g.sort order by g.sort, g.id limit 20`,
  )

export async function officeFigures(call: Call): Promise<Office> {
  const { tenantId } = call.actor
  const schools = await queryReached<Office['schools'][number]>(
    call,
    student,
    (
      scope,
    ) => sql`select s.id, s.school_name as name, count(*)::int as total from student t join school s on s.tenant_id = t.tenant_id and s.id = t.school_id
      where t.tenant_id = ${tenantId} and t.status = 1 ${scope} group by s.id, s.school_name, s.sort order by s.sort, s.id limit 30`,
  )
  return {
    figures: await figures(call, [
      { key: 'pupils', entity: student, query: { status: '1' } },
      { key: 'classes', entity: schoolclass, query: { status: '1' } },
      { key: 'staff', entity: user, query: { status: '1' } },
    ]),
    gaps: await gapsOf(call, {}),
    grades: await byGrade(call),
    schools,
    // Several schools see where it is fullest, an only one all of its classes.
    ...(schools.length > 1 ? { full: await fullest(call), sizes: [] } : { full: [], sizes: await classSizes(call) }),
    imports: await imports(call),
  }
}

/** What is missing of the pupils and, for a whole school, of its classes. */
export const gapsOf = (call: Call, of: Readonly<Record<string, string>>): Promise<Figure[]> => {
  const pupils = { status: '1', ...of }
  return figures(call, [
    { key: 'noGuardian', entity: student, query: { ...pupils, guardians_null: '1' }, of: [studentparents] },
    { key: 'noPhoto', entity: student, query: { ...pupils, photo_null: '1' } },
    {
      key: 'national',
      entity: student,
      query: { ...pupils, national_notnull: '1' },
      of: [studentparents, studentdetail],
    },
    ...('classId' in of
      ? []
      : [
          { key: 'noClass', entity: student, query: { ...pupils, classId_null: '1' } },
          { key: 'noTeacher', entity: schoolclass, query: { status: '1', headTeacherId_null: '1' } },
        ]),
  ])
}

const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })

/** The newest notices that are out, with how many of those they are for, and whom the caller works with, have read them. */
async function published(call: Call): Promise<Bureau['notices']> {
  if (!mayRead(call.actor, codeOf(notice, 'view'), '/blade-desk/notice/list')) return null
  const { records } = await rowsOf(notice, call).page({ status: '1', current: '1', size: '4' })
  const seen = await seenBy(call)
  const found: NonNullable<Bureau['notices']>[number][] = []
  for (const { id, title } of records) found.push({ id, title: String(title), ...(await readCounts(call, id, seen)) })
  return found
}

type OfPupils = Pick<Bureau['schools'][number], 'id' | 'pupils' | 'noClass' | 'noPhoto'>
type OfClasses = Pick<Bureau['schools'][number], 'id' | 'classes' | 'noTeacher'>
type OfSchool = Omit<Bureau['schools'][number], keyof Omit<OfPupils & OfClasses, 'id'>>

/** Every school that the caller sees: its pupils and classes, what is missing of them, and whether its semester is over. */
export async function bureau(call: Call): Promise<Bureau> {
  const { tenantId } = call.actor
  const today = dayOf.format(Date.now())
  const schools = await queryReached<OfSchool>(
    call,
    school,
    (scope) => sql`select t.id, t.school_name as name, m.semester_name as "semesterName", m.end_date as "semesterEnd",
          (m.id is null or m.end_date < ${today}::date)::int as overdue
        from school t left join schoolsemester m on m.tenant_id = t.tenant_id and m.school_id = t.id and m.is_current = 1
        where t.tenant_id = ${tenantId} and t.status = 1 ${scope} order by t.sort, t.id limit 60`,
  )
  const pupils = await queryReached<OfPupils>(
    call,
    student,
    (
      scope,
    ) => sql`select t.school_id as id, count(*)::int as pupils, count(*) filter (where t.class_id is null)::int as "noClass",
          count(*) filter (where t.photo is null)::int as "noPhoto"
        from student t where t.tenant_id = ${tenantId} and t.status = 1 ${scope} group by t.school_id`,
  )
  const classes = mayRead(call.actor, codeOf(schoolclass, 'view'), '/blade-user/schoolclass/list')
    ? await queryReached<OfClasses>(
        call,
        schoolclass,
        (
          scope,
        ) => sql`select t.school_id as id, count(*)::int as classes, count(*) filter (where t.head_teacher_id is null)::int as "noTeacher"
        from schoolclass t where t.tenant_id = ${tenantId} and t.status = 1 ${scope} group by t.school_id`,
      )
    : null
  const zeroPupils = { pupils: 0, noClass: 0, noPhoto: 0 }
  return {
    figures: await figures(call, [
      { key: 'schools', entity: school, query: { status: '1' } },
      { key: 'pupils', entity: student, query: { status: '1' } },
      { key: 'classes', entity: schoolclass, query: { status: '1' } },
      { key: 'staff', entity: user, query: { status: '1' } },
    ]),
    gaps: await gapsOf(call, {}),
    grades: await byGrade(call),
    full: classes ? await fullest(call) : [],
    semesters: mayRead(call.actor, codeOf(schoolsemester, 'view'), '/blade-user/schoolsemester/list'),
    schools: schools.map((each) => ({
      ...each,
      ...(pupils.find(({ id }) => id === each.id) ?? zeroPupils),
      ...(classes && (classes.find(({ id }) => id === each.id) ?? { classes: 0, noTeacher: 0 })),
    })),
    notices: await published(call),
  }
}

/** The accounts that wrong passwords have locked, as the list of users is asked for them. */
const locked = { locks_notnull: '1' }

/** Who cannot log in at present, the nearest to opening last. */
async function lockedAccounts(call: Call): Promise<Admin['locked']> {
  if (!mayRead(call.actor, codeOf(user, 'view'), `/${user.path}/list`)) return null
  return queryReached<NonNullable<Admin['locked']>[number]>(
    call,
    user,
    (
      scope,
    ) => sql`select t.id, t.real_name as name, t.account, ceil(extract(epoch from max(f.locked_until) - now()) / 60)::int as minutes
        from app_user t join login_failure f on f.tenant_id = t.tenant_id and f.user_id = t.id and f.locked_until > now()
        where t.tenant_id = ${call.actor.tenantId} ${scope} group by t.id, t.real_name, t.account order by minutes desc, t.id limit 6`,
  )
}

/** How many sign-ins went well and how many failed, day by day. */
const signInDays = (call: Call): Promise<NonNullable<Admin['signIns']>> =>
  call.tx.run(
    sql`select d.day::date::text as day, coalesce(l.good, 0)::int as good, coalesce(l.failed, 0)::int as failed
        from generate_series((now() at time zone ${zone})::date - 13, (now() at time zone ${zone})::date, '1 day') d(day)
          left join (
            select (create_time at time zone ${zone})::date as day, count(*) filter (where log_id = 'login') as good,
              count(*) filter (where log_id <> 'login') as failed
            from log_usual where tenant_id = ${call.actor.tenantId} and log_id in ('login', 'login_failed', 'lock')
              ${ofPeople(peopleOf('usual', call))}
              and create_time >= ((now() at time zone ${zone})::date - 13)::timestamp at time zone ${zone} group by 1) l on l.day = d.day
        order by d.day`,
  )

/** Accounts, sign-ins and files, for those who keep them. */
export async function administration(call: Call): Promise<Admin> {
  const { tx, actor } = call
  const found = await figures(call, [
    { key: 'staff', entity: user, query: { status: '1' } },
    { key: 'lockedNow', entity: user, query: locked },
    { key: 'neverUsed', entity: user, query: { status: '1', logins_null: '1' } },
    { key: 'disabled', entity: user, query: { status: '0' } },
    { key: 'noRole', entity: user, query: { status: '1', roleId_null: '1' } },
  ])
  const readsLog = mayRead(actor, 'logusual_view', '/blade-log/usual/list')
  if (readsLog) {
    const from = `${dayOf.format(Date.now())} 00:00:00`
    const row = await tx.one<{ signIns: number; locked: number }>(
      sql`select count(*) filter (where log_id = 'login')::int as "signIns", count(*) filter (where log_id = 'lock')::int as locked
          from log_usual where tenant_id = ${actor.tenantId} and create_time >= (${from}::timestamp at time zone ${zone}) and log_id in ('login', 'lock')
            ${ofPeople(peopleOf('usual', call))}`,
    )
    for (const [key, logId] of [
      ['signIns', 'login'],
      ['locked', 'lock'],
    ] as const)
      found.push({ key, code: 'logusual', query: { logId, from }, count: row?.[key] ?? 0 })
  }
  if (mayRead(actor, codeOf(attach, 'view'), '/blade-resource/attach/list')) {
    const reach = await queryReached<{ size: number }>(
      call,
      attach,
      (scope) =>
        sql`select coalesce(sum(t.attach_size), 0)::float8 as size from attach t where t.tenant_id = ${actor.tenantId} ${scope}`,
    )
    found.push({ key: 'storage', code: 'attach', query: {}, count: reach[0]?.size ?? 0 })
  }
  return { figures: found, locked: await lockedAccounts(call), signIns: readsLog ? await signInDays(call) : null }
}

/** What people changed last of these kinds of rows, for those who may look at the history. */
export async function newestChanges(call: Call, entity: readonly string[]): Promise<Home['changes']> {
  if (!mayRead(call.actor, 'history_view', `/${recordedChanges.path}`)) return null
  return (await changesList(call, { entity, size: 8, byPeople: true })).records.map(
    ({ id, entity, entityName, rowId, rowName, action, userName, time }) => ({
      ...{ id, entity, entityName, rowId, rowName, action, userName, time },
    }),
  )
}

export const changedEntities: Readonly<Record<'office' | 'bureau' | 'admin', readonly string[]>> = {
  office: ['student', 'studentparents', 'schoolclass', 'teacherclass', 'classschedule'],
  bureau: ['school', 'schoolyear', 'schoolsemester', 'schoolclass', 'student'],
  admin: ['tenant', 'user', 'role', 'datascope', 'apiscope', 'menu', 'param'],
}
