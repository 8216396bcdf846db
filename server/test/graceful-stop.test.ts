import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { multipart } from './storage-parts.ts'
import { callServer, logInTo, type Server, startTwo, type TwoServers } from './two-servers.ts'

/** A server that is told to end, while others want something of it. */

const stopSeconds = 3
let two: TwoServers
let owner: pg.Client
let token: string

beforeAll(async () => {
  two = await startTwo({ STOP_SECONDS: String(stopSeconds), LOG_LEVEL: 'info' })
  owner = two.owner
  token = (await logInTo(two, two.servers[0], '000000', 'admin')).access_token
}, 60_000)
afterAll(() => two?.stop(), 60_000)

interface Slow {
  readonly request: ClientRequest
  readonly answer: Promise<{ status: number; connection: string | undefined; body: { data: { attachId: string } } }>
  finish(): void
}

/** An upload of which the first half is sent. */
function slowUpload(server: Server, agent: Agent, name: string): Slow {
  const body = multipart(name, Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(50_000), Buffer.from('\n%%EOF')]))
  const half = Math.floor(body.length / 2)
  const sent = request(`${server.url}/api/blade-resource/oss/endpoint/put-file-attach`, {
    method: 'POST',
    agent,
    headers: {
      'blade-auth': `bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(body.length),
    },
  })
  sent.write(body.subarray(0, half))
  const answer = once(sent, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response!.statusCode!,
    connection: response!.headers.connection,
    body: JSON.parse(await text(response!)) as { data: { attachId: string } },
  }))
  return { request: sent, answer, finish: () => sent.end(body.subarray(half)) }
}

/** What a server says from now on, and when it has gone. */
function watch({ process: child }: Server) {
  const lines: string[] = []
  child.stderr!.on('data', (bytes: Buffer) => lines.push(...String(bytes).split('\n').filter(Boolean)))
  const began = performance.now()
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, ms: performance.now() - began }))
  return { lines, ended, began }
}

describe('SIGTERM', () => {
  it('takes no more requests, finishes those in flight, closes what stays open, and writes its log', async () => {
    const [server] = two.servers
    const agent = new Agent({ keepAlive: true })
    const live = await fetch(`${server.url}/api/blade-desk/live?seconds=600`, {
      headers: { 'blade-auth': `bearer ${token}` },
    })
    expect(live.status).toBe(200)
    expect((await (await fetch(`${server.url}/readyz`)).json()) as object).toEqual({ status: 'ready' })
    const upload = slowUpload(server, agent, 'slow.pdf')
    // A request that waits for the database.
    await owner.query('begin')
    await owner.query('lock table post in share mode')
    const saving = callServer<{ id: string }>(two, server, 'POST', 'blade-system/post/submit', token, {
      body: { postCode: 'inflight', postName: '途中', category: '1', sort: 1 },
    })
    await sleep(300)
    const { lines, ended } = watch(server)
    server.process.kill('SIGTERM')
    await sleep(400)
    const refused = await fetch(`${server.url}/readyz`).then(
      (answer) => answer.status,
      (error: Error) => String((error.cause as { code?: string } | undefined)?.code),
    )
    expect([503, 'ECONNREFUSED']).toContain(refused)
    expect(server.process.exitCode).toBeNull()
    await owner.query('commit')
    upload.finish()
    const [saved, put] = [await saving, await upload.answer]
    expect([saved.status, put.status, put.connection]).toEqual([200, 200, 'close'])
    const channel = await live.text()
    expect(channel).toContain('event: ready')
    const { code, ms } = await ended
    expect(code).toBe(0)
    expect(ms).toBeLessThan(stopSeconds * 1000)
    agent.destroy()

    const kept = await owner.query(
      `select (select count(*) from post where post_code = 'inflight')::int as posts,
              (select count(*) from attach where id = $1)::int as files,
              (select count(*) from log_api where request_uri in ('/api/blade-system/post/submit', '/api/blade-resource/oss/endpoint/put-file-attach'))::int as logged`,
      [put.body.data.attachId],
    )
    expect(kept.rows[0]).toEqual({ posts: 1, files: 1, logged: 2 })
    const told = lines.map((line) => (JSON.parse(line) as { message: string }).message)
    expect([told[0], told.at(-1)]).toEqual(['stopping', 'stopped'])
  })

  it('cuts off after a while whoever sends nothing more, and leaves nothing of it', async () => {
    const [, server] = two.servers
    const agent = new Agent({ keepAlive: true })
    const upload = slowUpload(server, agent, 'never.pdf')
    const failed = upload.answer.then(
      () => 'answered',
      (error: Error & { code?: string }) => error.code,
    )
    await sleep(300)
    const { lines, ended } = watch(server)
    server.process.kill('SIGTERM')
    const { code, ms } = await ended
    expect(await failed).toBe('ECONNRESET')
    expect(code).toBe(0)
    expect(ms).toBeGreaterThan(stopSeconds * 1000 - 100)
    expect(ms).toBeLessThan(stopSeconds * 1000 + 3_000)
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toContain(
      'requests in flight were cut off',
    )
    const { rows } = await owner.query(
      `select (select count(*) from attach where original_name = 'never.pdf')::int as files, (select count(*) from attach_loose)::int as loose`,
    )
    expect(rows[0]).toEqual({ files: 0, loose: 0 })
    agent.destroy()
  })
})

describe('while it starts', () => {
  it('is alive and not ready', async () => {
    const { waitOnPort } = await import('../src/startup-responder.ts')
    const { createServer } = await import('node:net')
    const probe = createServer()
    await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
    const { port } = probe.address() as { port: number }
    await new Promise((done) => probe.close(done))
    const leave = await waitOnPort(port, '127.0.0.1')
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      return [answer.status, await answer.json()]
    }
    expect(await ask('/healthz')).toEqual([200, { status: 'alive' }])
    expect(await ask('/readyz')).toEqual([503, { status: 'starting' }])
    expect(await ask('/api/health')).toEqual([503, { status: 'starting' }])
    await leave()
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
    // A port that somebody has ends the start before it has touched anything.
    const held = createServer()
    await new Promise<void>((done) => held.listen(port, '127.0.0.1', done))
    await expect(waitOnPort(port, '127.0.0.1')).rejects.toThrow('EADDRINUSE')
    await new Promise((done) => held.close(done))
  })
})
