import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { go } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'

export type Drawer = typeof import('./chart.ts')

/** Marks by which a person goes through a drawing: along the rows by arrow keys, to the list by Enter. */
function moveAmong(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = [...event.currentTarget.querySelectorAll<SVGAElement>('a')]
  const at = links.indexOf(document.activeElement as SVGAElement)
  const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))]
  if (!next) return
  event.preventDefault()
  for (const link of links) link.setAttribute('tabindex', link === next ? '0' : '-1')
  next.focus()
}

interface ChartBoxProps {
  /** The whole in one sentence. */
  readonly label: string
  /** What it is a drawing of, for its style. */
  readonly of: string
  readonly legend: readonly { readonly key: string; readonly label: string }[]
  /** Keep its identity for as long as it draws the same. */
  readonly draw: (chart: Drawer, width: number) => SVGSVGElement
  /** Whether its marks lead anywhere; rows of a data source have no list. */
  readonly isLinked?: boolean
  /** Stands there where nothing can be drawn. */
  readonly failed: ReactNode
}

/** A drawing as wide as there is room. The library comes with the first one, and with no other page. */
export function ChartBox({ label, of, legend, draw, isLinked = true, failed }: ChartBoxProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    if (box.current) watcher.observe(box.current)
    return () => watcher.disconnect()
  }, [])
  useEffect(() => {
    const at = box.current
    if (!at || width === 0) return
    let gone = false
    import('./chart.ts')
      .then((chart) => {
        if (!gone) at.replaceChildren(draw(chart, width))
      })
      // The numbers are there without the drawing.
      .catch(() => !gone && setFailed(true))
    return () => {
      gone = true
    }
  }, [draw, width])
  const follow = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('a')
    const to = link?.getAttribute('href') ?? link?.getAttribute('xlink:href')
    if (!to || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  if (hasFailed) return failed
  return (
    <figure className="dash-chart" aria-label={label}>
      {legend.length > 0 && (
        <ul className="dash-legend" aria-hidden="true">
          {legend.map(({ key, label: name }) => (
            <li key={key} data-column={key}>
              {name}
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its links are reached by keys, and this moves among them */}
      <div ref={box} className="dash-box" data-tile={of} onKeyDown={moveAmong} onClick={follow} />
      {isLinked && <figcaption className="sr-only">{t('dash.keys')}</figcaption>}
    </figure>
  )
}
