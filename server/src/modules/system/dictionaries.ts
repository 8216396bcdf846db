import type { Words } from '@data-brain/contract'
import { dictsOf } from '@data-brain/contract/rules/values'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Model } from '../../entity/model.ts'

type Language = keyof Words

/** The words of dictionary keys: `code|key` → word. */
export type Dictionaries = ReadonlyMap<string, string>

/** The words of all dictionaries that the columns of an entity show, sealed ones included: old rows hold those too. */
export async function dictionariesOf(
  tx: Tx,
  tenantId: string,
  model: Model,
  names: readonly string[],
  language: Language,
): Promise<Dictionaries> {
  const shown = model.fields.filter((field) => names.includes(field.name))
  // Of a tenant's own the field says the words itself.
  const own = shown.flatMap(({ dict, options = [] }) =>
    options.map(({ key, label }): [string, string] => [`${dict}|${key}`, label[language]]),
  )
  const codes = [
    ...shown
      .filter((field) => field.custom === undefined)
      .flatMap((field) => [field.dict ?? [], dictsOf(field)].flat()),
    ...(model.entity.status ? [model.entity.status.dict] : []),
  ]
  if (codes.length === 0) return new Map(own)
  const rows = await tx.run<{ code: string; key: string; zh: string; en: string | null }>(
    sql`select code, dict_key as key, dict_value as zh, dict_value_en as en from dict where code = any(${codes}::text[])
        union all
        select code, dict_key, dict_value, dict_value_en from dict_biz_seen where tenant_id = ${tenantId} and code = any(${codes}::text[])`,
  )
  return new Map([
    ...rows.map((row): [string, string] => [`${row.code}|${row.key}`, language === 'en' ? (row.en ?? row.zh) : row.zh]),
    ...own,
  ])
}
