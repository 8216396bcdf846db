import { type Entity, isGuessable, personalCode } from '@data-brain/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCan } from '../../session/session.ts'
import { TextInput } from '../../ui/form/text-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useT, useWords } from '../../ui/words.ts'
import { walkByArrows } from '../fields/arrow-keys.ts'
import { filterGroups, labelOf } from './filter-fields.ts'
import { rangeAhead, ValueEditor, type ValueProps } from './filter-values.tsx'

interface PickProps extends Omit<ValueProps, 'name' | 'label'> {
  /** The field whose values are chosen; null while the field itself is. */
  readonly name: string | null
  readonly onName: (name: string | null) => void
}

/** The fields a list can be filtered by, found by their names; and the values of the one that was chosen. */
export default function FilterPick({ name, onName, ...rest }: PickProps) {
  const t = useT()
  const pick = useWords()
  const { entity } = rest
  if (name === null) return <FieldList entity={entity} onName={onName} />
  const label = labelOf(entity, name, t, pick)
  return (
    <>
      <div className="pick-head">
        <button type="button" className="tool small" aria-label={t('entity.filterBack')} onClick={() => onName(null)}>
          <Icon name="chevron-left" size={16} />
        </button>
        <h2>{label}</h2>
      </div>
      <ValueEditor key={name} {...rest} name={name} label={label} />
    </>
  )
}

function FieldList({ entity, onName }: { entity: Entity; onName: (name: string) => void }) {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const maySee = can(personalCode(entity))
  const [text, setText] = useState('')
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    root.current?.querySelector('input')?.focus({ preventScroll: true })
    rangeAhead()
  }, [])
  const groups = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    // Several groups of a form may be called alike, such as “other”: here they are one.
    const groups = new Map<string, { readonly name: string; readonly label: string }[]>()
    for (const { label, names } of filterGroups(entity)) {
      const heading = typeof label === 'string' ? t(label) : pick(label)
      const fields = names
        .filter((name) => maySee || !entity.fields[name] || !isGuessable(entity.fields[name]))
        .map((name) => ({ name, label: labelOf(entity, name, t, pick) }))
        .filter((field) => field.label.toLowerCase().includes(wanted))
      if (fields.length > 0) groups.set(heading, [...(groups.get(heading) ?? []), ...fields])
    }
    return [...groups].map(([label, fields]) => ({ label, fields }))
  }, [entity, maySee, text, t, pick])
  const first = groups[0]?.fields[0]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows are heard for the search and the list alike
    <div
      className="pick"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !event.nativeEvent.isComposing) {
          event.preventDefault()
          if (first) onName(first.name)
        } else walkByArrows(event)
      }}
    >
      <TextInput
        className="pick-search"
        icon="search"
        aria-label={t('entity.filterFind')}
        placeholder={t('entity.filterFind')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onClear={() => setText('')}
      />
      {groups.length === 0 && <p className="muted">{t('entity.noMatch')}</p>}
      {groups.map(({ label, fields }) => (
        <section key={label} aria-label={label}>
          <h2 className="pick-group">{label}</h2>
          <ul>
            {fields.map((field) => (
              <li key={field.name}>
                <button type="button" className="pick-one" data-option={field.name} onClick={() => onName(field.name)}>
                  {field.label}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
