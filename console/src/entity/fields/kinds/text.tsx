import { rules } from '@data-brain/contract'
import { check } from '@data-brain/contract/kinds/text'
import { Input } from 'antd'
import { useValue } from '../../../ui/form/store.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

export function TextControl({ field, form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name)
  return (
    <Input
      {...ties}
      type={field.rule === 'email' ? 'email' : 'text'}
      inputMode={field.rule && rules[field.rule].inputMode}
      autoComplete="off"
      disabled={disabled}
      value={(value as string | null) ?? ''}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
      suffix={field.rule === 'color' ? <ColorDot value={value} /> : undefined}
    />
  )
}

function ColorDot({ value }: { value: unknown }) {
  return (
    <i className="color-dot" style={{ background: typeof value === 'string' ? value : undefined }} aria-hidden="true" />
  )
}

export const text: FieldKind = { Control: TextControl, check }
