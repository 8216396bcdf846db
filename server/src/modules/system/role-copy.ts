import { codeOf, role, user } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { copyRole, roleUserCounts } from '@data-brain/contract/calls/role'
import { compileOnce, slotValue, sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import { nameRef, ownedBy, tableRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { replaceGrants, roleKeys } from './grant.ts'

/** The place behind all roles that stand beside this one, as far as numbers go. */
async function nextSort(id: string, { actor, tx }: Call): Promise<number> {
  const model = modelOf(role)
  const [last] = await tx.run<{ sort: number }>(
    compileOnce(
      sql`select max(t.sort) as sort from ${tableRef(model)}
          where ${ownedBy(model)} and t.parent_id is not distinct from
            (select b.parent_id from ${tableRef(model, 'b')} where ${ownedBy(model, 'b')} and b.id = ${slotValue('role')})`,
      { tenant: actor.tenantId, role: id },
    ),
  )
  return Math.min((last?.sort ?? 0) + 1, role.fields.sort.max)
}

/**
 * Makes a role that is granted what another one is. The grant is the caller's own, so what the caller may not hand on
 * refuses the copy as a whole: with fewer scopes the copy could show more rows than the role it is made of.
 */
async function copy({ id, roleName }: InputOf<typeof copyRole>, call: Call): Promise<AnswerOf<typeof copyRole>> {
  const rows = rowsOf(role, call)
  const from = await rows.detail(id)
  const needed = codeOf(role, 'add')
  if (!holdsCode(call.actor, needed)) throw new Problem('forbidden', { code: needed })
  if (from.isAdmin === 1)
    throw new Problem('rule_broken', {
      reason: { zh: '管理员角色不能复制', en: 'The administrators’ role cannot be copied' },
    })
  const { menu, dataScope, apiScope } = await roleKeys(call, [id])
  const made = await rows.add({ roleName, parentId: from.parentId, sort: await nextSort(id, call) })
  await replaceGrants({ roleIds: [made.id], menuIds: menu, dataScopeIds: dataScope, apiScopeIds: apiScope }, call)
  return rows.detail(made.id)
}

/** How many users have each role, of those whom the caller may see; a role without any is left out. */
async function userCounts(call: Call): Promise<AnswerOf<typeof roleUserCounts>> {
  const model = modelOf(user)
  const reach = await rowsOf(user, call).reach([codeOf(user, 'view')])
  const counts = await call.tx.run<{ role: string; n: number }>(
    compileOnce(
      sql`select l.target_id as role, count(*)::int as n
          from ${tableRef(model)} join ${nameRef(model.byName.get('roleId')!.linkTable!)} l on l.tenant_id = t.tenant_id and l.owner_id = t.id
          where ${sql.join([ownedBy(model), ...(reach ? [reach.sql] : [])], sql` and `)} group by l.target_id`,
      { tenant: call.actor.tenantId, ...reach?.values },
    ),
  )
  return Object.fromEntries(counts.map(({ role: id, n }) => [id, n]))
}

export const roleCopyRoutes: readonly Route[] = [on(copyRole, copy), on(roleUserCounts, (_, call) => userCounts(call))]
