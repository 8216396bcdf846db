import { type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'
import { useWords } from '../words.ts'
import { type FormStore, useWrong } from './store.ts'
import './form.css'

/** What an input needs to belong to its label, help and error. */
export interface InputTies {
  readonly id: string
  readonly 'aria-required'?: true
  readonly 'aria-invalid'?: true
  readonly 'aria-describedby'?: string
}

interface FieldProps {
  readonly form: FormStore
  readonly name: string
  readonly label: string
  /** The end of the label, where the heading over the field says the rest to those who see it. */
  readonly short?: string | undefined
  readonly required?: boolean
  readonly help?: string
  /** A field as wide as the form. */
  readonly wide?: boolean
  /** Whether there are several inputs, which are named by what holds them. */
  readonly group?: boolean
  readonly children: (ties: InputTies) => ReactNode
}

/** Label above, input, and under it the help or, instead, what is wrong. */
export function Field({ form, name, label, short, required, help, wide, group, children }: FieldProps) {
  const wrong = useWrong(form, name)
  const words = useWords()
  const id = useId()
  const note = wrong ? (typeof wrong === 'string' ? wrong : words(wrong)) : help
  const ties: InputTies = {
    id,
    'aria-required': required || undefined,
    'aria-invalid': wrong ? true : undefined,
    'aria-describedby': note ? `${id}-note` : undefined,
  }
  const Label = group ? 'div' : 'label'
  return (
    <div className={`ff${wide ? ' ff-wide' : ''}${wrong ? ' ff-bad' : ''}`} data-field={name}>
      <Label {...(group ? {} : { htmlFor: id })} className="ff-label">
        {short ? (
          <>
            <span className="ff-said">{label.slice(0, -short.length)}</span>
            {short}
          </>
        ) : (
          label
        )}
        {required && (
          <span className="ff-star" aria-hidden="true">
            *
          </span>
        )}
      </Label>
      {children(ties)}
      {/* There with nothing in it too: what is said later moves nothing. */}
      <div className="ff-note">
        {note && (
          <div id={`${id}-note`} className={wrong ? 'ff-wrong' : 'ff-help'}>
            {wrong && <Icon name="triangle-alert" size={12} />}
            {note}
          </div>
        )}
      </div>
    </div>
  )
}

interface GroupProps {
  readonly label?: string
  /** A picture, beside the fields. */
  readonly picture?: ReactNode
  readonly children: ReactNode
}

/** A heading over fields that belong together. */
export function FieldGroup({ label, picture, children }: GroupProps) {
  const id = useId()
  const grid = <div className="ff-grid">{children}</div>
  const body = picture ? (
    <div className="ff-pictured">
      {grid}
      {picture}
    </div>
  ) : (
    grid
  )
  if (!label) return body
  return (
    <fieldset aria-labelledby={id} className="ff-group">
      <h3 id={id}>{label}</h3>
      {body}
    </fieldset>
  )
}
