import { type ReactNode, useId } from 'react'
import { useT } from '../../../ui/words.ts'

interface LabelledProps {
  readonly label: string
  readonly help?: string
  readonly wrong?: string
  readonly children: (ties: { readonly id: string; readonly 'aria-describedby'?: string }) => ReactNode
}

/** A label over an input, and under it help, or what is wrong. */
export function Labelled({ label, help, wrong, children }: LabelledProps) {
  const id = useId()
  const note = wrong ?? help
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(note ? { 'aria-describedby': `${id}-note` } : {}) })}
      {note && (
        <p id={`${id}-note`} className={wrong ? 'field-error' : 'field-help'}>
          {note}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps<K extends string> {
  readonly label: string
  readonly value: K
  readonly options: readonly { readonly value: K; readonly label: string }[]
  readonly onChange: (value: K) => void
  readonly help?: string
}

/** One of a few. What stands there and is none of them stays until it is changed. */
export function Choice<K extends string>({ label, value, options, onChange, help }: ChoiceProps<K>) {
  const t = useT()
  const isKnown = options.some((option) => option.value === value)
  return (
    <Labelled label={label} {...(help ? { help } : {})}>
      {(ties) => (
        <select {...ties} className="input" value={value} onChange={(event) => onChange(event.target.value as K)}>
          {!isKnown && <option value={value}>{value === '' ? t('design.choose') : value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: string
  readonly wrong?: string
  readonly lines?: number
  readonly max?: number
}

/** A text; of several lines where `lines` says so. */
export function TextField({ label, value, onChange, help, wrong, lines, max = 200 }: TextProps) {
  const common = {
    className: 'input',
    value,
    maxLength: max,
    'aria-invalid': wrong ? true : undefined,
  } as const
  return (
    <Labelled label={label} {...(help ? { help } : {})} {...(wrong ? { wrong } : {})}>
      {(ties) =>
        lines ? (
          <textarea {...common} {...ties} rows={lines} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <input
            {...common}
            {...ties}
            type="text"
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Labelled>
  )
}

interface NumberProps {
  readonly label: string
  readonly value: number | undefined
  readonly min?: number
  readonly max?: number
  readonly onChange: (value: number | undefined) => void
}

/** A number; none where nothing is typed. */
export function NumberField({ label, value, min, max, onChange }: NumberProps) {
  return (
    <Labelled label={label}>
      {(ties) => (
        <input
          {...ties}
          className="input"
          type="number"
          min={min}
          max={max}
          value={value ?? ''}
          onChange={(event) => {
            const typed = event.target.valueAsNumber
            onChange(Number.isFinite(typed) ? typed : undefined)
          }}
        />
      )}
    </Labelled>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}

/** Settings that belong together, under a heading. */
export function Section({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className="design-section">
      <legend>{label}</legend>
      {children}
    </fieldset>
  )
}
