import { createHash } from 'node:crypto'
import type { Words } from '@data-brain/contract'
import { maskOf, smslog } from '@data-brain/contract'
import { rules } from '@data-brain/contract/rules'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { parametersOf } from '../../kernel/setting.ts'
import { wakeWorker } from './deliver.ts'
import { type Payload, payloadPlace } from './payload.ts'
import { chosenWay, type SmsChannel } from './sms-channel.ts'

export type Purpose = 'test' | 'code' | 'notice'

/** A text message that is to be sent. */
export interface SmsRequest {
  readonly tenantId: string
  readonly phone: string
  readonly purpose: Purpose
  /** Values of the variables of the template, by their names. */
  readonly params?: Readonly<Record<string, string>>
  /** Asked twice with the same key, one number is told once. */
  readonly requestKey?: string | undefined
  /** Code of the SMS service; the enabled one where not given. */
  readonly code?: string | undefined
  readonly userId?: string | null
}

/**
 * Asks for one text message inside the caller's transaction: it is sent once that is durable, and never when it is
 * rolled back. Answers the id of its line in the SMS log. Throws a Problem in words where no service can send, the
 * number is none, or a limit is reached.
 */
export async function sendSms(tx: Tx, services: Services, wanted: SmsRequest): Promise<string> {
  const [id] = await sendMany(tx, services, { ...wanted, phones: [wanted.phone] })
  return id!
}

/** Asks for the same message to several numbers: for all of them, or for none. Answers the ids in their order. */
export async function sendMany(
  tx: Tx,
  services: Services,
  wanted: Omit<SmsRequest, 'phone'> & { readonly phones: readonly string[] },
): Promise<string[]> {
  const { tenantId, phones } = wanted
  for (const phone of phones) {
    const wrong = rules.mobile.check(phone)
    if (phone === '' || wrong)
      throw new Problem(
        'field_invalid',
        { label: smslog.fields.phone!.label, reason: wrong ?? { zh: '不能为空', en: 'is missing' } },
        { field: 'phones', fields: [] },
      )
  }
  const way = await chosenWay(tx, services, tenantId, wanted.code)
  // One after the other within a tenant: a limit is counted and used up by the same transaction.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`sms|${tenantId}`}, 0))`)
  const limits = await parametersOf(tx, tenantId, ['sms.perPhoneMinute', 'sms.perPhoneDay', 'sms.perTenantDay'])
  const ids: string[] = []
  for (const phone of phones) {
    const key = wanted.requestKey === undefined ? null : keyOf(wanted.requestKey, phone)
    const known = key && (await askedBefore(tx, tenantId, key))
    if (known) {
      ids.push(known)
      continue
    }
    const hash = services.cipher.hash(phone, tenantId)
    await refuseBeyond(tx, tenantId, limits, hash, phone)
    ids.push(await write(tx, services, way, { ...wanted, phone }, hash, key))
  }
  await raiseStamp(tx, tenantId, smslog.name)
  wakeWorker(services, tenantId)
  return ids
}

/** What is stored of a key: of fixed length, and another for each number, since one call may name many. */
const keyOf = (requestKey: string, phone: string): string =>
  createHash('sha256').update(`${requestKey}|${phone}`).digest('hex')

const askedBefore = async (tx: Tx, tenantId: string, key: string): Promise<string | undefined> =>
  (await tx.one<{ id: string }>(sql`select id from sms_log where tenant_id = ${tenantId} and request_key = ${key}`))?.id

async function write(
  tx: Tx,
  { cipher }: Services,
  way: SmsChannel,
  { tenantId, phone, purpose, params = {}, userId = null }: SmsRequest,
  hash: Buffer,
  key: string | null,
): Promise<string> {
  const id = newId()
  const payload: Payload = { params, refusals: 0 }
  await tx.run(
    sql`insert into sms_log (tenant_id, id, sms_id, sms_code, phone, phone_hash, phone_tail, purpose, state, tries, next_try, payload, request_key, create_user, update_user)
        values (${tenantId}, ${id}, ${way.id}, ${way.smsCode},
          ${cipher.seal(phone, { table: 'sms_log', column: 'phone', tenantId, id })}, ${hash}, ${cipher.tail(phone, tenantId)},
          ${purpose}, '0', 0, now(), ${cipher.seal(JSON.stringify(payload), payloadPlace(tenantId, id))}, ${key}, ${userId}, ${userId})`,
  )
  return id
}

interface Limits {
  readonly 'sms.perPhoneMinute': number
  readonly 'sms.perPhoneDay': number
  readonly 'sms.perTenantDay': number
}

/** Refuses a message beyond a limit, and says how long to wait: until the oldest that counts is old enough. */
async function refuseBeyond(tx: Tx, tenantId: string, limits: Limits, hash: Buffer, phone: string): Promise<void> {
  const wait = await tx.one<{ minute: number | null; day: number | null; tenant: number | null }>(
    sql`select
      (select 60 - extract(epoch from clock_timestamp() - create_time) from sms_log where tenant_id = ${tenantId} and phone_hash = ${hash}
        order by create_time desc offset ${limits['sms.perPhoneMinute'] - 1} limit 1)::float8 as minute,
      (select 86400 - extract(epoch from clock_timestamp() - create_time) from sms_log where tenant_id = ${tenantId} and phone_hash = ${hash}
        order by create_time desc offset ${limits['sms.perPhoneDay'] - 1} limit 1)::float8 as day,
      (select 86400 - extract(epoch from clock_timestamp() - create_time) from sms_log where tenant_id = ${tenantId}
        order by create_time desc offset ${limits['sms.perTenantDay'] - 1} limit 1)::float8 as tenant`,
  )
  const shown = maskOf(phone)
  const number = { zh: `号码 ${shown} `, en: `The number ${shown} ` }
  refuseFor(
    wait?.minute,
    { zh: `${number.zh}1分钟内的短信已达上限`, en: `${number.en}has had its messages of this minute` },
    limits['sms.perPhoneMinute'],
  )
  refuseFor(
    wait?.day,
    { zh: `${number.zh}24小时内的短信已达上限`, en: `${number.en}has had its messages of 24 hours` },
    limits['sms.perPhoneDay'],
  )
  refuseFor(
    wait?.tenant,
    { zh: '本租户24小时内的短信已达上限', en: 'The tenant has had its messages of 24 hours' },
    limits['sms.perTenantDay'],
  )
}

/** How many messages a tenant has asked for within 24 hours, counted up to a number. */
export async function sentAll(tx: Tx, tenantId: string, most: number): Promise<number> {
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from (select 1 from sms_log
          where tenant_id = ${tenantId} and create_time > now() - interval '24 hours' limit ${most}) as sent`,
  )
  return row?.n ?? 0
}

function refuseFor(seconds: number | null | undefined, what: Words, limit: number): void {
  if (seconds === null || seconds === undefined || seconds <= 0) return
  const after = Math.ceil(seconds)
  const wait = waitOf(after)
  throw new Problem(
    'sms_limit',
    {
      reason: {
        zh: `${what.zh}（${limit}条），请${wait.zh}后再试`,
        en: `${what.en} (${limit}): try again in ${wait.en}`,
      },
    },
    { retryAfter: after },
  )
}

function waitOf(seconds: number): Words {
  if (seconds <= 90) return { zh: `${seconds}秒`, en: `${seconds} s` }
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return { zh: `${minutes}分钟`, en: `${minutes} min` }
  const hours = Math.ceil(seconds / 3_600)
  return { zh: `${hours}小时`, en: `${hours} h` }
}
