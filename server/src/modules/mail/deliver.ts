import { maillog, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { SendingWorker } from '../../kernel/sending-worker.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { type MailOutcome, sendMail } from './client.ts'
import { enabledService, lockMail, roomOf, type StoredService } from './mail-service.ts'
import { payloadPlace, recipientPlace } from './payload.ts'

/*
 * Mail goes out here, after the transaction that asked for it. Any number of processes may do it: a mail is leased to one of
 * them, and that lease outlasts the slowest attempt. A mail server knows no repeated request, so before the first byte of a
 * message is sent that is written down and committed: a lease that runs out before is taken up by somebody else, one that
 * runs out after leaves a mail of which nobody knows, and it is not sent again.
 */

/** Seconds to wait before each further attempt; after the last the mail is given up. */
export const backOff: readonly number[] = [60, 300, 1_800, 7_200]
const leaseSeconds = 90
/** Seconds that a service rests with which something is wrong, unless its settings are changed. */
const pauseSeconds = 600
/** Mails of a tenant that are under way at once, and rounds before others have their turn. */
const atOnce = 3
const rounds = 5

export interface Claimed {
  readonly id: string
  readonly recipient: Buffer
  readonly subject: string
  readonly payload: Buffer | null
  readonly tries: number
  readonly lease: string
}

const unknownWords: Words = {
  zh: '发送过程中断，不知道是否已送达；为免重复不再发送',
  en: 'sending was interrupted: nobody knows whether it arrived, and it is not sent twice',
}

/** Words as the log keeps them: one text for readers of either language. */
const shown = ({ zh, en }: Words): string => (zh === en ? zh : `${zh} / ${en}`)

/** Hears that a mail has ended, whatever became of it, in the transaction that says so. */
type MailListener = (tx: Tx, services: Services, tenantId: string, key: string) => Promise<unknown>
const listeners = new Map<string, MailListener>()
/** Listens to mails whose request key begins with a name and `|`. Called where a module is put together. */
export const addMailListener = (name: string, listener: MailListener): unknown => listeners.set(name, listener)

async function tellEnded(
  tx: Tx,
  services: Services,
  tenantId: string,
  keys: readonly (string | null)[],
): Promise<void> {
  for (const key of keys) if (key) await listeners.get(key.split('|')[0]!)?.(tx, services, tenantId, key)
}

/** Leases one mail, or those that are due and that the limits let through, one attempt each. */
export const lease = (tx: Tx, tenantId: string, mailId: string, most: number, id?: string): Promise<Claimed[]> =>
  tx.run<Claimed>(
    sql`with due as (
        select id from mail_log
        where tenant_id = ${tenantId} and state in ('0', '2') and begun_at is null and (leased_until is null or leased_until <= clock_timestamp())
          and ${id === undefined ? sql`next_try <= clock_timestamp()` : sql`id = ${id}`}
        order by next_try, id limit ${most} for update skip locked)
      update mail_log m set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), tries = m.tries + 1,
        mail_id = ${mailId}, last_try = clock_timestamp()
      from due where m.tenant_id = ${tenantId} and m.id = due.id
      returning m.id, m.recipient, m.subject, m.payload, m.tries, m.leased_until::text as lease`,
  )

/** What the worker has to do in a tenant now; what was left in the middle of a message is set down as unknown. */
const claim = (services: Services, tenantId: string): Promise<{ service: StoredService; due: Claimed[] } | undefined> =>
  inTenant(services.pool, tenantId, async (tx) => {
    await lockMail(tx, tenantId)
    const left = await tx.run<{ key: string | null }>(
      sql`update mail_log set state = '4', leased_until = null, next_try = null, payload = null, answer = ${shown(unknownWords)}, version = version + 1, update_time = now()
          where tenant_id = ${tenantId} and state in ('0', '2') and begun_at is not null and leased_until <= clock_timestamp()
          returning request_key as key`,
    )
    if (left.length > 0) await raiseStamp(tx, tenantId, maillog.name)
    await tellEnded(
      tx,
      services,
      tenantId,
      left.map(({ key }) => key),
    )
    const service = await enabledService(tx, services, tenantId)
    if (!service || service.paused) return undefined
    const room = await roomOf(tx, tenantId, service)
    // Of a service with which something was wrong one mail finds out whether it still is.
    const most = Math.min(service.fault === null ? atOnce : 1, room)
    if (most <= 0) return undefined
    return { service, due: await lease(tx, tenantId, service.id, most) }
  })

/** Tells the administrators that mail waits, once per fault. */
async function pause(tx: Tx, tenantId: string, service: StoredService, why: Words): Promise<void> {
  const told = await tx.one<{ told: boolean }>(
    sql`with before as (select fault from mail where tenant_id = ${tenantId} and id = ${service.id} for update)
        update mail m set fault = ${[...shown(why)].slice(0, 500).join('')}, paused_until = clock_timestamp() + make_interval(secs => ${pauseSeconds})
        from before where m.tenant_id = ${tenantId} and m.id = ${service.id} returning before.fault is not null as told`,
  )
  if (!told || told.told) return
  const admins = await tx.run<{ id: string }>(
    sql`select distinct l.owner_id as id from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id and r.is_admin = 1
        where l.tenant_id = ${tenantId}`,
  )
  await sendMessage(
    tx,
    tenantId,
    admins.map(({ id }) => id),
    {
      kind: 'mail-fault',
      title: { zh: '邮件无法发送，正在等待', en: 'Mail cannot be sent and waits' },
      body: {
        zh: `${why.zh}。请在邮件配置中更正，之后会继续发送。`,
        en: `${why.en}. Correct the mail service: what waits is sent after that.`,
      },
      link: '/resource/mail',
    },
  )
}

/** Writes down what became of an attempt, unless the lease has passed to somebody else. */
export async function note(
  tx: Tx,
  services: Services,
  tenantId: string,
  service: StoredService,
  claimed: Pick<Claimed, 'id' | 'tries' | 'lease'>,
  outcome: MailOutcome,
  once = false,
): Promise<void> {
  const { id, tries, lease } = claimed
  const wait = backOff[tries - 1]
  const waits = !once && (outcome.kind === 'service' || (outcome.kind === 'temporary' && wait !== undefined))
  const state = outcome.kind === 'sent' ? '1' : outcome.kind === 'unknown' ? '4' : waits ? '2' : '3'
  const pauses = outcome.kind === 'service' && !once
  const answer = outcome.kind === 'sent' ? outcome.answer : shown(outcome.why)
  const written = await tx.run<{ key: string | null }>(
    sql`update mail_log set state = ${state}, leased_until = null, begun_at = null,
          payload = ${waits ? sql`payload` : sql`null`}, answer = ${[...answer].slice(0, 500).join('')},
          tries = ${pauses ? tries - 1 : tries},
          next_try = ${waits ? (pauses ? sql`next_try` : sql`clock_timestamp() + make_interval(secs => ${wait!})`) : sql`null`},
          sent_at = ${state === '1' ? sql`clock_timestamp()` : sql`null`}, version = version + 1, update_time = now()
        where tenant_id = ${tenantId} and id = ${id} and leased_until = ${lease}::timestamptz
        returning request_key as key`,
  )
  if (pauses) await pause(tx, tenantId, service, outcome.why)
  // Whatever else a server says, it has taken the log-in.
  else if (outcome.kind === 'sent' || outcome.kind === 'refused')
    await tx.run(
      sql`update mail set fault = null, paused_until = null where tenant_id = ${tenantId} and id = ${service.id} and fault is not null`,
    )
  if (written.length > 0) await raiseStamp(tx, tenantId, maillog.name)
  if (!waits)
    await tellEnded(
      tx,
      services,
      tenantId,
      written.map(({ key }) => key),
    )
  if (state !== '1') services.log.warn('a mail was not sent', { tenantId, id, tries, state })
}

/** One attempt: what it hands over is marked as begun, in a statement of its own, before the first byte. */
export async function attempt(
  services: Services,
  tenantId: string,
  service: StoredService,
  claimed: Claimed,
): Promise<MailOutcome> {
  const { id, subject, lease } = claimed
  try {
    if (!claimed.payload) throw new Error('nothing to send')
    const to = services.cipher.open(claimed.recipient, recipientPlace(tenantId, id))
    const text = services.cipher.open(claimed.payload, payloadPlace(tenantId, id))
    const outcome = await sendMail(services, service, { id, to, subject, text }, async () => {
      const begun = await inTenant(services.pool, tenantId, (tx) =>
        tx.count(
          sql`update mail_log set begun_at = clock_timestamp()
              where tenant_id = ${tenantId} and id = ${id} and leased_until = ${lease}::timestamptz and leased_until > clock_timestamp()`,
        ),
      )
      if (begun !== 1) throw new Error('the lease has run out')
    })
    if (outcome.kind === 'sent') return { ...outcome, answer: outcome.answer.replaceAll(to, '***') }
    return { ...outcome, why: { zh: outcome.why.zh.replaceAll(to, '***'), en: outcome.why.en.replaceAll(to, '***') } }
  } catch (error) {
    services.log.error('a mail cannot be read', { tenantId, id, error: (error as Error).message })
    return { kind: 'refused', why: { zh: '内容无法读取', en: 'its content cannot be read' } }
  }
}

async function deliver(services: Services, tenantId: string, service: StoredService, claimed: Claimed): Promise<void> {
  const outcome = await attempt(services, tenantId, service, claimed)
  await inTenant(services.pool, tenantId, (tx) => note(tx, services, tenantId, service, claimed, outcome))
}

/** Sends what is due in one tenant, some rounds of it; answers how many attempts there were. */
export async function deliverMail(services: Services, tenantId: string): Promise<number> {
  let attempts = 0
  for (let round = 0; round < rounds; round += 1) {
    const found = await claim(services, tenantId)
    if (!found || found.due.length === 0) break
    attempts += found.due.length
    await Promise.all(found.due.map((each) => deliver(services, tenantId, found.service, each)))
  }
  return attempts
}

/** Tenants with a mail that is due: asked in one round trip, however many there are. */
const waitingTenants = async (services: Services): Promise<string[]> =>
  (
    await inPlatform(services.platform, (tx) => tx.run<{ code: string }>(sql`select code from mail_waiting() code`))
  ).map((row) => row.code)

const worker = new SendingWorker({ what: 'mail', deliver: deliverMail, waiting: waitingTenants })

/** Tells the worker of this process, if it has one, that a mail was asked for. Others find it by themselves. */
export const wakeMail = (services: Pick<Services, 'pool'>, tenantId: string): void => worker.wake(services, tenantId)

/** Sends mail as it comes, from now on. Answers how to stop, which waits for what is under way. */
export const startMail = (services: Services): (() => Promise<void>) => worker.start(services)
