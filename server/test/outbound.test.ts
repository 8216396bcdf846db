import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, readEnvironment } from '../src/environment.ts'
import {
  fetchOutbound,
  isOpenAddress,
  OutboundError,
  type OutboundInit,
  outboundAgents,
} from '../src/kernel/outbound.ts'

/** A server that no caller should reach: it counts who does. */
let canary: Server
let port = 0
const seen: string[] = []

beforeAll(async () => {
  canary = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (request.url === '/away') response.writeHead(302, { Location: `http://127.0.0.1:${port}/secret` }).end()
    else if (request.url === '/slow') response.write('x')
    else if (request.url === '/long') response.end(Buffer.alloc(5_000))
    else if (request.url === '/cut') {
      response.writeHead(200, { 'Content-Length': '10' }).write('x')
      setTimeout(() => response.destroy(), 20)
    } else request.pipe(response.writeHead(201, { 'X-Said': 'yes' }))
  })
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done))
  port = (canary.address() as AddressInfo).port
})
afterAll(() => {
  canary.closeAllConnections()
  canary.close()
})

const under = (allow: string): { environment: Environment } => ({
  environment: readEnvironment({ OUTBOUND_ALLOW: allow }),
})
const faultOf = async (allow: string, url: string, init?: OutboundInit): Promise<string> => {
  try {
    return String((await fetchOutbound(under(allow), url, init)).status)
  } catch (error) {
    return error instanceof OutboundError ? error.fault : String(error)
  }
}

describe('calls to other hosts', () => {
  it('reach nothing inside, however its address is written', async () => {
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://[::ffff:7f00:1]:${port}/`,
      `http://0.0.0.0:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'https://192.168.1.1/',
    ])
      expect([url, await faultOf('', url)]).toEqual([url, 'refused'])
    expect(seen).toEqual([])
  })

  it('take no address but http and https without a password', async () => {
    for (const url of ['ftp://a.example/', 'file:///etc/passwd', 'x', `http://a:b@127.0.0.1:${port}/`])
      expect([url, await faultOf(`127.0.0.1:${port}`, url)]).toEqual([url, 'address'])
  })

  it('reach what the operator names: that host and port, by that name', async () => {
    const answer = await fetchOutbound(under(`127.0.0.1:${port}`), `http://127.0.0.1:${port}/in`, {
      method: 'POST',
      body: '你好',
      headers: { 'X-A': 'b' },
    })
    expect([answer.status, answer.headers['x-said'], answer.bytes.toString()]).toEqual([201, 'yes', '你好'])
    expect(await faultOf('LOCALHOST', `http://localhost:${port}/`)).toBe('201')
    const before = seen.length
    expect(await faultOf(`127.0.0.1:${port + 1}`, `http://127.0.0.1:${port}/`)).toBe('refused')
    expect(await faultOf(`127.0.0.1:${port}`, `http://localhost:${port}/`)).toBe('refused')
    expect(seen.length).toBe(before)
    expect(() => readEnvironment({ OUTBOUND_ALLOW: 'http://a' })).toThrow('OUTBOUND_ALLOW')
  })

  it('follow no redirect, wait ten seconds at most and read a bounded answer', async () => {
    const allow = `127.0.0.1:${port}`
    seen.length = 0
    expect(await faultOf(allow, `http://127.0.0.1:${port}/away`)).toBe('302')
    expect(seen).toEqual(['GET /away'])
    expect(await faultOf(allow, `http://127.0.0.1:${port}/slow`, { timeout: 150 })).toBe('timeout')
    expect(await faultOf(allow, `http://127.0.0.1:${port}/long`, { limit: 4_999 })).toBe('too_large')
    expect(await faultOf(allow, `http://127.0.0.1:${port}/long`, { limit: 5_000 })).toBe('200')
    expect(await faultOf(allow, `http://127.0.0.1:${port}/cut`)).toBe('unreachable')
    expect(await faultOf('127.0.0.1', 'http://127.0.0.1:1/')).toBe('unreachable')
  })

  it('of a library that has its own client go through the same gate', async () => {
    seen.length = 0
    const agents = outboundAgents(under(''))
    for (const host of ['127.0.0.1', 'localhost'])
      await expect(
        new Promise((answer, fail) => {
          import('node:http').then(({ get }) => get({ host, port, agent: agents.httpAgent }, answer).on('error', fail))
        }),
      ).rejects.toMatchObject({ fault: 'refused' })
    expect(seen).toEqual([])
  })
})

describe('addresses of the open internet', () => {
  it.each(['8.8.8.8', '223.5.5.5', '2400:3200::1', '::ffff:8.8.8.8', '172.32.0.1', '100.128.0.1'])(
    'are %s',
    (address) => {
      expect(isOpenAddress(address)).toBe(true)
    },
  )
  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    'localhost',
    '',
  ])('are not %s', (address) => {
    expect(isOpenAddress(address)).toBe(false)
  })
})
