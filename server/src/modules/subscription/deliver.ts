import { reportsubscription, type Words } from '@data-brain/contract'
import { subscriptionStates } from '@data-brain/contract/subscription'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { writeOver } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import { loadActor } from '../../kernel/load-actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { refuseExport, reportSource, startExport } from '../export/index.ts'
import type { RecurringWork } from '../jobs/index.ts'
import { parametersIn } from './asked.ts'
import { Planner } from './calendar.ts'
import { receiverName } from './receiver.ts'
import { machine, subscriptionsPage } from './rules.ts'
import { localText } from './schedule.ts'

/*
 * What is due is asked for here, as whoever subscribed: the file is an export like any other. A moment is written down by
 * the transaction that asks, so that it is asked for once, however many servers look; one that passed while none ran is
 * made up for once.
 */

/** A subscription that is on. */
interface Due {
  readonly id: string
  readonly reportId: string
  readonly asked: unknown
  readonly every: string
  readonly weekday: string | null
  readonly calendarId: string | null
  readonly hour: number
  readonly format: string
  readonly language: 'zh' | 'en'
  readonly reason: string | null
  readonly userId: string | null
  readonly lastRun: string | null
  readonly nextRun: string | null
  /** From when on it is planned: its last run, or when it was last saved. */
  readonly since: string
}
const columns = sql`s.id, s.report_id as "reportId", s.asked, s.every, s.weekday, s.calendar_id as "calendarId", s.hour, s.format,
  s.file_language as language, s.reason, s.create_user as "userId", s.last_run as "lastRun", s.next_run as "nextRun",
  greatest(s.last_run, s.update_time) as since`

/** Why a subscription was not run, with which. */
class NotRun extends Error {
  readonly due: Due
  override readonly cause: unknown
  constructor(due: Due, cause: unknown) {
    super('a report was not delivered')
    this.due = due
    this.cause = cause
  }
}

/** Works out anew when those come that follow a calendar, which may have changed since. */
const replan = (services: Services, tenantId: string, at: Date): Promise<void> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const planner = new Planner(tx, tenantId)
    const rows = await tx.run<Due>(
      sql`select ${columns} from reportsubscription s where s.tenant_id = ${tenantId} and s.status = ${subscriptionStates.on}
            and (s.next_run is null or s.calendar_id is not null) for update skip locked`,
    )
    let moved = 0
    for (const row of rows) {
      const now = localText(at)
      const next = await planner.next(row, row.since < now ? row.since : now)
      if (next === row.nextRun) continue
      moved += await tx.count(
        sql`update reportsubscription set next_run = ${next} where tenant_id = ${tenantId} and id = ${row.id}`,
      )
    }
    if (moved > 0) await raiseStamp(tx, tenantId, reportsubscription.name)
  })

const dueRow = (tx: Tx, tenantId: string, at: Date, but: readonly string[]): Promise<Due | undefined> =>
  tx.one<Due>(
    sql`select ${columns} from reportsubscription s where s.tenant_id = ${tenantId} and s.status = ${subscriptionStates.on}
          and s.next_run <= ${at.toISOString()}::timestamptz and s.id <> all(${[...but]}::bigint[])
        order by s.next_run, s.id limit 1 for update skip locked`,
  )

/** For so long it is known at which moments something was run. */
const keptDays = 180

/** Writes a moment down, in place of those of long ago; false where somebody has had it. */
async function takeMoment(tx: Tx, tenantId: string, { id, nextRun }: Due): Promise<boolean> {
  await tx.run(
    sql`delete from report_moment where tenant_id = ${tenantId} and subscription_id = ${id} and moment < now() - make_interval(days => ${keptDays})`,
  )
  const taken = await tx.count(
    sql`insert into report_moment (tenant_id, subscription_id, moment) values (${tenantId}, ${id}, ${nextRun}) on conflict do nothing`,
  )
  return taken === 1
}

const nobody: Words = { zh: '订阅人已停用或删除', en: 'Whoever subscribed is disabled or gone' }

