import { substitution, teacherabsence } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { addConstraints } from '../../entity/agreement.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules, changesField, refuseField, type Saving } from '../../entity/rules.ts'
import { Problem } from '../../kernel/problem.ts'
import { dayFacts, notifyWeeks, periodsOf } from '../timetable/index.ts'
import { collisionOf, holdSchool, judgeLater, judgeNow, togetherIn } from './collide.ts'
import { isAway } from './lessons.ts'
import { kinds, states } from './states.ts'

type Draft = Saving<typeof substitution>

interface Lesson {
  readonly schoolId: string
  readonly semesterId: string
  readonly teacherId: string
  readonly campusId: string | null
  readonly gradeId: string | null
  readonly periodNo: number
  readonly span: number
  /** Whether its published plan has it on the day. */
  readonly taught: boolean
}

const lessonFor = ({ tx, actor }: Context, scheduleId: string, day: string): Promise<Lesson | undefined> =>
  tx.one<Lesson>(
    sql`select l.school_id as "schoolId", l.semester_id as "semesterId", l.teacher_id as "teacherId", l.period_no as "periodNo", l.span,
          c.campus_id as "campusId", c.grade_id as "gradeId",
          exists (select from lesson_days(${actor.tenantId}, array[l.id]) d where d.days @> ${day}::date) as taught
        from classschedule l left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
        where l.tenant_id = ${actor.tenantId} and l.id = ${scheduleId}`,
  )

/** Refuses a lesson that is not given on the day anyhow: the timetable has it not, or the calendar has no lessons then. */
async function mustBeTaught(saving: Draft, { schoolId, taught }: Lesson): Promise<void> {
  const { context, whole } = saving
  const { tx, actor } = context
  const facts = await dayFacts(tx, { tenantId: actor.tenantId, schoolId }, whole.day, whole.day)
  if (!taught || (facts.get(whole.day)?.weekday ?? null) === null)
    refuseField(
      saving,
      substitution,
      'day',
      '这一天没有这节课，请按已发布的课表和校历选择日期',
      'has no such lesson: choose one on which the published timetable and the calendar have it',
    )
}

/** A lesson is moved to a day and periods that the school has, in its own semester. */
async function mustFit(saving: Draft, lesson: Lesson): Promise<void> {
  const { context, whole } = saving
  const { newDay, newPeriodNo } = whole
  const { campusId, gradeId } = lesson
  if (!newDay || !newPeriodNo) return
  const place = { tenantId: context.actor.tenantId, schoolId: lesson.schoolId }
  const facts = (await dayFacts(context.tx, place, newDay, newDay)).get(newDay)
  if (!facts || facts.weekday === null || facts.semesterId !== lesson.semesterId)
    refuseField(
      saving,
      substitution,
      'newDay',
      '不是本学期的上课日，请选择上课日',
      'has no lessons this semester: choose a school day',
    )
  const numbers = new Set(
    (await periodsOf(context.tx, { ...place, campusId, gradeId, date: newDay })).flatMap(
      ({ periodNo }) => periodNo ?? [],
    ),
  )
  const wanted = Array.from({ length: lesson.span }, (_, at) => newPeriodNo + at)
  if (numbers.size > 0 && !wanted.every((no) => numbers.has(no)))
    refuseField(
      saving,
      substitution,
      'newPeriodNo',
      '超出学校的节次',
      'is no period of the school, or too late for a lesson of this length',
    )
  if (newDay === whole.day && newPeriodNo === lesson.periodNo && !whole.newTeacherId)
    refuseField(saving, substitution, 'newPeriodNo', '与原来相同，请选择其他时间', 'is where the lesson is already')
}

/** Whoever is away then covers nothing. */
async function mustBeThere(saving: Draft, { periodNo, span, teacherId }: Lesson): Promise<void> {
  const { context, whole } = saving
  // A lesson that only moves is given by its own teacher, who may be away at the other time.
  const giver = whole.newTeacherId ?? (whole.kind === kinds.moved ? teacherId : null)
  if (!giver) return
  const [day, first] = [whole.newDay ?? whole.day, whole.newPeriodNo ?? periodNo]
  const away = await context.tx.one(
    sql`select 1 from teacherabsence a where a.tenant_id = ${context.actor.tenantId} and a.teacher_id = ${giver} and a.status = 1
          and ${isAway(sql`${day}::date`, sql`${first}::int`, sql`${first + span - 1}::int`)} limit 1`,
  )
  if (away && !whole.newTeacherId)
    refuseField(
      saving,
      substitution,
      'newDay',
      '原任课教师此时缺勤，请选择其他时间或代课教师',
      'is a time when the teacher is absent: choose another time, or a substitute',
    )
  if (away)
    refuseField(
      saving,
      substitution,
      'newTeacherId',
      '此时缺勤，请选择其他教师',
      'is absent then: choose somebody else',
    )
}

