import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

export interface MenuEntry {
  key: string
  label: string
  icon?: string
  disabled?: boolean
  danger?: boolean
  /** The entry in force, as the language shown. */
  checked?: boolean
  /** A line above it. */
  line?: boolean
  lang?: string
  run: () => void
}

export interface Spot {
  x: number
  y: number
  /** Where the right edge goes instead of the left one. */
  right?: boolean
}

/** A menu at a spot of the window: arrows move, letters jump, Esc and a click elsewhere close it. */
export function MenuAt({
  label,
  entries,
  spot,
  onClose,
}: {
  label: string
  entries: readonly MenuEntry[]
  spot: Spot
  onClose: () => void
}) {
  const ref = useRef<HTMLDivElement>(null)
  const [fitted, setFitted] = useState<{ left: number; top: number }>()

  useLayoutEffect(() => {
    const box = ref.current?.getBoundingClientRect()
    if (!box) return
    const left = spot.right ? spot.x - box.width : spot.x
    setFitted({
      left: Math.max(8, Math.min(left, window.innerWidth - box.width - 8)),
      top: Math.max(8, Math.min(spot.y, window.innerHeight - box.height - 8)),
    })
  }, [spot])

  // What is still hidden takes no focus: a menu that a key of the page opens is drawn and fitted in two steps.
  useEffect(() => {
    if (!fitted || ref.current?.contains(document.activeElement)) return
    ref.current?.querySelector<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')?.focus()
  }, [fitted])
  useEffect(() => {
    const opener = document.activeElement
    const first = ref.current?.querySelector<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')
    first?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', outside, true)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', outside, true)
      window.removeEventListener('resize', onClose)
      if (opener instanceof HTMLElement && opener.isConnected && ref.current?.contains(document.activeElement))
        opener.focus()
    }
  }, [onClose])

  const onKey = (event: KeyboardEvent) => {
    const items = [...(ref.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to = (index: number) => items[(index + items.length) % items.length]?.focus()
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (event.key === 'ArrowDown') to(at + 1)
    else if (event.key === 'ArrowUp') to(at - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(items.length - 1)
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const found = [...items.slice(at + 1), ...items].find((item) =>
        item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
      )
      found?.focus()
      return
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={ref}
      className="menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      style={fitted ?? { left: spot.x, top: spot.y, visibility: 'hidden' }}
      onKeyDown={onKey}
    >
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked is set only where the role is menuitemradio
        <button
          key={entry.key}
          type="button"
          role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={entry.checked}
          aria-disabled={entry.disabled ? true : undefined}
          className={`menu-item${entry.danger ? ' danger' : ''}${entry.line ? ' lined' : ''}`}
          tabIndex={-1}
          lang={entry.lang}
          onClick={() => {
            if (entry.disabled) return
            onClose()
            entry.run()
          }}
        >
          <span className="menu-icon">
            {entry.checked ? <Icon name="check" size={16} /> : entry.icon && <Icon name={entry.icon} size={16} />}
          </span>
          {entry.label}
        </button>
      ))}
    </div>
  )
}

/** A button that opens a menu below itself. */
export function MenuButton({
  label,
  entries,
  className,
  children,
  align = 'left',
}: {
  /** What the button is called; also the menu's name. */
  label: string
  entries: readonly MenuEntry[]
  className?: string
  children: ReactNode
  align?: 'left' | 'right'
}) {
  const [spot, setSpot] = useState<Spot>()
  const ref = useRef<HTMLButtonElement>(null)
  const open = () => {
    const box = ref.current?.getBoundingClientRect()
    if (box)
      setSpot(align === 'right' ? { x: box.right, y: box.bottom + 4, right: true } : { x: box.left, y: box.bottom + 4 })
  }
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={spot !== undefined}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          open()
        }}
      >
        {children}
      </button>
      {spot && <MenuAt label={label} entries={entries} spot={spot} onClose={() => setSpot(undefined)} />}
    </>
  )
}

/** A modal panel from the left edge, for small screens. */
export function SidePanel({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click on the backdrop has its key, Esc, through onCancel
    <dialog
      ref={ref}
      className="side-panel"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      {children}
    </dialog>
  )
}

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
