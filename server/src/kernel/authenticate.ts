import { createHash } from 'node:crypto'
import { sql } from '../database/statement.ts'
import { isTenantCode, type OpenTx, open, type Tx } from '../database/transaction.ts'
import type { Actor, Role } from './actor.ts'
import { Problem } from './problem.ts'
import type { Services } from './services.ts'

/** A token names its tenant in clear, so that the first statement of a request can: `bsa_<tenant>_<random><check>`. */
const tokenForm = /^bsa_([0-9]{6})_[A-Za-z0-9_-]{43}[0-9a-f]{4}$/
const bearer = /^bearer (\S{1,120})$/i

/** SHA-256 of a token: what the database keeps. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The tenant and token of a `Blade-Auth` header; the header only, and exactly one. */
export function readToken(header: string | string[] | undefined): { tenantId: string; token: string } {
  const token = typeof header === 'string' ? bearer.exec(header)?.[1] : undefined
  const tenantId = token ? tokenForm.exec(token)?.[1] : undefined
  if (!token || !tenantId || !isTenantCode(tenantId)) throw new Problem('unauthorized')
  return { tenantId, token }
}

export interface Opened extends OpenTx {
  readonly actor: Actor
  /** The stamps asked for with `entity`: what kept counts are valid for. */
  readonly stamp: string
}

interface SessionRow {
  id: string
  user_id: string
  stamp: string | null
  stamps: string | null
  stale: boolean
}

const entityName = /^[a-z0-9]+$/

/**
 * Opens the request's transaction: in one round trip it begins, names the tenant, and reads the session with the
 * stamp of its grants, so that a logout or a withdrawn role holds on the very next request of every process.
 * `samePlan` keeps PostgreSQL from planning a prepared statement anew for every keyword, which costs more than the search.
 */
export async function authenticate(
  services: Services,
  header: string | string[] | undefined,
  entity = '',
  samePlan = false,
): Promise<Opened> {
  const { tenantId, token } = readToken(header)
  const hash = tokenHash(token).toString('hex')
  const stamps = entityName.test(entity)
    ? `(select sum(e.stamp) from entity_stamp e where e.tenant_id = '${tenantId}' and e.entity = '${entity}')`
    : 'null'
  const session = (fits: string): string =>
    `select s.id, s.user_id, g.stamp, ${stamps} as stamps, s.last_used < now() - interval '5 minutes' as stale
     from session s join tenant t on t.tenant_id = s.tenant_id left join grant_stamp g on g.tenant_id = s.tenant_id
     where s.tenant_id = '${tenantId}' and ${fits} and s.revoked_at is null
       and t.status = 1 and (t.expire_time is null or t.expire_time > now())`
  const opened = await open(
    services.pool,
    tenantId,
    `${samePlan ? 'set local plan_cache_mode = force_generic_plan; ' : ''}${session(`s.access_hash = '\\x${hash}' and s.access_expires > now()`)}`,
  )
  try {
    // Asked apart, so that the usual request stays one indexed read: the token that a refresh has just replaced.
    const row =
      (opened.opening[0] as unknown as SessionRow | undefined) ??
      (await opened.tx.one<SessionRow>({
        text: session(`s.prev_access_hash = '\\x${hash}' and s.prev_access_until > now()`),
        values: [],
      }))
    if (!row) throw new Problem('unauthorized')
    const actor = await actorOf(opened.tx, tenantId, row)
    if (row.stale)
      await opened.tx.run(sql`update session set last_used = now() where tenant_id = ${tenantId} and id = ${row.id}`)
    return { ...opened, actor, stamp: row.stamps ?? '0' }
  } catch (error) {
    await opened.rollback()
    throw error
  }
}

/** Actors by session, each valid for one grant stamp; the oldest leave when there are too many. */
const actors = new Map<string, { stamp: string; actor: Actor }>()
const actorsKept = 5_000

/** Forgets what is remembered of everybody: memory only, the stamps decide. */
export function clearActors(): void {
  actors.clear()
}

async function actorOf(tx: Tx, tenantId: string, session: SessionRow): Promise<Actor> {
  const stamp = session.stamp ?? '0'
  const kept = actors.get(session.id)
  if (kept?.stamp === stamp && kept.actor.tenantId === tenantId) return kept.actor
  const actor = await loadActor(tx, tenantId, session.user_id, session.id)
  if (!actor) throw new Problem('unauthorized')
  if (actors.size >= actorsKept) actors.delete(actors.keys().next().value as string)
  actors.set(session.id, { stamp, actor })
  return actor
}

/** The actor a user is now, or null when the user is gone or disabled. */
export async function loadActor(
  tx: Tx,
  tenantId: string,
  userId: string,
  sessionId: string | null,
): Promise<Actor | null> {
  const user = await tx.one<{
    account: string
    real_name: string
    status: number
    must_change: number | null
    dept: string | null
  }>(
    sql`select u.account, u.real_name, u.status, c.must_change,
          (select d.target_id from app_user_dept d where d.tenant_id = u.tenant_id and d.owner_id = u.id order by d.ord limit 1) as dept
        from app_user u left join credential c on c.tenant_id = u.tenant_id and c.user_id = u.id
        where u.tenant_id = ${tenantId} and u.id = ${userId}`,
  )
  if (user?.status !== 1) return null
  const roles = await tx.run<{ id: string; role_name: string; role_alias: string; is_admin: number }>(
    sql`select r.id, r.role_name, r.role_alias, r.is_admin from app_user_role l
        join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
        where l.tenant_id = ${tenantId} and l.owner_id = ${userId} order by l.ord`,
  )
  const admin = roles.some((role) => role.is_admin === 1)
  const platform = admin && tenantId === '000000'
  const codes = admin
    ? await tx.run<{ code: string }>(sql`select code from menu where platform_only = 0 or ${platform}`)
    : await tx.run<{ code: string }>(
        sql`select distinct m.code from role_menu g join menu m on m.id = g.menu_id
            where g.tenant_id = ${tenantId} and g.role_id = any(${roles.map((role) => role.id)}::bigint[]) and m.platform_only = 0`,
      )
  return {
    kind: 'user',
    tenantId,
    userId,
    name: user.real_name,
    account: user.account,
    deptId: user.dept,
    sessionId,
    codes: new Set(codes.map((row) => row.code)),
    roles: roles.map(
      (role): Role => ({ id: role.id, name: role.role_name, alias: role.role_alias, admin: role.is_admin === 1 }),
    ),
    platform,
    mustChange: user.must_change === 1,
  }
}

/** Makes every process load the tenant's actors anew on their next request: call it where rights change. */
export async function raiseGrants(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(
    sql`insert into grant_stamp (tenant_id) values (${tenantId})
        on conflict (tenant_id) do update set stamp = grant_stamp.stamp + 1`,
  )
}
