import { codeOf, type Entity, entities, personalCode, verbs } from '@data-brain/contract'
import type { StandingName } from '@data-brain/contract/scope-kinds'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { personalScopeIds } from '../../entity/personal-scope.ts'
import { standingsOf } from '../../entity/scope.ts'
import { scopeOf, scopesFor, scopesOfRole } from '../../entity/scopes-of-role.ts'
import { type Actor, type DataScope, isAdmin } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'

/*
 * Nobody hands on, or takes power over, what they do not hold themselves: neither a code, nor more rows than their own,
 * nor a call that an API scope keeps from them.
 */

/** What a role gives. */
export interface Rights {
  readonly id: string
  readonly roleName: string
  readonly admin: boolean
  readonly codes: ReadonlySet<string>
  readonly scopes: readonly DataScope[]
  /** Ids of the API scopes. */
  readonly calls: ReadonlySet<string>
}

/** Roles of the tenant with all that they give; those that do not exist are not there. */
export async function rightsOf(tx: Tx, tenantId: string, roleIds: readonly string[]): Promise<Rights[]> {
  const ids = [...roleIds]
  const rows = await tx.run<{ id: string; role_name: string; is_admin: number; codes: string[]; calls: string[] }>(
    sql`select r.id, r.role_name, r.is_admin, array(
          select m.code from role_menu_seen g join menu m on m.id = g.menu_id where g.tenant_id = r.tenant_id and g.role_id = r.id
        ) as codes, array(
          select g.scope_id::text from role_api_scope g where g.tenant_id = r.tenant_id and g.role_id = r.id
        ) as calls from role r where r.tenant_id = ${tenantId} and r.id = any(${ids}::bigint[])`,
  )
  const scopes = await tx.run<DataScope & { role: string }>(
    sql`select g.role_id as role, s.id, s.scope_name as name, s.scope_class as entity, s.scope_type as type, s.scope_column as "column", s.scope_value as value
        from role_data_scope g join data_scope s on s.tenant_id = g.tenant_id and s.id = g.scope_id
        where g.tenant_id = ${tenantId} and g.role_id = any(${ids}::bigint[])`,
  )
  return rows.map((row) => ({
    id: row.id,
    roleName: row.role_name,
    admin: row.is_admin === 1,
    codes: new Set(row.codes),
    scopes: scopes.filter((scope) => scope.role === row.id),
    calls: new Set(row.calls),
  }))
}

/** The API scopes that the actor's roles were granted; undefined for administrators, whom none binds. */
export async function heldCalls(tx: Tx, actor: Actor): Promise<ReadonlySet<string> | undefined> {
  if (isAdmin(actor)) return undefined
  const rows = await tx.run<{ id: string }>(
    sql`select distinct scope_id as id from role_api_scope where tenant_id = ${actor.tenantId}
          and role_id = any(${actor.roles.map((role) => role.id)}::bigint[])`,
  )
  return new Set(rows.map((row) => row.id))
}

/** The codes by which rows of an entity are reached. */
const codesOf = (entity: Entity): string[] => [...verbs.map((verb) => codeOf(entity, verb)), personalCode(entity)]

/** Whether what a role gives of an entity's rows is no more than what the actor has. */
export function coversRows(actor: Actor, entity: Entity, role: Pick<Rights, 'codes' | 'scopes'>): boolean {
  const codes = codesOf(entity).filter((code) => role.codes.has(code))
  if (codes.length === 0) return true
  const given = scopesOfRole(role.scopes, entity)
  return codes.every((code) => {
    const own = scopesFor(actor, entity, [code])
    if (own === undefined) return true
    const ids = new Set(own.map((scope) => scopeOf(scope).id))
    return given?.every((scope) => ids.has(scopeOf(scope).id)) ?? false
  })
}

/** Whether all that a role gives is held by the actor; administrators alone hold the administrators' role. */
const covers = (actor: Actor, role: Rights, calls: ReadonlySet<string> | undefined): boolean =>
  isAdmin(actor) ||
  (!role.admin &&
    [...role.codes].every((code) => actor.codes.has(code)) &&
    entities.every((entity) => coversRows(actor, entity, role)) &&
    [...role.calls].every((id) => calls?.has(id) ?? true))

/** Refuses roles that carry what the actor does not hold; a role that does not exist is an unknown reference. */
export async function mustCoverRoles(tx: Tx, actor: Actor, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return
  const roles = await rightsOf(tx, actor.tenantId, roleIds)
  if (roles.length !== new Set(roleIds).size)
    throw new Problem('reference_unknown', { label: { zh: '角色', en: 'Role' } }, { field: 'roleId', fields: [] })
  const calls = await heldCalls(tx, actor)
  const beyond = roles.find((role) => !covers(actor, role, calls))
  if (beyond)
    throw new Problem(
      'rule_broken',
      {
        reason: {
          zh: `不能授予自己没有的权限：${beyond.roleName}`,
          en: `You cannot grant what you do not hold: ${beyond.roleName}`,
        },
      },
      { field: 'roleId', fields: [] },
    )
}

