import type { Entity, Kind } from '@data-brain/contract'
import { lazy, memo, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { TextInput } from '../ui/form/text-input.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLanguage, useT, useWords } from '../ui/words.ts'
import { inSentence } from './cell.tsx'
import { DictSelect, parentsOf, ReferenceSelect } from './choose.tsx'
import type { Dictionaries } from './client.ts'
import { SearchText } from './search-text.tsx'
import type { Steps } from './state.ts'

type Patch = (patch: Record<string, string | null>) => void

interface FilterProps {
  readonly entity: Entity
  readonly name: string
  readonly label: string
  readonly filters: Readonly<Record<string, string>>
  readonly dictionaries: Dictionaries
  readonly patch: Patch
}

/** The server's two parameters of a range: days include both ends, instants are strictly between (R-LIST-2). */
export function boundsOf(name: string, kind: 'date' | 'instant'): readonly [string, string] {
  return kind === 'date' ? [`${name}_datege`, `${name}_datele`] : [`${name}_dategt`, `${name}_datelt`]
}

export interface RangeProps extends Omit<FilterProps, 'entity' | 'dictionaries'> {
  readonly kind: 'date' | 'instant'
}

const loadRange = () => import('./range.tsx')
const Range = lazy(loadRange)

/** A range of days. The calendar is a third of what a list page would weigh, so it comes when somebody reaches for it. */
function RangeFilter(props: RangeProps) {
  const t = useT()
  const { name, kind, label, filters } = props
  const isUsed = boundsOf(name, kind).some((bound) => filters[bound])
  const [reached, setReached] = useState(false)
  const place = (
    <button
      type="button"
      className="range-place filter-range"
      onPointerEnter={() => void loadRange()}
      onFocus={() => void loadRange()}
      onClick={() => setReached(true)}
    >
      {t('entity.from', { label })} → {t('entity.to', { label })}
      <Icon name="calendar-days" size={16} />
    </button>
  )
  if (!isUsed && !reached) return place
  return (
    <Suspense fallback={place}>
      <Range {...props} opened={reached} />
    </Suspense>
  )
}

/** A text that is asked for when Enter is pressed or the field is left. */
function TextFilter({ name, label, filters, patch }: FilterProps) {
  const [text, setText] = useState(filters[name] ?? '')
  useEffect(() => setText(filters[name] ?? ''), [filters, name])
  const send = () => patch({ [name]: text.trim() || null })
  return (
    <TextInput
      className="filter-one"
      aria-label={label}
      placeholder={label}
      value={text}
      onClear={() => patch({ [name]: null })}
      onChange={(event) => setText(event.target.value)}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing && event.keyCode !== 229) send()
      }}
    />
  )
}

function DictFilter({ entity, name, label, filters, dictionaries, patch }: FilterProps) {
  return (
    <DictSelect
      className="filter-one"
      label={label}
      placeholder={label}
      entries={dictionaries[(name === 'status' ? entity.status?.dict : entity.fields[name]?.dict) ?? '']}
      value={filters[name] ?? null}
      onChange={(value) => patch({ [name]: value as string | null })}
    />
  )
}

function FlagFilter({ name, label, filters, patch }: FilterProps) {
  const t = useT()
  const entries = useMemo(
    () => [
      { dictKey: '1', dictValue: t('entity.yes'), sort: 1 },
      { dictKey: '0', dictValue: t('entity.no'), sort: 2 },
    ],
    [t],
  )
  return (
    <DictSelect
      className="filter-one"
      label={label}
      placeholder={label}
      entries={entries}
      value={filters[name] ?? null}
      onChange={(value) => patch({ [name]: value as string | null })}
    />
  )
}

function ReferenceFilter({ entity, name, label, filters, patch }: FilterProps) {
  const field = entity.fields[name]!
  const parents = parentsOf(entity, field, name).filter((parent) => filters[parent])
  const within = Object.fromEntries(parents.map((parent) => [parent, filters[parent]!]))
  const children = entity.search.filter((other) => parentsOf(entity, entity.fields[other]!, other).includes(name))
  return (
    <ReferenceSelect
      className="filter-one"
      label={label}
      placeholder={label}
      to={field.to!}
      within={within}
      // Several at once come from a view, and are told by the chips.
      value={filters[name]?.includes(',') ? null : (filters[name] ?? null)}
      // What was chosen within the old one does not belong to the new one.
      onChange={(value) =>
        patch({ ...Object.fromEntries(children.map((child) => [child, null])), [name]: value as string | null })
      }
    />
  )
}

const RegionSelect = lazy(() => import('./region.tsx'))

function RegionFilter({ name, label, filters, patch }: FilterProps) {
  return (
    <Suspense fallback={<span className="filter-one" />}>
      <RegionSelect
        className="filter-one"
        label={label}
        placeholder={label}
        value={filters[name] ?? null}
        onChange={(value) => patch({ [name]: value })}
      />
    </Suspense>
  )
}

