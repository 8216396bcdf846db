import { createHash } from 'node:crypto'
import type { Words } from '@data-brain/contract'
import { smsServices, smsText } from '@data-brain/contract/sms'
import { fetchOutbound, OutboundError, type OutboundInit } from '../../kernel/outbound.ts'
import type { Services } from '../../kernel/services.ts'
import { canonicalQuery, signAcs3, signBody, signQiniu, signTc3 } from './sign.ts'
import type { SmsChannel } from './sms-channel.ts'

/** One message as it is handed to a service. */
export interface Message {
  readonly id: string
  readonly phone: string
  readonly params: Readonly<Record<string, string>>
  /** How often a service has said that it did not take the message: a new attempt is then no repetition. */
  readonly refusals: number
  /** An earlier attempt ended without anybody knowing how. */
  readonly doubt: boolean
}

/** What became of an attempt. `doubt`: nobody knows whether the service has taken the message. */
export type Outcome =
  | { readonly kind: 'sent'; readonly receipt?: string; readonly note?: Words }
  | { readonly kind: 'temporary'; readonly doubt: boolean; readonly why: Words }
  | { readonly kind: 'refused'; readonly why: Words }

/** What an answer of a service says, before its HTTP status is thought of. */
type Reading = Outcome | undefined

interface Request {
  readonly url: URL
  readonly init: OutboundInit
}

