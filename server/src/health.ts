import { health } from '@data-brain/contract/calls/health'
import type { FastifyInstance } from 'fastify'
import { sql } from './database/statement.ts'
import { inPlatform } from './database/transaction.ts'
import { onPublic } from './entity/serve-call.ts'
import { hasRoom } from './kernel/disk-space.ts'
import { phaseOf } from './kernel/phase.ts'
import { RawResponse, type Route } from './kernel/route.ts'
import type { Services } from './kernel/services.ts'
import { logsOf } from './modules/log/index.ts'

/** For a person or a simple supervisor: answers when the process is up and its database answers. */
export const healthRoutes: Route[] = [
  onPublic(health, async (_, { services }) => {
    try {
      await inPlatform(services.pool, (tx) => tx.run(sql`select 1`))
      return new RawResponse({ status: 'up', logs: logsOf(services).state() } as const)
    } catch {
      return new RawResponse({ status: 'down', logs: logsOf(services).state() } as const, 503)
    }
  }),
]

/** Longest that the database is waited for, and how long its answer holds: whoever asks often costs it nothing. */
const answerMs = 2_000
const freshMs = 1_000

type Readiness = 'ready' | 'starting' | 'stopping' | 'database' | 'disk'

/** Says whether the server may be sent requests. A server that is put together has brought its database up to date. */
function readiness(services: Services): () => Promise<Readiness> {
  let asked: Promise<Readiness> | undefined
  const databaseAnswers = async (): Promise<boolean> => {
    let limit: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((done) => {
      limit = setTimeout(() => done(false), answerMs)
    })
    const answered = inPlatform(services.pool, (tx) => tx.run(sql`select 1`)).then(
      () => true,
      () => false,
    )
    return Promise.race([answered, late]).finally(() => clearTimeout(limit))
  }
  const look = async (): Promise<Readiness> =>
    !(await databaseAnswers()) ? 'database' : (await hasRoom(services)) ? 'ready' : 'disk'
  return async () => {
    const phase = phaseOf(services)
    if (phase !== 'ready') return phase
    asked ??= look().finally(() => {
      setTimeout(() => {
        asked = undefined
      }, freshMs).unref()
    })
    const found = await asked
    const after = phaseOf(services)
    return after === 'ready' ? found : after
  }
}

/**
 * For a supervisor and a proxy, outside the API: `/healthz` says that the process is alive and asks nobody, `/readyz`
 * whether it may be sent requests.
 */
export function serveHealth(http: FastifyInstance, services: Services): void {
  const ready = readiness(services)
  http.get('/healthz', (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'alive' }))
  http.get('/readyz', async (_request, reply) => {
    const status = await ready()
    return reply
      .status(status === 'ready' ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ status })
  })
}
