import { substitution } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf } from '../../entity/routes.ts'
import { writeOver } from '../../entity/write.ts'
import type { Call } from '../../kernel/route.ts'
import { collisionOf, judgeLater, judgeNow } from './collide.ts'
import { tellDecided } from './notices.ts'
import { kinds, states } from './states.ts'

/** A plan that has just been published, and from which week. */
interface Published {
  readonly planId: string
  readonly semesterId: string
  readonly fromWeek: number
}

interface Left {
  readonly id: string
  readonly kind: string
  /** The lesson of the new plan that is what theirs was: the same class, subject, weekday and periods; of a cover, the same teacher. */
  readonly next: string | null
  readonly teacherId: string | null
}

/** Substitutions that hold of lessons whose plan no longer has their day, with the lesson of the new plan that has it. */
const leftBehind = ({ tx, actor }: Call, { planId, semesterId, fromWeek }: Published): Promise<Left[]> =>
  tx.run<Left>(
    sql`with next as materialized (
          select l.*, d.days from lesson_days(${actor.tenantId}, array(
              select id from classschedule where tenant_id = ${actor.tenantId} and plan_id = ${planId})) d
            join classschedule l on l.tenant_id = ${actor.tenantId} and l.id = d.lesson_id
        )
        select s.id, s.kind, n.id as next, n.teacher_id as "teacherId"
        from substitution s join classschedule l on l.tenant_id = s.tenant_id and l.id = s.schedule_id
          left join lateral (
            select n.id, n.teacher_id from next n where n.days @> s.day and n.class_id is not distinct from l.class_id
              and n.teach_class_id is not distinct from l.teach_class_id and n.subject_id = l.subject_id
              and (s.kind <> ${kinds.cover} or n.teacher_id = l.teacher_id)
              and n.weekday = l.weekday and n.period_no = l.period_no and n.span = l.span limit 1) n on true
          join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id
        where s.tenant_id = ${actor.tenantId} and l.semester_id = ${semesterId} and l.plan_id <> ${planId} and s.status <= ${states.done}
          and s.day >= m.first_week_monday + 7 * (${fromWeek}::int - 1)
        order by (s.kind = ${kinds.out}) desc, s.id for update of s`,
  )

/**
 * Carries substitutions over to a plan that has just been published, so that none is lost with the timetable that it was
 * made for: each goes to the lesson that is there in place of its own. One whose lesson is there no more, or that the new
 * timetable leaves no room for, is cancelled, and those concerned are told.
 */
export async function carryOver(call: Call, published: Published): Promise<void> {
  const { tx } = call
  const left = await leftBehind(call, published)
  if (left.length === 0) return
  const context = contextOf(call)
  const model = modelOf(substitution)
  const rows = new Repository(substitution, { ...context, unscoped: true })
  await judgeLater(tx)
  const over: { id: string }[] = []
  const carried: { readonly id: string; readonly next: string }[] = []
  const cancel = async (id: string): Promise<void> => {
    const before = await rows.before(id, { lock: true })
    await writeOver(model, context, id, before, {}, { status: states.cancelled, extId: undefined })
    over.push({ id })
  }
  for (const { id, next, teacherId } of left) {
    if (next === null || teacherId === null) await cancel(id)
    else {
      await writeOver(model, context, id, await rows.before(id, { lock: true }), { scheduleId: next, teacherId }, {})
      carried.push({ id, next })
    }
  }
  // Of what is carried the newest gives way first: those before it were there when it was made.
  for (const { id, next } of carried.toReversed()) if (await collisionOf(context, [next])) await cancel(id)
  await judgeNow(tx)
  await tellDecided(call, over, 'cancelled')
}
