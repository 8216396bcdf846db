import { classschedule, codeOf, substitution, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { waitFor } from '../../kernel/held-row.ts'
import { Problem } from '../../kernel/problem.ts'
import { TurnQueue } from '../../kernel/turn-queue.ts'

/** Something that two lessons would need at once. */
export interface Collision {
  readonly type: 'C' | 'T' | 'R' | 'S'
  /** A sentence that goes on after a label or stands alone. */
  readonly text: Words
}

interface Row {
  readonly type: Collision['type']
  readonly name: string
  readonly day: string
  readonly period: number
  readonly other: string
  readonly className: string
  readonly subjectName: string
}

/**
 * What of these lessons collides with another one, as the database has it: it is asked while its own constraint waits
 * (`together`), so that it can be told in words which lesson it is. Of a lesson that the caller does not reach only that it
 * is there is told.
 */
export async function collisionOf(context: Context, lessons: readonly string[]): Promise<Collision | undefined> {
  const { tx, actor } = context
  if (lessons.length === 0) return undefined
  const row = await tx.one<Row>(
    sql`select o.resource_type as type, lower(o.days * x.days)::text as day, o.period_no as period, x.schedule_id as other,
          coalesce(u.real_name, r.room_name, k.class_name, st.name) as name,
          coalesce(c.class_name, g.teach_class_name) as "className", b.subject_name as "subjectName"
        from scheduleoccupancy o
          join scheduleoccupancy x on x.tenant_id = o.tenant_id and x.resource_type = o.resource_type and x.resource_id = o.resource_id
            and x.period_no = o.period_no and x.seat && o.seat and x.days && o.days
            and (x.schedule_id, x.substitution_id) <> (o.schedule_id, o.substitution_id)
          join classschedule l on l.tenant_id = x.tenant_id and l.id = x.schedule_id
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
          left join app_user u on o.resource_type = 'T' and u.tenant_id = o.tenant_id and u.id = o.resource_id
          left join schoolclassroom r on o.resource_type = 'R' and r.tenant_id = o.tenant_id and r.id = o.resource_id
          left join schoolclass k on o.resource_type = 'C' and k.tenant_id = o.tenant_id and k.id = o.resource_id
          left join student st on o.resource_type = 'S' and st.tenant_id = o.tenant_id and st.id = o.resource_id
        where o.tenant_id = ${actor.tenantId} and o.schedule_id = any(${[...lessons]}::bigint[])
        order by case o.resource_type when 'T' then 1 when 'C' then 2 when 'R' then 3 else 4 end, day, o.period_no limit 1`,
  )
  return row && told(context, row)
}

/** A lesson to be given by somebody else. */
interface Booking {
  readonly teacherId: string
  readonly date: string
  readonly periodNo: number
  readonly span: number
}

/**
 * What a teacher gives then already, beside these lessons. It is asked before anything is held, so that whoever comes too late
 * is told so at once, and does not wait with a connection for those before.
 */
export async function bookedBeside(
  context: Context,
  { teacherId, date, periodNo, span }: Booking,
  lessons: readonly string[],
): Promise<Collision | undefined> {
  const { tx, actor } = context
  const row = await tx.one<Row>(
    sql`select 'T' as type, ${date} as day, x.period_no as period, x.schedule_id as other, u.real_name as name,
          coalesce(c.class_name, g.teach_class_name) as "className", b.subject_name as "subjectName"
        from scheduleoccupancy x
          join classschedule l on l.tenant_id = x.tenant_id and l.id = x.schedule_id
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          join app_user u on u.tenant_id = x.tenant_id and u.id = x.resource_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
        where x.tenant_id = ${actor.tenantId} and x.resource_type = 'T' and x.resource_id = ${teacherId} and x.days @> ${date}::date
          and x.period_no between ${periodNo}::int and ${periodNo + span - 1}::int and x.schedule_id <> all(${[...lessons]}::bigint[])
        order by x.period_no limit 1`,
  )
  return row && told(context, row)
}

/** A collision in words; which lesson it is with is told to whoever reaches that. */
async function told(context: Context, row: Row): Promise<Collision> {
  const rows = new Repository(classschedule, context)
  const reach = await rows.reach([codeOf(classschedule, 'view'), codeOf(substitution, 'add')])
  const isSeen = !reach || (await rows.lies(row.other, reach))
  const { type, day, period, className, subjectName } = row
  // A pupil is not named where lessons are.
  const name = type === 'S' ? { zh: '有学生', en: 'a pupil' } : { zh: `“${row.name}”`, en: `“${row.name}”` }
  return {
    type,
    text: {
      zh: `${name.zh}${day}第${period}节已有课${isSeen ? `：${className}${subjectName}` : ''}`,
      en: `${name.en} has a lesson already on ${day}, period ${period}${isSeen ? `: ${subjectName} of ${className}` : ''}`,
    },
  }
}

/** What is written about substitutions in one transaction and judged as a whole. */
interface Together {
  /** Lessons whose substitutions have changed. */
  readonly lessons: Set<string>
  /** Whether new ones hold without anybody being asked. */
  readonly confirmed: boolean
}

const open = new WeakMap<Tx, Together>()

/** What is being written together in this transaction, if anything is. */
export const togetherIn = (tx: Tx): Together | undefined => open.get(tx)

/** Lets the database judge double booking when it is asked, not after each row. */
export const judgeLater = (tx: Tx): Promise<unknown> => tx.run(sql`set constraints scheduleoccupancy_free deferred`)

/** Has the database judge double booking now. */
export const judgeNow = (tx: Tx): Promise<unknown> => tx.run(sql`set constraints scheduleoccupancy_free immediate`)

/**
 * Writes several substitutions that are judged as a whole: of two lessons that change places each needs what the other one
 * gives back. `work` names the lessons that it has changed. Refused in words where something is needed twice.
 */
export async function writeTogether<T>(
  context: Context,
  work: (changed: (lessonId: string) => void) => Promise<T>,
  { confirmed = false }: { readonly confirmed?: boolean } = {},
): Promise<T> {
  const { tx, actor } = context
  const state: Together = { lessons: new Set(), confirmed }
  open.set(tx, state)
  try {
    await judgeLater(tx)
    const done = await work((lessonId) => state.lessons.add(lessonId))
    const lessons = [...state.lessons]
    // Places of a room for several were given one lesson after the other, while those that leave it were still there.
    if (lessons.length > 0) await tx.run(sql`select occupy_lessons(${actor.tenantId}, ${lessons}::bigint[])`)
    const collision = await collisionOf(context, lessons)
    if (collision) throw new Problem('rule_broken', { reason: collision.text })
    await judgeNow(tx)
    return done
  } finally {
    open.delete(tx)
  }
}

/**
 * The queue of changes to substitutions. One person's run one after the other, since those of a school exclude one another
 * anyway: a desk that confirms fifty at once occupies one connection instead of the whole pool.
 */
export const substitutionQueue = new TurnQueue({
  ...{ atOnce: 6, perTenant: 3, perUser: 1 },
  ...{ waitingOfUser: 100, waitingOfTenant: 300, longest: 30_000 },
})

/**
 * Whoever changes substitutions of a school does so alone, so that the second of two meets what the first has written and is
 * told of it in words. Whoever publishes a timetable of the semester waits too.
 */
export async function holdSchool(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  schoolId: string,
  semesterId?: string,
): Promise<void> {
  await waitFor(
    async () => {
      await tx.run(
        sql`select pg_advisory_xact_lock(hashtextextended(${`substitution|${actor.tenantId}|${schoolId}`}, 0))`,
      )
      if (semesterId)
        await tx.run(
          sql`select from schoolsemester where tenant_id = ${actor.tenantId} and id = ${semesterId} for share`,
        )
    },
    new Problem('rule_broken', {
      reason: {
        zh: '有人正在安排该校的调代课或发布课表，请稍后重试',
        en: 'Somebody is arranging substitutions of this school, or publishing its timetable: try again in a moment',
      },
    }),
  )
}
