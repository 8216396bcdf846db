import { classschedule, codeOf, school, student, studentparents, teacherclass, user } from '@data-brain/contract'
import { type Home, type HomeKind, home } from '@data-brain/contract/calls/home'
import { zone } from '../../database/connect.ts'
import { prepareQuery, type Statement, sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { taughtInWeek } from '../timetable/index.ts'
import { administration, bureau, changedEntities, gapsOf, newestChanges, officeFigures } from './home-figures.ts'
import { mayRead } from './todo.ts'

/*
 * The first page by what somebody may and has: a class of one's own, the pupils of a school, its people. Each kind is one
 * call; what is counted is counted within the caller's data scopes, by the very filters of the list that it leads to.
 */

const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })

type Term = NonNullable<Home['term']>
type Teacher = NonNullable<Home['teacher']>
type Own = Teacher['classes'][number]
type Lesson = NonNullable<Home['week']>[number]
type ClassLesson = NonNullable<Teacher['week']>[number]
type Taught = NonNullable<Home['taught']>[number]

/** The current semester of the caller's school, or the only one that all schools have, with the week that it is. */
async function termOf({ tx, actor }: Call, today: string): Promise<Term | null> {
  const terms = await tx.run<Term>(
    sql`select distinct m.semester_name as name, m.begin_date as begin, m.end_date as end, m.week_count as weeks,
          ((${today}::date - m.first_week_monday) / 7 + 1)::int as week
        from schoolsemester m where m.tenant_id = ${actor.tenantId} and m.is_current = 1
          and (not exists (select 1 from dept d where d.tenant_id = ${actor.tenantId} and d.school_id is not null and d.id = any(${actor.deptIds}::bigint[]))
            or m.school_id in (select d.school_id from dept d where d.tenant_id = ${actor.tenantId} and d.id = any(${actor.deptIds}::bigint[])))
        limit 2`,
  )
  const [term] = terms
  return terms.length === 1 && term && term.week >= 1 && today <= term.end ? term : null
}

/** Classes that the caller heads, or helps to, in a current year. */
const ownClasses = ({ tx, actor }: Call): Promise<Own[]> =>
  tx.run<Own>(
    sql`select c.id, c.class_name as name from schoolclass c join schoolyear y on y.tenant_id = c.tenant_id and y.id = c.year_id
        where c.tenant_id = ${actor.tenantId} and c.status <= 1 and y.is_current = 1 and (c.head_teacher_id = ${actor.userId}
          or exists (select 1 from schoolclass_deputy_teacher l where l.tenant_id = c.tenant_id and l.owner_id = c.id and l.target_id = ${actor.userId}))
        order by c.head_teacher_id = ${actor.userId} desc, c.class_name limit 10`,
  )

/** Lessons of the week that it is, of the current semester's published plan. */
const ofThisWeek = (today: string) => sql`m.is_current = 1 and ${today}::date between m.begin_date and m.end_date
  and ${taughtInWeek('t', 'p', sql`((${today}::date - m.first_week_monday) / 7 + 1)::int`)}`

/** Lessons that the caller gives in the week that it is. */
const lessonsOfWeek = ({ tx, actor }: Call, today: string): Promise<Lesson[]> =>
  tx.run<Lesson>(
    sql`select t.id, t.weekday::int as day, t.period_no as "periodNo", t.span, b.subject_name as "subjectName", coalesce(t.color, b.color) as color,
          coalesce(c.class_name, g.teach_class_name) as "className", r.room_name as "roomName"
        from classschedule t join schoolsemester m on m.tenant_id = t.tenant_id and m.id = t.semester_id
          join timetableplan p on p.tenant_id = t.tenant_id and p.id = t.plan_id
          join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
          left join schoolclass c on c.tenant_id = t.tenant_id and c.id = t.class_id
          left join schoolteachclass g on g.tenant_id = t.tenant_id and g.id = t.teach_class_id
          left join schoolclassroom r on r.tenant_id = t.tenant_id and r.id = coalesce(t.classroom_id, c.classroom_id)
        where t.tenant_id = ${actor.tenantId} and t.teacher_id = ${actor.userId} and ${ofThisWeek(today)}
        order by day, t.period_no, t.id limit 100`,
  )

/** Lessons of a class in the week that it is, with who gives them. */
const weekOfClass = (call: Call, classId: string, today: string): Promise<ClassLesson[]> =>
  queryReached<ClassLesson>(
    call,
    classschedule,
    (
      scope,
    ) => sql`select t.weekday::int as day, t.period_no as "periodNo", t.span, b.subject_name as "subjectName", coalesce(t.color, b.color) as color,
          u.real_name as "teacherName"
        from classschedule t join schoolsemester m on m.tenant_id = t.tenant_id and m.id = t.semester_id
          join timetableplan p on p.tenant_id = t.tenant_id and p.id = t.plan_id
          join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
          left join app_user u on u.tenant_id = t.tenant_id and u.id = t.teacher_id
        where t.tenant_id = ${call.actor.tenantId} and t.class_id = ${classId} and ${ofThisWeek(today)} ${scope}
        order by day, t.period_no, t.id limit 100`,
  )

