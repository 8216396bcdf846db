import type { Blocker } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { eachTenant } from '../../database/each-tenant.ts'
import { sql } from '../../database/statement.ts'
import { countedBy } from '../../entity/blockers.ts'
import { allModels, type Model } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { tableRef, titleRef } from '../../entity/select.ts'

/** A place where rows may hold something that is about to go: rows of the model `t` that match. */
export interface Place {
  readonly model: Model
  readonly holds: RawBuilder<unknown>
}

const sampleMost = 5

const blockerOf = ({ model }: Place, context: Context, count: number, sample: string[]): Blocker => ({
  entity: model.entity.name,
  label: model.entity.label[context.circumstance.language],
  unit: model.entity.measure,
  count,
  sample,
})

async function rowsIn({ model, holds }: Place, context: Context, where: RawBuilder<unknown>): Promise<Blocker[]> {
  const matching = sql`${tableRef(model)} where ${where} and ${holds}`
  const counted = await context.tx.one<{ n: number }>(sql`select count(*)::int as n from ${matching}`)
  if (!counted || counted.n === 0) return []
  const sample = await context.tx.run<{ name: string | null }>(
    sql`select ${titleRef(model)} as name from ${matching} limit ${sampleMost}`,
  )
  return [
    blockerOf(
      { model, holds },
      context,
      counted.n,
      sample.map((row) => row.name ?? ''),
    ),
  ]
}

/** Which rows of the actor's tenant, and of what all share, are in these places: counted and sampled by name. */
export async function usersInTenant(context: Context, places: readonly Place[]): Promise<Blocker[]> {
  const blockers: Blocker[] = []
  for (const place of places)
    blockers.push(
      ...(await rowsIn(
        place,
        context,
        place.model.platform ? sql`true` : sql`t.tenant_id = ${context.actor.tenantId}`,
      )),
    )
  return blockers
}

/**
 * The same for all tenants, one after the other in a transaction of the platform role. Their rows are counted; the
 * sample names tenants, for what stands in them is not the platform's to see.
 */
export async function usersAnywhere(context: Context, places: readonly Place[]): Promise<Blocker[]> {
  const { tx, actor } = context
  const shared = await usersInTenant(
    context,
    places.filter(({ model }) => model.platform),
  )
  const owned = places.filter(({ model }) => !model.platform)
  if (owned.length === 0) return shared
  const found = owned.map(() => ({ count: 0, sample: [] as string[] }))
  await eachTenant(tx, actor.tenantId, async (tenantId, name) => {
    const counts = await tx.run<{ place: number; n: number }>(
      sql.join(
        owned.map(
          ({ model, holds }, place) =>
            sql`select ${sql.lit(place)}::int as place, count(*)::int as n from ${tableRef(model)} where t.tenant_id = ${tenantId} and ${holds}`,
        ),
        sql` union all `,
      ) as RawBuilder<unknown>,
    )
    for (const { place, n } of counts) {
      const one = found[place]!
      one.count += n
      if (n > 0 && one.sample.length < sampleMost) one.sample.push(name)
    }
  })
  return [
    ...shared,
    ...owned.flatMap((place, index) =>
      found[index]!.count > 0 ? [blockerOf(place, context, found[index]!.count, found[index]!.sample)] : [],
    ),
  ]
}

/** What blocks a removal, in one sentence of each language. */
export const blockedBy = (blockers: readonly Blocker[]): { zh: string; en: string } => ({
  zh: `有 ${countedBy(blockers).zh}在使用`,
  en: `used by ${countedBy(blockers).en}`,
})

/** Every field, of all entities, of which `fits` says so. */
export const fieldsWhere = (fits: (field: Model['fields'][number]) => boolean) =>
  allModels().flatMap((model) => model.fields.filter(fits).map((field) => ({ model, field })))
