import type { Entity, Field } from '@data-brain/contract'
import { entityOf, titledWith } from '@data-brain/contract'
import type { SelectProps } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useClearing } from '../../ui/form/clearing.tsx'
import type { InputTies } from '../../ui/form/field.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import type { Choice, DictEntry } from '../data/calls.ts'
import { LOADING_DICTIONARY, useChoices } from '../data/client.ts'
import { entryText, inSentence } from '../display/cell.tsx'
import '../form/form-words.ts'

/** `defaultOpen`: it stands where somebody has just asked for it. */
type Standing = Pick<SelectProps, 'placeholder' | 'disabled' | 'className' | 'defaultOpen' | 'onBlur'>

interface Common extends Partial<InputTies>, Standing {
  readonly label: string
}

/** Letters typed in a search wait this long for the next one. */
const PAUSE = 250

/** The only option that is called as it was typed. */
export function exactOf(typed: string, options: readonly { value: string; label: string }[]): string | undefined {
  const sought = typed.trim().toLowerCase()
  const [first, ...others] = options.filter(({ label }) => label.toLowerCase() === sought)
  return others.length === 0 ? first?.value : undefined
}

interface DictProps extends Common {
  readonly entries: readonly DictEntry[] | undefined
  readonly value: string | readonly string[] | null
  readonly multiple?: boolean
  readonly onChange: (value: string | string[] | null) => void
  /** Something was typed, and left without anything being chosen by it; besides being told. */
  readonly onMissed?: (typed: string) => void
  /** What was typed before it was left, where it is to be looked for once more. */
  readonly onBack?: () => string | undefined
}

/** Chooses from a dictionary. Sealed entries are not offered, but one that is chosen already keeps its name. */
export function DictSelect({ entries, value, multiple, onChange, onMissed, onBack, label, ...rest }: DictProps) {
  const t = useT()
  // Until they are there, nothing that is typed is wrong, and a list without any is not what there is to choose from.
  const isSettled = entries !== undefined && entries !== LOADING_DICTIONARY
  const language = useLanguage()
  const clearing = useClearing(label)
  const [typed, setTyped] = useState('')
  const chosen = useMemo(() => new Set(Array.isArray(value) ? value : [value]), [value])
  const all = useMemo(
    () =>
      (entries ?? [])
        .filter((entry) => !entry.isSealed || chosen.has(entry.dictKey))
        .map((entry) => ({
          value: entry.dictKey,
          label: entryText(entry, language),
          disabled: Boolean(entry.isSealed),
        })),
    [entries, language, chosen],
  )
  const [options, matches, exact] = useMemo(() => {
    const left = all.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
    const open = left.filter(({ disabled }) => !disabled)
    return [left, open.map(({ value }) => value), exactOf(typed, open)]
  }, [all, typed])
  return (
    <SearchSelect
      {...rest}
      aria-label={rest.id ? undefined : label}
      multiple={multiple}
      // What must be chosen is changed and not emptied; and its button would be one more stop of Tab.
      allowClear={!rest['aria-required'] && clearing}
      search={{
        ...{ typed, matches, exact, isSettled, onBack },
        onTyped: setTyped,
        onMissed: (text, several) => {
          toast.warning(t(several ? 'form.several' : 'form.notChosen', { text, label }))
          onMissed?.(text)
        },
      }}
      isSearched={all.length > 8 || multiple === true}
      options={options}
      value={value}
      loading={!isSettled}
      onChange={onChange}
    />
  )
}

interface ReferenceProps extends Common {
  readonly to: string
  readonly value: string | readonly string[] | null
  /** Names of the chosen rows that are known already. */
  readonly names?: Readonly<Record<string, string>>
  /** How many may be chosen; one without it. */
  readonly most?: number | undefined
  readonly scope?: ChoiceScope
  /** Makes what is missing, by the name that was typed; offered after all others. */
  readonly onNew?: ((typed: string) => void) | undefined
  readonly onChange: (value: string | string[] | null) => void
}

/** Which rows are offered. */
interface ChoiceScope {
  /** Values of the target's own references: only rows with these are offered. */
  readonly within?: Readonly<Record<string, string>>
  /** What it is narrowed by only for as long as something is found within; `onWide` says that it was let go. */
  readonly loose?: readonly string[]
  readonly onWide?: () => void
  /** Something was typed, and left without any of them being chosen by it; besides being told. */
  readonly onMissed?: (typed: string) => void
  /** What was typed before it was left, where it is to be looked for once more. */
  readonly onBack?: () => string | undefined
  /** Where they are chosen from, where that is not the list of the target: what narrows them says there what they are for. */
  readonly path?: string
  /** The row whose own come first: of people those of a school. */
  readonly near?: string
  /** A row that is not offered, such as the one that another is chosen for. */
  readonly without?: string
}

const ANY: ChoiceScope = {}

/** Whether rows of an entity are told apart by more than their title. */
const isTold = (entity: Entity): boolean =>
  entity.beside !== undefined || entity.fields[entity.title]?.kind === 'reference'

/** The option that makes a row, among those that are rows. */
const MAKE = 'make'

/** A row's title, and in grey what stands beside it; read as one sentence. */
function Titled({ name, beside }: { name: string; beside: readonly string[] }) {
  const t = useT()
  return (
    <span className="titled">
      <span>{name}</span>
      {beside.map((text) => (
        <span key={text} className="muted">
          <span className="sr-only">{t('entity.separator')}</span> {text}
        </span>
      ))}
    </span>
  )
}

interface Sought extends Pick<ChoiceScope, 'within' | 'loose' | 'near'> {
  readonly path: string
  readonly keyword: string
  readonly opened: boolean
}

