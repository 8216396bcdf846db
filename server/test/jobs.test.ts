import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePool } from '../src/database/connect.ts'
import { newId } from '../src/database/id.ts'
import { sql } from '../src/database/statement.ts'
import type { Tx } from '../src/database/transaction.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { loadActor } from '../src/kernel/load-actor.ts'
import type { Services } from '../src/kernel/services.ts'
import { notices } from '../src/modules/desk/index.ts'
import {
  addWork,
  type RecurringWork,
  startJob,
  startJobs,
  stopJobs,
  tickAt,
  type WorkContext,
} from '../src/modules/jobs/index.ts'
import { type JobView, jobEnded, jobsEnded, makeWorld, type Person, type World } from './world.ts'

/* Work of the tests' own, as modules add theirs; what it does is told by each test. */

type Deed = (context: WorkContext) => Promise<Record<string, unknown> | undefined>
const deeds = new Map<string, Deed>()
const runs: string[] = []
const deed: Deed = async (context) => {
  runs.push(context.job.id)
  return deeds.get(context.job.subject ?? '')?.(context)
}
const tried = { code: 'param_edit', run: deed }
addWork({ kind: 'test-again', queue: 'test-again', atOnce: 3, again: true, ...tried })
addWork({ kind: 'test-once', queue: 'test-once', atOnce: 1, ...tried })

const ticks: (string | undefined)[] = []
const clock: RecurringWork = {
  name: 'test-clock',
  cron: '0 0 1 1 *',
  lookSeconds: 1,
  run: async (_services, { tenantId }) => {
    ticks.push(tenantId)
    return undefined
  },
}

let world: World
/** A second process's part of the work, on the same database. */
let second: Services
beforeAll(async () => {
  world = await makeWorld()
  await stopJobs(world.services)
  second = { ...world.services, pool: makePool(world.asApp, { size: 4 }) }
  await startJobs(world.services, world.asApp, [clock, notices])
})
afterAll(async () => {
  await stopJobs(second)
  await second.pool.end()
  await world.close()
})

/** Asks for work as a call of the person would, in the transaction. */
async function ask(tx: Tx, person: Person, kind: string, subject: string): Promise<string> {
  const actor = (await loadActor(tx, person.tenantId, person.userId, { sessionId: null }))!
  return startJob(
    {
      services: world.services,
      tx,
      actor,
      circumstance: { requestId: newId(), language: 'zh', address: '', agent: '' },
    },
    kind,
    { subject },
  )
}
const asked = (person: Person, kind: string, subject: string): Promise<string> =>
  world.inTenant(person.tenantId, (tx) => ask(tx, person, kind, subject))
const ended = (person: Person, jobId: string): Promise<JobView> =>
  jobEnded(person, { data: { jobId } } as Parameters<typeof jobEnded>[1])
const begun = async (id: string): Promise<void> => {
  while (!runs.includes(id)) await new Promise((done) => setTimeout(done, 5))
}
const retry = (person: Person, id: string) => person.post('blade-system/job/retry', undefined, { query: { id } })
/** Work that goes on until it is told to end. */
const endless: Deed = async ({ progress }) => {
  for (let done = 1; ; done += 1) {
    await new Promise((next) => setTimeout(next, 5))
    await progress(done, 1_000)
  }
}

