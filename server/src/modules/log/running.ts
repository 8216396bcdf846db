import type { FastifyInstance } from 'fastify'
import { siblingPool } from '../../database/connect.ts'
import type { Services } from '../../kernel/services.ts'
import { LogQueue, type QueueOptions } from './queue.ts'
import { readsWish } from './reads.ts'
import { recordCalls } from './record.ts'
import { nameInstallation } from './row.ts'

/** One queue per server of this process. */
const queues = new WeakMap<Services, LogQueue>()

/** The queue of a server. Throws where logging was not started. */
export function logsOf(services: Services): LogQueue {
  const queue = queues.get(services)
  if (!queue) throw new Error('logging was not started')
  return queue
}

/**
 * Starts logging the calls of a server, on two connections of its own; what waits is written when the server is closed.
 */
export function startLogs(http: FastifyInstance, services: Services, options: Partial<QueueOptions> = {}): LogQueue {
  const pool = siblingPool(services.pool, 2)
  const queue = new LogQueue({ pool, log: services.log, ...options })
  queues.set(services, queue)
  nameInstallation(services.environment.publicUrl)
  recordCalls(http, services, queue, readsWish(pool))
  http.addHook('onClose', async () => {
    await queue.stop()
    await pool.end()
  })
  return queue
}
