import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { Problem } from '../../kernel/problem.ts'
import type { FlowContext } from './business.ts'
import type { Variables } from './engine/host.ts'
import { filesOf, showFiles } from './form.ts'
import { InstanceWork } from './instance.ts'
import { keepTerms, type Terms } from './terms.ts'
import { startable } from './versions.ts'

/** An instance to be started. */
export interface StartRequest {
  readonly processId: string
  /** What it is called in lists, such as “王小明 事假 2天”. */
  readonly title: string
  readonly variables: Variables
  /** Whom the applicant has chosen for a step, by its node. */
  readonly chosen?: Readonly<Record<string, readonly string[]>>
  readonly business?: { readonly table: string; readonly id: string }
  /** What is promised of its steps, by node. */
  readonly terms?: Terms
  /** Whose it is, where that is not whoever acts; nobody where it is null. */
  readonly applicant?: Applicant | null
}

interface Applicant {
  readonly id: string
  readonly name: string
}

/** The next number of a day, for papers that name an instance: 20260901-0007. Whoever starts at once waits for it. */
async function numberOf({ tx, actor }: FlowContext): Promise<string> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${actor.tenantId} flow-number`}, 0))`)
  const row = await tx.one<{ no: string }>(
    sql`with d as (select to_char(now() at time zone 'Asia/Shanghai', 'YYYYMMDD') as day)
        select d.day || '-' || lpad((coalesce((select split_part(i.serial_no, '-', 2)::int from flowinstance i
            where i.tenant_id = ${actor.tenantId} and i.serial_no like d.day || '-%' order by i.start_time desc, i.id desc limit 1), 0) + 1)::text, 4, '0') as no from d`,
  )
  return row!.no
}

/** What is known of whoever starts something: conditions and people go by it. */
async function factsOf({ tx, actor }: FlowContext, applicant: Applicant | null): Promise<Variables> {
  const id = applicant?.id ?? null
  const row = await tx.one<{
    deptId: string | null
    deptName: string | null
    schoolId: string | null
    roles: string[]
  }>(
    sql`select d.id as "deptId", d.dept_name as "deptName", d.school_id as "schoolId", array(
            select r.role_alias from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
            where l.tenant_id = ${actor.tenantId} and l.owner_id = ${id}::bigint order by 1) as roles
        from (select 1) one left join lateral (select d.* from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
          where l.tenant_id = ${actor.tenantId} and l.owner_id = ${id}::bigint order by l.ord limit 1) d on true`,
  )
  const { schoolId = null, ...facts } = row ?? {}
  return { schoolId, applicant: { id, name: applicant?.name ?? null, ...facts } }
}

/** Starts an instance of a version that is active, as whoever acts; answers its id. Part of the caller's transaction. */
export async function beginProcess(context: FlowContext, beginning: StartRequest): Promise<string> {
  const { tx, actor } = context
  const { processId, title, business, terms, chosen = {} } = beginning
  const own = actor.userId === null ? undefined : { id: actor.userId, name: actor.name }
  const applicant = beginning.applicant === undefined ? own : beginning.applicant
  if (applicant === undefined)
    throw new Problem('rule_broken', {
      reason: { zh: '请以本租户的账号发起流程', en: 'Start processes with an account of this tenant' },
    })
  const version = await startable(tx, actor.tenantId, processId)
  const id = newId()
  const variables: Variables = {
    ...(await factsOf(context, applicant)),
    ...beginning.variables,
    chosen,
    ...keepTerms(terms),
  }
  await tx.run(
    sql`insert into flowinstance (tenant_id, id, title, serial_no, process_definition_id, category, start_user, start_time, state, business_table, business_id, variables, create_user, create_dept, update_user)
        values (${actor.tenantId}, ${id}, ${title.slice(0, 200)}, ${await numberOf(context)}, ${processId}, ${version.category}, ${applicant?.id ?? null}, now(), '1',
          ${business?.table ?? null}, ${business?.id ?? null}, ${JSON.stringify(variables)}::jsonb, ${actor.userId}, ${actor.deptId}, ${actor.userId})`,
  )
  await showFiles(context, id, filesOf(version.plan, variables))
  const row = {
    ...{ id, title, processId, startUser: applicant?.id ?? null, state: '1', variables },
    ...{ businessTable: business?.table ?? null, businessId: business?.id ?? null },
  }
  const work = new InstanceWork(context, row, [], new Map([[processId, version]]))
  await work.moved((run) => run.start(processId))
  return id
}
