import { type KeyboardEvent, type ReactNode, useId } from 'react'

export interface TabItem {
  key: string
  label: string
}

/** A row of tabs over a panel, by the ARIA pattern: arrows move and show. */
export function TabRow({
  label,
  items,
  value,
  onChange,
  children,
}: {
  label: string
  items: readonly TabItem[]
  value: string
  onChange: (key: string) => void
  children: ReactNode
}) {
  const id = useId()
  const move = (event: KeyboardEvent, at: number) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = items[(at + by + items.length) % items.length]
    if (by === 0 || !next) return
    event.preventDefault()
    onChange(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    <>
      <div className="tab-row" role="tablist" aria-label={label}>
        {items.map((item, at) => (
          <button
            key={item.key}
            id={`${id}-${item.key}`}
            type="button"
            role="tab"
            aria-selected={item.key === value}
            aria-controls={`${id}-panel`}
            tabIndex={item.key === value ? 0 : -1}
            onClick={() => onChange(item.key)}
            onKeyDown={(event) => move(event, at)}
          >
            {item.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} className="tab-row-panel">
        {children}
      </div>
    </>
  )
}
