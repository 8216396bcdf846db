import { type ColumnTaste, columnWidths, type Entity, entityOf, owner } from '@data-brain/contract'
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { sessionStore } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { prefetch } from '../../ui/prefetch.ts'
import { useStore } from '../../ui/store.ts'
import { dropStored, readStored, writeStored } from '../../ui/stored.ts'
import { Panel } from '../../ui/table/menu.tsx'
import { TICK_WIDTH } from '../../ui/table/row.tsx'
import type { Column, Density } from '../../ui/table/table.tsx'
import { lookStore } from '../../ui/theme.ts'
import { useT } from '../../ui/words.ts'
import { useChoices } from '../data/client.ts'
import type { ListViews } from '../views/use-views.ts'

/** A column that is always where it is: what can be done with a row. */
const isFixed = (column: { readonly key: string }): boolean => column.key === 'actions'

/** The columns as a person wants them: in their order within what is pinned where. Names that are not there change nothing. */
export function arrangeColumns<R>(
  columns: readonly Column<R>[],
  { order, pins }: Pick<ColumnTaste, 'order' | 'pins'>,
): Column<R>[] {
  const place = new Map(order.map((key, at) => [key, at]))
  const placed = columns.map((column, at) => {
    const wish = isFixed(column) ? undefined : pins[column.key]
    const pin = wish === undefined ? column.pin : wish === 'none' ? undefined : wish
    return { column: pin === column.pin ? column : { ...column, pin }, at, wanted: place.get(column.key) }
  })
  // Those that came later than the person's order keep the place that the page gives them.
  const sorted = placed
    .filter(({ column }) => !isFixed(column))
    .sort((a, b) => (a.wanted ?? a.at - 0.5) - (b.wanted ?? b.at - 0.5) || a.at - b.at)
    .map(({ column }) => column)
  const fixed = placed.filter(({ column }) => isFixed(column)).map(({ column }) => column)
  return [
    ...sorted.filter((column) => column.pin === 'start'),
    ...sorted.filter((column) => !column.pin),
    ...sorted.filter((column) => column.pin === 'end'),
    ...fixed,
  ]
}

/** Whether somebody sees a column: one of the page’s own that they have not hidden, or one that they asked for. */
export const isAsked = (
  column: { readonly key: string; readonly title?: boolean; readonly extra?: boolean },
  taste: ColumnTaste,
) =>
  column.title === true ||
  (column.extra ? taste.more?.includes(column.key) === true : !taste.hidden.includes(column.key))

/**
 * The columns that fit: while there is too little room the last by weight leaves, and none is cut. What a person asked for
 * or has widened stays; the table then scrolls.
 */
export function fittingColumns<R>(
  columns: readonly Column<R>[],
  plan: readonly Column<R>[],
  taste: ColumnTaste,
  room: number,
): readonly Column<R>[] {
  const widthOf = (column: Column<R>) => taste.widths[column.key] ?? column.width
  const mayLeave = (column: Column<R>) =>
    !column.title && !isFixed(column) && !column.extra && taste.widths[column.key] === undefined
  let shown = columns
  const total = () => shown.reduce((sum, column) => sum + widthOf(column), 0)
  const weights = plan.filter(mayLeave).toReversed()
  for (const { key } of weights) {
    if (total() <= room) break
    if (shown.some((column) => column.key === key)) shown = shown.filter((column) => column.key !== key)
  }
  return shown
}

/** The width of what the rows stand in; endless until it is known. */
function useRoom(root: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  // Told of at every drawing: the card comes and goes with what is shown in it.
  const seen = useRef<Element | null>(null)
  const sizes = useRef<ResizeObserver>(undefined)
  useLayoutEffect(() => {
    const card = root.current?.querySelector('.entity-card') ?? root.current?.closest('.entity-card') ?? null
    if (card === seen.current || typeof ResizeObserver === 'undefined') return
    seen.current = card
    sizes.current?.disconnect()
    if (!card) return
    const look = () => card.clientWidth > 0 && setRoom(card.clientWidth - TICK_WIDTH)
    look()
    sizes.current = new ResizeObserver(look)
    sizes.current.observe(card)
  })
  useEffect(() => () => sizes.current?.disconnect(), [])
  return room
}

