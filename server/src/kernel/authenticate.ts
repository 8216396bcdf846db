import type pg from 'pg'
import { eachTenant } from '../database/each-tenant.ts'
import { type Query, sql } from '../database/statement.ts'
import { isTenantCode, type OpenTx, openTransaction, type Tx } from '../database/transaction.ts'
import type { Actor } from './actor.ts'
import { announce } from './announce.ts'
import { loadActor } from './load-actor.ts'
import { Problem } from './problem.ts'
import type { Services } from './services.ts'
import { endedProblem } from './session-ended.ts'

/** A token names its tenant in clear, so that the first statement of a request can: `bsa_<tenant>_<random><check>`. */
const tokenForm = /^bsa_([0-9]{6})_[A-Za-z0-9_-]{43}[0-9a-f]{4}$/
const bearer = /^bearer (\S{1,120})$/i

/** The tenant and token of a `Blade-Auth` header; the header only, and exactly one. */
export function readToken(header: string | string[] | undefined): { tenantId: string; token: string } {
  const token = typeof header === 'string' ? bearer.exec(header)?.[1] : undefined
  const tenantId = token ? tokenForm.exec(token)?.[1] : undefined
  if (!token || !tenantId || !isTenantCode(tenantId)) throw new Problem('unauthorized')
  return { tenantId, token }
}

export interface OpenedSession extends OpenTx {
  readonly actor: Actor
  /** The stamps asked for with `entity`: what kept counts are valid for. */
  readonly stamp: string
}

interface SessionRow {
  id: string
  user_id: string
  dept_id: string | null
  role_id: string | null
  stamp: string | null
  stamps: string | null
  stale: boolean
  locked: boolean
  seal: Buffer
}

export interface SessionWish {
  /** The entity whose stamps are asked for. */
  readonly entity?: string | undefined
  /** Keeps PostgreSQL from planning a prepared statement anew for every keyword, which costs more than the search. */
  readonly samePlan?: boolean
  /** Whose connection the request works on: the app role's, where nothing is said. */
  readonly pool?: pg.Pool
  /** The language of names that stand in two; Chinese where nothing is said. */
  readonly language?: 'zh' | 'en' | undefined
  /** A session that its person has locked may do this as well. */
  readonly whileLocked?: boolean | undefined
}

const entityName = /^[a-z0-9_]+$/

/**
 * Opens the request's transaction: in one round trip it begins, names the tenant, and reads the session with the
 * stamp of its grants, so that a logout, a withdrawn role or a disabled application holds on the very next request of every process.
 */
export async function authenticate(
  services: Services,
  header: string | string[] | undefined,
  { entity = '', samePlan = false, pool = services.pool, whileLocked = false, language }: SessionWish = {},
): Promise<OpenedSession> {
  const { tenantId, token } = readToken(header)
  const key = services.cipher.token(token)
  const hash = key.toString('hex')
  if (entity !== '' && !entityName.test(entity)) throw new Error(`not the name of an entity: ${entity}`)
  const stamps = entity
    ? `coalesce(g.entities, 0) + coalesce((select sum(e.stamp) from entity_stamp e where e.tenant_id = '${tenantId}' and e.entity = '${entity}'), 0)`
    : 'null'
  const session = (seal: string, fits: string): string =>
    `select s.id, s.user_id, ${seal} as seal, s.dept_id, s.role_id, g.stamp, ${stamps} as stamps, s.last_used < now() - interval '5 minutes' as stale, s.locked_at is not null as locked
     from session s join tenant t on t.tenant_id = s.tenant_id left join grant_stamp g on g.tenant_id = s.tenant_id
     where s.tenant_id = '${tenantId}' and ${fits} and s.revoked_at is null
       and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now())
       and exists (select 1 from client c where c.client_id = s.client_id and c.status = 1)`
  const opened = await openTransaction(
    pool,
    tenantId,
    `${language === 'en' ? "set local app.language = 'en'; " : ''}${samePlan ? 'set local plan_cache_mode = force_generic_plan; ' : ''}${session('s.access_seal', `s.access_hash = '\\x${hash}' and s.access_expires > now()`)}`,
  )
  try {
    // Asked apart, so that the usual request stays one indexed read: the token that a refresh has just replaced.
    const row =
      (opened.opening[0] as unknown as SessionRow | undefined) ??
      (await opened.tx.one<SessionRow>({
        text: session('s.prev_access_seal', `s.prev_access_hash = '\\x${hash}' and s.prev_access_until > now()`),
        values: [],
      }))
    if (!row) throw await endedProblem(opened.tx, tenantId, key)
    // A hash that was copied from the row of another session opens nothing.
    const bound = { tenantId, sessionId: row.id, userId: row.user_id, hash: key }
    if (!services.cipher.isBound(row.seal, 'access', bound)) throw new Problem('unauthorized')
    if (row.locked && !whileLocked) throw new Problem('session_locked')
    const actor = await actorOf(opened.tx, tenantId, row)
    if (row.stale)
      await opened.tx.run(sql`update session set last_used = now() where tenant_id = ${tenantId} and id = ${row.id}`)
    return { ...opened, actor, stamp: row.stamps ?? '0' }
  } catch (error) {
    await opened.rollback()
    throw error
  }
}

/** Actors by session and what it is narrowed to, each valid for one grant stamp; the oldest leave when there are too many. */
const actors = new Map<string, { stamp: string; actor: Actor }>()
const actorsKept = 5_000

/** Forgets what is remembered of everybody: memory only, the stamps decide. */
export function clearActors(): void {
  actors.clear()
}

async function actorOf(tx: Tx, tenantId: string, session: SessionRow): Promise<Actor> {
  const stamp = session.stamp ?? '0'
  const key = `${session.id}|${session.dept_id ?? ''}|${session.role_id ?? ''}`
  const kept = actors.get(key)
  if (kept?.stamp === stamp && kept.actor.tenantId === tenantId) return kept.actor
  const actor = await loadActor(tx, tenantId, session.user_id, {
    sessionId: session.id,
    deptId: session.dept_id,
    roleId: session.role_id,
  })
  if (!actor) throw new Problem('unauthorized')
  if (actors.size >= actorsKept) actors.delete(actors.keys().next().value as string)
  actors.set(key, { stamp, actor })
  return actor
}

/** The stamp of a tenant's grants, as a part of a statement. */
export const grantsStamp = (tenantId: string): Query =>
  sql`coalesce((select stamp from grant_stamp where tenant_id = ${tenantId}), 0)::text`

/** Makes every process load the tenant's actors anew on their next request: call it where rights change. */
export async function raiseGrants(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(
    sql`insert into grant_stamp (tenant_id) values (${tenantId})
        on conflict (tenant_id) do update set stamp = grant_stamp.stamp + 1`,
  )
  // Open pages ask anew what they may.
  await announce(tx, tenantId, 'session')
}

/**
 * The same for the actors of all tenants, where what all share changes. Only the platform role may: the transaction
 * names one tenant after the other, and its own again at the end.
 */
export const raiseAllGrants = (tx: Tx, ownTenant: string): Promise<void> =>
  eachTenant(tx, ownTenant, (tenantId) => raiseGrants(tx, tenantId))
