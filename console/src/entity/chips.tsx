import type { Entity } from '@data-brain/contract'
import { entityOf } from '@data-brain/contract'
import { Icon } from '../ui/icon.tsx'
import { useT, useWords } from '../ui/words.ts'
import type { Choice } from './calls.ts'
import { type CellWords, dictText, textOf } from './cell.tsx'
import { useChoices } from './client.ts'
import { quickOf } from './filters.tsx'
import type { Steps } from './state.ts'

interface ChipProps {
  readonly entity: Entity
  readonly param: string
  readonly value: string
  readonly words: CellWords
  readonly onRemove: () => void
}

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
}

/** The names of these ids, of many the first two. */
function namesIn(value: string, choices: readonly Choice[] | undefined, separator: string): string {
  const ids = value.split(',')
  const names = ids.slice(0, 2).map((id) => choices?.find((choice) => choice.id === id)?.name ?? '…')
  return names.join(separator) + (ids.length > 2 ? ` +${ids.length - 2}` : '')
}

function Chip({ entity, param, value, words, onRemove }: ChipProps) {
  const pick = useWords()
  const { t } = words
  const [name = '', suffix = ''] = param.split('_')
  const field = entity.fields[name]
  const to = field?.to
  const named = useChoices(to ?? '', to ? entityOf(to).path : '', { ids: value.split(',') }, to !== undefined)
  const thing = field ?? entity.belongings?.[name]
  const label = thing ? pick(thing.label) : t(name === 'status' ? 'entity.status' : `entity.${name}`)
  const shown =
    name === 'status'
      ? dictText(words, entity.status?.dict, value)
      : field
        ? textOf(field, value, words, namesIn(value, named.data, t('entity.separator')))
        : value.slice(0, 16)
  const text =
    suffix === 'null'
      ? t('entity.isEmpty', { label })
      : suffix === 'notnull'
        ? t('entity.isSet', { label })
        : t('entity.chip', {
            label: bounds[suffix] ? t(bounds[suffix], { label }) : label,
            value: shown,
          })
  return (
    <li className="chip">
      {text}
      <button type="button" aria-label={t('entity.removeFilter', { label })} onClick={onRemove}>
        <Icon name="x" size={14} />
      </button>
    </li>
  )
}

interface ChipsProps {
  readonly entity: Entity
  readonly filters: Readonly<Record<string, string>>
  readonly steps: Steps
  readonly words: CellWords
}

/** What the list is filtered by, in words; each can be taken away by itself. */
export function Chips({ entity, filters, steps, words }: ChipsProps) {
  const t = useT()
  const quick = quickOf(entity)?.key
  const shown = Object.entries(filters).filter(([param]) => param !== quick)
  if (shown.length === 0) return null
  return (
    <ul className="chips" aria-label={t('entity.filters')}>
      {shown.map(([param, value]) => (
        <Chip
          key={param}
          entity={entity}
          param={param}
          value={value}
          words={words}
          onRemove={() => steps.filter({ [param]: null })}
        />
      ))}
      <li>
        <button type="button" className="button plain" onClick={steps.reset}>
          {t('entity.clearFilters')}
        </button>
      </li>
    </ul>
  )
}
