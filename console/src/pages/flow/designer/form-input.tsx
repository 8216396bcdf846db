import { type FormField, formFieldKinds } from '@data-brain/contract/flow/plan'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import { Check, Choice, NumberField, TextField } from './parts.tsx'

interface FormInputProps {
  readonly form: readonly FormField[]
  readonly onChange: (form: readonly FormField[], mark?: string) => void
}

/** A name for a field that no other one has: conditions know it by that. */
function freeName(form: readonly FormField[]): string {
  const taken = new Set(form.map(({ name }) => name))
  let n = 1
  while (taken.has(`field${n}`)) n += 1
  return `field${n}`
}

/** The fields of the form with which the process is started, in order. */
export function FormInput({ form, onChange }: FormInputProps) {
  const t = useT()
  const [open, setOpen] = useState<number | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const isNew = useRef(false)
  // Whoever adds a field names it next.
  useEffect(() => {
    if (!isNew.current || open === null) return
    isNew.current = false
    const name = list.current?.querySelector<HTMLInputElement>('.design-form-field input')
    name?.focus()
    name?.select()
  }, [open])
  const move = (at: number, by: 1 | -1) => {
    const to = at + by
    if (to < 0 || to >= form.length) return
    onChange(form.with(at, form[to]!).with(to, form[at]!))
    if (open === at) setOpen(to)
  }
  return (
    <div className="design-form">
      {form.length === 0 && <p className="muted">{t('design.noFields')}</p>}
      <ol ref={list}>
        {form.map((field, at) => {
          const name = field.label || field.name
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is typed changes every name that a field has
            <li key={at}>
              <div className="design-form-line">
                <button
                  type="button"
                  className="design-form-name"
                  aria-expanded={open === at}
                  onClick={() => setOpen(open === at ? null : at)}
                >
                  <Icon name={open === at ? 'chevron-down' : 'chevron-right'} size={14} />
                  <span>{name}</span>
                  <span className="muted">{t(`design.kind.${field.kind}`)}</span>
                  {field.required && <span className="muted">{t('design.required')}</span>}
                </button>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('design.fieldUp', { name })}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                >
                  <Icon name="arrow-up" size={16} />
                </button>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('design.fieldDown', { name })}
                  disabled={at === form.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <Icon name="arrow-down" size={16} />
                </button>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('design.fieldRemove', { name })}
                  onClick={() => {
                    onChange(form.toSpliced(at, 1))
                    setOpen(null)
                  }}
                >
                  <Icon name="trash-2" size={16} />
                </button>
              </div>
              {open === at && (
                <FieldSettings
                  field={field}
                  isTaken={form.some((other, i) => i !== at && other.name === field.name)}
                  onChange={(next, mark) => onChange(form.with(at, next), mark && `form ${at} ${mark}`)}
                />
              )}
            </li>
          )
        })}
      </ol>
      <button
        type="button"
        className="button small"
        onClick={() => {
          onChange([...form, { name: freeName(form), label: t('design.newField'), kind: 'text' }])
          isNew.current = true
          setOpen(form.length)
        }}
      >
        <Icon name="plus" size={16} />
        {t('design.addField')}
      </button>
    </div>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly isTaken: boolean
  readonly onChange: (field: FormField, mark?: string) => void
}

function FieldSettings({ field, isTaken, onChange }: FieldProps) {
  const t = useT()
  const { options, min, max, help, required, ...rest } = field
  const whole = { ...field }
  const isNumber = field.kind === 'integer' || field.kind === 'decimal'
  const bound = (name: 'min' | 'max', value: number | undefined) => {
    const { [name]: _, ...others } = whole
    onChange(value === undefined ? others : { ...others, [name]: value }, name)
  }
  const wrongName = isTaken
    ? t('design.nameTaken')
    : /^[\p{L}_][\p{L}\p{N}_]*$/u.test(field.name)
      ? undefined
      : t('design.nameWrong')
  return (
    <div className="design-form-field">
      <TextField
        label={t('design.label')}
        value={field.label}
        max={50}
        onChange={(label) => onChange({ ...whole, label }, 'label')}
      />
      <TextField
        label={t('design.name')}
        help={t('design.nameHelp')}
        {...(wrongName ? { wrong: wrongName } : {})}
        max={50}
        value={field.name}
        onChange={(name) => onChange({ ...whole, name }, 'name')}
      />
      <Choice
        label={t('design.kind')}
        value={field.kind}
        options={formFieldKinds.map((kind) => ({ value: kind, label: t(`design.kind.${kind}`) }))}
        onChange={(kind) =>
          onChange({
            ...rest,
            kind,
            ...(required ? { required } : {}),
            ...(help ? { help } : {}),
            ...(kind === 'choice'
              ? { options: options ?? [{ key: '1', label: t('design.option', { number: 1 }) }] }
              : {}),
          })
        }
      />
      {field.kind !== 'flag' && (
        <Check
          label={t('design.required')}
          checked={required === true}
          onChange={(checked) => {
            const { required: _, ...others } = whole
            onChange(checked ? { ...others, required: true } : others)
          }}
        />
      )}
      {isNumber && (
        <div className="design-pair">
          <NumberField label={t('design.min')} value={min} onChange={(value) => bound('min', value)} />
          <NumberField label={t('design.max')} value={max} onChange={(value) => bound('max', value)} />
        </div>
      )}
      {field.kind === 'choice' && (
        <TextField
          label={t('design.options')}
          help={t('design.optionsHelp')}
          lines={4}
          max={4000}
          value={(options ?? []).map(({ label }) => label).join('\n')}
          onChange={(text) =>
            onChange(
              {
                ...whole,
                // A line keeps the key that it has: what was answered before still means the same.
                options: text
                  .split('\n')
                  .map((label, at) => ({ key: options?.[at]?.key ?? keyAfter(options ?? [], at), label })),
              },
              'options',
            )
          }
        />
      )}
      <TextField
        label={t('design.help')}
        value={help ?? ''}
        onChange={(text) => {
          const { help: _, ...others } = whole
          onChange(text === '' ? others : { ...others, help: text }, 'help')
        }}
      />
    </div>
  )
}

/** The key of another option: one more than the largest number among them. */
const keyAfter = (options: NonNullable<FormField['options']>, at: number): string =>
  String(Math.max(0, ...options.map(({ key }) => Number(key) || 0)) + 1 + Math.max(0, at - options.length))
