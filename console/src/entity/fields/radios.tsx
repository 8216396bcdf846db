import type { Field } from '@data-brain/contract'
import { type FocusEvent, useId } from 'react'
import { useValue } from '../../ui/form/store.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { DictEntry } from '../data/calls.ts'
import { entryText } from '../display/cell.tsx'
import { type ControlProps, useRecord } from './control.tsx'

/** As many values stand side by side. */
const MOST = 4
/** As wide as all their words together may be, in Latin letters; a Han character takes two. */
const WIDEST = 30

const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (letter > 'ÿ' ? 2 : 1), 0)

/**
 * The values of a choice that stand side by side: where one has to be chosen, or people are used to see them all, and
 * where they are few and short in either language. Nothing where a list serves better.
 */
export function radiosOf(
  field: Field,
  entries: readonly DictEntry[] | undefined,
  chosen: unknown,
): readonly DictEntry[] | undefined {
  if (field.kind !== 'choice' || !(field.required || field.dict === 'sex')) return undefined
  const offered = entries?.filter((entry) => !entry.isSealed || entry.dictKey === chosen)
  if (!offered || offered.length < 2 || offered.length > MOST) return undefined
  const isShort = (['zh', 'en'] as const).every(
    (language) => offered.reduce((sum, entry) => sum + widthOf(entryText(entry, language)), 0) <= WIDEST,
  )
  return isShort ? offered : undefined
}

/** Values side by side, with the keys of the browser's own radio buttons. */
export function Radios({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const { dictionaries } = useRecord()
  const t = useT()
  const language = useLanguage()
  const group = useId()
  const value = useValue(form, name)
  const isChosen = value !== null && value !== undefined
  const left = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget)) onBlur()
  }
  return (
    <div {...ties} role="radiogroup" aria-label={label} className="ff-radios" onBlur={left}>
      {radiosOf(field, dictionaries[field.dict ?? ''], value)?.map((entry) => (
        <label key={entry.dictKey}>
          <input
            type="radio"
            name={group}
            value={entry.dictKey}
            disabled={disabled || Boolean(entry.isSealed)}
            checked={value === entry.dictKey}
            onChange={() => onChange(entry.dictKey)}
          />
          {entryText(entry, language)}
        </label>
      ))}
      {!field.required && isChosen && (
        <button type="button" className="link-button" disabled={disabled} onClick={() => onChange(null)}>
          {t('entity.clear')}
          <span className="sr-only">{label}</span>
        </button>
      )}
    </div>
  )
}
