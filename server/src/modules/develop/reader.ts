/** A table or view of a data source. `schema` is empty where the database has none. */
export interface SourceTable {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly comment: string | null
}

export type TableName = Pick<SourceTable, 'schema' | 'name'>

export interface SourceColumn {
  readonly name: string
  /** As its database writes it, such as `character varying(20)`. */
  readonly type: string
  readonly length: number | null
  readonly nullable: 0 | 1
  readonly primary: 0 | 1
  /** No two rows have the same value of it alone. */
  readonly single: 0 | 1
  /** The table that it refers to. */
  readonly refersTo: string | null
  readonly comment: string | null
}

/** A row of a statement whose cells come as texts. */
export type TextRow = Readonly<Record<string, string | null>>

/** The table or view of a row that a data source's catalogue has of it. */
export const tableOf = ({ schema, name, kind, comment }: TextRow): SourceTable => ({
  schema: schema ?? '',
  name: name ?? '',
  kind: kind === 'view' ? 'view' : 'table',
  comment: comment ?? null,
})

/** What is read of a data source, over one connection in a transaction that can only read. Each throws a SourceError. */
export interface SourceReader {
  tables(): Promise<readonly SourceTable[]>
  /** None where there is no such table. */
  columns(table: TableName): Promise<readonly SourceColumn[]>
  /** The first rows as texts of at most `cellMost` characters, at most `rowsMost` of them and one that tells of more. The columns are those of the table. */
  rows(
    table: TableName,
    columns: readonly SourceColumn[],
    most: number,
  ): Promise<readonly (readonly (string | null)[])[]>
  close(): Promise<void>
}

/** Most rows that one statement is read to. */
export const rowsMost = 100_000
/** Longest text of a cell. */
export const cellMost = 200
/** How long a statement may take, and how long it is waited for a connection. */
export const statementMs = 10_000
export const connectMs = 8_000

/** Who logs in to a server, and where. */
export interface Login {
  readonly username: string | null
  readonly password: string | null
}
