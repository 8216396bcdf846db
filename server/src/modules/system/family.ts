import type { Entity } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { prepare, slot, sql } from '../../database/statement.ts'
import { conditionsOf } from '../../entity/filter.ts'
import { modelOf } from '../../entity/model.ts'
import type { WireRow } from '../../entity/repository.ts'
import { rowsOf } from '../../entity/routes.ts'
import { listColumns, nameRef, tableRef, titleRef } from '../../entity/select.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { type Node, nest, parentOf, rootId, type TreeNode, treeNode, treeOf } from './tree.ts'

/*
 * Entities whose rows stand under one another by a `parentId`: departments, roles, dictionaries. Their lists travel as
 * a tree when they are not asked for page by page.
 */

/** A tree is answered whole; beyond this many rows it must be asked for level by level. */
const most = 5_000

export type FamilyRow = WireRow & Node & { hasChildren: boolean }

type Query = Readonly<Record<string, string>>

/** The rows that match the filters, each with whether anything stands under it. */
export async function familyRows(
  entity: Entity,
  call: Call,
  query: Query,
  where: RawBuilder<unknown> = sql`true`,
): Promise<FamilyRow[]> {
  const model = modelOf(entity)
  const { parentId: _, ...filters } = query
  const conditions = conditionsOf(model, filters, call.services.cipher, call.actor.tenantId)
  const [by, down] = entity.sort.startsWith('-') ? [entity.sort.slice(1), ' desc'] : [entity.sort, '']
  const { text, values } = prepare(
    sql`select ${listColumns(model)}, exists (select 1 from ${tableRef(model, 'c')} where c.tenant_id = t.tenant_id and c.parent_id = t.id) as "hasChildren"
        from ${tableRef(model)} where ${sql.join([sql`t.tenant_id = ${slot('tenant')}`, where, ...conditions.map((condition, index) => condition.sql(`f${index}`))], sql` and `)}
        order by ${nameRef(`t.${model.sorts.get(by)}${down}, t.id`)} limit ${most + 1}`,
  ).with({
    tenant: call.actor.tenantId,
    ...Object.fromEntries(conditions.map((condition, index) => [`f${index}`, condition.value])),
  })
  const rows = await call.tx.run<FamilyRow>({ text, values })
  if (rows.length > most)
    throw new Problem('rule_broken', {
      reason: { zh: `超过${most}条,请逐级查询`, en: `More than ${most} rows: ask level by level` },
    })
  return rows
}

/** A row as it travels in a tree: a root has the parent 0, and its parent's name says so. */
const onWire = (row: FamilyRow, call: Call): FamilyRow & { parentName: unknown } => ({
  ...row,
  parentId: row.parentId ?? rootId,
  parentName: row.parentName ?? { zh: '顶级', en: 'Top' }[call.circumstance.language],
})

/** The list of a family: a page where a page is asked for, else the whole forest. */
export async function familyList(entity: Entity, call: Call): Promise<unknown> {
  if (call.query.current || call.query.size) return rowsOf(entity, call).page(call.query, call.stamp)
  const rows = await familyRows(entity, call, call.query)
  return nest(rows.map((row) => onWire(row, call))).map(withoutFlag)
}

// In a whole tree the children themselves say whether there are any.
function withoutFlag(row: FamilyRow & { children?: FamilyRow[] }): unknown {
  const { hasChildren: _, children, ...rest } = row
  return children ? { ...rest, children: children.map(withoutFlag) } : rest
}

const under = (parent: string | null | undefined): RawBuilder<unknown> =>
  parent === undefined ? sql`true` : parent === null ? sql`t.parent_id is null` : sql`t.parent_id = ${parent}`

/** The rows under one row (`0`: the roots; nothing given: all), each with whether more stand under it. */
export async function familyLazyList(entity: Entity, call: Call): Promise<unknown[]> {
  const rows = await familyRows(entity, call, call.query, under(parentOf(call.query.parentId || undefined)))
  return rows.map((row) => onWire(row, call))
}

type Titled = Node & { title: string; hasChildren: boolean }

async function titledRows(entity: Entity, call: Call, where: RawBuilder<unknown>): Promise<Titled[]> {
  const model = modelOf(entity)
  return call.tx.run<Titled>(
    sql`select t.id, t.parent_id as "parentId", ${titleRef(model)} as title,
          exists (select 1 from ${tableRef(model, 'c')} where c.tenant_id = t.tenant_id and c.parent_id = t.id) as "hasChildren"
        from ${tableRef(model)} where t.tenant_id = ${call.actor.tenantId} and ${where} order by t.sort, t.id limit ${most}`,
  )
}

/** All rows as a tree of choices; of another tenant there is nothing to be found. */
export async function familyTree(
  entity: Entity,
  call: Call,
  tenantId: string | undefined,
  where: RawBuilder<unknown> = sql`true`,
): Promise<TreeNode[]> {
  if (tenantId !== undefined && tenantId !== call.actor.tenantId) throw new Problem('not_found')
  const rows = await titledRows(entity, call, where)
  return treeOf(rows.map(({ id, parentId, title }) => ({ id, parentId, title })))
}

/** The choices under one row; the roots where none is named. */
export async function familyLazyTree(entity: Entity, call: Call, parentId: string | undefined): Promise<TreeNode[]> {
  return (await titledRows(entity, call, under(parentOf(parentId) ?? null))).map(treeNode)
}

/**
 * Refuses a parent that is the row itself or stands under it. The roots are held meanwhile, so that of two moves that
 * would close a circle together the second sees the first.
 */
export async function refuseCircle(
  entity: Entity,
  call: Pick<Call, 'tx' | 'actor'>,
  id: string,
  parentId: string,
): Promise<void> {
  const table = nameRef(modelOf(entity).table)
  const { tenantId } = call.actor
  if (parentId === id)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '父节点不可选择自身!', en: 'A row cannot stand under itself' } },
      { field: 'parentId', fields: [] },
    )
  await call.tx.run(
    sql`select id from ${table} where tenant_id = ${tenantId} and parent_id is null order by id for update`,
  )
  const circle = await call.tx.one(
    sql`with recursive above as (
          select id, parent_id from ${table} where tenant_id = ${tenantId} and id = ${parentId}
          union select p.id, p.parent_id from ${table} p join above a on p.id = a.parent_id where p.tenant_id = ${tenantId}
        ) select 1 from above where id = ${id}`,
  )
  if (circle)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '父节点不可选择自身的下级!', en: 'A row cannot stand under one of its own' } },
      { field: 'parentId', fields: [] },
    )
}