interface TasteOptions<R> {
  readonly columns: readonly Column<R>[]
  /** The columns by weight, where that is not their order: the last leaves first. */
  readonly plan?: readonly Column<R>[]
  readonly views: Pick<ListViews, 'taste' | 'keepTaste'>
  readonly root: RefObject<HTMLElement | null>
  /** Columns that nobody needs here, such as the school where there is one. */
  readonly idle: ReadonlySet<string>
  /** Rows stand as cards, which take what they tell from all columns. */
  readonly cards: boolean
}

/** The columns of a list as this person wants them and as they fit, and the ways to change that. */
export function useTaste<R>({ columns, plan = columns, views, root, idle, cards }: TasteOptions<R>) {
  const { taste, keepTaste } = views
  const usual = useStore(lookStore, (now) => now.density)
  const { order, pins, hidden, more } = taste
  const room = useRoom(root)
  // Density is no part of the plan: a new plan draws every row again.
  const ordered = useMemo(() => arrangeColumns(columns, { order, pins }), [columns, order, pins])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the taste only what is shown counts
  const wanted = useMemo(
    () =>
      ordered.filter(
        (column) => isFixed(column) || (isAsked(column, taste) && (column.extra || !idle.has(column.key))),
      ),
    [ordered, hidden, more, idle],
  )
  const fits = cards ? wanted : fittingColumns(wanted, plan, taste, room)
  const names = fits.map(({ key }) => key).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width with the same columns draws no row again
  const shown = useMemo(() => fits, [wanted, names])
  /** A width, or null for the one that the page gives. */
  const widen = useCallback(
    (key: string, width: number | null) => {
      const { [key]: _, ...others } = taste.widths
      const fits = width === null ? null : Math.round(Math.min(columnWidths.max, Math.max(columnWidths.min, width)))
      keepTaste({ ...taste, widths: fits === null ? others : { ...others, [key]: fits } })
    },
    [taste, keepTaste],
  )
  const density = (taste.density ?? usual) as Density
  return { taste, keep: keepTaste, ordered, shown, wanted, widths: taste.widths, widen, density }
}

const NONE: ReadonlySet<string> = new Set()
const OWNER: ReadonlySet<string> = new Set([owner.field])

/** Columns that nobody needs: the school, for whoever has one. What was found is kept, so that the next list begins so. */
export function useIdle(entity: Entity): ReadonlySet<string> {
  const name = `only-${owner.entity}:${sessionStore.get()?.userId ?? ''}`
  const has = entity.list.includes(owner.field) && entity.title !== owner.field
  const { data } = useChoices(owner.entity, entityOf(owner.entity).path, {}, has)
  const only = data ? data.length === 1 : readStored<boolean>(name) === true
  useEffect(() => {
    if (!data) return
    if (only) writeStored(name, true)
    else dropStored(name)
  }, [name, data, only])
  return has && only ? OWNER : NONE
}

const loadPanel = () => import('../../ui/table/columns-panel.tsx')
const ColumnsPanel = lazyPart(loadPanel)

interface ColumnsMenuProps<R> {
  readonly taste: ColumnTaste
  readonly density: Density
  readonly ordered: readonly Column<R>[]
  /** Columns that are wanted and for which there is no room. */
  readonly left: readonly Column<R>[]
  /** null: as the page has them. */
  readonly keep: (taste: ColumnTaste | null) => void
  /** More about how it is shown, such as its order. */
  readonly children?: ReactNode
}

/** How a list is shown: which columns, in which order of rows, how high. */
export function ColumnsMenu<R>({ taste, density, ordered, left, keep, children }: ColumnsMenuProps<R>) {
  const t = useT()
  return (
    <Panel
      label={t('table.columns')}
      className="tool-text"
      button={
        <>
          <Icon name="sliders-horizontal" size={16} />
          <span className="tool-word">{t('table.display')}</span>
        </>
      }
      onNear={() => prefetch(loadPanel)}
    >
      {children}
      {left.length > 0 && (
        <p className="columns-hint">
          {t('column.left', { names: left.map(({ label }) => label).join(t('entity.separator')) })}
        </p>
      )}
      <Suspense fallback={null}>
        <ColumnsPanel
          columns={ordered.filter((column) => !isFixed(column))}
          taste={taste}
          density={density}
          onTaste={keep}
        />
      </Suspense>
    </Panel>
  )
}
