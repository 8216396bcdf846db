import { codeOf, type Entity, school, schoolclass, student, user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { search } from '@data-brain/contract/calls/desk'
import type { RawBuilder } from 'kysely'
import { type PreparedQuery, prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { type SearchTerms, searchTermsOf, soughtValues } from '../../entity/find.ts'
import { modelOf } from '../../entity/model.ts'
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

interface Group {
  readonly entity: Entity
  /** Fields that stand beside the title, after those that its definition puts there. */
  readonly also: readonly string[]
}

const groups: readonly Group[] = [
  { entity: student, also: ['schoolId'] },
  { entity: user, also: ['account'] },
  { entity: schoolclass, also: [] },
  { entity: school, also: ['schoolCode'] },
]

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
 * One statement for a group: the keys that begin with the words, the whole ones first and the shorter ones before the
 * longer. Several words are brought together by grouping, not by joins: the planner, who does not know how common a
 * word is, would walk one word's rows for each row of the other.
 */
function statementOf(group: Group, words: readonly SearchTerms[], reach: Reach | undefined): PreparedQuery {
  const entity = group.entity.name
  const model = modelOf(group.entity)
  const alone = words.length === 1
  // Where a scope leaves few rows, all keys are looked at: the first of them may all be of others.
  const all = sql.join(
    words.map((word, index) => foundOf(index, entity, word, alone && !reach)),
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
          nullif(array_to_string(${besideRef(model, 't', { also: group.also, whole: true })}, ' · '), '') as note
        from first join ${tableRef(model)} on t.tenant_id = ${slotValue('tenant')} and t.id = first.row_id order by first.far, t.id`,
  )
}

const plans = new Map<string, PreparedQuery>()

/** The statement of a group for words of this shape: there are few shapes, each compiled once. */
function planOf(group: Group, words: readonly SearchTerms[], reach: Reach | undefined): PreparedQuery {
  // A scope's statement is of one role and one moment: it is compiled for the call.
  if (reach) return statementOf(group, words, reach)
  const shape = `${group.entity.name}|${words.map((word) => (word.whole.length > 0 ? 'w' : 'r')).join('')}`
  const plan = plans.get(shape) ?? statementOf(group, words, undefined)
  plans.set(shape, plan)
  return plan
}

type Found = AnswerOf<typeof search>['groups'][number]

/**
 * Finds people, classes and schools by what begins with the typed words, each kind only for those who may view it.
 * Kinds without a hit are left out.
 */
async function found(call: Call, keyword: string): Promise<{ groups: Found[] }> {
  const { tx, actor, services, circumstance } = call
  const words = searchTermsOf(keyword, services.cipher, actor.tenantId)
  if (words.length === 0) return { groups: [] }
  const hits: Found[] = []
  for (const group of groups) {
    if (!holdsCode(actor, codeOf(group.entity, 'view'))) continue
    const reach = await rowsOf(group.entity, call).reach([codeOf(group.entity, 'view')])
    const { text, values, name } = planOf(group, words, reach).with({
      tenant: actor.tenantId,
      ...soughtValues(words),
      ...reach?.values,
    })
    const items = await tx.run<Found['items'][number]>({ text, values, ...(reach || !name ? {} : { name }) })
    if (items.length > 0)
      hits.push({ entity: group.entity.name, label: group.entity.label[circumstance.language], items })
  }
  return { groups: hits }
}

export const searchRoute: Route = on(search, ({ keyword }, call) => found(call, keyword))
