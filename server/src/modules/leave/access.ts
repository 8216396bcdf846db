import { codeOf, leave, student, user } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import type { StoredRow } from '../../entity/rules.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import type { Subject } from './subject.ts'

/** A leave as it stands. */
export type Leave = StoredRow<typeof leave> & { readonly id: string }

const adding = [codeOf(leave, 'add')]
const editing = [codeOf(leave, 'edit')]

/** Whether somebody heads a class, or helps to. */
export async function headsClass(
  { tx, actor }: { readonly tx: Tx; readonly actor: Actor },
  classId: string | null,
): Promise<boolean> {
  if (classId === null || actor.userId === null) return false
  const found = await tx.one(
    sql`select 1 from schoolclass c where c.tenant_id = ${actor.tenantId} and c.id = ${classId} and c.status <= 1 and (c.head_teacher_id = ${actor.userId}
        or exists (select from schoolclass_deputy_teacher d where d.tenant_id = c.tenant_id and d.owner_id = c.id and d.target_id = ${actor.userId}))`,
  )
  return found !== undefined
}

/**
 * Whether somebody may ask for leave for a person: for oneself; for pupils of the class that one heads; for those whom one
 * works with by the right to add.
 */
export async function mayFileFor(call: Call, subject: Subject): Promise<boolean> {
  const { actor } = call
  if (actor.userId !== null && subject.accountId === actor.userId) return true
  if (subject.kind === 'pupil' && (await headsClass(call, subject.classId))) return true
  if (!holdsCode(actor, adding[0]!)) return false
  const rows = subject.kind === 'pupil' ? rowsOf(student, call) : rowsOf(user, call)
  const reach = await rows.reach(adding)
  return !reach || (await rows.lies(subject.id, reach))
}

/** Whether somebody was asked, or could have been, about a process. */
async function tookPart({ tx, actor }: Call, instanceId: string): Promise<boolean> {
  const { tenantId, userId } = actor
  if (userId === null) return false
  const found = await tx.one(
    sql`select 1 from flow_task k where k.tenant_id = ${tenantId} and k.instance_id = ${instanceId}::bigint and (${userId}::bigint in (k.assignee, k.owner)
          or (k.state = 0 and exists (select from flow_candidate c where c.tenant_id = k.tenant_id and c.task_id = k.id and (
            (c.kind = 'user' and c.target_id = ${userId})
            or (c.kind = 'role' and exists (select from app_user_role l where l.tenant_id = c.tenant_id and l.owner_id = ${userId} and l.target_id = c.target_id))
            or (c.kind = 'post' and exists (select from app_user_post l where l.tenant_id = c.tenant_id and l.owner_id = ${userId} and l.target_id = c.target_id))
            or (c.kind = 'dept' and exists (select from app_user_dept l where l.tenant_id = c.tenant_id and l.owner_id = ${userId} and l.target_id = c.target_id))))))
        limit 1`,
  )
  return found !== undefined
}

/** Whether the leave is one's own: one asks for it, or is away oneself. */
export const isOwn = ({ actor }: Pick<Call, 'actor'>, row: Leave, accountId: string | null): boolean =>
  actor.userId !== null && [row.applyUser, row.userId, accountId].includes(actor.userId)

async function reaches(call: Call, id: string, codes: readonly string[]): Promise<boolean> {
  if (!codes.some((code) => holdsCode(call.actor, code))) return false
  const rows = rowsOf(leave, call)
  const reach = await rows.reach(codes)
  return !reach || (await rows.lies(id, reach))
}

/** The rows of leave where the right to them comes from what people are to one another. */
export const anyLeave = (call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>): Repository<typeof leave> =>
  new Repository(leave, { ...contextOf(call), unscoped: true })

/** The account of whoever is away. */
export const accountOf = async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, row: Leave): Promise<string | null> =>
  row.userId ??
  (
    await tx.one<{ id: string | null }>(
      sql`select user_id as id from student where tenant_id = ${actor.tenantId} and id = ${row.studentId}`,
    )
  )?.id ??
  null

/** A leave that the caller may look at; any other is not there. */
export async function leaveSeen(call: Call, id: string): Promise<Leave> {
  const row = { ...(await anyLeave(call).before(id)), id }
  if (isOwn(call, row, await accountOf(call, row))) return row
  if (row.processInstanceId !== null && (await tookPart(call, row.processInstanceId))) return row
  // A draft is nobody's affair but that of whoever writes it.
  if (await headsClass(call, row.status === 0 ? null : row.classId)) return row
  if (await reaches(call, id, [codeOf(leave, 'view')])) return row
  throw new Problem('not_found')
}

/** Whether somebody answers for a leave: heads the class, or works with it by the right to change it. Never the own one. */
export async function mayManage(call: Call, row: Leave): Promise<boolean> {
  const { userId } = call.actor
  if (userId !== null && (await accountOf(call, row)) === userId) return false
  return (await headsClass(call, row.classId)) || reaches(call, row.id, editing)
}

/** A leave that the caller may look at, held until the end of the transaction. */
export async function leaveHeld(call: Call, id: string): Promise<Leave> {
  await anyLeave(call).before(id, { lock: true })
  return leaveSeen(call, id)
}
