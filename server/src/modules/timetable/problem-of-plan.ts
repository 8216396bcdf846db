import type { GradeHours } from '@data-brain/contract/rules/grade-hours'
import { weekSet } from '@data-brain/contract/rules/timetable'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { DayShape } from './judge.ts'
import { type Circumstances, notHandedOver, type PlanFacts, type PlanLesson } from './lessons.ts'
import { classesOfSemester, rulesOfSemester, type SemesterRule, solverRules } from './semester-rules.ts'
import type { Activity, Problem, Room, Rule } from './solver/problem.ts'

/** The assignment behind a lesson of the generator: class or teaching class, subject and teacher. */
export interface LessonAssignment {
  readonly classId: string | null
  readonly teachClassId: string | null
  readonly subjectId: string
  readonly teacherId: string
  /** In which weeks, where it is not in every one. */
  readonly weekType?: string
  readonly weeks?: readonly number[] | null
}

interface Assigned extends LessonAssignment {
  readonly hours: number
  readonly gradeId: string | null
  readonly weekHours: readonly GradeHours[] | null
  readonly doubles: number | null
  readonly roomType: string | null
  readonly campusId: string | null
  readonly homeRoom: string | null
  readonly size: number
}

/** A room like any other (dictionary room_type): the home room does. */
const plainRoom = '1'
/** What it costs to move a lesson that stands: more than every wish about it together. */
const stayWeight = 50
/** Lessons that a type of rooms takes, of those that it has periods for: beyond that they stay in the home room. */
const roomShare = 0.9

/**
 * The problem that the generator solves for a plan: the lessons that assignments promise, doubles as the subjects have them;
 * locked lessons stay; nobody teaches when unavailable or when the subject meets, nor more a day than the person may; and all
 * rules of the semester.
 */
