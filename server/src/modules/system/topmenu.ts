import { topmenu } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { assignToTopMenus } from '@data-brain/contract/calls/menu'
import { sql } from '../../database/statement.ts'
import { givenBetween, recordGiven } from '../../entity/given-fields.ts'
import { modelOf } from '../../entity/model.ts'
import { addRules } from '../../entity/rules.ts'
import { on } from '../../entity/serve-call.ts'
import { takeOnFor } from '../../entity/shared.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { mustStillBe, pairsIn } from './given-stamp.ts'
import { menuNames } from './grant-names.ts'
import { heldMenus } from './menu.ts'
import { wrongPath } from './path-rule.ts'

export function addTopMenuRules(): void {
  addRules(topmenu, {
    beforeSave: async ({ values, context }) => {
      const reason = typeof values.path === 'string' && values.path !== '' ? wrongPath(values.path) : null
      if (reason)
        throw fieldProblem([{ field: 'path', label: topmenu.fields.path.label, reason }], context.circumstance.language)
    },
  })
}

/** The menus that top menus gather. */
async function gathered({ tx, actor }: Call, topMenuIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx.run<{ top: string; menu: string }>(
    sql`select top_menu_id as top, menu_id as menu from top_menu_setting_seen
        where tenant_id = ${actor.tenantId} and top_menu_id = any(${[...topMenuIds]}::bigint[])`,
  )
  const byTop = Map.groupBy(rows, (row) => row.top)
  return new Map([...byTop].map(([top, some]) => [top, some.map((row) => row.menu)]))
}

/** Replaces what top menus gather. The caller moves only menus that the caller holds; the rest stays as it is. */
async function assign(
  { topMenuIds, menuIds = [], stamp }: InputOf<typeof assignToTopMenus>,
  call: Call,
): Promise<void> {
  const { tx, actor } = call
  const { tenantId } = actor
  await takeOnFor(modelOf(topmenu), call, [])
  const known = await tx.run(
    sql`select id from top_menu where tenant_id = ${tenantId} and id = any(${topMenuIds}::bigint[]) order by id for update`,
  )
  if (known.length !== topMenuIds.length) throw new Problem('not_found')
  const own = (await heldMenus(tx, actor)).filter((menu) => menu.category === 1).map((menu) => menu.id)
  const beyond = menuIds.filter((id) => !own.includes(id))
  if (beyond.length > 0)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '不能配置自己没有的菜单', en: 'You cannot assign menus that you do not hold' } },
      { field: 'menuIds', ids: beyond },
    )
  const was = await gathered(call, topMenuIds)
  mustStillBe(stamp, pairsIn(was))
  await tx.run(
    sql`delete from top_menu_setting where tenant_id = ${tenantId} and top_menu_id = any(${topMenuIds}::bigint[])
          and menu_id = any(${own}::bigint[]) and not (menu_id = any(${menuIds}::bigint[]))`,
  )
  await tx.run(
    sql`insert into top_menu_setting (tenant_id, top_menu_id, menu_id)
        select ${tenantId}, t.id, m.id from unnest(${topMenuIds}::bigint[]) t(id) cross join unnest(${menuIds}::bigint[]) m(id) on conflict do nothing`,
  )
  const is = await gathered(call, topMenuIds)
  const names = await menuNames(tx)
  for (const id of topMenuIds)
    await recordGiven(modelOf(topmenu), call, id, [
      givenBetween('menuIds', { zh: '菜单', en: 'Menus' }, was.get(id) ?? [], is.get(id) ?? [], names),
    ])
  await raiseGrants(tx, tenantId)
  await raiseStamp(tx, tenantId, topmenu.name)
}

export const topMenuRoutes: readonly Route[] = [on(assignToTopMenus, assign)]
