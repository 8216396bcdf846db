import { codeOf, role } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { roleTree, roleTreeOf } from '@data-brain/contract/calls/role'
import { sql } from '../../database/statement.ts'
import { syllablesOf } from '../../entity/find.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { draftSchema, listParameters, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { mustCoverRole } from './held-rights.ts'
import { takeOnGrants } from './shared-grants.ts'
import type { TreeNode } from './tree.ts'
import { familyList, familySchema, familySubmit, familyTree, refuseCircle } from './tree-lists.ts'

const reserved = new Set(['administrator', 'admin'])

async function isAdminRole(saving: Pick<Saving, 'context'>, id: string): Promise<boolean> {
  const { tx, actor } = saving.context
  return (
    (await tx.one(sql`select 1 from role where tenant_id = ${actor.tenantId} and id = ${id} and is_admin = 1`)) !==
    undefined
  )
}

/** An alias made of a role's name: its pinyin, with a number where another role of the tenant has that. */
async function aliasFor({ tx, actor }: Saving['context'], id: string, name: string): Promise<string> {
  const word =
    syllablesOf(name)
      .join('')
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 28) || 'role'
  // Two roles of one name that are made at once come one after the other.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`role alias|${actor.tenantId}`}, 0))`)
  const rows = await tx.run<{ alias: string }>(
    sql`select lower(role_alias) as alias from role where tenant_id = ${actor.tenantId} and id <> ${id} and lower(role_alias) like ${`${word}%`}`,
  )
  const taken = new Set([...reserved, ...rows.map(({ alias }) => alias)])
  for (let number = 1; ; number += 1) {
    const alias = number === 1 ? word : `${word}${number}`
    if (!taken.has(alias)) return alias
  }
}

async function judge(saving: Saving<typeof role>): Promise<void> {
  const { before, values, whole, context, id } = saving
  if (!before || ('roleAlias' in values && !values.roleAlias))
    values.roleAlias ||= await aliasFor(context, id, whole.roleName)
  if ('roleAlias' in values) {
    if (before && (await isAdminRole(saving, id)))
      throw new Problem(
        'rule_broken',
        { reason: { zh: '管理员角色的别名不能修改', en: 'The alias of the administrators’ role cannot be changed' } },
        { field: 'roleAlias', fields: [] },
      )
    // The alias is a label; power comes from is_admin, which no call sets. It is reserved so that nobody is misled.
    if (reserved.has((values.roleAlias ?? '').toLowerCase()))
      throw new Problem(
        'rule_broken',
        { reason: { zh: '无权限创建超管角色！', en: 'Nobody can make an administrators’ role' } },
        { field: 'roleAlias', fields: [] },
      )
  }
  if (before) await mustCoverRole(context.tx, context.actor, id)
  if (before && values.parentId) await refuseCircle(role, context, id, values.parentId)
}

export function addRoleRules(): void {
  addRules(role, {
    beforeSave: judge,
    afterSave: ({ context }) => raiseGrants(context.tx, context.actor.tenantId),
    beforeRemove: async ({ context, id }) => {
      if (await isAdminRole({ context }, id))
        throw new Problem('rule_broken', {
          reason: { zh: '管理员角色不能删除', en: 'The administrators’ role cannot be removed' },
        })
      await mustCoverRole(context.tx, context.actor, id)
      // One that is brought back is granted nothing, whatever it was granted before.
      await takeOnGrants(context.tx, context.actor.tenantId, [id])
      await raiseGrants(context.tx, context.actor.tenantId)
    },
  })
}

async function treeById(call: Call, roleId: string): Promise<AnswerOf<typeof roleTreeOf>> {
  const known = await call.tx.one(sql`select 1 from role where tenant_id = ${call.actor.tenantId} and id = ${roleId}`)
  if (!known) throw new Problem('not_found')
  return tree(call, undefined)
}

/** Roles to choose from; the administrators' role is shown to administrators alone. */
function tree(call: Call, tenantId: string | undefined): Promise<TreeNode[]> {
  const admin = call.actor.kind === 'machine' || call.actor.roles.some((each) => each.admin)
  return familyTree(role, call, tenantId, () => (admin ? sql`true` : sql`t.is_admin = 0`))
}

const tag = 'role'

export const roleRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/role/list',
    tag,
    access: code(codeOf(role, 'view')),
    stampOf: role.name,
    parameters: listParameters(role),
    dataSchema: familySchema(role),
    summary: {
      zh: '角色：树；给出 current 或 size 时分页',
      en: 'Roles as a tree; a page where current or size is given',
    },
    handler: (call) => familyList(role, call),
  }),
  on(roleTree, ({ tenantId }, call) => tree(call, tenantId)),
  on(roleTreeOf, ({ roleId }, call) => treeById(call, roleId)),
  route({
    method: 'POST',
    path: '/blade-system/role/submit',
    tag,
    access: code(codeOf(role, 'add'), codeOf(role, 'edit')),
    summary: { zh: '角色：新增或修改', en: 'Role: add or change' },
    bodySchema: draftSchema(role),
    dataSchema: rowSchema(role),
    handler: (call) => familySubmit(role, call),
  }),
]
