import { type DatasourceTable, datasourceColumns, datasourceRows } from '@data-brain/contract/calls/datasource'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { TabRow } from '../../ui/tab-row.tsx'
import { useT } from '../../ui/words.ts'

const LONGEST = 40_000

interface OfTable {
  readonly id: string
  readonly table: DatasourceTable
}

/** A region that scrolls, reachable by keyboard. */
const Scroll = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  <section className="source-scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
)

function useOfTable<T>(kind: string, { id, table }: OfTable, read: (signal: AbortSignal) => Promise<T>) {
  return useQuery({
    queryKey: ['datasource', kind, id, table.schema, table.name],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

function Columns({ id, table }: OfTable) {
  const t = useT()
  const asked = { id, schema: table.schema, table: table.name }
  const columns = useOfTable('columns', { id, table }, (signal) =>
    call(datasourceColumns, asked, { silent: true, signal, timeout: LONGEST }),
  )
  if (columns.error) return <LoadFailed problem={columns.error} onRetry={() => void columns.refetch()} />
  if (!columns.data) return <Reading />
  return (
    <Scroll label={t('datasource.columns')}>
      <table className="source-table">
        <thead>
          <tr>
            <th scope="col">{t('datasource.column')}</th>
            <th scope="col">{t('datasource.type')}</th>
            <th scope="col">{t('datasource.marks')}</th>
            <th scope="col">{t('datasource.comment')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.data.map((column) => (
            <tr key={column.name}>
              <th scope="row" className="mono">
                {column.name}
              </th>
              <td className="mono">{column.type}</td>
              <td>
                {[
                  column.primary && t('datasource.primary'),
                  !column.primary && column.single && t('datasource.single'),
                  !column.primary && !column.nullable && t('datasource.needed'),
                  column.refersTo && t('datasource.refers', { table: column.refersTo }),
                ]
                  .filter(Boolean)
                  .join(t('entity.separator'))}
              </td>
              <td>{column.comment}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Rows({ id, table }: OfTable) {
  const t = useT()
  const asked = { id, schema: table.schema, table: table.name }
  const rows = useOfTable('rows', { id, table }, (signal) =>
    call(datasourceRows, asked, { silent: true, signal, timeout: LONGEST }),
  )
  if (rows.error) return <LoadFailed problem={rows.error} onRetry={() => void rows.refetch()} />
  if (!rows.data) return <Reading />
  if (rows.data.rows.length === 0) return <p className="muted">{t('datasource.noRows')}</p>
  return (
    <Scroll label={t('datasource.rows')}>
      <table className="source-table">
        <thead>
          <tr>
            {rows.data.columns.map((column) => (
              <th key={column} scope="col" className="mono">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.data.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of others have no key that is known
            <tr key={at}>
              {row.map((cell, place) => (
                <td key={rows.data.columns[place]}>{cell ?? <span className="muted">null</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

const Reading = () => (
  <p className="muted" role="status">
    {useT()('datasource.reading')}
  </p>
)

/** Columns and first rows of a table. */
export function TableView(of: OfTable) {
  const t = useT()
  const [part, setPart] = useState('columns')
  return (
    <TabRow
      label={t('datasource.parts')}
      items={[
        { key: 'columns', label: t('datasource.columns') },
        { key: 'rows', label: t('datasource.rows') },
      ]}
      value={part}
      onChange={setPart}
    >
      {part === 'columns' ? <Columns {...of} /> : <Rows {...of} />}
    </TabRow>
  )
}
