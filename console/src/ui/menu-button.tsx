import { type ReactNode, useCallback, useRef, useState } from 'react'
import type { KeyHint } from './keymap.ts'
import { useLazyOpen } from './lazy-open.ts'
import { prefetch } from './prefetch.ts'

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

export interface MenuSpot {
  x: number
  y: number
  /** Where the right edge goes instead of the left one. */
  right?: boolean
}

const load = () => import('./menu.tsx').then(({ MenuAt }) => ({ default: MenuAt }))
const fetchAhead = () => prefetch(load)

/** A button that opens a menu below itself; the menu's code comes as soon as somebody reaches for the button. */
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
  const [spot, setSpot] = useState<MenuSpot>()
  const ref = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => setSpot(undefined), [])
  const Menu = useLazyOpen(load, spot !== undefined, close)
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
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          open()
        }}
      >
        {children}
      </button>
      {spot && Menu && <Menu label={label} entries={entries} spot={spot} onClose={close} />}
    </>
  )
}
