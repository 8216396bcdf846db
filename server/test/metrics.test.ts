import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp } from '../src/app.ts'
import { makePool } from '../src/database/connect.ts'
import { readEnvironment } from '../src/environment.ts'
import { makeLog } from '../src/kernel/log.ts'
import { setPhase } from '../src/kernel/phase.ts'
import { problemOf } from '../src/kernel/problem-of.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const ask = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1', fails = false) =>
  world.http.inject({ method: 'GET', url, headers, remoteAddress, fails })

describe('health', () => {
  it('says that it is alive without asking the database, and ready only while it is', async () => {
    expect((await ask('/healthz')).json()).toEqual({ status: 'alive' })
    const told: unknown[] = []
    for (const phase of ['starting', 'ready', 'stopping'] as const) {
      setPhase(world.services, phase)
      const answer = await ask('/readyz', {}, undefined, true)
      told.push([answer.statusCode, answer.json()])
    }
    expect(told).toEqual([
      [503, { status: 'starting' }],
      [200, { status: 'ready' }],
      [503, { status: 'stopping' }],
    ])
  })

  it('is alive and not ready without room on its disks, which a call that meets it says in words', async () => {
    const environment = { ...world.services.environment, diskReserve: 2 ** 60 }
    const services = { ...world.services, environment }
    const http = makeApp(services)
    setPhase(services, 'ready')
    try {
      expect((await http.inject('/healthz')).statusCode).toBe(200)
      const answer = await http.inject('/readyz')
      expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'disk' }])
    } finally {
      await http.close()
    }
    const circumstance = { requestId: 'x', language: 'en', address: '127.0.0.1', agent: '' } as const
    for (const code of ['ENOSPC', 'EDQUOT', '53100']) {
      const problem = problemOf(Object.assign(new Error('full'), { code }), circumstance)
      expect([problem.status, problem.words('en')]).toEqual([
        507,
        expect.stringContaining('the disk of the server is full'),
      ])
    }
  })

  it('is alive and not ready without its database', async () => {
    const pool = makePool('postgres://nobody@127.0.0.1:9/none', { size: 2 })
    const services = { ...world.services, pool, platform: pool }
    const http = makeApp(services)
    setPhase(services, 'ready')
    try {
      expect((await http.inject('/healthz')).statusCode).toBe(200)
      const answer = await http.inject('/readyz')
      expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'database' }])
    } finally {
      await http.close()
      await pool.end()
    }
  })
})

