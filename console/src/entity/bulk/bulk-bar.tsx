import { useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { type Marks, useSelected } from '../../ui/table/marks.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { MOST_SELECTED, type SelectAll } from './select-all.ts'

/** One more thing to do with the ticked rows; `run` gets them, and `done` unticks them. */
export interface BulkAction<R = ShownRow> {
  readonly key: string
  readonly label: string
  readonly icon: string
  readonly code?: string
  run(records: readonly R[], done: () => void): void
}

interface BulkProps<R> {
  readonly marks: Marks<R>
  /** Chinese measure word of the rows, where it is not the usual one. */
  readonly unit?: string | undefined
  /** Keys of the rows on this page. */
  readonly here: readonly string[]
  readonly onDelete: (() => void) | undefined
  /** Gives all of them the same values. */
  readonly onEdit?: (() => void) | undefined
  readonly onPrint?: () => void
  readonly actions?: readonly BulkAction<R>[]
  /** Ticks what the list has on other pages too, once all of this page is ticked. */
  readonly all?: SelectAll
}

/** What can be done with the ticked rows; it is there while there are some. */
export function BulkBar<R = ShownRow>({ marks, unit, here, onDelete, onEdit, onPrint, actions, all }: BulkProps<R>) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const selected = useSelected(marks)
  const count = selected.size
  const other = count - here.filter((key) => selected.has(key)).length
  const progress = all?.progress ?? null
  const told = useRef<HTMLSpanElement>(null)
  const selectAll = () => {
    // The button goes with the press.
    told.current?.focus()
    all?.run()
  }
  const isWhole = here.length > 0 && other === count - here.length
  const one = (key: string, label: string, run: () => void) => (
    <button key={key} type="button" className="button" disabled={progress !== null} onClick={run}>
      {label}
    </button>
  )
  return (
    <div className="bulk-place">
      {count > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('entity.bulk')}>
          <span ref={told} tabIndex={-1}>
            {other > 0 ? t('entity.selectedElsewhere', { count, other, unit }) : t('entity.selected', { count, unit })}
          </span>
          {progress ? (
            <span className="bulk-all" aria-live="off">
              {t(progress.doing === 'select' ? 'entity.selecting' : 'entity.removing', {
                done: number.format(progress.done),
                all: number.format(progress.count),
              })}
            </span>
          ) : all && isWhole && all.total > count && all.total <= MOST_SELECTED ? (
            <button type="button" className="button plain bulk-all" onClick={selectAll}>
              {t('entity.selectAll', { all: number.format(all.total), unit })}
            </button>
          ) : all && isWhole && all.total > count ? (
            <span className="bulk-all">
              {t('entity.selectMost', { all: number.format(all.total), most: number.format(MOST_SELECTED), unit })}
            </span>
          ) : null}
          {onEdit && one('edit', t('entity.bulkEdit'), onEdit)}
          {actions?.map((action) =>
            one(action.key, action.label, () => action.run([...selected.values()], marks.clear)),
          )}
          {onPrint && one('print', t('entity.print'), onPrint)}
          {onDelete && (
            <button type="button" className="button danger" disabled={progress !== null} onClick={onDelete}>
              {t('entity.delete')}
            </button>
          )}
          <button
            type="button"
            className="tool"
            aria-label={t('entity.clearSelection')}
            title={t('entity.clearSelection')}
            onClick={marks.clear}
          >
            <Icon name="x" size={16} />
          </button>
        </div>
      )}
      <span className="sr-only" role="status">
        {count > 0 ? t('entity.selected', { count, unit }) : ''}
      </span>
    </div>
  )
}
