import { type Entity, entityOf, type Nature, natureOf, stamps } from '@data-brain/contract'
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { TextInput } from '../../ui/form/text-input.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { prefetch } from '../../ui/prefetch.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { Choice } from '../data/calls.ts'
import { type Dictionaries, useChoices } from '../data/client.ts'
import { entryText } from '../display/cell.tsx'
import { walkByArrows } from '../fields/arrow-keys.ts'
import { exactOf, parentsOf } from '../fields/select.tsx'
import { type Filters, kindOf, type Patch, systemKinds, withoutFilter } from './filter-fields.ts'
import { SearchText } from './search-text.tsx'

export interface ValueProps {
  readonly entity: Entity
  readonly name: string
  readonly label: string
  readonly filters: Filters
  readonly dictionaries: Dictionaries
  readonly patch: Patch
}

const loadRange = () => import('./filter-range.tsx')
/** Fetches the boxes of a range before a field is chosen that has them. */
export const rangeAhead = (): void => prefetch(loadRange)
const Range = lazyPart(loadRange)
const RegionSelect = lazyPart(() => import('../fields/region-select.tsx'))

/** A list of few values needs no search. */
const FEW = 8

/** The field is filtered by this and by nothing else of its own. */
const put = ({ filters, name, patch }: ValueProps, next: Record<string, string | null>) =>
  patch({ ...withoutFilter(filters, name), ...next })

interface OptionsProps {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly beside?: readonly string[] }[]
  readonly chosen: readonly string[]
  /** One at a time, as of yes and no. */
  readonly single?: boolean
  readonly onChange: (values: readonly string[]) => void
}

