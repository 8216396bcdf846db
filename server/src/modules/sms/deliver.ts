import { smslog, type Words } from '@data-brain/contract'
import { smsText } from '@data-brain/contract/sms'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { SendingWorker } from '../../kernel/sending-worker.ts'
import type { Services } from '../../kernel/services.ts'
import { type Payload, payloadPlace } from './payload.ts'
import { handOver, type Outcome } from './providers.ts'
import { outboxCategory, type SmsChannel, wayOf } from './sms-channel.ts'

/*
 * Messages go out here, after the transaction that asked for them. Any number of processes may do it: a message is
 * leased to one of them, and that lease outlasts the slowest answer. A process that ends meanwhile leaves the lease to run
 * out; then the message is tried again, which the log shows, and services that know repeated requests send it once.
 */

/** Seconds to wait before each further attempt; after the last the message is given up. */
export const backOff: readonly number[] = [10, 60, 300]
const leaseSeconds = 60
/** Messages of a tenant that are under way at once, and rounds before others have their turn. */
const atOnce = 5
const rounds = 4

interface Claimed {
  readonly id: string
  readonly sms_id: string | null
  readonly phone: Buffer
  readonly payload: Buffer | null
  readonly tries: number
  readonly interrupted: boolean
  readonly lease: string
}

/** Leases the messages of a tenant that are due, one attempt each. */
const claim = (services: Services, tenantId: string): Promise<Claimed[]> =>
  inTenant(services.pool, tenantId, (tx) =>
    tx.run<Claimed>(
      sql`with due as (
          select id, leased_until is not null as interrupted from sms_log
          where tenant_id = ${tenantId} and state in ('0', '2') and next_try <= clock_timestamp() and (leased_until is null or leased_until <= clock_timestamp())
          order by next_try limit ${atOnce} for update skip locked)
        update sms_log m set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), tries = m.tries + 1,
          state = case when due.interrupted then '2' else m.state end,
          failure = case when due.interrupted then ${shown(interruptedWords)} else m.failure end
        from due where m.tenant_id = ${tenantId} and m.id = due.id
        returning m.id, m.sms_id, m.phone, m.payload, m.tries, due.interrupted, m.leased_until::text as lease`,
    ),
  )

const interruptedWords: Words = { zh: '发送被中断，再次尝试', en: 'sending was interrupted: tried again' }

/** Words as the log keeps them: one text for readers of either language. */
const shown = ({ zh, en }: Words): string => (zh === en ? zh : `${zh} / ${en}`)

/** A service's words may repeat the number or a value, which may be a code: neither is for the log. */
function redacted(words: Words, phone: string, params: Readonly<Record<string, string>>): string {
  let text = shown(words).replaceAll(phone, '***')
  for (const value of Object.values(params)) if (value.length >= 3) text = text.replaceAll(value, '***')
  return [...text].slice(0, 500).join('')
}

/** Writes down what became of an attempt, unless the lease has passed to somebody else. */
async function note(
  tx: Tx,
  services: Services,
  tenantId: string,
  claimed: Claimed,
  payload: Payload,
  outcome: Outcome,
  failure: string | null,
): Promise<void> {
  const { id, tries, lease } = claimed
  const seal = (kept: Payload): Buffer => services.cipher.seal(JSON.stringify(kept), payloadPlace(tenantId, id))
  const wait = backOff[tries - 1]
  const again = outcome.kind === 'temporary' && wait !== undefined
  const state = outcome.kind === 'sent' ? '1' : again ? '2' : '3'
  const kept = again
    ? seal(outcome.doubt ? payload : { ...payload, refusals: payload.refusals + 1 })
    : payload.text === undefined
      ? null
      : seal({ params: {}, refusals: 0, text: payload.text })
  const written = await tx.count(
    sql`update sms_log set state = ${state}, leased_until = null, payload = ${kept}, failure = ${failure},
          next_try = ${again ? sql`clock_timestamp() + make_interval(secs => ${wait})` : sql`null`},
          sent_at = ${state === '1' ? sql`clock_timestamp()` : sql`null`},
          message_id = ${outcome.kind === 'sent' ? (outcome.receipt?.slice(0, 128) ?? null) : null},
          version = version + 1, update_time = now()
        where tenant_id = ${tenantId} and id = ${id} and leased_until = ${lease}::timestamptz`,
  )
  if (written > 0) await raiseStamp(tx, tenantId, smslog.name)
  if (again) services.log.warn('a text message is tried again', { tenantId, id, tries, wait })
  if (state === '3') services.log.warn('a text message was given up', { tenantId, id, tries })
}

