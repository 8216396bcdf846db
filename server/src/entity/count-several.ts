import { isDeepStrictEqual } from 'node:util'
import { codeOf, type Entity } from '@data-brain/contract'
import { sql, statementByShape } from '../database/statement.ts'
import { type Condition, conditionsOf, customSlot } from './filter.ts'
import { modelOf } from './model.ts'
import { type Context, Repository } from './repository.ts'
import { ownedBy, tableRef } from './select.ts'

type Filters = Readonly<Record<string, string>>

const same = (one: Condition, other: Condition): boolean =>
  one.key === other.key && one.custom === other.custom && isDeepStrictEqual(one.value, other.value)

/**
 * How many rows each of several lists of an entity would show the caller, in one look at the rows. What filters of a list say
 * about rows elsewhere, or find by a keyword, is counted by itself.
 */
export async function countSeveral(entity: Entity, context: Context, lists: readonly Filters[]): Promise<number[]> {
  const model = modelOf(entity)
  const rows = new Repository(entity, context)
  const { tenantId } = context.actor
  const reach = await rows.reach([codeOf(entity, 'view')])
  const asked = lists.map((filters) => conditionsOf(model, filters, context.cipher, tenantId))
  const isPlain = (at: number): boolean =>
    asked[at]!.length === Object.keys(lists[at]!).length && !asked[at]!.some(({ confirms }) => confirms)
  const together = asked.flatMap((conditions, at) => (isPlain(at) ? [{ at, conditions }] : []))
  const counts: number[] = []
  if (together.length > 0) {
    const [first, ...others] = together
    // What all of them ask for is asked once, and finds the rows by an index where there is one.
    const shared = first!.conditions.filter((each) =>
      others.every(({ conditions }) => conditions.some((other) => same(each, other))),
    )
    const values: Record<string, unknown> = { tenant: tenantId, ...reach?.values }
    const built = (condition: Condition, slot: string): ReturnType<typeof sql> => {
      values[slot] = condition.value
      if (condition.custom !== undefined) values[customSlot(slot)] = condition.custom
      return sql`${condition.sql(slot)}`
    }
    const where = [...(reach ? [reach.sql] : []), ...shared.map((each, nth) => built(each, `a${nth}`))]
    const parts = together.map(({ at, conditions }) => {
      const own = conditions.filter((each) => !shared.some((other) => same(each, other)))
      const when = own.map((each, nth) => built(each, `c${at}_${nth}`))
      return when.length > 0 ? sql`count(*) filter (where ${sql.join(when, sql` and `)})` : sql`count(*)`
    })
    const shape = [shared, ...together.map(({ conditions }) => conditions)].map((some) =>
      some.map(({ key }) => key).join('&'),
    )
    const statement = statementByShape(
      `counts|${model.entity.name}|${shape.join('|')}|${reach?.key ?? ''}`,
      values,
      () =>
        sql`select array[${sql.join(parts)}]::int[] as counts from ${tableRef(model)} where ${sql.join([ownedBy(model), ...where], sql` and `)}`,
    )
    const found = (await context.tx.one<{ counts: number[] }>(statement))!.counts
    for (const [nth, { at }] of together.entries()) counts[at] = found[nth]!
  }
  for (const [at, filters] of lists.entries()) if (!isPlain(at)) counts[at] = await rows.count(filters)
  return counts
}
