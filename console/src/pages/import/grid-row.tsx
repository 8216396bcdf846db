import { type KeyboardEvent, memo, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import type { CellFault, FileColumn, ImportRow } from './calls.ts'
import { cellOf } from './together.ts'

/**
 * Stores the text of a cell (undefined: it is what it was). With `from` the next fault after that input is gone to.
 * Resolves to the words of what went wrong, if anything did.
 */
export type Save = (
  row: number,
  column: number,
  text: string | undefined,
  from?: HTMLInputElement,
) => Promise<string | undefined>

interface GridRowProps {
  row: ImportRow
  /** Where it stands in the file: at the head of its line, and in a sentence. */
  at: string
  place: string
  columns: readonly FileColumn[]
  onSave: Save
}

/** A row of the file as inputs; drawn again only when the server judged it anew. */
export const GridRow = memo(function GridRow({ row, at, place, columns, onSave }: GridRowProps) {
  const t = useT()
  // A fault of something that the file does not have stands by itself: there is no cell to correct it in.
  const homeless = row.faults.filter((fault) => cellOf(fault, columns) === null)
  const bad = row.state === 'bad'
  return (
    <>
      <tr className={bad ? undefined : 'import-right'}>
        <th scope="row">
          <span className="mono">{at}</span>
          {!bad && (
            <span className="import-mark">
              <Icon name="check" size={14} />
              {t(row.state === 'duplicate' ? 'import.asDuplicate' : 'import.corrected')}
            </span>
          )}
        </th>
        {columns.map((column) => (
          <Cell
            key={column.index}
            row={row.row}
            place={place}
            column={column}
            value={row.cells[column.index] ?? ''}
            fault={row.faults.find((fault) => cellOf(fault, columns) === column.index)}
            onSave={onSave}
          />
        ))}
      </tr>
      {homeless.length > 0 && (
        <tr>
          <td />
          <td colSpan={columns.length} className="import-homeless">
            {homeless.map((fault) => (
              <p key={fault.field}>{t('import.noColumn', { label: fault.label, message: fault.message })}</p>
            ))}
          </td>
        </tr>
      )}
    </>
  )
})

interface CellProps {
  row: number
  place: string
  column: FileColumn
  value: string
  fault: CellFault | undefined
  onSave: Save
}

function Cell({ row, place, column, value, fault, onSave }: CellProps) {
  const t = useT()
  const [text, setText] = useState(value)
  const [refused, setRefused] = useState('')
  const [stored, setStored] = useState(value)
  // What the server has or is being sent: leaving the cell after Enter must not send it a second time.
  const sent = useRef<string | undefined>(value)
  if (stored !== value) {
    setStored(value)
    setText(value)
    sent.current = value
  }
  const save = async (from?: HTMLInputElement) => {
    if (text === sent.current) {
      if (from) await onSave(row, column.index, undefined, from)
      return
    }
    sent.current = text
    setRefused('')
    const wrong = await onSave(row, column.index, text, from)
    if (!wrong) return
    sent.current = undefined
    setRefused(wrong)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      setText(value)
      setRefused('')
      sent.current = value
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    void save(event.currentTarget)
  }
  const elsewhere = fault && fault.column !== column.index
  const message =
    refused || (elsewhere ? t('import.noColumn', { label: fault.label, message: fault.message }) : fault?.message)
  const id = `import-${row}-${column.index}`
  return (
    <td className={message ? 'import-faulty' : undefined}>
      <input
        className="import-cell"
        aria-label={t('import.cell', { place, column: column.label ?? column.heading })}
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? id : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onBlur={() => void save()}
      />
      {message && (
        <p id={id} className="import-message">
          {message}
        </p>
      )}
    </td>
  )
}
