import { codeOf, entities, entityOf, type RelatedRows } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { snakeCase } from '../database/name.ts'
import { slotValue, sql } from '../database/statement.ts'
import { holdsCode } from '../kernel/actor.ts'
import { Problem } from '../kernel/problem.ts'
import type { Condition } from './filter.ts'
import { type Model, modelOf } from './model.ts'
import type { Context } from './repository.ts'
import { reachOf } from './scope.ts'
import { columnRef, nameRef, ownedBy, tableRef } from './select.ts'

/** What a query asks of the rows that belong to those of a list. */
export interface RelatedConditions {
  readonly conditions: readonly Condition[]
  /** Values of the slots that the conditions bring along. */
  readonly values: Readonly<Record<string, unknown>>
}

const nothing: RelatedConditions = { conditions: [], values: {} }

const suffixes = { null: 'not exists', notnull: 'exists' } as const

/**
 * The conditions `<name>_null` and `<name>_notnull` of the entity's belongings: that nothing belongs to a row, or
 * something does. What counts is what the caller sees of the other entity; who sees none of it may not ask.
 */
export async function belongingsOf(
  model: Model,
  query: Readonly<Record<string, string>>,
  context: Context,
): Promise<RelatedConditions> {
  const { belongings } = model.entity
  if (!belongings) return nothing
  const conditions: Condition[] = []
  const values: Record<string, unknown> = {}
  for (const [name, belonging] of Object.entries(belongings))
    for (const [suffix, sign] of Object.entries(suffixes)) {
      if (!query[`${name}_${suffix}`]) continue
      if (belonging.national) {
        const whole = await wholeBy(model, name, belonging, context)
        Object.assign(values, whole.slots)
        conditions.push({
          key: `${name}:${suffix}${whole.key}`,
          value: null,
          sql: () => (suffix === 'null' ? whole.sql : sql`not ${whole.sql}`),
        })
        continue
      }
      const { key, owners, slots } = await ownersBy(name, belonging, context)
      Object.assign(values, slots)
      conditions.push({
        key: `${name}:${suffix}${key}`,
        value: null,
        sql: () => sql`${nameRef(sign)} (select 1 from (${owners}) w where w.owner = t.id)`,
      })
    }
  return { conditions, values }
}

/** What a form asks of a row of an entity: each of its columns must hold something. */
const filled = (model: Model): RawBuilder<unknown> =>
  model.fields
    .filter((field) => field.national)
    .map((field) => sql`t.${nameRef(field.column)} is not null`)
    .reduce((all, each) => sql`${all} and ${each}`)

/** That a row misses nothing of the national form, and neither do the rows that belong to it. */
async function wholeBy(model: Model, name: string, { of, by, national = [] }: RelatedRows, context: Context) {
  const slots: Record<string, unknown> = {}
  let key = ''
  let whole = sql`(${filled(model)})`
  for (const part of [of, ...national]) {
    const owners = await ownersBy(`${name}_${part}`, { of: part, by }, context, filled(modelOf(entityOf(part))))
    Object.assign(slots, owners.slots)
    key += owners.key
    whole = sql`(${whole} and exists (select 1 from (${owners.owners}) w where w.owner = t.id))`
  }
  return { key, slots, sql: whole }
}

/** The rows, by their ids, that something belongs to which the caller sees. */
async function ownersBy(
  name: string,
  { of, by, until }: Pick<RelatedRows, 'of' | 'by' | 'until'>,
  context: Context,
  such?: RawBuilder<unknown>,
) {
  const column = columnRef(snakeCase(by))
  const entity = entities.find((each) => each.name === of)
  const still = until ? sql`and ${columnRef(snakeCase(until))} > now()` : sql``
  // A table without an entity holds what is known of the row itself, and nothing of its own.
  if (!entity) {
    const owners = sql`select ${column} as owner from ${nameRef(of)} t where t.tenant_id = ${slotValue('tenant')} ${still}`
    return { key: '', owners, slots: {} }
  }
  const code = codeOf(entity, 'view')
  if (!holdsCode(context.actor, code)) throw new Problem('forbidden', { code })
  const model = modelOf(entity)
  const reach = context.unscoped ? undefined : await reachOf(context, model, [code], name)
  const seen = reach ? sql`and ${reach.sql}` : sql``
  return {
    key: reach ? `(${reach.key})` : '',
    owners: sql`select ${column} as owner from ${tableRef(model)} where ${ownedBy(model)} ${seen} ${still} ${such ? sql`and ${such}` : sql``}`,
    slots: reach?.values ?? {},
  }
}
