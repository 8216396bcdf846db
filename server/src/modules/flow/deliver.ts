import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { system } from '../../kernel/actor.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { beginProcess } from './begin.ts'
import { type FlowContext, flowContext } from './business.ts'
import type { Variables } from './engine/host.ts'
import { InstanceWork } from './instance.ts'
import { keepStart, takenOver } from './message.ts'
import { tellPutOff, whyFailed } from './one-of-several.ts'
import { managersAndMaker } from './people.ts'
import { versionsOf } from './versions.ts'

/** A message with what hears it: an instance that waits, or else a process that it starts. */
interface Deliverable {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly fields: Variables
  readonly depth: number
  readonly applicant: string | null
  readonly instanceId: string | null
  readonly tokenId: string | null
  readonly node: string | null
  readonly processId: string | null
}

/** So many days a message that nobody hears is kept. */
const keptDays = 30

/** The first message that is heard by somebody; of two processes one takes it. */
const nextOf = (tx: Tx, tenantId: string): Promise<Deliverable | undefined> =>
  tx.one<Deliverable>(
    sql`select m.id, m.name, m.key, m.fields, m.depth, o.start_user as applicant, s.instance_id as "instanceId", s.token_id as "tokenId", s.node, n.id as "processId"
        from flow_message m join flowinstance o on o.tenant_id = m.tenant_id and o.id = m.instance_id
          left join lateral (
            select s.instance_id, s.token_id, s.node from flow_subscription s
              join flowinstance i on i.tenant_id = s.tenant_id and i.id = s.instance_id
              join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
            where s.tenant_id = m.tenant_id and s.name = m.name and s.key = m.key and p.suspension_state = '1' and i.end_time is null
            order by s.token_id limit 1) s on true
          left join lateral (
            select p.id from flowprocess p where p.tenant_id = m.tenant_id and p.start_message = m.name and p.suspension_state = '1'
              and not exists (select from flowprocess l where l.tenant_id = p.tenant_id and l.key = p.key and l.suspension_state = '1' and l.version_no > p.version_no)
            order by p.deployment_time desc, p.id desc limit 1) n on s.token_id is null
        where m.tenant_id = ${tenantId} and m.due_time <= clock_timestamp() and coalesce(s.token_id, n.id) is not null
        order by m.id limit 1 for update of m skip locked`,
  )

/** Starts the process that a message starts, as that of whoever had started the one that sent it. */
async function startBy(context: FlowContext, message: Deliverable, processId: string): Promise<void> {
  const { name, key, depth, applicant } = message
  const { tx, actor } = context
  const version = (await versionsOf(tx, actor.tenantId, [processId])).get(processId)!
  const who = await tx.one<{ name: string }>(
    sql`select real_name as name from app_user where tenant_id = ${actor.tenantId} and id = ${applicant}::bigint`,
  )
  await beginProcess(context, {
    processId,
    title: [version.name, who?.name].filter(Boolean).join(' '),
    variables: { ...takenOver(version.plan, message.fields), ...keepStart({ name, key, depth }) },
    applicant: applicant && who ? { id: applicant, name: who.name } : null,
  })
}

/** Delivers a message in a transaction of its own; answers whether there was one. It is in `tried` as soon as it is known. */
const deliverNext = (services: Services, tenantId: string, tried: Deliverable[]): Promise<boolean> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const message = await nextOf(tx, tenantId)
    if (!message) return false
    tried.push(message)
    const context = flowContext({
      ...{ tx, actor: system('flow', tenantId), services },
      circumstance: { requestId: newId(), language: 'zh' },
    })
    const { instanceId, tokenId, node, processId } = message
    if (instanceId && tokenId && node) {
      const work = (await InstanceWork.holdAll(context, sql`${instanceId}::bigint`)).get(instanceId)
      // Whoever waited has gone on while the instance was being held: it is looked for anew.
      if (!work || work instanceof Problem || !work.run.tokens.has(tokenId)) return true
      await work.moved((run) => run.fire(tokenId, node))
    } else await startBy(context, message, processId!)
    await tx.run(sql`delete from flow_message where tenant_id = ${tenantId} and id = ${message.id}`)
    return true
  })

/**
 * Delivers the messages of a tenant that somebody hears, each in a transaction with all that follows from it; answers how many.
 * One that cannot be taken now is put off, whoever manages the process is told, and it stops no other.
 */
export async function deliverMessages(services: Services, tenantId: string, signal: AbortSignal): Promise<number> {
  let delivered = 0
  while (!signal.aborted) {
    const tried: Deliverable[] = []
    try {
      if (!(await deliverNext(services, tenantId, tried))) break
      delivered += 1
    } catch (thrown) {
      if (tried.length === 0) throw thrown
      const problem = whyFailed(services, thrown)
      services.log.error('a message of a process failed', { tenant: tenantId, error: problem.words('en') })
      const { id, instanceId, processId } = tried[0]!
      await inTenant(services.pool, tenantId, async (tx) => {
        const put = await tx.one<{ tries: number }>(
          sql`update flow_message set due_time = now() + interval '1 hour', tries = tries + 1 where tenant_id = ${tenantId} and id = ${id} returning tries`,
        )
        if (put) await tellPutOff(tx, tenantId, { ...put, instanceId, processId }, problem)
      })
    }
  }
  return delivered
}

/** So many messages that have gone are named to whoever is told of them. */
const namedMost = 5

/** Forgets messages that nobody has heard for long, and tells whoever manages the processes that sent them. */
export const forgetMessages = (services: Services, tenantId: string): Promise<unknown> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const gone = await tx.run<{ name: string; key: string; title: string; processId: string }>(
      sql`with gone as (delete from flow_message where tenant_id = ${tenantId} and create_time < now() - make_interval(days => ${keptDays}) returning id, name, key, instance_id)
          select g.name, g.key, i.title, i.process_definition_id as "processId" from gone g
            join flowinstance i on i.tenant_id = ${tenantId} and i.id = g.instance_id order by g.id`,
    )
    if (gone.length === 0) return
    const named = gone.slice(0, namedMost)
    const more = gone.length > namedMost
    const processes = [...new Set(gone.map(({ processId }) => processId))]
    await sendMessage(tx, tenantId, await managersAndMaker(tx, tenantId, processes), {
      kind: 'flow-unheard',
      title: {
        zh: `${gone.length}条流程消息${keptDays}天内无人接收，已删除`,
        en: `${pluralize(gone.length, 'message')} of processes, unheard for ${keptDays} days and removed`,
      },
      body: {
        zh: `${named.map(({ name, key, title }) => `“${name}”（关联“${key}”，来自“${title}”）`).join('、')}${more ? '等' : ''}。请检查应接收它们的流程是否已部署、已激活，关联字段是否一致。`,
        en: `${named.map(({ name, key, title }) => `“${name}” (“${key}”, from “${title}”)`).join(', ')}${more ? ' and others' : ''}. See whether the processes that are to hear them are deployed and active, and correlated by the same value.`,
      },
      link: '/flow/flowinstance',
    })
  })
