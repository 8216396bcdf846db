import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import type { MenuEntry, MenuSpot } from './menu-button.tsx'
import './menu.css'

const items = ':scope > [role^=menuitem]'
const firstItem = `${items}:not([aria-disabled=true])`

/** Keys that press an entry, and those that do nothing by themselves. */
const own = /^( |Enter|Shift|Control|Alt|Meta|CapsLock|Process)$/

/** How the menus close that are open; there is one at a time, with what belongs to it. */
const open = new Set<() => void>()

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
  spot: MenuSpot
  onClose: () => void
  className?: string
  /** It belongs to an entry of another menu, to which ← leads back. */
  within?: boolean
  /** What stands above the entries. */
  children?: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const [sub, setSub] = useState<{ entry: MenuEntry; spot: MenuSpot }>()
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
  const opener = useRef<Element | null>(null)
  // The focus goes back to where it came from, while what it stands in is still there.
  const giveBack = useCallback((menu: HTMLElement | null) => {
    const to = opener.current
    if (to instanceof HTMLElement && to.isConnected && menu?.contains(document.activeElement)) to.focus()
  }, [])
  useLayoutEffect(() => {
    opener.current = document.activeElement
    const menu = ref.current
    return () => giveBack(menu)
  }, [giveBack])
  /** What an entry opens gives the focus back to where the menu came from, and not to an entry that is gone by then. */
  const leave = () => {
    giveBack(ref.current)
    onClose()
  }
  useEffect(() => {
    if (within) return
    for (const close of [...open]) if (close !== onClose) close()
    open.add(onClose)
    return () => {
      open.delete(onClose)
    }
  }, [within, onClose])
  useEffect(() => {
    const menu = ref.current
    // A modal drawer beneath takes the focus back from whatever stands outside of it, as soon as the window hears of it.
    const keep = (event: FocusEvent) => event.stopPropagation()
    menu?.addEventListener('focusin', keep)
    const first = menu?.querySelector<HTMLElement>(firstItem)
    first?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', outside, true)
    window.addEventListener('resize', onClose)
    return () => {
      menu?.removeEventListener('focusin', keep)
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
    else if (own.test(event.key)) return
    else {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      const found = [...all.slice(at + 1), ...all].find((item) =>
        item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
      )
      // What is no key of the menu is one of the page, over which no menu stands then.
      if (!isLetter || !found) return onClose()
      found.focus()
    }
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
            leave()
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
              leave()
              entry.run()
            },
          }))}
        />
      )}
    </div>
  )
}
