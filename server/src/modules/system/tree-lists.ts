import { codeOf, type Entity, type ListedRow, type Row } from '@data-brain/contract'
import { listOf, rowOf, textValue, truthValue } from '@data-brain/contract/shape'
import type { RawBuilder } from 'kysely'
import { compileOnce, sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { conditionsOf } from '../../entity/filter.ts'
import { type Model, modelOf } from '../../entity/model.ts'
import { rowsOf, submit } from '../../entity/routes.ts'
import { pageSchema } from '../../entity/schema.ts'
import type { Reach } from '../../entity/scope.ts'
import { listColumns, nameRef, ownedBy, tableRef, titleRef } from '../../entity/select.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { type Node, nestRows, parentOf, rootId, type TreeNode, treeNode, treeOf, withoutZeroParent } from './tree.ts'

/*
 * Entities whose rows stand under one another by a `parentId`: departments, roles, dictionaries. Their lists travel as
 * a tree when they are not asked for page by page.
 */

/** A tree is answered whole; beyond this many rows it must be asked for level by level. */
const most = 10_000

/** The ids of a family's rows within a reach. */
const within = (model: Model, reach: Reach): RawBuilder<unknown> =>
  sql`(select t.id from ${tableRef(model)} where ${ownedBy(model)} and ${reach.sql})`

/** Whether anything stands under a row that the caller may see. */
const hasChildren = (model: Model, reach: Reach | undefined): RawBuilder<unknown> =>
  sql`exists (select 1 from ${tableRef(model, 'c')} where ${model.platform ? sql`true` : sql`c.tenant_id = t.tenant_id`} and c.parent_id = t.id
        ${reach ? sql`and c.id in ${within(model, reach)}` : sql``})`

export type FamilyRow<E extends Entity = Entity> = ListedRow<E> & Node & { readonly hasChildren: boolean }

type Query = Readonly<Record<string, string>>

/** A condition on `t`, which may depend on what the caller reaches. */
type Where = (model: Model, reach: Reach | undefined) => RawBuilder<unknown>
const all: Where = () => sql`true`

/** The rows that match the filters, each with whether anything stands under it. */
export async function familyRows<E extends Entity>(
  entity: E,
  call: Call,
  query: Query,
  where: Where = all,
): Promise<FamilyRow<E>[]> {
  const model = modelOf(entity)
  const reach = await rowsOf(entity, call).reach([codeOf(entity, 'view')])
  const { parentId: _, ...filters } = query
  const conditions = conditionsOf(model, filters, call.services.cipher, call.actor.tenantId)
  const [by, down] = entity.sort.startsWith('-') ? [entity.sort.slice(1), ' desc'] : [entity.sort, '']
  const statement = compileOnce(
    sql`select ${listColumns(model)}, ${hasChildren(model, reach)} as "hasChildren"
        from ${tableRef(model)} where ${sql.join([ownedBy(model), where(model, reach), ...(reach ? [reach.sql] : []), ...conditions.map((condition, index) => condition.sql(`f${index}`))], sql` and `)}
        order by ${nameRef(`t.${model.sorts.get(by)}${down}, t.id`)} limit ${most + 1}`,
    {
      tenant: call.actor.tenantId,
      ...reach?.values,
      ...Object.fromEntries(conditions.map((condition, index) => [`f${index}`, condition.value])),
    },
  )
  return notTooMany(await call.tx.run<FamilyRow<E>>(statement))
}

/** Refuses what is too much to be told at once; a part of it would look like all. */
function notTooMany<T>(rows: T[]): T[] {
  if (rows.length > most)
    throw new Problem('rule_broken', {
      reason: { zh: `超过${most}条，请逐级查询`, en: `More than ${most} rows: ask level by level` },
    })
  return rows
}

/** A row as it travels in a tree: a root has the parent 0, and its parent's name says so. */
const onWire = (row: FamilyRow, call: Call): FamilyRow & { parentName: unknown } => ({
  ...row,
  parentId: row.parentId ?? rootId,
  parentName: row.parentName ?? { zh: '顶级', en: 'Top' }[call.circumstance.language],
})

const shown = { parentId: textValue(), parentName: textValue() } as const

/** What the list of a family answers: a page, or a forest whose rows hold those under them. */
export function familySchema(entity: Entity): object {
  const { properties, ...row } = shapeSchema(rowOf(entity, shown)) as { properties: object }
  const children = {
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'the same, one level below',
  }
  return { anyOf: [pageSchema(entity), { type: 'array', items: { ...row, properties: { ...properties, children } } }] }
}

/** What one level of a family answers. */
export const familyLevelSchema = (entity: Entity): object =>
  shapeSchema(listOf(rowOf(entity, { ...shown, hasChildren: truthValue() })))

/** The list of a family: a page where a page is asked for, else the whole forest. */
export async function familyList(entity: Entity, call: Call): Promise<unknown> {
  if (call.query.current || call.query.size) return rowsOf(entity, call).page(call.query, call.stamp)
  const rows = await familyRows(entity, call, call.query)
  return nestRows(rows.map((row) => onWire(row, call))).map(withoutFlag)
}

// In a whole tree the children themselves say whether there are any.
function withoutFlag(row: FamilyRow & { children?: FamilyRow[] }): unknown {
  const { hasChildren: _, children, ...rest } = row
  return children ? { ...rest, children: children.map(withoutFlag) } : rest
}

/** The rows under one. Where somebody works with a branch only, it begins at the top: its parent is not to be seen. */
const under =
  (parent: string | null | undefined): Where =>
  (model, reach) => {
    if (parent === undefined) return sql`true`
    if (parent !== null) return sql`t.parent_id = ${parent}`
    return reach ? sql`(t.parent_id is null or t.parent_id not in ${within(model, reach)})` : sql`t.parent_id is null`
  }

/** The rows under one row (`0`: the roots; nothing given: all), each with whether more stand under it. */
export async function familyLazyList(entity: Entity, call: Call): Promise<unknown[]> {
  const rows = await familyRows(entity, call, call.query, under(parentOf(call.query.parentId || undefined)))
  return rows.map((row) => onWire(row, call))
}

type Titled = Node & { title: string; hasChildren: boolean }

async function titledRows(entity: Entity, call: Call, where: Where): Promise<Titled[]> {
  const model = modelOf(entity)
  const binding = bindingCodes(entity, call.actor)
  const reach = binding && (await rowsOf(entity, call).reach(binding))
  const statement = compileOnce(
    sql`select t.id, t.parent_id as "parentId", ${titleRef(model)} as title, ${hasChildren(model, reach)} as "hasChildren"
        from ${tableRef(model)} where ${ownedBy(model)} and ${where(model, reach)} ${reach ? sql`and ${reach.sql}` : sql``} order by t.sort, t.id limit ${most + 1}`,
    { tenant: call.actor.tenantId, ...reach?.values },
  )
  return notTooMany(await call.tx.run<Titled>(statement))
}

/** All rows as a tree of choices; of another tenant there is nothing to be found. */
export async function familyTree(
  entity: Entity,
  call: Call,
  tenantId: string | undefined,
  where: Where = all,
): Promise<TreeNode[]> {
  if (tenantId !== undefined && tenantId !== call.actor.tenantId) throw new Problem('not_found')
  const rows = await titledRows(entity, call, where)
  return treeOf(rows.map(({ id, parentId, title }) => ({ id, parentId, title })))
}

/** The choices under one row; the roots where none is named. */
export async function familyLazyTree(entity: Entity, call: Call, parentId: string | undefined): Promise<TreeNode[]> {
  return (await titledRows(entity, call, under(parentOf(parentId) ?? null))).map(treeNode)
}

/** Holds a family against other moves for the transaction: two that would close a circle come one after the other. */
async function holdFamily(entity: Entity, { tx, actor }: Pick<Call, 'tx' | 'actor'>): Promise<void> {
  const whose = modelOf(entity).platform ? '' : actor.tenantId
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`family|${whose}|${entity.name}`}, 0))`)
}

/**
 * Saves a row of a family; 0 is no parent. A move holds the family before it holds a row, so that none of two that meet
 * waits for what the other holds.
 */
export async function familySubmit(entity: Entity, call: Call, body: unknown = call.body): Promise<unknown> {
  const draft = withoutZeroParent(body)
  const { id, parentId } = (draft ?? {}) as { id?: unknown; parentId?: unknown }
  if (id && parentId) await holdFamily(entity, call)
  return submit(entity, { ...call, body: draft })
}

/** Changes a row of a family and where it stands, as a move by hand does. */
export async function familyMove(
  entity: Entity,
  call: Call,
  id: string,
  parentId: string | null,
): Promise<Row<Entity>> {
  await holdFamily(entity, call)
  return rowsOf(entity, call).edit(id, { parentId })
}

/** Refuses a parent that is the row itself or stands under it. */
export async function refuseCircle(
  entity: Entity,
  call: Pick<Call, 'tx' | 'actor'>,
  id: string,
  parentId: string,
): Promise<void> {
  const model = modelOf(entity)
  const table = nameRef(model.seen)
  const mine = model.platform ? sql`true` : sql`tenant_id = ${call.actor.tenantId}`
  if (parentId === id)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '父节点不可选择自身！', en: 'A row cannot stand under itself' } },
      { field: 'parentId', fields: [] },
    )
  // Whoever comes here otherwise than by a submit or a move, as by putting a row back, waits here.
  await holdFamily(entity, call)
  const circle = await call.tx.one(
    sql`with recursive above as (
          select id, parent_id from ${table} where ${mine} and id = ${parentId}
          union select p.id, p.parent_id from (select * from ${table} where ${mine}) p join above a on p.id = a.parent_id
        ) select 1 from above where id = ${id}`,
  )
  if (circle)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '父节点不可选择自身的下级！', en: 'A row cannot stand under one of its own' } },
      { field: 'parentId', fields: [] },
    )
}
