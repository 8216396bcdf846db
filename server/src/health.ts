import { sql } from './database/statement.ts'
import { inPlatform } from './database/transaction.ts'
import { Bare, publicRoute, type Route } from './kernel/route.ts'
import { logsOf } from './modules/log/index.ts'

/** For a supervisor or a proxy: answers when the process is up and its database answers. */
export const healthRoutes: Route[] = [
  publicRoute({
    method: 'GET',
    path: '/health',
    summary: { zh: '健康检查', en: 'Health' },
    access: 'public',
    bare: true,
    handler: async ({ services }) => {
      try {
        await inPlatform(services.pool, (tx) => tx.run(sql`select 1`))
        return new Bare({ status: 'up', logs: logsOf(services).state() })
      } catch {
        return new Bare({ status: 'down', logs: logsOf(services).state() }, 503)
      }
    },
  }),
]