async function beforeSave(saving: Draft): Promise<void> {
  const { context, before, values, whole } = saving
  if (before) return
  // One that is not there is told as a reference.
  const lesson = await lessonFor(context, whole.scheduleId, whole.day)
  if (!lesson || lesson.schoolId !== whole.schoolId) return
  await holdSchool(context, lesson.schoolId, lesson.semesterId)
  await mustBeTaught(saving, lesson)
  await mustFit(saving, lesson)
  await mustBeThere(saving, lesson)
  values.teacherId = lesson.teacherId
  if (whole.kind === kinds.cover && whole.newTeacherId === lesson.teacherId)
    refuseField(
      saving,
      substitution,
      'newTeacherId',
      '就是原任课教师，请选择其他教师',
      'is the teacher of the lesson: choose somebody else',
    )
  // Nobody is asked whether a lesson is taken out or is in another room.
  const asksNobody = whole.kind === kinds.out || whole.kind === kinds.room
  saving.status = asksNobody || togetherIn(context.tx)?.confirmed ? states.confirmed : states.waiting
  if (!togetherIn(context.tx) && context.action !== 'undo') await judgeLater(context.tx)
}

/** Its state is what somebody decided by a call of its own; taking such a call back is another. */
async function stateStays(saving: Draft): Promise<void> {
  if (saving.before && saving.status !== undefined)
    throw new Problem('rule_broken', {
      reason: {
        zh: '调代课的状态由接受、拒绝和取消改变，不能直接修改',
        en: 'The state of a substitution is changed by accepting, declining and cancelling it',
      },
    })
}

/** The field at which it is told what a lesson collides by. */
const fields = { T: 'newTeacherId', R: 'newClassroomId', C: 'newPeriodNo', S: 'newPeriodNo' } as const

async function afterSave(saving: Draft): Promise<void> {
  const { context, before, whole } = saving
  // What is taken back is judged when all of it stands.
  if (before || context.action === 'undo') return
  const whileTogether = togetherIn(context.tx)
  if (whileTogether) {
    whileTogether.lessons.add(whole.scheduleId)
    return
  }
  const collision = await collisionOf(context, [whole.scheduleId])
  if (collision) {
    const { zh, en } = collision.text
    refuseField(saving, substitution, fields[collision.type], zh, `is taken: ${en}`)
  }
  await judgeNow(context.tx)
}

/** Refuses an absence at a school where the teacher has no lessons then, though there are some at another: nobody would miss them here. */
async function mustTeachThere(saving: Saving<typeof teacherabsence>): Promise<void> {
  if (!changesField(saving, 'schoolId', 'teacherId', 'beginDate', 'endDate')) return
  const { tx, actor } = saving.context
  const { schoolId, teacherId, beginDate, endDate } = saving.whole
  const schools = await tx.run<{ id: string; name: string }>(
    sql`select s.id, s.school_name as name from school s where s.tenant_id = ${actor.tenantId} and s.id in (
          select a.school_id from teacherclass a where a.tenant_id = ${actor.tenantId} and a.user_id = ${teacherId}
            and a.begin_date <= ${endDate}::date and a.end_date >= ${beginDate}::date
          union select l.school_id from classschedule l
            join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
            join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id and m.begin_date <= ${endDate}::date and m.end_date >= ${beginDate}::date
            where l.tenant_id = ${actor.tenantId} and l.teacher_id = ${teacherId}
          union select x.school_id from substitution x where x.tenant_id = ${actor.tenantId} and x.new_teacher_id = ${teacherId}
            and x.status <= ${states.done} and coalesce(x.new_day, x.day) between ${beginDate}::date and ${endDate}::date)
        order by s.school_name, s.id limit 20`,
  )
  if (schools.length === 0 || schools.some(({ id }) => id === schoolId)) return
  const names = schools.map(({ name }) => name)
  refuseField(
    saving,
    teacherabsence,
    'schoolId',
    `该教师这几天在这所学校没有课，请改选：${names.join('、')}`,
    `is one where the teacher has no lessons on these days: choose where there are some (${names.join(', ')})`,
  )
}

/** What the constraints of substitutions and absences mean, and what is judged before they are written. */
export function addSubstitutionRules(): void {
  addConstraints(substitution, {
    substitution_once: {
      field: 'scheduleId',
      reason: {
        zh: '这一天已有调代课，请先取消原来的',
        en: 'has a substitution on that day already: cancel that first',
      },
    },
    substitution_kind_parts: {
      field: 'kind',
      reason: {
        zh: '与所填内容不符：代课须有代课教师，调课须有日期和节次，换教室须有教室',
        en: 'does not fit: a cover needs a substitute, a move a day and a period, another room the room',
      },
    },
    substitution_other_teacher: {
      field: 'newTeacherId',
      reason: {
        zh: '就是原任课教师，请选择其他教师',
        en: 'is the teacher of the lesson: choose somebody else',
      },
    },
  })
  addConstraints(teacherabsence, {
    teacherabsence_periods_order: {
      field: 'endPeriodNo',
      reason: { zh: '不能早于开始的节次', en: 'must not be before the first period of that day' },
    },
  })
  addRules(substitution, { beforeSave, afterSave })
  for (const entity of [substitution, teacherabsence])
    addRules(entity, {
      afterSave: ({ context }) => notifyWeeks(context),
      afterRemove: ({ context }) => notifyWeeks(context),
    })
  addRules(teacherabsence, { skippedByUndo: true, beforeSave: mustTeachThere })
  addRules(substitution, {
    skippedByUndo: true,
    beforeSave: stateStays,
    beforeRemove: async ({ context, before }) => {
      await holdSchool(context, before.schoolId)
      if (before.status === states.done)
        refuseField(
          { context },
          substitution,
          'day',
          '课已上过，不能删除；如有误请取消',
          'is past and counted, and is not removed: cancel it where it is wrong',
        )
    },
  })
}
