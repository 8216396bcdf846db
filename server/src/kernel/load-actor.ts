import type { CustomField } from '@data-brain/contract/custom'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Actor, DataScope, Role } from './actor.ts'
import { routesOf } from './route-path.ts'

/** The session an actor acts in, and the one department and role that it was narrowed to. */
export interface NarrowedSession {
  readonly sessionId: string | null
  readonly deptId?: string | null
  readonly roleId?: string | null
}

interface RoleRow {
  id: string
  role_name: string
  role_alias: string
  is_admin: number
  codes: string[]
}

interface ScopeRow extends DataScope {
  role_id: string
}

/** Whether the user `u` is an administrator of whom `login.secondFactor` asks a second factor. */
export const mustHaveSecond = sql`(
  exists (select 1 from param p where p.tenant_id = u.tenant_id and p.param_key = 'login.secondFactor' and p.param_value = '1')
  and exists (select 1 from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
    where l.tenant_id = u.tenant_id and l.owner_id = u.id and r.is_admin = 1))`

/** Whether one who must have a second factor lacks it. */
export const lacksSecond = sql`(${mustHaveSecond} and not exists (select 1 from second_factor f where f.tenant_id = u.tenant_id and f.user_id = u.id and f.confirmed_at is not null))`

/**
 * The actor a user is now, or null when the user is gone or disabled. A session that was narrowed to a department or a
 * role that the user no longer has acts for nobody's: it holds nothing.
 */
export async function loadActor(
  tx: Tx,
  tenantId: string,
  userId: string,
  narrowed: NarrowedSession,
): Promise<Actor | null> {
  const user = await tx.one<{
    account: string
    real_name: string
    status: number
    must_change: number | null
    must_second: boolean
    depts: string[]
    custom: CustomField[] | null
  }>(
    sql`select u.account, u.real_name, u.status, c.must_change, ${lacksSecond} as must_second,
          array(select d.target_id from app_user_dept d where d.tenant_id = u.tenant_id and d.owner_id = u.id order by d.ord)::text[] as depts,
          ${customFields} as custom
        from app_user u left join credential c on c.tenant_id = u.tenant_id and c.user_id = u.id
        where u.tenant_id = ${tenantId} and u.id = ${userId}`,
  )
  if (user?.status !== 1) return null
  const held = await tx.run<RoleRow>(
    sql`select r.id, r.role_name, r.role_alias, r.is_admin, array(
          select m.code from role_menu_seen g join menu m on m.id = g.menu_id
          where g.tenant_id = r.tenant_id and g.role_id = r.id and m.platform_only = 0
        ) as codes from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
        where l.tenant_id = ${tenantId} and l.owner_id = ${userId} order by l.ord`,
  )
  const rows = narrowed.roleId ? held.filter((role) => role.id === narrowed.roleId) : held
  const roleIds = rows.map((role) => role.id)
  const admin = rows.some((role) => role.is_admin === 1)
  const platform = admin && tenantId === '000000'
  const scopes = admin ? [] : await scopesOf(tx, tenantId, roleIds)
  const codes = admin
    ? (await tx.run<{ code: string }>(sql`select code from menu where platform_only = 0 or ${platform}`)).map(
        (row) => row.code,
      )
    : rows.flatMap((role) => role.codes)
  const deptIds = narrowed.deptId ? user.depts.filter((id) => id === narrowed.deptId) : user.depts
  return {
    kind: 'user',
    tenantId,
    userId,
    name: user.real_name,
    account: user.account,
    deptId: deptIds[0] ?? null,
    deptIds,
    sessionId: narrowed.sessionId,
    codes: new Set(codes),
    roles: rows.map(
      (role): Role => ({
        id: role.id,
        name: role.role_name,
        alias: role.role_alias,
        admin: role.is_admin === 1,
        codes: new Set(role.codes),
        scopes: scopes.filter((scope) => scope.role_id === role.id).map(({ role_id: _, ...scope }) => scope),
      }),
    ),
    refused: admin ? new Set() : await refusedOf(tx, tenantId, roleIds),
    platform,
    mustChange: user.must_change === 1,
    mustSecond: user.must_second,
    custom: sharedCustom(tenantId, user.custom),
  }
}

/** What each tenant was last found to have: what is derived from it, is derived once. */
const customKept = new Map<string, { text: string; fields: readonly CustomField[] }>()
const customTenantsKept = 1_000

/** The fields of the tenant of the user `u` that are in use, in their order; null where there are none. */
const customFields = sql`(select jsonb_agg(jsonb_build_object('id', f.id::text, 'owner', f.owner, 'label', f.label, 'labelEn', f.label_en,
    'kind', f.kind, 'options', coalesce(f.options, '[]'), 'maxLength', f.max_length, 'digits', f.digits, 'minimum', f.minimum, 'maximum', f.maximum,
    'required', coalesce(f.required, 0) = 1, 'hint', f.hint) order by f.sort nulls last, f.id)
  from customfield f where f.tenant_id = u.tenant_id and f.status = 1)`

/** The one list of a tenant's own fields for all of its actors, for as long as it says the same. */
function sharedCustom(tenantId: string, fields: CustomField[] | null): readonly CustomField[] | undefined {
  if (!fields) return undefined
  const text = JSON.stringify(fields)
  const kept = customKept.get(tenantId)
  if (kept?.text === text) return kept.fields
  customKept.delete(tenantId)
  if (customKept.size >= customTenantsKept) customKept.delete(customKept.keys().next().value as string)
  customKept.set(tenantId, { text, fields })
  return fields
}

const scopesOf = (tx: Tx, tenantId: string, roleIds: readonly string[]): Promise<ScopeRow[]> =>
  tx.run<ScopeRow>(
    sql`select g.role_id, s.id, s.scope_name as name, s.scope_class as entity, s.scope_type as type, s.scope_column as "column", s.scope_value as value
        from role_data_scope g join data_scope s on s.tenant_id = g.tenant_id and s.id = g.scope_id
        where g.tenant_id = ${tenantId} and g.role_id = any(${[...roleIds]}::bigint[]) order by s.id`,
  )

/** The calls that some API scope governs and none of the roles was granted. */
async function refusedOf(tx: Tx, tenantId: string, roleIds: readonly string[]): Promise<ReadonlySet<string>> {
  const scopes = await tx.run<{ scope_path: string; granted: boolean }>(
    sql`select s.scope_path, exists (select 1 from role_api_scope g where g.tenant_id = s.tenant_id and g.scope_id = s.id
          and g.role_id = any(${[...roleIds]}::bigint[])) as granted
        from api_scope s where s.tenant_id = ${tenantId}`,
  )
  const granted = new Set(scopes.filter((scope) => scope.granted).flatMap((scope) => routesOf(scope.scope_path)))
  return new Set(
    scopes
      .filter((scope) => !scope.granted)
      .flatMap((scope) => routesOf(scope.scope_path))
      .filter((key) => !granted.has(key)),
  )
}
