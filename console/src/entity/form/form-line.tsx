import type { Entity } from '@data-brain/contract'
import { type MouseEvent, type ReactNode, useId } from 'react'
import type { FormStore } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import { inSentence } from '../display/cell.tsx'
import { addLine, linesOf, removeLine } from './along.ts'
import { focusField } from './form-focus.ts'
import { useTold } from './form-sections.tsx'

interface LineProps {
  readonly entity: Entity
  readonly label: string | undefined
  readonly line: number
  readonly fields: readonly string[]
  readonly form: FormStore
  readonly one: (name: string) => ReactNode
}

/** One of the rows that are made along with a new one; under the last of them another one can be asked for. */
export function FormLine({ entity, label = '', line, fields, form, one }: LineProps) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const id = useId()
  const part = entity.along!
  const count = Number(useTold(form, () => String(linesOf(part, form))))
  if (line >= count) return null
  // A frame later: the line is there by then, or gone.
  const goTo = ({ currentTarget }: MouseEvent, name: string) => {
    const body = currentTarget.closest<HTMLElement>('.entity-form')
    requestAnimationFrame(() => focusField(body, name))
  }
  const remove = t('form.removeLine', { label: inSentence(label, language) })
  return (
    <fieldset aria-labelledby={id} className="ff-group ff-line">
      <h3 id={id}>{label}</h3>
      <div className="ff-grid ff-three">{fields.map(one)}</div>
      {count > 1 && (
        <button
          type="button"
          className="icon-button ff-remove"
          aria-label={remove}
          title={remove}
          onClick={(event) => {
            removeLine(part, form, line)
            const next = Math.min(line, count - 2)
            goTo(event, fields[0]!.replace(`.${line}.`, `.${next}.`))
          }}
        >
          <Icon name="trash-2" size={16} />
        </button>
      )}
      {line === count - 1 && count < part.called.length && (
        <button type="button" className="button plain ff-another" onClick={(event) => goTo(event, addLine(part, form))}>
          <Icon name="plus" size={16} />
          {pick(part.another)}
        </button>
      )}
    </fieldset>
  )
}
