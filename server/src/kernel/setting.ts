import { type ParameterKey, parameters, readParameter } from '@data-brain/contract/parameters'
import type { RawBuilder } from 'kysely'
import { slotValue, sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/** What a parameter is read as: a number, or a text. */
type ValueOf<K extends ParameterKey> = (typeof parameters)[K]['default'] extends number ? number : string

/**
 * Parameters in force in a tenant: what it has set, else the default, also where what is stored means nothing any more.
 * Read anew each time, so that a change holds on the next request of every process.
 */
export async function parametersOf<const K extends ParameterKey>(
  tx: Tx,
  tenantId: string,
  keys: readonly K[],
): Promise<{ readonly [N in K]: ValueOf<N> }> {
  const rows = await tx.run<{ param_key: string; param_value: string }>(
    sql`select param_key, param_value from param where tenant_id = ${tenantId} and param_key = any(${[...keys]}::text[])`,
  )
  const set = new Map(rows.map((row) => [row.param_key, row.param_value]))
  const inForce = (key: K): number | string => {
    const text = set.get(key)
    const read = text === undefined ? undefined : readParameter(parameters[key], text)
    return read && 'value' in read ? read.value : parameters[key].default
  }
  return Object.fromEntries(keys.map((key) => [key, inForce(key)])) as { [N in K]: ValueOf<N> }
}

/** One parameter in force in a tenant. */
export const parameterOf = async <K extends ParameterKey>(tx: Tx, tenantId: string, key: K): Promise<ValueOf<K>> =>
  (await parametersOf(tx, tenantId, [key]))[key]

/** As part of a statement: whether the tenant in the slot `tenant` has set a parameter to this. */
export const isParameter = (key: ParameterKey, value: string): RawBuilder<unknown> =>
  sql`exists (select 1 from param where tenant_id = ${slotValue('tenant')} and param_key = ${sql.lit(key)} and param_value = ${sql.lit(value)})`
