import { ExpressionFault, parseExpression } from '@data-brain/contract/flow/expression-text'
import type { Group } from '@data-brain/contract/rules/condition'
import { useMemo, useState } from 'react'
import { useDictionaries } from '../../../entity/data/index.ts'
import { Builder, RuleSentence, ruleFields } from '../../../entity/value/index.ts'
import { useLanguage, useT } from '../../../ui/words.ts'
import { comparable, factsEntity, groupOfText, isWhole, textOfGroup } from './condition.ts'
import { useDesign } from './context.ts'
import { Check, TextField } from './parts.tsx'
import '../../../entity/value/words.ts'
import '../../../entity/value/rule.css'

/** What conditions of this process speak of, and the dictionaries of it. */
export function useFacts() {
  const { form, formKey } = useDesign()
  const entity = useMemo(() => factsEntity(form, formKey), [form, formKey])
  const dictionaries = useDictionaries(entity)
  return { entity, dictionaries }
}

/** A condition as a sentence; what cannot be put together stands as it is written. */
export function ConditionSentence({ text }: { readonly text: string }) {
  const { entity, dictionaries } = useFacts()
  const group = useMemo(() => groupOfText(entity, text), [entity, text])
  if (!group) return <code>{text}</code>
  return <RuleSentence entity={entity} group={group} dictionaries={dictionaries} />
}

interface ConditionProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A condition put together of fields, comparisons and values; or written, for what that cannot say. */
export function ConditionInput({ text, onChange }: ConditionProps) {
  const t = useT()
  const language = useLanguage()
  const { entity, dictionaries } = useFacts()
  const fields = useMemo(() => ruleFields(entity).map(comparable), [entity])
  /** What is put together now; a comparison without its value is not written yet. */
  const [kept, setKept] = useState<{ readonly text: string; readonly group: Group }>()
  const read = useMemo(() => groupOfText(entity, text), [entity, text])
  const group = kept?.text === text ? kept.group : read
  const [writes, setWrites] = useState(false)
  const isWritten = writes || group === undefined
  const wrong = useMemo(() => {
    if (text.trim() === '') return undefined
    try {
      parseExpression(text)
      return undefined
    } catch (fault) {
      if (!(fault instanceof ExpressionFault)) throw fault
      return fault.words[language]
    }
  }, [text, language])
  return (
    <>
      {isWritten ? (
        <TextField
          label={t('design.written')}
          help={t('design.writtenHelp')}
          {...(wrong ? { wrong } : {})}
          lines={3}
          max={2000}
          value={text}
          onChange={onChange}
        />
      ) : (
        <div className="rule">
          <Builder
            entity={entity}
            fields={fields}
            dictionaries={dictionaries}
            own={false}
            group={group}
            onChange={(next) => {
              const written = textOfGroup(entity, next)
              setKept({ text: written, group: next })
              onChange(written)
            }}
          />
          <p className="rule-sentence" aria-live="polite">
            <RuleSentence entity={entity} group={group} dictionaries={dictionaries} />
          </p>
          {!isWhole(group) && <p className="field-error">{t('design.conditionHole')}</p>}
        </div>
      )}
      {read !== undefined && <Check label={t('design.write')} checked={isWritten} onChange={setWrites} />}
      {read === undefined && wrong === undefined && <p className="field-help">{t('design.writtenOnly')}</p>}
    </>
  )
}
