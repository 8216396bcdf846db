import { useValue } from '../../../ui/form/store.ts'
import { useT } from '../../../ui/words.ts'
import { type ControlProps, useRecord } from '../control.tsx'
import { DictSelect } from '../select.tsx'
import { noteUnchosen, takeHeldText } from '../unchosen.ts'
import type { FieldKind } from './field-kind.ts'

export function ChoiceControl({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const { dictionaries } = useRecord()
  const value = useValue(form, name) as string | string[] | null
  return (
    <DictSelect
      {...ties}
      label={label}
      className="ff-full"
      placeholder={t('form.choose')}
      multiple={field.kind === 'choices'}
      entries={dictionaries[field.dict ?? '']}
      disabled={disabled}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      onMissed={(text) => noteUnchosen(form, name, text)}
      onBack={() => takeHeldText(form, name)}
    />
  )
}

export const choice: FieldKind = { Control: ChoiceControl }
