import { codeOf, student, studentparents } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { siblings } from '@data-brain/contract/calls/school'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { Call, Route } from '../../kernel/route.ts'

/** More than so many pupils with one phone are no family but a number that a school writes for whoever has none. */
const most = 8

/**
 * Pupils who share a guardian's phone with one. Whose phones they are is known to whoever may see guardians; of the pupils
 * only those are named whom the caller may see.
 */
async function siblingsOf(call: Call, id: string): Promise<AnswerOf<typeof siblings>> {
  const { tx, actor } = call
  const pupils = rowsOf(student, call)
  await pupils.detail(id)
  if (!holdsCode(actor, codeOf(studentparents, 'view'))) return []
  const found = await tx.run<{ id: string }>(
    sql`select distinct other.student_id as id from studentparents own
        join studentparents other on other.tenant_id = own.tenant_id and other.mobile_hash = own.mobile_hash and other.student_id <> own.student_id
        where own.tenant_id = ${actor.tenantId} and own.student_id = ${id} limit ${most + 1}`,
  )
  if (found.length === 0 || found.length > most) return []
  const { records } = await pupils.page({ id: found.map((each) => each.id).join(), current: '1', size: String(most) })
  return records.map(({ id, name, className }) => ({
    id,
    name: String(name),
    className: typeof className === 'string' ? className : null,
  }))
}

export const siblingRoutes: readonly Route[] = [on(siblings, ({ id }, call) => siblingsOf(call, id))]