describe('ruling 23: a job', () => {
  it('is there, and is begun, if and only if the transaction that asked for it is kept', async () => {
    const admin = await world.tenant()
    let lost = ''
    const asking = world.inTenant(admin.tenantId, async (tx) => {
      lost = await ask(tx, admin, 'test-again', 'lost')
      throw new Error('the request failed')
    })
    await expect(asking).rejects.toThrow('the request failed')
    const kept = await asked(admin, 'test-again', 'kept')
    expect(await ended(admin, kept)).toMatchObject({ state: 'done', tries: 1, subject: 'kept' })
    expect((await admin.get('blade-system/job/own', { id: lost })).status).toBe(404)
    const tickets = await world.owner.query(`select data->>'jobId' as id from pgboss.job where name = 'test-again'`)
    expect(tickets.rows).toEqual([{ id: kept }])
    expect(runs).not.toContain(lost)
  })

  it('carries nothing in the queue but a tenant and an id', async () => {
    // The clock's own tickets name a queue and a minute.
    const { rows } = await world.owner.query<{ keys: string[] }>(
      `select distinct array(select jsonb_object_keys(data) order by 1) as keys from pgboss.job where data is not null and name not like '\\_\\_pgboss%'`,
    )
    expect(rows).toEqual([{ keys: ['jobId', 'tenantId'] }])
  })

  it('begins within 200 ms of the click', async () => {
    const admin = await world.tenant()
    const waits: number[] = []
    for (let at = 0; at < 5; at += 1) {
      const id = await asked(admin, 'test-again', 'soon')
      const since = performance.now()
      await begun(id)
      waits.push(performance.now() - since)
    }
    waits.sort((one, other) => one - other)
    expect(waits[2], waits.map((wait) => wait.toFixed(0)).join(' ')).toBeLessThan(200)
  })

  it('shows how far it is while it runs, and what became of it', async () => {
    const admin = await world.tenant()
    let go = (): void => {}
    const held = new Promise<void>((done) => {
      go = done
    })
    deeds.set('figures', async ({ progress }) => {
      await progress(3, 10, { result: { rows: 3 } })
      await held
      return { rows: 10 }
    })
    const id = await asked(admin, 'test-again', 'figures')
    await begun(id)
    let seen: JobView
    do seen = (await admin.get<JobView>('blade-system/job/own', { id })).data
    while (seen.progress === 0)
    expect(seen).toMatchObject({ state: 'running', progress: 3, total: 10, result: { rows: 3 } })
    go()
    expect(await ended(admin, id)).toMatchObject({ state: 'done', progress: 10, total: 10, result: { rows: 10 } })
    const list = await admin.get<{ records: Record<string, unknown>[] }>('blade-system/job/list', {
      state_equal: 'done',
    })
    expect(list.data.records).toMatchObject([{ id, kind: 'test-again', subject: 'figures', userName: '管理员' }])
  })

  it('R-PROD-2 is seen in its own tenant alone: all of them with the right, one’s own without', async () => {
    const [admin, stranger] = [await world.tenant(), await world.tenant()]
    const id = await asked(admin, 'test-again', 'mine')
    await ended(admin, id)
    const clerk = await world.colleague(admin, ['job_view'])
    const other = await world.colleague(admin, ['param_edit'])
    expect((await clerk.get<{ total: number }>('blade-system/job/list')).data.total).toBe(1)
    expect((await other.get('blade-system/job/list')).status).toBe(403)
    expect((await other.get('blade-system/job/own', { id })).status).toBe(404)
    expect((await stranger.get<{ total: number }>('blade-system/job/list')).data.total).toBe(0)
    for (const call of ['detail', 'own'])
      expect((await stranger.get(`blade-system/job/${call}`, { id })).status, call).toBe(404)
    expect((await retry(stranger, id)).status).toBe(404)
  })

  it('that failed says why, and is tried again by who may, with the rights of whoever tries', async () => {
    const admin = await world.tenant()
    let broken = true
    deeds.set('breaks', async () => {
      if (broken) throw Object.assign(new Error('x'), { words: { zh: '坏了', en: 'It broke' } })
      return { mended: 1 }
    })
    const id = await asked(admin, 'test-once', 'breaks')
    expect(await ended(admin, id)).toMatchObject({ state: 'failed', failure: { zh: '坏了', en: 'It broke' }, tries: 1 })
    broken = false
    const [idle, clerk, worker] = [
      await world.colleague(admin, ['param_edit']),
      await world.colleague(admin, ['job_retry']),
      await world.colleague(admin, ['job_retry', 'param_edit']),
    ]
    expect([(await retry(idle, id)).msg, (await retry(clerk, id)).msg]).toEqual([
      '没有权限：任务 · 重试（job_retry）',
      '没有权限：系统参数 · 修改（param_edit）',
    ])
    expect((await retry(worker, id)).status).toBe(200)
    expect(await ended(worker, id)).toMatchObject({ state: 'done', result: { mended: 1 }, failure: null, tries: 2 })
    expect((await retry(admin, id)).msg).toBe('只有失败的任务可以重试')
  })

  it('can be taken back before it begins, by whoever asked for it or works with jobs, and is not done', async () => {
    const admin = await world.tenant()
    const [idle, clerk, stranger] = [
      await world.colleague(admin, ['param_edit']),
      await world.colleague(admin, ['job_retry', 'job_view']),
      await world.tenant(),
    ]
    let free = (): void => {}
    const held = new Promise<undefined>((done) => {
      free = () => done(undefined)
    })
    deeds.set('holds the queue', () => held)
    const first = await asked(idle, 'test-once', 'holds the queue')
    const [mine, other] = [await asked(idle, 'test-once', 'first of two'), await asked(idle, 'test-once', 'second')]
    const cancel = (person: Person, id: string) => person.post('blade-system/job/cancel', {}, { query: { id } })
    while (!runs.includes(first)) await new Promise((done) => setTimeout(done, 10))
    const another = await world.colleague(admin, ['param_edit'])
    expect([(await cancel(stranger, mine)).status, (await cancel(another, mine)).status]).toEqual([404, 404])
    expect((await cancel(idle, first)).msg).toBe('只有排队中的任务可以取消')
    expect([(await cancel(idle, mine)).status, (await cancel(clerk, other)).status]).toEqual([200, 200])
    expect((await cancel(idle, mine)).msg).toBe('只有排队中的任务可以取消')
    free()
    await ended(idle, first)
    await jobsEnded()
    expect([mine, other].filter((id) => runs.includes(id))).toEqual([])
    const own = (await idle.get<JobView[]>('blade-system/job/mine')).data.map(({ id, state }) => [id, state])
    expect(own).toEqual([
      [other, 'cancelled'],
      [mine, 'cancelled'],
      [first, 'done'],
    ])
    expect((await another.get('blade-system/job/mine')).data).toEqual([])
  })

  it('R-PERM-3 is tried again only by who works with it: a data scope on jobs holds here too', async () => {
    const admin = await world.tenant()
    let done = 0
    deeds.set('kept apart', async () => {
      done += 1
      throw new Error('x')
    })
    const id = await asked(admin, 'test-once', 'kept apart')
    await ended(admin, id)
    const clerk = await world.colleague(admin, ['job_view', 'job_retry', 'param_edit'])
    const scope = newId()
    await world.inTenant(admin.tenantId, async (tx) => {
      await tx.run(
        sql`insert into data_scope (tenant_id, id, scope_name, resource_code, scope_class, scope_type) values (${admin.tenantId}, ${scope}, '本人的任务', 'own-jobs', 'job', '2')`,
      )
      await tx.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) select tenant_id, target_id, ${scope}::bigint from app_user_role where tenant_id = ${admin.tenantId} and owner_id = ${clerk.userId}`,
      )
      await raiseGrants(tx, admin.tenantId)
    })
    expect((await clerk.get<{ total: number }>('blade-system/job/list')).data.total).toBe(0)
    expect((await retry(clerk, id)).status).toBe(404)
    expect([done, (await admin.get<JobView>('blade-system/job/detail', { id })).data.state]).toEqual([1, 'failed'])
  })

  it('R-PERM-5 is not done for somebody who has lost the right, or is gone, since it was asked for', async () => {
    const admin = await world.tenant()
    const [narrowed, disabled] = [
      await world.colleague(admin, ['param_edit']),
      await world.colleague(admin, ['param_edit']),
    ]
    deeds.set('blocks', endless)
    const first = await asked(admin, 'test-once', 'blocks')
    await begun(first)
    const [one, other] = [await asked(narrowed, 'test-once', 'late'), await asked(disabled, 'test-once', 'late')]
    await world.owner.query(
      `delete from role_menu g using app_user_role l where l.owner_id = $1 and g.tenant_id = l.tenant_id and g.role_id = l.target_id`,
      [narrowed.userId],
    )
    await world.owner.query('update app_user set status = 2 where id = $1', [disabled.userId])
    deeds.delete('blocks')
    await world.owner.query(`update job set tries = tries + 1 where id = $1`, [first])
    await jobsEndedBut(first)
    const words = async (id: string) =>
      (await world.owner.query('select state, failure->>$2 as words from job where id = $1', [id, 'zh'])).rows[0]
    expect(await words(one)).toEqual({ state: 'failed', words: '没有权限：系统参数 · 修改（param_edit）' })
    expect(await words(other)).toEqual({ state: 'failed', words: '发起人已停用或删除' })
    expect(runs).not.toContain(one)
    expect(runs).not.toContain(other)
    await world.owner.query(`update job set state = 'failed' where id = $1`, [first])
  })
})

/** Waits for the end of all jobs but one. */
async function jobsEndedBut(id: string): Promise<void> {
  const open = () => world.owner.query(`select 1 from job where state in ('waiting', 'running') and id <> $1`, [id])
  while ((await open()).rowCount! > 0) await new Promise((done) => setTimeout(done, 15))
}

describe('ruling 23: a process that stops', () => {
  it('leaves what can be begun anew to the next one, and says of the rest that it was interrupted', async () => {
    const admin = await world.tenant()
    deeds.set('stopped', endless)
    const [again, once] = [await asked(admin, 'test-again', 'stopped'), await asked(admin, 'test-once', 'stopped')]
    await begun(again)
    await begun(once)
    const since = performance.now()
    await stopJobs(world.services)
    expect(performance.now() - since).toBeLessThan(3_000)
    const states = await world.owner.query('select state from job where id = any($1) order by state', [[again, once]])
    expect(states.rows).toEqual([{ state: 'failed' }, { state: 'waiting' }])
    deeds.set('stopped', async () => ({ whole: 1 }))
    await startJobs(world.services, world.asApp, [clock, notices])
    const anew = await ended(admin, again)
    expect(anew).toMatchObject({ state: 'done', result: { whole: 1 } })
    // A process may be handed it once more while it stops.
    expect(anew.tries).toBeGreaterThan(1)
    expect(await ended(admin, once)).toMatchObject({ state: 'failed', failure: { zh: '处理被中断，请重试' }, tries: 1 })
    expect((await retry(admin, once)).status).toBe(200)
    expect(await ended(admin, once)).toMatchObject({ state: 'done', tries: 2 })
  })
})

describe('ruling 23: of two processes', () => {
  beforeAll(() => startJobs(second, world.asApp, [clock, notices]))

  it('one does each job, and both have a part in them', async () => {
    const admin = await world.tenant()
    const by = new Set<Services>()
    deeds.set('many', async ({ services }) => {
      by.add(services)
      await new Promise((next) => setTimeout(next, 20))
      return undefined
    })
    const ids = await world.inTenant(admin.tenantId, async (tx) => {
      const made: string[] = []
      for (let at = 0; at < 30; at += 1) made.push(await ask(tx, admin, 'test-again', 'many'))
      return made
    })
    await jobsEnded()
    for (const id of ids) expect(runs.filter((run) => run === id)).toEqual([id])
    expect(by.size).toBe(2)
  })

  it('one keeps each moment that was asked for, within two seconds, and not before', async () => {
    const { tenantId } = await world.tenant()
    const at = Date.now() + 1_500
    await world.inTenant(tenantId, (tx) => tickAt(world.services, tx, clock.name, tenantId, at))
    const lost = world.inTenant(tenantId, async (tx) => {
      await tickAt(world.services, tx, clock.name, '999999', at)
      throw new Error('not kept')
    })
    await expect(lost).rejects.toThrow('not kept')
    await new Promise((done) => setTimeout(done, 1_000))
    expect(ticks).not.toContain(tenantId)
    while (!ticks.includes(tenantId)) await new Promise((done) => setTimeout(done, 20))
    expect(Date.now() - at).toBeLessThan(2_500)
    await new Promise((done) => setTimeout(done, 1_500))
    expect(ticks.filter((tick) => tick === tenantId)).toEqual([tenantId])
    expect(ticks).not.toContain('999999')
  })

  it('R-NOTICE-1 one puts a scheduled notice out when its time has come, once', async () => {
    const admin = await world.tenant()
    const at = Date.now() + 2_000
    const releaseTime = new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    const draft = { title: '停课通知', category: '1', releaseTime, content: '<p>明天停课</p>' }
    const { data } = await admin.post<{ id: string }>('blade-desk/notice/submit', draft)
    await admin.post('blade-desk/notice/publish', undefined, { query: { ids: data.id } })
    const seen = async () =>
      (await admin.get<{ status: number; version: number }>('blade-desk/notice/detail', { id: data.id })).data
    const scheduled = await seen()
    expect(scheduled.status).toBe(1)
    await expect.poll(async () => (await seen()).status, { timeout: 10_000, interval: 50 }).toBe(2)
    expect(Date.now()).toBeGreaterThan(at - 1_000)
    expect(Date.now() - at).toBeLessThan(4_000)
    expect((await seen()).version).toBe(scheduled.version + 1)
  })

  it('one does what comes round by the clock; the platform’s page shows it and can have it done beside its times', async () => {
    const platform = await world.platform()
    await world.owner.query(
      `insert into job (tenant_id, id, kind, state, recurring) values ('000000', 4711, $1, 'done', true)`,
      [clock.name],
    )
    const schedules = await world.owner.query('select name, cron, timezone from pgboss.schedule where name = $1', [
      clock.name,
    ])
    expect(schedules.rows).toEqual([{ name: clock.name, cron: clock.cron, timezone: 'Asia/Shanghai' }])
    const before = ticks.length
    expect((await retry(platform, '4711')).status).toBe(200)
    while (ticks.length === before) await new Promise((done) => setTimeout(done, 20))
    await jobsEnded()
    await new Promise((done) => setTimeout(done, 1_200))
    expect(ticks.slice(before)).toEqual([undefined])
    expect((await platform.get('blade-system/job/detail', { id: '4711' })).data).toMatchObject({
      kind: clock.name,
      state: 'done',
      tries: 1,
    })
    const clerk = await world.colleague(platform, ['job_retry'])
    expect((await retry(clerk, '4711')).status).toBe(403)
  })
})
