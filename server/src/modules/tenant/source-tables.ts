import { createHash } from 'node:crypto'
import { tenant } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { chooseSourceTables, tenantSourceTables } from '@data-brain/contract/calls/tenant'
import { sourceLimits } from '@data-brain/contract/report-source'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { modelOf, platformTenant } from '../../entity/model.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { Problem } from '../../kernel/problem.ts'
import type { DetachedCall, Route } from '../../kernel/route.ts'
import { kindOfColumn, readSource, type SourceColumn, SourceError } from '../develop/index.ts'
import type { BoundTable } from '../report/index.ts'

/* Which tables of its data source the reports of a tenant may read: chosen by the platform, with their columns as they are now. */

interface Bound {
  readonly id: string
  readonly datasource_id: string | null
  readonly source_tables: readonly BoundTable[] | null
}

async function boundTo(tx: Tx, tenantId: string): Promise<Bound> {
  const found = await tx.one<Bound>(
    sql`select id, datasource_id, source_tables from tenant where tenant_id = ${tenantId}`,
  )
  if (!found) throw new Problem('not_found')
  return found
}

/** The name of a column in reports: letters only, the same for as long as the column is called so. */
const fieldOf = (column: string): string =>
  `c${createHash('sha256')
    .update(column)
    .digest('hex')
    .slice(0, 16)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`

const columnOf = (column: SourceColumn): BoundTable['columns'][number] => ({
  field: fieldOf(column.name),
  name: column.name,
  label: (column.comment?.trim() || column.name).slice(0, 64),
  ...kindOfColumn(column),
})

const refused = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

async function choose(
  { tenantId, datasourceId, tables }: InputOf<typeof chooseSourceTables>,
  call: DetachedCall,
): Promise<void> {
  const labels = tables.map(({ label }) => label.trim())
  const twice = labels.find((label, at) => labels.indexOf(label) < at)
  if (twice !== undefined) throw refused(`名称“${twice}”重复`, `Two tables are called “${twice}”`)
  const before = await call.as(({ tx }) => boundTo(tx, tenantId))
  const mustBeBound = (now: Bound): void => {
    if (now.datasource_id !== datasourceId)
      throw refused(
        '租户已不再绑定该数据源，请重新打开',
        'The tenant is no longer bound to this data source: open this again',
      )
  }
  mustBeBound(before)
  const known = new Map((before.source_tables ?? []).map((each) => [JSON.stringify([each.schema, each.name]), each.id]))
  let chosen: BoundTable[]
  try {
    chosen =
      tables.length === 0
        ? []
        : await readSource(call.services, { tenantId: platformTenant, id: datasourceId }, async (reader) => {
            const read: BoundTable[] = []
            for (const { schema = '', name, label } of tables) {
              const columns = await reader.columns({ schema, name })
              if (columns.length === 0)
                throw refused(`表“${name}”已不存在或不可读取`, `The table “${name}” is gone or cannot be read`)
              if (columns.length > sourceLimits.columns)
                throw refused(
                  `表“${name}”超过${sourceLimits.columns}列`,
                  `The table “${name}” has more than ${sourceLimits.columns} columns`,
                )
              // A table that is chosen again stays what reports know it as.
              const id = known.get(JSON.stringify([schema, name])) ?? newId()
              read.push({ id, schema, name, label: label.trim(), columns: columns.map(columnOf) })
            }
            return read
          })
  } catch (error) {
    throw error instanceof SourceError ? error.problem() : error
  }
  await call.as(async (opened) => {
    const writing = { ...call, ...opened }
    const row = await rowsOf(tenant, writing).before(before.id, { lock: true })
    mustBeBound(await boundTo(opened.tx, tenantId))
    await writeOver(modelOf(tenant), contextOf(writing), before.id, row, { sourceTables: chosen }, {})
  })
}

export const sourceTableRoutes: readonly Route[] = [
  on(
    tenantSourceTables,
    async ({ tenantId }, { tx }) =>
      ((await boundTo(tx, tenantId)).source_tables ?? []).map(({ schema, name, label }) => ({ schema, name, label })),
    { platform: true },
  ),
  onDetached(chooseSourceTables, choose, { platform: true }),
]
