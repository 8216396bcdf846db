import { randomBytes } from 'node:crypto'
import { prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import type { Services } from '../../kernel/services.ts'

/*
 * What somebody is given on one leg of a log-in and comes back with on the next. The key names its tenant in clear, as
 * tokens do, so that the first statement can; the table keeps its keyed hash. Every use is one statement under the row's
 * lock: of two at once, one finds it used.
 */

export type TicketKind = 'captcha' | 'phone' | 'second' | 'social' | 'guest'

type Sealing = Pick<Services, 'cipher'>

export interface NewTicket {
  readonly tenantId: string
  readonly kind: TicketKind
  /** How long it is good for. */
  readonly seconds: number
  /** A code that must be given with it. */
  readonly code?: string
  /** What it is found by when its key was told to nobody, such as a phone. */
  readonly about?: string
  readonly userId?: string
  readonly clientId?: string
  /** Anything that JSON can carry; sealed. */
  readonly payload?: unknown
}

const form = /^bst_([0-9]{6})_[A-Za-z0-9_-]{43}$/

/** The tenant of a ticket's key; undefined of what cannot be one. */
export const tenantOfTicket = (key: string): string | undefined => form.exec(key)?.[1]

const place = (tenantId: string, hash: Buffer) => ({
  table: 'login_ticket',
  column: 'payload',
  tenantId,
  id: hash.toString('hex'),
})
const aboutHash = (cipher: Cipher, { tenantId, kind }: Pick<NewTicket, 'tenantId' | 'kind'>, about: string): Buffer =>
  cipher.hash(`ticket|${kind}|about|${about}`, tenantId)
const codeHash = (cipher: Cipher, { tenantId, kind }: Pick<NewTicket, 'tenantId' | 'kind'>, code: string): Buffer =>
  cipher.hash(`ticket|${kind}|code|${code}`, tenantId)

/** A key of 256 random bits. */
export const newKey = (tenantId: string): string => `bst_${tenantId}_${randomBytes(32).toString('base64url')}`

/** Makes a ticket and answers its key: 256 random bits, told once. */
export async function makeTicket(tx: Tx, { cipher }: Sealing, ticket: NewTicket): Promise<string> {
  const { tenantId, kind, seconds, code, about, userId, clientId, payload } = ticket
  const key = newKey(tenantId)
  const hash = cipher.token(key)
  await tx.run(
    sql`insert into login_ticket (tenant_id, hash, kind, about, code_hash, user_id, client_id, payload, expires)
        values (${tenantId}, ${hash}, ${kind}, ${about === undefined ? null : aboutHash(cipher, ticket, about)},
          ${code === undefined ? null : codeHash(cipher, ticket, code)}, ${userId ?? null}, ${clientId ?? null},
          ${payload === undefined ? null : cipher.seal(JSON.stringify(payload), place(tenantId, hash))},
          now() + ${seconds}::int * interval '1 second')`,
  )
  return key
}

/** What a ticket held. */
export interface Ticket {
  readonly userId: string | null
  readonly clientId: string | null
  readonly payload: unknown
}

interface TicketRow {
  readonly hash: Buffer
  readonly user_id: string | null
  readonly client_id: string | null
  readonly payload: Buffer | null
  readonly used: boolean
}

export interface TicketUse {
  readonly tenantId: string
  readonly kind: TicketKind
  /** Its key, or what it is about: then the newest counts. */
  readonly key?: string
  readonly about?: string
  readonly code?: string
  /** How often it may be tried; once where not given. */
  readonly tries?: number
}

const fits = sql`(coalesce(t.code_hash = ${slotValue('code')}::bytea, t.code_hash is null) and ${slotValue('spend')}::boolean)`

const attempt = prepareQuery(sql`
  update login_ticket t set tries = t.tries + 1, used_at = case when ${fits} then now() end
  where t.tenant_id = ${slotValue('tenant')} and t.kind = ${slotValue('kind')} and t.used_at is null and t.expires > now() and t.tries < ${slotValue('most')}::int
    and t.hash = coalesce(${slotValue('hash')}::bytea, (
      select n.hash from login_ticket n where n.tenant_id = ${slotValue('tenant')} and n.kind = ${slotValue('kind')} and n.about = ${slotValue('about')}::bytea
      order by n.created_at desc limit 1))
  returning t.hash, t.user_id, t.client_id, t.payload, t.used_at is not null as used`)

async function tried(
  tx: Tx,
  { cipher }: Sealing,
  { tenantId, kind, key, about, code, tries = 1 }: TicketUse,
  spend: boolean,
): Promise<(Ticket & { hash: Buffer; used: boolean }) | undefined> {
  if (key !== undefined ? tenantOfTicket(key) !== tenantId : about === undefined) return undefined
  const row = await tx.one<TicketRow>(
    attempt.with({
      tenant: tenantId,
      kind,
      most: tries,
      hash: key === undefined ? null : cipher.token(key),
      about: about === undefined ? null : aboutHash(cipher, { tenantId, kind }, about),
      code: code === undefined ? null : codeHash(cipher, { tenantId, kind }, code),
      spend,
    }),
  )
  if (!row) return undefined
  return {
    hash: row.hash,
    used: row.used,
    userId: row.user_id,
    clientId: row.client_id,
    payload: row.payload && JSON.parse(cipher.open(row.payload, place(tenantId, row.hash))),
  }
}

/**
 * Uses a ticket up and answers what it held; undefined when it is none, was used, is too old, or its code is another. A
 * wrong code counts as a try, so the transaction must be committed then too: answer what went wrong after it, not in it.
 */
export async function useTicket(tx: Tx, services: Sealing, use: TicketUse): Promise<Ticket | undefined> {
  const ticket = await tried(tx, services, use, true)
  return ticket?.used ? { userId: ticket.userId, clientId: ticket.clientId, payload: ticket.payload } : undefined
}

/**
 * Counts a try on a ticket whose fitting is judged by something else, and holds its row until the transaction ends;
 * `spend` uses it up. Undefined when it is none, was used, is too old, or was tried too often.
 */
export async function tryTicket(
  tx: Tx,
  services: Sealing,
  use: TicketUse,
): Promise<(Ticket & { spend(): Promise<void> }) | undefined> {
  const ticket = await tried(tx, services, use, false)
  return (
    ticket && {
      userId: ticket.userId,
      clientId: ticket.clientId,
      payload: ticket.payload,
      spend: async () => {
        await tx.run(
          sql`update login_ticket set used_at = now() where tenant_id = ${use.tenantId} and hash = ${ticket.hash}`,
        )
      },
    }
  )
}

/** How many seconds to wait until fewer than `of` tickets about something were made within the last `seconds`; 0 when none. */
export async function waitForTicket(
  tx: Tx,
  { cipher }: Sealing,
  about: { readonly tenantId: string; readonly kind: TicketKind; readonly about: string },
  seconds: number,
  of: number,
): Promise<number> {
  const row = await tx.one<{ wait: number }>(
    sql`select ceil(${seconds}::int - extract(epoch from clock_timestamp() - created_at))::int as wait from login_ticket
        where tenant_id = ${about.tenantId} and kind = ${about.kind} and about = ${aboutHash(cipher, about, about.about)}
        order by created_at desc offset ${of - 1} limit 1`,
  )
  return Math.max(0, row?.wait ?? 0)
}

/** Removes tickets that count for nothing any more. */
export const sweepTickets = (services: Pick<Services, 'pool'>, tenantId: string): Promise<void> =>
  inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(
      sql`delete from login_ticket where tenant_id = ${tenantId} and hash in (
            select hash from login_ticket where tenant_id = ${tenantId} and created_at < now() - interval '2 days' order by created_at limit 1000)`,
    )
  })
