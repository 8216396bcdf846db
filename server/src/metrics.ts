import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { phaseOf } from './kernel/phase.ts'
import type { Services } from './kernel/services.ts'
import { liveState } from './modules/desk/index.ts'
import { workUnderWay } from './modules/jobs/index.ts'
import { logsOf } from './modules/log/index.ts'

/** Bounds of the durations in seconds: an ordinary call takes a hundredth, an export some seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** The library is loaded when the start is over: nobody waits for it. */
const loadAfterMs = 2_000

type Observe = (method: string, route: string, status: number, seconds: number) => void

interface Metrics {
  readonly registry: Registry
  readonly observe: Observe
}

/** Names and help of what is read off when somebody asks; all of it is known already. */
async function makeMetrics(services: Services): Promise<Metrics> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests answered, by the pattern of their route: never by what was asked for',
    labelNames: ['method', 'route', 'status'],
    buckets: bounds,
    registers,
  })
  const pools = { app: services.pool, platform: services.platform }
  new Gauge({
    name: 'data_brain_pool_connections',
    help: 'Connections to the database; waiting are requests that have none yet',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'used' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  new Gauge({
    name: 'data_brain_pool_limit',
    help: 'Most connections that a pool opens',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [name, pool] of Object.entries(pools)) this.set({ pool: name }, pool.options.max)
    },
  })
  new Gauge({
    name: 'data_brain_log_rows_waiting',
    help: 'Log rows that wait to be written',
    registers,
    collect() {
      this.set(logsOf(services).state().queued)
    },
  })
  new Counter({
    name: 'data_brain_log_rows_total',
    help: 'Log rows that were written, and those that were dropped because the queue was full',
    labelNames: ['result'],
    registers,
    collect() {
      const { written, dropped } = logsOf(services).state()
      this.reset()
      this.inc({ result: 'written' }, written)
      this.inc({ result: 'dropped' }, dropped)
    },
  })
  new Gauge({
    name: 'data_brain_live_channels',
    help: 'Channels of live push that are open',
    registers,
    collect() {
      this.set(liveState(services).channels)
    },
  })
  new Gauge({
    name: 'data_brain_live_listening',
    help: '1 while news of other processes are heard, or nobody has asked for any',
    registers,
    collect() {
      this.set(liveState(services).listening ? 1 : 0)
    },
  })
  new Gauge({
    name: 'data_brain_jobs_running',
    help: 'Pieces of work outside requests that this process is at',
    registers,
    collect() {
      this.set(workUnderWay(services))
    },
  })
  new Gauge({
    name: 'data_brain_ready',
    help: '1 while the server takes requests',
    registers,
    collect() {
      this.set(phaseOf(services) === 'ready' ? 1 : 0)
    },
  })
  return {
    registry,
    observe: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
  }
}

const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'via'] as const
const loopback = /^(::ffff:)?127\.|^::1$/
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whether somebody may read the figures: with the operator's token where there is one, else from this machine itself. A
 * proxy on this machine speaks for others, which it says in its headers.
 */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token !== null) {
    const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), digest(token))
  }
  return loopback.test(request.socket.remoteAddress ?? '') && forwarded.every((name) => !(name in request.headers))
}

/** Counts and times what is answered, and tells it to Prometheus at `/metrics`. */
export function serveMetrics(http: FastifyInstance, services: Services): void {
  let metrics: Metrics | undefined
  let loading: Promise<Metrics> | undefined
  const load = (): Promise<Metrics> => {
    loading ??= makeMetrics(services).then((made) => {
      metrics = made
      return made
    })
    return loading
  }
  http.addHook('onListen', async () => {
    setTimeout(() => void load(), loadAfterMs).unref()
  })
  http.addHook('onResponse', (request, reply, done) => {
    // Without a route it is an address that nobody has heard of: all of those are one.
    metrics?.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  http.get('/metrics', async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    if (!mayRead(request, services.environment.metricsToken))
      return reply
        .status(services.environment.metricsToken === null ? 403 : 401)
        .type('text/plain')
        .send('Not for you: see METRICS_TOKEN')
    const { registry } = await load()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
