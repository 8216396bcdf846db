import { type Entity, entityOf, type Field, hiddenSecret, isMasked, type Kind, rules } from '@data-brain/contract'
import { Input, InputNumber, Switch } from 'antd'
import { type ReactNode, Suspense, useState } from 'react'
import { DateBox } from '../../ui/date/box.tsx'
import type { DateKind } from '../../ui/date/read.ts'
import type { InputTies } from '../../ui/form/field.tsx'
import { type FormStore, useValue } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { Dictionaries } from '../data/client.ts'
import { useMaking } from '../form/create-in-place.tsx'
import { parentList, useSeveral } from '../form/proposed-values.tsx'
import { ImageControl } from './image.tsx'
import { DictSelect, parentsOf, ReferenceSelect } from './select.tsx'
import '../form/form-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

/** What an input of the form needs to know. */
export interface ControlProps {
  readonly entity: Entity
  readonly name: string
  readonly field: Field
  readonly label: string
  readonly form: FormStore
  readonly ties: InputTies
  readonly disabled: boolean
  readonly dictionaries: Dictionaries
  /** Shown names of the rows that references point at. */
  readonly names: Readonly<Record<string, string>>
  readonly onChange: (value: unknown) => void
  readonly onBlur: () => void
  /** Whether what is missing can be made from here. */
  readonly mayMake?: boolean
}

function TextControl({ field, form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name)
  return (
    <Input
      {...ties}
      type={field.rule === 'email' ? 'email' : 'text'}
      inputMode={field.rule && rules[field.rule].inputMode}
      autoComplete="off"
      disabled={disabled}
      value={(value as string | null) ?? ''}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
      suffix={field.rule === 'color' ? <ColorDot value={value} /> : undefined}
    />
  )
}

function ColorDot({ value }: { value: unknown }) {
  return (
    <i className="color-dot" style={{ background: typeof value === 'string' ? value : undefined }} aria-hidden="true" />
  )
}

