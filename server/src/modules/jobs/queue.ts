import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { graceMs, type Tx } from '../../database/transaction.ts'
import { isOutage } from '../../kernel/problem-of.ts'
import type { Services } from '../../kernel/services.ts'
import { followClockBack } from './clock-back.ts'
import { openJobs } from './row.ts'
import { perform, performTick } from './run.ts'
import { kindsOf, queuesOfWork, type RecurringWork } from './work.ts'

/*
 * The queue is pg-boss, in a schema of its own that the migrations lay. It says which process does what, notices by a
 * heartbeat that a process has died, and keeps the clock for what comes round. All it knows is a tenant's code and an id.
 */

/** What travels in the queue. */
interface Ticket {
  readonly tenantId?: string
  readonly jobId?: string
}

interface Running {
  /** There once the queue has started; whoever asks for a job before waits for it. */
  readonly boss: Promise<PgBoss>
  readonly stopping: AbortController
  readonly working: Set<Promise<void>>
}

/** A ticket as the queue hands it out; its signal says that it was taken away again. */
interface Handed {
  readonly data: Ticket | null
  readonly signal: AbortSignal
}

/** How often a worker looks for work: where notifications come through, and where they do not. */
interface Seconds {
  readonly look: number
  readonly notified: number
}

/** The queue of each server of this process, by its connections. */
const running = new WeakMap<pg.Pool, Running>()

