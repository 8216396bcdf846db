import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Model } from './model.ts'
import type { Context } from './repository.ts'
import { nameRef } from './select.ts'

/*
 * Rows that the product ships are kept once for all tenants, and fall into units: a dictionary with its entries. A tenant
 * sees them in the view `seen` until it changes something of a unit: then it takes the unit on, which is to hold all of it
 * itself, under the same ids. From there on its rows are like any others, and what was shared of the unit is out of sight.
 */

/** The columns of shared rows; the others of an entity's table have their defaults. */
const columnsOf = (model: Model): string[] => [
  'id',
  ...model.fields.map((field) => field.column),
  'create_time',
  'update_time',
]

const unitOf = (model: Model): string => model.byName.get(model.entity.shares!)!.column

/** Makes the unit of a shared row the tenant's own, before the row is changed or pointed at. Of two at once one waits. */
export async function takeOn(model: Model, { tx, actor }: Pick<Context, 'tx' | 'actor'>, id: string): Promise<void> {
  if (!model.entity.shares) return
  const unit = nameRef(unitOf(model))
  const columns = columnsOf(model)
  await tx.run(
    sql`with taken as (
          insert into taken_on (tenant_id, entity, unit)
          select ${actor.tenantId}, ${model.entity.name}, s.${unit} from ${nameRef(model.shared)} s where s.id = ${id}
          on conflict do nothing returning unit)
        insert into ${nameRef(model.table)} (tenant_id, ${nameRef(columns.join(', '))})
        select ${actor.tenantId}, ${nameRef(columns.map((column) => `s.${column}`).join(', '))} from ${nameRef(model.shared)} s join taken on taken.unit = s.${unit}`,
  )
}

/** Notes that a tenant holds a unit itself: one that it begins, which a later version may ship. */
export async function holdUnit(
  { entity }: Model,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  unit: string,
): Promise<void> {
  if (!entity.shares) return
  await tx.run(
    sql`insert into taken_on (tenant_id, entity, unit) values (${actor.tenantId}, ${entity.name}, ${unit}) on conflict do nothing`,
  )
}

/**
 * Notes the units that a tenant holds whose rows come from a version that shared none: those of its rows, and those that
 * it once had.
 */
export async function holdOwn(tx: Tx, tenantId: string, model: Model): Promise<void> {
  const unit = unitOf(model)
  const { name } = model.entity
  await tx.run(
    sql`insert into taken_on (tenant_id, entity, unit)
        select ${tenantId}, ${name}, ${nameRef(unit)} from ${nameRef(model.table)} where tenant_id = ${tenantId}
        union select ${tenantId}, ${name}, before ->> ${unit} from history
          where tenant_id = ${tenantId} and entity = ${name} and before ->> ${unit} is not null
        on conflict do nothing`,
  )
}
