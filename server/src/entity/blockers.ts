import { type Blocker, codeOf, countOf, thisOne, titledWith, type Words } from '@data-brain/contract'
import { sql } from '../database/statement.ts'
import { Problem } from '../kernel/problem.ts'
import type { Model } from './model.ts'
import { allModels, pointersAt } from './model.ts'
import type { Context } from './repository.ts'
import { reachOf } from './scope.ts'
import { besideRef, nameRef, tableRef, titleRef } from './select.ts'

/** Refuses the removal of a row that something still points at, and says what. */
export async function refuseBlocked(model: Model, context: Context, id: string): Promise<void> {
  const blockers = await blockersOf(model, context, id)
  if (blockers.length === 0) return
  const { language } = context.circumstance
  const counts = countedBy(blockers)
  const one = thisOne(model.entity)
  const reason = { zh: `${one.zh}还有 ${counts.zh}`, en: `${one.en} still has ${counts.en}` }
  throw new Problem('blocked', { reason }, { id, blockers, language })
}

/** What blocks, counted: `51 名学生、2 条任课关系`. */
export function countedBy(blockers: readonly Blocker[]): Words {
  const counts = blockers.map(({ entity, count }) =>
    countOf(allModels().find((model) => model.entity.name === entity)!.entity, count),
  )
  return { zh: counts.map(({ zh }) => zh).join('、'), en: counts.map(({ en }) => en).join(', ') }
}

/** What still points at a row, counted and sampled: generated from the references of all definitions (R20). */
export async function blockersOf(model: Model, context: Context, id: string): Promise<Blocker[]> {
  const blockers: Blocker[] = []
  const { tx, actor, circumstance } = context
  for (const { model: pointing, field } of pointersAt(model.entity.name)) {
    // Rows of tenants that point at what all share let go of it by themselves.
    if (model.platform && !pointing.platform) continue
    const where = pointing.platform
      ? sql`t.${nameRef(field.column)} = ${id}`
      : field.kind === 'reference'
        ? sql`t.tenant_id = ${actor.tenantId} and t.${nameRef(field.column)} = ${id}`
        : sql`t.tenant_id = ${actor.tenantId} and exists (select 1 from ${nameRef(field.linkSeen!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id = ${id})`
    const bound = await reachOf(context, pointing, [codeOf(pointing.entity, 'view')])
    const sample = await tx.run<{ name: string | null; beside: string[] }>(
      sql`select ${titleRef(pointing)} as name, ${besideRef(pointing)} as beside from ${tableRef(pointing)} where ${where} limit 6`,
    )
    if (sample.length === 0) continue
    const count =
      sample.length < 6
        ? sample.length
        : ((await tx.one<{ n: number }>(sql`select count(*)::int as n from ${tableRef(pointing)} where ${where}`))?.n ??
          sample.length)
    blockers.push({
      entity: pointing.entity.name,
      field: field.name,
      label: pointing.entity.label[circumstance.language],
      unit: pointing.entity.measure,
      count,
      // Who may not see all of those rows is told how many they are, not their names.
      sample: bound
        ? []
        : sample.slice(0, 5).map((row) => titledWith(row.name ?? '', row.beside, circumstance.language)),
    })
  }
  return blockers
}
