import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { clearCounts } from '../../entity/counts.ts'
import { clearActors, raiseGrants, readToken, tokenHash } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import { publicRoute, type Route, route } from '../../kernel/route.ts'
import { authorize } from '../../kernel/serve.ts'
import { freshLink } from '../resource/index.ts'
import { asCaller, refuseCrossSite } from './caller.ts'
import { type Person, personColumns } from './person.ts'

/**
 * Ends the session whose token the header names, also when that token has run out meanwhile: its refresh token must not
 * live on. Again and again answers the same. Public for the router, because an ended session may still say so.
 */
const logout = publicRoute({
  method: 'GET',
  path: '/blade-auth/oauth/logout',
  summary: { zh: '退出登录', en: 'Log out' },
  access: 'public',
  handler: async ({ services, headers }) => {
    const { tenantId, token } = readToken(headers['blade-auth'])
    refuseCrossSite(headers)
    const hash = tokenHash(token)
    const ended = await inTenant(services.pool, tenantId, (tx) =>
      tx.count(
        sql`update session set revoked_at = coalesce(revoked_at, now()), revoked_reason = coalesce(revoked_reason, 'logout')
            where tenant_id = ${tenantId} and (access_hash = ${hash} or prev_access_hash = ${hash})`,
      ),
    )
    if (ended === 0) throw new Problem('unauthorized')
    return null
  },
})

const userInfo = route({
  method: 'GET',
  path: '/blade-auth/oauth/user-info',
  summary: { zh: '当前用户', en: 'Who is logged in' },
  access: 'session',
  beforeChange: true,
  handler: async ({ services, tx, actor }) => {
    const person = await tx.one<Person & { tenant_name: string }>(
      sql`select ${personColumns}, t.tenant_name from app_user u join tenant t on t.tenant_id = u.tenant_id
          where u.tenant_id = ${actor.tenantId} and u.id = ${actor.userId}`,
    )
    if (!person) throw new Problem('unauthorized')
    return {
      userId: person.user_id,
      tenantId: actor.tenantId,
      tenantName: person.tenant_name,
      account: person.account,
      userName: person.account,
      nickName: person.nick_name ?? person.real_name,
      realName: person.real_name,
      avatar: freshLink(services, actor.tenantId, person.avatar) ?? '',
      roleId: person.role_ids ?? '',
      roleName: person.role_aliases ?? '',
      deptId: person.dept_ids ?? '',
      postId: person.post_ids ?? '',
      oauthId: '',
      roles: actor.roles.map((role) => role.alias),
      permissions: [...actor.codes].sort(),
      mustChange: person.must_change,
      detail: { type: 'web' },
    }
  },
})

/** When a session last cleared the cache, in ms; the oldest leave when there are too many. */
const cleared = new Map<string, number>()

/** Forgets what this process remembers of counts and people, and makes every other one read people anew. */
const clearCache = publicRoute({
  method: 'GET',
  path: '/blade-auth/oauth/clear-cache',
  summary: { zh: '清除缓存', en: 'Clear the cache' },
  access: 'public',
  handler: async ({ services, headers }) => {
    readToken(headers['blade-auth'])
    refuseCrossSite(headers)
    await asCaller(services, headers, async ({ tx, actor }) => {
      authorize({ access: 'session' }, actor)
      const session = actor.sessionId ?? ''
      const now = performance.now()
      if (now - (cleared.get(session) ?? Number.NEGATIVE_INFINITY) < 60_000) throw new Problem('too_many')
      cleared.delete(session)
      if (cleared.size >= 5_000) cleared.delete(cleared.keys().next().value as string)
      cleared.set(session, now)
      await raiseGrants(tx, actor.tenantId)
    })
    clearCounts()
    clearActors()
    return null
  },
})

export const sessionRoutes: Route[] = [logout, userInfo, clearCache]
