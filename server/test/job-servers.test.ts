import pg from 'pg'
import { it } from 'vitest'
import { callServer, logInTo, startServer, startTwo, stopServer } from './two-servers.ts'

/* Jobs and the clock where real servers start, stop and are killed: each on a database of its own, and mostly waiting. */

const rest = (ms: number) => new Promise((done) => setTimeout(done, ms))

it.concurrent('ruling 23: what came due while no server ran is made up for once, though two processes start at the same time', async ({
  expect,
}) => {
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

it.concurrent('what comes round by the clock comes round again after the clock went back two hours', async ({
  expect,
}) => {
  const two = await startTwo()
  const started: Awaited<ReturnType<typeof startServer>>[] = []
  try {
    const { owner, place } = two
    const seals = async (): Promise<number> =>
      Number(
        (await owner.query(`select count(*) as n from pgboss.job where name = 'history-seal' and state = 'completed'`))
          .rows[0].n,
      )
    const ticket = async (): Promise<{ state: string } | undefined> =>
      (await owner.query(`select state from pgboss.job where id = '00000000-0000-4000-8000-000000000001'`)).rows[0]
    while ((await seals()) === 0) await rest(100)
    await Promise.all(two.servers.map(stopServer))
    // All that the queue has written down, as a clock two hours ahead would have; one ticket waits.
    await owner.query(`update pgboss.version set cron_on = cron_on + interval '2 hours'`)
    await owner.query(`update pgboss.queue set monitor_on = monitor_on + interval '2 hours',
      monitor_claim_on = monitor_claim_on + interval '2 hours'`)
    await owner.query(`update pgboss.job set state = 'cancelled' where state < 'completed'`)
    await owner.query(`update pgboss.job set singleton_on = null,
      created_on = created_on + interval '2 hours', completed_on = completed_on + interval '2 hours'`)
    // The minutes to come were there already.
    await owner.query(`insert into pgboss.job (name, singleton_key, singleton_on, state, created_on, completed_on)
      select '__pgboss__send-it', 'history-seal__', date_trunc('minute', now() at time zone 'UTC') + n * interval '1 minute',
        'completed', now() + n * interval '1 minute', now() + n * interval '1 minute'
      from generate_series(1, 120) n`)
    await owner.query(`insert into pgboss.job (id, name, policy, start_after, created_on)
      values ('00000000-0000-4000-8000-000000000001', 'notices', 'standard', now() + interval '2 hours', now() + interval '2 hours')`)
    const before = await seals()
    started.push(await startServer(...place))
    while ((await ticket())?.state !== 'completed') await rest(200)
    while ((await seals()) === before) await rest(200)
    const { rows } = await owner.query(`select cron_on <= now() as past from pgboss.version`)
    expect(rows).toEqual([{ past: true }])
  } finally {
    await Promise.all(started.map(stopServer))
    await two.stop()
  }
}, 200_000)

it.concurrent('ruling 23: a job whose process was killed is done once, by another process', async ({ expect }) => {
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
