import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type Model, modelOf } from '../../../entity/model.ts'
import { nameRef } from '../../../entity/select.ts'
import { NameIndex } from './name-index.ts'

/** In place of the school of a file whose rows belong to none. */
export const noSchool = '0'

/** Entities that a directory holds with more than their names. */
const known: ReadonlySet<string> = new Set(
  'user sysgrade schoolclass schoolcampus schoolclassroom schoolfloor schoolsubject'.split(' '),
)

/** The rows of the school, or where the file is of none those of the tenant, that cells of an entity's other references may name: by title, and by what they are found by. */
export async function readReferred(
  tx: Tx,
  tenantId: string,
  schoolId: string,
  model: Model,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, NameIndex>> {
  const found = new Map<string, NameIndex>()
  for (const { name, target } of model.fields) {
    if (!target || !names.has(name) || found.has(target.name) || known.has(target.name)) continue
    const { seen, byName, entity } = modelOf(target)
    const title = byName.get(entity.title)
    if (title?.kind !== 'text') continue
    const ways = (entity.find ?? []).flatMap((each) =>
      byName.get(each)?.kind === 'text' ? byName.get(each)!.column : [],
    )
    const rows = await tx.run<{ id: string; title: string; ways: (string | null)[] }>(
      sql`select id, ${nameRef(title.column)} as title, array[${nameRef([title.column, ...ways].join(', '))}]::text[] as ways
          from ${nameRef(seen)} where tenant_id = ${tenantId}
          ${byName.has('schoolId') && schoolId !== noSchool ? sql`and school_id = ${schoolId}` : sql``} order by id`,
    )
    found.set(target.name, new NameIndex(rows.map((row) => ({ ...row, beside: '' }))))
  }
  return found
}
