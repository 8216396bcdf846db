import { randomInt } from 'node:crypto'
import { teacherabsence } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { sendMessage } from '../desk/index.ts'
import { cancelCovers } from '../substitution/index.ts'
import type { Leave } from './access.ts'
import { bellsOf, type HalfDays, halfDaysOf } from './half-days.ts'
import { missedLessons, uncoveredLessons } from './missed.ts'
import { guardsOf, pupilOf, type Subject, staffOf } from './subject.ts'

/** The person of a leave as things stand today; of staff in the school of the leave. */
export const subjectOfLeave = ({ tx, actor }: Context, row: Leave): Promise<Subject | undefined> =>
  row.studentId
    ? pupilOf(tx, actor.tenantId, row.studentId)
    : staffOf(tx, actor.tenantId, row.userId!, row.schoolId).then(
        // Whoever has left the school since is still whom the leave is about.
        (found) => found ?? staffOf(tx, actor.tenantId, row.userId!, undefined),
      )

/** The half-days of a leave. */
export const stretchOf = ({ tx, actor }: Context, row: Leave, subject: Subject | undefined): Promise<HalfDays> =>
  halfDaysOf(
    tx,
    { tenantId: actor.tenantId, schoolId: row.schoolId, campusId: subject?.campusId, gradeId: subject?.gradeId },
    row.startTime,
    row.endTime,
  )

/** Lets the office plan with it that a teacher is away: the lessons of these half-days want cover. Answers its id. */
export async function makeAbsence(
  context: Context,
  row: Pick<Leave, 'schoolId' | 'userId' | 'leaveType'>,
  { from, until }: HalfDays,
): Promise<string> {
  const { tx, actor } = context
  const place = { tenantId: actor.tenantId, schoolId: row.schoolId }
  const first = await bellsOf(tx, { ...place, date: from.day })
  const last = await bellsOf(tx, { ...place, date: until.day })
  // Why somebody is away stands in the leave, for those who may read that.
  const made = await new Repository(teacherabsence, { ...context, unscoped: true }).add({
    ...{
      schoolId: row.schoolId,
      teacherId: row.userId!,
      leaveType: row.leaveType,
      beginDate: from.day,
      endDate: until.day,
    },
    beginPeriodNo: from.half === 'pm' ? first.firstOfAfternoon : null,
    endPeriodNo: until.half === 'am' ? last.lastOfMorning : null,
  })
  return made.id
}

/** Takes back what a leave of staff had made necessary: the absence, and the cover for its lessons. Answers how many covers. */
export async function undoAbsence(context: Context, row: Leave): Promise<number> {
  const { tx, actor } = context
  if (row.userId === null || row.absenceId === null) return 0
  const { tenantId } = actor
  const stretch = await stretchOf(context, row, undefined)
  const subject = { kind: 'staff', id: row.userId, classId: null, gradeId: null, schoolId: row.schoolId } as const
  const lessons = await missedLessons(tx, tenantId, subject, stretch)
  const covers = lessons.flatMap(({ substitutionId, plannedTeacherId, teacherId }) =>
    substitutionId !== null && plannedTeacherId === row.userId && teacherId !== row.userId ? [substitutionId] : [],
  )
  await tx.run(sql`update leave set absence_id = null where tenant_id = ${tenantId} and id = ${row.id}`)
  const absences = new Repository(teacherabsence, { ...context, unscoped: true })
  const [there] = await absences.rows([row.absenceId], [], { codes: [] })
  if (there) await absences.remove([row.absenceId])
  return cancelCovers(context, row.schoolId, covers)
}

/** Lessons of a leave of staff that nobody gives instead. */
export async function bareLessons(context: Context, row: Leave): Promise<number> {
  const stretch = await stretchOf(context, row, undefined)
  const subject = { kind: 'staff', id: row.userId!, classId: null, gradeId: null, schoolId: row.schoolId } as const
  return uncoveredLessons(await missedLessons(context.tx, context.actor.tenantId, subject, stretch), row.userId!).length
}

/** Letters and digits that nobody mistakes for one another when they are read out. */
const passSigns = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const passLength = 8

/** A number for a gate pass that nobody can guess. */
export const newPassNo = (): string =>
  Array.from({ length: passLength }, () => passSigns[randomInt(passSigns.length)]).join('')

/** The kind under which consoles know these messages. */
const messageKind = 'leave'

const linkOf = ({ processInstanceId, id }: Leave): string =>
  `/work/process/leave/detail/${processInstanceId ?? '0'}/${id}`

const shortTime = (instant: string): string => instant.slice(5, 16)

/** Tells of a pupil's leave who has to know: the teachers of the lessons, the class's own, and where one leaves, the gate. */
export async function tellPupilLeave(context: Context, row: Leave, happened: 'approved' | 'cancelled'): Promise<void> {
  const { tx, actor } = context
  const { tenantId } = actor
  const subject = await subjectOfLeave(context, row)
  if (subject?.kind !== 'pupil') return
  const lessons = await missedLessons(tx, tenantId, subject, await stretchOf(context, row, subject))
  const heads = await tx.run<{ id: string }>(
    sql`select c.head_teacher_id as id from schoolclass c where c.tenant_id = ${tenantId} and c.id = ${subject.classId}::bigint and c.head_teacher_id is not null
        union select d.target_id from schoolclass_deputy_teacher d where d.tenant_id = ${tenantId} and d.owner_id = ${subject.classId}::bigint`,
  )
  const zh = `${subject.className ?? ''}${subject.name}：${shortTime(row.startTime)}至${shortTime(row.endTime)}`
  const en = `${subject.name} (${subject.className ?? '—'}): ${shortTime(row.startTime)} to ${shortTime(row.endTime)}`
  const title =
    happened === 'approved'
      ? { zh: '学生请假', en: 'A pupil is on leave' }
      : { zh: '学生请假已取消', en: 'A pupil’s leave has been cancelled' }
  const told = new Set([...lessons.map(({ teacherId }) => teacherId), ...heads.map(({ id }) => id)])
  // Whoever acts knows of it, and whoever is away is told by the process.
  for (const id of [actor.userId, subject.accountId]) if (id) told.delete(id)
  await sendMessage(tx, tenantId, [...told], { kind: messageKind, title, body: { zh: `${zh}。`, en: `${en}.` } })
  if (row.leavesCampus !== 1) return
  const guards = await tx.run<{ id: string }>(guardsOf(tenantId, row.schoolId))
  const pass = row.guardPassNo
    ? { zh: `，出门条 ${row.guardPassNo}`, en: `, gate pass ${row.guardPassNo}` }
    : { zh: '', en: '' }
  await sendMessage(
    tx,
    tenantId,
    guards.map(({ id }) => id),
    {
      kind: messageKind,
      title: happened === 'approved' ? { zh: '学生离校', en: 'A pupil leaves the campus' } : title,
      body: { zh: `${zh}${pass.zh}。`, en: `${en}${pass.en}.` },
      ...(row.guardPassNo ? { link: `/work/gate?code=${row.guardPassNo}` } : {}),
    },
  )
}

export { linkOf }
