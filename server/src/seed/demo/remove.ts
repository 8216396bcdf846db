import { entities } from '@data-brain/contract'
import type pg from 'pg'
import { sql } from '../../database/statement.ts'
import { tenantTables } from '../../database/tables.ts'
import { inPlatform } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { nameRef } from '../../entity/select.ts'

const demoTenant = '000001'

/**
 * Removes the demo tenant and everything in it, in one transaction, and remembers that it is not to come back. Needs
 * the owner's connection: the app role may not take history away. Answers the number of rows removed, or null when
 * tenant 000001 was not made by the demo; then nothing is touched.
 */
export async function removeDemo(owner: pg.Pool): Promise<number | null> {
  return inPlatform(owner, async (tx) => {
    const mark = await tx.one<{ value: string }>(sql`select value from seed_mark where name = 'demo' for update`)
    if (mark?.value !== 'laid') return null
    await tx.run(sql`set local statement_timeout = '120s'`)
    await tx.run(sql`set local app.tenant_id = '000001'`)
    const where = sql`where tenant_id = ${demoTenant}`
    let removed = 0
    const models = entities.map(modelOf)
    const ofEntities = new Set(
      models.flatMap((model) => [model.table, ...model.fields.flatMap((field) => field.linkTable ?? [])]),
    )
    for (const table of Object.keys(tenantTables))
      if (!ofEntities.has(table)) removed += await tx.count(sql`delete from ${nameRef(table)} ${where}`)
    // References that point forward or at their own kind are let go first; then rows go, the last kind first.
    for (const [order, model] of models.entries())
      for (const field of model.fields)
        if (
          field.kind === 'reference' &&
          !field.required &&
          models.findIndex((each) => each.entity === field.target) >= order
        )
          await tx.run(
            sql`update ${nameRef(model.table)} set ${nameRef(field.column)} = null ${where} and ${nameRef(field.column)} is not null`,
          )
    for (const model of models.toReversed()) {
      for (const field of model.fields)
        if (field.linkTable) removed += await tx.count(sql`delete from ${nameRef(field.linkTable)} ${where}`)
      removed += await tx.count(sql`delete from ${nameRef(model.table)} ${where}`)
    }
    removed += await tx.count(sql`delete from tenant ${where}`)
    await tx.run(sql`update seed_mark set value = 'removed', at = now() where name = 'demo'`)
    return removed
  })
}
