import { job as entity, type Words } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { ownJob } from '@data-brain/contract/calls/job'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import type { Services } from '../../kernel/services.ts'
import type { Job, JobProgress, Result } from './work.ts'

/* The rows of the table `job`: every statement on them stands here. */

/** What is asked for. */
export interface JobRequest {
  /** A few words that name what it is about, such as the name of a file. Nothing personal. */
  readonly subject?: string
  readonly subjectId?: string
  readonly input?: Readonly<Record<string, unknown>>
}

/** Somebody asks for a job: its row, with the department and role that the session was narrowed to. */
export async function addRow(
  tx: Tx,
  { tenantId, userId, name, deptId, sessionId }: Actor,
  { requestId, language }: Pick<Circumstance, 'requestId' | 'language'>,
  kind: string,
  { subject, subjectId, input = {} }: JobRequest,
): Promise<string> {
  const id = newId()
  await tx.run(
    sql`insert into job (tenant_id, id, kind, subject, subject_id, input, user_name, request_id, language, create_user, create_dept, dept_id, role_id)
        select ${tenantId}, ${id}::bigint, ${kind}, ${subject?.slice(0, 255) ?? null}::text, ${subjectId ?? null}::bigint, ${JSON.stringify(input)}::jsonb,
          ${name.slice(0, 64)}, ${requestId}, ${language}, ${userId}::bigint, ${deptId}::bigint, s.dept_id, s.role_id
        from (select 1) one left join session s on s.tenant_id = ${tenantId} and s.id = ${sessionId}::bigint`,
  )
  await raiseStamp(tx, tenantId, entity.name)
  return id
}

interface Row {
  id: string
  kind: string
  subject: string | null
  subject_id: string | null
  input: Record<string, unknown>
  tries: number
  create_user: string | null
  dept_id: string | null
  role_id: string | null
  request_id: string | null
  language: 'zh' | 'en'
}
const columns = sql`id, kind, subject, subject_id, input, tries, create_user, dept_id, role_id, request_id, language`

/** As whom, and for which request, a job works. */
export interface JobOrigin {
  readonly userId: string | null
  readonly deptId: string | null
  readonly roleId: string | null
  readonly circumstance: Circumstance
}

export interface ClaimedJob {
  readonly job: Job
  readonly asked: JobOrigin
  /** An earlier run was begun and did not end. */
  readonly died: boolean
}

const jobOf = (tenantId: string, row: Row): Job => ({
  tenantId,
  id: row.id,
  kind: row.kind,
  userId: row.create_user,
  subject: row.subject,
  subjectId: row.subject_id,
  input: row.input,
  tries: row.tries,
})

/** Begins a run of a job that waits, or whose earlier run died; undefined where there is nothing to do. */
export const takeRow = (services: Services, tenantId: string, id: string): Promise<ClaimedJob | undefined> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const before = await tx.one<{ state: string }>(
      sql`select state from job where tenant_id = ${tenantId} and id = ${id} and state in ('waiting', 'running') for update`,
    )
    if (!before) return undefined
    const row = (await tx.one<Row>(
      sql`update job set state = 'running', tries = tries + 1, progress = 0, total = 0, result = null, failure = null,
            begin_time = now(), end_time = null, update_time = now()
          where tenant_id = ${tenantId} and id = ${id} returning ${columns}`,
    ))!
    await raiseStamp(tx, tenantId, entity.name)
    return {
      job: jobOf(tenantId, row),
      asked: {
        userId: row.create_user,
        deptId: row.dept_id,
        roleId: row.role_id,
        circumstance: { requestId: row.request_id ?? row.id, language: row.language, address: '', agent: '' },
      },
      died: before.state === 'running',
    }
  })

