import { classschedule, codeOf, type Row, school, substitution } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { coverLessons, suspendLessons, swapLessons } from '@data-brain/contract/calls/substitution'
import { daysBetween } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import type { StoredRow } from '../../entity/rules.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { bookedBeside, holdSchool, substitutionQueue, writeTogether } from './collide.ts'
import { type LessonOnDay, lessonOn, lessonsOn, onSchoolDays } from './lessons.ts'
import { tellArranged } from './notices.ts'
import { kinds, states } from './states.ts'

type Substitution = Row<typeof substitution>
type Named = { readonly scheduleId: string; readonly day: string }

/** Days that one call looks at or changes at most: an examination period, two months of covers. */
export const daysMost = 62

/** Refuses days in the wrong order, or too many of them. */
export function mustBeSpan({ from, to }: { readonly from: string; readonly to: string }): void {
  const days = daysBetween(from, to)
  if (days < 0)
    throw new Problem('rule_broken', {
      reason: { zh: '结束日期不能早于开始日期', en: 'The last day must not be before the first' },
    })
  if (days >= daysMost)
    throw new Problem('rule_broken', {
      reason: { zh: `一次最多${daysMost}天，请缩小范围`, en: `At most ${daysMost} days at once: choose fewer` },
    })
}

/** Refuses whoever has things hold at once without the right to decide. */
function mustDecide({ actor }: Call, confirmed: boolean | undefined): void {
  if (confirmed && !holdsCode(actor, 'substitution_decide'))
    throw new Problem('forbidden', { code: 'substitution_decide' })
}

/** Refuses the same lesson of the same day named twice. */
function mustBeOnce(named: readonly Named[]): void {
  if (new Set(named.map(({ scheduleId, day }) => `${scheduleId}|${day}`)).size < named.length)
    throw new Problem('rule_broken', {
      reason: { zh: '同一节课出现了两次', en: 'One lesson is named twice' },
    })
}

/** The semesters, with their schools, of lessons that the caller works with by a right to substitutions. */
async function reached(
  call: Call,
  named: readonly Named[],
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = rowsOf(classschedule, call)
  const semesters = new Map<string, string>()
  for (const id of new Set(named.map(({ scheduleId }) => scheduleId))) {
    const { schoolId, semesterId } = await rows.before(id, { codes })
    semesters.set(semesterId, schoolId)
  }
  return semesters
}

/** Holds semesters and their schools, in one order for everybody. */
async function hold(call: Call, semesters: ReadonlyMap<string, string>): Promise<void> {
  for (const [semesterId, schoolId] of [...semesters].toSorted()) await holdSchool(call, schoolId, semesterId)
}

/** A lesson as it stands on a day; refused in words where there is none. */
async function standing(call: Call, named: Named): Promise<LessonOnDay> {
  const found = await lessonOn(call.tx, call.actor.tenantId, named)
  if (!found)
    throw new Problem('rule_broken', {
      reason: {
        zh: `${named.day}没有这节课，请刷新后重试`,
        en: `There is no such lesson on ${named.day}: reload and try again`,
      },
    })
  return found
}

type Stored = StoredRow<typeof substitution>

/** The row of a substitution that holds, locked. */
const rowOfHolding = async (call: Call, id: string | null): Promise<(Stored & { id: string }) | undefined> =>
  id === null
    ? undefined
    : { ...(await new Repository(substitution, { ...contextOf(call), unscoped: true }).before(id, { lock: true })), id }

