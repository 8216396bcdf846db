import { check } from '@data-brain/contract/kinds/date'
import { DateBox } from '../../../ui/date/box.tsx'
import type { DateKind } from '../../../ui/date/read.ts'
import { useValue } from '../../../ui/form/store.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

export function DateControl({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name) as string | null
  return (
    <DateBox
      {...ties}
      kind={field.kind as DateKind}
      label={label}
      className="ff-full"
      disabled={disabled}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}

export const date: FieldKind = { Control: DateControl, check }
