import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeApp } from '../src/app.ts'
import { guard, unguardFormula } from '../src/kernel/formula.ts'
import { refuseWeak } from '../src/modules/auth/index.ts'
import { wrongPath } from '../src/modules/system/path-rule.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* Requests as no browser sends them, over real sockets. */

let world: World
let admin: Person
let http: ReturnType<typeof makeApp>
let port = 0
const logged = vi.fn()
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  http = makeApp({ ...world.services, log: { ...world.services.log, error: logged } })
  port = Number(new URL(await http.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

interface Said {
  readonly socket: Socket
  readonly text: () => string
  readonly closed: Promise<void>
}

async function say(text: string): Promise<Said> {
  const socket = connect({ port, host: '127.0.0.1' })
  let told = ''
  socket.on('data', (part) => {
    told += String(part)
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await new Promise<void>((ready) => socket.once('connect', ready))
  socket.write(text)
  return { socket, text: () => told, closed }
}

describe('a request that can be read in two ways is refused, and its connection ended', () => {
  it.each([
    ['two hosts', 'GET /api/health HTTP/1.1\r\nHost: a\r\nhOsT: b\r\n\r\n'],
    ['pieces in HTTP/1.0', 'POST /api/health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      'pieces and a length',
      'POST /api/health HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['another host in its line', 'GET http://b/api/health HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
  ])('%s', async (_name, text) => {
    const { text: told, closed } = await say(text)
    await closed
    expect(told()).toMatch(/^HTTP\/1\.1 400 /)
    expect(told().match(/HTTP\/1\.1/g)).toHaveLength(1)
    if (told().includes('"code":400')) expect(told()).toMatch(/Cross-Origin-Resource-Policy: same-origin/i)
  })
})

describe('an upload that is refused midway', () => {
  it('is told why, and ends its connection at once', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.exe"\r\n\r\n'
    const { socket, text, closed } = await say(
      `POST /api/blade-resource/oss/endpoint/put-file HTTP/1.1\r\nHost: a\r\nBlade-Auth: bearer ${admin.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 40000000\r\n\r\n${head}`,
    )
    // It goes on sending, as browsers do, and never comes to an end.
    const sending = setInterval(() => socket.write('x'.repeat(10_000)), 10)
    const began = performance.now()
    await closed
    clearInterval(sending)
    expect(text()).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close[\s\S]*不支持这种文件/i)
    expect(performance.now() - began).toBeLessThan(5_000)
  }, 15_000)
})

describe('a body that breaks off', () => {
  it('is no error of the server', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'])
      for (const path of [
        'blade-resource/oss/endpoint/put-file',
        'blade-user/import/upload',
        'blade-user/school/submit',
      ]) {
        const { socket, closed } = await say(
          `POST /api/${path} HTTP/1.1\r\nHost: a\r\nBlade-Auth: bearer ${admin.token}\r\nContent-Type: ${type}\r\nContent-Length: 400\r\n\r\n` +
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4',
        )
        await new Promise((done) => setTimeout(done, 60))
        socket.destroy()
        await closed
      }
    // The next request is answered after what those left behind.
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
    expect(logged.mock.calls.map(([word, detail]) => [word, detail?.route, detail?.error?.slice(0, 80)])).toEqual([])
  })
})

it('answers of the API may be used by no other site, and say nobody’s address', async () => {
  for (const path of ['/api/health', '/api/blade-user/school/list', '/api/nope']) {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    expect([headers.get('cross-origin-resource-policy'), headers.get('referrer-policy')], path).toEqual([
      'same-origin',
      'no-referrer',
    ])
  }
})

it('the description of the calls is made once, packed, and not sent again', async () => {
  const ask = (had?: string) =>
    fetch(`http://127.0.0.1:${port}/api/openapi.json`, {
      headers: { 'accept-encoding': 'br', ...(had ? { 'if-none-match': had } : {}) },
    })
  // Processor time of this process: what else the machine does is not counted.
  const spent = (since?: NodeJS.CpuUsage): number => {
    const { user, system } = process.cpuUsage(since)
    return user + system
  }
  const before = process.cpuUsage()
  const first = await ask()
  const description = (await first.json()) as { openapi: string }
  expect([description.openapi, first.headers.get('content-encoding')]).toEqual(['3.1.0', 'br'])
  const making = spent(before)
  const began = process.cpuUsage()
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(first.headers.get('etag')!)))
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([304])
  // Made anew each time, 200 of them would take 200 times as long.
  expect(spent(began) / making).toBeLessThan(40)
})

it('a path that becomes another host is none of a menu', () => {
  const wrong = [
    '//evil.cn',
    '/\\evil.cn',
    '/.//evil.cn',
    '/a/..//evil.cn',
    '/%2e//evil.cn',
    '/..',
    '/a/./b',
    '/\u0001/x',
  ]
  expect(wrong.filter((path) => wrongPath(path) === null)).toEqual([])
  const right = ['/', '/school/list', '/a/b?x=//y#/../z', '/学校', '/a.b/.well-known/x', 'https://a.cn/x', '/a/']
  expect(right.filter((path) => wrongPath(path) !== null)).toEqual([])
})

it('full-width signs at the beginning of a cell are guarded as plain ones are, and come back as they were', () => {
  for (const text of ['=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)', '\n=1'])
    expect([guard(text), unguardFormula(guard(text))]).toEqual([`'${text}`, text])
  for (const text of ['王小明', '1=1', "'tis"]) expect(guard(text)).toBe(text)
})

it('32 hex digits that are no digest are no password', async () => {
  const own = { account: 'wang', tenantId: '000000' }
  for (const md5 of ['0'.repeat(32), '12345678'.repeat(4), '12345678901234567890123456789012', 'abab'.repeat(8)])
    await expect(refuseWeak(md5, own), md5).rejects.toMatchObject({ problem: 'password_weak' })
  await refuseWeak('0f1e2d3c4b5a69788796a5b4c3d2e1f0', own)
})
