import { entities } from '@data-brain/contract'
import { clearCache, logOut, whoAmI } from '@data-brain/contract/calls/auth'
import type { CustomField } from '@data-brain/contract/custom'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { clearCounts } from '../../entity/counts.ts'
import { clearMasks } from '../../entity/personal.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import type { Actor } from '../../kernel/actor.ts'
import { announce } from '../../kernel/announce.ts'
import { clearActors, grantsStamp, raiseGrants, readToken } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { freshLink } from '../resource/index.ts'
import { type Person, personColumns } from './person.ts'
import { siteSettings } from './site.ts'

/**
 * Ends the session whose token the header names, also when that token has run out meanwhile: its refresh token must not
 * live on. Again and again answers the same. Detached, because an ended session may still say so.
 */
const logout = onDetached(
  logOut,
  async (_, { services, headers }) => {
    const { tenantId, token } = readToken(headers['blade-auth'])
    const hash = services.cipher.token(token)
    const ended = await inTenant(services.pool, tenantId, async (tx) => {
      const rows = await tx.run<{ user_id: string }>(
        sql`update session set revoked_at = coalesce(revoked_at, now()), revoked_reason = coalesce(revoked_reason, 'logout')
            where tenant_id = ${tenantId} and (access_hash = ${hash} or prev_access_hash = ${hash}) returning user_id`,
      )
      await announce(
        tx,
        tenantId,
        'session',
        rows.map((row) => row.user_id),
      )
      return rows.length
    })
    if (ended === 0) throw new Problem('unauthorized')
  },
  { always: true, beforeChange: true, judgesToken: true },
)

const userInfo = on(
  whoAmI,
  async (_, { services, tx, actor }) => {
    const person = await tx.one<Person & { tenant_name: string; several_schools: boolean; stamp: string }>(
      sql`select ${personColumns}, t.tenant_name, ${grantsStamp(actor.tenantId)} as stamp,
            (select count(*) > 1 from (select from school s where s.tenant_id = t.tenant_id limit 2) s) as several_schools
          from app_user u join tenant t on t.tenant_id = u.tenant_id
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
      avatar: freshLink(services, actor, person.avatar) ?? '',
      // Of a session that was narrowed, what it works as.
      roleId: actor.roles.map((role) => role.id).join(','),
      roleName: actor.roles.map((role) => role.alias).join(','),
      deptId: actor.deptIds.join(','),
      postId: person.post_ids ?? '',
      oauthId: '',
      roles: actor.roles.map((role) => role.alias),
      permissions: [...actor.codes].sort(),
      mustChange: person.must_change,
      mustSecond: person.must_second,
      severalSchools: person.several_schools,
      rightsStamp: person.stamp,
      ...ownFields(actor),
      ...(await siteSettings(tx, actor)),
      detail: { type: 'web' },
    }
  },
  { always: true, beforeChange: true, whileLocked: true },
)

/** The tenant's own fields of what the actor works with; a tenant without them is told of none. */
function ownFields({ custom, codes }: Actor): { customFields?: readonly CustomField[] } {
  const held = new Set([...codes].map((code) => code.slice(0, code.indexOf('_'))))
  const fields = custom?.filter(({ owner }) => held.has(owner))
  return fields && fields.length > 0 ? { customFields: fields } : {}
}

/** When a session last cleared the cache, in ms; the oldest leave when there are too many. */
const cleared = new Map<string, number>()

/**
 * Forgets what this process remembers: counts, people, masks. Every other process sees by the stamps, which it reads
 * with each request, that what it remembers of this tenant's people and counts holds no more. (Compiled statements hold
 * no data, and parameters are not remembered at all.)
 */
const clearing = onDetached(
  clearCache,
  async (_, { as }) => {
    await as(async ({ tx, actor }) => {
      const session = actor.sessionId ?? ''
      const now = performance.now()
      if (now - (cleared.get(session) ?? Number.NEGATIVE_INFINITY) < 60_000) throw new Problem('too_many')
      cleared.delete(session)
      if (cleared.size >= 5_000) cleared.delete(cleared.keys().next().value as string)
      cleared.set(session, now)
      await raiseGrants(tx, actor.tenantId)
      for (const { name } of entities) await raiseStamp(tx, actor.tenantId, name)
    })
    clearCounts()
    clearActors()
    clearMasks()
  },
  { always: true },
)

export const sessionRoutes: Route[] = [logout, userInfo, clearing]