/** Writes down how far a run is; false when the job is no longer this run's. */
export const tellRow = (
  services: Services,
  { tenantId, id, tries }: Job,
  done: number,
  total: number | undefined,
  { result, also }: JobProgress,
): Promise<boolean> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const own = await tx.count(
      sql`update job set progress = ${Math.round(done)}, total = coalesce(${total ?? null}::int, total),
            result = coalesce(${result ? JSON.stringify(result) : null}::jsonb, result), update_time = now()
          where tenant_id = ${tenantId} and id = ${id} and state = 'running' and tries = ${tries}`,
    )
    if (own > 0) await also?.(tx)
    return own > 0
  })

/** Ends a run; false when the job is no longer this run's. */
export async function endRow(
  tx: Tx,
  { tenantId, id, tries }: Job,
  end: { readonly result?: Result | undefined } | { readonly failure: Words } | { readonly waiting: true },
): Promise<boolean> {
  const state = 'failure' in end ? 'failed' : 'waiting' in end ? 'waiting' : 'done'
  const own = await tx.count(
    sql`update job set state = ${state}, failure = ${'failure' in end ? JSON.stringify(end.failure) : null}::jsonb,
          result = coalesce(${'result' in end && end.result ? JSON.stringify(end.result) : null}::jsonb, result),
          progress = case when ${state} = 'done' then greatest(total, progress) else progress end,
          end_time = case when ${state} = 'waiting' then null else clock_timestamp() end, update_time = clock_timestamp()
        where tenant_id = ${tenantId} and id = ${id} and state = 'running' and tries = ${tries}`,
  )
  if (own > 0) await raiseStamp(tx, tenantId, entity.name)
  return own > 0
}

/** Begins a run of recurring work, in its one row. */
export const takeRecurring = (services: Services, name: string): Promise<Job> =>
  inTenant(services.pool, platformTenant, async (tx) => {
    const row = (await tx.one<Row>(
      sql`insert into job (tenant_id, id, kind, state, tries, begin_time, recurring) values (${platformTenant}, ${newId()}, ${name}, 'running', 1, now(), true)
          on conflict (tenant_id, kind) where recurring do update set state = 'running', tries = job.tries % 1000000000 + 1, progress = 0, total = 0,
            result = null, failure = null, begin_time = now(), end_time = null, update_time = now()
          returning ${columns}`,
    ))!
    await raiseStamp(tx, platformTenant, entity.name)
    return jobOf(platformTenant, row)
  })