/** A masked number is selected as a whole when one comes to it, so that the first key replaces the stars. */
function PersonalControl({ form, name, field, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = (useValue(form, name) as string | null) ?? ''
  return (
    <Input
      {...ties}
      inputMode={field.rule && rules[field.rule].inputMode}
      autoComplete="off"
      disabled={disabled}
      value={value}
      onFocus={(event) => {
        if (isMasked(value)) event.target.select()
      }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}

/** A secret is written and never read: what stands for the stored one is replaced as soon as somebody types. */
function SecretControl({ form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = (useValue(form, name) as string | null) ?? ''
  return (
    <Input.Password
      {...ties}
      autoComplete="new-password"
      disabled={disabled}
      value={value}
      visibilityToggle={value !== hiddenSecret}
      onFocus={(event) => {
        if (value === hiddenSecret) event.target.select()
      }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}

function AreaControl({ form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name)
  return (
    <Input.TextArea
      {...ties}
      autoSize={{ minRows: 2, maxRows: 8 }}
      disabled={disabled}
      value={(value as string | null) ?? ''}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}

const ValueControl = lazyPart(() => import('../value/control.tsx'))

function JsonControl(props: ControlProps) {
  if (props.field.as === 'weeks') return <TextControl {...props} />
  return (
    <Suspense fallback={<div className="ff-fixed" />}>
      <ValueControl {...props} />
    </Suspense>
  )
}

/** A number, or none: nobody has to know which number stands for that. */
function LimitControl({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const pick = useWords()
  const value = useValue(form, name) as number | null
  const { value: none, label: word } = field.none!
  const isNone = value === none
  const [last, setLast] = useState<number | null>(null)
  return (
    <div className="ff-limit">
      <InputNumber<number>
        {...ties}
        min={0}
        disabled={disabled || isNone}
        placeholder={isNone ? pick(word) : undefined}
        value={isNone ? null : value}
        onChange={onChange}
        onBlur={onBlur}
      />
      <label className="check">
        <input
          type="checkbox"
          aria-label={`${label} ${pick(word)}`}
          disabled={disabled}
          checked={isNone}
          onChange={({ target }) => {
            if (target.checked) setLast(value)
            onChange(target.checked ? none : last)
          }}
        />
        {pick(word)}
      </label>
    </div>
  )
}

function NumberControl(props: ControlProps) {
  const { field, form, name, ties, disabled, onChange, onBlur } = props
  const value = useValue(form, name)
  if (field.none) return <LimitControl {...props} />
  return (
    <InputNumber<number>
      {...ties}
      className="ff-full"
      disabled={disabled}
      value={(value as number | null) ?? null}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}

/** Yes or no, as a list: a switch would have to be turned and then confirmed. */
export function FlagChoice({ field, form, name, label, ties, disabled, onChange }: ControlProps) {
  const t = useT()
  const entries = [1, 0].map((key) => ({
    dictKey: String(key),
    dictValue: t(key === 1 ? 'entity.yes' : 'entity.no'),
    dictValueEn: t(key === 1 ? 'entity.yes' : 'entity.no'),
    sort: key,
  }))
  const value = useValue(form, name)
  return (
    <DictSelect
      {...ties}
      label={label}
      className="ff-full"
      placeholder={t('form.choose')}
      entries={entries}
      disabled={disabled ?? false}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(next) => onChange(next === null ? (field.required ? 0 : null) : Number(next))}
    />
  )
}

function FlagControl(props: ControlProps) {
  const { field, form, name, label, ties, disabled, onChange } = props
  const t = useT()
  const value = useValue(form, name)
  // What is neither on nor off is not known.
  if (!field.required && field.default === undefined) return <FlagChoice {...props} />
  return (
    <span className="ff-switch">
      <Switch
        id={ties.id}
        aria-label={label}
        aria-describedby={ties['aria-describedby']}
        disabled={disabled}
        checked={Number(value) === 1}
        onChange={(on) => onChange(on ? 1 : 0)}
      />
      <span aria-hidden="true">{t(Number(value) === 1 ? 'entity.yes' : 'entity.no')}</span>
    </span>
  )
}

function ChoiceControl({ field, form, name, label, ties, disabled, dictionaries, onChange, onBlur }: ControlProps) {
  const t = useT()
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
    />
  )
}

function ReferenceControl(props: ControlProps) {
  const { entity, field, form, name, label, ties, disabled, names, onChange, onBlur } = props
  const t = useT()
  const value = useValue(form, name) as string | string[] | null
  const within = useSeveral(form, parentList(entity, field, name))
  const choose = (next: string | string[] | null) => {
    onChange(next)
    // What was chosen within the old row does not belong to the new one.
    for (const [other, child] of Object.entries(entity.fields)) {
      if (child.to && !child.computed && parentsOf(entity, child, other).includes(name)) form.set(other, null)
    }
  }
  const loose = Object.keys(within).filter((parent) => entity.fields[parent]?.decidedBy === name)
  const making = useMaking(field.to!, within, choose, props.mayMake === true && field.kind === 'reference')
  if (field.kind === 'reference' && entityOf(field.to!).isFile) return <ImageControl {...props} />
  return (
    <>
      <ReferenceSelect
        {...ties}
        label={label}
        className="ff-full"
        placeholder={t('form.choose')}
        to={field.to!}
        multiple={field.kind === 'references'}
        max={field.max}
        within={within}
        loose={loose}
        // The server knows of which one it is.
        onWide={() => loose.map((parent) => form.set(parent, null))}
        names={names}
        disabled={disabled}
        value={value}
        onBlur={onBlur}
        onNew={making.start}
        onChange={choose}
      />
      {making.form}
    </>
  )
}

function DateControl({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name) as string | null
  return (
    <DateBox
      {...ties}
      kind={field.kind as DateKind}
      label={label}
      className="ff-full"
      disabled={disabled}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}

const RegionSelect = lazyPart(() => import('./region-select.tsx'))

function RegionControl({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const value = useValue(form, name) as string | null
  return (
    <Suspense fallback={<div className="ff-fixed" />}>
      <RegionSelect
        {...ties}
        label={label}
        className="ff-full"
        placeholder={t('form.choose')}
        disabled={disabled}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
      />
    </Suspense>
  )
}

/** The input of each kind of field. */
export const controls: Record<Kind, (props: ControlProps) => ReactNode> = {
  text: TextControl,
  area: AreaControl,
  integer: NumberControl,
  decimal: NumberControl,
  flag: FlagControl,
  choice: ChoiceControl,
  choices: ChoiceControl,
  date: DateControl,
  instant: DateControl,
  reference: ReferenceControl,
  references: ReferenceControl,
  region: RegionControl,
  personal: PersonalControl,
  secret: SecretControl,
  json: JsonControl,
}

/** Json values that fit beside another field. */
const narrow: ReadonlySet<Field['as']> = new Set(['weeks', 'halfDay'])
/** Json values that one input holds, or one button. */
const single: ReadonlySet<Field['as']> = new Set(['weeks', 'halfDay', 'targets'])
/** A field whose input is several, which its label cannot be tied to. */
export const isSeveral = (field: Field): boolean => field.kind === 'json' && !single.has(field.as)
/** A field that needs the whole width of the form. */
export const isWide = (field: Field): boolean =>
  field.kind === 'area' ||
  (field.kind === 'json' && !narrow.has(field.as)) ||
  (field.kind === 'text' && (field.max ?? 0) > 120) ||
  field.kind === 'references'
