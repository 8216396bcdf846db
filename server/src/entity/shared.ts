import type { SharedTable } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { sharedName } from '../database/name.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Values } from './check.ts'
import { allModels, type Model, modelOf } from './model.ts'
import type { Context } from './repository.ts'
import { nameRef } from './select.ts'

/*
 * Rows that the product ships are kept once for all tenants, and fall into units: a dictionary with its entries, all grades
 * with all subjects, what one role is granted. A tenant sees them in views until it changes something of a unit, or refers
 * to it by a key: then it takes the unit on, which is to hold all of it itself, under the same ids. From there on its rows
 * are like any others, and what was shared of the unit is out of sight.
 */

/** What is taken on together: tables, each with the columns that its shared rows have; others have their defaults. */
export interface Share {
  /** Its name in `taken_on`. */
  readonly name: string
  /** The column by which the rows fall into units; without one all are of one unit. */
  readonly unit: string | undefined
  readonly parts: readonly SharedTable[]
}

/** The unit of what is one as a whole. */
const whole = '*'

const partsOf = (model: Model): Share['parts'] => [
  {
    table: model.table,
    columns: [
      'id',
      ...model.fields.filter((field) => !field.linkTable).map((field) => field.column),
      'create_time',
      'update_time',
    ],
  },
  ...model.fields.flatMap(({ linkTable }) =>
    linkTable ? [{ table: linkTable, columns: ['owner_id', 'target_id', 'ord'] }] : [],
  ),
]

const wholeName = (model: Model | undefined): string | undefined => {
  const shares = model?.entity.shares
  return shares && 'whole' in shares ? shares.whole : undefined
}

const shareOf = (model: Model): Share | undefined => {
  const { shares, name } = model.entity
  if (!shares) return undefined
  if ('by' in shares) return { name, unit: model.byName.get(shares.by)!.column, parts: partsOf(model) }
  return wholeShare(shares.whole)
}

const besideOf = ({ entity: { shares } }: Model): readonly SharedTable[] =>
  (shares && 'whole' in shares ? shares.beside : undefined) ?? []

function wholeShare(name: string): Share {
  const models = allModels().filter((each) => wholeName(each) === name)
  return { name, unit: undefined, parts: [...models.flatMap(partsOf), ...models.flatMap(besideOf)] }
}

/** Makes these units of what is shared the tenant's own. Of two at once one waits for the other, and finds it done. */
export async function take(
  tx: Tx,
  tenantId: string,
  { name, unit, parts }: Share,
  units: RawBuilder<unknown>,
): Promise<void> {
  const copies = parts.map(({ table, columns }, at) => {
    const unitOf = unit ? sql`s.${nameRef(unit)}::text` : sql.lit(whole)
    return sql`, ${nameRef(`part_${at}`)} as (
      insert into ${nameRef(table)} (tenant_id, ${nameRef(columns.join(', '))})
      select ${tenantId}, ${nameRef(columns.map((column) => `s.${column}`).join(', '))} from ${nameRef(sharedName(table))} s join taken on taken.unit = ${unitOf})`
  })
  await tx.run(
    sql`with taken as (
          insert into taken_on (tenant_id, entity, unit) select ${tenantId}, ${name}, u.unit from (${units}) u(unit)
          on conflict do nothing returning unit)
        ${sql.join(copies, sql``)} select 1`,
  )
}

/** Makes the unit of a shared row the tenant's own, before the row is changed or an entry is put under it. */
export async function takeOn(model: Model, { tx, actor }: Pick<Context, 'tx' | 'actor'>, id: string): Promise<void> {
  const share = shareOf(model)
  if (!share) return
  const units = share.unit
    ? sql`select s.${nameRef(share.unit)}::text from ${nameRef(sharedName(model.table))} s where s.id = ${id}`
    : sql`select ${whole}::text`
  await take(tx, actor.tenantId, share, units)
}

/**
 * Makes what is shared as a whole the tenant's own before rows of it are added, or rows are written that refer to it: keys
 * and the uniqueness of the tenant's own rows hold for these.
 */
export async function takeOnFor(
  model: Model,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  rows: readonly Values[],
): Promise<void> {
  const named = [
    wholeName(model),
    ...model.fields
      .filter(({ name, target }) => target?.shares && rows.some((values) => !isEmpty(values[name])))
      .map(({ target }) => wholeName(modelOf(target!))),
  ]
  for (const name of new Set(named))
    if (name) await take(tx, actor.tenantId, wholeShare(name), sql`select ${whole}::text`)
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

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

/** Whether a tenant holds itself what is shared as a whole. */
export const holdsWhole = async (tx: Tx, tenantId: string, name: string): Promise<boolean> =>
  (await tx.one(sql`select 1 from taken_on where tenant_id = ${tenantId} and entity = ${name} and unit = ${whole}`)) !==
  undefined

/**
 * Notes what a tenant holds itself whose rows come from elsewhere, or from a version that shared none: all that is shared
 * as a whole, and of the rest the units of its rows, and those that it once had.
 */
export async function holdOwn(tx: Tx, tenantId: string): Promise<void> {
  const wholes = new Set(allModels().flatMap((model) => wholeName(model) ?? []))
  await tx.run(
    sql`insert into taken_on (tenant_id, entity, unit)
        select ${tenantId}, u.name, ${whole} from unnest(${[...wholes]}::text[]) u(name)
        on conflict do nothing`,
  )
  for (const model of allModels()) {
    const share = shareOf(model)
    if (!share?.unit) continue
    const unit = nameRef(share.unit)
    await tx.run(
      sql`insert into taken_on (tenant_id, entity, unit)
          select ${tenantId}, ${share.name}, ${unit}::text from ${nameRef(model.table)} where tenant_id = ${tenantId}
          union select ${tenantId}, ${share.name}, before ->> ${share.unit} from history
            where tenant_id = ${tenantId} and entity = ${share.name} and before ->> ${share.unit} is not null
          on conflict do nothing`,
    )
  }
}
