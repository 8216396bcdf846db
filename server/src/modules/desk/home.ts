import { codeOf, type Entity, schoolclass, student, studentdetail, studentparents, user } from '@data-brain/contract'
import { zone } from '../../database/connect.ts'
import { prepare, type Statement, sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import { holds } from '../../kernel/actor.ts'
import { type Call, type Route, route } from '../../kernel/route.ts'
import { changesList } from '../history/index.ts'
import { mayRead } from './todo.ts'

/*
 * The first page by what somebody may and has: a class of one's own, the pupils of a school, its people. Each kind is one
 * call; what is counted is counted within the caller's data scopes, by the very filters of the list that it leads to.
 */

export const homeKinds = ['teacher', 'office', 'admin'] as const
type HomeKind = (typeof homeKinds)[number]

const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })

interface Term {
  readonly name: string
  readonly begin: string
  readonly end: string
  readonly week: number
  readonly weeks: number
}

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

interface Own {
  readonly id: string
  readonly name: string
}

/** Classes that the caller heads, or helps to, in a current year. */
const ownClasses = ({ tx, actor }: Call): Promise<Own[]> =>
  tx.run<Own>(
    sql`select c.id, c.class_name as name from schoolclass c join schoolyear y on y.tenant_id = c.tenant_id and y.id = c.year_id
        where c.tenant_id = ${actor.tenantId} and c.status <= 1 and y.is_current = 1 and (c.head_teacher_id = ${actor.userId}
          or exists (select 1 from schoolclass_deputy_teacher l where l.tenant_id = c.tenant_id and l.owner_id = c.id and l.target_id = ${actor.userId}))
        order by c.head_teacher_id = ${actor.userId} desc, c.class_name limit 10`,
  )

/** Lessons that the caller gives today, of the week that it is. */
const lessonsToday = ({ tx, actor }: Call, today: string): Promise<unknown[]> =>
  tx.run(
    sql`select l.id, l.period_no as "periodNo", l.span, b.subject_name as "subjectName", coalesce(l.color, b.color) as color,
          coalesce(c.class_name, t.teach_class_name) as "className", r.room_name as "roomName"
        from classschedule l join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass t on t.tenant_id = l.tenant_id and t.id = l.teach_class_id
          left join schoolclassroom r on r.tenant_id = l.tenant_id and r.id = coalesce(l.classroom_id, c.classroom_id)
        where l.tenant_id = ${actor.tenantId} and l.teacher_id = ${actor.userId} and m.is_current = 1
          and ${today}::date between m.begin_date and m.end_date and l.weekday = extract(isodow from ${today}::date)::int::text
          and (l.week_type = '0' or (l.week_type = '3' and l.weeks @> to_jsonb(((${today}::date - m.first_week_monday) / 7 + 1)::int))
            or l.week_type = (case when ((${today}::date - m.first_week_monday) / 7 + 1) % 2 = 1 then '1' else '2' end))
        order by l.period_no, l.id limit 20`,
  )

/** The caller's pupils of one class, each with what is missing of it. */
async function classOf(call: Call, own: Own): Promise<unknown> {
  const { tx, actor } = call
  const reach = await rowsOf(student, call).reach([codeOf(student, 'view')])
  const { text, values } = prepare(
    sql`select t.id, t.name, t.sex, to_char(t.birth_date::date, 'MM-DD') as birthday,
          (${holds(actor, codeOf(studentparents, 'view'))} and not exists (select 1 from studentparents p where p.tenant_id = t.tenant_id and p.student_id = t.id))::int as "noPhone",
          (t.photo is null)::int as "noPhoto",
          (${holds(actor, codeOf(studentdetail, 'view'))} and not exists (select 1 from studentdetail d where d.tenant_id = t.tenant_id and d.student_id = t.id))::int as "noForm"
        from student t where t.tenant_id = ${actor.tenantId} and t.class_id = ${own.id} and t.status = 1
          ${reach ? sql`and ${reach.sql}` : sql``}
        order by t.seat_no nulls last, t.student_no, t.id limit 120`,
  ).with({ tenant: actor.tenantId, ...reach?.values })
  return { ...own, pupils: await tx.run({ text, values } as Statement) }
}

