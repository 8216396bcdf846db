import type { DatasourceTable } from '@data-brain/contract/calls/datasource'
import { sourceLimits } from '@data-brain/contract/report-source'
import { useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { useT } from '../../ui/words.ts'
import { isWanted, tablesMost, tableTitle, useSourceTables } from '../datasource/index.ts'
import './page.css'

/** A table that reports may read, and what they call it. */
export interface ChosenTable {
  readonly schema: string
  readonly name: string
  readonly label: string
}

interface SourceTablesProps {
  readonly id: string
  readonly chosen: readonly ChosenTable[]
  readonly onChange: (chosen: readonly ChosenTable[]) => void
}

/** The tables of a data source, of which some are ticked and given a name. One that has vanished stays until it is unticked. */
export function SourceTables({ id, chosen, onChange }: SourceTablesProps) {
  const t = useT()
  const [wanted, setWanted] = useState('')
  const tables = useSourceTables(id)
  const found = tables.data ?? []
  const isAt = (one: Pick<DatasourceTable, 'schema' | 'name'>, other: ChosenTable) =>
    one.schema === other.schema && one.name === other.name
  const known = [
    ...chosen
      .filter((each) => tables.data && !found.some((table) => isAt(table, each)))
      .map(({ schema, name }) => ({ schema, name, comment: t('tenant.tableGone') })),
    ...found,
  ]
  const shown = known.filter((each) => chosen.some((other) => isAt(each, other)) || isWanted(each, wanted))
  const turn = ({ schema, name, comment }: Pick<DatasourceTable, 'schema' | 'name' | 'comment'>) => {
    const others = chosen.filter((each) => !isAt({ schema, name }, each))
    const label = (comment?.trim() || name).slice(0, 64)
    onChange(others.length < chosen.length ? others : [...chosen, { schema, name, label }])
  }
  return (
    <fieldset className="tenant-tables">
      <legend>{t('tenant.tables')}</legend>
      {tables.isPending && (
        <p className="dlg-note" role="status">
          {t('common.loading')}
        </p>
      )}
      {tables.error && <LoadFailed problem={tables.error} onRetry={() => void tables.refetch()} />}
      {known.length > 8 && (
        <input
          type="search"
          className="input"
          aria-label={t('tenant.tableFind')}
          placeholder={t('tenant.tableFind')}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      <ul className="dlg-list">
        {shown.slice(0, tablesMost).map((each) => {
          const mine = chosen.find((other) => isAt(each, other))
          return (
            <li key={tableTitle(each)}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={mine !== undefined}
                  disabled={!mine && chosen.length >= sourceLimits.tables}
                  onChange={() => turn(each)}
                />
                <span>
                  <span className="mono">{tableTitle(each)}</span>
                  {each.comment && <span className="dlg-note"> · {each.comment}</span>}
                </span>
              </label>
              {mine && (
                <input
                  className="input"
                  aria-label={t('tenant.tableLabel', { name: tableTitle(each) })}
                  maxLength={64}
                  value={mine.label}
                  onChange={(event) =>
                    onChange(
                      chosen.map((other) => (isAt(each, other) ? { ...other, label: event.target.value } : other)),
                    )
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
      {tables.data?.length === 0 && <p className="dlg-note">{t('tenant.tablesNone')}</p>}
      {shown.length > tablesMost && <p className="dlg-note">{t('tenant.tablesMore', { count: tablesMost })}</p>}
      <p className="field-help">{t('tenant.tablesHelp')}</p>
    </fieldset>
  )
}
