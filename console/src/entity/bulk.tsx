import { Icon } from '../ui/icon.tsx'
import { type Marks, useSelected } from '../ui/table/marks.ts'
import { useT } from '../ui/words.ts'
import type { Shown } from './calls.ts'

/** One more thing to do with the ticked rows; `run` gets them, and `done` unticks them. */
export interface BulkAction<R = Shown> {
  readonly key: string
  readonly label: string
  readonly icon: string
  readonly code?: string
  readonly run: (records: readonly R[], done: () => void) => void
}

interface BulkProps<R> {
  readonly marks: Marks<R>
  /** Keys of the rows on this page. */
  readonly here: readonly string[]
  readonly onDelete: (() => void) | undefined
  /** Gives all of them the same values. */
  readonly onEdit?: (() => void) | undefined
  readonly onPrint?: () => void
  readonly actions?: readonly BulkAction<R>[]
}

/** What can be done with the ticked rows; it is there while there are some. */
export function BulkBar<R = Shown>({ marks, here, onDelete, onEdit, onPrint, actions }: BulkProps<R>) {
  const t = useT()
  const selected = useSelected(marks)
  const count = selected.size
  const other = count - here.filter((key) => selected.has(key)).length
  const one = (key: string, label: string, icon: string, run: () => void) => (
    <button key={key} type="button" className="button" onClick={run}>
      <Icon name={icon} size={16} />
      {label}
    </button>
  )
  return (
    <div className="bulk-place">
      {count > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('entity.bulk')}>
          <span>{other > 0 ? t('entity.selectedElsewhere', { count, other }) : t('entity.selected', { count })}</span>
          {onEdit && one('edit', t('entity.bulkEdit'), 'pencil', onEdit)}
          {actions?.map((action) =>
            one(action.key, action.label, action.icon, () => action.run([...selected.values()], marks.clear)),
          )}
          {onPrint && one('print', t('entity.print'), 'printer', onPrint)}
          {onDelete && (
            <button type="button" className="button danger" onClick={onDelete}>
              <Icon name="trash-2" size={16} />
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
        {count > 0 ? t('entity.selected', { count }) : ''}
      </span>
    </div>
  )
}
