import { sql } from '../database/statement.ts'
import { isTenantCode, type Tx } from '../database/transaction.ts'

/** The database's channel on which processes tell one another that there is something new. */
export const channelName = 'data_brain_live'

/** What there may be news of; `session` makes channels ask whether they may still be open, `timetable` is lessons, of a draft or of a day. */
export const markKinds = ['notice', 'message', 'task', 'session', 'timetable'] as const
export type MarkKind = (typeof markKinds)[number]

/** That something is new, for these users or the whole tenant; never what it is. */
export interface Mark {
  readonly tenantId: string
  readonly kind: MarkKind
  readonly users: readonly string[] | null
}

/** A payload has 8,000 bytes: of more users than fit, all of the tenant are told to look. */
const usersMost = 300

/** Tells all processes when the transaction is committed, and nobody when it is not. */
export async function announce(
  tx: Tx,
  tenantId: string,
  kind: MarkKind,
  users: readonly string[] | null = null,
): Promise<void> {
  if (users?.length === 0) return
  const named = users && users.length <= usersMost ? users : null
  await tx.run(sql`select pg_notify(${channelName}, ${JSON.stringify({ t: tenantId, k: kind, u: named })})`)
}

/** The mark that a payload carries; undefined for anything else that came along the channel. */
export function readMark(payload: string | undefined): Mark | undefined {
  try {
    const { t, k, u } = JSON.parse(payload ?? '') as { t?: unknown; k?: unknown; u?: unknown }
    const users = Array.isArray(u) && u.every((each) => typeof each === 'string') ? (u as string[]) : null
    const kind = markKinds.find((each) => each === k)
    return isTenantCode(t) && kind ? { tenantId: t, kind, users } : undefined
  } catch {
    return undefined
  }
}
