import { leaveDetail } from '@data-brain/contract/calls/leave'
import { needsProof } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { contextOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { candidateNames } from '../flow/index.ts'
import { signedLink } from '../resource/index.ts'
import { anyLeave, type Leave, leaveSeen } from './access.ts'
import { allowedOf } from './after.ts'
import { stretchOf, subjectOfLeave } from './effects.ts'
import { missedLessons, toldLesson } from './missed.ts'

interface Standing {
  readonly processInstanceId: string
  readonly processDefinitionId: string
  readonly processDefinitionName: string
  readonly taskId: string | null
  readonly taskName: string | null
  readonly assignee: string | null
  readonly assigneeName: string | null
  readonly candidateNames: string | null
}

/** Where the process of a leave stands: the step that waits, and for whom. Names show whoever looks. */
async function standingOf({ tx, actor }: Call, row: Leave): Promise<Standing | null> {
  if (row.processInstanceId === null) return null
  const found = await tx.one<Standing>(
    sql`select i.id as "processInstanceId", i.process_definition_id as "processDefinitionId", p.name as "processDefinitionName",
          t.id as "taskId", t.name as "taskName", t.assignee, u.real_name as "assigneeName",
          ${candidateNames} as "candidateNames"
        from flowinstance i join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
          left join flow_task t on t.tenant_id = i.tenant_id and t.instance_id = i.id and t.state = 0
          left join app_user u on u.tenant_id = t.tenant_id and u.id = t.assignee
        where i.tenant_id = ${actor.tenantId} and i.id = ${row.processInstanceId}::bigint order by t.id limit 1`,
  )
  return found ?? null
}

export const detailRoute: Route = on(leaveDetail, async ({ businessId, id }, call) => {
  const { tx, actor, services } = call
  const asked = businessId ?? id
  if (!asked) throw new Problem('not_found')
  const row = await leaveSeen(call, asked)
  const context = contextOf(call)
  const subject = await subjectOfLeave(context, row)
  const lessons =
    subject && row.status !== 0
      ? await missedLessons(tx, actor.tenantId, subject, await stretchOf(context, row, subject))
      : []
  const names = await tx.one<{ person: string; pickup: string | null; className: string | null }>(
    sql`select coalesce(s.name, u.real_name) as person, p.parent_name as pickup, c.class_name as "className" from leave l
          left join student s on s.tenant_id = l.tenant_id and s.id = l.student_id
          left join app_user u on u.tenant_id = l.tenant_id and u.id = l.user_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = coalesce(l.class_id, s.class_id)
          left join studentparents p on p.tenant_id = l.tenant_id and p.id = l.pickup_parent_id
        where l.tenant_id = ${actor.tenantId} and l.id = ${asked}`,
  )
  const files = await tx.run<{ id: string; name: string }>(
    sql`select a.id, a.original_name as name from leave_attach l join attach a on a.tenant_id = l.tenant_id and a.id = l.target_id
        where l.tenant_id = ${actor.tenantId} and l.owner_id = ${asked} order by l.ord`,
  )
  return {
    ...(await anyLeave(call).stored(asked)),
    processDefinitionId: row.processDefinitionId,
    processInstanceId: row.processInstanceId,
    personName: names!.person,
    className: names!.className,
    pickupName: names!.pickup,
    files: files.map((file) => ({ ...file, link: signedLink(services, actor, file.id, Date.now()) })),
    missed: lessons.map((lesson) => toldLesson(lesson, row.userId ?? '')),
    flow: await standingOf(call, row),
    may: await allowedOf(call, row),
    needsProof: needsProof(row.leaveType, row.days),
  }
})
