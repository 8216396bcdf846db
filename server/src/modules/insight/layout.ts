import { codeOf, student } from '@data-brain/contract'
import { type DashboardLayout, dashboardLayout, keepDashboardLayout } from '@data-brain/contract/calls/dashboard'
import { dashboardParts } from '@data-brain/contract/dashboard'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { workKinds } from '../desk/index.ts'

/* How somebody has arranged the dashboard: kept beside the columns of lists, under the page’s own name. */

const page = 'dashboard'

function personOf({ userId }: Actor): string {
  if (userId === null) throw new Problem('not_found')
  return userId
}

const known = (names: readonly string[] | undefined): DashboardLayout['order'] =>
  dashboardParts.filter((part) => names?.includes(part)).sort((a, b) => names!.indexOf(a) - names!.indexOf(b))

type Arranged = Pick<DashboardLayout, 'order' | 'hidden'>

/** What suits a kind of work: who keeps records begins with what is missing, a class teacher with the own classes. */
const presets = {
  teacher: {
    order: ['figures', 'sizes', 'gaps', 'leave', 'grades', 'schools', 'periods', 'loads'],
    hidden: ['grades', 'periods', 'loads', 'rooms', 'files', 'decided'],
  },
  bureau: { order: ['figures', 'schools', 'gaps', 'grades', 'sizes', 'leave', 'periods', 'loads'], hidden: [] },
  registrar: { order: ['figures', 'gaps', 'sizes', 'grades', 'periods', 'loads', 'leave', 'schools'], hidden: [] },
  principal: { order: ['figures', 'grades', 'sizes', 'leave', 'loads', 'periods', 'gaps', 'schools'], hidden: [] },
  admin: { order: [...dashboardParts], hidden: [] },
} as const satisfies Readonly<Record<string, Arranged>>

/** The arrangement that suits the work of the caller. */
async function presetOf(call: Call): Promise<Arranged> {
  const kinds = await workKinds(call)
  const [main] = kinds
  if (kinds.includes('admin') || !main) return presets.admin
  if (main !== 'office') return presets[main]
  return presets[holdsCode(call.actor, codeOf(student, 'edit')) ? 'registrar' : 'principal']
}

export const layoutRoutes: readonly Route[] = [
  on(dashboardLayout, async (_, call): Promise<DashboardLayout> => {
    const { tx, actor } = call
    const kept = await tx.one<{ taste: Partial<Arranged> | null }>(
      sql`select taste from list_taste where tenant_id = ${actor.tenantId} and user_id = ${personOf(actor)} and page = ${page}`,
    )
    return kept?.taste
      ? { order: known(kept.taste.order), hidden: known(kept.taste.hidden), own: 1 }
      : { ...(await presetOf(call)), own: 0 }
  }),
  on(keepDashboardLayout, async ({ order, hidden }, { tx, actor }) => {
    const [tenantId, userId] = [actor.tenantId, personOf(actor)]
    if (order.length + hidden.length === 0)
      return void (await tx.run(
        sql`delete from list_taste where tenant_id = ${tenantId} and user_id = ${userId} and page = ${page}`,
      ))
    const taste = JSON.stringify({ order: known(order), hidden: known(hidden) })
    await tx.run(
      sql`insert into list_taste (tenant_id, user_id, page, taste) values (${tenantId}, ${userId}, ${page}, ${taste}::jsonb)
          on conflict (tenant_id, user_id, page) do update set taste = excluded.taste, update_time = now()`,
    )
  }),
]