/** Classes and teaching groups that the caller teaches this semester, each with the subjects. */
const taughtBy = ({ tx, actor }: Call, today: string): Promise<Taught[]> =>
  tx.run<Taught>(
    sql`select coalesce(c.id, g.id) as id, (c.id is null)::int as grouped, coalesce(c.class_name, g.teach_class_name) as name,
          string_agg(distinct b.subject_name, '、') as subjects, sum(a.week_hours)::int as hours
        from teacherclass a join schoolsubject b on b.tenant_id = a.tenant_id and b.id = a.subject_id
          left join schoolclass c on c.tenant_id = a.tenant_id and c.id = a.class_id
          left join schoolteachclass g on g.tenant_id = a.tenant_id and g.id = a.teach_class_id
        where a.tenant_id = ${actor.tenantId} and a.user_id = ${actor.userId} and ${today}::date between a.begin_date and a.end_date
        group by c.id, g.id, c.class_name, g.teach_class_name order by name limit 30`,
  )

/** The caller's pupils of one of the own classes, and what is missing of them. */
async function classOf(call: Call, own: readonly Own[], asked: string | undefined, today: string): Promise<Teacher> {
  const { tx, actor } = call
  const chosen = own.find(({ id }) => id === asked) ?? own[0]!
  const reach = await rowsOf(student, call).reach([codeOf(student, 'view')])
  const guardians = holdsCode(actor, codeOf(studentparents, 'view'))
  // Whose parents nobody could ring is said beside the name, to who may know it.
  const alone = guardians
    ? sql`not exists (select 1 from studentparents p where p.tenant_id = t.tenant_id and p.student_id = t.id)`
    : sql`false`
  const { text, values } = prepareQuery(
    sql`select t.id, t.name, t.sex, to_char(t.birth_date::date, 'MM-DD') as birthday, (${alone})::int as alone
        from student t where t.tenant_id = ${actor.tenantId} and t.class_id = ${chosen.id} and t.status = 1
          ${reach ? sql`and ${reach.sql}` : sql``}
        order by t.seat_no nulls last, t.student_no, t.id limit 120`,
  ).with({ tenant: actor.tenantId, ...reach?.values })
  return {
    ...chosen,
    classes: own,
    pupils: await tx.run<Teacher['pupils'][number]>({ text, values } as Statement),
    gaps: await gapsOf(call, { classId: chosen.id }),
    week: holdsCode(actor, codeOf(classschedule, 'view')) ? await weekOfClass(call, chosen.id, today) : null,
  }
}

/** Which first pages somebody has, the one that is shown first in front. */
async function kindsOf(call: Call, own: readonly Own[]): Promise<HomeKind[]> {
  const { actor } = call
  const kinds: HomeKind[] = []
  const seesPupils = mayRead(actor, codeOf(student, 'view'), '/blade-user/student/list')
  const keepsPupils = holdsCode(actor, codeOf(student, 'edit'))
  if (own.length > 0 && seesPupils) kinds.push('teacher')
  const oversees =
    seesPupils && mayRead(actor, codeOf(school, 'view'), '/blade-user/school/list') && (keepsPupils || own.length === 0)
  const several = oversees && (await rowsOf(school, call).count({ status: '1' })) > 1
  // Who only looks at schools looks at them together first; who keeps their pupils begins with the work.
  if (several && !keepsPupils) kinds.push('bureau')
  // Who runs the platform keeps pupils only where schools are registered in the platform's own tenant.
  const runsPlatform = holdsCode(actor, 'tenant_add') && (await rowsOf(school, call).count({})) === 0
  if ((keepsPupils || oversees) && !runsPlatform) kinds.push('office')
  if (several && keepsPupils) kinds.push('bureau')
  if (holdsCode(actor, codeOf(user, 'edit')) && holdsCode(actor, 'role_edit')) kinds.push('admin')
  return kinds
}

/** Which kinds of work somebody does, the main one in front: by these the first page and the dashboard are laid out. */
export const workKinds = async (call: Call): Promise<HomeKind[]> => kindsOf(call, await ownClasses(call))

export const homeRoute: Route = on(home, async (asked, call) => {
  const today = dayOf.format(Date.now())
  const own = await ownClasses(call)
  const kinds = await kindsOf(call, own)
  const kind = kinds.find((each) => each === asked.kind) ?? kinds[0] ?? null
  const teaches = (kind === null || kind === 'teacher') && holdsCode(call.actor, codeOf(classschedule, 'view'))
  return {
    today,
    term: await termOf(call, today),
    kinds,
    kind,
    week: teaches ? await lessonsOfWeek(call, today) : null,
    taught: kind === null && holdsCode(call.actor, codeOf(teacherclass, 'view')) ? await taughtBy(call, today) : null,
    teacher: kind === 'teacher' ? await classOf(call, own, asked.classId, today) : null,
    office: kind === 'office' ? await officeFigures(call) : null,
    bureau: kind === 'bureau' ? await bureau(call) : null,
    admin: kind === 'admin' ? await administration(call) : null,
    changes: kind === null || kind === 'teacher' ? null : await newestChanges(call, changedEntities[kind]),
  }
})
