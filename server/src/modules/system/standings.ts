import { sql } from '../../database/statement.ts'
import { addStanding } from '../../entity/personal-scope.ts'

/** What is one's own by who one is, and by where one works: oneself, one's departments, and all below them. */
export function addSystemStandings(): void {
  addStanding('me', async ({ actor }) => (actor.userId === null ? [] : [actor.userId]))
  addStanding('depts', async ({ actor }) => actor.deptIds)
  addStanding('below', async ({ tx, actor }) => {
    const rows = await tx.run<{ id: string }>(
      sql`select d.id from dept d where d.tenant_id = ${actor.tenantId}
          and (d.id = any(${actor.deptIds}::bigint[]) or string_to_array(d.ancestors, ',') && ${actor.deptIds}::text[])`,
    )
    return rows.map(({ id }) => id)
  })
}