/** How each kind is filtered by; null where a list is not filtered by such a field. */
const controls: Record<Kind, ((props: FilterProps) => ReactNode) | null> = {
  text: TextFilter,
  area: TextFilter,
  integer: TextFilter,
  decimal: TextFilter,
  flag: FlagFilter,
  choice: DictFilter,
  choices: DictFilter,
  date: (props) => <RangeFilter {...props} kind="date" />,
  time: TextFilter,
  instant: (props) => <RangeFilter {...props} kind="instant" />,
  reference: ReferenceFilter,
  references: ReferenceFilter,
  region: RegionFilter,
  personal: TextFilter,
  secret: null,
  json: null,
}

/** The parameter of the quick text: the server's search over names and numbers, or else the first text filter. */
export function quickOf(entity: Entity): { key: string; fields: readonly string[] } | null {
  if (entity.find && entity.find.length > 0) return { key: 'keyword', fields: entity.find }
  const first = entity.search.find((name) => entity.fields[name]?.kind === 'text')
  return first === undefined ? null : { key: first, fields: [first] }
}

const enough = (text: string) => text === '' || /[⺀-鿿]/.test(text) || text.length >= 2

/** The quick text: what the list's search looks into, as one types. */
function QuickText({ entity, filters, steps }: Pick<BarProps, 'entity' | 'filters' | 'steps'>) {
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
      icon="search"
      label={label}
      value={filters[quick.key] ?? ''}
      enough={enough}
      onText={(text) => steps.filter({ [quick.key]: text })}
    />
  )
}

interface BarProps {
  readonly entity: Entity
  readonly filters: Readonly<Record<string, string>>
  readonly steps: Steps
  readonly dictionaries: Dictionaries
  /** Asks the server again although nothing changed. */
  readonly onQuery: () => void
  readonly inline: number
}

/** Filters at the lower edge of a small screen, where a thumb reaches them. */
function FilterSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useT()
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    sheet.current?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Esc does what a press beside the sheet does */}
      <div className="filter-shade" onClick={onClose} />
      <section
        ref={sheet}
        className="filter-sheet"
        role="dialog"
        tabIndex={-1}
        aria-label={t('entity.moreFilters')}
        onKeyDown={(event) => {
          const isList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true'
          if (event.key !== 'Escape' || isList) return
          event.stopPropagation()
          onClose()
        }}
      >
        {children}
      </section>
    </>
  )
}

/** The filters over a list: the quick text, the first few inline, the rest behind a button. */
export const FilterBar = memo(function FilterBar({ entity, filters, steps, dictionaries, onQuery, inline }: BarProps) {
  const t = useT()
  const words = useWords()
  const quick = quickOf(entity)
  const names = useMemo(() => {
    const own = entity.search.filter(
      (name) => !quick?.fields.includes(name) && controls[entity.fields[name]!.kind] !== null,
    )
    return entity.status && !own.includes('status') ? [...own, 'status'] : own
  }, [entity, quick])
  const hidden = names.slice(inline)
  const used = [...hidden, 'createTime'].some((name) =>
    Object.keys(filters).some((key) => key === name || key.startsWith(`${name}_`)),
  )
  const isSheet = inline === 0
  // What is in use is told by the chips: a sheet comes only when somebody asks for it.
  const [more, setMore] = useState(used && !isSheet)
  const one = (name: string) => {
    const field = entity.fields[name]
    const Control = field ? controls[field.kind]! : DictFilter
    return (
      <Control
        key={name}
        entity={entity}
        name={name}
        label={field ? words(field.label) : t('entity.status')}
        filters={filters}
        dictionaries={dictionaries}
        patch={steps.filter}
      />
    )
  }
  const rest = (
    <>
      {(more || inline >= 3) && (
        <RangeFilter
          name="createTime"
          label={t('entity.createTime')}
          filters={filters}
          patch={steps.filter}
          kind="instant"
        />
      )}
      {more && hidden.map(one)}
    </>
  )
  const query = () => {
    onQuery()
    if (isSheet) setMore(false)
  }
  const buttons = (
    <>
      <button type="button" className={isSheet ? 'button primary' : 'button'} onClick={query}>
        {t('entity.query')}
      </button>
      <button type="button" className="button" onClick={steps.reset}>
        {t('entity.reset')}
      </button>
    </>
  )
  return (
    <search className="filters" aria-label={t('entity.filters')}>
      <QuickText entity={entity} filters={filters} steps={steps} />
      {names.slice(0, inline).map(one)}
      {isSheet && more ? (
        <FilterSheet onClose={() => setMore(false)}>
          {rest}
          <span className="filters-buttons">{buttons}</span>
        </FilterSheet>
      ) : (
        rest
      )}
      <span className="filters-buttons">
        {!isSheet && buttons}
        {(hidden.length > 0 || inline < 3) && (
          <button
            type="button"
            className={isSheet ? 'button' : 'button plain'}
            aria-expanded={more}
            onClick={() => setMore(!more)}
          >
            {t('entity.moreFilters')}
            <Icon name={more ? 'chevron-up' : 'chevron-down'} size={16} />
          </button>
        )}
      </span>
    </search>
  )
})
