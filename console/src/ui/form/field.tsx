import { type HTMLAttributes, type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'
import { useWords } from '../words.ts'
import { type FormStore, useWrong } from './store.ts'
import './form.css'

/** What an input needs to belong to its label, help and error. */
export type InputTies = Required<Pick<HTMLAttributes<HTMLElement>, 'id'>> &
  Pick<HTMLAttributes<HTMLElement>, 'aria-required' | 'aria-invalid' | 'aria-describedby'>

/** A label whose beginning the heading over the field says to those who see it. */
interface ContinuedLabel {
  readonly text: string
  /** The end of it. */
  readonly short: string
}

interface FieldProps {
  readonly form: FormStore
  readonly name: string
  readonly label: string | ContinuedLabel
  readonly required?: boolean
  readonly help?: string
  /** A field as wide as the form. */
  readonly wide?: boolean
  /** Whether there are several inputs, which are named by what holds them. */
  readonly group?: boolean
  readonly children: (ties: InputTies) => ReactNode
}

/** Label above, input, and under it the help or, instead, what is wrong. */
export function Field({ form, name, label, required, help, wide, group, children }: FieldProps) {
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
        {typeof label === 'string' ? (
          label
        ) : (
          <>
            <span className="ff-said">{label.text.slice(0, -label.short.length)}</span>
            {label.short}
          </>
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
