import { codeOf } from '@data-brain/contract'
import { flowprocess } from '@data-brain/contract/entities/flow/flowprocess'
import type { ProcessPlan } from '@data-brain/contract/flow/plan'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { rowsOf } from '../../entity/routes.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { Incident } from './engine/host.ts'

/** A version as the engine works with it. It never changes. */
export interface Version {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly category: string
  readonly versionNo: number
  readonly formKey: string | null
  /** The message by which it is started; none where people start it. */
  readonly startMessage: string | null
  /** Whether the clock starts it. */
  readonly startTimer: boolean
  readonly plan: ProcessPlan
}

/** Versions by tenant and id: what is deployed is never written over, so that nothing has to say that it changed. */
const known = new Map<string, Version>()
const knownMost = 200

const columns = sql`id, name, key, category, version_no as "versionNo", form_key as "formKey", start_message as "startMessage", start_timer as "startTimer", plan`

function keep(tenantId: string, version: Version): Version {
  known.set(`${tenantId} ${version.id}`, version)
  if (known.size > knownMost) known.delete(known.keys().next().value as string)
  return version
}

/** These versions of a tenant, by id. */
export async function versionsOf(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Map<string, Version>> {
  const found = new Map(
    ids.flatMap((id) => {
      const version = known.get(`${tenantId} ${id}`)
      return version ? [[id, version] as const] : []
    }),
  )
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const rows = await tx.run<Version>(
    sql`select ${columns} from flowprocess where tenant_id = ${tenantId} and id = any(${missing}::bigint[])`,
  )
  for (const row of rows) found.set(row.id, keep(tenantId, row))
  return found
}

const active = '1'

/**
 * Whether somebody may start a version: everybody may, but for those whose data scopes keep some processes from them, as
 * far as they see processes at all.
 */
export async function mustReach(call: Call, id: string): Promise<void> {
  const view = codeOf(flowprocess, 'view')
  if (holdsCode(call.actor, view)) await rowsOf(flowprocess, call).before(id, { codes: [view] })
}

/** The version that somebody starts. Throws a Problem where there is none, or it may not be started. */
export async function startable(tx: Tx, tenantId: string, id: string): Promise<Version> {
  const row = await tx.one<Version & { state: string }>(
    sql`select ${columns}, suspension_state as state from flowprocess where tenant_id = ${tenantId} and id = ${id} for share`,
  )
  if (!row) throw new Problem('not_found')
  const { state, ...version } = row
  if (state !== active)
    throw new Problem('rule_broken', {
      reason: {
        zh: `流程“${version.name}”已挂起，请联系管理员激活`,
        en: `The process “${version.name}” is suspended: ask an administrator to activate it`,
      },
    })
  return keep(tenantId, version)
}

/** The newest active version of a process, for a call of it. */
export async function newestOf(tx: Tx, tenantId: string, key: string): Promise<Version> {
  const row = await tx.one<Version>(
    sql`select ${columns} from flowprocess where tenant_id = ${tenantId} and key = ${key} and suspension_state = ${active} order by version_no desc limit 1`,
  )
  if (!row)
    throw new Incident({
      zh: `没有已激活的流程“${key}”，请先部署`,
      en: `There is no active process “${key}”: deploy it first`,
    })
  return keep(tenantId, row)
}
