import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'

/*
 * Nobody hands on, or takes power over, what they do not hold themselves.
 */

interface RoleCodes {
  readonly id: string
  readonly roleName: string
  readonly admin: boolean
  readonly codes: string[]
}

/** Roles of the tenant with the codes they carry; those that do not exist are not there. */
export async function rolesWithCodes(tx: Tx, tenantId: string, roleIds: readonly string[]): Promise<RoleCodes[]> {
  const rows = await tx.run<{ id: string; role_name: string; is_admin: number; codes: string[] }>(
    sql`select r.id, r.role_name, r.is_admin, array(
          select m.code from role_menu g join menu m on m.id = g.menu_id where g.tenant_id = r.tenant_id and g.role_id = r.id
        ) as codes from role r where r.tenant_id = ${tenantId} and r.id = any(${[...roleIds]}::bigint[])`,
  )
  return rows.map((row) => ({ id: row.id, roleName: row.role_name, admin: row.is_admin === 1, codes: row.codes }))
}

const isAdmin = (actor: Actor): boolean => actor.kind === 'machine' || actor.roles.some((role) => role.admin)

/** Whether all that a role carries is held by the actor; administrators alone hold the administrators' role. */
const covers = (actor: Actor, role: RoleCodes): boolean =>
  isAdmin(actor) || (!role.admin && role.codes.every((code) => actor.codes.has(code)))

/** Refuses roles that carry what the actor does not hold; a role that does not exist is an unknown reference. */
export async function mustCoverRoles(tx: Tx, actor: Actor, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return
  const roles = await rolesWithCodes(tx, actor.tenantId, roleIds)
  if (roles.length !== new Set(roleIds).size)
    throw new Problem('reference_unknown', { label: { zh: '角色', en: 'Role' } }, { field: 'roleId', fields: [] })
  const beyond = roles.find((role) => !covers(actor, role))
  if (beyond)
    throw new Problem(
      'rule_broken',
      {
        reason: {
          zh: `不能授予自己没有的权限:${beyond.roleName}`,
          en: `You cannot grant what you do not hold: ${beyond.roleName}`,
        },
      },
      { field: 'roleId', fields: [] },
    )
}

/** Refuses to act on users who may do more than the actor: a password reset or a removal would be a way up. */
export async function mustCoverUsers(tx: Tx, actor: Actor, userIds: readonly string[]): Promise<void> {
  const held = await tx.run<{ role: string }>(
    sql`select distinct l.target_id as role from app_user_role l where l.tenant_id = ${actor.tenantId} and l.owner_id = any(${[...userIds]}::bigint[])`,
  )
  const roles = await rolesWithCodes(
    tx,
    actor.tenantId,
    held.map((row) => row.role),
  )
  if (roles.some((role) => !covers(actor, role)))
    throw new Problem('rule_broken', {
      reason: { zh: '该用户的权限超出您的权限范围', en: 'This user may do more than you may' },
    })
}

/** Holds the tenant's administrators' roles, so that two calls cannot take the last two administrators away. */
export async function holdAdmins(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`select id from role where tenant_id = ${tenantId} and is_admin = 1 order by id for update`)
}

/** Refuses a state without an administrator who can log in; call it after the change, `holdAdmins` before. */
export async function mustKeepAdmin(tx: Tx, tenantId: string): Promise<void> {
  const left = await tx.one(
    sql`select 1 from app_user u join app_user_role l on l.tenant_id = u.tenant_id and l.owner_id = u.id
        join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
        where u.tenant_id = ${tenantId} and u.status = 1 and r.is_admin = 1 limit 1`,
  )
  if (!left)
    throw new Problem('rule_broken', {
      reason: { zh: '必须保留至少一名可登录的管理员', en: 'At least one administrator who can log in must remain' },
    })
}
