import { isMasked, rules } from '@data-brain/contract'
import { check } from '@data-brain/contract/kinds/personal'
import { Input } from 'antd'
import { useValue } from '../../../ui/form/store.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

/** A masked number is selected as a whole when one comes to it, so that the first key replaces the stars. */
function PersonalControl({ form, name, field, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = (useValue(form, name) as string | null) ?? ''
  return (
    <Input
      {...ties}
      inputMode={field.rule && rules[field.rule].inputMode}
      autoComplete="off"
      disabled={disabled}
      value={value}
      onFocus={(event) => {
        if (isMasked(value)) event.target.select()
      }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}

export const personal: FieldKind = { Control: PersonalControl, check }
