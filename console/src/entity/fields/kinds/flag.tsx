import { Switch } from 'antd'
import { useValue } from '../../../ui/form/store.ts'
import { useT } from '../../../ui/words.ts'
import type { ControlProps } from '../control.tsx'
import { DictSelect } from '../select.tsx'
import type { FieldKind } from './field-kind.ts'

/** Yes or no, as a list: a switch would have to be turned and then confirmed. */
export function FlagChoice({ field, form, name, label, ties, disabled, onChange }: ControlProps) {
  const t = useT()
  const entries = [1, 0].map((key) => ({
    dictKey: String(key),
    dictValue: t(key === 1 ? 'entity.yes' : 'entity.no'),
    dictValueEn: t(key === 1 ? 'entity.yes' : 'entity.no'),
    sort: key,
  }))
  const value = useValue(form, name)
  return (
    <DictSelect
      {...ties}
      label={label}
      className="ff-full"
      placeholder={t('form.choose')}
      entries={entries}
      disabled={disabled ?? false}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(next) => onChange(next === null ? (field.required ? 0 : null) : Number(next))}
    />
  )
}

function FlagControl(props: ControlProps) {
  const { field, form, name, label, ties, disabled, onChange } = props
  const t = useT()
  const value = useValue(form, name)
  // What is neither on nor off is not known.
  if (!field.required && field.default === undefined) return <FlagChoice {...props} />
  return (
    <span className="ff-switch">
      <Switch
        id={ties.id}
        aria-label={label}
        aria-describedby={ties['aria-describedby']}
        disabled={disabled}
        checked={Number(value) === 1}
        onChange={(on) => onChange(on ? 1 : 0)}
      />
      <span aria-hidden="true">{t(Number(value) === 1 ? 'entity.yes' : 'entity.no')}</span>
    </span>
  )
}

export const flag: FieldKind = { Control: FlagControl }