/** Values to tick; each applies at once. */
function Options({ label, options, chosen, single, onChange }: OptionsProps) {
  const group = useId()
  const root = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    // Only where nothing is typed before it.
    const first = root.current?.closest('.pick')?.querySelector('input')
    if (first && root.current?.contains(first)) first.focus({ preventScroll: true })
  }, [])
  return (
    <fieldset ref={root} aria-label={label}>
      {options.map((option) => {
        const on = chosen.includes(option.value)
        return (
          <label key={option.value} className="pick-one">
            <input
              type={single ? 'radio' : 'checkbox'}
              name={group}
              data-option={option.value}
              checked={on}
              onChange={() =>
                onChange(
                  single
                    ? [option.value]
                    : on
                      ? chosen.filter((one) => one !== option.value)
                      : [...chosen, option.value],
                )
              }
            />
            <span>
              {option.label}
              {/* What tells rows of one name apart. */}
              {option.beside?.map((text) => (
                <small key={text} className="muted">
                  {' '}
                  {text}
                </small>
              ))}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

const listed = (value: string | undefined): readonly string[] => value?.split(',').filter(Boolean) ?? []

/** Keys of a dictionary. */
function DictValues(props: ValueProps) {
  const { entity, name, label, filters, dictionaries } = props
  const language = useLanguage()
  const t = useT()
  const [text, setText] = useState('')
  const chosen = listed(filters[name])
  const entries = (dictionaries[entity.fields[name]?.dict ?? entity.status?.dict ?? ''] ?? []).map((entry) => ({
    value: entry.dictKey,
    label: entryText(entry, language),
    isSealed: Boolean(entry.isSealed),
  }))
  const wanted = text.trim().toLowerCase()
  const options = entries.filter(
    (entry) => (!entry.isSealed || chosen.includes(entry.value)) && entry.label.toLowerCase().includes(wanted),
  )
  return (
    <>
      {entries.length > FEW && <Find label={t('entity.filterSearch', { label })} text={text} onText={setText} />}
      <Options
        label={label}
        options={options}
        chosen={chosen}
        onChange={(values) => put(props, { [name]: values.join(',') || null })}
      />
    </>
  )
}

interface FindProps {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onEnter?: () => void
}

function Find({ label, text, onText, onEnter }: FindProps) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => root.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  return (
    <div ref={root}>
      <TextInput
        className="pick-search"
        icon="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onClear={() => onText('')}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && onEnter?.()}
      />
    </div>
  )
}

function FlagValues(props: ValueProps) {
  const t = useT()
  const { name, label, filters } = props
  return (
    <Options
      single
      label={label}
      options={[
        { value: '1', label: t('entity.yes') },
        { value: '0', label: t('entity.no') },
      ]}
      chosen={listed(filters[name])}
      onChange={([value]) => put(props, { [name]: value ?? null })}
    />
  )
}

/** Milliseconds without a key after which rows are looked for. */
const PAUSE = 250

/** Rows of another entity, found by a part of their names. */
function ReferenceValues(props: ValueProps) {
  const { entity, name, label, filters, patch } = props
  const t = useT()
  const [text, setText] = useState('')
  const [keyword, setKeyword] = useState('')
  /** Enter takes what is meant, also where the answer is still on its way; of several the keyboard goes to the first. */
  const [waits, setWaits] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(text.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const field = entity.fields[name]
  const target = entityOf(field?.to ?? stamps.createUser)
  const parents = field ? parentsOf(entity, field, name).filter((parent) => filters[parent]) : []
  // Where several are chosen above, all of their rows are offered.
  const within = Object.fromEntries(
    parents.filter((parent) => !filters[parent]!.includes(',')).map((parent) => [parent, filters[parent]!]),
  )
  const chosen = listed(filters[name])
  const found = useChoices(target.name, target.path, { keyword, ...within }, true)
  const named = useChoices(target.name, target.path, { ids: chosen }, chosen.length > 0)
  const rows = new Map((named.data ?? []).filter(({ id }) => chosen.includes(id)).map((choice) => [choice.id, choice]))
  for (const choice of found.data ?? []) rows.set(choice.id, choice)
  const children = Object.keys(entity.fields).filter(
    (other) => filters[other] && parentsOf(entity, entity.fields[other]!, other).includes(name),
  )
  const choose = (values: readonly string[]) =>
    // What was chosen within the old one does not belong to the new one.
    patch({
      ...withoutFilter(filters, name),
      ...Object.fromEntries(children.map((child) => [child, null])),
      [name]: values.join(',') || null,
    })
  const take = (choices: readonly Choice[]) => {
    const [first, ...others] = choices
    const exact = exactOf(
      text,
      choices.map(({ id, name: label }) => ({ value: id, label })),
    )
    const meant = exact ?? (others.length === 0 ? first?.id : undefined)
    if (meant === undefined) return document.querySelector<HTMLElement>(`[data-option="${first?.id}"]`)?.focus()
    if (!chosen.includes(meant)) choose([...chosen, meant])
  }
  const isSettled = keyword === text.trim() && found.data !== undefined && !found.isPlaceholderData
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    if (!waits || !isSettled) return
    setWaits(false)
    latest.current(found.data ?? [])
  }, [waits, isSettled, found.data])
  const enter = () => {
    if (text.trim() === '') return
    setKeyword(text.trim())
    setWaits(true)
  }
  return (
    <>
      <Find label={t('entity.filterSearch', { label })} text={text} onText={setText} onEnter={enter} />
      {found.data?.length === 0 && <p className="muted">{t('entity.noMatch')}</p>}
      <Options
        label={label}
        options={[...rows.values()].map(({ id, name, beside = [] }) => ({ value: id, label: name, beside }))}
        chosen={chosen}
        onChange={choose}
      />
    </>
  )
}

/** A part of a text; of a number of a person the whole, or its last four. */
function TextValues(props: ValueProps) {
  const { entity, name, label, filters } = props
  const t = useT()
  const isPersonal = entity.fields[name]?.kind === 'personal'
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => root.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  return (
    <div ref={root}>
      <SearchText
        className="pick-search"
        label={t(isPersonal ? 'entity.filterWhole' : 'entity.filterPart', { label })}
        value={filters[name] ?? ''}
        // Half a number finds nobody.
        enough={isPersonal ? (typed) => typed === '' || typed.length === 4 || typed.length > 6 : undefined}
        onText={(text) => put(props, { [name]: text })}
      />
    </div>
  )
}

/** A number from, and one to; each by itself too. */
function NumberValues(props: ValueProps) {
  const { name, label, filters } = props
  const t = useT()
  const [from, to] = [`${name}_ge`, `${name}_le`]
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => root.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  const box = (param: string, words: string) => (
    <input
      type="number"
      className="input"
      aria-label={words}
      placeholder={words}
      // An exact number comes from a link: it is both ends.
      defaultValue={filters[param] ?? filters[name] ?? ''}
      onBlur={(event) => {
        const value = event.target.value
        if (value === (filters[param] ?? '')) return
        const other = param === from ? to : from
        put(props, { [other]: filters[other] ?? null, [param]: value === '' ? null : value })
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
  return (
    <div className="pick-numbers" ref={root}>
      {box(from, t('entity.least', { label }))}
      <span aria-hidden="true">–</span>
      {box(to, t('entity.most', { label }))}
    </div>
  )
}

function RangeValues(props: ValueProps) {
  const { name, label, filters, patch } = props
  const kind = kindOf(props.entity, name) === 'date' ? 'date' : 'instant'
  return (
    <Suspense fallback={null}>
      <Range
        name={name}
        label={label}
        filters={filters}
        kind={kind}
        past={props.entity.fields[name]?.past}
        opened
        // Dates, and not “empty” beside them.
        patch={(next) => patch({ [`${name}_null`]: null, [`${name}_notnull`]: null, ...next })}
      />
    </Suspense>
  )
}

function RegionValues(props: ValueProps) {
  const { name, label, filters } = props
  return (
    <Suspense fallback={null}>
      <RegionSelect
        className="ff-full"
        label={label}
        placeholder={label}
        value={filters[`${name}_below`] ?? filters[name] ?? null}
        onChange={(value) => put(props, { [`${name}_below`]: value })}
      />
    </Suspense>
  )
}

/** Rows that have some of what may belong to them, and rows that have none. */
function BelongingValues(props: ValueProps) {
  const t = useT()
  const { name, label, filters } = props
  const [none, some] = [`${name}_null`, `${name}_notnull`]
  return (
    <Options
      single
      label={label}
      options={[
        { value: none, label: t('entity.none') },
        { value: some, label: t('entity.some') },
      ]}
      chosen={Object.keys(filters).filter((param) => param === none || param === some)}
      onChange={([param]) => put(props, param ? { [param]: '1' } : {})}
    />
  )
}

/** How values of each nature are filtered by; null where a list is not filtered by such a field. */
const editors: Record<Nature | 'belonging', ((props: ValueProps) => ReactNode) | null> = {
  text: TextValues,
  number: NumberValues,
  flag: FlagValues,
  key: DictValues,
  keys: DictValues,
  day: RangeValues,
  moment: RangeValues,
  row: ReferenceValues,
  rows: ReferenceValues,
  region: RegionValues,
  personal: TextValues,
  belonging: BelongingValues,
  secret: null,
  json: null,
}

/** The values of one field, and whether it has any; what is chosen applies at once. */
export function ValueEditor(props: ValueProps) {
  const t = useT()
  const { entity, name, label, filters } = props
  const kind = kindOf(entity, name)
  const Editor = kind && editors[kind === 'belonging' ? kind : natureOf(kind)]
  if (!Editor) return null
  // Nobody looks for a photo by the name of its file: there is one, or none.
  const to = entity.fields[name]?.to
  const isFile = to !== undefined && entityOf(to).isFile === true
  const [none, some] = [`${name}_null`, `${name}_notnull`]
  const mayLack = kind !== 'belonging' && name !== 'status' && !entity.fields[name]?.required && !systemKinds[name]
  const ways = [
    { value: none, label: t('entity.empty') },
    { value: some, label: t('entity.set') },
  ]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows are heard for the search and the values alike
    <div className="pick" onKeyDown={walkByArrows}>
      {!(isFile && mayLack) && <Editor {...props} />}
      {mayLack && (
        <div className="pick-lack">
          <Options
            label={t('entity.filterLack', { label })}
            options={ways}
            chosen={Object.keys(filters).filter((param) => param === none || param === some)}
            onChange={(values) => {
              const last = values.at(-1)
              put(props, last ? { [last]: '1' } : {})
            }}
          />
        </div>
      )}
    </div>
  )
}