/** A process that shows no sign of life for so long has died; the least that pg-boss takes. */
const heartbeatSeconds = 10
/** How often the dead are looked for. */
const lookSeconds = 10
/** No job takes longer. */
const longestSeconds = 6 * 3_600
const daySeconds = 86_400
/** How often it is looked whether the clock went back, in milliseconds. */
const clockMs = 60_000
/** How long a queue that cannot start waits before it tries again, in milliseconds. */
const againMs = 1_000
/** No statement of the queue takes longer. */
const statementMs = 10_000
/** What is sent into a network that swallows it is given up on, as in the pools of requests (database/connect.ts). */
const bounds: pg.PoolConfig = {
  query_timeout: statementMs + graceMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
const schema = 'pgboss'
const zone = 'Asia/Shanghai'
/** Tickets of work that died are handed out again without end: how often is enough is judged by the job's own row. */
const againMost = 1_000

const manner = {
  notify: true,
  heartbeatSeconds,
  expireInSeconds: longestSeconds,
  retryLimit: againMost,
  retryDelay: 0,
  deleteAfterSeconds: daySeconds,
} as const

/**
 * Starts to do what is asked for, and what comes round, in this process, after so many milliseconds. Migrations have
 * laid the queue before. From the call on jobs can be asked for: those who do wait until the queue is there.
 */
export async function startJobs(
  services: Services,
  connection: pg.ClientConfig,
  recurring: readonly RecurringWork[] = [],
  afterMs = 0,
): Promise<void> {
  const stopping = new AbortController()
  const working = new Set<Promise<void>>()
  const boss = startBoss(services, connection, recurring, afterMs, stopping, working)
  running.set(services.pool, { boss, stopping, working })
  watchClock(services, stopping.signal)
  await boss
}

/** Looks now and from time to time whether the clock went back, until the queue stops. */
function watchClock(services: Services, stopped: AbortSignal): void {
  const look = (): void => {
    followClockBack(services).catch((error: Error) => services.log.warn('the job queue', { error: error.message }))
  }
  look()
  const watch = setInterval(look, clockMs).unref()
  stopped.addEventListener('abort', () => clearInterval(watch))
}

/** Starts the queue, however long the database is away meanwhile. */
async function startBoss(
  services: Services,
  connection: pg.ClientConfig,
  recurring: readonly RecurringWork[],
  afterMs: number,
  stopping: AbortController,
  working: Set<Promise<void>>,
): Promise<PgBoss> {
  if (afterMs > 0) await sleep(afterMs)
  for (;;)
    try {
      return await makeBoss(services, connection, recurring, stopping, working)
    } catch (error) {
      if (!isOutage(error) || stopping.signal.aborted) throw error
      services.log.warn('the job queue waits for the database', { error: (error as Error).message })
      await sleep(againMs)
    }
}

async function makeBoss(
  services: Services,
  connection: pg.ClientConfig,
  recurring: readonly RecurringWork[],
  stopping: AbortController,
  working: Set<Promise<void>>,
): Promise<PgBoss> {
  const { log } = services
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...(connection as object),
    ...(bounds as object),
    schema,
    max: 2,
    application_name: 'data-brain-jobs',
    options: `-c statement_timeout=${statementMs} -c lock_timeout=5000 -c idle_in_transaction_session_timeout=60000`,
    migrate: false,
    createSchema: false,
    supervise: true,
    schedule: recurring.length > 0,
    superviseIntervalSeconds: lookSeconds,
    monitorIntervalSeconds: lookSeconds,
    // The role of the server owns no index, and is not told how vacuum fares.
    reindex: false,
    monitorVacuum: false,
    useListenNotify: true,
  })
  boss.on('error', (error) => log.warn('the job queue', { error: error.message }))
  boss.on('warning', ({ message }) => log.warn('the job queue', { reason: message }))
  try {
    await boss.start()
    await addWorkers(boss, services, recurring, stopping, working)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

async function addWorkers(
  boss: PgBoss,
  services: Services,
  recurring: readonly RecurringWork[],
  stopping: AbortController,
  working: Set<Promise<void>>,
): Promise<void> {
  const known = new Set((await boss.getQueues()).map((queue) => queue.name))
  /** One worker, that looks for the next ticket as soon as it is done with one. */
  const addWorker = async (
    queue: string,
    seconds: Seconds,
    handle: (ticket: Handed) => Promise<void>,
  ): Promise<void> => {
    const id = await boss.work<Ticket | null>(
      queue,
      { pollingIntervalSeconds: seconds.look, notifyPollingIntervalSeconds: seconds.notified },
      async ([job]) => {
        const work = handle(job!).finally(() => boss.notifyWorker(id))
        working.add(work)
        await work.finally(() => working.delete(work))
      },
    )
  }
  for (const [queue, atOnce] of queuesOfWork()) {
    if (!known.has(queue)) await boss.createQueue(queue, manner)
    for (let at = 0; at < atOnce; at += 1)
      await addWorker(queue, { look: 2, notified: 15 }, async ({ data, signal }) => {
        if (data?.tenantId && data.jobId)
          await perform(
            services,
            data.tenantId,
            data.jobId,
            AbortSignal.any([stopping.signal, signal]),
            stopping.signal,
          )
      })
  }
  for (const each of recurring) {
    const { name, cron, lookSeconds: look } = each
    // One that is asked for by the clock while it still runs is passed over; moments that were asked for never are.
    if (!known.has(name)) await boss.createQueue(name, { ...manner, policy: look ? 'standard' : 'exclusive' })
    await boss.schedule(name, cron, null, { tz: zone, missed: 'once' })
    await addWorker(name, { look: look ?? 15, notified: look ?? 15 }, ({ data, signal }) =>
      performTick(services, each, data?.tenantId, AbortSignal.any([stopping.signal, signal])),
    )
  }
  // What an extension that is not built in has scheduled would wait for a worker.
  const { absent = [] } = services
  if (recurring.length > 0 && absent.length > 0)
    for (const { name } of await boss.getSchedules())
      if (absent.some((each) => name.startsWith(`${each}_`))) await boss.unschedule(name)
}

/** Most time that work in flight is given to come to an end of its own. */
const patienceMs = 5_000

/**
 * Lets no work go on: each gives up at its next sign of life and is rolled back, and is begun anew by whoever comes next
 * or can be tried again. What waits goes on waiting.
 */
export async function stopJobs(services: Pick<Services, 'pool'>): Promise<void> {
  const own = running.get(services.pool)
  if (!own) return
  running.delete(services.pool)
  own.stopping.abort()
  const boss = await own.boss.catch(() => undefined)
  await boss?.stop({ graceful: true, timeout: patienceMs })
  // What was given up on by the queue still holds connections.
  await Promise.race([
    Promise.allSettled(own.working),
    new Promise<void>((done) => void setTimeout(done, patienceMs).unref()),
  ])
}

/** Pieces of work that a server is at just now. */
export const workUnderWay = (services: Pick<Services, 'pool'>): number => running.get(services.pool)?.working.size ?? 0

async function bossOf(services: Pick<Services, 'pool'>): Promise<PgBoss> {
  const own = running.get(services.pool)
  if (!own) throw new Error('the job queue does not run')
  return own.boss
}

/** How the queue writes inside a transaction of ours. */
const inside = (tx: Tx) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({ rows: await tx.run({ text, values }) }),
})

/**
 * Puts a job to work: it is taken as soon as the transaction is durable, and never if it is not. The more of its tenant
 * wait already, the later it comes: the first of another tenant does not wait for all of them.
 */
export const sendJob = async (
  services: Pick<Services, 'pool'>,
  tx: Tx,
  queue: string,
  tenantId: string,
  jobId: string,
): Promise<unknown> => {
  const boss = await bossOf(services)
  const { n: ahead } = await openJobs(tx, { tenantId }, kindsOf(queue), jobId)
  return boss.send(queue, { tenantId, jobId }, { db: inside(tx), priority: -ahead })
}

/** Asks, inside the caller's transaction, for recurring work to be done for a tenant at a moment (milliseconds). */
export const tickAt = async (
  services: Pick<Services, 'pool'>,
  tx: Tx,
  name: string,
  tenantId: string,
  at: number,
): Promise<unknown> => (await bossOf(services)).send(name, { tenantId }, { startAfter: new Date(at), db: inside(tx) })

/** Asks for recurring work to be done now, inside the caller's transaction. */
export const tickNow = async (services: Pick<Services, 'pool'>, tx: Tx, name: string): Promise<unknown> =>
  (await bossOf(services)).send(name, null, { db: inside(tx) })
