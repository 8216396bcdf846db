import type { Field as Defined, Entity, FieldPair } from '@data-brain/contract'
import { memo, type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { Field, type InputTies } from '../../ui/form/field.tsx'
import { PairField } from '../../ui/form/pair.tsx'
import { type FormStore, useValue } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import { type CellWords, textOf } from '../display/cell.tsx'
import { isSeveral, isWide, RecordContext } from '../fields/control.tsx'
import { fieldKinds } from '../fields/kinds/index.ts'
import { Radios, radiosOf } from '../fields/radios.tsx'
import { isEmpty, tidyValue } from '../fields/tidy.ts'
import { checkField, documentsWrong, fieldAsRequired, isAsked } from '../fields/validate.ts'
import { lineOf } from './along.ts'
import { fillFromDocument, isFilled } from './autofill.ts'
import type { FormParts } from './form-fields.tsx'

export interface FieldsProps {
  readonly entity: Entity
  readonly form: FormStore
  /** A stored row's fixed fields are shown and not changed. */
  readonly isNew: boolean
  readonly words: CellWords
  readonly names: Readonly<Record<string, string>>
  readonly parts?: FormParts
}

interface OneProps extends FieldsProps {
  readonly name: string
}

interface Asked {
  readonly field: Defined
  readonly label: string
  readonly required: boolean
  readonly help: string | undefined
  /** Whether its input is several, which its label cannot be tied to. */
  readonly isGroup: boolean
  /** Whether it is asked for at all, as the form stands now. */
  readonly isShown: boolean
  readonly input: (ties: InputTies) => ReactNode
}

/** Ids of one kind of thing are none of another: they go when the field changes that says of what they are. */
function clearWith(form: FormStore, name: string, by: string): () => void {
  let before = form.value(by)
  return form.watch(by, () => {
    const now = form.value(by)
    const stored = now === form.initial(by)
    if (now === before) return
    before = now
    if (stored) form.set(name, form.initial(name))
    else if (!isEmpty(form.value(name))) form.set(name, null)
  })
}

/** One field of a form: its label, its input by kind, its own checks. */
function useFormField({ entity, form, isNew, words, names, parts, name }: OneProps): Asked {
  const t = useT()
  const pick = useWords()
  const plain = useMemo(
    () =>
      entity.fields[name] ??
      ({ kind: 'choice', label: { zh: '', en: '' }, dict: entity.status?.dict, required: true } as const),
    [entity, name],
  )
  const condition = parts?.shown?.[name]
  const said = typeof plain.of === 'object' && plain.of.is ? plain.of : undefined
  const deciding = useValue(form, condition?.by ?? plain.only?.by ?? said?.by ?? name)
  useEffect(() => (said ? clearWith(form, name, said.by) : undefined), [form, name, said])
  // Drawn again with its own value: what was filled in for somebody says so until they change it.
  const value = useValue(form, name)
  const field = useMemo(() => fieldAsRequired(plain, deciding), [plain, deciding])
  const label = name === 'status' && !entity.fields.status ? t('entity.status') : pick(field.label)
  const own = parts?.inputs?.[name]
  const radios = !own && radiosOf(field, words.dictionaries[field.dict ?? ''], value) !== undefined
  const isGroup = radios || (!own && isSeveral(field))
  const { dictionaries } = words
  const record = useMemo(() => ({ entity, dictionaries, names, mayMake: true }), [entity, dictionaries, names])
  const Control = own ?? (radios ? Radios : fieldKinds[field.kind].Control)
  const ask = parts?.asks?.[name]
  const change = useCallback(
    (value: unknown) => {
      form.enter(name, value)
      if (form.wrong(name)) form.setWrong(name, checkField(field, value, form.initial(name), ask))
    },
    [form, name, field, ask],
  )
  const blur = useCallback(() => {
    const value = tidyValue(field, form.value(name))
    form.set(name, value)
    const wrong = checkField(field, value, form.initial(name), ask)
    if (field.rule === 'idNo') fillFromDocument(entity, form)
    // What was stored before is judged once it is changed.
    const judged = value === form.initial(name) ? undefined : documentsWrong(entity, form.values()).get(name)
    form.setWrong(name, wrong ?? judged ?? null)
  }, [entity, form, name, field, ask])
  return {
    field,
    label,
    required: field.required === true && (isNew || !field.fixed),
    help: isFilled(form, name) ? t(isFilled(form, name)!) : field.help ? pick(field.help) : undefined,
    isGroup,
    // What was written stays in sight, also where it is no longer asked for.
    isShown:
      (!condition || condition.is(deciding)) &&
      (isAsked(field, deciding) || !isEmpty(value)) &&
      (!said || String(deciding) in said.is!),
    input: (ties) =>
      !isNew && field.fixed ? (
        <output id={ties.id} className="ff-fixed">
          {textOf(field, form.value(name), words, names[String(form.value(name))]) || '—'}
        </output>
      ) : (
        <RecordContext value={record}>
          <Control
            name={name}
            field={field}
            label={label}
            form={form}
            ties={ties}
            disabled={false}
            onChange={change}
            onBlur={blur}
          />
        </RecordContext>
      ),
  }
}

/** One field with its label above. A key pressed in it draws nothing else. */
export const FormField = memo(function FormField(props: OneProps) {
  const { entity, form, name } = props
  const pick = useWords()
  const { field, label, required, help, isGroup, isShown, input } = useFormField(props)
  const line = lineOf(entity, name)
  const short = line && pick(line.label)
  if (!isShown) return null
  return (
    <Field
      form={form}
      name={name}
      label={short ? { text: label, short } : label}
      required={required}
      help={help}
      wide={isWide(field)}
      group={isGroup}
    >
      {input}
    </Field>
  )
})

interface TwoProps extends FieldsProps {
  readonly pair: FieldPair
}

/** Two fields that say one thing, in one box. */
export const FormPair = memo(function FormPair({ pair, ...props }: TwoProps) {
  const pick = useWords()
  const [first, second] = pair.fields
  const kind = useFormField({ ...props, name: first })
  const said = useFormField({ ...props, name: second })
  return (
    <PairField
      form={props.form}
      label={pick(pair.label)}
      required={said.required}
      parts={[
        { ...kind, name: first },
        { ...said, name: second },
      ]}
      help={said.help ?? kind.help}
    />
  )
})
