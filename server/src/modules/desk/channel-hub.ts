import { Readable } from 'node:stream'
import pg from 'pg'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { channelName, type MarkKind, readMark } from '../../kernel/announce.ts'
import type { Services } from '../../kernel/services.ts'

/** Channels that one session may hold open in one process: as many browser tabs. */
export const channelsMost = 3
/** Channels that one person may hold open in one process, by all their sessions together. */
export const personMost = 30
const heartbeatMs = 25_000
const recheckMs = 60_000
/** Marks that come close together are worked off at once. */
const gatherMs = 50
/** Somebody who reads no more than this behind is gone. */
const behindMost = 16_384
const retryFirstMs = 500
const retryMostMs = 30_000
const answerMs = 5_000
const stopMs = 1_000

const passing = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms).unref())

/** Who holds a channel open, as it was when it was opened. */
export interface ChannelHolder {
  readonly tenantId: string
  readonly userId: string
  readonly sessionId: string
  /** Stamp of the tenant's grants. */
  readonly stamp: string
}

class Channel {
  readonly stream: Readable
  readonly userId: string
  readonly sessionId: string
  readonly mayStill: () => Promise<boolean>
  stamp: string
  constructor(holder: ChannelHolder, mayStill: () => Promise<boolean>) {
    this.userId = holder.userId
    this.sessionId = holder.sessionId
    this.stamp = holder.stamp
    this.mayStill = mayStill
    this.stream = new Readable({ read: () => {} })
    // Without a listener an aborted connection would end the process.
    this.stream.on('error', () => {})
  }
  write(text: string): void {
    if (this.stream.destroyed || this.stream.readableEnded) return
    if (this.stream.readableLength > behindMost) this.stream.destroy()
    else this.stream.push(text)
  }
  end(): void {
    if (!this.stream.destroyed) this.stream.push(null)
  }
}

const eventText = (kind: MarkKind | 'ready' | 'rights', data: object = {}): string =>
  `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`

/** Kinds of news by user; under `*` for the whole tenant. */
type Gathered = Map<string, Set<MarkKind>>

/**
 * The live channels of one process. It hears of news on one connection of its own, and passes them on to those whose
 * session still stands: each is looked up anew at every event and every minute.
 */
export class Hub {
  readonly #services: Pick<Services, 'pool' | 'log' | 'direct'>
  readonly #channels = new Map<string, Set<Channel>>()
  readonly #gathered = new Map<string, Gathered>()
  readonly #timers: NodeJS.Timeout[] = []
  #gathering: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #client: pg.Client | undefined
  #tries = 0
  #listening = false
  #stopped = false