const coverRoute: Route = on(
  coverLessons,
  async ({ covers, reason, countsAsExtra, confirmed }, call) => {
    mustDecide(call, confirmed)
    mustBeOnce(covers)
    const semesters = await reached(call, covers, [codeOf(substitution, 'add')])
    const context = contextOf(call)
    const named = covers.map(({ scheduleId }) => scheduleId)
    for (const { scheduleId, day, teacherId } of covers) {
      const { date, periodNo, span } = await standing(call, { scheduleId, day })
      const booked = await bookedBeside(context, { teacherId, date, periodNo, span }, named)
      if (booked) throw new Problem('rule_broken', { reason: booked.text })
    }
    await hold(call, semesters)
    const model = modelOf(substitution)
    const rows = rowsOf(substitution, call)
    const made = await writeTogether(
      context,
      async (changed) => {
        const added: Substitution[] = []
        for (const { scheduleId, day, teacherId, classroomId, over } of covers) {
          const lesson = await standing(call, { scheduleId, day })
          if (over !== undefined && over !== (lesson.substitutionId ?? '0'))
            throw new Problem('rule_broken', {
              reason: {
                zh: `${day}${lesson.className}${lesson.subjectName}刚刚已有新的安排（${lesson.teacherName}），请查看后再安排`,
                en: `${lesson.subjectName} of ${lesson.className} on ${day} has been arranged otherwise (${lesson.teacherName}) in the meantime: look at it first`,
              },
            })
          const old = await rowOfHolding(call, lesson.substitutionId)
          if (old?.newTeacherId === teacherId && (!classroomId || classroomId === old.newClassroomId))
            throw new Problem('rule_broken', {
              reason: {
                zh: `${day}${lesson.className}${lesson.subjectName}已由${lesson.teacherName}代课`,
                en: `${lesson.teacherName} covers ${lesson.subjectName} of ${lesson.className} on ${day} already`,
              },
            })
          // Whoever covers in place of another one does so at the time and in the room that were arranged.
          if (old) await writeOver(model, context, old.id, old, {}, { status: states.cancelled, extId: undefined })
          const moved = old?.kind === kinds.moved ? { newDay: old.newDay, newPeriodNo: old.newPeriodNo } : undefined
          const room = classroomId ?? old?.newClassroomId ?? undefined
          const row = await rows.add({
            ...{ schoolId: lesson.schoolId, scheduleId, day, newTeacherId: teacherId },
            kind: moved ? kinds.moved : kinds.cover,
            ...moved,
            ...(room ? { newClassroomId: room } : {}),
            ...(reason ? { reason } : {}),
            countsAsExtra: countsAsExtra ?? 1,
          })
          if (old) await passPair(call, old, row)
          changed(scheduleId)
          added.push(row)
        }
        return added
      },
      { confirmed: confirmed ?? false },
    )
    await tellArranged(call, made)
    return made
  },
  { turns: substitutionQueue },
)

/** The other half of an exchange stays one of whatever took the place of this half. */
async function passPair({ tx, actor }: Call, old: Pick<Stored, 'pairId'> & { id: string }, now: Substitution) {
  if (old.pairId)
    await tx.run(
      sql`update substitution set pair_id = ${old.pairId} where tenant_id = ${actor.tenantId} and id = ${now.id}`,
    )
  await tx.run(
    sql`update substitution set pair_id = ${now.id} where tenant_id = ${actor.tenantId} and pair_id = ${old.id} and id <> ${now.id}`,
  )
}

const swapRoute: Route = on(
  swapLessons,
  async ({ pairs, reason, confirmed }, call) => {
    mustDecide(call, confirmed)
    const named = pairs.flatMap(({ first, second }) => [first, second])
    mustBeOnce(named)
    await hold(call, await reached(call, named, [codeOf(substitution, 'add')]))
    const context = contextOf(call)
    const rows = rowsOf(substitution, call)
    const made = await writeTogether(
      context,
      async () => {
        const added: Substitution[] = []
        for (const pair of pairs) {
          const [first, second] = [await standing(call, pair.first), await standing(call, pair.second)]
          for (const { substitutionId, day, className, subjectName } of [first, second])
            if (substitutionId)
              throw new Problem('rule_broken', {
                reason: {
                  zh: `${day}${className}${subjectName}已有调代课，请先取消`,
                  en: `${subjectName} of ${className} on ${day} has a substitution already: cancel that first`,
                },
              })
          const move = (from: LessonOnDay, to: LessonOnDay) =>
            rows.add({
              ...{ schoolId: from.schoolId, scheduleId: from.scheduleId, day: from.day, kind: kinds.moved },
              ...{ newDay: to.date, newPeriodNo: to.periodNo, countsAsExtra: 0 },
              ...(reason ? { reason } : {}),
            })
          const one = await move(first, second)
          const other = await move(second, first)
          await call.tx.run(
            sql`update substitution set pair_id = ${one.id} where tenant_id = ${call.actor.tenantId} and id = ${other.id}`,
          )
          added.push(one, await rows.stored(other.id))
        }
        return added
      },
      { confirmed: confirmed ?? false },
    )
    await tellArranged(call, made)
    return made
  },
  { turns: substitutionQueue },
)