/** Refuses to touch a role that gives more than the actor has: what it is called, or whether it is there, is not theirs to say. */
export async function mustCoverRole(tx: Tx, actor: Actor, roleId: string): Promise<void> {
  const calls = await heldCalls(tx, actor)
  if ((await rightsOf(tx, actor.tenantId, [roleId])).some((role) => !covers(actor, role, calls)))
    throw new Problem('rule_broken', {
      reason: { zh: '该角色的权限超出您的权限范围', en: 'This role may do more than you may' },
    })
}

/** What of a role's scopes depends on where its holder works, where the actor works with a part of the rows, too. */
function standingsIn(actor: Actor, role: Pick<Rights, 'codes' | 'scopes'>): readonly StandingName[] {
  const found = entities.flatMap((entity) => {
    const codes = codesOf(entity).filter((code) => role.codes.has(code))
    const own = codes.map((code) => scopesFor(actor, entity, [code]))
    if (!own.some((scopes) => scopes !== undefined && scopes.length > 0)) return []
    return (scopesOfRole(role.scopes, entity) ?? []).flatMap((scope) => standingsOf(scopeOf(scope)))
  })
  return [...new Set(found)]
}

/** What of the actor's own scopes depends on where the actor works. */
export function standingsOfActor(actor: Actor): ReadonlySet<StandingName> {
  const binding = entities.flatMap(
    (entity) =>
      scopesFor(
        actor,
        entity,
        codesOf(entity).filter((code) => actor.codes.has(code)),
      ) ?? [],
  )
  return new Set(binding.flatMap((scope) => standingsOf(scopeOf(scope))))
}

/**
 * Refuses users whom their departments and classes bring to rows that the actor does not reach: the same role, held in
 * another department, gives other rows. Call it where somebody is given a role or a department, after it is written.
 */
export async function mustStandWithin(tx: Tx, actor: Actor, userIds: readonly string[]): Promise<void> {
  if (isAdmin(actor) || userIds.length === 0 || actor.roles.every((role) => role.scopes.length === 0)) return
  const people = await tx.run<{ id: string; name: string; depts: string[]; roles: string[] }>(
    sql`select u.id, u.real_name as name, array(select d.target_id::text from app_user_dept d where d.tenant_id = u.tenant_id and d.owner_id = u.id) as depts,
          array(select l.target_id::text from app_user_role l where l.tenant_id = u.tenant_id and l.owner_id = u.id) as roles
        from app_user u where u.tenant_id = ${actor.tenantId} and u.id = any(${[...userIds]}::bigint[])`,
  )
  const rights = await rightsOf(tx, actor.tenantId, [...new Set(people.flatMap((person) => person.roles))])
  const looked = new Map(rights.map((role) => [role.id, standingsIn(actor, role)]))
  const own = new Map<StandingName, ReadonlySet<string>>()
  for (const person of people)
    for (const kind of new Set(person.roles.flatMap((role) => looked.get(role) ?? []))) {
      const mine = own.get(kind) ?? new Set(await personalScopeIds(kind, tx, actor))
      own.set(kind, mine)
      const theirs = await personalScopeIds(kind, tx, {
        tenantId: actor.tenantId,
        userId: person.id,
        deptIds: person.depts,
      })
      if (theirs.some((id) => !mine.has(id)))
        throw new Problem(
          'rule_broken',
          {
            reason: {
              zh: `“${person.name}”所在的部门或班级使其数据范围超出您的数据范围`,
              en: `The departments or classes of “${person.name}” reach rows that you do not work with`,
            },
          },
          { field: 'deptId', fields: [] },
        )
    }
}

/** Refuses to act on users who may do more than the actor: a password reset or a removal would be a way up. */
export async function mustCoverUsers(tx: Tx, actor: Actor, userIds: readonly string[]): Promise<void> {
  const held = await tx.run<{ role: string }>(
    sql`select distinct l.target_id as role from app_user_role l where l.tenant_id = ${actor.tenantId} and l.owner_id = any(${[...userIds]}::bigint[])`,
  )
  const roles = await rightsOf(
    tx,
    actor.tenantId,
    held.map((row) => row.role),
  )
  const calls = await heldCalls(tx, actor)
  if (roles.some((role) => !covers(actor, role, calls)))
    throw new Problem('rule_broken', {
      reason: { zh: '该用户的权限超出您的权限范围', en: 'This user may do more than you may' },
    })
  await mustStandWithin(tx, actor, userIds)
}

/** Whether a user may do nothing that the actor may not, as `mustCoverUsers` judges it. */
export async function isCovered(tx: Tx, actor: Actor, userId: string): Promise<boolean> {
  try {
    await mustCoverUsers(tx, actor, [userId])
    return true
  } catch (problem) {
    if (problem instanceof Problem) return false
    throw problem
  }
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
