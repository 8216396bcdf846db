import type { MissedLesson } from '@data-brain/contract/calls/leave'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type LessonOnDay, lessonsOn, onSchoolDays } from '../substitution/index.ts'
import { type Bells, bellsOf, type HalfDays, liesWithin } from './half-days.ts'
import type { Subject } from './subject.ts'

/** The lessons that somebody misses in a stretch, as timetable, calendar and substitutions have them. */
export async function missedLessons(
  tx: Tx,
  tenantId: string,
  subject: Pick<Subject, 'kind' | 'id' | 'classId' | 'gradeId' | 'schoolId'>,
  stretch: HalfDays,
): Promise<readonly LessonOnDay[]> {
  const { kind, id, classId } = subject
  const days = { tenantId, from: stretch.from.day, to: stretch.until.day }
  const lessons = await lessonsOn(
    tx,
    days,
    kind === 'staff'
      ? sql`(l.teacher_id = ${id} or exists (select from substitution s where s.tenant_id = l.tenant_id and s.schedule_id = l.id
          and s.status in (0, 1, 2) and s.new_teacher_id = ${id}))`
      : sql`(l.class_id = ${classId}::bigint
          or exists (select from schoolteachclass_class k where k.tenant_id = l.tenant_id and k.owner_id = l.teach_class_id and k.target_id = ${classId}::bigint)
          or exists (select from schoolteachclass_student k where k.tenant_id = l.tenant_id and k.owner_id = l.teach_class_id and k.target_id = ${id}))`,
  )
  // What a teacher would have given by the timetable is missed even where somebody covers it already.
  const theirs =
    kind === 'staff' ? lessons.filter((each) => each.teacherId === id || each.plannedTeacherId === id) : lessons
  const given = await onSchoolDays(tx, days, theirs)
  const bells = new Map<string, Bells>()
  const found: LessonOnDay[] = []
  for (const lesson of given) {
    const key = `${lesson.campusId}|${lesson.date}`
    const known =
      bells.get(key) ??
      (await bellsOf(tx, {
        tenantId,
        schoolId: lesson.schoolId,
        campusId: lesson.campusId,
        gradeId: subject.gradeId,
        date: lesson.date,
      }))
    bells.set(key, known)
    if (liesWithin(stretch, lesson.date, known.halfOf(lesson.periodNo))) found.push(lesson)
  }
  return found
}

/** How many periods lessons are. */
export const periodsIn = (lessons: readonly Pick<LessonOnDay, 'span'>[]): number =>
  lessons.reduce((sum, { span }) => sum + span, 0)

/** A lesson as it is told; `of` is who would have given it. */
export const toldLesson = (lesson: LessonOnDay, of: string): MissedLesson => {
  const { scheduleId, date, periodNo, span, subjectName, className, teacherName, teacherId } = lesson
  return {
    ...{ scheduleId, date, periodNo, span, subjectName, className, teacherName },
    isCovered: teacherId !== of && !lesson.isProposed,
  }
}

/** The lessons that a teacher misses and for which no substitute has accepted. */
export const uncoveredLessons = (lessons: readonly LessonOnDay[], teacherId: string): readonly LessonOnDay[] =>
  lessons.filter((lesson) => lesson.teacherId === teacherId || lesson.isProposed)
