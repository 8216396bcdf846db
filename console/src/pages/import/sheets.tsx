import { useId, useState } from 'react'
import { type BatchView, type SheetView, type SourceView, sendSheets } from './calls.ts'
import { useImportT, useKind } from './import-kinds.ts'
import { useRenew, useWork } from './state.ts'

const same = (one: readonly number[], other: readonly number[]): boolean =>
  [...one].sort((a, b) => a - b).join() === [...other].sort((a, b) => a - b).join()

/** Where in the file the rows are: on which of its sheets, and below which row. Asked where the reader was not sure. */
export function SheetChoice({ batch, onRead }: { batch: BatchView; onRead: () => void }) {
  const { source } = batch
  if (!source) return null
  // What was read anew is chosen from anew.
  return (
    <Where
      key={JSON.stringify([source.chosen, source.views?.map(({ top }) => top)])}
      id={batch.id}
      source={source}
      onRead={onRead}
    />
  )
}

interface WhereProps {
  id: string
  source: SourceView
  /** What was matched until now is of no more use. */
  onRead: () => void
}

function Where({ id, source, onRead }: WhereProps) {
  const t = useImportT()
  const kind = useKind()
  const work = useWork()
  const renew = useRenew(id)
  const tables = source.sheets.filter((sheet) => sheet.table)
  const [chosen, setChosen] = useState<readonly number[]>(source.chosen)
  const [row, setRow] = useState<number>()
  const view = source.views?.find(({ sheet }) => chosen.includes(sheet))
  const { unsure = { sheets: false, heading: false } } = source
  const [open, setOpen] = useState(unsure.heading || unsure.sheets)
  const heading = view && row !== undefined && row !== view.top ? { sheet: view.sheet, row } : undefined
  const changed = !same(chosen, source.chosen) || heading !== undefined
  const read = async () => {
    if (await work.run(() => sendSheets(kind, id, chosen, heading))) onRead()
    await renew()
  }
  const choose = (next: readonly number[]) => {
    setChosen(next)
    setRow(undefined)
  }
  if (tables.length < 2 && !view) return null
  return (
    <section className="import-where">
      {tables.length > 1 && (
        <fieldset className="import-setting import-sheets">
          <legend>{t(unsure.sheets ? 'import.sheetsUnsure' : 'import.sheets')}</legend>
          {tables.map(({ index, name, rows, hidden, headings = [] }) => (
            <label key={index} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(index)}
                onChange={(event) =>
                  choose(event.target.checked ? [...chosen, index] : chosen.filter((other) => other !== index))
                }
              />
              <span>
                {t(hidden ? 'import.sheetHidden' : 'import.sheet', { name, rows })}{' '}
                {unsure.sheets && <span className="muted">{headings.join(t('entity.separator'))}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {view && (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className={unsure.heading ? 'unsure' : undefined}>
            {t(unsure.heading ? 'import.headingUnsure' : 'import.headingAt', { row: row ?? view.top })}
          </summary>
          <Preview view={view} row={row} onPoint={setRow} />
        </details>
      )}
      {changed && (
        <button
          type="button"
          className="button primary"
          disabled={work.busy || chosen.length === 0}
          onClick={() => void read()}
        >
          {t(heading ? 'import.readBelow' : 'import.readSheets', { row: row ?? 0 })}
        </button>
      )}
      {work.failure && (
        <p className="alert import-wrong" role="alert">
          {work.failure}
        </p>
      )}
    </section>
  )
}

interface PreviewProps {
  view: SheetView
  row: number | undefined
  onPoint: (row: number) => void
}

/** The first rows of a sheet; a press on one says that it is the heading. */
function Preview({ view, row, onPoint }: PreviewProps) {
  const t = useImportT()
  const name = useId()
  const width = Math.max(...view.rows.map(({ cells }) => cells.length), 1)
  const isHead = (no: number): boolean =>
    row === undefined || row === view.top ? no >= view.top && no <= view.bottom : no === row
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="import-scroll" aria-label={t('table.region', { label: t('import.preview') })} tabIndex={0}>
      <table className="import-table import-preview">
        <caption>{t('import.pointHelp')}</caption>
        <tbody>
          {view.rows.map(({ row: no, cells }) => (
            <tr key={no} className={isHead(no) ? 'head' : undefined} onClick={() => onPoint(no)}>
              <th scope="row">
                <label className="check">
                  <input
                    type="radio"
                    name={name}
                    aria-label={t('import.isHeading', { row: no })}
                    checked={(row ?? view.top) === no}
                    onChange={() => onPoint(no)}
                  />
                  {no}
                </label>
              </th>
              {Array.from({ length: width }, (_cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a cell is
                <td key={at}>{cells[at] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
