import { liveNews } from '@data-brain/contract/calls/desk'
import { sql } from '../../database/statement.ts'
import { onDetached } from '../../entity/serve-call.ts'
import { grantsStamp } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import { RawResponse, type Route } from '../../kernel/route.ts'
import { type ChannelHolder, hubOf } from './channel-hub.ts'

/** One channel per console, on which it hears that there is something new; what it is, it asks by the usual calls. */
export const liveRoute: Route = onDetached(liveNews, async ({ seconds }, { services, as }) => {
  const holder = await as<ChannelHolder>(async ({ tx, actor }) => {
    const row = await tx.one<{ stamp: string }>(sql`select ${grantsStamp(actor.tenantId)} as stamp`)
    const { tenantId, userId, sessionId } = actor
    if (userId === null || sessionId === null) throw new Problem('unauthorized')
    return { tenantId, userId, sessionId, stamp: row?.stamp ?? '0' }
  })
  const hub = hubOf(services)
  if (!hub.hasRoom(holder)) throw new Problem('too_many')
  const mayStill = (): Promise<boolean> => as(async () => true).catch(() => false)
  return new RawResponse(hub.open(holder, seconds, mayStill), 200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // A proxy that gathers an answer before it passes it on would keep the news to itself.
    'X-Accel-Buffering': 'no',
    'Cache-Control': 'no-store, no-transform',
    // A connection that outlives its channel would keep a server that stops waiting for it.
    Connection: 'close',
  })
})