/** How one service is asked, and how its answer is read. Undefined: the answer says nothing that is known. */
interface Provider {
  request(way: SmsChannel, message: Message, now: Date): Request
  read(answer: Record<string, unknown>, message: Message): Reading
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const said = (code: unknown, message: unknown): Words => {
  const words = [text(code), text(message)].filter(Boolean).join(': ')
  return { zh: words, en: words }
}
const refused = (why: Words): Outcome => ({ kind: 'refused', why })
const later = (why: Words): Outcome => ({ kind: 'temporary', doubt: false, why })
const sent = (receipt: unknown): Outcome => ({ kind: 'sent', ...(text(receipt) ? { receipt: text(receipt) } : {}) })

/** The service has seen this very request before, so the attempt of which nothing was known had arrived. */
const takenBefore: Outcome = {
  kind: 'sent',
  note: { zh: '服务商此前已收到，没有回执', en: 'the service had taken it before; no receipt' },
}

const addressOf = (way: SmsChannel): URL => new URL(way.endpoint ?? smsServices[way.category]!.official!)
const keys = (way: SmsChannel): { accessKey: string; secretKey: string } => ({
  accessKey: way.accessKey ?? '',
  secretKey: way.secretKey ?? '',
})
const json = 'application/json; charset=utf-8'

const aliyun: Provider = {
  request(way, message, now) {
    const url = addressOf(way)
    const query = {
      PhoneNumbers: message.phone,
      SignName: way.signName ?? '',
      TemplateCode: way.templateId ?? '',
      TemplateParam: JSON.stringify(message.params),
      OutId: message.id,
    }
    const headers = {
      'x-acs-action': 'SendSms',
      'x-acs-version': '2017-05-25',
      'x-acs-date': now.toISOString().replace(/\.\d+Z$/, 'Z'),
      // SendSms knows no repetition; but a nonce is taken once, so a repeated request is not carried out again.
      'x-acs-signature-nonce': createHash('sha256')
        .update(`${message.id}|${message.refusals}`)
        .digest('hex')
        .slice(0, 32),
      'x-acs-content-sha256': createHash('sha256').update('').digest('hex'),
    }
    const { authorization } = signAcs3({
      method: 'POST',
      path: url.pathname,
      query,
      headers: { ...headers, host: url.host },
      body: '',
      ...keys(way),
    })
    url.search = canonicalQuery(query)
    return { url, init: { method: 'POST', headers: { ...headers, Authorization: authorization } } }
  },
  read({ Code: code, Message: words, BizId: receipt }, { doubt }) {
    if (code === 'OK') return sent(receipt)
    if (code === 'SignatureNonceUsed' && doubt) return takenBefore
    if (
      /^(Throttling|ServiceUnavailable|InternalError|isp\.SYSTEM_ERROR|isv\.BUSINESS_LIMIT_CONTROL|SignatureNonceUsed)/.test(
        text(code),
      )
    )
      return later(said(code, words))
    return text(code) ? refused(said(code, words)) : undefined
  },
}

const tencent: Provider = {
  request(way, message, now) {
    const url = addressOf(way)
    const timestamp = Math.floor(now.getTime() / 1_000)
    const body = JSON.stringify({
      PhoneNumberSet: [`+86${message.phone}`],
      SmsSdkAppId: way.appId,
      SignName: way.signName,
      TemplateId: way.templateId,
      // The service knows its variables by their place: {1}, {2}.
      TemplateParamSet: Object.values(message.params),
      SessionContext: message.id,
    })
    const { authorization } = signTc3({
      service: 'sms',
      headers: { 'Content-Type': json, Host: url.host, 'X-TC-Action': 'sendsms' },
      body,
      timestamp,
      ...keys(way),
    })
    return {
      url,
      init: {
        method: 'POST',
        body,
        headers: {
          Authorization: authorization,
          'Content-Type': json,
          'X-TC-Action': 'SendSms',
          'X-TC-Version': '2021-01-11',
          'X-TC-Timestamp': String(timestamp),
          'X-TC-Region': way.regionId ?? 'ap-guangzhou',
        },
      },
    }
  },
  read({ Response: response }) {
    const answer = (response ?? {}) as { Error?: Record<string, unknown>; SendStatusSet?: Record<string, unknown>[] }
    const status = answer.Error ?? answer.SendStatusSet?.[0]
    const code = text(status?.Code)
    if (code === 'Ok') return sent(status?.SerialNo)
    if (
      /^(RequestLimitExceeded|InternalError|LimitExceeded\.(DeliveryFrequency|PhoneNumberThirtySecond|PhoneNumberOneHour))/.test(
        code,
      )
    )
      return later(said(code, status?.Message))
    return code ? refused(said(code, status?.Message)) : undefined
  },
}

const yunpian: Provider = {
  request(way, message) {
    return {
      url: addressOf(way),
      init: {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8', Accept: json },
        body: new URLSearchParams({
          apikey: way.accessKey ?? '',
          mobile: message.phone,
          text: smsText(way.signName, way.content ?? '', message.params),
          uid: message.id,
        }).toString(),
      },
    }
  },
  read({ code, msg, detail, sid }, { doubt }) {
    if (typeof code !== 'number') return undefined
    if (code === 0) return sent(sid)
    const words = said(code, [text(msg), text(detail)].filter(Boolean).join(', '))
    // 8, 9: the same text to the same number within 30 s, or three times within 5 min.
    if (code === 8 && doubt) return takenBefore
    return code <= -50 || code === 8 || code === 9 || code === 33 ? later(words) : refused(words)
  },
}

const qiniu: Provider = {
  request(way, message) {
    const url = addressOf(way)
    const body = JSON.stringify({
      template_id: way.templateId,
      mobile: message.phone,
      parameters: message.params,
      seq: message.id,
    })
    const contentType = 'application/json'
    const { authorization } = signQiniu({
      method: 'POST',
      target: `${url.pathname}${url.search}`,
      host: url.host,
      contentType,
      body,
      ...keys(way),
    })
    return {
      url,
      init: { method: 'POST', body, headers: { Authorization: authorization, 'Content-Type': contentType } },
    }
  },
  read({ message_id: receipt, error, message }) {
    if (text(receipt)) return sent(receipt)
    return text(error) ? refused(said(error, message)) : undefined
  },
}

const gateway: Provider = {
  request(way, message, now) {
    const body = JSON.stringify({
      id: message.id,
      time: now.toISOString(),
      phone: message.phone,
      templateId: way.templateId,
      params: message.params,
      text: way.content ? smsText(way.signName, way.content, message.params) : null,
    })
    return {
      url: addressOf(way),
      init: {
        method: 'POST',
        body,
        headers: {
          'Content-Type': json,
          'Idempotency-Key': message.id,
          'X-Signature-256': signBody(way.secretKey ?? '', body),
        },
      },
    }
  },
  read({ success, id, messageId, error, message, temporary }) {
    if (success === false) return (temporary === true ? later : refused)(said(error, message))
    return success === true || text(messageId ?? id) ? sent(messageId ?? id) : undefined
  },
}

const providers: Readonly<Record<string, Provider>> = {
  '1': yunpian,
  '2': qiniu,
  '3': aliyun,
  '4': tencent,
  '5': gateway,
}

/**
 * Hands a message to a service and reads what it answers. Never throws: whatever goes wrong is an outcome, with the
 * service's own words where it had any.
 */
export async function handOver(
  services: Pick<Services, 'environment'>,
  way: SmsChannel,
  message: Message,
  now = new Date(),
): Promise<Outcome> {
  const provider = providers[way.category]
  if (!provider) return refused({ zh: '未知的短信类型', en: 'unknown kind of SMS service' })
  try {
    const { url, init } = provider.request(way, message, now)
    const { status, bytes } = await fetchOutbound(services, url, init)
    const read = provider.read(bodyOf(bytes), message)
    if (read) return read.kind === 'refused' && passing(status) ? later(read.why) : read
    if (status >= 200 && status < 300)
      // A gateway need not say more than that; a named service that says nothing of what it did has done who knows what.
      return way.category === '5' ? { kind: 'sent' } : { kind: 'temporary', doubt: true, why: unread }
    const why = { zh: `HTTP 状态 ${status}`, en: `HTTP status ${status}` }
    // Too busy is a no; any other fault of the server may have come after the message had gone.
    return passing(status) ? { kind: 'temporary', doubt: status !== 429 && status !== 503, why } : refused(why)
  } catch (error) {
    if (error instanceof OutboundError)
      return error.fault === 'unreachable' || error.fault === 'timeout'
        ? { kind: 'temporary', doubt: true, why: error.words }
        : refused(error.words)
    return refused({ zh: '无法发出请求', en: `the request could not be made (${(error as Error).name})` })
  }
}

const unread: Words = { zh: '服务商的回答无法识别', en: 'the answer of the service could not be read' }
const passing = (status: number): boolean => status === 429 || status >= 500

function bodyOf(bytes: Buffer): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
