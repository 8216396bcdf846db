import { type LookupAddress, lookup as resolve } from 'node:dns'
import type http from 'node:http'
import type https from 'node:https'
import { BlockList, isIP, type LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Words } from '@data-brain/contract'
import { nodeHttp, nodeHttps } from './lazy-import.ts'
import type { Services } from './services.ts'

/*
 * The one gate for calls to other hosts. What a tenant enters as an address must not lead into the operator's own
 * network, so an address is judged after its name was resolved, at the moment of connecting, and the connection goes to
 * the very address that was judged. A host of the operator's own network is reached when OUTBOUND_ALLOW names it.
 */

type Allowing = Pick<Services, 'environment'>

/** Why a call to another host did not succeed. Only `unreachable` and `timeout` may pass when tried again. */
export type OutboundFault = 'address' | 'refused' | 'unreachable' | 'timeout' | 'too_large'

/** A call to another host that came to nothing, in words for whoever entered the address. */
export class OutboundError extends Error {
  readonly fault: OutboundFault
  readonly words: Words
  constructor(fault: OutboundFault, words: Words) {
    super(words.en)
    this.name = 'OutboundError'
    this.fault = fault
    this.words = words
  }
}

const v4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
// What wraps an IPv4 address (6to4, Teredo, translation) is closed as a whole; mapped ones are judged as IPv4 below.
const v6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const closed = new BlockList()
for (const [net, bits] of v4) closed.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of v6) closed.addSubnet(net, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const mapped6 = new BlockList()
mapped6.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Whether an address is one of the open internet: not private, loopback, link-local or set apart otherwise. */
export function isOpenAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  if (mapped6.check(address, 'ipv6')) return !closed.check(address, 'ipv6')
  return global6.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

/** Whether the operator lets this host be called wherever it lies: `host` stands for all its ports. */
export function isAllowedHost({ environment }: Allowing, host: string, port: number): boolean {
  const name = bare(host)
  const literal = isIP(name) === 6 ? `[${name}]` : name
  return environment.outboundAllow.some((entry) => entry === literal || entry === `${literal}:${port}`)
}

const refused = (host: string): OutboundError =>
  new OutboundError('refused', {
    zh: `不允许访问 ${host}：它在内部网络中。如确需访问，请运维人员把它加入环境变量 OUTBOUND_ALLOW`,
    en: `${host} may not be called: it lies in an internal network. If it must be, the operator adds it to OUTBOUND_ALLOW`,
  })

/** Resolves a name and hands on its addresses only when each of them may be called. */
function judgedLookup(services: Allowing, port: number): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const pass = done as (error: Error | null, address: string | LookupAddress[], family?: number) => void
      if (error) return pass(error, options.all ? [] : '')
      if (found.length === 0) return pass(new Error(`no address for ${host}`), options.all ? [] : '')
      if (!isAllowedHost(services, host, port) && !found.every(({ address }) => isOpenAddress(address)))
        return pass(refused(host), options.all ? [] : '')
      return options.all ? pass(null, found) : pass(null, found[0]!.address, found[0]!.family)
    })
  }
}

type Created = (error: Error | null, stream: Duplex) => void
interface Target {
  readonly host?: string | null
  readonly port?: number | string | null
}

/** Makes an agent judge each address it is about to connect to. A literal one meets no look-up, so it is judged here. */
function guard<A extends http.Agent>(agent: A, services: Allowing, fallbackPort: number): A {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, created) => {
    const { host, port: given } = options as Target
    const port = Number(given ?? fallbackPort)
    const name = bare(host ?? '')
    if (isIP(name) && !isOpenAddress(name) && !isAllowedHost(services, name, port)) {
      process.nextTick(() => (created as Created | undefined)?.(refused(name), undefined as unknown as Duplex))
      return undefined
    }
    return connect({ ...options, lookup: judgedLookup(services, port) } as typeof options, created)
  }
  return agent
}

export interface Agents {
  readonly httpAgent: http.Agent
  readonly httpsAgent: https.Agent
}

