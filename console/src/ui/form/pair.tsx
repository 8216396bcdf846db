import { type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'
import { useWords } from '../words.ts'
import type { InputTies } from './field.tsx'
import { type FormStore, useWrong } from './store.ts'
import './form.css'

interface Part {
  readonly name: string
  readonly label: string
  readonly required: boolean
  readonly input: (ties: InputTies) => ReactNode
}

interface PairProps {
  readonly form: FormStore
  readonly label: string
  readonly required: boolean
  readonly parts: readonly [Part, Part]
  readonly help: string | undefined
}

/** Two inputs that look like one, under one label; what is wrong with either is said beneath. */
export function PairField({ form, label, required, parts, help }: PairProps) {
  const words = useWords()
  const id = useId()
  const wrongs = [useWrong(form, parts[0].name), useWrong(form, parts[1].name)]
  const isWrong = wrongs.some(Boolean)
  return (
    <fieldset className="ff ff-wide" aria-labelledby={id}>
      <div className="ff-label" id={id}>
        {label}
        {required && (
          <span className="ff-star" aria-hidden="true">
            *
          </span>
        )}
      </div>
      <div className="ff-pair">
        {parts.map(({ name, label: own, required: must, input }, at) => {
          const note = wrongs[at] ? `${id}-${at}` : help && !isWrong && at === 1 ? `${id}-help` : undefined
          return (
            <div key={name} className={wrongs[at] ? 'ff-bad' : undefined} data-field={name}>
              <label className="sr-only" htmlFor={`${id}-${name}`}>
                {own}
              </label>
              {input({
                id: `${id}-${name}`,
                'aria-required': must || undefined,
                'aria-invalid': wrongs[at] ? true : undefined,
                'aria-describedby': note,
              })}
            </div>
          )
        })}
      </div>
      <div className="ff-note">
        {parts.map(({ name }, at) => {
          const wrong = wrongs[at]
          return (
            wrong && (
              <div key={name} id={`${id}-${at}`} className="ff-wrong">
                <Icon name="triangle-alert" size={12} />
                {typeof wrong === 'string' ? wrong : words(wrong)}
              </div>
            )
          )
        })}
        {help && !isWrong && (
          <div id={`${id}-help`} className="ff-help">
            {help}
          </div>
        )}
      </div>
    </fieldset>
  )
}
