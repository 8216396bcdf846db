import { columnWidths } from '@data-brain/contract'
import {
  type ChangeEvent,
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useStore } from '../store.ts'
import { type Density, densitySizes, lookStore } from '../theme.ts'
import { useT } from '../words.ts'
import { Grip } from './grip.tsx'
import type { Marks } from './marks.ts'
import { Card, type Column, type Place, placesOf, Row, TICK_WIDTH } from './row.tsx'
import { useRowWindow } from './row-window.ts'
import { fitOf, showWidth, stretchedOf } from './widths.ts'
import './table.css'

export type { Density } from '../theme.ts'
export type { Column } from './row.tsx'

/** The order of a list: the field, and whether the largest comes first. */
export interface Sort {
  readonly key: string
  readonly descending: boolean
}

/** The records of a table. */
export interface TableRecords<R> {
  readonly rows: readonly R[]
  readonly keyOf: (record: R) => string
  /** The name of a record, for its tick box. */
  readonly nameOf: (record: R) => string
  /** `first`: nothing to show yet; `refresh`: the rows shown are being renewed. */
  readonly state?: 'first' | 'refresh' | 'ready'
  /** How many rows may come, 10 without it: as many grey ones hold their place, so that what stands below does not move. */
  readonly expected?: number
  /** Shown instead of rows when there are none. */
  readonly empty?: ReactNode
}

/** The order of the rows, and what a press on a head does. */
interface TableOrder {
  readonly sort?: Sort | null
  readonly onSort: (key: string) => void
}

/** How much room the rows and columns take. */
export interface TableLayout {
  /** Rows as cards, for the narrowest screens. */
  readonly cards?: boolean
  /** Of this list alone; without it, as the person has it everywhere. */
  readonly density?: Density
  /** Widths that differ from those of the columns. */
  readonly widths?: Readonly<Record<string, number>>
  /** Makes the heads draggable at their edges. */
  readonly onWidth?: (key: string, width: number) => void
}

/** What is told of the pointer, beside the presses of buttons. */
interface TablePointer<R> {
  /** A free part of a row was pressed, once and without choosing text. */
  readonly onRow?: (record: R) => void
  /** The pointer rests on a row, or the focus is in it. */
  readonly onNear?: (record: R) => void
}

export interface DataTableProps<R> {
  /** What the table holds, for assistive technology. */
  readonly label: string
  readonly records: TableRecords<R>
  /** Keep its identity between renders: a new plan draws every row again. */
  readonly columns: readonly Column<R>[]
  readonly marks?: Marks<R>
  readonly order?: TableOrder
  readonly layout?: TableLayout
  /** An element with `data-act` in a row was pressed, or the row was double-clicked (`open`). */
  readonly onAct?: (act: string, record: R, from: HTMLElement) => void
  readonly pointer?: TablePointer<R>
}

/** Rows drawn in each step after the first, and the most that are drawn without steps. */
const STEP = 60
const WHOLE = 50

/**
 * How many rows to draw now. Up to 50 at once; of more, as many as the window can hold, then the rest in steps: so the
 * first frame is quick and has no gap, and yet find-in-page, print and screen readers soon have every row.
 */
function useProgress(identity: string, count: number, height: number): number {
  const first = Math.ceil(window.innerHeight / height)
  const [progress, setProgress] = useState({ identity, shown: first })
  const shown = progress.identity === identity ? progress.shown : first
  const more = count > WHOLE && shown < count
  useEffect(() => {
    if (!more) return
    // A task of its own after the frame, or the rows that nobody sees yet would delay those that are waited for.
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setProgress({ identity, shown: shown + STEP })))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [more, identity, shown])
  return count > WHOLE ? Math.min(shown, count) : count
}