/** Lessons that one suspension takes out at most: more are an examination day of the calendar, which needs no rows. */
const suspendedMost = 600

/** Lessons of a school that a suspension names. */
async function lessonsNamed(call: Call, asked: InputOf<typeof suspendLessons>): Promise<LessonOnDay[]> {
  const { tx, actor } = call
  const { schoolId, from, to, periods } = asked
  const { tenantId } = actor
  const [grades, classes] = [asked.gradeIds ?? [], asked.classIds ?? []]
  const named =
    grades.length + classes.length === 0
      ? sql`true`
      : sql`exists (select from schoolclass k where k.tenant_id = l.tenant_id
            and (k.id = any(${[...classes]}::bigint[]) or k.grade_id = any(${[...grades]}::bigint[]))
            and (k.id = l.class_id
              or exists (select from schoolteachclass_class x where x.tenant_id = l.tenant_id and x.owner_id = l.teach_class_id and x.target_id = k.id)
              or exists (select from schoolteachclass_student x join student s on s.tenant_id = x.tenant_id and s.id = x.target_id
                where x.tenant_id = l.tenant_id and x.owner_id = l.teach_class_id and s.class_id = k.id)))`
  const stretch = { tenantId, from, to }
  const found = await onSchoolDays(
    tx,
    stretch,
    await lessonsOn(tx, stretch, sql`l.school_id = ${schoolId} and ${named}`),
  )
  const wanted = new Set(periods ?? [])
  return wanted.size === 0
    ? found
    : found.filter(({ periodNo, span }) =>
        Array.from({ length: span }, (_, at) => periodNo + at).some((no) => wanted.has(no)),
      )
}

const suspendRoute: Route = on(
  suspendLessons,
  async (asked, call) => {
    mustBeSpan(asked)
    await rowsOf(school, call).before(asked.schoolId)
    await holdSchool(call, asked.schoolId)
    const lessons = await lessonsNamed(call, asked)
    const { zh, en } = {
      zh: `一次最多停${suspendedMost}节课，现有${lessons.length}节；全校考试请在校历中设为考试日`,
      en: `At most ${suspendedMost} lessons are taken out at once, and these are ${lessons.length}: of an examination of the whole school make its days such in the calendar`,
    }
    if (lessons.length > suspendedMost) throw new Problem('rule_broken', { reason: { zh, en } })
    // It takes out all of what it names, or nothing: whoever works with some of these lessons only names those.
    await hold(call, await reached(call, lessons, ['substitution_decide']))
    const rows = new Repository(substitution, { ...contextOf(call), unscoped: true })
    const made = await writeTogether(contextOf(call), async () => {
      const added: Substitution[] = []
      for (const { schoolId, scheduleId, day } of lessons)
        added.push(
          await rows.add({
            ...{ schoolId, scheduleId, day, kind: kinds.out, countsAsExtra: 0 },
            ...(asked.reason ? { reason: asked.reason } : {}),
          }),
        )
      return added
    })
    await tellArranged(call, made)
    return { lessons: made.length, ids: made.map(({ id }) => id) }
  },
  { turns: substitutionQueue },
)

export const arrangeRoutes: readonly Route[] = [coverRoute, swapRoute, suspendRoute]