/** Rows that a statement finds among those of an entity that the caller reaches. */
async function within(
  call: Call,
  entity: typeof student | typeof schoolclass,
  build: (scope: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<unknown[]> {
  const reach = await rowsOf(entity, call).reach([codeOf(entity, 'view')])
  const scope = reach
    ? sql`and t.id in (select t.id from ${sql.table(modelOf(entity).table)} t where t.tenant_id = ${call.actor.tenantId} and ${reach.sql})`
    : sql``
  const { text, values } = prepare(build(scope)).with({ tenant: call.actor.tenantId, ...reach?.values })
  return call.tx.run({ text, values })
}

interface Figure {
  readonly key: string
  readonly code: string
  readonly query: Readonly<Record<string, string>>
  readonly count: number
}

async function figures(
  call: Call,
  wanted: readonly {
    key: string
    entity: typeof student | typeof schoolclass | typeof user
    query: Figure['query']
    /** What it tells of besides. */
    of?: Entity
  }[],
): Promise<Figure[]> {
  const found: Figure[] = []
  for (const { key, entity, query, of = entity } of wanted)
    if (mayRead(call.actor, codeOf(entity, 'view'), `/${entity.path}/list`) && holds(call.actor, codeOf(of, 'view')))
      found.push({ key, code: entity.name, query, count: await rowsOf(entity, call).count({ ...query }) })
  return found
}

async function office(call: Call): Promise<unknown> {
  const { tenantId } = call.actor
  return {
    figures: await figures(call, [
      { key: 'pupils', entity: student, query: { status: '1' } },
      { key: 'classes', entity: schoolclass, query: { status: '1' } },
      { key: 'staff', entity: user, query: { status: '1' } },
    ]),
    gaps: await figures(call, [
      { key: 'noGuardian', entity: student, query: { status: '1', guardians_null: '1' }, of: studentparents },
      { key: 'noPhoto', entity: student, query: { status: '1', photo_null: '1' } },
      { key: 'noClass', entity: student, query: { status: '1', classId_null: '1' } },
      { key: 'noTeacher', entity: schoolclass, query: { status: '1', headTeacherId_null: '1' } },
    ]),
    grades: await within(
      call,
      student,
      (scope) => sql`select g.id, g.grade_name as name, count(*) filter (where t.sex = '1')::int as boys,
          count(*) filter (where t.sex = '2')::int as girls, count(*)::int as total
        from student t join sysgrade g on g.tenant_id = t.tenant_id and g.id = t.grade_id
        where t.tenant_id = ${tenantId} and t.status = 1 ${scope} group by g.id, g.grade_name, g.sort order by g.sort, g.id`,
    ),
    schools: await within(
      call,
      student,
      (
        scope,
      ) => sql`select s.id, s.school_name as name, count(*)::int as total from student t join school s on s.tenant_id = t.tenant_id and s.id = t.school_id
        where t.tenant_id = ${tenantId} and t.status = 1 ${scope} group by s.id, s.school_name, s.sort order by s.sort, s.id limit 30`,
    ),
    full: await within(
      call,
      schoolclass,
      (
        scope,
      ) => sql`select t.id, t.class_name as name, s.school_name as "schoolName", t.student_count as count, t.max_size as "maxSize"
        from schoolclass t join school s on s.tenant_id = t.tenant_id and s.id = t.school_id
        where t.tenant_id = ${tenantId} and t.status = 1 ${scope} order by t.student_count - t.max_size desc, t.id limit 6`,
    ),
  }
}

/** Accounts, for those who keep them. */
const administration = async (call: Call): Promise<unknown> => ({
  figures: await figures(call, [
    { key: 'staff', entity: user, query: { status: '1' } },
    { key: 'disabled', entity: user, query: { status: '0' } },
    { key: 'noRole', entity: user, query: { status: '1', roleId_null: '1' } },
  ]),
})

/** The newest changes of these kinds of rows, for those who may look at the history. */
async function changes(call: Call, entity: readonly string[]): Promise<unknown> {
  if (!mayRead(call.actor, 'history_view', '/blade-log/history/list')) return null
  return (await changesList(call, { entity, size: 8 })).records.map(
    ({ id, entityName, rowName, action, userName, time }) => ({
      id,
      entityName,
      rowName,
      action,
      userName,
      time,
    }),
  )
}

const changing: Record<'office' | 'admin', readonly string[]> = {
  office: ['student', 'studentparents', 'schoolclass', 'teacherclass', 'classschedule'],
  admin: ['user', 'role', 'datascope', 'apiscope', 'menu', 'param'],
}

/** Which first pages somebody has, the one that is shown first in front. */
function kindsOf({ actor }: Call, own: readonly Own[]): HomeKind[] {
  const kinds: HomeKind[] = []
  if (own.length > 0 && holds(actor, codeOf(student, 'view'))) kinds.push('teacher')
  if (holds(actor, codeOf(student, 'edit'))) kinds.push('office')
  if (holds(actor, codeOf(user, 'edit')) && holds(actor, 'role_edit')) kinds.push('admin')
  return kinds
}

export const homeRoute: Route = route({
  method: 'GET',
  path: '/blade-desk/home',
  tag: 'search',
  access: 'session',
  summary: { zh: '首页：按权限与所任班级汇总', en: 'The first page, by what the caller may and has' },
  parameters: { kind: { kind: 'text', max: 16 } },
  handler: async (call) => {
    const today = dayOf.format(Date.now())
    const own = await ownClasses(call)
    const kinds = kindsOf(call, own)
    const asked = call.parameters.kind
    const kind = kinds.find((each) => each === asked) ?? kinds[0] ?? null
    const lessons = holds(call.actor, 'classschedule_view') ? await lessonsToday(call, today) : null
    return {
      today,
      term: await termOf(call, today),
      kinds,
      kind,
      lessons: kind === null || kind === 'teacher' ? lessons : null,
      teacher: kind === 'teacher' ? await classOf(call, own[0]!) : null,
      office: kind === 'office' ? await office(call) : null,
      admin: kind === 'admin' ? await administration(call) : null,
      changes: kind === 'office' || kind === 'admin' ? await changes(call, changing[kind]) : null,
    }
  },
})
