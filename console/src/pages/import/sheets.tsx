import { useState } from 'react'
import { type BatchView, sendSheets } from './calls.ts'
import { useImportT, useKind } from './kind.ts'
import { useRenew, useWork } from './state.ts'

/** Which sheets of the file are read, where it has several that hold a table. */
export function Sheets({ batch }: { batch: BatchView }) {
  const t = useImportT()
  const kind = useKind()
  const work = useWork()
  const renew = useRenew(batch.id)
  const tables = batch.source?.sheets.filter((sheet) => sheet.table) ?? []
  const proposed = batch.source?.chosen ?? []
  const [chosen, setChosen] = useState<readonly number[]>(proposed)
  if (tables.length < 2) return null
  const changed = [...chosen].sort().join() !== [...proposed].sort().join()
  const read = async () => {
    await work.run(() => sendSheets(kind, batch.id, chosen))
    await renew()
  }
  return (
    <fieldset className="import-setting import-duplicates">
      <legend>{t('import.sheets')}</legend>
      {tables.map(({ index, name, rows, hidden }) => (
        <label key={index} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(index)}
            onChange={(event) =>
              setChosen(event.target.checked ? [...chosen, index] : chosen.filter((other) => other !== index))
            }
          />
          {t(hidden ? 'import.sheetHidden' : 'import.sheet', { name, rows })}
        </label>
      ))}
      {changed && (
        <button
          type="button"
          className="button"
          disabled={work.busy || chosen.length === 0}
          onClick={() => void read()}
        >
          {t('import.readSheets')}
        </button>
      )}
      {work.failure && (
        <p className="alert import-wrong" role="alert">
          {work.failure}
        </p>
      )}
    </fieldset>
  )
}
