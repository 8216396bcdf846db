import type pg from 'pg'
import type { Services } from './services.ts'

/** How often tenants are looked for in which something is due, and how many are served at once. */
const sweepMs = 5_000
const tenantsAtOnce = 8
/** After something was asked for its transaction has yet to end: looked for soon, and again a little later. */
const wakeMs = [40, 400, 2_500]

interface Sending {
  /** What is sent, in the words of the log. */
  readonly what: string
  /** Sends what is due in one tenant. */
  readonly deliver: (services: Services, tenantId: string) => Promise<unknown>
  /** The tenants in which something is due. */
  readonly waiting: (services: Services) => Promise<readonly string[]>
}

/** Sends what waits in tenants, text messages or mail, in the background of each server; any number of servers may do it. */
export class SendingWorker {
  readonly #sending: Sending
  /** Who is woken in each server of this process, by its connections. */
  readonly #running = new WeakMap<pg.Pool, (tenantId: string) => void>()

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** Tells the worker of this process, if it has one, that something was asked for. Others find it by themselves. */
  wake({ pool }: Pick<Services, 'pool'>, tenantId: string): void {
    this.#running.get(pool)?.(tenantId)
  }

  /** Sends what comes, from now on. Answers how to stop, which waits for what is under way. */
  start(services: Services): () => Promise<void> {
    const { what, deliver, waiting } = this.#sending
    const under = new Map<string, Promise<unknown>>()
    const timers = new Set<NodeJS.Timeout>()
    let stopped = false
    const run = (tenantId: string): void => {
      if (stopped || under.has(tenantId) || under.size >= tenantsAtOnce) return
      const done = deliver(services, tenantId)
        .catch((error: Error) => services.log.error(`${what} could not be sent`, { tenantId, error: error.message }))
        .finally(() => under.delete(tenantId))
      under.set(tenantId, done)
    }
    this.#running.set(services.pool, (tenantId) => {
      for (const ms of wakeMs) {
        const timer = setTimeout(() => {
          timers.delete(timer)
          run(tenantId)
        }, ms).unref()
        timers.add(timer)
      }
    })
    let sweeping: Promise<unknown> = Promise.resolve()
    const sweep = setInterval(() => {
      sweeping = waiting(services)
        .then((tenants) => tenants.forEach(run))
        .catch((error: Error) => services.log.error(`${what} could not be looked for`, { error: error.message }))
    }, sweepMs).unref()
    return async () => {
      stopped = true
      this.#running.delete(services.pool)
      clearInterval(sweep)
      for (const timer of timers) clearTimeout(timer)
      await sweeping
      await Promise.all(under.values())
    }
  }
}