  constructor(services: Pick<Services, 'pool' | 'log' | 'direct'>) {
    this.#services = services
    this.#timers.push(
      setInterval(() => this.#beat(), heartbeatMs).unref(),
      setInterval(() => void this.#recheck(), recheckMs).unref(),
    )
    void this.#connect()
  }

  /** Open channels of this process. */
  get size(): number {
    return [...this.#channels.values()].reduce((sum, each) => sum + each.size, 0)
  }

  /** Whether the database's notifications are heard at this moment. */
  get listening(): boolean {
    return this.#listening
  }

  /** Whether a session, and the person whose it is, may open one more. */
  hasRoom({ tenantId, userId, sessionId }: ChannelHolder): boolean {
    const own = [...(this.#channels.get(tenantId) ?? [])].filter((channel) => channel.userId === userId)
    return own.length < personMost && own.filter((channel) => channel.sessionId === sessionId).length < channelsMost
  }

  /** Opens a channel for at most `seconds`; `mayStill` asks whether its holder may have it, when rights have changed. */
  open(holder: ChannelHolder, seconds: number, mayStill: () => Promise<boolean>): Readable {
    const channel = new Channel(holder, mayStill)
    const channels = this.#channels.get(holder.tenantId) ?? new Set()
    this.#channels.set(holder.tenantId, channels.add(channel))
    const over = setTimeout(() => channel.end(), seconds * 1000).unref()
    channel.stream.once('close', () => {
      clearTimeout(over)
      channels.delete(channel)
      if (channels.size === 0 && this.#channels.get(holder.tenantId) === channels)
        this.#channels.delete(holder.tenantId)
    })
    // Whoever read what they may before the channel stood sees by the stamp whether that still holds.
    channel.write(`retry: 3000\n${eventText('ready', { rightsStamp: holder.stamp })}`)
    if (this.#stopped) channel.end()
    return channel.stream
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of [...this.#timers, this.#gathering, this.#retry]) clearTimeout(timer)
    for (const channel of this.#all()) channel.end()
    // A connection that is just being made, or whose other side is gone, may never say that it has ended.
    await Promise.race([this.#client?.end().catch(() => {}), passing(stopMs)])
  }

  #all(): Channel[] {
    return [...this.#channels.values()].flatMap((channels) => [...channels])
  }

  #beat(): void {
    for (const channel of this.#all()) channel.write(':\n\n')
  }

  async #connect(): Promise<void> {
    // The pool's own settings lead to the same database as the same role. As they are: a copy would lack the password.
    const client = new pg.Client(this.#services.direct ?? (this.#services.pool.options as pg.ClientConfig))
    this.#client = client
    const lost = (): void => this.#lost(client)
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => this.#hear(payload))
    try {
      await client.connect()
      await client.query(`listen ${channelName}`)
      if (this.#client !== client || this.#stopped) return
      this.#listening = true
      // What was said meanwhile is not said again: everybody looks.
      if (this.#tries > 0)
        for (const tenantId of this.#channels.keys()) this.#gather(tenantId, '*', ['notice', 'message', 'task'])
      this.#tries = 0
    } catch (error) {
      this.#services.log.warn('live push hears nothing', { error: (error as Error).message })
      lost()
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#listening = false
    client.end().catch(() => {})
    this.#again()
  }

  #again(): void {
    if (this.#stopped) return
    const wait = Math.min(retryMostMs, retryFirstMs * 2 ** this.#tries) * (0.5 + Math.random() / 2)
    this.#tries += 1
    this.#retry = setTimeout(() => void this.#connect(), wait).unref()
  }

  #hear(payload: string | undefined): void {
    const mark = readMark(payload)
    if (!mark || !this.#channels.has(mark.tenantId)) return
    for (const user of mark.users ?? ['*']) this.#gather(mark.tenantId, user, [mark.kind])
  }

  #gather(tenantId: string, user: string, kinds: readonly MarkKind[]): void {
    const gathered: Gathered = this.#gathered.get(tenantId) ?? new Map()
    gathered.set(user, new Set([...(gathered.get(user) ?? []), ...kinds]))
    this.#gathered.set(tenantId, gathered)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      const news = [...this.#gathered]
      this.#gathered.clear()
      for (const [tenant, each] of news) void this.#pass(tenant, each)
    }, gatherMs).unref()
  }

  async #pass(tenantId: string, gathered: Gathered): Promise<void> {
    const kindsFor = ({ userId }: Channel): MarkKind[] => [
      ...new Set([...(gathered.get('*') ?? []), ...(gathered.get(userId) ?? [])]),
    ]
    const meant = [...(this.#channels.get(tenantId) ?? [])].filter((channel) => kindsFor(channel).length > 0)
    for (const channel of await this.#standing(tenantId, meant))
      for (const kind of kindsFor(channel)) if (kind !== 'session') channel.write(eventText(kind))
  }

  async #recheck(): Promise<void> {
    for (const [tenantId, channels] of this.#channels) await this.#standing(tenantId, [...channels])
    // A connection that was cut without a word shows itself here.
    const client = this.#client
    if (!client || !this.#listening) return
    const answered = client.query('select 1').then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([answered, passing(answerMs).then(() => false)]))) this.#lost(client)
  }

  /** Those of the channels whose holder may still have them; the others are ended, also where nobody can tell. */
  async #standing(tenantId: string, channels: readonly Channel[]): Promise<Channel[]> {
    if (channels.length === 0) return []
    const stamps = await this.#sessions(tenantId, [...new Set(channels.map((channel) => channel.sessionId))]).catch(
      (error: Error) => {
        this.#services.log.warn('live channels could not be checked', { error: error.message })
        return new Map<string, string>()
      },
    )
    const left: Channel[] = []
    for (const channel of channels) {
      const stamp = stamps.get(channel.sessionId)
      const stands = stamp !== undefined && (stamp === channel.stamp || (await channel.mayStill()))
      if (stands) {
        if (stamp !== channel.stamp) channel.write(eventText('rights'))
        channel.stamp = stamp
        left.push(channel)
      } else channel.end()
    }
    return left
  }

  /** The stamp of the grants, for each of these sessions that is still logged in. */
  async #sessions(tenantId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await inTenant(this.#services.pool, tenantId, (tx) =>
      tx.run<{ id: string; stamp: string }>(
        sql`select s.id, coalesce(g.stamp, 0)::text as stamp from session s
            join tenant t on t.tenant_id = s.tenant_id and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now())
            join app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.status = 1
            left join grant_stamp g on g.tenant_id = s.tenant_id
            where s.tenant_id = ${tenantId} and s.id = any(${[...ids]}::bigint[]) and s.revoked_at is null
              and s.locked_at is null and s.access_expires > now()`,
      ),
    )
    return new Map(rows.map((row) => [row.id, row.stamp]))
  }
}

const hubs = new WeakMap<object, Hub>()

/** The one hub of a process, made when the first channel is opened. */
export function hubOf(services: Services): Hub {
  const hub = hubs.get(services.pool) ?? new Hub(services)
  hubs.set(services.pool, hub)
  return hub
}

/** How many channels a server holds open, and whether it hears of news; who has none open need not hear. */
export function liveState(services: Pick<Services, 'pool'>): { channels: number; listening: boolean } {
  const hub = hubs.get(services.pool)
  return { channels: hub?.size ?? 0, listening: hub?.listening ?? true }
}

/** Ends all live channels of a server and hears no more; a server stops only when nobody holds a connection open. */
export async function stopLive(services: Pick<Services, 'pool'>): Promise<void> {
  await hubs.get(services.pool)?.stop()
}
