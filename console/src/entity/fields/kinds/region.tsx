import { Suspense } from 'react'
import { useValue } from '../../../ui/form/store.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useT } from '../../../ui/words.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'

const RegionSelect = lazyPart(() => import('../region-select.tsx'))

function RegionControl({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const value = useValue(form, name) as string | null
  return (
    <Suspense fallback={<div className="ff-fixed" />}>
      <RegionSelect
        {...ties}
        label={label}
        className="ff-full"
        placeholder={t('form.choose')}
        disabled={disabled}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
      />
    </Suspense>
  )
}

export const region: FieldKind = { Control: RegionControl }