async function deliver(services: Services, tenantId: string, claimed: Claimed): Promise<void> {
  const { id, tries } = claimed
  let phone = ''
  let payload: Payload = { params: {}, refusals: 0 }
  let outcome: Outcome
  try {
    if (!claimed.payload) throw new Error('nothing to send')
    phone = services.cipher.open(claimed.phone, { table: 'sms_log', column: 'phone', tenantId, id })
    payload = JSON.parse(services.cipher.open(claimed.payload, payloadPlace(tenantId, id))) as Payload
    const way = claimed.sms_id
      ? await inTenant(services.pool, tenantId, (tx) => wayOf(tx, services, tenantId, claimed.sms_id!))
      : undefined
    if (!way) outcome = { kind: 'refused', why: { zh: '短信配置已删除', en: 'the SMS service was removed' } }
    else if (way.category === outboxCategory) return await putOut(services, tenantId, claimed, payload, way)
    else if (tries > backOff.length + 1)
      outcome = { kind: 'refused', why: { zh: '多次发送被中断', en: 'sending was interrupted too often' } }
    else {
      const message = { id, phone, params: payload.params, refusals: payload.refusals }
      outcome = await handOver(services, way, { ...message, doubt: tries - 1 > payload.refusals })
    }
  } catch (error) {
    services.log.error('a text message cannot be read', { tenantId, id, error: (error as Error).message })
    outcome = { kind: 'refused', why: { zh: '内容无法读取', en: 'its content cannot be read' } }
  }
  const words =
    outcome.kind === 'sent' ? (outcome.note ?? (claimed.interrupted ? interruptedWords : undefined)) : outcome.why
  await inTenant(services.pool, tenantId, (tx) =>
    note(tx, services, tenantId, claimed, payload, outcome, words ? redacted(words, phone, payload.params) : null),
  )
}

/** The development outbox: the text is kept where its page shows it, for a day. */
async function putOut(
  services: Services,
  tenantId: string,
  claimed: Claimed,
  payload: Payload,
  way: SmsChannel,
): Promise<void> {
  const text = smsText(way.signName, way.content ?? '', payload.params)
  await inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(
      sql`update sms_log set payload = null where tenant_id = ${tenantId} and state in ('1', '3') and payload is not null and create_time < now() - interval '1 day'`,
    )
    if (services.environment.smsOutbox)
      return note(tx, services, tenantId, claimed, { ...payload, text }, { kind: 'sent' }, null)
    const why = { zh: '生产环境不能使用开发发件箱', en: 'the development outbox cannot be used in production' }
    return note(tx, services, tenantId, claimed, payload, { kind: 'refused', why }, shown(why))
  })
}

/** Sends what is due in one tenant, some rounds of it; answers how many attempts there were. */
export async function deliverDue(services: Services, tenantId: string): Promise<number> {
  let attempts = 0
  for (let round = 0; round < rounds; round += 1) {
    const due = await claim(services, tenantId)
    if (due.length === 0) break
    attempts += due.length
    await Promise.all(due.map((each) => deliver(services, tenantId, each)))
  }
  return attempts
}

/** Tenants with a message that is due: asked in one round trip, however many there are. */
const waitingTenants = async (services: Services): Promise<string[]> =>
  (await inPlatform(services.platform, (tx) => tx.run<{ code: string }>(sql`select code from sms_waiting() code`))).map(
    (row) => row.code,
  )

const worker = new SendingWorker({ what: 'text messages', deliver: deliverDue, waiting: waitingTenants })

/** Tells the worker of this process, if it has one, that a message was asked for. Others find it by themselves. */
export const wakeWorker = (services: Pick<Services, 'pool'>, tenantId: string): void => worker.wake(services, tenantId)

/** Sends messages as they come, from now on. Answers how to stop, which waits for what is under way. */
export const startSms = (services: Services): (() => Promise<void>) => worker.start(services)
