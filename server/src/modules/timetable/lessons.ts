import { classschedule, codeOf } from '@data-brain/contract'
import type { HalfDay } from '@data-brain/contract/rules/half-day'
import type { WeekSlot } from '@data-brain/contract/rules/slots'
import { type WeekSet, weekSet } from '@data-brain/contract/rules/timetable'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import type { Call } from '../../kernel/route.ts'

/** A plan, and what of its semester and school a timetable needs. */
export interface PlanFacts {
  readonly id: string
  readonly schoolId: string
  readonly semesterId: string
  readonly planName: string
  readonly status: number
  readonly beginWeek: number | null
  readonly endWeek: number | null
  readonly weekCount: number
  readonly teachDays: readonly number[]
  readonly examBegin: string | null
}

/** A plan with its semester. It was looked for before, by who may see it. */
export async function planFacts(tx: Tx, tenantId: string, planId: string): Promise<PlanFacts | undefined> {
  const row = await tx.one<Omit<PlanFacts, 'teachDays'> & { teachDays: string[] }>(
    sql`select p.id, p.school_id as "schoolId", p.semester_id as "semesterId", p.plan_name as "planName", p.status,
          p.begin_week as "beginWeek", p.end_week as "endWeek", m.week_count as "weekCount", s.teach_days as "teachDays", m.exam_begin as "examBegin"
        from timetableplan p join schoolsemester m on m.tenant_id = p.tenant_id and m.id = p.semester_id
          join school s on s.tenant_id = p.tenant_id and s.id = p.school_id
        where p.tenant_id = ${tenantId} and p.id = ${planId}`,
  )
  return row && { ...row, teachDays: row.teachDays.map(Number).toSorted((a, b) => a - b) }
}

type Condition = RawBuilder<unknown>

/**
 * An assignment that somebody else has taken over within the semester promises nothing to a plan that is still to be
 * published: it is over by the time that the other one begins.
 */
export const notHandedOver = (assignment: Condition): Condition =>
  sql`and not exists (select from teacherclass later where later.tenant_id = ${assignment}.tenant_id and later.semester_id = ${assignment}.semester_id
    and later.role = ${assignment}.role and later.subject_id = ${assignment}.subject_id and later.begin_date > ${assignment}.end_date
    and later.class_id is not distinct from ${assignment}.class_id and later.teach_class_id is not distinct from ${assignment}.teach_class_id)`

/** A lesson of a plan with the names that a timetable shows. */
export interface PlanLesson {
  readonly id: string
  readonly version: number
  readonly weekday: number
  readonly periodNo: number
  readonly span: number
  readonly weekType: string
  readonly weeks: number[] | null
  readonly classId: string | null
  readonly teachClassId: string | null
  readonly className: string
  readonly subjectId: string
  readonly subjectName: string
  readonly shortName: string
  readonly color: string
  readonly teacherId: string
  readonly teacherName: string
  readonly classroomId: string | null
  readonly classroomName: string | null
  /** Whether that is the lesson's own, rather than the home room of its class. */
  readonly hasOwnRoom: boolean
  readonly isLocked: boolean
}

const lessonColumns = sql`t.id, t.version, t.weekday::int as weekday, t.period_no as "periodNo", t.span, t.week_type as "weekType", t.weeks,
  t.class_id as "classId", t.teach_class_id as "teachClassId", coalesce(c.class_name, g.teach_class_name) as "className",
  t.subject_id as "subjectId", b.subject_name as "subjectName", b.short_name as "shortName", coalesce(t.color, b.color) as color,
  t.teacher_id as "teacherId", u.real_name as "teacherName", r.id as "classroomId", r.room_name as "classroomName",
  t.classroom_id is not null as "hasOwnRoom", coalesce(t.is_locked, 0) = 1 as "isLocked"`

const lessonTables = sql`classschedule t
  join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
  join app_user u on u.tenant_id = t.tenant_id and u.id = t.teacher_id
  left join schoolclass c on c.tenant_id = t.tenant_id and c.id = t.class_id
  left join schoolteachclass g on g.tenant_id = t.tenant_id and g.id = t.teach_class_id
  left join schoolclassroom r on r.tenant_id = t.tenant_id and r.id = coalesce(t.classroom_id, g.classroom_id, c.classroom_id)`

const everyLesson: Condition = sql``

/** The lessons of a plan that the caller may see, in the order of the week; of some of them alone where `only` says so. */
export const lessonsSeen = (call: Call, planId: string, only = everyLesson): Promise<PlanLesson[]> =>
  queryReached<PlanLesson>(
    call,
    classschedule,
    (scope) =>
      sql`select ${lessonColumns} from ${lessonTables} where t.tenant_id = ${call.actor.tenantId} and t.plan_id = ${planId} ${only} ${scope} order by t.weekday, t.period_no, t.id`,
  )

/** All lessons of a plan, for judging it: what is told of those that the caller may not see names none of them. */
export const lessonsOfPlan = (tx: Tx, tenantId: string, planId: string, only = everyLesson): Promise<PlanLesson[]> =>
  tx.run<PlanLesson>(
    sql`select ${lessonColumns} from ${lessonTables} where t.tenant_id = ${tenantId} and t.plan_id = ${planId} ${only} order by t.weekday, t.period_no, t.id`,
  )

/** That lesson alone. */
export const thatLesson = (id: string): Condition => sql`and t.id = ${id}`

