import { type DashboardLayout, dashboardLayout, keepDashboardLayout } from '@data-brain/contract/calls/dashboard'
import { dashboardParts } from '@data-brain/contract/dashboard'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'

/* How somebody has arranged the dashboard: kept beside the columns of lists, under the page’s own name. */

const page = 'dashboard'

function personOf({ userId }: Actor): string {
  if (userId === null) throw new Problem('not_found')
  return userId
}

const known = (names: readonly string[] | undefined): DashboardLayout['order'] =>
  dashboardParts.filter((part) => names?.includes(part)).sort((a, b) => names!.indexOf(a) - names!.indexOf(b))

export const layoutRoutes: readonly Route[] = [
  on(dashboardLayout, async (_, { tx, actor }) => {
    const kept = await tx.one<{ taste: Partial<DashboardLayout> | null }>(
      sql`select taste from list_taste where tenant_id = ${actor.tenantId} and user_id = ${personOf(actor)} and page = ${page}`,
    )
    return kept?.taste ? { order: known(kept.taste.order), hidden: known(kept.taste.hidden) } : null
  }),
  on(keepDashboardLayout, async ({ order, hidden }, { tx, actor }) => {
    const taste = JSON.stringify({ order: known(order), hidden: known(hidden) })
    await tx.run(
      sql`insert into list_taste (tenant_id, user_id, page, taste) values (${actor.tenantId}, ${personOf(actor)}, ${page}, ${taste}::jsonb)
          on conflict (tenant_id, user_id, page) do update set taste = excluded.taste, update_time = now()`,
    )
  }),
]
