import type { Entity } from '@data-brain/contract'
import { fieldAt, isDay } from '@data-brain/contract/report'
import type { ConditionOperator } from '@data-brain/contract/rules/condition'
import { useId } from 'react'
import { useDictionaries } from '../../entity/data/index.ts'
import { ValueInput } from '../../entity/value/index.ts'
import { useT, useWords } from '../../ui/words.ts'

/** What was filled in: values by the parameters of the list. */
export type Asked = Readonly<Record<string, unknown>>

/** As the call takes them: texts, of what is filled in. */
export const textsOf = (asked: Asked): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
      return text === '' ? [] : [[name, text]]
    }),
  )

interface ParametersProps {
  readonly entity: Entity
  readonly names: readonly string[]
  readonly asked: Asked
  readonly onChange: (asked: Asked) => void
}

/** What a report asks for when it is run: of choices any, of days a span. */
export function Parameters({ entity, names, asked, onChange }: ParametersProps) {
  const pick = useWords()
  const t = useT()
  const id = useId()
  const dictionaries = useDictionaries(entity)
  const inputs = names.flatMap((name) => {
    const known = fieldAt(entity, name)
    if (!known) return []
    const label = pick(known.label)
    const field = { ...known.field, name, ops: [] }
    if (!isDay(known)) return [{ key: name, label, field, op: 'in' as ConditionOperator }]
    return [
      { key: `${name}_datege`, label: t('report.from', { name: label }), field, op: 'ge' as ConditionOperator },
      { key: `${name}_datele`, label: t('report.to', { name: label }), field, op: 'le' as ConditionOperator },
    ]
  })
  if (inputs.length === 0) return null
  return (
    <>
      {inputs.map(({ key, label, field, op }) => (
        <div key={key} className="report-ask">
          <span aria-hidden="true">{label}</span>
          <ValueInput
            entity={entity}
            field={field}
            condition={{ field: field.name, op, value: asked[key] }}
            dictionaries={dictionaries}
            own={false}
            id={`${id}-${key}`}
            label={label}
            onChange={(value) => onChange({ ...asked, [key]: value })}
          />
        </div>
      ))}
    </>
  )
}
