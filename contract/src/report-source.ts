import type { Entity } from './entity.ts'
import type { Field, Words } from './field.ts'

/*
 * Tables of a data source that reports read. To a report each is an entity of its own, called `source:` and the id of the table,
 * whose fields are the columns. Names of columns are known to the server alone.
 */

/** The right to read tables of a data source in reports. */
export const sourceCode = 'report_source'

/** Tables of a data source that one tenant may read at most, and the columns of one. */
export const sourceLimits = { tables: 50, columns: 200 } as const

export const sourceKinds = ['text', 'integer', 'decimal', 'flag', 'date', 'instant'] as const

export interface ReportSourceColumn {
  readonly field: string
  readonly label: string
  readonly kind: (typeof sourceKinds)[number]
  readonly scale: number | null
}

/** A table as reports know it. */
export interface ReportSource {
  readonly id: string
  readonly label: string
  readonly columns: readonly ReportSourceColumn[]
}

const prefix = 'source:'
export const sourceName = (id: string): string => `${prefix}${id}`
/** Whether a report of such an entity reads a data source. */
export const isSourceName = (entity: string): boolean => entity.startsWith(prefix)

const both = (text: string): Words => ({ zh: text, en: text })

/** Longest text that is read of a cell. */
const cellMost = 200

/** A table as an entity. `labels` are what the report calls its columns, by their fields. */
export function sourceEntity(
  { id, label, columns }: ReportSource,
  labels: Readonly<Record<string, string>> = {},
): Entity {
  const name = sourceName(id)
  const fields = Object.fromEntries(
    columns.map(({ field, label: usual, kind, scale }): [string, Field] => [
      field,
      {
        kind,
        label: both(labels[field]?.trim() || usual),
        ...(kind === 'text' ? { max: cellMost } : {}),
        ...(kind === 'decimal' ? { scale: scale ?? 2 } : {}),
      },
    ]),
  )
  return {
    name,
    path: name,
    table: 'source_rows',
    label: both(label),
    ownership: 'tenant',
    title: columns[0]?.field ?? '',
    fields,
    list: [],
    search: [],
    sort: 'createTime',
    unscoped: true,
  }
}
