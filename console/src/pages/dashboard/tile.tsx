import type { DashboardTile } from '@data-brain/contract/calls/dashboard'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useNumber } from '../../ui/number.ts'
import { go, Link } from '../../ui/place.ts'
import { useT, useWords } from '../../ui/words.ts'
import { type Cell, cellsOf, columnWords, sentenceOf } from './cells.ts'

const nameOf = (tile: DashboardTile): string => `dash-${tile.key}`

/** A table of counts, drawn, with the same numbers as a table behind a key. */
export function Tile({ tile, acts }: { readonly tile: DashboardTile; readonly acts: ReactNode }) {
  const t = useT()
  const pick = useWords()
  const number = useNumber()
  const [open, setOpen] = useState(false)
  const cells = useMemo(() => cellsOf(tile, t, number), [tile, t, number])
  const turn = () => setOpen((now) => !now)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'd' || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    turn()
  }
  return (
    <section className="card dash-tile" data-tile={tile.key} aria-labelledby={nameOf(tile)} onKeyDown={onKeyDown}>
      <div className="card-head">
        <h2 id={nameOf(tile)}>{t(`dash.tile.${tile.key}`)}</h2>
        {acts}
        <button type="button" className="link-button dash-turn" aria-pressed={open} onClick={turn}>
          {t(open ? 'dash.chart' : 'dash.data')}
        </button>
      </div>
      <p className="muted dash-counted">{pick(tile.counted)}</p>
      {open ? <Table tile={tile} cells={cells} /> : <Chart tile={tile} cells={cells} />}
      {tile.more > 0 && <p className="muted">{t('dash.more', { count: tile.more })}</p>}
    </section>
  )
}

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

function Chart({ tile, cells }: { readonly tile: DashboardTile; readonly cells: readonly Cell[] }) {
  const t = useT()
  const number = useNumber()
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    if (box.current) watcher.observe(box.current)
    return () => watcher.disconnect()
  }, [])
  useEffect(() => {
    const at = box.current
    if (!at || width === 0) return
    let gone = false
    // The library comes with the first drawing, and with no other page.
    import('./chart.ts')
      .then(({ draw }) => {
        if (!gone) at.replaceChildren(draw(tile, cells, width, t))
      })
      // The numbers are there without the drawing.
      .catch(() => !gone && setFailed(true))
    return () => {
      gone = true
    }
  }, [tile, cells, width, t])
  const follow = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('a')
    const to = link?.getAttribute('href') ?? link?.getAttribute('xlink:href')
    if (!to || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  const legend = tile.key === 'grades' ? tile.columns : []
  if (failed) return <Table tile={tile} cells={cells} />
  return (
    <figure className="dash-chart" aria-label={sentenceOf(tile, t, number)}>
      {legend.length > 0 && (
        <ul className="dash-legend" aria-hidden="true">
          {legend.map(({ key }) => (
            <li key={key} data-column={key}>
              {columnWords(tile, key, t)}
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its links are reached by keys, and this moves among them */}
      <div ref={box} className="dash-box" data-tile={tile.key} onKeyDown={moveAmong} onClick={follow} />
      <figcaption className="sr-only">{t('dash.keys')}</figcaption>
    </figure>
  )
}

function Table({ tile, cells }: { readonly tile: DashboardTile; readonly cells: readonly Cell[] }) {
  const t = useT()
  const number = useNumber()
  const width = tile.columns.length
  const limited = tile.rows.some(({ limit }) => limit !== undefined)
  return (
    <section
      className="dash-scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is scrolled by keys
      tabIndex={0}
      aria-label={t('dash.dataOf', { title: t(`dash.tile.${tile.key}`) })}
    >
      <table className="dash-table">
        <thead>
          <tr>
            <th scope="col">{t(`dash.row.${tile.key}`)}</th>
            {tile.columns.map(({ key }) => (
              <th key={key} scope="col">
                {columnWords(tile, key, t)}
              </th>
            ))}
            {limited && <th scope="col">{t('dash.column.limit')}</th>}
          </tr>
        </thead>
        <tbody>
          {tile.rows.map((row, at) => (
            <tr key={row.id}>
              <th scope="row">{cells[at * width]?.row}</th>
              {cells.slice(at * width, (at + 1) * width).map(({ columnKey, href, value, words }) => (
                <td key={columnKey}>
                  {href ? (
                    <Link to={href} aria-label={words}>
                      {number(value)}
                    </Link>
                  ) : (
                    number(value)
                  )}
                </td>
              ))}
              {limited && <td>{row.limit ?? '—'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