describe('metrics', () => {
  const lines = async (): Promise<string[]> => (await ask('/metrics')).payload.split('\n')

  it('tell requests by the pattern of their route and never by what was asked for', async () => {
    const admin = await world.tenant()
    await lines()
    await admin.get('blade-user/student/list', { keyword: 'wangxiaoming' })
    await admin.get('blade-user/student/detail', { id: '1234567890123456' })
    await ask('/student/asked-of-nobody?secret=1')
    await ask('/api/no-such-call/asked-in-vain')
    const found = await lines()
    const counts = found.filter((line) => line.startsWith('http_request_duration_seconds_count'))
    expect(counts).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/blade-user/student/list",status="200"} 1',
    )
    expect(counts.some((line) => line.includes('student/detail",status="404"} 1'))).toBe(true)
    // Names and labels, not the figures behind them: a figure may hold any digits by chance.
    const told = found.map((line) => line.replace(/ \S+$/, '')).join('\n')
    expect(told).toContain('route="/api/blade-user/student/detail"')
    expect(told).not.toMatch(/wangxiaoming|1234567890123456|asked-of-nobody|asked-in-vain|secret/)
  })

  it('tell of connections, the log, live push, the event loop and memory', async () => {
    const found = await lines()
    for (const start of [
      'data_brain_pool_connections{pool="app",state="idle"} ',
      'data_brain_pool_connections{pool="platform",state="waiting"} 0',
      'data_brain_pool_limit{pool="app"} 8',
      'data_brain_log_rows_waiting ',
      'data_brain_log_rows_total{result="dropped"} 0',
      'data_brain_live_channels 0',
      'data_brain_live_listening 1',
      'data_brain_jobs_running 0',
      'nodejs_eventloop_lag_p99_seconds ',
      'process_resident_memory_bytes ',
    ])
      expect(
        found.some((line) => line.startsWith(start)),
        start,
      ).toBe(true)
  })

  it('count what the log has lost', async () => {
    const { logsOf } = await import('../src/modules/log/index.ts')
    logsOf(world.services).drop('000000', 3)
    expect(await lines()).toContain('data_brain_log_rows_total{result="dropped"} 3')
  })

  it('are for this machine alone, through no proxy', async () => {
    expect((await ask('/metrics')).statusCode).toBe(200)
    expect((await ask('/metrics', {}, '::1')).statusCode).toBe(200)
    for (const [headers, address] of [
      [{}, '10.0.0.7'],
      [{}, '203.0.113.9'],
      [{ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
      [{ forwarded: 'for=127.0.0.1' }, '127.0.0.1'],
      [{ 'x-real-ip': '203.0.113.9' }, '::ffff:127.0.0.1'],
    ] as const) {
      const refused = await ask('/metrics', headers as unknown as Record<string, string>, address)
      expect([refused.statusCode, refused.payload.includes('process_')]).toEqual([403, false])
    }
  })

  it('are for whoever brings the token, where there is one', async () => {
    const metricsToken = 'a-token-of-the-operator'
    const services = { ...world.services, environment: { ...world.services.environment, metricsToken } }
    const http = makeApp(services)
    try {
      const status = async (authorization: string | undefined, remoteAddress: string): Promise<number> =>
        (await http.inject({ url: '/metrics', remoteAddress, headers: authorization ? { authorization } : {} }))
          .statusCode
      expect(await status(`Bearer ${metricsToken}`, '10.0.0.7')).toBe(200)
      expect(await status(`Bearer ${metricsToken}x`, '10.0.0.7')).toBe(401)
      expect(await status(undefined, '127.0.0.1')).toBe(401)
    } finally {
      await http.close()
    }
  })
})

describe('the process log', () => {
  const written = (work: () => void): Record<string, unknown>[] => {
    const { write } = process.stderr
    const texts: string[] = []
    process.stderr.write = ((text: string) => texts.push(text) > 0) as typeof write
    try {
      work()
    } finally {
      process.stderr.write = write
    }
    return texts.map((text) => JSON.parse(text) as Record<string, unknown>)
  }

  it('is one JSON object a line, from the level on that was asked for', () => {
    const lines = written(() => {
      const log = makeLog('warn')
      log.info('one')
      log.warn('two\nlines', { requestId: 'r1', message: 'mine', level: 'info' })
      log.error('three', { id: 7n })
      makeLog('silent').error('four')
    })
    expect(lines).toMatchObject([
      { level: 'warn', message: 'two\nlines', requestId: 'r1', pid: process.pid },
      { level: 'error', message: 'three', id: '7' },
    ])
    expect(lines.every((line) => !Number.isNaN(Date.parse(String(line.time))))).toBe(true)
  })

  it('R-LOG-1 holds no number and no secret out of the words of an error, and never throws', () => {
    const round: Record<string, unknown> = {}
    round.self = round
    const [told, unwritable] = written(() => {
      const log = makeLog('info')
      log.error('bug', {
        error: 'invalid input syntax for type bigint: "13812345678" at postgres://app:hunter2hunter2@db/x',
        head: 'a'.repeat(64),
      })
      log.error('odd', { round })
    })
    expect(told!.error).not.toMatch(/13812345678|hunter2/)
    expect(told!.head).toBe('a'.repeat(64))
    expect(unwritable).toMatchObject({ level: 'error', message: 'odd' })
  })

  it('refuses a level that it does not know', () => {
    expect(() => readEnvironment({ LOG_LEVEL: 'debug' })).toThrow(/LOG_LEVEL must be one of/)
    expect(() => readEnvironment({ METRICS_TOKEN: 'short' })).toThrow(/METRICS_TOKEN/)
  })
})
