import { type ColumnPin, type ColumnTaste, rowDensities } from '@data-brain/contract'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { viewWords } from '../../locales/view.ts'
import { announce } from '../announce.tsx'
import { Icon } from '../icon.tsx'
import type { Density } from '../theme.ts'
import { addWords, useT } from '../words.ts'
import './columns-panel.css'

addWords(viewWords)

interface Listed {
  readonly key: string
  readonly label: string
  readonly pin?: 'start' | 'end' | undefined
  readonly title?: boolean
  readonly extra?: boolean
}

interface PanelProps {
  /** In their order, those that are hidden too. */
  readonly columns: readonly Listed[]
  readonly taste: ColumnTaste
  readonly density: Density
  /** null: as the page has them. */
  readonly onTaste: (taste: ColumnTaste | null) => void
}

/** What a press of the pin makes of where a column stays. */
const nextPin: Readonly<Record<ColumnPin, ColumnPin>> = { none: 'start', start: 'end', end: 'none' }
const pinWords: Readonly<Record<ColumnPin, string>> = {
  none: 'column.pinNone',
  start: 'column.pinStart',
  end: 'column.pinEnd',
}

/** The columns of a list: which are shown, in which order, and which stay when it scrolls; and how high its rows are. */
export default function ColumnsPanel({ columns, taste, density, onTaste }: PanelProps) {
  const t = useT()
  const root = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  /** The button that keeps the focus when its row has moved. */
  const [wanted, setWanted] = useState<{ readonly key: string; readonly step: number } | null>(null)
  const keys = columns.map((column) => column.key)
  const order = keys.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the order has changed, the row has moved
  useEffect(() => {
    if (!wanted) return
    const row = root.current?.querySelector(`[data-column="${CSS.escape(wanted.key)}"]`)
    const button = row?.querySelector<HTMLButtonElement>(`[data-step="${wanted.step}"]`)
    const other = row?.querySelector<HTMLButtonElement>(`[data-step="${-wanted.step}"]`)
    ;(button?.disabled ? other : button)?.focus()
    setWanted(null)
  }, [order])

  const put = (key: string, before: number, pin?: ColumnPin) => {
    const others = keys.filter((other) => other !== key)
    const next = others.toSpliced(before, 0, key)
    onTaste({ ...taste, order: next, ...(pin ? { pins: { ...taste.pins, [key]: pin } } : {}) })
    const { label } = columns.find((column) => column.key === key)!
    announce(t('column.moved', { label, at: before + 1, count: keys.length }))
  }
  /** The neighbour of a column among those that stay in the same place. */
  const neighbour = (at: number, step: number) => {
    const next = columns[at + step]
    return next && next.pin === columns[at]!.pin ? at + step : undefined
  }
  const drop = (event: DragEvent, on: Listed) => {
    event.preventDefault()
    setOver(null)
    if (dragged === null || dragged === on.key) return
    const from = columns.find((column) => column.key === dragged)
    put(dragged, keys.indexOf(on.key), from?.pin === on.pin ? undefined : (on.pin ?? 'none'))
    setDragged(null)
  }
  return (
    <>
      <fieldset>
        <legend>{t('table.density')}</legend>
        {rowDensities.map((each) => (
          <label key={each} className="pop-choice">
            <input
              type="radio"
              name="density"
              checked={density === each}
              onChange={() => onTaste({ ...taste, density: each })}
            />
            {t(`table.${each}`)}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('table.shown')}</legend>
        <p className="columns-hint">{t('column.hint')}</p>
        <ul className="columns" ref={root}>
          {columns.map((column, at) => {
            const { key, label, title, extra } = column
            const pin: ColumnPin = column.pin ?? 'none'
            const isShown = title || (extra ? taste.more?.includes(key) === true : !taste.hidden.includes(key))
            const turned = (list: readonly string[] = []) =>
              list.includes(key) ? list.filter((other) => other !== key) : [...list, key]
            return (
              <li
                key={key}
                data-column={key}
                className={`pop-row${over === key ? ' columns-over' : ''}${dragged === key ? ' columns-dragged' : ''}`}
                draggable
                onDragStart={(event) => {
                  setDragged(key)
                  event.dataTransfer.effectAllowed = 'move'
                  // Firefox drags nothing that carries nothing.
                  event.dataTransfer.setData('text/plain', label)
                }}
                onDragOver={(event) => {
                  if (dragged === null) return
                  event.preventDefault()
                  setOver(key)
                }}
                onDragLeave={() => setOver((now) => (now === key ? null : now))}
                onDragEnd={() => {
                  setDragged(null)
                  setOver(null)
                }}
                onDrop={(event) => drop(event, column)}
              >
                <i className="columns-grip" aria-hidden="true" />
                <label className="pop-choice">
                  <input
                    type="checkbox"
                    checked={isShown}
                    disabled={title}
                    onChange={() =>
                      onTaste(
                        extra ? { ...taste, more: turned(taste.more) } : { ...taste, hidden: turned(taste.hidden) },
                      )
                    }
                  />
                  {label}
                </label>
                <button
                  type="button"
                  className={`tool small columns-pin columns-pin-${pin}`}
                  aria-label={t(pinWords[pin], { label })}
                  title={t(pinWords[pin], { label })}
                  onClick={() => {
                    onTaste({ ...taste, pins: { ...taste.pins, [key]: nextPin[pin] } })
                    announce(t(pinWords[nextPin[pin]], { label }))
                    setWanted({ key, step: 0 })
                  }}
                  data-step={0}
                >
                  <Icon name="pin" size={14} />
                </button>
                {([-1, 1] as const).map((step) => {
                  const to = neighbour(at, step)
                  return (
                    <button
                      key={step}
                      type="button"
                      className="tool small"
                      data-step={step}
                      aria-label={t(step < 0 ? 'table.up' : 'table.down', { label })}
                      disabled={to === undefined}
                      onClick={() => {
                        if (to === undefined) return
                        setWanted({ key, step })
                        put(key, to)
                      }}
                    >
                      <Icon name={step < 0 ? 'arrow-up' : 'arrow-down'} size={14} />
                    </button>
                  )
                })}
              </li>
            )
          })}
        </ul>
      </fieldset>
      <button type="button" className="button plain" onClick={() => onTaste(null)}>
        {t('table.default')}
      </button>
    </>
  )
}
