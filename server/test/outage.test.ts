import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { personOf } from './own-server.ts'
import { freshDatabase, type Server, startServer, stopServer } from './two-servers.ts'
import { Wire } from './wire.ts'
import { jobEnded, type Person } from './world.ts'

type Fresh = Awaited<ReturnType<typeof freshDatabase>>

let database: Fresh
let wire: Wire
let server: Server
let admin: Person
/** What the server has said of itself since it started. */
let said = ''

beforeAll(async () => {
  database = await freshDatabase()
  wire = new Wire(database.url)
  await wire.mend()
  server = await startServer(wire.through(database.url), inject('database').keys)
  for (const stream of [server.process.stdout!, server.process.stderr!])
    stream.on('data', (bytes) => {
      said += String(bytes)
      if (process.env.SHOW) console.error(String(bytes).slice(0, 1500))
    })
  admin = await personOf(() => server, inject('database').keys)
}, 120_000)
afterAll(async () => {
  await wire.mend()
  await stopServer(server)
  await wire.refuse()
  await database.drop()
})

interface Told {
  readonly status: number | 'none'
  readonly seconds: number
  readonly after: string | null
}
/** One call, and how long it took. */
async function ask(path = 'api/blade-user/list?size=200'): Promise<Told> {
  const begin = performance.now()
  const headers = { 'blade-auth': `bearer ${admin.token}` }
  const answer = await fetch(`${server.url}/${path}`, { headers }).catch(() => null)
  const seconds = (performance.now() - begin) / 1_000
  return { status: answer?.status ?? 'none', seconds, after: answer?.headers.get('retry-after') ?? null }
}
/** Asks without a pause from several sides until it is over. */
function keepAsking(sides: number): { stop(): Promise<readonly Told[]> } {
  const told: Told[] = []
  let isOver = false
  const asking = Array.from({ length: sides }, async () => {
    while (!isOver) {
      const answer = await ask()
      told.push(answer)
      // Whoever is refused does not ask faster than others are served.
      if (answer.status !== 200) await sleep(20)
    }
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(asking)
      return told
    },
  }
}
const back = (): Promise<void> => expect.poll(async () => (await ask()).status, { timeout: 20_000 }).toBe(200)
const alive = async (): Promise<void> => {
  expect(await fetch(`${server.url}/healthz`).then(({ status }) => status)).toBe(200)
  expect(server.process.exitCode).toBeNull()
}

describe('R-PROD-4 the server outlives its database', () => {
  it('answers 503 where connections are cut under requests, again and again, and goes on', {
    timeout: 180_000,
  }, async () => {
    const asking = keepAsking(12)
    let cut = 0
    for (let round = 0; round < 60; round += 1) {
      cut += wire.cut()
      await sleep(30)
    }
    const told = await asking.stop()
    expect(cut).toBeGreaterThan(60)
    expect(told.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(told.some(({ status }) => status === 503)).toBe(true)
    await back()
    await alive()
  })

  it('answers 503 and when to come back while the database is away, says so of itself, and serves as soon as it is there', {
    timeout: 90_000,
  }, async () => {
    for (let round = 0; round < 3; round += 1) {
      const asking = keepAsking(8)
      await wire.refuse()
      await expect.poll(async () => (await ask('readyz')).status, { timeout: 10_000 }).toBe(503)
      await alive()
      const away = await ask()
      expect([away.status, away.after]).toEqual([503, '2'])
      await sleep(3_000)
      await wire.mend()
      await back()
      const told = await asking.stop()
      expect(told.filter(({ status, after }) => status !== 200 && !(status === 503 && after === '2'))).toEqual([])
      await expect.poll(async () => (await ask('readyz')).status, { timeout: 10_000 }).toBe(200)
    }
    await alive()
  })

  it('ISSUE-13-D16 holds no call longer than five seconds where the network swallows what is sent, and throws the connections away', {
    timeout: 120_000,
  }, async () => {
    // Connections that wait for the next request are the ones that are lost without a word.
    await Promise.all(Array.from({ length: 8 }, () => ask()))
    wire.swallow()
    const lost = await Promise.all(Array.from({ length: 8 }, () => ask()))
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Math.max(...lost.map(({ seconds }) => seconds))).toBeLessThan(5)
    // More than there are connections: some wait for one, and none waits for its answer besides.
    const more = await Promise.all(Array.from({ length: 40 }, () => ask()))
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Math.max(...more.map(({ seconds }) => seconds))).toBeLessThan(5)
    await alive()
    await wire.mend()
    await back()
    // None of the connections that are used from now on is one that was lost.
    expect((await Promise.all(Array.from({ length: 12 }, () => ask()))).map(({ status }) => status)).toEqual(
      Array.from({ length: 12 }, () => 200),
    )
  })

  it('says that it does not know whether a change is kept, where the connection is lost during the commit', {
    timeout: 180_000,
  }, async () => {
    wire.cutAt('lost-line', 'commit')
    const draft = { postName: '断线岗', postCode: 'lost-line', category: 1, sort: 1 }
    const done = await admin.post('blade-system/post/submit', draft, { fails: true })
    expect([done.status, done.msg]).toEqual([
      503,
      '保存时连接中断，不能确定是否已保存：请刷新后核对，再决定是否重新提交',
    ])
    // It was kept, this time.
    const { rows } = await database.owner.query(`select 1 from post where post_code = 'lost-line'`)
    expect(rows).toHaveLength(1)
    expect((await admin.post('blade-system/post/submit', draft)).status).toBe(409)
  })

  it('works, hears and writes its log again when all is over', { timeout: 180_000 }, async () => {
    const job = await jobEnded(admin, await admin.post<{ jobId: string }>('blade-user/export-job', {}))
    expect(job.state).toBe('done')
    expect(said).not.toContain('nobody caught an error')
  })
})
