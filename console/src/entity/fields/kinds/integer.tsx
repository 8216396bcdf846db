import { check } from '@data-brain/contract/kinds/integer'
import { useState } from 'react'
import { NumberBox, type TypedNumber } from '../../../ui/form/number-box.tsx'
import { useValue } from '../../../ui/form/store.ts'
import { useWords } from '../../../ui/words.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

/** A number, or none: nobody has to know which number stands for that. */
function LimitControl({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const pick = useWords()
  const value = useValue(form, name) as TypedNumber
  const { value: none, label: word } = field.none!
  const isNone = value === none
  const [last, setLast] = useState<TypedNumber>(null)
  return (
    <div className="ff-limit">
      <NumberBox
        {...ties}
        min={0}
        disabled={disabled || isNone}
        placeholder={isNone ? pick(word) : undefined}
        value={isNone ? null : value}
        onChange={onChange}
        onBlur={onBlur}
      />
      <label className="check">
        <input
          type="checkbox"
          aria-label={`${label} ${pick(word)}`}
          disabled={disabled}
          checked={isNone}
          onChange={({ target }) => {
            if (target.checked) setLast(value)
            onChange(target.checked ? none : last)
          }}
        />
        {pick(word)}
      </label>
    </div>
  )
}

export function NumberControl(props: ControlProps) {
  const { field, form, name, ties, disabled, onChange, onBlur } = props
  const value = useValue(form, name)
  if (field.none) return <LimitControl {...props} />
  return (
    <NumberBox
      {...ties}
      min={field.min}
      max={field.max}
      disabled={disabled}
      value={(value as TypedNumber) ?? null}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}

export const integer: FieldKind = { Control: NumberControl, check }
