import { sql } from '../../database/statement.ts'
import type { Context } from '../../entity/repository.ts'
import { raiseStamp } from '../../entity/stamp.ts'

/** In school (dictionary student_status): who has left, or is away, is not counted. */
const enrolled = 1

/**
 * Counts the enrolled pupils of classes anew. The classes are locked before anything is counted, by a statement of its own: one
 * that waited for them would count what stood there before it waited, and two who enter a class at once would be one.
 */
export async function countClasses(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const classes = sql`tenant_id = ${actor.tenantId} and id = any(${[...ids]}::bigint[])`
  await tx.run(sql`select 1 from schoolclass where ${classes} order by id for no key update`)
  const changed = await tx.count(
    sql`update schoolclass set student_count = n.count
        from (select c.id as class_id, (select count(*)::int from student s where s.tenant_id = c.tenant_id and s.class_id = c.id and s.status = ${enrolled}) as count
          from schoolclass c where c.tenant_id = ${actor.tenantId} and c.id = any(${[...ids]}::bigint[])) n
        where ${classes} and n.class_id = id and student_count is distinct from n.count`,
  )
  if (changed > 0) await raiseStamp(tx, actor.tenantId, 'schoolclass')
}