export async function problemOfPlan(
  tx: Tx,
  tenantId: string,
  plan: PlanFacts,
  {
    lessons,
    around,
    shape,
    keep = false,
  }: {
    readonly lessons: readonly PlanLesson[]
    readonly around: Circumstances
    readonly shape: DayShape
    /** Whether lessons that are not locked are to stay where they stand as far as they can. */
    readonly keep?: boolean
  },
): Promise<{
  readonly problem: Problem
  readonly owing: ReadonlyMap<string, LessonAssignment>
  /** The rules of the semester that the problem's rules come from. */
  readonly rules: readonly SemesterRule[]
}> {
  const assigned = await assignmentsOf(tx, tenantId, plan)
  const rules = await rulesOfSemester(tx, tenantId, plan)
  const classes = await classesOfSemester(tx, tenantId, plan)
  const rooms = await tx.run<Room & { type: string }>(
    sql`select id, room_type as type, capacity as seats, concurrency, campus_id as campus from schoolclassroom
        where tenant_id = ${tenantId} and school_id = ${plan.schoolId} and status = 1`,
  )
  const teachers = await tx.run<{ id: string; most: number | null }>(
    sql`select id, max_day_hours as most from app_user where tenant_id = ${tenantId} and id = any(${[...new Set([...assigned, ...lessons].map(({ teacherId }) => teacherId))]}::bigint[])`,
  )
  const slots = plan.teachDays.length * shape.periods.length
  /** The rooms of a type on the campus of the class, where it has any there; of any campus otherwise. */
  const poolOf = ({ roomType, campusId }: Assigned): { type: string; campus?: string } | undefined => {
    if (!roomType) return undefined
    const isThere = campusId !== null && rooms.some(({ type, campus }) => type === roomType && campus === campusId)
    return isThere ? { type: roomType, campus: campusId } : { type: roomType }
  }
  const keyOfPool = ({ type, campus }: { type: string; campus?: string }): string => `${type}|${campus ?? ''}`
  const wanted = new Map<string, number>()
  for (const each of assigned) {
    const pool = poolOf(each)
    if (pool) wanted.set(keyOfPool(pool), (wanted.get(keyOfPool(pool)) ?? 0) + each.hours)
  }
  const takes = (pool: { type: string; campus?: string }): boolean =>
    slots *
      roomShare *
      rooms
        .filter(({ type, campus }) => type === pool.type && (pool.campus === undefined || campus === pool.campus))
        .reduce((sum, room) => sum + (room.concurrency ?? 1), 0) >=
    (wanted.get(keyOfPool(pool)) ?? 0)
  const lockedOf = (lesson: PlanLesson): Pick<Activity, 'id' | 'span' | 'weeks' | 'locked'> => ({
    id: lesson.id,
    span: lesson.span,
    ...(lesson.weekType === '0' ? {} : { weeks: weekSet(lesson.weekType, lesson.weeks, 1, plan.weekCount) }),
    locked: {
      day: lesson.weekday,
      period: lesson.periodNo,
      ...(lesson.classroomId ? { room: lesson.classroomId } : {}),
    },
  })
  const owing = new Map<string, LessonAssignment>()
  /** The class or teaching class of each lesson. */
  const ownerOf = new Map<string, string>()
  const own = (id: string, each: LessonAssignment): void =>
    void ownerOf.set(id, each.classId ?? each.teachClassId ?? '')
  const activities: Activity[] = []
  const keyOf = (each: LessonAssignment): string =>
    `${each.classId ?? each.teachClassId}|${each.subjectId}|${each.teacherId}`
  const left = Map.groupBy(
    lessons.filter(({ isLocked }) => isLocked),
    keyOf,
  )
  const uneven = Map.groupBy(
    lessons.filter(({ isLocked, weekType }) => !isLocked && weekType !== '0'),
    keyOf,
  )
  const stood = Map.groupBy(
    keep ? lessons.filter(({ isLocked, weekType }) => !isLocked && weekType === '0') : [],
    (each) => `${keyOf(each)}|${each.span}`,
  )
  for (const each of assigned) {
    const parts = takenBy(each, around)
    const common = {
      subject: each.subjectId,
      ...parts,
      teachers: [each.teacherId],
      size: each.size,
    }
    const pool = poolOf(each)
    const room = pool && takes(pool) ? { room: pool } : each.homeRoom ? { room: { rooms: [each.homeRoom] } } : {}
    const stands = left.get(keyOf(each)) ?? []
    let open = each.hours
    for (const lesson of stands) {
      open -= lesson.weekType === '1' || lesson.weekType === '2' ? lesson.span / 2 : lesson.span
      activities.push({ ...lockedOf(lesson), ...common })
      own(lesson.id, each)
    }
    left.delete(keyOf(each))
    // A clerk's lessons of some weeks stay lessons of these weeks, wherever they are put.
    for (const lesson of uneven.get(keyOf(each)) ?? []) {
      const periods = lesson.weekType === '3' ? lesson.span : lesson.span / 2
      if (open < periods) continue
      open -= periods
      const { id, span, weeks } = lockedOf(lesson)
      owing.set(id, { ...each, weekType: lesson.weekType, weeks: lesson.weeks })
      own(id, each)
      const at = keep ? { stood: { day: lesson.weekday, period: lesson.periodNo } } : {}
      activities.push({ id, ...common, ...room, span, ...(weeks === undefined ? {} : { weeks }), ...at })
    }
    const usual = each.weekHours?.find(({ gradeId }) => gradeId === each.gradeId)?.doubleCount
    let doubles = each.doubles ?? usual ?? 0
    for (let n = 0; open >= 1; n += 1) {
      const span = doubles > 0 && open >= 2 ? 2 : 1
      doubles -= 1
      open -= span
      const id = `${keyOf(each)}|${n}`
      owing.set(id, each)
      own(id, each)
      const before = stood.get(`${keyOf(each)}|${span}`)?.shift()
      const at = before ? { stood: { day: before.weekday, period: before.periodNo } } : {}
      activities.push({ id, ...common, ...room, span, ...at })
    }
  }
  // What is locked stays where it stands, whether anybody is assigned to it or not.
  for (const lesson of [...left.values()].flat()) {
    own(lesson.id, lesson)
    activities.push({
      ...lockedOf(lesson),
      subject: lesson.subjectId,
      ...takenBy(lesson, around),
      teachers: [lesson.teacherId],
    })
  }
  const groupIds = [...new Set(activities.flatMap(({ groups = [] }) => groups))]
  return {
    owing,
    rules,
    problem: {
      days: [...plan.teachDays],
      periods: shape.periods.map((no) => ({
        no,
        half: shape.isMorning(no) ? 'am' : 'pm',
        breakBefore: shape.breaks.has(no),
      })),
      weeks: plan.weekCount,
      classes: classes.map(({ id, campusId }) => ({ id, ...(campusId ? { campus: campusId } : {}) })),
      groups: groupIds.map((id) => {
        const pupils = around.teachClasses.get(id)?.pupils ?? new Map<string, string | null>()
        return {
          id,
          pupils: [...pupils.keys()],
          classes: [...new Set([...pupils.values()].flatMap((each) => each ?? []))],
        }
      }),
      teachers: teachers.map(({ id }) => ({ id })),
      rooms,
      activities,
      rules: [
        ...recordedRules(assigned, teachers, around, shape),
        ...solverRules(rules, { classes, days: plan.teachDays, periods: shape.periods, activities, ownerOf }),
        ...(keep ? [{ id: 'stay', kind: 'stay' as const, of: {}, weight: stayWeight }] : []),
      ],
    },
  }
}

