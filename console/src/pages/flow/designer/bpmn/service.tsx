import {
  type ActionInput,
  isProductAction,
  type ProductActionName,
  productAction,
  productActionNames,
} from '@data-brain/contract/flow/actions'
import type { ActionPlan } from '@data-brain/contract/flow/plan'
import { useQuery } from '@tanstack/react-query'
import { entryText } from '../../../../entity/display/index.ts'
import { readDictionaries } from '../../../../http/services.ts'
import { useLanguage, useT } from '../../../../ui/words.ts'
import { useDesign } from '../context.ts'
import { Choice, Labelled, Section, TextField } from '../parts.tsx'
import { PeopleInput } from '../people-input.tsx'
import type { Board, Drawn } from './board.ts'
import { actionOf, writeAction } from './task.ts'

type ProductPlan = ActionPlan & { readonly kind: 'action' }

const messageKinds = ['inbox', 'sms', 'copy'] as const
type Kind = (typeof messageKinds)[number] | ProductActionName

/** What a service task does once somebody has chosen that it is something else. */
function begin(kind: Kind, action: ActionPlan): ActionPlan {
  if (isProductAction(kind)) return { kind: 'action', name: kind, inputs: {} }
  const to = action.kind === 'action' ? [] : action.to
  if (kind === 'sms') return { kind, to, template: '' }
  return kind === 'copy' ? { kind, to } : { kind, to, title: '', body: '' }
}

/** What a service task does: it tells people something, or does an action of the product. */
export function ServiceTask({ board, element }: { readonly board: Board; readonly element: Drawn }) {
  const t = useT()
  const language = useLanguage()
  const action = actionOf(element.businessObject)
  const put = (next: ActionPlan) => writeAction(board, element, next)
  return (
    <Section label={t('design.action')}>
      <Choice<Kind>
        label={t('design.actionKind')}
        value={action.kind === 'action' ? action.name : action.kind}
        options={[
          ...messageKinds.map((kind) => ({ value: kind, label: t(`design.action.${kind}`) })),
          ...productActionNames.map((name) => ({ value: name, label: productAction(name).label[language] })),
        ]}
        {...(action.kind === 'action' && isProductAction(action.name)
          ? { help: productAction(action.name).help[language] }
          : {})}
        onChange={(kind) => put(begin(kind, action))}
      />
      {action.kind === 'inbox' && (
        <>
          <TextField
            label={t('design.messageTitle')}
            value={action.title}
            onChange={(title) => put({ ...action, title })}
          />
          <TextField
            label={t('design.messageBody')}
            help={t('design.messageHelp')}
            lines={4}
            max={2000}
            value={action.body}
            onChange={(body) => put({ ...action, body })}
          />
        </>
      )}
      {action.kind === 'sms' && (
        <TextField
          label={t('design.template')}
          value={action.template}
          onChange={(template) => put({ ...action, template })}
        />
      )}
      {action.kind === 'action' ? (
        <Inputs action={action} onChange={put} />
      ) : (
        <PeopleInput rules={action.to} onChange={(to) => put({ ...action, to })} />
      )}
    </Section>
  )
}

function Inputs({
  action,
  onChange,
}: {
  readonly action: ProductPlan
  readonly onChange: (next: ProductPlan) => void
}) {
  // One that a later version of the product has made stays as it is.
  if (!isProductAction(action.name)) return null
  return Object.entries(productAction(action.name).inputs).map(([name, input]) => (
    <Input
      key={`${action.name} ${name}`}
      input={input}
      value={action.inputs[name] ?? ''}
      onChange={(value) => onChange({ ...action, inputs: { ...action.inputs, [name]: value } })}
    />
  ))
}

interface InputProps {
  readonly input: ActionInput
  readonly value: string
  readonly onChange: (value: string) => void
}

function Input({ input, value, onChange }: InputProps) {
  const t = useT()
  const language = useLanguage()
  const { form } = useDesign()
  const label = input.label[language]
  const help = input.help ? { help: input.help[language] } : {}
  switch (input.kind) {
    case 'field': {
      const fitting = form.filter(({ kind }) => input.fits?.includes(kind))
      if (fitting.length === 0 && value === '')
        return (
          <Labelled label={label}>
            {(ties) => (
              <p {...ties} className="muted">
                {t('design.actionNoField')}
              </p>
            )}
          </Labelled>
        )
      const options = fitting.map((field) => ({ value: field.name, label: field.label || field.name }))
      return <Choice label={label} {...help} value={value} options={options} onChange={onChange} />
    }
    case 'choice': {
      const options = (input.options ?? []).map((each) => ({ value: each.key, label: each.label[language] }))
      return <Choice label={label} {...help} value={value} options={options} onChange={onChange} />
    }
    case 'dict':
      return <DictInput input={input} value={value} onChange={onChange} />
    default:
      return (
        <TextField
          label={label}
          {...help}
          value={value}
          {...(input.max === undefined ? {} : { max: input.max })}
          {...(input.kind === 'longText' ? { lines: 4 } : {})}
          onChange={onChange}
        />
      )
  }
}

function DictInput({ input, value, onChange }: InputProps) {
  const language = useLanguage()
  const code = input.dict ?? ''
  const { data } = useQuery({
    queryKey: ['dictionaries', [code]],
    queryFn: ({ signal }) => readDictionaries([code], signal),
    staleTime: 300_000,
    meta: { reads: ['dict', 'dictbiz'] },
  })
  const options = (data?.[code] ?? [])
    .filter(({ isSealed }) => !isSealed)
    .map((entry) => ({ value: entry.dictKey, label: entryText(entry, language) }))
  return <Choice label={input.label[language]} value={value} options={options} onChange={onChange} />
}
