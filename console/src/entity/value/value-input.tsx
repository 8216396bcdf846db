import type { Entity, Field } from '@data-brain/contract'
import { type Condition, isBare, isWord, ownWords } from '@data-brain/contract/rules/condition'
import { Select } from 'antd'
import { useMemo } from 'react'
import { createForm } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { Dictionaries } from '../data/client.ts'
import { RecordContext } from '../fields/control.tsx'
import { fieldKinds } from '../fields/kinds/index.ts'
import { inputKind, ownOf, type RuleField } from './rule.ts'

interface ValueProps {
  readonly entity: Entity
  readonly field: RuleField
  readonly condition: Condition
  readonly dictionaries: Dictionaries
  readonly own: boolean
  readonly id: string
  readonly label: string
  readonly onChange: (value: unknown) => void
}

const CHOSEN = 'chosen'
const NO_NAMES = {}
const still = () => {}

/** What a condition compares with: the form's own input for the field, or a word such as "me" where one fits. */
export function ValueInput(props: ValueProps) {
  const { field, condition, own, label, onChange } = props
  const t = useT()
  const pick = useWords()
  const { op, value } = condition
  if (isBare(op)) return null
  const words = own && (op === 'equal' || op === 'in') ? ownOf(field.to) : []
  if (words.length === 0) return <PlainInput {...props} />
  return (
    <span className="rule-value">
      <Select
        aria-label={t('rule.whose', { label })}
        value={isWord(value) ? value : CHOSEN}
        options={[
          ...words.flatMap((word) => (isWord(word) ? [{ value: word as string, label: pick(ownWords[word]) }] : [])),
          { value: CHOSEN, label: t('rule.chosen') },
        ]}
        onChange={(next: string) => onChange(next === CHOSEN ? null : next)}
      />
      {!isWord(value) && <PlainInput {...props} />}
    </span>
  )
}

function PlainInput({ entity, field, condition, dictionaries, id, label, onChange }: ValueProps) {
  const { op, value } = condition
  const t = useT()
  const kind = inputKind(field.kind, op)
  // The engine's inputs read their value from a form: this one has a single field.
  const form = useMemo(() => createForm({ [field.name]: value ?? null }), [field.name, value])
  const one = useMemo(
    () => ({ ...entity.fields[field.name], ...field, ...(kind ? { kind } : {}), required: false }) as Field,
    [entity, field, kind],
  )
  const record = useMemo(() => ({ entity, dictionaries, names: NO_NAMES, mayMake: false }), [entity, dictionaries])
  if (!kind)
    return (
      <Select
        id={id}
        className="ff-full"
        aria-label={label}
        mode="tags"
        open={false}
        suffixIcon={null}
        placeholder={t('rule.several')}
        tokenSeparators={[',', ' ']}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(next: string[]) => onChange(next)}
      />
    )
  const Control = fieldKinds[kind].Control
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <RecordContext value={record}>
        <Control
          name={field.name}
          field={one}
          label={label}
          form={form}
          ties={{ id }}
          disabled={false}
          onChange={onChange}
          onBlur={still}
        />
      </RecordContext>
    </>
  )
}
