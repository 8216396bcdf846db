import { type ColumnTaste, columnWidths } from '@data-brain/contract'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/store.ts'
import { Panel } from '../ui/table/menu.tsx'
import type { Column, Density } from '../ui/table/table.tsx'
import { look } from '../ui/theme.ts'
import { useT } from '../ui/words.ts'
import type { Views } from './views/use-views.ts'

/** A column that is always where it is: what can be done with a row. */
const isFixed = (column: { readonly key: string }): boolean => column.key === 'actions'

/** The columns as a person wants them: in their order within what is pinned where. Names that are not there change nothing. */
export function arrange<R>(
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

/** The columns of a list as this person wants them, and the ways to change that. */
export function useTaste<R>(columns: readonly Column<R>[], { taste, keepTaste }: Pick<Views, 'taste' | 'keepTaste'>) {
  const usual = useStore(look, (now) => now.density)
  const { order, pins, hidden, widths } = taste
  // Widths and density are no part of the plan: a new plan draws every row again.
  const ordered = useMemo(() => arrange(columns, { order, pins }), [columns, order, pins])
  const shown = useMemo(
    () => ordered.filter((column) => column.title || !hidden.includes(column.key)),
    [ordered, hidden],
  )
  /** A width, or null for the one that the page gives. */
  const widen = useCallback(
    (key: string, width: number | null) => {
      const { [key]: _, ...others } = taste.widths
      const fits = width === null ? null : Math.round(Math.min(columnWidths.max, Math.max(columnWidths.min, width)))
      keepTaste({ ...taste, widths: fits === null ? others : { ...others, [key]: fits } })
    },
    [taste, keepTaste],
  )
  return { taste, keep: keepTaste, ordered, shown, widths, widen, density: (taste.density ?? usual) as Density }
}

const loadPanel = () => import('../ui/table/columns-panel.tsx')
const ColumnsPanel = lazy(loadPanel)

interface ColumnsMenuProps<R> {
  readonly taste: ColumnTaste
  readonly density: Density
  readonly ordered: readonly Column<R>[]
  /** null: as the page has them. */
  readonly keep: (taste: ColumnTaste | null) => void
}

/** Shows, hides, moves, widens and pins columns, and sets the density. */
export function ColumnsMenu<R>({ taste, density, ordered, keep }: ColumnsMenuProps<R>) {
  const t = useT()
  return (
    <Panel label={t('table.columns')} button={<Icon name="columns-3" size={16} />} onNear={() => void loadPanel()}>
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
