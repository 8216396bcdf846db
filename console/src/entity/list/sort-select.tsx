import type { Column, Sort } from '../../ui/table/table.tsx'
import { useT } from '../../ui/words.ts'
import type { Steps } from './list-state.ts'

interface OrderProps<R> {
  readonly columns: readonly Column<R>[]
  readonly sort: Sort | null
  readonly onOrder: Steps['orderBy']
}

/** The order of a list that is shown as cards: they have no heads to press. */
export function OrderSelect<R>({ columns, sort, onOrder }: OrderProps<R>) {
  const t = useT()
  const sortable = columns.filter((column) => column.sortable)
  if (sortable.length === 0) return null
  return (
    <select
      className="input"
      aria-label={t('table.order')}
      value={sort ? `${sort.descending ? '-' : ''}${sort.key}` : ''}
      onChange={({ target }) => {
        const key = target.value.replace('-', '')
        onOrder(key === '' ? null : { key, descending: target.value.startsWith('-') })
      }}
    >
      <option value="">{t('table.ownOrder')}</option>
      {sortable.flatMap(({ key, label }) => [
        <option key={key} value={key}>{`${label} ↑`}</option>,
        <option key={`-${key}`} value={`-${key}`}>{`${label} ↓`}</option>,
      ])}
    </select>
  )
}
