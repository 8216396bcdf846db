import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { type Marks, useSelected } from '../ui/table/marks.ts'
import { useT } from '../ui/words.ts'
import type { Shown } from './calls.ts'

interface BulkProps {
  readonly marks: Marks<Shown>
  /** Keys of the rows on this page. */
  readonly here: readonly string[]
  readonly onDelete: (() => void) | undefined
  readonly children?: ReactNode
}

/** What can be done with the ticked rows; it is there while there are some. */
export function BulkBar({ marks, here, onDelete, children }: BulkProps) {
  const t = useT()
  const selected = useSelected(marks)
  const count = selected.size
  const other = count - here.filter((key) => selected.has(key)).length
  return (
    <div className="bulk-place">
      {count > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('entity.bulk')}>
          <span>{other > 0 ? t('entity.selectedElsewhere', { count, other }) : t('entity.selected', { count })}</span>
          {children}
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
