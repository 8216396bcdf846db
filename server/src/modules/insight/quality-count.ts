import { codeOf, type Entity, entityOf } from '@data-brain/contract'
import { keysOff, type QualityKey, qualityCheck, qualityKeys } from '@data-brain/contract/quality'
import { zone } from '../../database/connect.ts'
import { compileOnce, sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Model, modelOf } from '../../entity/model.ts'
import { contextOf } from '../../entity/routes.ts'
import { type Reach, reachOf } from '../../entity/scope.ts'
import { nameRef, tableRef } from '../../entity/select.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { Call } from '../../kernel/route.ts'
import { parametersOf } from '../../kernel/setting.ts'
import { mayRead } from '../desk/index.ts'
import { type CheckGround, checkWheres } from './quality-checks.ts'

type Sql = ReturnType<typeof sql>

/** The enabled checks that the caller may see, with the data scope of each. */
export interface VisibleChecks extends CheckGround {
  readonly tx: Tx
  readonly keys: readonly QualityKey[]
  /** Whether nothing is out of reach. */
  readonly whole: boolean
  /** Values of the slots in what `reached` answers. */
  readonly values: Readonly<Record<string, unknown>>
}

/** A day in the product's zone, such as 2026-09-01. */
export const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })

export const entityOfCheck = (key: QualityKey): Entity => entityOf(qualityCheck(key).entity)

/** The condition that a row of an entity is within a reach. */
function within(model: Model, tenantId: string, reach: Reach | undefined, alias: string): Sql {
  return reach
    ? sql`and ${nameRef(alias)}.id in (select t.id from ${tableRef(model)} where t.tenant_id = ${tenantId} and ${reach.sql})`
    : sql``
}

async function settingsOf(tx: Tx, tenantId: string) {
  const set = await parametersOf(tx, tenantId, ['quality.off', 'quality.phoneFamilies'])
  const off = keysOff(String(set['quality.off']))
  return {
    today: dayOf.format(Date.now()),
    phoneFamilies: Number(set['quality.phoneFamilies']),
    on: qualityKeys.filter((key) => !off.has(key)),
  }
}

/** What a caller looks at: rows that their list shows them, for checks whose every entity they may see. */
export async function lookingOf(call: Call): Promise<VisibleChecks> {
  const { tx, actor } = call
  const { tenantId } = actor
  const { on, ...settings } = await settingsOf(tx, tenantId)
  const keys = on.filter((key) => {
    const { also = [] } = qualityCheck(key)
    const entity = entityOfCheck(key)
    return (
      mayRead(actor, codeOf(entity, 'view'), `/${entity.path}/list`) &&
      also.every((name) => holdsCode(actor, codeOf(entityOf(name), 'view')))
    )
  })
  const names = new Set(keys.flatMap((key) => [qualityCheck(key).entity, ...(qualityCheck(key).also ?? [])]))
  const reaches = new Map<string, Reach | undefined>()
  // One connection serves them: one after the other.
  for (const name of names)
    reaches.set(
      name,
      await reachOf(contextOf(call), modelOf(entityOf(name)), [codeOf(entityOf(name), 'view')], `of_${name}`),
    )
  const values: Record<string, unknown> = { tenant: tenantId }
  for (const reach of reaches.values()) Object.assign(values, reach?.values)
  return {
    ...settings,
    tx,
    tenantId,
    keys,
    whole: [...reaches.values()].every((reach) => reach === undefined),
    values,
    reached: (name, alias) => {
      // What nobody asked for is out of reach, and never whole.
      if (!reaches.has(name)) return sql`and false`
      return within(modelOf(entityOf(name)), tenantId, reaches.get(name), alias)
    },
  }
}

/** What the product itself looks at, in one tenant: everything. */
export async function lookingAtAll(tx: Tx, tenantId: string): Promise<VisibleChecks> {
  const { on, ...settings } = await settingsOf(tx, tenantId)
  return {
    ...settings,
    tx,
    tenantId,
    keys: on,
    whole: true,
    values: { tenant: tenantId },
    reached: () => sql``,
  }
}

/** The school that a row stands in; nothing for people, who stand in departments. */
export function schoolColumn(entity: Entity): Sql | undefined {
  if (entity.name === 'school') return sql`t.id`
  return entity.ownership === 'school' ? sql`t.school_id` : undefined
}

const ignoredOf = (key: QualityKey): Sql =>
  sql`exists (select 1 from quality_mark k where k.tenant_id = t.tenant_id and k.check_key = ${key} and k.row_id = t.id and k.reason is not null)`

/** 1 where the row `t` is a finding of the check, 2 where somebody has ignored it, else null. */
export const stateOf = (looking: VisibleChecks, key: QualityKey): Sql =>
  sql`case when ${checkWheres[key](looking)} then case when ${ignoredOf(key)} then 2 else 1 end end`

/** The rows, called `t`, of an entity in one school or in all, within reach. */
export function rowsWithin(looking: VisibleChecks, entity: Entity, schoolId: string | null): Sql {
  const column = schoolColumn(entity)
  const inSchool = schoolId === null ? sql`` : column ? sql`and ${column} = ${schoolId}` : sql`and false`
  return sql`${tableRef(modelOf(entity))} where t.tenant_id = ${looking.tenantId} ${inSchool} ${looking.reached(entity.name, 't')}`
}

/** Runs a statement with the values that the reach of a caller brings along. */
export const runWithin = <T>({ tx, values }: VisibleChecks, statement: Sql): Promise<T[]> =>
  tx.run<T>(compileOnce(statement, values))

export interface Counted {
  readonly key: QualityKey
  readonly schoolId: string | null
  readonly count: number
  readonly ignored: number
}

/**
 * The findings of each check, by school, in all rows or in some; rows of one entity are gone through once for all of its
 * checks.
 */
export async function countChecks(
  looking: VisibleChecks,
  schoolId: string | null,
  ids?: readonly string[],
): Promise<Counted[]> {
  const among = ids ? sql`and t.id = any(${[...ids]}::bigint[])` : sql``
  const found: Counted[] = []
  for (const [name, keys] of Map.groupBy(looking.keys, (key) => qualityCheck(key).entity)) {
    const entity = entityOf(name)
    const states = keys.map((key, at) => sql`${stateOf(looking, key)} as ${nameRef(`f${at}`)}`)
    const counts = keys.flatMap((_, at) =>
      [1, 2].map((state) => sql`count(*) filter (where ${nameRef(`f${at}`)} = ${sql.lit(state)})`),
    )
    // `offset 0`: so that what is found of a row is asked once, and not for each count of it.
    const rows = await runWithin<{ school: string | null; counts: number[] }>(
      looking,
      sql`select school, array[${sql.join(counts)}]::int[] as counts from (
            select ${schoolColumn(entity) ?? sql`null::bigint`} as school, ${sql.join(states)}
            from ${rowsWithin(looking, entity, schoolId)} ${among} offset 0) x group by school`,
    )
    for (const { school, counts: values } of rows)
      for (const [at, key] of keys.entries())
        found.push({ key, schoolId: school, count: values[2 * at]!, ignored: values[2 * at + 1]! })
  }
  return found
}
