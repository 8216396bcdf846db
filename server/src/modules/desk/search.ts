import { codeOf, type Entity, school, schoolclass, student, user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { search } from '@data-brain/contract/calls/desk'
import type { RawBuilder } from 'kysely'
import { type PreparedQuery, prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { type SearchTerms, searchTermsOf, soughtValues } from '../../entity/find.ts'
import { allModels, modelOf } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import type { Reach } from '../../entity/scope.ts'
import { besideRef, tableRef, titleRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { Call, Route } from '../../kernel/route.ts'

/** Most hits of a group. */
const most = 8
/**
 * Of all keys that begin with what was typed, this many are looked at: whole keys stand first among them, so what is
 * passed over is only what a letter or two finds anyway. It bounds the cost, whatever was typed.
 */
const lookedAt = 2_000

/** What most people look for stands first; other entities that say by what they are found follow in their order. */
const first: readonly Entity[] = [student, user, schoolclass, school]
let searched: readonly Entity[] | undefined

/** The entities whose rows are found: those that a definition finds by fields of their own. */
function searchedEntities(): readonly Entity[] {
  searched ??= [
    ...first,
    ...allModels().flatMap(({ entity }) =>
      entity.find && entity.finds === undefined && !first.includes(entity) ? [entity] : [],
    ),
  ]
  return searched
}

const inRange = (index: number, entity: string): RawBuilder<unknown> =>
  sql`k.tenant_id = ${slotValue('tenant')} and k.entity = ${sql.lit(entity)} and k.key >= ${slotValue(`k${index}from`)} and k.key < ${slotValue(`k${index}to`)}`
const isWhole = (index: number, entity: string): RawBuilder<unknown> =>
  sql`k.tenant_id = ${slotValue('tenant')} and k.entity = ${sql.lit(entity)} and k.key = any(${slotValue(`k${index}whole`)}::text[])`

/** The rows of which one word is found, with how much longer the key is than the word; `bounded` for a word alone. */
function foundOf(index: number, entity: string, word: SearchTerms, bounded: boolean): RawBuilder<unknown> {
  const looked = bounded ? sql` order by k.key limit ${lookedAt}` : sql``
  const range = sql`(select k.row_id, ${sql.lit(1 << index)} as word, char_length(k.key) - char_length(${slotValue(`k${index}from`)}::text) as far
    from search_key k where ${inRange(index, entity)}${looked})`
  if (word.whole.length === 0) return range
  const whole = bounded ? sql` limit ${lookedAt}` : sql``
  return sql`${range} union all (select k.row_id, ${sql.lit(1 << index)}, 0 from search_key k where ${isWhole(index, entity)}${whole})`
}

/**
 * One statement for an entity: the keys that begin with the words, the whole ones first and the shorter ones before the
 * longer. Several words are brought together by grouping, not by joins: the planner, who does not know how common a
 * word is, would walk one word's rows for each row of the other.
 */
function statementOf(entity: Entity, words: readonly SearchTerms[], reach: Reach | undefined): PreparedQuery {
  const model = modelOf(entity)
  const alone = words.length === 1
  // Where a scope leaves few rows, all keys are looked at: the first of them may all be of others.
  const all = sql.join(
    words.map((word, index) => foundOf(index, entity.name, word, alone && !reach)),
    sql` union all `,
  )
  const within = reach
    ? sql`where h.row_id in (select t.id from ${tableRef(model)} where t.tenant_id = ${slotValue('tenant')} and ${reach.sql})`
    : sql``
  const each = alone ? sql`` : sql` having bit_or(h.word) = ${sql.lit((1 << words.length) - 1)}`
  return prepareQuery(
    sql`with first as (
          select h.row_id, min(h.far) as far from (${all}) h ${within} group by h.row_id${each} order by min(h.far), h.row_id limit ${most}
        )
        select t.id, ${titleRef(model)} as name,
          nullif(array_to_string(${besideRef(model, 't', { also: entity.findBeside ?? [], whole: true })}, ' · '), '') as note
        from first join ${tableRef(model)} on t.tenant_id = ${slotValue('tenant')} and t.id = first.row_id order by first.far, t.id`,
  )
}

const plans = new Map<string, PreparedQuery>()

/** The statement of an entity for words of this shape: there are few shapes, each compiled once. */
function planOf(entity: Entity, words: readonly SearchTerms[], reach: Reach | undefined): PreparedQuery {
  // A scope's statement is of one role and one moment: it is compiled for the call.
  if (reach) return statementOf(entity, words, reach)
  const shape = `${entity.name}|${words.map((word) => (word.whole.length > 0 ? 'w' : 'r')).join('')}`
  const plan = plans.get(shape) ?? statementOf(entity, words, undefined)
  plans.set(shape, plan)
  return plan
}

type Found = AnswerOf<typeof search>['groups'][number]

/**
 * Finds rows by what begins with the typed words, of each entity only for those who may view it: people, classes and
 * schools first.
 * Kinds without a hit are left out.
 */
async function found(call: Call, keyword: string): Promise<{ groups: Found[] }> {
  const { tx, actor, services, circumstance } = call
  const words = searchTermsOf(keyword, services.cipher, actor.tenantId)
  if (words.length === 0) return { groups: [] }
  const hits: Found[] = []
  for (const entity of searchedEntities()) {
    const view = codeOf(entity, 'view')
    if (!holdsCode(actor, view)) continue
    const reach = await rowsOf(entity, call).reach([view])
    const { text, values, name } = planOf(entity, words, reach).with({
      tenant: actor.tenantId,
      ...soughtValues(words),
      ...reach?.values,
    })
    const items = await tx.run<Found['items'][number]>({ text, values, ...(reach || !name ? {} : { name }) })
    if (items.length > 0) hits.push({ entity: entity.name, label: entity.label[circumstance.language], items })
  }
  return { groups: hits }
}

export const searchRoute: Route = on(search, ({ keyword }, call) => found(call, keyword))