/**
 * A table of records with a sticky head, pinned columns, ticks and sorting by the head.
 *
 * It is native table markup: all its controls stay in the tab order. It knows nothing of where records come from.
 */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, records, columns, marks, order, layout = {}, onAct, pointer } = props
  const { rows, keyOf, nameOf, state = 'ready', empty } = records
  const { cards, widths = asGiven } = layout
  const usual = useStore(lookStore, (now) => now.density)
  const density = layout.density ?? usual
  const t = useT()
  const widthOf = (column: Column<R>) => widths[column.key] ?? column.width
  // Only the width of what is pinned is a part of the plan: where the next pinned column sticks follows from it.
  const pinned = columns.map((column) => (column.pin ? widthOf(column) : '')).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other widths draw no row again
  const places = useMemo(
    () =>
      placesOf(
        columns.map((column) => (column.pin && widths[column.key] ? { ...column, width: widthOf(column) } : column)),
        marks !== undefined,
      ),
    [columns, marks, pinned],
  )
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf])
  const shown = useProgress(keys.join(), rows.length, densitySizes[density].row)
  const grey = Math.min(records.expected ?? 10, Math.ceil(window.innerHeight / densitySizes[density].row))
  const width = places.reduce((sum, place) => sum + widthOf(place), marks ? TICK_WIDTH : 0)
  const stretched = stretchedOf(places, widths)
  const anchor = useRef<string | null>(null)

  const recordAt = (target: EventTarget) => {
    const key = (target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset.key
    const at = key === undefined ? -1 : keys.indexOf(key)
    return at < 0 ? undefined : { key: keys[at]!, record: rows[at]!, at }
  }
  const press = (event: MouseEvent) => {
    const target = event.target as HTMLElement
    const found = recordAt(target)
    if (!found) return
    if (target.closest('[data-tick]') && marks) {
      const on = (marks.of(found.key) & 1) === 0
      const from = event.shiftKey && anchor.current !== null ? keys.indexOf(anchor.current) : -1
      const [low, high] = from < 0 ? [found.at, found.at] : [Math.min(from, found.at), Math.max(from, found.at)]
      marks.select(
        keys.slice(low, high + 1).map((key, i) => [key, rows[low + i]!] as const),
        on,
      )
      anchor.current = found.key
      return
    }
    const act = target.closest<HTMLElement>('[data-act]')
    if (!act) {
      free(event, found.record)
      return
    }
    if (!onAct) return
    // A link with a modifier key opens in a new window, as links do.
    if (act instanceof HTMLAnchorElement && (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0))
      return
    event.preventDefault()
    onAct(act.dataset.act!, found.record, act)
  }
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  /** A press on what does nothing by itself opens the row, unless a second one follows or text was chosen by it. */
  const free = (event: MouseEvent, record: R) => {
    clearTimeout(waiting.current)
    const onRow = pointer?.onRow
    const isOwn = (event.target as HTMLElement).closest('a,button,input,label,textarea,select,.dt-edited') !== null
    if (!onRow || isOwn || event.detail > 1 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const open = () => {
      if (window.getSelection()?.isCollapsed !== false) onRow(record)
    }
    if (cards) open()
    else waiting.current = setTimeout(open, TWICE)
  }
  const doublePress = (event: MouseEvent) => {
    clearTimeout(waiting.current)
    const target = event.target as HTMLElement
    if (target.closest('a,button,input,label')) return
    const found = recordAt(target)
    if (found) onAct?.('open', found.record, target)
  }
  const near = useRest(pointer?.onNear)
  const focus = (event: FocusEvent) => {
    const found = recordAt(event.target)
    if (!found) return
    marks?.moveTo(found.key)
    pointer?.onNear?.(found.record)
  }
  const hint = (event: MouseEvent) => {
    near(() => recordAt(event.target)?.record)
    const cell = (event.target as HTMLElement).closest<HTMLElement>('td,th')
    if (cell && !cell.title && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? ''
  }

  const tickLabels = (record: R) => t('table.tick', { name: nameOf(record) })
  const busy = state !== 'ready'
  const none = state !== 'first' && rows.length === 0
  const drawn = useMemo(() => rows.slice(0, shown), [rows, shown])
  const body = useRef<HTMLTableSectionElement>(null)
  useRowWindow(body, drawn, densitySizes[density].row)

  return (
    <section className={`dt dt-${density}`} aria-label={label} aria-busy={busy} data-state={state}>
      <div className="dt-progress" aria-hidden="true" />
      {cards ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: presses of the buttons and boxes inside are heard here; keys reach them as clicks
        <ul className="dt-cards" aria-label={label} onClick={press} onFocus={focus}>
          {state === 'first' && <Waiting as="li" columns={1} count={10} />}
          {drawn.map((record, i) => (
            <Card
              key={keys[i]}
              id={keys[i]!}
              record={record}
              places={places}
              marks={marks}
              tickLabel={tickLabels(record)}
              brief={pointer?.onRow !== undefined}
            />
          ))}
        </ul>
      ) : (
        <Scroller label={t('table.region', { label })}>
          <table style={{ minWidth: width }}>
            <caption className="sr-only">{label}</caption>
            <colgroup>
              {marks && <col style={{ width: TICK_WIDTH }} />}
              {places.map((place) => (
                <col key={place.key} style={{ width: place.key === stretched ? undefined : widthOf(place) }} />
              ))}
            </colgroup>
            <Head
              places={places}
              marks={marks}
              rows={rows}
              keys={keys}
              sort={order?.sort}
              onSort={order?.onSort}
              widths={widths}
              onWidth={layout.onWidth}
            />
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: presses of the buttons and boxes inside are heard here; keys reach them as clicks */}
            <tbody ref={body} onClick={press} onDoubleClick={doublePress} onFocus={focus} onMouseOver={hint}>
              {state === 'first' && <Waiting as="tr" columns={places.length + (marks ? 1 : 0)} count={grey} />}
              {drawn.map((record, i) => (
                <Row
                  key={keys[i]}
                  id={keys[i]!}
                  record={record}
                  places={places}
                  marks={marks}
                  tickLabel={tickLabels(record)}
                />
              ))}
            </tbody>
          </table>
          {none && <div className="dt-empty">{empty}</div>}
        </Scroller>
      )}
      {cards && none && <div className="dt-empty">{empty}</div>}
      {state === 'first' && <span className="sr-only">{t('table.loading')}</span>}
    </section>
  )
}

