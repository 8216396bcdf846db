import type { AnswerOf } from '@data-brain/contract/call'
import type { getToken } from '@data-brain/contract/calls/auth'
import { sql } from '../../database/statement.ts'
import { lacksSecond } from '../../kernel/load-actor.ts'
import type { Services } from '../../kernel/services.ts'
import { freshLink } from '../resource/index.ts'

/** What the token answer and user-info tell of a person. Never anything of the credential but that it must be changed. */
export interface Person {
  readonly user_id: string
  readonly account: string
  readonly nick_name: string | null
  readonly real_name: string
  readonly avatar: string | null
  readonly must_change: boolean
  /** An administrator without the second factor that the tenant asks of them. */
  readonly must_second: boolean
  readonly role_ids: string | null
  readonly role_aliases: string | null
  readonly dept_ids: string | null
  readonly post_ids: string | null
}

const linked = (table: 'app_user_role' | 'app_user_dept' | 'app_user_post') =>
  sql`(select string_agg(l.target_id::text, ',' order by l.ord) from ${sql.raw(table)} l where l.tenant_id = u.tenant_id and l.owner_id = u.id)`

/** The columns of `Person`, of the table `app_user` as `u`. */
export const personColumns = sql`u.id as user_id, u.account, u.name as nick_name, u.real_name, u.avatar,
  coalesce((select k.must_change = 1 from credential k where k.tenant_id = u.tenant_id and k.user_id = u.id), false) as must_change, ${lacksSecond} as must_second,
  (select string_agg(r.role_alias, ',' order by l.ord) from app_user_role l
    join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
    where l.tenant_id = u.tenant_id and l.owner_id = u.id) as role_aliases,
  ${linked('app_user_role')} as role_ids, ${linked('app_user_dept')} as dept_ids, ${linked('app_user_post')} as post_ids`

/** Somebody has just been given tokens. */
export interface GrantedPerson extends Person {
  readonly session_id: string
  readonly expires_in: number
}

export type TokenAnswer = AnswerOf<typeof getToken>

/** The answer of the token call. An empty avatar means the console's own default image. */
export function tokenAnswer(
  services: Pick<Services, 'secrets'>,
  granted: GrantedPerson,
  pair: { access: string; refresh: string },
  tenantId: string,
  clientId: string,
): TokenAnswer {
  return {
    access_token: pair.access,
    refresh_token: pair.refresh,
    token_type: 'bearer',
    expires_in: granted.expires_in,
    scope: 'all',
    tenant_id: tenantId,
    user_id: granted.user_id,
    dept_id: granted.dept_ids ?? '',
    post_id: granted.post_ids ?? '',
    role_id: granted.role_ids ?? '',
    oauth_id: '',
    account: granted.account,
    user_name: granted.account,
    nick_name: granted.nick_name ?? granted.real_name,
    real_name: granted.real_name,
    role_name: granted.role_aliases ?? '',
    avatar: freshLink(services, { tenantId, sessionId: granted.session_id }, granted.avatar) ?? '',
    client_id: clientId,
    detail: { type: 'web' },
    license: 'Apache-2.0',
    jti: granted.session_id,
    ...(granted.must_change ? { must_change: true } : {}),
    ...(granted.must_second ? { must_second: true } : {}),
  }
}
