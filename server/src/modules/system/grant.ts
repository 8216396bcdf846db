import { entities, role, type Words } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { grantableTrees, grantedKeys } from '@data-brain/contract/calls/menu'
import { grantToRoles, previewGrant } from '@data-brain/contract/calls/role'
import { sql } from '../../database/statement.ts'
import { givenBetween, recordGiven } from '../../entity/given-fields.ts'
import { modelOf } from '../../entity/model.ts'
import { nameRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { mustStillBe, stampOf } from './given-stamp.ts'
import { menuNames, scopeNames } from './grant-names.ts'
import { coversRows, heldCalls, type Rights, rightsOf } from './held-rights.ts'
import { heldMenus, titledMenus } from './menu.ts'
import { takeOnGrants } from './shared-grants.ts'
import { type TreeNode, treeOf, withAncestors } from './tree.ts'

/*
 * What roles are granted: menus with their buttons, data scopes and API scopes. Of each the caller moves only what the
 * caller holds; the rest of a role stays as it is.
 */

const kinds = ['menu', 'dataScope', 'apiScope'] as const
type Kind = (typeof kinds)[number]

type Sent = InputOf<typeof previewGrant>

const tables: Record<
  Kind,
  { table: string; seen: string; column: string; field: 'menuIds' | 'dataScopeIds' | 'apiScopeIds'; label: Words }
> = {
  menu: {
    table: 'role_menu',
    seen: 'role_menu_seen',
    column: 'menu_id',
    field: 'menuIds',
    label: { zh: '菜单和按钮', en: 'Menus and buttons' },
  },
  dataScope: {
    table: 'role_data_scope',
    seen: 'role_data_scope',
    column: 'scope_id',
    field: 'dataScopeIds',
    label: { zh: '数据权限', en: 'Data scopes' },
  },
  apiScope: {
    table: 'role_api_scope',
    seen: 'role_api_scope',
    column: 'scope_id',
    field: 'apiScopeIds',
    label: { zh: '接口权限', en: 'API scopes' },
  },
}

/** Something that can be granted, with its name in the caller's language. */
interface Grantable {
  readonly id: string
  readonly title: string
  readonly menuId: string | null
}

async function scopesHeld(call: Call, kind: 'dataScope' | 'apiScope'): Promise<Grantable[]> {
  const { tx, actor } = call
  const table = nameRef(kind === 'dataScope' ? 'data_scope' : 'api_scope')
  const rows = await tx.run<Grantable>(
    sql`select s.id, s.scope_name as title, s.menu_id as "menuId" from ${table} s where s.tenant_id = ${actor.tenantId} order by s.resource_code, s.id`,
  )
  if (isAdmin(actor)) return rows
  const held =
    kind === 'apiScope'
      ? ((await heldCalls(tx, actor)) ?? new Set())
      : new Set(actor.roles.flatMap((each) => each.scopes.map((scope) => scope.id)))
  return rows.filter((row) => held.has(row.id))
}

/** The menus that can be handed on: those of the platform's administrators are nobody else's. */
const menusHeld = async (call: Call) =>
  titledMenus(await heldMenus(call.tx, call.actor), call.circumstance).filter((menu) => menu.platformOnly === 0)

/** All that the caller may hand on, by kind. */
async function grantable(call: Call): Promise<Record<Kind, Map<string, Grantable>>> {
  const menus = await menusHeld(call)
  const byId = (rows: readonly Grantable[]): Map<string, Grantable> => new Map(rows.map((row) => [row.id, row]))
  return {
    menu: byId(menus.map(({ id, title, parentId }) => ({ id, title, menuId: parentId }))),
    dataScope: byId(await scopesHeld(call, 'dataScope')),
    apiScope: byId(await scopesHeld(call, 'apiScope')),
  }
}

async function granted(call: Call, kind: Kind, roleIds: readonly string[]): Promise<{ role: string; id: string }[]> {
  const { seen, column } = tables[kind]
  return call.tx.run(
    sql`select role_id as role, ${nameRef(column)} as id from ${nameRef(seen)} where tenant_id = ${call.actor.tenantId} and role_id = any(${[...roleIds]}::bigint[])`,
  )
}

interface Wish {
  readonly roleIds: readonly string[]
  readonly roles: AnswerOf<typeof previewGrant>['roles']
  readonly ids: Record<Kind, readonly string[]>
  readonly own: Record<Kind, Map<string, Grantable>>
}

/** Reads a wish, holds its roles, and refuses what the caller does not hold. */
async function wishOf(sent: Sent, call: Call): Promise<Wish> {
  const { tx, actor } = call
  const { roleIds, menuIds: menu = [], dataScopeIds: dataScope = [], apiScopeIds: apiScope = [] } = sent
  const ids = { menu, dataScope, apiScope }
  const roles = await tx.run<{ id: string; roleName: string; isAdmin: number }>(
    sql`select id, role_name as "roleName", is_admin as "isAdmin" from role where tenant_id = ${actor.tenantId} and id = any(${roleIds}::bigint[]) order by id for update`,
  )
  if (roles.length !== roleIds.length) throw new Problem('not_found')
  if (roles.some((each) => each.isAdmin === 1))
    throw new Problem('rule_broken', {
      reason: {
        zh: '管理员角色拥有全部权限，无需授权',
        en: 'The administrator role has all rights: there is nothing to grant',
      },
    })
  const own = await grantable(call)
  for (const kind of kinds) {
    const beyond = ids[kind].filter((id) => !own[kind].has(id))
    if (beyond.length > 0)
      throw new Problem(
        'rule_broken',
        { reason: { zh: '不能授予自己没有的权限', en: 'You cannot grant what you do not hold' } },
        { field: tables[kind].field, ids: beyond },
      )
  }
  return { roleIds, roles: roles.map(({ id, roleName }) => ({ id, roleName })), ids, own }
}

type Preview = AnswerOf<typeof previewGrant>

/** What a wish would change, told without changing it: for how many users, too. */
async function preview(sent: Sent, call: Call): Promise<Preview> {
  const wish = await wishOf(sent, call)
  const added: Preview['added'][number][] = []
  const removed: Preview['removed'][number][] = []
  for (const kind of kinds) {
    const now = await granted(call, kind, wish.roleIds)
    const everywhere = (id: string): boolean => now.filter((row) => row.id === id).length === wish.roleIds.length
    for (const id of wish.ids[kind])
      if (!everywhere(id)) added.push({ kind, id, title: wish.own[kind].get(id)?.title ?? id })
    for (const id of new Set(now.map((row) => row.id))) {
      const known = wish.own[kind].get(id)
      if (known && !wish.ids[kind].includes(id)) removed.push({ kind, id, title: known.title })
    }
  }
  const users = await call.tx.one<{ n: number }>(
    sql`select count(distinct l.owner_id)::int as n from app_user_role l where l.tenant_id = ${call.actor.tenantId} and l.target_id = any(${wish.roleIds}::bigint[])`,
  )
  return { added, removed, users: users?.n ?? 0, roles: wish.roles }
}

type Granted = Record<Kind, { role: string; id: string }[]>

async function allGranted(call: Call, roleIds: readonly string[]): Promise<Granted> {
  const all: Partial<Granted> = {}
  for (const kind of kinds) all[kind] = await granted(call, kind, roleIds)
  return all as Granted
}

const givenIn = (all: Granted) =>
  kinds.flatMap((kind) => all[kind].map(({ role, id }) => ({ to: `${kind} ${role}`, id })))

/** The history of each role tells what came and what went, by name. */
async function record(call: Call, roleIds: readonly string[], was: Granted, is: Granted): Promise<void> {
  const { tx, actor } = call
  const names: Record<Kind, ReadonlyMap<string, Words>> = {
    menu: await menuNames(tx),
    dataScope: await scopeNames(tx, actor.tenantId, 'data_scope'),
    apiScope: await scopeNames(tx, actor.tenantId, 'api_scope'),
  }
  const idsIn = (all: Granted, kind: Kind, roleId: string): string[] =>
    all[kind].filter((row) => row.role === roleId).map((row) => row.id)
  for (const id of roleIds)
    await recordGiven(
      modelOf(role),
      call,
      id,
      kinds.map((kind) =>
        givenBetween(tables[kind].field, tables[kind].label, idsIn(was, kind, id), idsIn(is, kind, id), names[kind]),
      ),
    )
}

/** Replaces what roles have been granted. */
export async function replaceGrants(sent: InputOf<typeof grantToRoles>, call: Call): Promise<void> {
  const { tx, actor } = call
  const { tenantId } = actor
  const wish = await wishOf(sent, call)
  const { roleIds } = wish
  const before = await rightsOf(tx, tenantId, roleIds)
  const was = await allGranted(call, roleIds)
  mustStillBe(sent.stamp, givenIn(was))
  await takeOnGrants(tx, tenantId, roleIds)
  for (const kind of kinds) {
    const { table, column } = tables[kind]
    const ids = wish.ids[kind]
    await tx.run(
      sql`delete from ${nameRef(table)} where tenant_id = ${tenantId} and role_id = any(${roleIds}::bigint[])
            and ${nameRef(column)} = any(${[...wish.own[kind].keys()]}::bigint[]) and not (${nameRef(column)} = any(${ids}::bigint[]))`,
    )
    await tx.run(
      sql`insert into ${nameRef(table)} (tenant_id, role_id, ${nameRef(column)})
          select ${tenantId}, r.id, m.id from unnest(${roleIds}::bigint[]) r(id) cross join unnest(${ids}::bigint[]) m(id) on conflict do nothing`,
    )
  }
  mustNotWiden(call, before, await rightsOf(tx, tenantId, roleIds))
  await record(call, roleIds, was, await allGranted(call, roleIds))
  await raiseGrants(tx, tenantId)
  await raiseStamp(tx, tenantId, role.name)
}

/** Where the caller works with some rows of an entity only, a role must not get at more of them by this grant. */
function mustNotWiden(call: Call, before: readonly Rights[], after: readonly Rights[]): void {
  for (const now of after) {
    const was = before.find((each) => each.id === now.id)!
    const print = (rights: Rights, name: string): string =>
      JSON.stringify([
        [...rights.codes].filter((each) => each.startsWith(`${name}_`)).sort(),
        rights.scopes.map((scope) => scope.id).sort(),
      ])
    for (const entity of entities)
      if (print(was, entity.name) !== print(now, entity.name) && !coversRows(call.actor, entity, now))
        throw new Problem(
          'rule_broken',
          {
            reason: {
              zh: `不能授予超出自己数据范围的权限：${entity.label.zh}`,
              en: `You cannot grant more rows than you work with yourself: ${entity.label.en}`,
            },
          },
          { field: 'dataScopeIds', fields: [] },
        )
  }
}

/** Scopes as leaves under the menus that they belong to. */
async function scopeTree(call: Call, scopes: readonly Grantable[]): Promise<TreeNode[]> {
  const menus = (await menusHeld(call)).filter((menu) => menu.category === 1)
  const wanted = new Set(scopes.map((scope) => scope.menuId))
  const above = withAncestors(menus, (menu) => wanted.has(menu.id))
  return treeOf([
    ...above,
    ...scopes.map((scope) => ({ id: scope.id, parentId: scope.menuId, title: scope.title, isScope: true })),
  ])
}

async function grantTree(call: Call): Promise<AnswerOf<typeof grantableTrees>> {
  const menus = await menusHeld(call)
  return {
    menu: treeOf(menus),
    dataScope: await scopeTree(call, await scopesHeld(call, 'dataScope')),
    apiScope: await scopeTree(call, await scopesHeld(call, 'apiScope')),
  }
}

/** What roles have been granted, by kind. */
export async function roleKeys(call: Call, roleIds: readonly string[]): Promise<AnswerOf<typeof grantedKeys>> {
  const known = await call.tx.run(
    sql`select id from role where tenant_id = ${call.actor.tenantId} and id = any(${[...roleIds]}::bigint[])`,
  )
  if (known.length !== roleIds.length) throw new Problem('not_found')
  const all = await allGranted(call, roleIds)
  const idsOf = (kind: Kind): string[] => [...new Set(all[kind].map((row) => row.id))].sort()
  return {
    ...{ menu: idsOf('menu'), dataScope: idsOf('dataScope'), apiScope: idsOf('apiScope') },
    stamp: stampOf(givenIn(all)),
  }
}

export const grantRoutes: readonly Route[] = [
  on(grantToRoles, replaceGrants),
  on(previewGrant, preview),
  on(grantableTrees, (_, call) => grantTree(call)),
  on(grantedKeys, ({ roleIds }, call) => roleKeys(call, roleIds)),
]