/** A job, held for another try. */
export async function heldRow(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<(Job & { readonly recurring: boolean; readonly state: string }) | undefined> {
  const row = await tx.one<Row & { recurring: boolean; state: string }>(
    sql`select ${columns}, recurring, state from job where tenant_id = ${tenantId} and id = ${id} for update`,
  )
  return row && { ...jobOf(tenantId, row), recurring: row.recurring, state: row.state }
}

/** Lets a job wait again, for whoever asks now: it is done with the rights of that person. */
export async function askAgain(tx: Tx, id: string, actor: Actor, circumstance: Circumstance): Promise<void> {
  const { tenantId } = actor
  await tx.run(
    sql`update job j set state = 'waiting', progress = 0, total = 0, result = null, failure = null, begin_time = null, end_time = null,
          create_user = ${actor.userId}::bigint, user_name = ${actor.name.slice(0, 64)}, request_id = ${circumstance.requestId}, language = ${circumstance.language},
          dept_id = s.dept_id, role_id = s.role_id, update_time = now()
        from (select 1) one left join session s on s.tenant_id = ${tenantId} and s.id = ${actor.sessionId}::bigint
        where j.tenant_id = ${tenantId} and j.id = ${id}`,
  )
  await raiseStamp(tx, tenantId, entity.name)
}

/**
 * Takes a job out of the queue's reach: its ticket finds nothing to do any more, and a run that is `stoppable` finds
 * itself broken off. False where it has ended, or has begun what cannot be stopped.
 */
export async function cancelRow(tx: Tx, tenantId: string, id: string, stoppable: boolean): Promise<boolean> {
  const own = await tx.count(
    sql`update job set state = 'cancelled', end_time = now(), update_time = now()
        where tenant_id = ${tenantId} and id = ${id} and (state = 'waiting' or (${stoppable} and state = 'running')) and not recurring`,
  )
  if (own > 0) await raiseStamp(tx, tenantId, entity.name)
  return own > 0
}

const shown = sql`id, kind, subject, state, progress, total, result, failure, tries, user_name as "userName", begin_time as "beginTime", end_time as "endTime", create_time as "createTime"`

type Shown = AnswerOf<typeof ownJob>

/** What somebody is shown of the jobs that they asked for: the newest first. */
export const ownRows = (tx: Tx, tenantId: string, userId: string | null, most: number): Promise<Shown[]> =>
  tx.run<Shown>(
    sql`select ${shown} from job where tenant_id = ${tenantId} and create_user = ${userId} and not recurring order by create_time desc, id desc limit ${most}`,
  )

/** What somebody who asked for a job is shown of it. */
export const ownRow = (tx: Tx, tenantId: string, userId: string | null, id: string): Promise<Shown | undefined> =>
  tx.one<Shown>(
    sql`select ${shown} from job where tenant_id = ${tenantId} and id = ${id} and create_user = ${userId} and not recurring`,
  )

/** How many jobs of some kinds have not ended, of a tenant, and of them of a person; `but` one. */
export const openJobs = async (
  tx: Tx,
  { tenantId, userId = null }: { readonly tenantId: string; readonly userId?: string | null },
  kinds: readonly string[],
  but: string | null = null,
): Promise<{ readonly n: number; readonly own: number }> =>
  (await tx.one<{ n: number; own: number }>(
    sql`select count(*)::int as n, count(*) filter (where create_user = ${userId}::bigint)::int as own from job
        where tenant_id = ${tenantId} and kind = any(${[...kinds]}::text[]) and state in ('waiting', 'running') and id is distinct from ${but}::bigint`,
  ))!

/** Whether a job of a kind waits or runs that is about a row. */
export const isWorkedOn = async (tx: Tx, tenantId: string, kind: string, subjectId: string): Promise<boolean> =>
  (await tx.one(
    sql`select 1 as n from job where tenant_id = ${tenantId} and kind = ${kind} and subject_id = ${subjectId}::bigint and state in ('waiting', 'running') limit 1`,
  )) !== undefined

/** A job of a kind that is done and that this very person asked for, with what became of it; nobody else's is there. */
export async function doneOf(
  tx: Tx,
  tenantId: string,
  userId: string | null,
  kind: string,
  id: string,
): Promise<{ readonly job: Job; readonly result: Result } | undefined> {
  const row = await tx.one<Row & { result: Result | null }>(
    sql`select ${columns}, result from job where tenant_id = ${tenantId} and id = ${id} and kind = ${kind} and create_user = ${userId} and state = 'done'`,
  )
  return row && { job: jobOf(tenantId, row), result: row.result ?? {} }
}

/** Days for which a job is told of after its end; longer than the queue keeps one that nobody has begun. */
const keptDays = 90
const lostDays = 15

/** Drops jobs that ended long ago, and says of those that nothing can begin any more that they have failed. */
export async function sweepRows(tx: Tx, tenantId: string, failure: Words): Promise<{ dropped: number; lost: number }> {
  const dropped = await tx.count(
    sql`delete from job where tenant_id = ${tenantId} and not recurring and state in ('done', 'failed', 'cancelled') and end_time < now() - make_interval(days => ${keptDays})`,
  )
  const lost = await tx.count(
    sql`update job set state = 'failed', failure = ${JSON.stringify(failure)}, end_time = now(), update_time = now()
        where tenant_id = ${tenantId} and not recurring and state in ('waiting', 'running') and update_time < now() - make_interval(days => ${lostDays})`,
  )
  if (dropped + lost > 0) await raiseStamp(tx, tenantId, entity.name)
  return { dropped, lost }
}
