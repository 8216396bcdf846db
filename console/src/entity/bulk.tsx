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
  readonly actions?: readonly BulkAction<R>[]
}

/** What can be done with the ticked rows; it is there while there are some. */
export function BulkBar<R = Shown>({ marks, here, onDelete, actions }: BulkProps<R>) {
  const t = useT()
  const selected = useSelected(marks)
  const count = selected.size
  const other = count - here.filter((key) => selected.has(key)).length
  return (
    <div className="bulk-place">
      {count > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('entity.bulk')}>
          <span>{other > 0 ? t('entity.selectedElsewhere', { count, other }) : t('entity.selected', { count })}</span>
          {actions?.map((action) => (
            <button
              key={action.key}
              type="button"
              className="button"
              onClick={() => action.run([...selected.values()], marks.clear)}
            >
              <Icon name={action.icon} size={16} />
              {action.label}
            </button>
          ))}
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
