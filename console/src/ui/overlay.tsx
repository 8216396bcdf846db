import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Icon } from './icon.tsx'
import type { KeyHint } from './keymap.ts'

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
  /** What holds now, at the right; its parts are told apart by a dot. */
  value?: readonly string[]
  /** The key that does the same. */
  keys?: KeyHint
  /** How many wait there. */
  badge?: string
  /** Opens these beside it instead of doing something. */
  sub?: readonly MenuEntry[]
  run: () => void
}

export interface Spot {
  x: number
  y: number
  /** Where the right edge goes instead of the left one. */
  right?: boolean
}

const items = ':scope > [role^=menuitem]'
const firstItem = `${items}:not([aria-disabled=true])`

/** An entry's words, and at its right what holds now, how many wait and the key: who hears it is told these apart. */
function EntryWords({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <span className="menu-icon">
        {entry.checked ? <Icon name="check" size={16} /> : entry.icon && <Icon name={entry.icon} size={16} />}
      </span>
      <span className="menu-label">{entry.label}</span>
      {entry.value && (
        <span className="menu-value" aria-hidden="true">
          {entry.value.map((part, at) => (
            <span key={part}>
              {at > 0 && <i className="between" />}
              {part}
            </span>
          ))}
        </span>
      )}
      {entry.badge && (
        <span className="pill bad badge" aria-hidden="true">
          {entry.badge}
        </span>
      )}
      {entry.keys && (
        <span aria-hidden="true">
          <kbd>{entry.keys.text}</kbd>
        </span>
      )}
      {entry.sub && <Icon name="chevron-right" size={14} />}
    </>
  )
}

/** A menu at a spot of the window: arrows move, letters jump, Esc and a click elsewhere close it. */
export function MenuAt({
  label,
  entries,
  spot,
  onClose,
  className = '',
  within = false,
  children,
}: {
  label: string
  entries: readonly MenuEntry[]
  spot: Spot
  onClose: () => void
  className?: string
  /** It belongs to an entry of another menu, to which ← leads back. */
  within?: boolean
  /** What stands above the entries. */
  children?: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const [sub, setSub] = useState<{ entry: MenuEntry; spot: Spot }>()
  const closeSub = useCallback(() => setSub(undefined), [])
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
    ref.current?.querySelector<HTMLElement>(firstItem)?.focus()
  }, [fitted])
  // The focus goes back to where it came from, while what it stands in is still there.
  useLayoutEffect(() => {
    const opener = document.activeElement
    const menu = ref.current
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected && menu?.contains(document.activeElement)) opener.focus()
    }
  }, [])
  useEffect(() => {
    const first = ref.current?.querySelector<HTMLElement>(firstItem)
    first?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', outside, true)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', outside, true)
      window.removeEventListener('resize', onClose)
    }
  }, [onClose])

  const onKey = (event: KeyboardEvent) => {
    const all = [...(ref.current?.querySelectorAll<HTMLElement>(items) ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = (index: number) => all[(index + all.length) % all.length]?.focus()
    if (event.key === 'ArrowRight' && entries[at]?.sub) all[at]?.click()
    else if (event.key === 'ArrowLeft' && within) onClose()
    else if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (event.key === 'ArrowDown') to(at + 1)
    else if (event.key === 'ArrowUp') to(at - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(all.length - 1)
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const found = [...all.slice(at + 1), ...all].find((item) =>
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
      className={`menu ${className}`}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      style={fitted ?? { left: spot.x, top: spot.y, visibility: 'hidden' }}
      onKeyDown={onKey}
    >
      {children}
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked is set only where the role is menuitemradio
        <button
          key={entry.key}
          type="button"
          role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={entry.checked}
          aria-disabled={entry.disabled ? true : undefined}
          aria-description={[...(entry.value ?? []), ...(entry.badge ? [entry.badge] : [])].join(', ') || undefined}
          aria-keyshortcuts={entry.keys?.aria}
          aria-haspopup={entry.sub ? 'menu' : undefined}
          aria-expanded={entry.sub ? sub?.entry.key === entry.key : undefined}
          className={`menu-item${entry.danger ? ' danger' : ''}${entry.line ? ' lined' : ''}`}
          tabIndex={-1}
          lang={entry.lang}
          onClick={(event) => {
            if (entry.disabled) return
            const box = event.currentTarget.getBoundingClientRect()
            if (entry.sub) return setSub({ entry, spot: { x: box.left - 2, y: box.top - 5, right: true } })
            onClose()
            entry.run()
          }}
        >
          <EntryWords entry={entry} />
        </button>
      ))}
      {sub && (
        <MenuAt
          within
          label={sub.entry.label}
          spot={sub.spot}
          onClose={closeSub}
          entries={(sub.entry.sub ?? []).map((entry) => ({
            ...entry,
            run: () => {
              onClose()
              entry.run()
            },
          }))}
        />
      )}
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
