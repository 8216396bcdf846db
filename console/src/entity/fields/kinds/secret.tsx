import { hiddenSecret } from '@data-brain/contract'
import { check } from '@data-brain/contract/kinds/secret'
import { Input } from 'antd'
import { useValue } from '../../../ui/form/store.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

/** A secret is written and never read: what stands for the stored one is replaced as soon as somebody types. */
function SecretControl({ form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = (useValue(form, name) as string | null) ?? ''
  return (
    <Input.Password
      {...ties}
      autoComplete="new-password"
      disabled={disabled}
      value={value}
      visibilityToggle={value !== hiddenSecret}
      onFocus={(event) => {
        if (value === hiddenSecret) event.target.select()
      }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}

export const secret: FieldKind = { Control: SecretControl, check }
