import { flowPeople } from '@data-brain/contract/calls/flow'
import type { Choice } from '@data-brain/contract/generic'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import type { Route } from '../../kernel/route.ts'

/** As many are answered where nobody says how many. */
const usual = 20

/**
 * People whom a task can be given to, by a part of their name: whoever may hand one over, or chooses an approver, need not
 * be allowed to list users, and a data scope hides no approver. Told is a name and the departments, and nothing else.
 */
export const peopleRoute: Route = on(flowPeople, async ({ keyword = '', ids, size = usual }, { tx, actor }) => {
  const typed = keyword.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)
  return tx.run<Choice>(
    sql`select u.id, u.real_name as name, array(
            select d.dept_name from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
            where l.tenant_id = u.tenant_id and l.owner_id = u.id order by l.ord limit 2) as beside
        from app_user u where u.tenant_id = ${actor.tenantId}
          and ${ids?.length ? sql`u.id = any(${[...ids]}::bigint[])` : sql`u.status = 1 and u.real_name ilike ${`%${typed}%`}`}
        order by u.real_name, u.id limit ${ids?.length ? ids.length : size}`,
  )
})
