import { type Entity, entityOf, stamps, titledWith } from '@data-brain/contract'
import { Icon } from '../../ui/icon.tsx'
import { useT, useWords } from '../../ui/words.ts'
import type { Choice } from '../data/calls.ts'
import { useChoices } from '../data/client.ts'
import { type CellWords, dictText, textOf } from '../display/cell.tsx'
import { type Filters, labelOf } from './filter-fields.ts'

/** What the suffix of a filter says of its field; of numbers another word than of times. */
const bounds: Readonly<Record<string, string>> = {
  datege: 'entity.after',
  dategt: 'entity.after',
  datele: 'entity.before',
  datelt: 'entity.before',
  ge: 'entity.least',
  gt: 'entity.over',
  le: 'entity.most',
  lt: 'entity.under',
  notequal: 'entity.not',
  notlike: 'entity.not',
}
const isFrom = (suffix: string) => /^(date)?g[et]$/.test(suffix)

/** Of many values so many are named. */
const shownMost = 2

/** The names of these ids with what tells them apart, of many the first two. */
function namesIn(value: string, choices: readonly Choice[] | undefined, words: CellWords): string {
  const ids = value.split(',')
  const names = ids.slice(0, shownMost).map((id) => {
    const choice = choices?.find((one) => one.id === id)
    return choice ? titledWith(choice.name, choice.beside, words.language) : '…'
  })
  return names.join(words.t('entity.separator')) + (ids.length > shownMost ? ` +${ids.length - shownMost}` : '')
}

/** The field's label and what it is filtered by, in words: `年级`, `三年级`. */
function useTold(entity: Entity, name: string, filters: Filters, words: CellWords): readonly [string, string] {
  const pick = useWords()
  const { t } = words
  const field = entity.fields[name]
  const to = field?.to ?? (/User$/.test(name) && !field ? stamps.createUser : undefined)
  const params = Object.entries(filters).map(([param, value]) => [param.slice(name.length + 1), value] as const)
  const separator = t('entity.separator')
  const ids = to
    ? params.filter(([suffix]) => !/null$/.test(suffix)).flatMap(([, value]) => value.split(',').slice(0, shownMost))
    : []
  const named = useChoices(to ?? '', to ? entityOf(to).path : '', { ids }, ids.length > 0)
  const label = labelOf(entity, name, t, pick)
  const one = (value: string): string => {
    if (to) return namesIn(value, named.data, words)
    if (name === 'status' || field?.kind === 'choice' || field?.kind === 'choices') {
      const dict = field?.dict ?? entity.status?.dict
      return value
        .split(',')
        .map((key) => dictText(words, dict, key))
        .join(separator)
    }
    if (!field || field.kind === 'instant') return value.slice(0, name.endsWith('Time') || field ? 10 : 32)
    return textOf(field, value, words)
  }
  const [first, second] = params
  if (!first) return [label, '']
  if (second && isFrom(first[0]) !== isFrom(second[0])) {
    const [from, till] = isFrom(first[0]) ? [first, second] : [second, first]
    return [label, `${one(from[1])} – ${one(till[1])}`]
  }
  const [suffix, value] = first
  if (suffix === 'null' || suffix === 'notnull') {
    const isPart = entity.belongings?.[name] !== undefined
    return [
      label,
      t(suffix === 'null' ? (isPart ? 'entity.none' : 'entity.empty') : isPart ? 'entity.some' : 'entity.set'),
    ]
  }
  return [bounds[suffix] ? t(bounds[suffix], { label }) : label, one(value)]
}

interface ChipProps {
  readonly entity: Entity
  readonly name: string
  /** The field’s own parameters. */
  readonly filters: Filters
  readonly words: CellWords
  readonly open: boolean
  readonly onOpen: (anchor: HTMLElement) => void
  readonly onRemove: () => void
}

/** One filter in force, in words: pressed, it shows its values; its cross takes it away. */
export function Chip({ entity, name, filters, words, open, onOpen, onRemove }: ChipProps) {
  const t = useT()
  const [label, value] = useTold(entity, name, filters, words)
  const told = t('entity.chip', { label, value })
  return (
    <li className="chip" data-filter={name} data-told={told}>
      <button
        type="button"
        className="chip-open"
        aria-label={told}
        aria-expanded={open}
        onClick={(event) => onOpen(event.currentTarget)}
      >
        <span>{label}</span> {value}
      </button>
      <button type="button" className="chip-off" aria-label={t('entity.removeFilter', { label })} onClick={onRemove}>
        <Icon name="x" size={14} />
      </button>
    </li>
  )
}
