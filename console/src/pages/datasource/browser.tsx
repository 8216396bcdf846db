import type { DatasourceTable } from '@data-brain/contract/calls/datasource'
import { useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import { TableView } from './table-view.tsx'
import { isWanted, tablesMost, tableTitle, useSourceTables } from './tables.ts'
import './browser.css'

const keyOf = ({ schema, name }: DatasourceTable) => `${schema}.${name}`

interface TablesProps {
  readonly tables: readonly DatasourceTable[]
  readonly chosen: DatasourceTable | null
  readonly onChoose: (table: DatasourceTable) => void
}

function Tables({ tables, chosen, onChoose }: TablesProps) {
  const t = useT()
  const [wanted, setWanted] = useState('')
  const found = tables.filter((each) => isWanted(each, wanted))
  if (tables.length === 0) return <p className="muted">{t('datasource.noTables')}</p>
  return (
    <>
      <input
        type="search"
        className="input"
        aria-label={t('datasource.find')}
        placeholder={t('datasource.find')}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <ul className="source-tables" aria-label={t('datasource.tables')}>
        {found.slice(0, tablesMost).map((each) => (
          <li key={keyOf(each)}>
            <button type="button" aria-pressed={each === chosen} onClick={() => onChoose(each)}>
              <span className="mono">{tableTitle(each)}</span>
              {each.kind === 'view' && <span className="tag">{t('datasource.view')}</span>}
              {each.comment && <small>{each.comment}</small>}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">{t('datasource.noneFound')}</p>}
      {found.length > tablesMost && <p className="muted">{t('datasource.more', { count: tablesMost })}</p>}
    </>
  )
}

/** The tables of a data source, and of one of them its columns and first rows. */
export function Browser({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useT()
  const [chosen, setChosen] = useState<DatasourceTable | null>(null)
  const tables = useSourceTables(id)
  return (
    <Dialog title={t('datasource.browseTitle', { name })} width={1080} onClose={onClose}>
      {tables.isPending && (
        <p className="muted" role="status">
          {t('datasource.reading')}
        </p>
      )}
      {tables.error && <LoadFailed problem={tables.error} onRetry={() => void tables.refetch()} />}
      {tables.data && (
        <div className="source" data-chosen={chosen !== null || undefined}>
          <div className="source-side">
            <Tables tables={tables.data} chosen={chosen} onChoose={setChosen} />
          </div>
          <div className="source-main">
            {chosen ? (
              <>
                <div className="source-head">
                  <button type="button" className="button small source-back" onClick={() => setChosen(null)}>
                    <Icon name="arrow-left" />
                    {t('datasource.back')}
                  </button>
                  <h2 className="mono">{tableTitle(chosen)}</h2>
                </div>
                <TableView key={keyOf(chosen)} id={id} table={chosen} />
              </>
            ) : (
              <p className="muted">{t('datasource.choose')}</p>
            )}
          </div>
        </div>
      )}
    </Dialog>
  )
}
