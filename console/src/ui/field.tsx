import { type InputHTMLAttributes, useId } from 'react'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: string
  help?: string
  error?: string
}

/** A labelled native input with its help or its error below, tied to it for assistive technology. */
export function Field({ label, help, error, required, ...input }: FieldProps) {
  const id = useId()
  const note = error ?? help
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && (
          <span className="must" aria-hidden="true">
            *
          </span>
        )}
      </label>
      <input
        {...input}
        id={id}
        className="input"
        aria-required={required}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      {note && (
        <p id={`${id}-note`} className={error ? 'field-error' : 'field-help'}>
          {note}
        </p>
      )}
    </div>
  )
}
