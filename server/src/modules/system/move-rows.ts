import { dept, type Entity, menu } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { moveDept } from '@data-brain/contract/calls/dept'
import { moveMenu } from '@data-brain/contract/calls/menu'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf } from '../../entity/routes.ts'
import { nameRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { fieldProblem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { parentOf } from './tree.ts'
import { familyMove } from './tree-lists.ts'

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
export function movedPlaces(order: readonly Sibling[], movedId: string): Sibling[] {
  let last = -1
  const placed = order.map((each) => {
    last = each.id === movedId || each.sort <= last ? last + 1 : each.sort
    return { id: each.id, sort: last }
  })
  const wanted = last > sortMost ? order.map((each, index) => ({ id: each.id, sort: index })) : placed
  return wanted.filter((each, index) => each.sort !== order[index]!.sort)
}

const elsewhere = { zh: '不在该父节点下', en: 'does not stand under that parent' }

/** Puts a row under a parent (null: the top) before one of its children, or after all of them. */
async function move(
  entity: Entity,
  { id, parentId: under, beforeId = null }: InputOf<typeof moveDept>,
  call: Call,
): Promise<void> {
  const parentId = under === null ? null : parentOf(under)!
  const { tx, actor } = call
  const model = modelOf(entity)
  const mine = model.platform ? sql`true` : sql`tenant_id = ${actor.tenantId}`
  // Of two moves the second sees the first: the family is held.
  const moved = await familyMove(entity, call, id, parentId)
  const siblings = await tx.run<Sibling>(
    sql`select id, sort from ${nameRef(model.seen)} where ${mine} and parent_id is not distinct from ${parentId}::bigint and id <> ${id} order by sort, id`,
  )
  const at = beforeId === null ? siblings.length : siblings.findIndex((each) => each.id === beforeId)
  if (at < 0)
    throw fieldProblem(
      [{ field: 'beforeId', label: moveDept.input.beforeId.label, reason: elsewhere }],
      call.circumstance.language,
    )
  // That a sibling is pushed on by one is no change that somebody needs to reach it for.
  const rows = new Repository(entity, { ...contextOf(call), unscoped: true })
  const order = [...siblings.slice(0, at), { id, sort: Number(moved.sort) }, ...siblings.slice(at)]
  for (const each of movedPlaces(order, id)) await rows.edit(each.id, { sort: each.sort })
}

/** Moving by hand: departments in a tenant, menus on the platform. */
export const moveRoutes: readonly Route[] = [
  on(moveDept, (wish, call) => move(dept, wish, call)),
  on(moveMenu, (wish, call) => move(menu, wish, call), { platform: true }),
]
