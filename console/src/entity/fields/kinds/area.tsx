import { check } from '@data-brain/contract/kinds/area'
import { Input } from 'antd'
import { useValue } from '../../../ui/form/store.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

function AreaControl({ form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name)
  return (
    <Input.TextArea
      {...ties}
      autoSize={{ minRows: 2, maxRows: 8 }}
      disabled={disabled}
      value={(value as string | null) ?? ''}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}

export const area: FieldKind = { Control: AreaControl, check }
