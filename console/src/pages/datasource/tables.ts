import { type DatasourceTable, datasourceTables } from '@data-brain/contract/calls/datasource'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'

/** So many tables are listed; others are found by their names. */
export const tablesMost = 300
/** Milliseconds that another database may take to tell of itself. */
const patience = 40_000

/** The tables of a data source, asked anew each time, since another program changes them. */
export const useSourceTables = (id: string) =>
  useQuery({
    queryKey: ['datasource', 'tables', id],
    queryFn: ({ signal }) => call(datasourceTables, { id }, { silent: true, signal, timeout: patience }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** A table as it is called: with its schema where the database has several. */
export const tableTitle = ({ schema, name }: Pick<DatasourceTable, 'schema' | 'name'>): string =>
  schema ? `${schema}.${name}` : name

/** Whether a table is one that was looked for, by its name or its comment. */
export const isWanted = (table: Pick<DatasourceTable, 'schema' | 'name' | 'comment'>, wanted: string): boolean =>
  `${tableTitle(table)} ${table.comment ?? ''}`.toLowerCase().includes(wanted.trim().toLowerCase())
