import pg from 'pg'
import { expect, it } from 'vitest'
import { callServer, logInTo, startServer, startTwo, stopServer } from './two-servers.ts'

/* Jobs and the clock where real servers start, stop and are killed. */

const rest = (ms: number) => new Promise((done) => setTimeout(done, ms))

it('ruling 23: what came due while no server ran is made up for once, though two processes start at the same time', async () => {
  const two = await startTwo()
  const started: Awaited<ReturnType<typeof startServer>>[] = []
  try {
    const { owner, place } = two
    const figure = async (text: string, values: unknown[] = []): Promise<number> =>
      Number((await owner.query<{ n: string }>(`select ${text} as n`, values)).rows[0]?.n)
    const sweep = `(select count(*) from pgboss.schedule where name = 'job-sweep')`
    while ((await figure(sweep)) === 0) await rest(50)
    await Promise.all(two.servers.map(stopServer))

    await owner.query(`delete from pgboss.job; delete from job where recurring`)
    // Nobody has looked at the clock for two days: 03:40 of Shanghai has passed at least once.
    await owner.query(`update pgboss.version set cron_on = now() - interval '2 days'`)
    await owner.query(`update pgboss.schedule set created_on = now() - interval '9 days'`)
    started.push(...(await Promise.all([startServer(...place), startServer(...place)])))

    const tickets = `(select count(*) from pgboss.job where name = 'job-sweep')`
    const runs = `(select coalesce(sum(tries), 0) from job where recurring and kind = 'job-sweep' and state = 'done')`
    while ((await figure(runs)) === 0) await rest(100)
    // The clock has been looked at again, and the queue by both.
    const looked = `(select extract(epoch from cron_on) from pgboss.version)`
    const before = await figure(looked)
    while ((await figure(looked)) === before) await rest(200)
    await rest(16_000)
    expect(await figure(tickets)).toBe(1)
    expect(await figure(runs)).toBe(1)
  } finally {
    await Promise.all(started.map(stopServer))
    await two.stop()
  }
}, 150_000)

it('ruling 23: a job whose process was killed is done once, by another process', async () => {
  const two = await startTwo()
  const [first, other] = two.servers
  const blocker = new pg.Client({ connectionString: two.place[0] })
  try {
    await stopServer(other)
    const { access_token: token } = await logInTo(two, first, '000000', 'admin')
    await blocker.connect()
    await blocker.query('begin; lock table region in access exclusive mode')
    const answer = await callServer<{ jobId: string }>(two, first, 'POST', 'blade-system/region/load-streets', token)
    expect(answer.status).toBe(200)
    const { jobId: id } = answer.data
    const row = async () =>
      (await two.owner.query('select state, tries, result, failure from job where id = $1', [id])).rows[0]
    while ((await row()).state !== 'running') await new Promise((done) => setTimeout(done, 20))
    first.process.kill('SIGKILL')
    await blocker.query('rollback')
    const third = await startServer(...two.place)
    try {
      while (['waiting', 'running'].includes((await row()).state)) await new Promise((done) => setTimeout(done, 100))
      const { result, ...ended } = await row()
      expect(ended).toEqual({ state: 'done', tries: 2, failure: null })
      expect(result.added).toBeGreaterThan(41_000)
      const streets = await two.owner.query('select count(*)::int as n from region where level = 4')
      expect(streets.rows[0].n).toBe(result.added)
    } finally {
      await stopServer(third)
    }
  } finally {
    await blocker.end()
    await two.stop()
  }
}, 240_000)
