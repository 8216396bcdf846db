import { type Entity, entityOf, type Words } from '@data-brain/contract'
import { type ReactNode, useCallback, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { FieldGroup } from '../../ui/form/field.tsx'
import { type FormStore, sameValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useT, useWords } from '../../ui/words.ts'
import { type CellWords, dictText, textOf } from '../display/cell.tsx'
import { fieldsOf } from './draft.ts'
import type { FormParts } from './form-fields.tsx'

/** A part of a form: fields that stand there, fields that their default is enough for, and whether it begins folded. */
export interface Section {
  readonly label?: Words
  readonly fields: readonly string[]
  readonly defaults: readonly string[]
  readonly folded: boolean
  /** A picture, which stands beside the others. */
  readonly picture?: string
}

/** Defaults so few are shown like other fields. */
const FEW = 2
/** As many fields are named in the line of what is folded. */
const NAMED = 3

/** The order of rows is nobody's business where they have another one. */
const isTechnical = (entity: Entity, name: string): boolean =>
  name === 'sort' && entity.sort.replace(/^-/, '') !== 'sort' && !entity.fields.sort?.required

/** As many fields stand in one column. */
const SMALL = 8

/** A form of few fields, which stand under each other. */
export function isSmall(entity: Entity): boolean {
  const names = fieldsOf(entity).filter((name) => !isTechnical(entity, name))
  return names.length <= SMALL && !names.some((name) => entity.fields[name]?.kind === 'json')
}

/** The parts of a form, from the definition: its groups, what may be folded, what a default is enough for. */
export function sectionsOf(entity: Entity, parts: FormParts | undefined, isNew: boolean): Section[] {
  const names = fieldsOf(entity).filter((name) => !isTechnical(entity, name))
  const groups = entity.groups ?? []
  const claimed = new Set<string>(groups.flatMap((group) => group.fields))
  const loose = names.filter((name) => !claimed.has(name) && name !== 'status')
  const all: { label?: Words; folded?: boolean; fields: readonly string[] }[] = [
    ...(loose.length > 0 || groups.length === 0 ? [{ fields: loose }] : []),
    ...groups.map((group) => ({ ...group, fields: group.fields.filter((name) => names.includes(name)) })),
  ].filter(({ fields }) => fields.length > 0)
  // Who or what it is comes first.
  const named =
    entity.fields[entity.title]?.kind === 'text' ? all.findIndex(({ fields }) => fields.includes(entity.title)) : -1
  const first = all[named]
  if (first) all[named] = { ...first, fields: [entity.title, ...first.fields.filter((name) => name !== entity.title)] }
  // The status stands with what it is a status of: where the form has the most defaults, or else first.
  // The first of a pair stands within its box.
  const paired = (name: string): boolean => entity.pairs?.some(({ fields }) => fields[0] === name) === true
  const mayDefault = (name: string): boolean => {
    const field = entity.fields[name]
    if (paired(name)) return false
    const isOwn = parts?.inputs?.[name] || parts?.seen?.by === name || parts?.begin?.[name] !== undefined
    const decides =
      Object.values(parts?.shown ?? {}).some(({ by }) => by === name) || parts?.shown?.[name] !== undefined
    if (!isNew || isOwn || decides) return false
    return field ? field.default !== undefined && ['choice', 'flag', 'integer'].includes(field.kind) : name === 'status'
  }
  const isOpen = (fields: readonly string[]): boolean =>
    fields.some((name) => {
      const field = entity.fields[name]
      if (field === undefined) return false
      // What a page has an input of its own for is what its form is about.
      const isOwn = parts?.inputs?.[name] !== undefined || parts?.shown?.[name] !== undefined
      return isOwn || (field.required && field.default === undefined) || entity.list.includes(name)
    })
  const made = all.map((group, at) => ({ ...group, folded: group.folded ?? (at > 0 && !isOpen(group.fields)) }))
  const open = made.filter(({ folded }) => !folded)
  const count = ({ fields }: { fields: readonly string[] }) => fields.filter(mayDefault).length
  const home = open.reduce((best, one) => (count(one) > count(best) ? one : best), open[0] ?? made[0]!)
  return made.map((group) => {
    const fields =
      group === home && names.includes('status') && !claimed.has('status') ? [...group.fields, 'status'] : group.fields
    const defaults = group.folded ? [] : fields.filter(mayDefault)
    const picture = group.folded ? undefined : fields.find((name) => isPicture(entity, name))
    const kept = defaults.length < FEW ? [] : defaults
    return {
      ...(group.label ? { label: group.label } : {}),
      fields: fields.filter((name) => !kept.includes(name) && name !== picture && !paired(name)),
      defaults: kept,
      folded: group.folded,
      ...(picture ? { picture } : {}),
    }
  })
}

const isPicture = ({ fields }: Entity, name: string): boolean =>
  fields[name]?.kind === 'reference' && !fields[name].workbook && entityOf(fields[name].to!).isFile === true

/** The fields that stand there, with those that share a box with one. */
const withPairs = (entity: Entity, fields: readonly string[]): string[] =>
  fields.flatMap((name) => entity.pairs?.find((pair) => pair.fields[1] === name)?.fields ?? [name])

interface SectionProps {
  readonly section: Section
  readonly label: string | undefined
  readonly entity: Entity
  readonly form: FormStore
  readonly words: CellWords
  readonly one: (name: string) => ReactNode
}

/** What is known of some fields, as one text: who watches it draws again only when it says something else. */
export function useTold(form: FormStore, told: () => string): string {
  const watch = useCallback((tell: () => void) => form.watchAll(tell), [form])
  return useSyncExternalStore(watch, told)
}

/** A part of a form under its heading, folded or not; what is wrong in it opens it. */
export function FormSection({ section, label, entity, form, words, one }: SectionProps) {
  const { t } = words
  const pick = useWords()
  const id = useId()
  const [open, setOpen] = useState(!section.folded)
  const { fields, picture } = section
  const all = withPairs(entity, fields)
  const state = useTold(form, () => {
    const count = fields.filter((name) => !sameValue(form.value(name), null)).length
    const changed = form.changed().some((name) => all.includes(name))
    const wrong = all.some((name) => form.wrong(name) !== null)
    return `${count},${wrong || changed ? 1 : 0}`
  })
  const [count, forced] = state.split(',')
  const isOpen = open || forced === '1'
  const body = (
    <>
      {fields.map(one)}
      {section.defaults.length > 0 && (
        <Defaults names={section.defaults} entity={entity} form={form} words={words} one={one} />
      )}
    </>
  )
  if (!section.folded)
    return (
      <FieldGroup {...(label ? { label } : {})} picture={picture && one(picture)}>
        {body}
      </FieldGroup>
    )
  const names = fields.map((name) => (name === 'status' ? t('entity.status') : pick(entity.fields[name]!.label)))
  return (
    <div className="ff-fold">
      <h3>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={16} />
          <span>{label}</span>
          {!isOpen && (
            <small>
              {t(names.length > NAMED ? 'form.foldedMore' : 'form.folded', {
                names: names.slice(0, NAMED).join(t('entity.separator')),
                count: names.length,
              })}
              {Number(count) > 0 && t('form.foldedFilled', { count: count! })}
            </small>
          )}
        </button>
      </h3>
      <div id={id} className="ff-grid" hidden={!isOpen}>
        {isOpen && body}
      </div>
    </div>
  )
}

interface DefaultsProps extends Omit<SectionProps, 'section' | 'label'> {
  readonly names: readonly string[]
}

/** What a default is enough for, in one line; a value that somebody gave, or that is wrong, stands as a field. */
function Defaults({ names, entity, form, words, one }: DefaultsProps) {
  const t = useT()
  const pick = useWords()
  const [open, setOpen] = useState(false)
  const isLoose = (name: string): boolean => form.wrong(name) !== null || form.changed().includes(name)
  const say = (name: string): string => {
    const field = entity.fields[name]
    const value = form.value(name)
    if (!field) return dictText(words, entity.status?.dict, value)
    const text = textOf(field, value, words)
    return field.kind === 'choice' ? text : t('entity.chip', { label: pick(field.label), value: text })
  }
  // The words too: a form may begin after it has been drawn.
  useTold(form, () => names.map((name) => (isLoose(name) ? name : `${name}=${say(name)}`)).join('\n'))
  if (open) return names.map(one)
  const kept = names.filter((name) => !isLoose(name))
  return (
    <>
      {names.filter(isLoose).map(one)}
      {kept.length > 0 && (
        <div className="ff-defaults ff-wide">
          <span>{t('form.defaults')}</span>
          <ul>
            {kept.map((name) => (
              <li key={name}>{say(name)}</li>
            ))}
          </ul>
          <button type="button" className="button plain" onClick={() => setOpen(true)}>
            {t('form.defaultsChange')}
          </button>
        </div>
      )}
    </>
  )
}

interface ErrorsProps {
  readonly entity: Entity
  readonly form: FormStore
  readonly onGo: (name: string) => void
}

/** What still has to be put right, counted, each with the way to it; kept up to date while that is done. */
export function FormErrors({ entity, form, onGo }: ErrorsProps) {
  const t = useT()
  const pick = useWords()
  // In the order in which they stand.
  const order = useMemo(() => {
    const groups = sectionsOf(entity, undefined, false).flatMap(({ fields, picture }) => [
      ...withPairs(entity, fields),
      picture ?? '',
    ])
    return fieldsOf(entity).toSorted((a, b) => groups.indexOf(a) - groups.indexOf(b))
  }, [entity])
  const told = useTold(form, () => order.filter((name) => form.wrong(name) !== null).join())
  if (told === '') return null
  const names = told.split(',')
  return (
    <div className="banner banner-wrong" role="status" aria-label={t('form.mistakes', { count: names.length })}>
      <Icon name="triangle-alert" size={16} />
      <div>
        {t('form.mistakes', { count: names.length })}
        {t('form.mistakesAt')}
        {names.map((name, at) => (
          <span key={name}>
            {at > 0 && t('entity.separator')}
            <button type="button" className="link-button" onClick={() => onGo(name)}>
              {entity.fields[name] ? pick(entity.fields[name].label) : t('entity.status')}
            </button>
          </span>
        ))}
      </div>
    </div>
  )
}
