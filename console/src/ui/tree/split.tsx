import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { readStored, writeStored } from '../stored.ts'
import './split.css'

interface SplitProps {
  /** What the divider is called. */
  readonly label: string
  /** Under which name the place of the divider is remembered. */
  readonly name: string
  /** How the parts lie: beside one another, or one over the other. */
  readonly direction: 'row' | 'column'
  /** Share of the first part, in per cent, until somebody moves the divider. */
  readonly share: number
  readonly children: readonly [ReactNode, ReactNode]
}

const LEAST = 15
const STEP = 2

const within = (share: number) => Math.round(Math.min(100 - LEAST, Math.max(LEAST, share)) * 10) / 10

/** Two parts and a divider between them, moved by a pointer or by arrows; where it was left is remembered. */
export function SplitPane({ label, name, direction, share: first, children }: SplitProps) {
  const key = `split:${name}:${direction}`
  const [share, setShare] = useState(() => within(Number(readStored<number>(key) ?? first)))
  const root = useRef<HTMLDivElement>(null)
  const keep = (next: number) => {
    setShare(next)
    writeStored(key, next)
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const bar = event.currentTarget
    bar.setPointerCapture(event.pointerId)
    let last = share
    const move = (at: globalThis.PointerEvent) => {
      const box = root.current?.getBoundingClientRect()
      if (!box) return
      last = within(
        direction === 'row' ? ((at.clientX - box.left) / box.width) * 100 : ((at.clientY - box.top) / box.height) * 100,
      )
      setShare(last)
    }
    const end = () => {
      bar.removeEventListener('pointermove', move)
      bar.removeEventListener('pointerup', end)
      bar.removeEventListener('pointercancel', end)
      keep(last)
    }
    bar.addEventListener('pointermove', move)
    bar.addEventListener('pointerup', end)
    bar.addEventListener('pointercancel', end)
  }
  const press = (event: KeyboardEvent) => {
    const less = direction === 'row' ? 'ArrowLeft' : 'ArrowUp'
    const more = direction === 'row' ? 'ArrowRight' : 'ArrowDown'
    const to =
      event.key === less
        ? share - STEP
        : event.key === more
          ? share + STEP
          : event.key === 'Home'
            ? LEAST
            : event.key === 'End'
              ? 100 - LEAST
              : undefined
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    keep(within(to))
  }
  return (
    <div className={`split split-${direction}`} ref={root}>
      <div className="split-part" style={{ '--share': `${share}%` } as CSSProperties}>
        {children[0]}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a line cannot be moved; the ARIA pattern of a splitter is a focusable separator */}
      <div
        className="split-bar"
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={direction === 'row' ? 'vertical' : 'horizontal'}
        aria-valuenow={Math.round(share)}
        aria-valuemin={LEAST}
        aria-valuemax={100 - LEAST}
        onPointerDown={drag}
        onKeyDown={press}
        onDoubleClick={() => keep(first)}
      />
      <div className="split-part split-rest">{children[1]}</div>
    </div>
  )
}
