import { useMemo, useState } from 'react'
import { sessionStore } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/store.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { Panel } from '../ui/table/menu.tsx'
import type { Column, Density } from '../ui/table/table.tsx'
import { look } from '../ui/theme.ts'
import { useT } from '../ui/words.ts'

/** How a person wants to see one list. */
interface Taste {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly density: Density
}

/** What is remembered: a density only where it differs from the one the person has everywhere. */
type Kept = Omit<Taste, 'density'> & { readonly density?: Density }

const plain: Kept = { order: [], hidden: [] }

/** The person's columns and density for a page, remembered in the browser for this user. */
export function useTaste<R>(page: string, columns: readonly Column<R>[]) {
  const key = `columns:${sessionStore.get()?.userId ?? ''}:${page}`
  const usual = useStore(look, (now) => now.density)
  const [kept, setKept] = useState<Kept>(() => ({ ...plain, ...readStored<Partial<Taste>>(key) }))
  const taste: Taste = { ...kept, density: kept.density ?? usual }
  const ordered = useMemo(() => {
    const at = (column: Column<R>, i: number) => {
      const chosen = taste.order.indexOf(column.key)
      return chosen < 0 ? i : chosen
    }
    const movable = columns.filter((column) => column.pin === undefined)
    const sorted = movable
      .map((column, i) => ({ column, place: at(column, i) }))
      .sort((a, b) => a.place - b.place)
      .map(({ column }) => column)
    return [
      ...columns.filter((column) => column.pin === 'start'),
      ...sorted,
      ...columns.filter((column) => column.pin === 'end'),
    ]
  }, [columns, taste.order])
  const shown = useMemo(() => ordered.filter((column) => !taste.hidden.includes(column.key)), [ordered, taste.hidden])
  const keep = (next: Kept) => {
    const { density, ...rest } = next
    const own = density === usual ? rest : next
    setKept(own)
    writeStored(key, own)
  }
  return { taste, keep, ordered, shown }
}

const densities: readonly Density[] = ['loose', 'standard', 'compact']

interface ColumnsMenuProps<R> {
  readonly taste: Taste
  readonly ordered: readonly Column<R>[]
  readonly keep: (taste: Kept) => void
}

/** Shows, hides and moves columns, and sets the density. */
export function ColumnsMenu<R>({ taste, ordered, keep }: ColumnsMenuProps<R>) {
  const t = useT()
  const movable = ordered.filter((column) => column.pin === undefined)
  const keys = movable.map((column) => column.key)
  const move = (key: string, step: number) => {
    const from = keys.indexOf(key)
    const others = keys.filter((other) => other !== key)
    keep({ ...taste, order: others.toSpliced(from + step, 0, key) })
  }
  const toggle = (key: string) =>
    keep({
      ...taste,
      hidden: taste.hidden.includes(key) ? taste.hidden.filter((other) => other !== key) : [...taste.hidden, key],
    })
  return (
    <Panel label={t('table.columns')} button={<Icon name="columns-3" size={16} />}>
      <fieldset>
        <legend>{t('table.density')}</legend>
        {densities.map((density) => (
          <label key={density} className="pop-choice">
            <input
              type="radio"
              name="density"
              checked={taste.density === density}
              onChange={() => keep({ ...taste, density })}
            />
            {t(`table.${density}`)}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('table.shown')}</legend>
        {movable.map((column, i) => (
          <div key={column.key} className="pop-row">
            <label className="pop-choice">
              <input type="checkbox" checked={!taste.hidden.includes(column.key)} onChange={() => toggle(column.key)} />
              {column.label}
            </label>
            <button
              type="button"
              className="tool small"
              aria-label={t('table.up', { label: column.label })}
              disabled={i === 0}
              onClick={() => move(column.key, -1)}
            >
              <Icon name="arrow-up" size={14} />
            </button>
            <button
              type="button"
              className="tool small"
              aria-label={t('table.down', { label: column.label })}
              disabled={i === movable.length - 1}
              onClick={() => move(column.key, 1)}
            >
              <Icon name="arrow-down" size={14} />
            </button>
          </div>
        ))}
      </fieldset>
      <button type="button" className="button plain" onClick={() => keep(plain)}>
        {t('table.default')}
      </button>
    </Panel>
  )
}
