import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { siblingPool } from '../src/database/connect.ts'
import { makeLog } from '../src/kernel/log.ts'
import { LogQueue, type QueueOptions } from '../src/modules/log/queue.ts'
import { apiRow, type LogRow } from '../src/modules/log/row.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** R-LOG-2: writing a log neither slows nor fails a call, and what is lost is counted and told. */

let world: World
let admin: Person
const pools: pg.Pool[] = []
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await world.close()
})

const queueOf = (options: Partial<QueueOptions> = {}): LogQueue => {
  const pool = options.pool ?? siblingPool(world.services.pool, 1)
  if (!options.pool) pools.push(pool)
  return new LogQueue({ pool, log: makeLog('silent'), ...options })
}
const row = (tenantId: string, title = 'x'): LogRow =>
  apiRow(
    { tenantId, title, method: 'POST', requestUri: '/api/x/y', status: 200, time: 1 },
    { result: 'ok', params: null },
  )
const titles = async (tenantId: string, table = 'log_api'): Promise<string[]> =>
  (
    await world.owner.query(`select title from ${table} where tenant_id = $1 order by create_time, id`, [tenantId])
  ).rows.map((each) => each.title)
/** A database that is not there. */
const away = (): pg.Pool => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'x', database: 'x', connectionTimeoutMillis: 500 })
  pool.on('error', () => {})
  pools.push(pool)
  return pool
}

