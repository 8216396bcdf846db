import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useKeyHint } from '../ui/keymap.ts'
import { useLanguage, useT } from '../ui/words.ts'

interface HeadProps {
  readonly heading: string
  /** How many rows there are, once it is known. */
  readonly total: number | undefined
  /** The words of the button that adds a row; without them there is none. */
  readonly add: string | undefined
  readonly onAdd: () => void
  readonly onDelete: (() => void) | undefined
  /** More buttons, before the one that adds. */
  readonly children: ReactNode
}

/** The heading of a list: what it is, how many there are, and what can be done with all of it. */
export function ListHead({ heading, total, add, onAdd, onDelete, children }: HeadProps) {
  const t = useT()
  const addHint = useKeyHint('KeyN', 'keys.add')
  const number = new Intl.NumberFormat(useLanguage())
  return (
    <header className="entity-head">
      <h1 tabIndex={-1}>{heading}</h1>
      <span className="entity-count">{total !== undefined && t('entity.count', { count: number.format(total) })}</span>
      <span className="entity-buttons">
        {onDelete && (
          <button type="button" className="button" onClick={onDelete} aria-keyshortcuts="Delete">
            {t('entity.delete')}
          </button>
        )}
        {children}
        {add !== undefined && (
          <button type="button" className="button primary" aria-keyshortcuts={addHint.aria} onClick={onAdd}>
            <Icon name="plus" size={16} />
            {add}
          </button>
        )}
      </span>
    </header>
  )
}
