import { entities, entityOf } from '@data-brain/contract'
import { membersOf } from '@data-brain/contract/rules/condition'
import { ofWhat } from '@data-brain/contract/rules/values'
import { useMemo } from 'react'
import { useValue } from '../../ui/form/store.ts'
import { useDictionaries } from '../data/client.ts'
import type { ControlProps } from '../fields/control.tsx'
import { Builder } from './builder.tsx'
import { readRule, ruleFields } from './rule.ts'
import { RuleSentence } from './sentence.tsx'
import './words.ts'
import './rule.css'

interface ConditionsProps extends Omit<ControlProps, 'label' | 'disabled' | 'onBlur'> {
  /** Whether they may speak of whoever asks. */
  readonly own?: boolean
  /** What stands before the sentence that says what they mean. */
  readonly before?: string
}

/** Conditions on the fields of an entity, and what they mean in a sentence. */
export default function Conditions({ field, form, name, ties, onChange, own = false, before }: ConditionsProps) {
  const value = useValue(form, name)
  const by = typeof field.of === 'object' ? field.of.by : ''
  const of = ofWhat(field, { [by]: useValue(form, by) })
  // Without anything to speak of there is nothing to compare.
  const entity = of ? entityOf(of) : entities[0]!
  const fields = useMemo(() => (of ? ruleFields(entity) : []), [of, entity])
  const dictionaries = useDictionaries(entity)
  const group = useMemo(() => readRule(value), [value])
  return (
    <div id={ties.id} className="rule" tabIndex={-1}>
      <Builder
        entity={entity}
        fields={fields}
        dictionaries={dictionaries}
        own={own}
        group={group}
        onChange={(next) => onChange(membersOf(next).length === 0 ? null : next)}
      />
      <p className="rule-sentence" aria-live="polite">
        <RuleSentence entity={entity} group={group} dictionaries={dictionaries} before={before} />
      </p>
    </div>
  )
}