/** The rows that were looked for: within what narrows the choice, or, where there are none, within what always does. */
function useFound(to: string, { path, keyword, within = {}, loose = [], near, opened }: Sought) {
  const first = near ? { near } : {}
  const narrow = useChoices(to, path, { keyword, ...within, ...first }, opened)
  const rest = Object.fromEntries(Object.entries(within).filter(([name]) => !loose.includes(name)))
  const isNone = narrow.data?.length === 0 && !narrow.isPlaceholderData
  const isWide = isNone && keyword !== '' && Object.keys(rest).length < Object.keys(within).length
  const wide = useChoices(to, path, { keyword, ...rest, ...first }, opened && isWide)
  return { ...(isWide ? wide : narrow), isWide }
}

/** Chooses rows of another entity by typing a part of their names. */
export function ReferenceSelect(props: ReferenceProps) {
  const { to, value, names, most, scope = ANY, onNew, onChange, label, ...rest } = props
  const { within, loose, near, onWide, onMissed, onBack, without } = scope
  const multiple = most !== undefined
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const target = entityOf(to)
  const path = scope.path ?? target.path
  const clearing = useClearing(label)
  const [opened, setOpened] = useState(rest.defaultOpen === true)
  const [typed, setTyped] = useState('')
  const [keyword, setKeyword] = useState('')
  // Nobody waits for the next letter of a text that was taken back.
  useEffect(() => {
    if (typed.trim() === '') return setKeyword('')
    const timer = setTimeout(() => setKeyword(typed.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  const ids = useMemo(() => (Array.isArray(value) ? value : value ? [value as string] : []), [value])
  // The name alone is known; of what is told apart by more, that is asked for too.
  const unknown = isTold(target) ? ids : ids.filter((id) => !names?.[id])
  const named = useChoices(to, path, { ids: unknown, ...(scope.path ? within : {}) }, unknown.length > 0)
  const found = useFound(to, { path, keyword, within, loose, near, opened })
  const canMake = onNew !== undefined
  const isSettled =
    typed.trim() === keyword && (found.isError || (found.data !== undefined && !found.isPlaceholderData))
  const [matches, exact] = useMemo(() => {
    const left = (found.data ?? []).filter(({ id }) => id !== without)
    return [
      left.map(({ id }) => id),
      exactOf(
        typed,
        left.map(({ id, name }) => ({ value: id, label: name })),
      ),
    ]
  }, [found.data, without, typed])
  const options = useMemo(() => {
    const all = new Map<string, Pick<Choice, 'name' | 'beside'>>()
    for (const choice of found.data ?? []) if (choice.id !== without) all.set(choice.id, choice)
    // While somebody searches, what is chosen is no answer.
    if (keyword === '') {
      for (const choice of named.data ?? []) if (ids.includes(choice.id)) all.set(choice.id, choice)
      for (const id of ids) if (!all.has(id)) all.set(id, { name: names?.[id] ?? '…' })
    }
    const rows = [...all].map(([id, { name, beside = [] }]) => ({
      value: id,
      title: titledWith(name, beside, language),
      label: beside.length === 0 ? name : <Titled name={name} beside={beside} />,
    }))
    // Not before it is known what there is: the rows would push it away under the pointer.
    if (!canMake || !isSettled) return rows
    const title = t('form.make', { label: inSentence(pick(target.label), language) })
    return [...rows, { value: MAKE, title, label: title }]
  }, [found.data, named.data, names, ids, without, keyword, isSettled, language, canMake, target, t, pick])
  return (
    <SearchSelect
      {...rest}
      aria-label={rest.id ? undefined : label}
      multiple={multiple}
      maxCount={most === Number.POSITIVE_INFINITY ? undefined : most}
      allowClear={!rest['aria-required'] && clearing}
      search={{
        ...{ typed, matches, exact, isSettled, onBack },
        onTyped: setTyped,
        onHurry: () => setKeyword(typed.trim()),
        onMissed: (text, several) => {
          toast.warning(t(several ? 'form.several' : 'form.notChosen', { text, label }))
          onMissed?.(text)
        },
      }}
      options={options}
      // Nothing is a value as well: the option that makes a row is never the one that is shown.
      value={value}
      loading={found.isFetching}
      notFoundContent={
        found.isFetching ? t('entity.searching') : found.isError ? t('entity.notLoaded') : t('entity.noMatch')
      }
      onOpenChange={(open) => open && setOpened(true)}
      onChange={(next) => {
        if (next === MAKE) return onNew?.(typed.trim())
        onChange(next)
        if (found.isWide && found.data?.some(({ id }) => id === next)) onWide?.()
      }}
    />
  )
}

/** The reference of a row that brings choices for another one of its references to the front; undefined where none does. */
export function nearOf(entity: Entity, field: Field, name: string): string | undefined {
  const near = field.to ? entityOf(field.to).near : undefined
  if (near === undefined || near === field.to) return undefined
  return Object.keys(entity.fields).find(
    (other) => other !== name && entity.fields[other]?.kind === 'reference' && entity.fields[other].to === near,
  )
}

/**
 * The references of a row that narrow the choice for one of its references: those the target has under the same name,
 * and those it says itself. A class is chosen within the school and the grade that the form has, a grade within the
 * stages of the school.
 */
export function parentsOf(entity: Entity, field: Field, name: string): string[] {
  if (!field.to || field.to === entity.name) return []
  const target = entityOf(field.to)
  const own = Object.keys(target.fields).filter((other) => target.fields[other]?.kind === 'reference')
  return [...own, ...(target.choiceWithin ?? [])].filter(
    (other) => other !== name && entity.fields[other]?.kind === 'reference',
  )
}
