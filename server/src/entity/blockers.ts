import type { Blocker } from '@data-brain/contract'
import { sql } from '../database/statement.ts'
import type { Model } from './model.ts'
import { pointersAt } from './model.ts'
import type { Context } from './repository.ts'
import { nameRef, tableRef, titleRef } from './select.ts'

/** What still points at a row, counted and sampled: generated from the references of all definitions (R20). */
export async function blockersOf(model: Model, context: Context, id: string): Promise<Blocker[]> {
  const blockers: Blocker[] = []
  const { tx, actor, circumstance } = context
  for (const { model: pointing, field } of pointersAt(model.entity.name)) {
    const where =
      field.kind === 'reference'
        ? sql`t.tenant_id = ${actor.tenantId} and t.${nameRef(field.column)} = ${id}`
        : sql`t.tenant_id = ${actor.tenantId} and exists (select 1 from ${nameRef(field.linkTable!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id = ${id})`
    const sample = await tx.run<{ name: string | null }>(
      sql`select ${titleRef(pointing)} as name from ${tableRef(pointing)} where ${where} limit 6`,
    )
    if (sample.length === 0) continue
    const count =
      sample.length < 6
        ? sample.length
        : ((await tx.one<{ n: number }>(sql`select count(*)::int as n from ${tableRef(pointing)} where ${where}`))?.n ??
          sample.length)
    blockers.push({
      entity: pointing.entity.name,
      label: pointing.entity.label[circumstance.language],
      count,
      sample: sample.slice(0, 5).map((row) => row.name ?? ''),
    })
  }
  return blockers
}
