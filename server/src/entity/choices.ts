import type { Entity } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { slotValue, sql, statementByShape } from '../database/statement.ts'
import { conditionsOf, orderOf } from './filter.ts'
import { besidesOf, foundBy, searchTermsOf, soughtValues } from './find.ts'
import type { Model } from './model.ts'
import { pageSizeMax, wholeNumber } from './paging.ts'
import type { Context } from './repository.ts'
import type { Reach } from './scope.ts'
import { besideRef, choiceOrderOf, columnRef, nameRef, ownedBy, tableRef, titleRef, usualOf } from './select.ts'
import { meantBy } from './synonyms.ts'

/** A row that may be chosen: its name, what stands beside it, and whether it is the one that is proposed. */
export interface Choice {
  readonly id: string
  readonly name: string
  readonly beside: string[]
  readonly usual: boolean
}

/** Whether row `t` belongs to the row that is near, by the id of that. */
type Nearness = (id: RawBuilder<unknown>) => RawBuilder<unknown>
const nearness = new Map<string, Nearness>()

/** Says which rows of an entity belong to the one that brings them to the front; called when the server is put together. */
export const addNearness = (entity: Pick<Entity, 'name'>, belongs: Nearness): void => {
  nearness.set(entity.name, belongs)
}

/** The rows of an entity that may be chosen: found by a keyword, within references, or asked for by id. */
export function choicesOf(
  model: Model,
  context: Pick<Context, 'tx' | 'actor' | 'cipher'>,
  query: Readonly<Record<string, string>>,
  reach: Reach | undefined,
): Promise<Choice[]> {
  const { ids = '', keyword = '', size = '', near = '', ...rest } = query
  const belongs = near && !ids ? nearness.get(model.entity.name) : undefined
  const references = Object.fromEntries(
    Object.entries(rest).filter(([name]) => ['reference', 'references'].includes(model.byName.get(name)?.kind ?? '')),
  )
  // Of what all tenants share, some rows are the platform's alone: nobody else is offered them.
  const shared = model.platform && model.byName.has('platformOnly') && !context.actor.platform
  const conditions = conditionsOf(
    model,
    { ...(ids ? { id: ids } : references), ...(shared ? { platformOnly: '0' } : {}) },
    context.cipher,
    context.actor.tenantId,
  )
  const words = keyword && !ids ? searchTermsOf(keyword, context.cipher, context.actor.tenantId) : []
  const byKey = words.length > 0 && model.find.length > 0 && model.findsEntity === model.entity.name
  const meant = words.length > 0 ? meantBy(model.entity.name, keyword) : undefined
  const marks = (word: (typeof words)[number]): string => `${word.whole.length}${word.from.length > 1 ? '+' : ''}`
  const shape = `select|${model.entity.name}|${conditions.map((condition) => condition.key).join('&')}|${byKey ? words.map(marks).join(',') : words.length > 0 ? 'part' : ''}${meant ? '|meant' : ''}${belongs ? '|near' : ''}${reach ? `|${reach.key}` : ''}`
  const values = {
    tenant: context.actor.tenantId,
    size: ids ? pageSizeMax : wholeNumber(size, 50, 1, 50),
    part: `%${words.map((word) => word.from).join('%')}%`,
    ...Object.fromEntries(conditions.map((condition, index) => [`f${index}`, condition.value])),
    ...soughtValues(words),
    ...(meant ? { meant: meant.value } : {}),
    ...(belongs ? { near } : {}),
    ...reach?.values,
  }
  const named = (): RawBuilder<unknown> =>
    byKey
      ? foundBy(model.entity.name, words, columnRef('id'), besidesOf(model))
      : sql`concat_ws(' ', ${titleRef(model)}, array_to_string(${besideRef(model)}, ' ')) ilike ${slotValue('part')}`
  const statement = statementByShape(
    shape,
    values,
    () =>
      sql`select t.id, ${titleRef(model)} as name, ${besideRef(model)} as beside, ${belongs ? belongs(slotValue('near')) : nameRef(usualOf(model.entity, 't'))} as usual from ${tableRef(model)} where ${sql.join(
        [
          ownedBy(model),
          ...(reach ? [reach.sql] : []),
          ...conditions.map((condition, index) => condition.sql(`f${index}`)),
          ...(words.length === 0 ? [] : meant ? [sql`(${named()} or ${meant.sql})`] : [named()]),
        ],
        sql` and `,
      )} order by ${belongs ? sql`usual desc, ` : sql``}${nameRef(choiceOrderOf(model, orderOf(model, {}).sql))} limit ${slotValue('size')}`,
  )
  return context.tx.run(statement)
}
