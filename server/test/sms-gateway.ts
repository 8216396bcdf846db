import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Services } from '../src/kernel/services.ts'
import { signAcs3, signBody, signQiniu, signTc3 } from '../src/modules/sms/sign.ts'

/** A request as it arrived. */
export interface Arrived {
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How the service behaves next. */
export type Manner = 'ok' | 'throttled' | 'broken' | 'refused' | 'slow' | 'cut' | 'nonce'

export const accessKey = 'AK-test-1'
export const secretKey = 'SK-test-secret-1'

const text = (value: string | string[] | undefined): string => String(value ?? '')
const picked = (headers: IncomingHttpHeaders, names: string): Record<string, string> =>
  Object.fromEntries(names.split(';').map((name) => [name, text(headers[name])]))

/** Whether a request carries the signature that its service would ask for, judged by what arrived alone. */
const signatures: Readonly<Record<string, (arrived: Arrived) => boolean>> = {
  '/aliyun': ({ url, headers, body }) => {
    const given = text(headers.authorization)
    const names = /SignedHeaders=([^,]+)/.exec(given)?.[1] ?? ''
    const query = Object.fromEntries(url.searchParams)
    const mine = picked(headers, names)
    const whole = [
      'host',
      'x-acs-action',
      'x-acs-content-sha256',
      'x-acs-date',
      'x-acs-signature-nonce',
      'x-acs-version',
    ]
    return (
      whole.every((name) => name in mine) &&
      signAcs3({ method: 'POST', path: url.pathname, query, headers: mine, body, accessKey, secretKey })
        .authorization === given
    )
  },
  '/tencent': ({ headers, body }) => {
    const given = text(headers.authorization)
    const mine = picked(headers, 'content-type;host;x-tc-action')
    mine['x-tc-action'] = mine['x-tc-action']!.toLowerCase()
    const timestamp = Number(headers['x-tc-timestamp'])
    return signTc3({ service: 'sms', headers: mine, body, timestamp, accessKey, secretKey }).authorization === given
  },
  '/qiniu': ({ url, headers, body }) =>
    signQiniu({
      method: 'POST',
      target: url.pathname,
      host: text(headers.host),
      contentType: text(headers['content-type']),
      body,
      accessKey,
      secretKey,
    }).authorization === headers.authorization,
  '/yunpian': ({ body }) => new URLSearchParams(body).get('apikey') === accessKey,
  '/gateway': ({ headers, body }) => headers['x-signature-256'] === signBody(secretKey, body),
}

/** What each service answers, as its documentation has it. */
const answers: Readonly<Record<string, Partial<Record<Manner, [number, unknown]>>>> = {
  '/aliyun': {
    ok: [200, { Code: 'OK', Message: 'OK', BizId: '9006197469364984^0', RequestId: 'A' }],
    throttled: [400, { Code: 'Throttling.User', Message: 'Request was denied due to user flow control.' }],
    refused: [200, { Code: 'isv.MOBILE_NUMBER_ILLEGAL', Message: '13800000001号码不合法 code 731946', RequestId: 'A' }],
    nonce: [400, { Code: 'SignatureNonceUsed', Message: 'Specified signature nonce was used already.' }],
  },
  '/tencent': {
    ok: [
      200,
      { Response: { SendStatusSet: [{ SerialNo: '5000:1045710669157053657849499619', Code: 'Ok' }], RequestId: 'A' } },
    ],
    throttled: [200, { Response: { Error: { Code: 'RequestLimitExceeded', Message: 'too fast' }, RequestId: 'A' } }],
    refused: [200, { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'no' }, RequestId: 'A' } }],
  },
  '/qiniu': {
    ok: [200, { message_id: '1160128769213259776' }],
    throttled: [429, { error: 'ErrTooFast', message: 'slow down' }],
    refused: [400, { error: 'BadRequest', message: 'template' }],
  },
  '/yunpian': {
    ok: [200, { code: 0, msg: '发送成功', count: 1, fee: 0.05, sid: 3310228982 }],
    throttled: [400, { http_status_code: 400, code: 33, msg: '超过频率', detail: '请稍后' }],
    refused: [400, { http_status_code: 400, code: 3, msg: '账户余额不足', detail: '账户需要充值，请充值后重试' }],
  },
  '/gateway': {
    ok: [200, { success: true, messageId: 'g-1' }],
    throttled: [503, { success: false, error: 'busy', temporary: true }],
    refused: [200, { success: false, error: 'no route' }],
  },
}

export interface Gateway {
  readonly arrived: Arrived[]
  /** Requests whose signature was wrong. */
  readonly forged: string[]
  /** How each path behaves from now on; `ok` where nothing is said. */
  manner(path: string, ...then: Manner[]): void
  address(path: string): string
  /** The services of a world, allowed to call this server. */
  reach(services: Services): Services
  close(): void
}

/** A real HTTP server that behaves like the five services: it checks signatures and answers as it was told to. */
export async function makeGateway(): Promise<Gateway> {
  const arrived: Arrived[] = []
  const forged: string[] = []
  const manners = new Map<string, Manner[]>()
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const url = new URL(request.url ?? '/', 'http://local')
    const one = { url, headers: request.headers, body }
    arrived.push(one)
    if (!signatures[url.pathname]?.(one)) {
      forged.push(url.pathname)
      response.writeHead(401).end('{}')
      return
    }
    const queue = manners.get(url.pathname) ?? []
    const manner = (queue.length > 1 ? queue.shift() : queue[0]) ?? 'ok'
    if (manner === 'cut') request.socket.destroy()
    else if (manner === 'slow') response.writeHead(200).write(' ')
    else {
      const [status, answer] = answers[url.pathname]?.[manner] ?? [500, { oops: true }]
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    }
  }
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    arrived,
    forged,
    manner: (path, ...then) => manners.set(path, then),
    address: (path) => `http://${host}${path}`,
    reach: (services) => ({ ...services, environment: { ...services.environment, outboundAllow: [host] } }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
