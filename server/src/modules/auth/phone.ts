import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendPhoneCode } from '@data-brain/contract/calls/auth'
import { checkMobile } from '@data-brain/contract/rules/mobile'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { onPublic } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall, Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { parametersOf } from '../../kernel/setting.ts'
import { chosenWay, sendSms, sentAll } from '../sms/index.ts'
import { readCaptcha, useCaptcha } from './captcha.ts'
import { type ClientCredentials, requireGrant } from './client.ts'
import { loginPacing } from './login-rate.ts'
import { openSession } from './open-session.ts'
import type { TokenAnswer } from './person.ts'
import type { SwitchTarget } from './switch-work.ts'
import { makeTicket, useTicket, waitForTicket } from './ticket.ts'

/*
 * A code is asked for with a number, and nobody learns by it whose number it is: the answer, its time, the limits and the
 * tries are the same for a number of nobody. Only the text is then not sent.
 */

const codeSeconds = 300
const codeTries = 5
/** Tells a log-in page that what is missing or wrong is the picture. */
const captchaAsked = { captcha: 1 }
/** Answered no sooner than this, so that looking somebody up and writing a text does not show. */
const answerAfter = 400

const slowDown = loginPacing()

function refuseWrongPhone(phone: string): void {
  const reason = checkMobile(phone, true)
  if (reason) throw new Problem('rule_broken', { reason }, { field: 'phone', fields: [] })
}

/** Users with a number, two at most: found by its keyed hash. */
const usersOf = (tx: Tx, { cipher }: Pick<Services, 'cipher'>, tenantId: string, phone: string) =>
  tx.run<{ id: string }>(
    sql`select id from app_user where tenant_id = ${tenantId} and phone_hash = ${cipher.hash(phone, tenantId)} limit 2`,
  )

/** Refuses where the tenant has sent so many texts that no more go; answers whether it has sent half as many. */
async function isBusy(tx: Tx, tenantId: string, most: number): Promise<boolean> {
  const sent = await sentAll(tx, tenantId, most)
  if (sent >= most)
    throw new Problem('sms_limit', {
      reason: {
        zh: `本租户24小时内的短信已达上限（${most}条），请使用账号密码登录`,
        en: `The tenant has had its ${most} text messages of 24 hours: log in with account and password`,
      },
    })
  return sent * 2 >= most
}

type Asked =
  | { readonly how: 'made'; readonly code: string; readonly way: string | undefined; readonly next: number }
  | { readonly how: 'soon'; readonly wait: number }
  | { readonly how: 'captcha_wrong' }

/** Asks for one code; answers the seconds until the next may be asked for. */
async function ask(call: PublicCall, tenantId: string, phone: string): Promise<number> {
  const { services, headers } = call
  const outcome = await inTenant(services.pool, tenantId, async (tx): Promise<Asked> => {
    const set = await parametersOf(tx, tenantId, [
      'login.phone',
      'login.captcha',
      'login.smsTemplate',
      'sms.perPhoneMinute',
      'sms.perPhoneDay',
      'sms.perTenantDay',
    ])
    if (set['login.phone'] !== 1) throw new Problem('way_off')
    const way = set['login.smsTemplate'] || undefined
    await chosenWay(tx, services, tenantId, way)
    const busy = await isBusy(tx, tenantId, set['sms.perTenantDay'])
    // Who cannot read a picture has no other way than this one: a picture is asked for only where texts are being wasted.
    if (busy && set['login.captcha'] === 1) {
      const captcha = readCaptcha(headers, captchaAsked)
      if (!(await useCaptcha(tx, services, { tenantId, ...captcha }))) return { how: 'captcha_wrong' }
    }
    const about = { tenantId, kind: 'phone', about: phone } as const
    await tx.run(
      sql`select pg_advisory_xact_lock(hashtextextended(${`phone|${tenantId}|${services.cipher.hash(phone, tenantId).toString('hex')}`}, 0))`,
    )
    const wait = Math.max(
      await waitForTicket(tx, services, about, 60, set['sms.perPhoneMinute']),
      await waitForTicket(tx, services, about, 86_400, set['sms.perPhoneDay']),
    )
    if (wait > 0) return { how: 'soon', wait }
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await makeTicket(tx, services, { ...about, seconds: codeSeconds, code })
    return { how: 'made', code, way, next: Math.ceil(60 / set['sms.perPhoneMinute']) }
  })
  if (outcome.how === 'captcha_wrong') throw new Problem('captcha_wrong', {}, captchaAsked)
  if (outcome.how === 'soon') throw tooSoon(outcome.wait)
  await send(services, tenantId, phone, outcome)
  return outcome.next
}

function tooSoon(seconds: number): Problem {
  const wait =
    seconds > 90
      ? { zh: `${Math.ceil(seconds / 60)}分钟`, en: `${Math.ceil(seconds / 60)} min` }
      : { zh: `${seconds}秒`, en: `${seconds} s` }
  return new Problem(
    'sms_limit',
    {
      reason: {
        zh: `验证码发送过于频繁，请${wait.zh}后再试`,
        en: `Too many codes were asked for: try again in ${wait.en}`,
      },
    },
    { retryAfter: seconds },
  )
}

/** Sends a code to a number that somebody has. That it could not be asked for is told to the log alone. */
async function send(
  services: Services,
  tenantId: string,
  phone: string,
  { code, way }: { readonly code: string; readonly way: string | undefined },
): Promise<void> {
  try {
    await inTenant(services.pool, tenantId, async (tx) => {
      if ((await usersOf(tx, services, tenantId, phone)).length === 0) return
      await sendSms(tx, services, { tenantId, phone, purpose: 'code', params: { code }, code: way })
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    services.log.warn('a phone code could not be sent', { tenantId, problem: error.problem })
  }
}

/** Sends a code to log in with, when the number is somebody's. */
export const phoneCodeRoute: Route = onPublic(sendPhoneCode, async (given, call) => {
  const started = performance.now()
  const phone = (given.phone ?? '').trim()
  refuseWrongPhone(phone)
  await slowDown(call)
  const wait = await ask(call, given.tenantId, phone)
  await sleep(Math.max(0, answerAfter - (performance.now() - started)))
  return { wait }
})

export interface PhoneWish {
  readonly client: ClientCredentials
  readonly tenantId: string
  readonly phone: string
  readonly code: string
  readonly narrow: SwitchTarget
}

/** Log-in with a number and the code that was sent to it: good for five minutes and five tries, and once. */
export async function phoneGrant(
  call: Pick<PublicCall, 'services' | 'circumstance'>,
  { client, tenantId, phone, code, narrow }: PhoneWish,
): Promise<TokenAnswer> {
  const { services } = call
  refuseWrongPhone(phone)
  const users = await inTenant(services.pool, tenantId, async (tx) => {
    const { 'login.phone': on } = await parametersOf(tx, tenantId, ['login.phone'])
    if (on !== 1) throw new Problem('way_off')
    await requireGrant(tx, client, 'sms_code')
    const used = await useTicket(tx, services, { tenantId, kind: 'phone', about: phone, code, tries: codeTries })
    return used ? usersOf(tx, services, tenantId, phone) : []
  })
  if (users.length > 1) throw new Problem('phone_ambiguous')
  const [user] = users
  if (!user) throw new Problem('phone_code_wrong')
  return openSession(call, { client, tenantId, userId: user.id, narrow, proof: { grant: 'sms_code' } })
}
