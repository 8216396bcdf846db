import { correlations } from '@data-brain/contract/flow/plan'
import { useT } from '../../../ui/words.ts'
import { useDesign } from './context.ts'
import { Choice } from './parts.tsx'

/** Kinds of fields that can say of which instance a message is. */
const fitting: ReadonlySet<string> = new Set(['text', 'integer', 'choice', 'date', 'user', 'student'])

interface CorrelationProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** By what a message finds its instance; without it the message stays within its own. */
export function CorrelationInput({ value, onChange }: CorrelationProps) {
  const t = useT()
  const { form } = useDesign()
  return (
    <Choice
      label={t('design.correlation')}
      help={t('design.correlationHelp')}
      value={value}
      options={[
        { value: '', label: t('design.correlation.none') },
        ...form
          .filter(({ kind }) => fitting.has(kind))
          .map(({ name, label }) => ({ value: name, label: t('design.correlation.field', { name: label || name }) })),
        ...correlations.map((each) => ({ value: each, label: t(`design.correlation.${each.slice(1)}`) })),
      ]}
      onChange={onChange}
    />
  )
}
