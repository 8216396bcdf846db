import { codeOf, role } from '@data-brain/contract'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { raiseStamp } from '../../entity/bulk.ts'
import { submit } from '../../entity/routes.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { draftSchema, listParameters, rowSchema } from '../../entity/schema.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { idsMax } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { familyList, familyTree, refuseCircle } from './family.ts'
import { grantable } from './menu.ts'
import { withoutZeroParent } from './tree.ts'

const reserved = new Set(['administrator', 'admin'])

async function isAdminRole(saving: Pick<Saving, 'context'>, id: string): Promise<boolean> {
  const { tx, actor } = saving.context
  return (
    (await tx.one(sql`select 1 from role where tenant_id = ${actor.tenantId} and id = ${id} and is_admin = 1`)) !==
    undefined
  )
}

async function judge(saving: Saving): Promise<void> {
  const { before, values, context, id } = saving
  if ('roleAlias' in values) {
    if (before && (await isAdminRole(saving, id)))
      throw new Problem(
        'rule_broken',
        { reason: { zh: '管理员角色的别名不能修改', en: "The alias of the administrators' role cannot be changed" } },
        { field: 'roleAlias', fields: [] },
      )
    // The alias is a label; power comes from is_admin, which no call sets. It is reserved so that nobody is misled.
    if (reserved.has(String(values.roleAlias).toLowerCase()))
      throw new Problem(
        'rule_broken',
        { reason: { zh: '无权限创建超管角色！', en: "Nobody can make an administrators' role" } },
        { field: 'roleAlias', fields: [] },
      )
  }
  if (before && values.parentId) await refuseCircle(role, context, id, String(values.parentId))
}

export function addRoleRules(): void {
  addRules(role, {
    beforeSave: judge,
    afterSave: ({ context }) => raiseGrants(context.tx, context.actor.tenantId),
    beforeRemove: async ({ context, id }) => {
      if (await isAdminRole({ context }, id))
        throw new Problem('rule_broken', {
          reason: { zh: '管理员角色不能删除', en: "The administrators' role cannot be removed" },
        })
      await raiseGrants(context.tx, context.actor.tenantId)
    },
  })
}

/** A list of ids in a JSON body: an array, or one comma-separated text as the family's clients send it. */
function idList(body: Record<string, unknown>, field: string, required: boolean): string[] {
  const given = body[field]
  const ids = typeof given === 'string' ? given.split(',').filter(Boolean) : (given ?? [])
  const wrong = (zh: string, en: string): Problem =>
    new Problem('field_invalid', { label: field, reason: { zh, en } }, { field, fields: [] })
  if (!Array.isArray(ids) || !ids.every(isId)) throw wrong('含有无效的编号', 'contains something that is not an id')
  if (required && ids.length === 0) throw new Problem('parameter_missing', { field }, { field, fields: [] })
  if (ids.length > (required ? idsMax : 5_000)) throw wrong('数量过多', 'has too many ids')
  return [...new Set(ids as string[])]
}

/**
 * Replaces what roles have been granted. Menus that the caller does not hold can neither be given nor be taken away:
 * they stay as they are.
 */
async function grant(call: Call): Promise<void> {
  const body = call.body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('bad_request')
  const sent = body as Record<string, unknown>
  const roleIds = idList(sent, 'roleIds', true)
  const menuIds = idList(sent, 'menuIds', false)
  for (const field of ['dataScopeIds', 'apiScopeIds'])
    if (idList(sent, field, false).length > 0)
      throw new Problem(
        'rule_broken',
        { reason: { zh: '尚无可授权的数据权限和接口权限', en: 'There are no data or API scopes to grant' } },
        { field, fields: [] },
      )
  const { tx, actor } = call
  const { tenantId } = actor
  const known = await tx.run(
    sql`select id from role where tenant_id = ${tenantId} and id = any(${roleIds}::bigint[]) order by id for update`,
  )
  if (known.length !== roleIds.length) throw new Problem('not_found')
  const own = await grantable(tx, actor)
  const beyond = menuIds.filter((id) => !own.has(id))
  if (beyond.length > 0)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '不能授予自己没有的权限', en: 'You cannot grant what you do not hold' } },
      { field: 'menuIds', ids: beyond },
    )
  await tx.run(
    sql`delete from role_menu where tenant_id = ${tenantId} and role_id = any(${roleIds}::bigint[])
          and menu_id = any(${[...own]}::bigint[]) and not (menu_id = any(${menuIds}::bigint[]))`,
  )
  await tx.run(
    sql`insert into role_menu (tenant_id, role_id, menu_id)
        select ${tenantId}, r.id, m.id from unnest(${roleIds}::bigint[]) r(id) cross join unnest(${menuIds}::bigint[]) m(id) on conflict do nothing`,
  )
  await raiseGrants(tx, tenantId)
  await raiseStamp(tx, tenantId, role.name)
}

async function treeById(call: Call, roleId: string): Promise<unknown> {
  const known = await call.tx.one(sql`select 1 from role where tenant_id = ${call.actor.tenantId} and id = ${roleId}`)
  if (!known) throw new Problem('not_found')
  return tree(call, undefined)
}

/** Roles to choose from; the administrators' role is shown to administrators alone. */
function tree(call: Call, tenantId: string | undefined): Promise<unknown> {
  const admin = call.actor.kind === 'machine' || call.actor.roles.some((each) => each.admin)
  return familyTree(role, call, tenantId, admin ? sql`true` : sql`t.is_admin = 0`)
}

const tag = 'role'
const choosers = code('role_view', 'user_view', 'user_add', 'user_edit')
const ids = { type: 'array', items: { type: 'string' } }

export const roleRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/role/list',
    tag,
    access: code(codeOf(role, 'view')),
    stampOf: role.name,
    parameters: listParameters(role),
    summary: {
      zh: '角色:树;给出 current 或 size 时分页',
      en: 'Roles as a tree; a page where current or size is given',
    },
    handler: (call) => familyList(role, call),
  }),
  route({
    method: 'GET',
    path: '/blade-system/role/tree',
    tag,
    access: choosers,
    summary: { zh: '角色:选择树', en: 'Roles to choose from' },
    parameters: { tenantId: { kind: 'tenant' } },
    handler: (call) => tree(call, call.parameters.tenantId),
  }),
  route({
    method: 'GET',
    path: '/blade-system/role/tree-by-id',
    tag,
    access: choosers,
    summary: { zh: '角色:某角色所在租户的选择树', en: 'Roles of the tenant of a role' },
    parameters: { roleId: { kind: 'id', required: true } },
    handler: (call) => treeById(call, call.parameters.roleId),
  }),
  route({
    method: 'POST',
    path: '/blade-system/role/submit',
    tag,
    access: code(codeOf(role, 'add'), codeOf(role, 'edit')),
    summary: { zh: '角色:新增或修改', en: 'Role: add or change' },
    bodySchema: draftSchema(role),
    dataSchema: rowSchema(role),
    handler: (call) => submit(role, { ...call, body: withoutZeroParent(call.body) }),
  }),
  route({
    method: 'POST',
    path: '/blade-system/role/grant',
    tag,
    access: code(codeOf(role, 'edit')),
    summary: { zh: '角色:授权', en: 'Grant menus to roles' },
    bodySchema: {
      type: 'object',
      required: ['roleIds', 'menuIds'],
      properties: { roleIds: ids, menuIds: ids, dataScopeIds: ids, apiScopeIds: ids },
    },
    handler: grant,
  }),
]
