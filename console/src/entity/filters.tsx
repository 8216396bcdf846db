import type { Entity, Kind } from '@data-brain/contract'
import { DatePicker, Input } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { type ComponentProps, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useLanguage, useT, useWords } from '../ui/words.ts'
import { inSentence } from './cell.tsx'
import { DictSelect, parentsOf, ReferenceSelect } from './choose.tsx'
import type { Dictionaries } from './client.ts'
import { RegionSelect } from './region.tsx'
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

const day = 'YYYY-MM-DD'
const instant = 'YYYY-MM-DD HH:mm:ss'

/** The server's two parameters of a range: days include both ends, instants are strictly between (R-LIST-2). */
function boundsOf(name: string, kind: 'date' | 'instant'): readonly [string, string] {
  return kind === 'date' ? [`${name}_datege`, `${name}_datele`] : [`${name}_dategt`, `${name}_datelt`]
}

type RangeValue = ComponentProps<typeof DatePicker.RangePicker>['value']

interface RangeProps extends Omit<FilterProps, 'entity' | 'dictionaries'> {
  readonly kind: 'date' | 'instant'
}

/** A range of days, or of instants from the first moment of one day to the last of another. */
export function RangeFilter({ name, label, filters, patch, kind }: RangeProps) {
  const t = useT()
  const [from, to] = boundsOf(name, kind)
  const [begin, end] = [filters[from], filters[to]]
  const value: RangeValue = begin || end ? [begin ? dayjs(begin) : null, end ? dayjs(end) : null] : null
  const presets = useMemo(() => {
    const now = dayjs()
    const week = now.startOf('day').subtract((now.day() + 6) % 7, 'day')
    return [
      { label: t('entity.today'), value: [now.startOf('day'), now.endOf('day')] as [Dayjs, Dayjs] },
      { label: t('entity.thisWeek'), value: [week, week.add(6, 'day').endOf('day')] as [Dayjs, Dayjs] },
      { label: t('entity.thisMonth'), value: [now.startOf('month'), now.endOf('month')] as [Dayjs, Dayjs] },
      { label: t('entity.thisYear'), value: [now.startOf('year'), now.endOf('year')] as [Dayjs, Dayjs] },
    ]
  }, [t])
  const write = (moment: Dayjs | null | undefined, edge: 'startOf' | 'endOf') =>
    moment ? (kind === 'date' ? moment.format(day) : moment[edge]('day').format(instant)) : null
  return (
    <DatePicker.RangePicker
      className="filter-range"
      aria-label={label}
      value={value}
      allowEmpty={[true, true]}
      placeholder={[t('entity.from', { label }), t('entity.to', { label })]}
      presets={presets}
      onChange={(range) => patch({ [from]: write(range?.[0], 'startOf'), [to]: write(range?.[1], 'endOf') })}
    />
  )
}

/** A text that is asked for when Enter is pressed or the field is left. */
function TextFilter({ name, label, filters, patch }: FilterProps) {
  const [text, setText] = useState(filters[name] ?? '')
  useEffect(() => setText(filters[name] ?? ''), [filters, name])
  const send = () => patch({ [name]: text.trim() || null })
  return (
    <Input
      className="filter-one"
      aria-label={label}
      placeholder={label}
      value={text}
      allowClear
      onChange={(event) => {
        setText(event.target.value)
        if (event.target.value === '') patch({ [name]: null })
      }}
      onBlur={send}
      onPressEnter={(event) => {
        if (!event.nativeEvent.isComposing) send()
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
      value={filters[name] ?? null}
      // What was chosen within the old one does not belong to the new one.
      onChange={(value) =>
        patch({ ...Object.fromEntries(children.map((child) => [child, null])), [name]: value as string | null })
      }
    />
  )
}

function RegionFilter({ name, label, filters, patch }: FilterProps) {
  return (
    <RegionSelect
      className="filter-one"
      label={label}
      placeholder={label}
      value={filters[name] ?? null}
      onChange={(value) => patch({ [name]: value })}
    />
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
  json: null,
}

/** The parameter of the quick text: the server's search over names and numbers, or else the first text filter. */
export function quickOf(entity: Entity): { key: string; fields: readonly string[] } | null {
  if (entity.find && entity.find.length > 0) return { key: 'keyword', fields: entity.find }
  const first = entity.search.find((name) => entity.fields[name]?.kind === 'text')
  return first === undefined ? null : { key: first, fields: [first] }
}

const PAUSE = 250
const enough = (text: string) => text === '' || /[⺀-鿿]/.test(text) || text.length >= 2

/** The quick text: searches as one types, never in the middle of a composition. */
function QuickText({ entity, filters, steps }: Pick<BarProps, 'entity' | 'filters' | 'steps'>) {
  const t = useT()
  const words = useWords()
  const language = useLanguage()
  const quick = quickOf(entity)
  const key = quick?.key ?? 'keyword'
  const shown = filters[key] ?? ''
  const [text, setText] = useState(shown)
  const sent = useRef(shown)
  const composing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // Somebody else changed the address: reset, Back, a link.
    if (shown === sent.current) return
    sent.current = shown
    setText(shown)
  }, [shown])
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!quick) return null
  const send = (value: string) => {
    clearTimeout(timer.current)
    const wanted = value.trim()
    if (wanted === sent.current) return
    sent.current = wanted
    steps.filter({ [key]: wanted || null })
  }
  const later = (value: string) => {
    clearTimeout(timer.current)
    if (composing.current || !enough(value.trim())) return
    timer.current = setTimeout(() => send(value), PAUSE)
  }
  const label = t('entity.quick', {
    fields: quick.fields
      .filter((name) => !['namePinyin', 'formerName', 'nameEn'].includes(name))
      .slice(0, 3)
      .map((name) => inSentence(words(entity.fields[name]!.label), language))
      .join(t('entity.separator')),
  })
  return (
    <Input
      className="filter-quick"
      data-quick=""
      aria-label={label}
      placeholder={label}
      prefix={<Icon name="search" size={16} />}
      value={text}
      allowClear
      onCompositionStart={() => {
        composing.current = true
        clearTimeout(timer.current)
      }}
      onCompositionEnd={(event) => {
        composing.current = false
        later(event.currentTarget.value)
      }}
      onChange={(event) => {
        setText(event.target.value)
        if (event.target.value === '') send('')
        else later(event.target.value)
      }}
      onPressEnter={(event) => {
        if (!event.nativeEvent.isComposing && event.keyCode !== 229) send(event.currentTarget.value)
      }}
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
  const [more, setMore] = useState(used)
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
  return (
    <search className="filters" aria-label={t('entity.filters')}>
      <QuickText entity={entity} filters={filters} steps={steps} />
      {names.slice(0, inline).map(one)}
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
      <span className="filters-buttons">
        <button type="button" className="button" onClick={onQuery}>
          {t('entity.query')}
        </button>
        <button type="button" className="button" onClick={steps.reset}>
          {t('entity.reset')}
        </button>
        {(hidden.length > 0 || inline < 3) && (
          <button type="button" className="button plain" aria-expanded={more} onClick={() => setMore(!more)}>
            {t('entity.moreFilters')}
            <Icon name={more ? 'chevron-up' : 'chevron-down'} size={16} />
          </button>
        )}
      </span>
    </search>
  )
})
