import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import type { Call } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import type { Ending } from './engine/host.ts'
import type { PeopleMemory } from './people.ts'

/** What a step of a process works with: the transaction of what moved it, and who that was. */
export interface FlowContext {
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Pick<Circumstance, 'requestId' | 'language'>
  readonly cipher: Cipher
  readonly services: Services
  readonly memory: PeopleMemory
}

/** What a step works with that is taken by a call. */
export const flowContext = ({
  tx,
  actor,
  circumstance,
  services,
}: Pick<FlowContext, 'tx' | 'actor' | 'circumstance' | 'services'>): FlowContext => ({
  tx,
  actor,
  circumstance,
  services,
  cipher: services.cipher,
  memory: new Map(),
})

/** What a module knows of a process that is about rows of its own, such as leave. */
export interface FlowBusiness {
  /** The table of the rows; an instance names one of them as its business. */
  readonly table: string
  /** The instance is over, in the transaction that ended it. */
  ended(context: FlowContext, businessId: string, ending: Ending): Promise<void>
  /** Judges a decision before it is taken; throws a Problem to refuse it. */
  deciding?(context: FlowContext, businessId: string, outcome: 'ok' | 'no', node: string): Promise<void>
  /** Whether somebody who takes no part in the process may look at it, because they may look at what it is about. */
  sees?(call: Call, businessId: string): Promise<boolean>
  /** Who is away now, in SQL that finds users as `id`, and `until` when. */
  away?(tenantId: string): ReturnType<typeof sql>
}

const businesses = new Map<string, FlowBusiness>()

/** Says what a module does for the processes of its rows; called where modules are put together. */
export function addFlowBusiness(business: FlowBusiness): void {
  businesses.set(business.table, business)
}

export const businessOf = (table: string | null): FlowBusiness | undefined =>
  table === null ? undefined : businesses.get(table)

/** Everybody who is away now as far as any module knows, each once, in SQL that finds users as `id`, and `until` when. */
export function awayPeople(tenantId: string): ReturnType<typeof sql> {
  const known = [...businesses.values()].flatMap(({ away }) => (away ? [away(tenantId)] : []))
  if (known.length === 0) return sql`select null::bigint as id, null::timestamptz as until where false`
  return sql`select id, max(until) as until from (${sql.join(known, sql` union all `)}) a group by id`
}
