import { type Dictionary, dictionaries } from '@data-brain/contract/dictionaries'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { insertMany } from '../entity/bulk.ts'

/** A row of a business dictionary as it is shipped. */
type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly code: string; readonly dict_key: string }

const rowOf = (
  { code }: Dictionary,
  { key, label, remark }: Pick<Dictionary['items'][number], 'key' | 'label'> & { remark?: string | undefined },
  sort: number,
  parent: string | null,
): Row => ({
  id: newId(),
  parent_id: parent,
  code,
  dict_key: key,
  dict_value: label.zh,
  dict_value_en: label.en,
  sort,
  is_sealed: 0,
  remark: remark ?? null,
  create_time: 'now',
  update_time: 'now',
})

/** The entries of a dictionary as rows under its root. */
export const entriesOf = (dictionary: Dictionary, root: string): Row[] =>
  dictionary.items.map((item, order) => rowOf(dictionary, item, order + 1, root))

/** Lays the business dictionaries that all tenants share, and what a newer version adds to them. */
export async function layBusiness(tx: Tx): Promise<void> {
  const held = await tx.run<{ id: string; code: string; dict_key: string }>(
    sql`select id, code, dict_key from dict_biz_shared`,
  )
  const ids = new Map(held.map((row) => [`${row.code}|${row.dict_key}`, row.id]))
  const rows = dictionaries
    .filter((each) => each.business)
    .flatMap((dictionary, index) => {
      const { label, source: remark } = dictionary
      const made = rowOf(dictionary, { key: '-1', label, remark }, index + 1, null)
      return [made, ...entriesOf(dictionary, ids.get(`${dictionary.code}|-1`) ?? made.id)]
    })
  await insertMany(
    tx,
    'dict_biz_shared',
    rows.filter((row) => !ids.has(`${row.code}|${row.dict_key}`)),
  )
}
