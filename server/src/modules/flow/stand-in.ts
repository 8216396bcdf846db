import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { sql } from '../../database/statement.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { sendMessage } from '../desk/index.ts'
import { awayPeople } from './business.ts'
import { othersOf, passOn, type ReassignContext, type WaitingInstance, type WaitingTask } from './pass-on.ts'
import { candidatesOf, deputiesOf, everybody, managersOf, type Seeking } from './people.ts'
import { markWaiting, taskStates } from './states.ts'
import { promisedLevels } from './terms.ts'

/** A task of somebody who is on leave or has left. */
interface LeftTask extends WaitingTask {
  readonly assignee: string
  readonly assigneeName: string
  readonly node: string
  /** The account is disabled; else the person is on leave. */
  readonly hasLeft: boolean
  /** On leave for another day or more. */
  readonly isLong: boolean
  readonly instance: WaitingInstance
}

/** So many are looked at in one transaction; those beyond come with the next look. */
const tasksMost = 200

const leftTasks = ({ tx, actor: { tenantId } }: ReassignContext, userId: string | undefined): Promise<LeftTask[]> =>
  tx.run<LeftTask>(
    sql`select t.id, t.token_id as "tokenId", t.instance_id as "instanceId", t.step_id as "stepId", t.node, t.assignee, u.real_name as "assigneeName", u.status <> 1 as "hasLeft",
          coalesce(w.until > now() + interval '1 day', false) as "isLong",
          jsonb_build_object('id', i.id::text, 'title', i.title, 'startUser', i.start_user::text, 'variables', i.variables) as instance
        from flow_task t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
          join app_user u on u.tenant_id = t.tenant_id and u.id = t.assignee
          left join (${awayPeople(tenantId)}) w on w.id = u.id
        where t.tenant_id = ${tenantId} and t.state = ${taskStates.open} and t.token_id is not null and (u.status <> 1 or w.id is not null)
          and (${userId ?? null}::bigint is null or t.assignee = ${userId ?? null}::bigint)
        order by t.id limit ${tasksMost} for update of t, i skip locked`,
  )

/** Who stands in, level by level: a class teacher’s deputies; of whoever has left also those above, in the end the managers. */
async function levelsOf(
  { tx, actor: { tenantId } }: ReassignContext,
  task: LeftTask,
): Promise<readonly (readonly string[])[]> {
  const { instance, assignee, node } = task
  const { variables } = instance
  const seeking: Seeking = { tenantId, instanceId: instance.id, startUser: assignee, variables }
  const deputies = await deputiesOf(tx, assignee, seeking)
  if (!task.hasLeft) return [deputies]
  const leader = await candidatesOf(tx, [{ kind: 'deptLeader', up: 0 }], node, seeking)
  const managers = await everybody(tx, await managersOf(tx, tenantId), seeking)
  return [deputies, ...promisedLevels(variables, node), leader.users, managers]
}

/** Tells those who manage processes, once, that nobody stands in for somebody. */
async function tellManagers({ tx, actor: { tenantId } }: ReassignContext, task: LeftTask): Promise<void> {
  const { instance, assignee, assigneeName, hasLeft } = task
  const link = `/work/process/detail/${instance.id}`
  const kind = 'flow-without'
  const told = await tx.one(
    sql`select 1 from inbox where tenant_id = ${tenantId} and kind = ${kind} and link = ${link} and create_time > now() - interval '7 days' limit 1`,
  )
  if (told) return
  const seeking = { tenantId, instanceId: instance.id, startUser: assignee, variables: instance.variables }
  const { title } = instance
  await sendMessage(tx, tenantId, await everybody(tx, await managersOf(tx, tenantId), seeking), {
    kind,
    title: { zh: `没有审批人：${title}`, en: `Nobody decides: ${title}` },
    body: hasLeft
      ? { zh: `${assigneeName}的账号已停用`, en: `The account of ${assigneeName} is disabled` }
      : { zh: `${assigneeName}请假，没有代办人`, en: `${assigneeName} is on leave, and nobody stands in` },
    link,
  })
}

/** Whoever is back, or may log in again, decides: nothing of theirs is without an approver any more. */
async function unmark({ tx, actor: { tenantId } }: ReassignContext): Promise<void> {
  const changed = await tx.count(
    sql`update flowinstance i set lacks_approver = 0 where i.tenant_id = ${tenantId} and i.lacks_approver = 1 and not exists (
          select from flow_task t join app_user u on u.tenant_id = t.tenant_id and u.id = t.assignee
          where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.state = ${taskStates.open}
            and (u.status <> 1 or u.id in (select id from (${awayPeople(tenantId)}) w)))`,
  )
  if (changed > 0) await raiseStamp(tx, tenantId, flowinstance.name)
}

/**
 * Passes on tasks of those who are on leave or have left, or of one person: to deputies or those above, with a line of its
 * own in the history. Where nobody stands in, the task stays, and the managers are told. Answers how many were passed on.
 */
export async function standIn(context: ReassignContext, userId?: string): Promise<number> {
  if (userId === undefined) await unmark(context)
  let passed = 0
  for (const task of await leftTasks(context, userId)) {
    const { instance, hasLeft, isLong, assigneeName } = task
    const people = await othersOf(context, instance, task, await levelsOf(context, task))
    if (people.length === 0) {
      if (!hasLeft && !isLong) continue
      await markWaiting(context, instance.id, { lacksApprover: true })
      await tellManagers(context, task)
      continue
    }
    await passOn(context, task, people, { why: hasLeft ? 'left' : 'away' })
    passed += 1
    await sendMessage(context.tx, context.actor.tenantId, people, {
      kind: 'flow-stand-in',
      title: { zh: `请代办：${instance.title}`, en: `Please stand in: ${instance.title}` },
      body: hasLeft
        ? { zh: `${assigneeName}的账号已停用`, en: `The account of ${assigneeName} is disabled` }
        : { zh: `${assigneeName}正在请假`, en: `${assigneeName} is on leave` },
      link: `/work/todo?process=${instance.id}`,
    })
  }
  return passed
}
