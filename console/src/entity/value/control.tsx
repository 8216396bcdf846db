import type { EngineSort, PageSort } from '@data-brain/contract'
import { isKnown, valueText } from '@data-brain/contract/rules/values'
import { type ComponentType, Suspense } from 'react'
import { useValue } from '../../ui/form/store.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { ControlProps } from '../fields/control.tsx'
import { toWire } from '../form/draft.ts'
import { pageInput } from '../page-inputs/index.ts'
import { FieldOptions } from './field-options.tsx'
import { HalfDay } from './half-day.tsx'
import { Pairs } from './pairs-input.tsx'
import { Questions } from './questions.tsx'
import { Slots } from './slots.tsx'
import { TargetsInput } from './targets.tsx'
import './words.ts'
import './value.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

const Conditions = lazyPart(() => import('./conditions.tsx'))

const inputs: Record<Exclude<EngineSort, 'weeks'>, ComponentType<ControlProps>> = {
  halfDay: HalfDay,
  slots: Slots,
  pairs: Pairs,
  questions: Questions,
  targets: TargetsInput,
  condition: Conditions,
  fieldOptions: FieldOptions,
}

/** The input of a json value; what an older program left in a shape of its own is shown, and kept until it is replaced. */
export default function ValueControl(props: ControlProps) {
  const { field, form, name, ties, disabled, onChange } = props
  const t = useT()
  const language = useLanguage()
  const value = useValue(form, name)
  if (value === form.initial(name) && !isKnown(field, toWire(field, value)))
    return (
      <div id={ties.id} aria-describedby={ties['aria-describedby']} className="value-old">
        <p className="muted">{t('value.old')}</p>
        <p>{valueText(field, value, { language, name: () => undefined })}</p>
        <button type="button" className="button" disabled={disabled} onClick={() => onChange(null)}>
          {t('value.anew')}
        </button>
      </div>
    )
  const Input = Object.hasOwn(inputs, field.as!)
    ? inputs[field.as as keyof typeof inputs]
    : pageInput(field.as as PageSort)
  return (
    <Suspense fallback={<div className="ff-fixed" />}>
      <Input {...props} />
    </Suspense>
  )
}