/**
 * Lessons that a lesson could be in the way of: of its class, teacher or room, and of teaching classes, whose pupils come from
 * anywhere. What a teaching class takes stands in any class.
 */
export const meeting = ({
  classId,
  teacherId,
  classroomId,
}: Pick<PlanLesson, 'classId' | 'teacherId' | 'classroomId'>): Condition =>
  classId === null
    ? everyLesson
    : sql`and (t.class_id = ${classId} or t.teacher_id = ${teacherId} or t.teach_class_id is not null
        or coalesce(t.classroom_id, g.classroom_id, c.classroom_id) = ${classroomId}::bigint)`

/** The ids of the lessons of a plan that the caller may see; undefined where that is all of them. */
export async function idsSeen(
  call: Call,
  planId: string,
  only = everyLesson,
): Promise<ReadonlySet<string> | undefined> {
  if (!(await rowsOf(classschedule, call).reach([codeOf(classschedule, 'view')]))) return undefined
  return new Set((await lessonsSeen(call, planId, only)).map(({ id }) => id))
}

/** What of a school decides where lessons can be: who is in a teaching class, seats, when somebody is busy. */
export interface Circumstances {
  /** Per teaching class: its kind, the classes that it takes whole, and its pupils with their classes. */
  readonly teachClasses: ReadonlyMap<string, TeachClass>
  readonly rooms: ReadonlyMap<
    string,
    { readonly name: string; readonly concurrency: number; readonly capacity: number }
  >
  readonly classNames: ReadonlyMap<string, string>
  readonly classSizes: ReadonlyMap<string, number>
  /** Slots in which a teacher does not teach. */
  readonly unavailable: ReadonlyMap<string, readonly WeekSlot[]>
  /** The half-day on which all teachers of a subject meet. */
  readonly research: ReadonlyMap<string, HalfDay>
}

interface TeachClass {
  readonly whole: readonly string[]
  readonly pupils: ReadonlyMap<string, string | null>
}

/** Reads the circumstances of a semester of a school. */
export async function circumstancesOf(tx: Tx, tenantId: string, plan: PlanFacts): Promise<Circumstances> {
  const groups = await tx.run<{ id: string; kind: string; classes: string[]; pupils: [string, string | null][] }>(
    sql`select t.id, t.kind,
          array(select l.target_id::text from schoolteachclass_class l where l.tenant_id = t.tenant_id and l.owner_id = t.id) as classes,
          coalesce((select jsonb_agg(jsonb_build_array(s.id::text, s.class_id::text)) from schoolteachclass_student l
            join student s on s.tenant_id = l.tenant_id and s.id = l.target_id where l.tenant_id = t.tenant_id and l.owner_id = t.id), '[]') as pupils
        from schoolteachclass t where t.tenant_id = ${tenantId} and t.semester_id = ${plan.semesterId}`,
  )
  const rooms = await tx.run<{ id: string; name: string; concurrency: number; capacity: number }>(
    sql`select id, room_name as name, concurrency, capacity from schoolclassroom where tenant_id = ${tenantId} and school_id = ${plan.schoolId}`,
  )
  const classes = await tx.run<{ id: string; name: string; size: number }>(
    sql`select c.id, c.class_name as name, coalesce(c.student_count, 0) as size from schoolclass c
          join schoolsemester m on m.tenant_id = c.tenant_id and m.year_id = c.year_id
        where c.tenant_id = ${tenantId} and m.id = ${plan.semesterId}`,
  )
  const teachers = await tx.run<{ id: string; slots: WeekSlot[] }>(
    sql`select u.id, u.unavailable_slots as slots from app_user u where u.tenant_id = ${tenantId} and u.unavailable_slots is not null
          and exists (select from classschedule l where l.tenant_id = u.tenant_id and l.teacher_id = u.id and l.semester_id = ${plan.semesterId}
            union all select from teacherclass a where a.tenant_id = u.tenant_id and a.user_id = u.id and a.semester_id = ${plan.semesterId})`,
  )
  const subjects = await tx.run<{ id: string; slot: HalfDay }>(
    sql`select id, research_slot as slot from schoolsubject where tenant_id = ${tenantId} and school_id = ${plan.schoolId} and research_slot is not null`,
  )
  return {
    teachClasses: new Map(
      groups.map(({ id, kind, classes: whole, pupils }) => [
        id,
        kind === '1' || kind === '3' ? { whole, pupils: new Map() } : { whole: [], pupils: new Map(pupils) },
      ]),
    ),
    rooms: new Map(rooms.map(({ id, ...room }) => [id, room])),
    classNames: new Map(classes.map(({ id, name }) => [id, name])),
    classSizes: new Map(classes.map(({ id, size }) => [id, size])),
    unavailable: new Map(teachers.map(({ id, slots }) => [id, slots])),
    research: new Map(subjects.map(({ id, slot }) => [id, slot])),
  }
}

/** The weeks of a lesson within those that a plan may have. */
export const weeksOfLesson = (
  lesson: Pick<PlanLesson, 'weekType' | 'weeks'>,
  plan: Pick<PlanFacts, 'beginWeek' | 'endWeek' | 'weekCount'>,
): WeekSet => weekSet(lesson.weekType, lesson.weeks, plan.beginWeek ?? 1, plan.endWeek ?? plan.weekCount)
