import { type KeyboardEvent, type PointerEvent, useRef } from 'react'

interface GripProps {
  readonly label: string
  readonly width: number
  /** Narrowest and widest. */
  readonly min: number
  readonly max: number
  /** The width while it is being changed: shown, and not kept. */
  readonly onMove: (width: number, from: HTMLElement) => void
  readonly onWidth: (width: number) => void
  /** As wide as what the column holds. */
  readonly onFit: (from: HTMLElement) => void
}

/** One press of an arrow, in pixels. */
const STEP = 16

/** The edge of a column's head: it is dragged, double-clicked to fit, or moved by the arrows. */
export function Grip({ label, width, min, max, onMove, onWidth, onFit }: GripProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const at = (event: PointerEvent) => {
    const { x, width: begun } = start.current!
    const step = getComputedStyle(event.currentTarget).direction === 'rtl' ? x - event.clientX : event.clientX - x
    return Math.min(max, Math.max(min, begun + step))
  }
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0
    if (event.key === 'Enter') onFit(event.currentTarget)
    else if (step !== 0) onWidth(Math.min(max, Math.max(min, width + step)))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between paragraphs is not moved
    <span
      className="dt-grip"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={key}
      onDoubleClick={(event) => onFit(event.currentTarget)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        const head = event.currentTarget.parentElement!
        start.current = { x: event.clientX, width: head.getBoundingClientRect().width || width }
        event.currentTarget.setPointerCapture?.(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (start.current && event.clientX !== start.current.x) onMove(at(event), event.currentTarget)
      }}
      onPointerUp={(event) => {
        if (start.current && event.clientX !== start.current.x) onWidth(at(event))
        start.current = null
      }}
      onPointerCancel={() => {
        start.current = null
      }}
    />
  )
}
