import { type Entity, nameOf } from '@data-brain/contract'
import { memo, useCallback, useMemo } from 'react'
import { Field, FieldGroup } from '../ui/form/field.tsx'
import type { FormStore } from '../ui/form/store.ts'
import { useT, useWords } from '../ui/words.ts'
import type { Shown } from './calls.ts'
import { type CellWords, textOf } from './cell.tsx'
import { checkField, tidyValue } from './check.ts'
import { controls, isWide } from './control.tsx'
import { fieldsOf } from './draft.ts'

interface FieldsProps {
  readonly entity: Entity
  readonly form: FormStore
  /** A stored row's fixed fields are shown and not changed. */
  readonly isNew: boolean
  readonly words: CellWords
  readonly names: Readonly<Record<string, string>>
}

interface OneProps extends FieldsProps {
  readonly name: string
}

/** One field: its label, its input by kind, its own checks. A key pressed in it draws nothing else. */
const FormField = memo(function FormField({ entity, form, isNew, words, names, name }: OneProps) {
  const t = useT()
  const pick = useWords()
  const field = useMemo(
    () =>
      entity.fields[name] ??
      ({ kind: 'choice', label: { zh: '', en: '' }, dict: entity.status?.dict, required: true } as const),
    [entity, name],
  )
  const label = name === 'status' && !entity.fields.status ? t('entity.status') : pick(field.label)
  const Control = controls[field.kind]
  const change = useCallback(
    (value: unknown) => {
      form.set(name, value)
      if (form.wrong(name)) form.setWrong(name, checkField(field, value, form.initial(name)))
    },
    [form, name, field],
  )
  const blur = useCallback(() => {
    const value = tidyValue(field, form.value(name))
    form.set(name, value)
    form.setWrong(name, checkField(field, value, form.initial(name)))
  }, [form, name, field])
  return (
    <Field
      form={form}
      name={name}
      label={label}
      required={field.required && (isNew || !field.fixed)}
      help={field.help ? pick(field.help) : undefined}
      wide={isWide(field)}
    >
      {(ties) =>
        !isNew && field.fixed ? (
          <output id={ties.id} className="ff-fixed">
            {textOf(field, form.value(name), words, names[String(form.value(name))]) || '—'}
          </output>
        ) : (
          <Control
            entity={entity}
            name={name}
            field={field}
            label={label}
            form={form}
            ties={ties}
            disabled={false}
            dictionaries={words.dictionaries}
            names={names}
            onChange={change}
            onBlur={blur}
          />
        )
      }
    </Field>
  )
})

const NO_NAMES = {}

/** The fields of a form under their headings; what no heading claims comes first. */
export const FormFields = memo(function FormFields(props: FieldsProps) {
  const { entity } = props
  const pick = useWords()
  const names = fieldsOf(entity)
  const claimed = new Set(entity.groups?.flatMap((group) => group.fields))
  // Names change with every row; only a field that refers to rows is drawn again for them.
  const one = (name: string) => (
    <FormField key={name} {...props} names={entity.fields[name]?.to ? props.names : NO_NAMES} name={name} />
  )
  const first = names.filter((name) => !claimed.has(name) && name !== 'status')
  const last = names.includes('status') && !claimed.has('status') ? ['status'] : []
  const groups = (entity.groups ?? []).map((group) => ({
    ...group,
    fields: group.fields.filter((name) => names.includes(name)),
  }))
  return (
    <>
      {(first.length > 0 || groups.length === 0) && (
        <FieldGroup>{[...first, ...(groups.length === 0 ? last : [])].map(one)}</FieldGroup>
      )}
      {groups.map((group, i) =>
        group.fields.length === 0 ? null : (
          <FieldGroup key={group.label.en} label={pick(group.label)}>
            {[...group.fields, ...(i === 0 ? last : [])].map(one)}
          </FieldGroup>
        ),
      )}
    </>
  )
})

/** The shown names that a row brings for what it refers to. */
export function namesIn(entity: Entity, row: Shown | null): Readonly<Record<string, string>> {
  if (!row) return {}
  const toList = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.map(String) : typeof value === 'string' && value !== '' ? value.split(',') : []
  const pairs = Object.entries(entity.fields).flatMap(([name, field]) => {
    if (!field.to) return []
    const shown = row[nameOf(name)]
    // A single name may hold a comma; only lists of ids are split.
    if (field.kind === 'reference')
      return typeof shown === 'string' && shown ? [[String(row[name]), shown] as const] : []
    const texts = toList(shown)
    return toList(row[name]).flatMap((id, i) => (texts[i] ? [[id, texts[i]] as const] : []))
  })
  return Object.fromEntries(pairs)
}