/** Agents for a client library that makes its own calls: nothing they connect to escapes the gate. Destroy them after. */
export const outboundAgents = (services: Allowing, options: http.AgentOptions = {}): Agents => ({
  httpAgent: guard(new (nodeHttp().Agent)(options), services, 80),
  httpsAgent: guard(new (nodeHttps().Agent)(options), services, 443),
})

/**
 * A socket for a client library that speaks another protocol than HTTP: its `connect(port, host)` resolves the name once,
 * judges each address, and goes to none that was not judged. What is refused comes as the socket's error.
 */
export function guardedSocket(services: Allowing): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  const guarded = (port: number, host: string): Socket => {
    const name = bare(host)
    if (isIP(name) && !isOpenAddress(name) && !isAllowedHost(services, name, port)) {
      process.nextTick(() => socket.destroy(refused(name)))
      return socket
    }
    return connect({ host: name, port, lookup: judgedLookup(services, port) })
  }
  socket.connect = guarded as typeof socket.connect
  return socket
}

/** The address of a call, when it is one that can be called: http or https, and no password in it. */
export function outboundAddress(url: string | URL): URL {
  const address = URL.parse(String(url))
  if (!address || !/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '')
    throw new OutboundError('address', {
      zh: '地址须以 http:// 或 https:// 开头，且不含用户名和密码',
      en: 'The address must begin with http:// or https:// and hold no user or password',
    })
  return address
}

export interface OutboundInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds from the beginning to the last byte; 10 s where not given. */
  readonly timeout?: number
  /** Most bytes of an answer; 1 MB where not given. */
  readonly limit?: number
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Buffer
}

/** What went wrong on the way to a host, in words. Errors of the gate itself stay as they are. */
export function outboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ABORT_ERR' || code === 'ETIMEDOUT' || code === 'ERR_CANCELED')
    return new OutboundError('timeout', { zh: `${host} 没有按时回答`, en: `${host} did not answer in time` })
  const why = code ?? message
  return new OutboundError('unreachable', { zh: `无法连接 ${host}(${why})`, en: `${host} cannot be reached (${why})` })
}

/**
 * Calls another host: at most ten seconds and a bounded answer, no redirect followed (a 3xx is answered as it is).
 * Throws an OutboundError where no answer came; any status that came is an answer.
 */
export function fetchOutbound(services: Allowing, url: string | URL, init: OutboundInit = {}): Promise<OutboundAnswer> {
  const { method = 'GET', headers = {}, body, timeout = 10_000, limit = 1_048_576 } = init
  return new Promise((answer, fail) => {
    const address = outboundAddress(url)
    const { httpAgent, httpsAgent } = outboundAgents(services)
    const secure = address.protocol === 'https:'
    const agent = secure ? httpsAgent : httpAgent
    const bytes = body === undefined ? undefined : Buffer.from(body as string)
    // The signal stands over the whole call: a host that answers one byte at a time is cut off as well.
    const clock = AbortSignal.timeout(timeout)
    const failed = (error: unknown): void => {
      agent.destroy()
      fail(clock.aborted ? outboundError({ code: 'ETIMEDOUT' }, address.host) : outboundError(error, address.host))
    }
    const request = (secure ? nodeHttps() : nodeHttp()).request(
      address,
      {
        method,
        agent,
        signal: clock,
        headers: { ...headers, ...(bytes ? { 'Content-Length': String(bytes.length) } : {}) },
      },
      (response) => {
        const parts: Buffer[] = []
        let size = 0
        response.on('error', failed)
        response.on('data', (part: Buffer) => {
          size += part.length
          parts.push(part)
          if (size > limit)
            response.destroy(
              new OutboundError('too_large', {
                zh: `${address.host} 的回答太长`,
                en: `The answer of ${address.host} is too long`,
              }),
            )
        })
        response.on('end', () => {
          if (!response.complete) return failed(new Error('cut off'))
          agent.destroy()
          answer({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) })
        })
      },
    )
    request.on('error', failed)
    request.end(bytes)
  })
}
