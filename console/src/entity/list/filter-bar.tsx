import type { Entity } from '@data-brain/contract'
import { memo, type ReactNode, Suspense, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import { type CellWords, inSentence } from '../display/cell.tsx'
import { Chip } from './filter-chips.tsx'
import { type Filters, inForce, type Patch, quickOf, withoutFilter } from './filter-fields.ts'
import type { Steps } from './list-state.ts'
import { SearchText } from './search-text.tsx'
import './filter-bar.css'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { prefetch } from '../../ui/prefetch.ts'

export { boundsOf } from './filter-fields.ts'

export interface RangeProps {
  readonly name: string
  readonly label: string
  readonly filters: Filters
  readonly patch: Patch
  readonly kind: 'date' | 'instant'
}

const loadPick = () => import('./filter-pick.tsx')
const FilterPick = lazyPart(loadPick)

const enough = (text: string) => text === '' || /[⺀-鿿]/.test(text) || text.length >= 2

interface BarProps {
  readonly entity: Entity
  readonly filters: Filters
  readonly steps: Steps
  readonly words: CellWords
  /** Asks the server again although nothing changed. */
  readonly onQuery: () => void
  /** On a phone the filters stand in a sheet, behind one button that counts them. */
  readonly sheet: boolean
  /** What stands in that sheet beside the filters. */
  readonly children?: ReactNode
}

/** The quick text: what the list's search looks into, as one types; Enter asks again. */
function QuickText({ entity, filters, steps, onQuery }: Pick<BarProps, 'entity' | 'filters' | 'steps' | 'onQuery'>) {
  const t = useT()
  const words = useWords()
  const language = useLanguage()
  const quick = quickOf(entity)
  if (!quick) return null
  const label = t('entity.quick', {
    fields: quick.fields
      .filter((name) => !['namePinyin', 'formerName', 'nameEn'].includes(name))
      .slice(0, 3)
      .map((name) => inSentence(words(entity.fields[name]!.label), language))
      .join(t('entity.separator')),
  })
  return (
    <SearchText
      className="filter-quick"
      quick
      label={label}
      value={filters[quick.key] ?? ''}
      enough={enough}
      onText={(text) => steps.filter({ [quick.key]: text })}
      onAgain={onQuery}
    />
  )
}

/** What is being chosen: a field (`''`), or the values of one; and what it was opened by. */
interface Open {
  readonly name: string | null
  readonly by: 'add' | string
  readonly anchor: HTMLElement
}

/** The line over a list: the quick text, a chip per filter in force, and the way to every other one. */
export const FilterBar = memo(function FilterBar(props: BarProps) {
  const { entity, filters, steps, words, sheet, children } = props
  const t = useT()
  const [open, setOpen] = useState<Open | null>(null)
  const chips = inForce(entity, filters)
  const near = () => prefetch(loadPick)
  const shut = () => setOpen(null)
  const turn = (by: string, name: string | null, anchor: HTMLElement) =>
    setOpen(open?.by === by ? null : { by, name, anchor })
  const list = chips.length > 0 && (
    <ul className="chips" aria-label={t('entity.filtersInForce')}>
      {chips.map(([name, own]) => (
        <Chip
          key={name}
          entity={entity}
          name={name}
          filters={own}
          words={words}
          open={open?.name === name}
          onOpen={(anchor) => {
            near()
            if (sheet && open) setOpen({ ...open, name })
            else turn(name, name, anchor)
          }}
          onRemove={() => {
            steps.filter(withoutFilter(filters, name))
            if (!sheet) shut()
          }}
        />
      ))}
    </ul>
  )
  const clear = chips.length > 1 && (
    <button type="button" className="filter-clear" onClick={steps.reset}>
      {t('entity.clear')}
    </button>
  )
  return (
    <search className="filters" aria-label={t('entity.filters')}>
      <QuickText {...props} />
      {!sheet && list}
      <button
        type="button"
        className="filter-add"
        aria-expanded={open?.by === 'add'}
        aria-haspopup="dialog"
        onPointerEnter={near}
        onFocus={near}
        onClick={(event) => turn('add', null, event.currentTarget)}
      >
        <Icon name="plus" size={14} />
        {t('entity.filters')}
        {sheet && chips.length > 0 && <span className="filter-count">{chips.length}</span>}
      </button>
      {!sheet && clear}
      {open && (
        <Popover label={t('entity.filters')} anchor={open.anchor} sheet={sheet} onClose={shut}>
          {sheet && open.name === null && list}
          {sheet && open.name === null && clear}
          <Suspense fallback={null}>
            <FilterPick
              entity={entity}
              name={open.name}
              filters={filters}
              dictionaries={words.dictionaries}
              patch={steps.filter}
              onName={(name) => setOpen({ ...open, name })}
            />
          </Suspense>
          {sheet && (
            <div className="pop-foot">
              {children}
              <button type="button" className="button primary" onClick={shut}>
                {t('entity.filterDone')}
              </button>
            </div>
          )}
        </Popover>
      )}
    </search>
  )
})
