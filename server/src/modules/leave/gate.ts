import { leavePass } from '@data-brain/contract/calls/leave'
import { leaveStates } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import type { addFigures } from '../desk/index.ts'
import { anyLeave, leaveSeen } from './access.ts'
import { nowOf } from './after.ts'
import { guardsOf } from './subject.ts'

/** How many may leave the schools today at whose gate the caller stands; nothing for anybody else. */
export const passesToday: Parameters<typeof addFigures>[0] = async ({ tx, actor }) => {
  if (actor.userId === null) return []
  const mine = (schoolId: ReturnType<typeof sql>) =>
    sql`exists (select from (${guardsOf(actor.tenantId, schoolId)}) g where g.id = ${actor.userId})`
  const row = await tx.one<{ n: number }>(
    sql`select (select count(*)::int from leave l where l.tenant_id = ${actor.tenantId} and l.guard_pass_no is not null and l.status = ${leaveStates.approved}
            and l.start_time < date_trunc('day', now()) + interval '1 day' and l.end_time >= now() and ${mine(sql`l.school_id`)}) as n
        from school s where s.tenant_id = ${actor.tenantId} and ${mine(sql`s.id`)} limit 1`,
  )
  return row ? [{ key: 'passes', code: 'gate', query: {}, count: row.n }] : []
}

/** Whether the caller stands at the gate of a school. */
const guards = async ({ tx, actor }: Call, schoolId: string): Promise<boolean> =>
  actor.userId !== null &&
  (await tx.one(sql`select 1 from (${guardsOf(actor.tenantId, schoolId)}) g where g.id = ${actor.userId}`)) !==
    undefined

/** Of an afternoon a pass holds from the end of the morning on, when those go who are away after lunch; else from its day on. */
const holdsFrom = (startTime: string): string =>
  startTime.slice(11) >= '12:00:00' ? `${startTime.slice(0, 10)} 11:00:00` : `${startTime.slice(0, 10)} 00:00:00`

/** What the gate looks at. A code that no pass has, or had, is told in the same words as one that nobody may look at. */
export const passRoute: Route = on(leavePass, async ({ code }, call) => {
  const { tx, actor } = call
  const found = await tx.one<{
    id: string
    schoolId: string
    studentName: string
    className: string | null
    pickupName: string | null
  }>(
    sql`select l.id, l.school_id as "schoolId", s.name as "studentName", c.class_name as "className", p.parent_name as "pickupName"
        from leave l join student s on s.tenant_id = l.tenant_id and s.id = l.student_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join studentparents p on p.tenant_id = l.tenant_id and p.id = l.pickup_parent_id
        where l.tenant_id = ${actor.tenantId} and l.guard_pass_no = ${code.trim().toUpperCase()}`,
  )
  if (!found) throw new Problem('not_found')
  const row =
    holdsCode(actor, 'leave_pass') || (await guards(call, found.schoolId))
      ? { ...(await anyLeave(call).before(found.id)), id: found.id }
      : await leaveSeen(call, found.id)
  const now = await nowOf(call)
  const { startTime, endTime, status } = row
  const [isValid, zh, en] =
    status === leaveStates.back
      ? [false, '已返校销假', 'The pupil is back: it has been used']
      : status !== leaveStates.approved
        ? [false, '请假已取消', 'The leave has been cancelled']
        : now > endTime
          ? [false, '已过期', 'It has expired']
          : now < holdsFrom(startTime)
            ? [
                false,
                `${holdsFrom(startTime).slice(0, 16)}起有效`,
                `It holds from ${holdsFrom(startTime).slice(0, 16)} on`,
              ]
            : [true, '有效，可以离校', 'It holds: the pupil may leave']
  const { studentName, className, pickupName } = found
  return {
    code: row.guardPassNo!,
    isValid,
    message: { zh, en },
    studentName,
    className,
    startTime,
    endTime,
    pickupName,
  }
})
