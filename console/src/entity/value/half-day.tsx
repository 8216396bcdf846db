import { halfDay, type HalfDay as Value } from '@data-brain/contract/rules/half-day'
import { Select } from 'antd'
import { useMemo } from 'react'
import { useClearing } from '../../ui/form/clearing.tsx'
import { useValue } from '../../ui/form/store.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { ControlProps } from '../fields/control.tsx'

const all: readonly Value[] = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => [
  { weekday, half: 'am' },
  { weekday, half: 'pm' },
])
const keyOf = ({ weekday, half }: Value): string => `${weekday}${half}`

/** A half-day of the week, chosen from all fourteen. */
export function HalfDay({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const clearing = useClearing(label)
  const t = useT()
  const language = useLanguage()
  const value = useValue(form, name) as Value | null
  const options = useMemo(
    () =>
      all.map((each) => ({
        value: keyOf(each),
        label: halfDay.text(each, { language, name: () => undefined }, undefined),
      })),
    [language],
  )
  return (
    <Select
      {...ties}
      className="ff-full"
      allowClear={clearing}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('form.choose')}
      disabled={disabled}
      options={options}
      value={value ? keyOf(value) : undefined}
      onChange={(key: string | undefined) => onChange(all.find((each) => keyOf(each) === key) ?? null)}
      onBlur={onBlur}
    />
  )
}