/** Milliseconds within which a second press makes one of two. */
const TWICE = 220

const asGiven: Readonly<Record<string, number>> = {}

/** The pointer rests on a row when it has been there so long, in milliseconds. */
const REST = 80

/** Tells of the row that the pointer rests on, and not of those that it passes. */
function useRest<R>(tell: ((record: R) => void) | undefined): (find: () => R | undefined) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (find) => {
    if (!tell) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const record = find()
      if (record) tell(record)
    }, REST)
  }
}

/** The region that scrolls; it says in attributes at which side something is hidden, for the shadows. */
function Scroller({ label, children }: { label: string; children: ReactNode }) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    const region = element.current
    if (!region) return
    const look = () => {
      const rest = region.scrollWidth - region.clientWidth - Math.abs(region.scrollLeft)
      region.toggleAttribute('data-more-start', Math.abs(region.scrollLeft) > 1)
      region.toggleAttribute('data-more-end', rest > 1)
    }
    region.addEventListener('scroll', look, { passive: true })
    // It is told of the first layout too, and when the layout is done: asking here would force one.
    const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(look)
    for (const element of [region, region.firstElementChild]) if (element) sizes?.observe(element)
    return () => {
      region.removeEventListener('scroll', look)
      sizes?.disconnect()
    }
  }, [])
  return (
    // A region that scrolls must be reachable by keyboard, or its hidden part is not.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="dt-scroll" tabIndex={0} aria-label={label} ref={element}>
      {children}
    </section>
  )
}

interface HeadProps<R> {
  readonly places: readonly Place<R>[]
  readonly marks: Marks<R> | undefined
  readonly rows: readonly R[]
  readonly keys: readonly string[]
  readonly sort: Sort | null | undefined
  readonly onSort: ((key: string) => void) | undefined
  readonly widths: Readonly<Record<string, number>>
  readonly onWidth: ((key: string, width: number) => void) | undefined
}

function Head<R>({ places, marks, rows, keys, sort, onSort, widths, onWidth }: HeadProps<R>) {
  const t = useT()
  return (
    <thead>
      <tr>
        {marks && (
          <th scope="col" className="dt-tick dt-pin dt-start">
            <TickAll marks={marks} rows={rows} keys={keys} />
          </th>
        )}
        {places.map((place) => {
          const sorted = sort?.key === place.key ? (sort.descending ? 'descending' : 'ascending') : undefined
          return (
            <th
              key={place.key}
              scope="col"
              className={place.className}
              style={place.style}
              aria-sort={place.sortable ? (sorted ?? 'none') : undefined}
            >
              {place.sortable && onSort ? (
                <button type="button" className="dt-sort" data-sorted={sorted} onClick={() => onSort(place.key)}>
                  {place.label}
                  <svg viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
                    <path className="dt-up" d="M4 0 8 5H0z" />
                    <path className="dt-down" d="M4 12 0 7h8z" />
                  </svg>
                </button>
              ) : place.key === 'actions' ? (
                <span className="sr-only">{place.label}</span>
              ) : (
                place.label
              )}
              {onWidth && place.key !== 'actions' && (
                <Grip
                  label={t('table.widthOf', { label: place.label })}
                  width={widths[place.key] ?? place.width}
                  min={columnWidths.min}
                  max={columnWidths.max}
                  onMove={(width, from) => showWidth(from, width)}
                  onWidth={(width) => onWidth(place.key, width)}
                  onFit={(from) => onWidth(place.key, fitOf(from))}
                />
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** The box in the head: ticks this page, says so when only some of it is ticked. */
function TickAll<R>({ marks, rows, keys }: { marks: Marks<R>; rows: readonly R[]; keys: readonly string[] }) {
  const t = useT()
  useSyncExternalStore(marks.watch, marks.revision)
  const count = keys.filter((key) => marks.selected().has(key)).length
  const all = keys.length > 0 && count === keys.length
  const change = (event: ChangeEvent<HTMLInputElement>) =>
    marks.select(
      keys.map((key, i) => [key, rows[i]!] as const),
      event.target.checked,
    )
  return (
    <label>
      <input
        type="checkbox"
        aria-label={t('table.tickAll')}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !all
        }}
        onChange={change}
      />
    </label>
  )
}

/** Grey rows in the shape of what will come: as many as are asked for, and no more than a window holds. */
function Waiting({ as: Tag, columns, count }: { as: 'tr' | 'li'; columns: number; count: number }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: grey rows have no identity
    <Tag key={row} className="dt-waiting" aria-hidden="true">
      {Tag === 'li' ? (
        <i />
      ) : (
        Array.from({ length: columns }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey bars have no identity
          <td key={i}>
            <i style={{ width: `${45 + ((row * 7 + i * 13) % 40)}%` }} />
          </td>
        ))
      )}
    </Tag>
  ))
}