/** Asks for one file that is due, as whoever subscribed. Answers which subscription; undefined where none is left. */
const askDue = (
  services: Services,
  tenantId: string,
  at: Date,
  but: readonly string[],
): Promise<{ id: string; asked: boolean } | undefined> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const due = await dueRow(tx, tenantId, at, but)
    if (!due) return undefined
    try {
      const { id, language, reason, userId } = due
      const asked = await takeMoment(tx, tenantId, due)
      if (asked) {
        const actor = userId && (await loadActor(tx, tenantId, userId, { sessionId: null }))
        if (!actor) throw new Problem('rule_broken', { reason: nobody })
        const circumstance = { requestId: newId(), language, address: '', agent: '', reason: reason ?? undefined }
        const asking = { services, tx, actor, circumstance }
        const query = {
          id: due.reportId,
          parameters: JSON.stringify(parametersIn(due.asked) ?? {}),
          format: due.format,
        }
        await refuseExport(reportSource, asking, query)
        const jobId = await startExport(reportSource, asking, query, { name: receiverName, of: id })
        await tx.run(
          sql`update report_moment set job_id = ${jobId} where tenant_id = ${tenantId} and subscription_id = ${id} and moment = ${due.nextRun}`,
        )
      }
      const now = localText(at)
      const next = await new Planner(tx, tenantId).next({ ...due, lastRun: now }, now)
      await tx.run(
        sql`update reportsubscription set last_run = ${asked ? now : due.lastRun}, next_run = ${next} where tenant_id = ${tenantId} and id = ${id}`,
      )
      await raiseStamp(tx, tenantId, reportsubscription.name)
      return { id, asked }
    } catch (error) {
      throw new NotRun(due, error)
    }
  })

/** Why it cannot come, as whoever subscribed is told. */
function whyOf(problem: Problem): Words {
  if (problem.problem === 'not_found')
    return { zh: '报表已删除，或不再共享给您', en: 'The report was removed, or is no longer shared with you' }
  return { zh: problem.words('zh'), en: problem.words('en') }
}

/** Pauses a subscription that cannot be run, and says why, once: it rests until somebody turns it on again. */
const pause = (services: Services, tenantId: string, due: Due, problem: Problem): Promise<boolean> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const context = {
      ...{ tx, actor: system(machine, tenantId), cipher: services.cipher },
      circumstance: { requestId: newId(), language: due.language, address: '', agent: '' },
    }
    const before = await new Repository(reportsubscription, context).before(due.id, { lock: true })
    // Somebody else has met it, or it was changed meanwhile.
    if (before.status !== subscriptionStates.on || before.nextRun !== due.nextRun) return false
    const why = whyOf(problem)
    const pauseReason = [...(due.language === 'zh' ? why.zh : why.en)].slice(0, 500).join('')
    await writeOver(
      modelOf(reportsubscription),
      context,
      due.id,
      before,
      { nextRun: null, pauseReason },
      { status: subscriptionStates.paused, extId: undefined },
    )
    const named = await tx.one<{ name: string }>(
      sql`select name from report where tenant_id = ${tenantId} and id = ${due.reportId}`,
    )
    const name = named?.name ?? ''
    await sendMessage(tx, tenantId, due.userId === null ? [] : [due.userId], {
      kind: 'report-paused',
      title: { zh: `报表订阅已暂停：${name}`, en: `Report subscription paused: ${name}` },
      body: {
        zh: `${why.zh}。处理后可在“报表订阅”中重新启用。`,
        en: `${why.en}. Turn it on again under Subscriptions when that is settled.`,
      },
      link: subscriptionsPage,
    })
    return true
  })

/** Asks for all that is due in a tenant at a moment. */
export async function deliverReports(
  services: Services,
  tenantId: string,
  at = new Date(),
): Promise<{ asked: number; paused: number }> {
  await replan(services, tenantId, at)
  const met: string[] = []
  let asked = 0
  let paused = 0
  for (;;)
    try {
      const found = await askDue(services, tenantId, at, met)
      if (!found) return { asked, paused }
      met.push(found.id)
      if (found.asked) asked += 1
    } catch (error) {
      if (!(error instanceof NotRun)) throw error
      const { due, cause } = error
      met.push(due.id)
      if (cause instanceof Problem) paused += (await pause(services, tenantId, due, cause)) ? 1 : 0
      else {
        const { message } = cause as Error
        services.log.error('a report could not be asked for', { tenantId, id: due.id, error: message })
      }
    }
}

/** Every five minutes: asks for what is due, in every tenant that is in use. */
export const reportDelivery: RecurringWork = {
  name: 'report-delivery',
  cron: '*/5 * * * *',
  run: async (services, { tenantId, signal }) => {
    const at = new Date()
    const tenants =
      tenantId === undefined
        ? (
            await inPlatform(services.platform, (tx) =>
              tx.run<{ code: string }>(sql`select code from reports_waiting(${at.toISOString()}::timestamptz) code`),
            )
          ).map(({ code }) => code)
        : [tenantId]
    let asked = 0
    let paused = 0
    for (const tenant of tenants) {
      if (signal.aborted) break
      const done = await deliverReports(services, tenant, at)
      asked += done.asked
      paused += done.paused
    }
    return { asked, paused }
  },
}
