import type { DashboardTile } from '@data-brain/contract/calls/dashboard'
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useState } from 'react'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { useT, useWords } from '../../ui/words.ts'
import { type Cell, cellsOf, columnWords, sentenceOf } from './cells.ts'
import { ChartBox, type Drawer } from './chart-box.tsx'

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

function Chart({ tile, cells }: { readonly tile: DashboardTile; readonly cells: readonly Cell[] }) {
  const t = useT()
  const number = useNumber()
  const draw = useCallback((chart: Drawer, width: number) => chart.draw(tile, cells, width, t), [tile, cells, t])
  const legend = tile.key === 'grades' || (tile.key === 'rooms' && tile.columns.length > 1) ? tile.columns : []
  return (
    <ChartBox
      label={sentenceOf(tile, t, number)}
      of={tile.key}
      legend={legend.map(({ key }) => ({ key, label: columnWords(tile, key, t) }))}
      draw={draw}
      failed={<Table tile={tile} cells={cells} />}
    />
  )
}

function Table({ tile, cells }: { readonly tile: DashboardTile; readonly cells: readonly Cell[] }) {
  const t = useT()
  const number = useNumber()
  const width = tile.columns.length
  const measured = cells.some(({ amount }) => amount !== undefined)
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
            {measured && <th scope="col">{t(`dash.amount.${tile.key}`)}</th>}
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
              {measured && <td>{cells[at * width]?.amountWords}</td>}
              {limited && <td>{row.limit ?? '—'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