/** The classes and groups of pupils that an assignment's lessons take. */
function takenBy(each: LessonAssignment, around: Circumstances): Pick<Activity, 'classes' | 'groups'> {
  if (each.classId) return { classes: [each.classId] }
  const group = each.teachClassId ? around.teachClasses.get(each.teachClassId) : undefined
  if (!group || !each.teachClassId) return { classes: [] }
  return group.whole.length > 0 ? { classes: [...group.whole] } : { classes: [], groups: [each.teachClassId] }
}

const assignmentsOf = (tx: Tx, tenantId: string, plan: PlanFacts): Promise<Assigned[]> =>
  tx.run<Assigned>(
    sql`select a.class_id as "classId", a.teach_class_id as "teachClassId", a.subject_id as "subjectId", a.user_id as "teacherId",
          a.week_hours as hours, c.grade_id as "gradeId", b.week_hours as "weekHours", g.double_periods as doubles,
          nullif(y.room_type, ${plainRoom}) as "roomType", c.campus_id as "campusId",
          coalesce(g.classroom_id, c.classroom_id) as "homeRoom",
          coalesce(c.student_count, (select count(*)::int from schoolteachclass_student k where k.tenant_id = a.tenant_id and k.owner_id = g.id)) as size
        from teacherclass a join schoolsubject b on b.tenant_id = a.tenant_id and b.id = a.subject_id
          left join syssubject_seen y on y.tenant_id = b.tenant_id and y.id = b.sys_subject_id
          left join schoolclass c on c.tenant_id = a.tenant_id and c.id = a.class_id
          left join schoolteachclass g on g.tenant_id = a.tenant_id and g.id = a.teach_class_id
        where a.tenant_id = ${tenantId} and a.semester_id = ${plan.semesterId} and a.role = '1' and a.week_hours > 0 ${notHandedOver(sql`a`)}
        order by a.id`,
  )

/** What the records of teachers and subjects say, beside the rules of the semester: these always hold. */
function recordedRules(
  assigned: readonly Assigned[],
  teachers: readonly { readonly id: string; readonly most: number | null }[],
  around: Circumstances,
  shape: DayShape,
): Rule[] {
  const rules: Rule[] = []
  for (const { id, most: max } of teachers) {
    if (max) rules.push({ id: `day-${id}`, kind: 'perDay', of: { teachers: [id] }, max, hard: true })
    const slots = (around.unavailable.get(id) ?? []).map(({ weekday, periodNo }) => ({
      day: weekday,
      period: periodNo,
    }))
    if (slots.length > 0)
      rules.push({ id: `busy-${id}`, kind: 'unavailable', of: { teachers: [id] }, slots, hard: true })
  }
  for (const id of new Set(assigned.map(({ subjectId }) => subjectId))) {
    const meeting = around.research.get(id)
    if (!meeting) continue
    const slots = shape.periods
      .filter((no) => shape.isMorning(no) === (meeting.half === 'am'))
      .map((period) => ({ day: meeting.weekday, period }))
    rules.push({ id: `research-${id}`, kind: 'unavailable', of: { subjects: [id] }, slots, hard: true })
  }
  return rules
}
