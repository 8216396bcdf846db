import { type CSSProperties, memo, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { type Marks, ROW_CURSOR, ROW_EDITED, ROW_FAILED, ROW_FRESH, ROW_OPEN, ROW_SELECTED } from './marks.ts'

/** One column. `cell` is a pure function of the record, so a row is drawn again only when its record changes. */
export interface Column<R> {
  readonly key: string
  readonly label: string
  readonly width: number
  readonly pin?: 'start' | 'end'
  readonly sortable?: boolean
  readonly numeric?: boolean
  /** The cell that names the row: a header cell for assistive technology. */
  readonly title?: boolean
  /** Not among those that a list begins with: somebody has to ask for it. */
  readonly extra?: boolean
  readonly cell: (record: R) => ReactNode
}

/** A column with what its cells wear; worked out once per column plan, because a list has thousands of cells. */
export interface Place<R> extends Column<R> {
  /** Alignment and pinning. */
  readonly className: string | undefined
  /** Where a pinned cell sticks when the table scrolls sideways. */
  readonly style: CSSProperties | undefined
}

/** Width of the tick column; the first pinned column starts after it. */
export const TICK_WIDTH = 48

/** Works out once per column plan where each pinned column sticks. */
export function placesOf<R>(columns: readonly Column<R>[], ticks: boolean): Place<R>[] {
  const starts = columns.filter((column) => column.pin === 'start')
  const ends = columns.filter((column) => column.pin === 'end')
  const place = (column: Column<R>, style: CSSProperties | undefined, edge: boolean): Place<R> => {
    const names = [column.numeric && 'dt-num', column.pin && `dt-pin dt-${column.pin}`, edge && 'dt-edge']
    return { ...column, style, className: names.filter(Boolean).join(' ') || undefined }
  }
  let left = ticks ? TICK_WIDTH : 0
  const first = starts.map((column, i) => {
    const made = place(column, { insetInlineStart: left }, i === starts.length - 1)
    left += column.width
    return made
  })
  const middle = columns.filter((column) => !column.pin).map((column) => place(column, undefined, false))
  let right = 0
  const last = ends.toReversed().map((column, i) => {
    const made = place(column, { insetInlineEnd: right }, i === ends.length - 1)
    right += column.width
    return made
  })
  return [...first, ...middle, ...last.toReversed()]
}

interface RowProps<R> {
  readonly id: string
  readonly record: R
  readonly places: readonly Place<R>[]
  readonly marks: Marks<R> | undefined
  /** Accessible name of the tick box. */
  readonly tickLabel: string
  /** A card that opens its record tells the little that leads to it. */
  readonly brief?: boolean
}

const still = () => () => {}

/** Hears only of this row's own marks. */
function useBits<R>(marks: Marks<R> | undefined, id: string): number {
  const watch = useMemo(() => (marks ? (tell: () => void) => marks.watchRow(id, tell) : still), [marks, id])
  return useSyncExternalStore(watch, () => marks?.of(id) ?? 0)
}

const stateClass = (bits: number) =>
  `${bits & ROW_SELECTED ? 'dt-selected ' : ''}${bits & ROW_CURSOR ? 'dt-cursor ' : ''}${bits & ROW_FRESH ? 'dt-fresh ' : ''}${bits & ROW_FAILED ? 'dt-failed ' : ''}${bits & ROW_EDITED ? 'dt-editing ' : ''}${bits & ROW_OPEN ? 'dt-open' : ''}`

function TableRow<R>({ id, record: listed, places, marks, tickLabel }: RowProps<R>) {
  const bits = useBits(marks, id)
  const record = marks ? marks.shown(id, listed) : listed
  const editing = bits & ROW_EDITED ? marks?.editing() : null
  const cells = useMemo(
    () =>
      places.map((place) => {
        const edited = editing?.column === place.key
        const className = edited ? `${place.className ?? ''} dt-edited` : place.className
        const content = edited ? editing.draw(record) : place.cell(record)
        return place.title ? (
          <th key={place.key} scope="row" className={className} style={place.style}>
            {content}
          </th>
        ) : (
          <td key={place.key} className={className} style={place.style}>
            {content}
          </td>
        )
      }),
    [places, record, editing],
  )
  return (
    <tr
      data-key={id}
      className={stateClass(bits)}
      aria-current={bits & ROW_OPEN ? 'true' : undefined}
      aria-selected={marks ? (bits & ROW_SELECTED) !== 0 : undefined}
    >
      {marks && (
        <td className="dt-tick dt-pin dt-start">
          <label>
            <input
              type="checkbox"
              data-tick=""
              checked={(bits & ROW_SELECTED) !== 0}
              onChange={nothing}
              aria-label={tickLabel}
            />
          </label>
        </td>
      )}
      {cells}
    </tr>
  )
}

/** Changes are heard once, at the table: a handler per row would cost 200 closures. */
const nothing = () => {}

/** Facts under the name on a brief card. */
const FACTS = 3

function CardRow<R>({ id, record, places, marks, tickLabel, brief }: RowProps<R>) {
  const bits = useBits(marks, id)
  const cells = useMemo(() => {
    if (brief) return <Brief record={record} places={places} />
    const title = places.find((place) => place.title)
    const actions = places.filter((place) => place.pin === 'end')
    const others = places.filter((place) => place !== title && place.pin !== 'end' && !isEmpty(place, record))
    return (
      <>
        <div className="dt-card-title">{title?.cell(record)}</div>
        <div className="dt-card-actions">
          {actions.map((place) => (
            <span key={place.key}>{place.cell(record)}</span>
          ))}
        </div>
        <dl>
          {others.map((place) => (
            <div key={place.key}>
              <dt>{place.label}</dt>
              <dd>{place.cell(record)}</dd>
            </div>
          ))}
        </dl>
      </>
    )
  }, [places, record, brief])
  return (
    <li
      data-key={id}
      className={`${brief ? 'dt-card dt-brief' : 'dt-card'} ${stateClass(bits)}`}
      aria-current={bits & ROW_OPEN ? 'true' : undefined}
    >
      {marks && (
        <label className="dt-tick">
          <input
            type="checkbox"
            data-tick=""
            checked={(bits & ROW_SELECTED) !== 0}
            onChange={nothing}
            aria-label={tickLabel}
          />
        </label>
      )}
      {cells}
    </li>
  )
}

/** A field that is empty tells nothing on a card. */
const isEmpty = <R,>({ key }: Place<R>, record: R): boolean => {
  const fields = record as Readonly<Record<string, unknown>>
  return key in fields && (fields[key] ?? '') === ''
}

/** What leads to a record: its name, a few facts, its status, and what can be done with it. */
function Brief<R>({ record, places }: { record: R; places: readonly Place<R>[] }) {
  const title = places.find((place) => place.title)
  const fields = record as Readonly<Record<string, unknown>>
  const facts = places
    .filter((place) => !place.title && place.key !== 'status' && place.pin !== 'end' && !isEmpty(place, record))
    .slice(0, FACTS)
  return (
    <>
      <div className="dt-card-title">
        {title?.cell(record)}
        <div className="dt-facts">
          {facts.map((place) => (
            <span key={place.key}>
              {/* A bare number does not say of what. */}
              {typeof fields[place.key] === 'number' && `${place.label} `}
              {place.cell(record)}
            </span>
          ))}
        </div>
      </div>
      {places.find((place) => place.key === 'status')?.cell(record)}
      {places.find((place) => place.key === 'actions')?.cell(record)}
    </>
  )
}

/** A row of the table; draws again only for a new record, a new column plan or its own marks. */
export const Row = memo(TableRow) as typeof TableRow
/** The same row as a card, for the narrowest screens. */
export const Card = memo(CardRow) as typeof CardRow
