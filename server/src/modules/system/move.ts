import { codeOf, dept, type Entity, menu, type Words } from '@data-brain/contract'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf } from '../../entity/routes.ts'
import { nameRef } from '../../entity/select.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { familyMove } from './family.ts'
import { rootId } from './tree.ts'

interface Move {
  readonly id: string
  readonly parentId: string | null
  readonly beforeId: string | null
}

const invalid = (call: Call, field: string, label: Words, reason: Words): Problem =>
  fieldProblem([{ field, label, reason }], call.circumstance.language)

function readMove(call: Call): Move {
  const { body } = call
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('bad_request')
  const { id, parentId, beforeId = null } = body as Record<string, unknown>
  const label = { zh: '编号', en: 'Id' }
  const reason = { zh: '不是有效的编号', en: 'is not an id' }
  if (!isId(id)) throw invalid(call, 'id', label, reason)
  // Nothing said is no wish: the top is said by 0, or null.
  if (parentId === undefined)
    throw new Problem('parameter_missing', { field: 'parentId' }, { field: 'parentId', fields: [] })
  if (parentId !== rootId && parentId !== null && !isId(parentId)) throw invalid(call, 'parentId', label, reason)
  if (beforeId !== null && beforeId !== '' && !isId(beforeId)) throw invalid(call, 'beforeId', label, reason)
  return {
    id,
    parentId: parentId === rootId ? null : (parentId as string | null),
    beforeId: (beforeId as string | null) || null,
  }
}

interface Sibling {
  readonly id: string
  readonly sort: number
}

/** Largest number that a row's place may have. */
const sortMost = 9_999

/**
 * The places of siblings in a new order, as far as they change: each keeps its number where that is larger than the
 * one before it, so that a move touches the row itself and those that it pushes on.
 */
export function places(order: readonly Sibling[], movedId: string): Sibling[] {
  let last = -1
  const placed = order.map((each) => {
    last = each.id === movedId || each.sort <= last ? last + 1 : each.sort
    return { id: each.id, sort: last }
  })
  const wanted = last > sortMost ? order.map((each, index) => ({ id: each.id, sort: index })) : placed
  return wanted.filter((each, index) => each.sort !== order[index]!.sort)
}

/** Puts a row under a parent (null: the top) before one of its children, or after all of them. */
async function move(entity: Entity, call: Call): Promise<void> {
  const { id, parentId, beforeId } = readMove(call)
  const { tx, actor } = call
  const model = modelOf(entity)
  const mine = model.platform ? sql`true` : sql`tenant_id = ${actor.tenantId}`
  // Of two moves the second sees the first: the family is held.
  const moved = (await familyMove(entity, call, id, parentId)) as unknown as Sibling
  const siblings = await tx.run<Sibling>(
    sql`select id, sort from ${nameRef(model.seen)} where ${mine} and parent_id is not distinct from ${parentId}::bigint and id <> ${id} order by sort, id`,
  )
  const at = beforeId === null ? siblings.length : siblings.findIndex((each) => each.id === beforeId)
  if (at < 0)
    throw invalid(
      call,
      'beforeId',
      { zh: '移到其前的节点', en: 'The row to stand before' },
      { zh: '不在该父节点下', en: 'does not stand under that parent' },
    )
  // That a sibling is pushed on by one is no change that somebody needs to reach it for.
  const rows = new Repository(entity, { ...contextOf(call), unscoped: true })
  const order = [...siblings.slice(0, at), { id, sort: moved.sort }, ...siblings.slice(at)]
  for (const each of places(order, id)) await rows.edit(each.id, { sort: each.sort })
}

/** Moving by hand: departments in a tenant, menus on the platform. */
export const moveRoutes: readonly Route[] = [dept, menu].map((entity) =>
  route({
    method: 'POST',
    path: `/${entity.path}/move`,
    tag: entity.name,
    access: code(codeOf(entity, 'edit')),
    platform: entity.ownership === 'platform',
    summary: { zh: `${entity.label.zh}：移动和排序`, en: `${entity.label.en}: move among its siblings` },
    bodySchema: {
      type: 'object',
      required: ['id', 'parentId'],
      properties: {
        id: { type: 'string' },
        parentId: { type: 'string', description: '0 for the top' },
        beforeId: { type: 'string', description: 'the sibling to stand before; none: the last' },
      },
    },
    handler: (call) => move(entity, call),
  }),
)