describe('R-LOG-2 the queue of the logs', () => {
  it('keeps the order, writes in batches, and is empty afterwards', async () => {
    const { tenantId } = await world.tenant()
    const queue = queueOf({ batch: 7 })
    for (let n = 0; n < 50; n += 1) expect(queue.push(row(tenantId, `n${n}`))).toBe(true)
    await queue.flush()
    expect(await titles(tenantId)).toEqual(Array.from({ length: 50 }, (_, n) => `n${n}`))
    expect(queue.state()).toEqual({ queued: 0, written: 50, dropped: 0 })
    await queue.stop()
  })

  it('writes of its own accord, soon', async () => {
    const { tenantId } = await world.tenant()
    const queue = queueOf({ every: 20 })
    queue.push(row(tenantId, 'soon'))
    await expect.poll(() => titles(tenantId)).toEqual(['soon'])
    await queue.stop()
  })

  it('drops and counts what does not fit, and the log tells how much that was', async () => {
    const { tenantId } = await world.tenant()
    const other = await world.tenant()
    const queue = queueOf({ capacity: 10, every: 60_000 })
    const taken = Array.from({ length: 30 }, (_, n) => queue.push(row(tenantId, `n${n}`))).filter(Boolean).length
    // One tenant has at most half of it: there is room for others.
    expect(taken).toBe(5)
    expect(queue.push(row(other.tenantId, 'other'))).toBe(true)
    expect(queue.lostOf(tenantId)).toBe(25)
    await queue.flush()
    expect(await titles(tenantId)).toHaveLength(5)
    expect(await titles(other.tenantId)).toEqual(['other'])
    expect(await titles(tenantId, 'log_usual')).toEqual(['丢失日志 25 条 / 25 log rows lost'])
    expect(await titles(other.tenantId, 'log_usual')).toEqual([])
    queue.push(row(tenantId))
    await queue.flush()
    expect(await titles(tenantId, 'log_usual')).toHaveLength(1)
    await queue.stop()
  })

  it('takes no more memory than it may', () => {
    const queue = queueOf({ bytes: 10_000, every: 60_000 })
    const long = apiRow({ tenantId: admin.tenantId, title: 'x' }, { result: 'ok', params: 'y '.repeat(190) })
    const taken = Array.from({ length: 100 }, () => queue.push(long)).filter(Boolean).length
    expect(taken).toBe(Math.floor(10_000 / long.weight))
    expect(queue.state().dropped).toBe(100 - taken)
  })

  it('waits while the database is away, holds no caller up, and ends in time', async () => {
    const queue = queueOf({ pool: away(), capacity: 100, every: 10 })
    // Nothing can be waited for between two of them: a push answers at once.
    for (let n = 0; n < 1_000; n += 1) queue.push(row(admin.tenantId))
    await queue.flush()
    expect(queue.state()).toEqual({ queued: 50, written: 0, dropped: 950 })
    const ending = performance.now()
    await queue.stop(1_000)
    expect(performance.now() - ending).toBeLessThan(2_000)
    expect(queue.push(row(admin.tenantId))).toBe(false)
  })

  it('writes all that waited once the database is back, each row once', async () => {
    const { tenantId } = await world.tenant()
    const pool = siblingPool(world.services.pool, 1)
    pools.push(pool)
    let lost = 2
    const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
    // The first comes not through at all; of the second the acknowledgement is lost.
    const flaky = Object.create(pool) as pg.Pool
    flaky.connect = (async () => {
      lost -= 1
      if (lost === 1) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      const client = await connect()
      if (lost !== 0) return client
      const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
      return new Proxy(client, {
        get: (target, name) =>
          name === 'query'
            ? async (...given: unknown[]) => {
                const answer = await query(...given)
                if (given[0] === 'commit') throw new Error('Connection terminated unexpectedly')
                return answer
              }
            : name === 'release'
              ? target.release.bind(target)
              : Reflect.get(target, name),
      })
    }) as pg.Pool['connect']
    const queue = queueOf({ pool: flaky, every: 10 })
    for (let n = 0; n < 5; n += 1) queue.push(row(tenantId, `n${n}`))
    await expect.poll(() => queue.state().queued, { timeout: 10_000 }).toBe(0)
    expect(await titles(tenantId)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    expect(queue.state()).toMatchObject({ queued: 0, dropped: 0 })
    await queue.stop()
  })

  it('drops the one row that cannot be kept, not those beside it', async () => {
    const { tenantId } = await world.tenant()
    const queue = queueOf({ every: 60_000 })
    const wrong: LogRow = { ...row(tenantId), columns: { ...row(tenantId).columns, time: 'never' } }
    for (const each of [row(tenantId, 'before'), wrong, row(tenantId, 'after')]) queue.push(each)
    await queue.flush()
    expect(await titles(tenantId)).toEqual(['before', 'after'])
    expect(queue.state()).toEqual({ queued: 0, written: 2, dropped: 1 })
    await queue.stop()
  })

  it('cannot write into another tenant, whatever a row says', async () => {
    const other = await world.tenant()
    const queue = queueOf({ every: 60_000 })
    const forged: LogRow = {
      ...row(admin.tenantId, 'forged'),
      columns: { ...row(admin.tenantId, 'forged').columns, tenant_id: other.tenantId },
    }
    queue.push(forged)
    await queue.flush()
    expect(await titles(other.tenantId)).toEqual([])
    expect(await titles(admin.tenantId)).toContain('forged')
    await queue.stop()
  })

  it('R-SYS-3 writes nothing beside a purge, which would be left behind, and waits for none', async () => {
    const { tenantId } = await world.tenant()
    const queue = queueOf({ every: 60_000 })
    queue.push(row(tenantId, 'before'))
    await queue.flush()
    await world.owner.query('begin')
    // As the purge of the tenant holds its code until all is gone.
    await world.owner.query(`select pg_advisory_xact_lock(hashtextextended('tenant|${tenantId}', 0))`)
    queue.push(row(tenantId, 'beside'))
    queue.push(row(admin.tenantId, 'of another'))
    await queue.flush()
    await world.owner.query('commit')
    expect(await titles(tenantId)).toEqual(['before'])
    expect(await titles(admin.tenantId)).toContain('of another')
    expect(queue.state().queued).toBe(0)
    await queue.stop()
  })

  it('writes what waits when the server stops', async () => {
    const own = await makeWorld()
    const person = await own.tenant()
    await person.post('blade-system/post/submit', {})
    const kept = `${inject('database').template}_log_queue`
    await own.close(kept)
    const look = new pg.Client({ connectionString: changeAddress(inject('database').owner, { database: kept }) })
    await look.connect()
    const { rows } = await look.query('select title from log_api where tenant_id = $1', [person.tenantId])
    await look.end()
    expect(rows).toEqual([{ title: '岗位：新增或修改' }])
  })
})
