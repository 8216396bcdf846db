import { codeOf, user } from '@data-brain/contract'
import { flowPeople } from '@data-brain/contract/calls/flow'
import type { Choice } from '@data-brain/contract/generic'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { Route } from '../../kernel/route.ts'

/** As many are answered where nobody says how many. */
const usual = 20

/**
 * People whom a task can be given to, by a part of their name: whoever may hand one over, or chooses an approver, need not
 * be allowed to list users. Whoever may list some of them only is offered these, and beside them whom they name in full: a
 * principal hands a task to the bureau, and browses none of its people. Whoever is chosen already is told by the id. Told
 * is a name and the departments, and nothing else.
 */
export const peopleRoute: Route = on(flowPeople, async ({ keyword = '', ids, size = usual }, call) => {
  const { tx, actor } = call
  const typed = keyword.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)
  const people = (scope: ReturnType<typeof sql>) =>
    sql`select t.id, t.real_name as name, array(
            select d.dept_name from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
            where l.tenant_id = t.tenant_id and l.owner_id = t.id order by l.ord limit 2) as beside
        from app_user t where t.tenant_id = ${actor.tenantId} and (true ${scope} or t.real_name = ${keyword.trim()})
          and ${ids?.length ? sql`t.id = any(${[...ids]}::bigint[])` : sql`t.status = 1 and t.real_name ilike ${`%${typed}%`}`}
        order by t.real_name, t.id limit ${ids?.length ? ids.length : size}`
  return holdsCode(actor, codeOf(user, 'view')) && !ids?.length
    ? queryReached<Choice>(call, user, people)
    : tx.run<Choice>(people(sql``))
})
