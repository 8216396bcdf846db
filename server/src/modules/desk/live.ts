import { sql } from '../../database/statement.ts'
import { Problem } from '../../kernel/problem.ts'
import { Bare, detachedRoute, type Route } from '../../kernel/route.ts'
import { type Holder, hubOf } from './hub.ts'

const tag = 'live'

/** One channel per console, on which it hears that there is something new; what it is, it asks by the usual calls. */
export const liveRoute: Route = detachedRoute({
  method: 'GET',
  path: '/blade-desk/live',
  tag,
  access: 'session',
  bare: true,
  summary: {
    zh: '实时推送（事件流）：ready、notice、message 事件，收到后再查询未读数；rights 事件，收到后再查询菜单和按钮',
    en: 'Live push (event stream): events ready, notice and message, upon which the counts are asked for, and rights, upon which menus and buttons are',
  },
  // A channel that never ends outlives every change of what stands in between.
  parameters: { seconds: { kind: 'integer', required: true, min: 1, max: 3600 } },
  handler: async ({ services, parameters, as }) => {
    const holder = await as<Holder>(async ({ tx, actor }) => {
      const row = await tx.one<{ stamp: string }>(
        sql`select stamp::text from grant_stamp where tenant_id = ${actor.tenantId}`,
      )
      const { tenantId, userId, sessionId } = actor
      if (userId === null || sessionId === null) throw new Problem('unauthorized')
      return { tenantId, userId, sessionId, stamp: row?.stamp ?? '0' }
    })
    const hub = hubOf(services)
    if (!hub.hasRoom(holder)) throw new Problem('too_many')
    const mayStill = (): Promise<boolean> => as(async () => true).catch(() => false)
    return new Bare(hub.open(holder, parameters.seconds, mayStill), 200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // A proxy that gathers an answer before it passes it on would keep the news to itself.
      'X-Accel-Buffering': 'no',
      'Cache-Control': 'no-store, no-transform',
      // A connection that outlives its channel would keep a server that stops waiting for it.
      Connection: 'close',
    })
  },
})
