import type { Field as FieldOf } from '@data-brain/contract'
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Field } from '../../ui/form/field.tsx'
import type { FormStore } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { EntityClient } from '../data/client.ts'
import { type NumberedField, nextNumber } from '../data/next-number.ts'
import { useRecord } from '../fields/control.tsx'
import { fieldKinds } from '../fields/kinds/index.ts'
import { tidyValue } from '../fields/tidy.ts'
import { checkField } from '../fields/validate.ts'
import { toWire } from '../form/draft.ts'

interface CellNumberProps {
  readonly client: EntityClient
  readonly form: FormStore
  readonly counted: NumberedField
  /** What the row is about to belong to. */
  readonly owner: string
  /** The number of the form stands: it was typed before, and refused. */
  readonly kept: boolean
  readonly onSave: (number: AlongValues) => void
  /** Saves with the number as it stands; nothing happens while it is not known or wrong. */
  readonly save: RefObject<(() => void) | null>
}

/** Values of other fields that are stored with the one of the cell. */
export type AlongValues = Readonly<Record<string, unknown>>

/** The number that a row gets where it goes: the next one there is proposed, and nothing is saved before it was seen. */
export function CellNumber({ client, form, counted, owner, kept, onSave, save }: CellNumberProps) {
  const { entity } = useRecord()
  const t = useT()
  const pick = useWords()
  const { field: name } = counted
  const field = entity.fields[name] as FieldOf
  const label = pick(field.label)
  const box = useRef<HTMLFormElement>(null)
  const isFilled = useRef(true)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    box.current?.querySelector('input')?.focus()
    if (kept) return setReady(true)
    let isHere = true
    setReady(false)
    form.set(name, null)
    form.setWrong(name, null)
    nextNumber(entity, client, counted, owner)
      // Without an answer it is asked for all the same.
      .catch(() => null)
      .then((next) => {
        if (!isHere) return
        isFilled.current = form.value(name) === null
        if (isFilled.current) form.set(name, next)
        setReady(true)
      })
    return () => {
      isHere = false
    }
  }, [entity, client, form, counted, name, owner, kept])
  // The proposal is there to be typed over. The input puts its cursor back after a value that is set.
  useEffect(() => {
    const input = box.current?.querySelector('input')
    const timer = setTimeout(() => isReady && isFilled.current && input === document.activeElement && input?.select())
    return () => clearTimeout(timer)
  }, [isReady])
  const submit = () => {
    const value = tidyValue(field, form.value(name))
    const wrong = checkField(field, value, undefined)
    form.setWrong(name, wrong)
    if (isReady && !wrong) onSave({ [name]: toWire(field, value) })
  }
  useImperativeHandle(save, () => submit)
  const Control = fieldKinds[field.kind].Control
  return (
    <form
      ref={box}
      className="cell-number"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field form={form} name={name} label={label} help={t('form.nextNumber')}>
        {(ties) => (
          <Control
            {...{ name, field, label, form, ties, disabled: false }}
            onChange={(value) => {
              form.set(name, value)
              form.setWrong(name, null)
            }}
            onBlur={() => {}}
          />
        )}
      </Field>
      <span className="cell-choices">
        <button type="submit" className="button primary" disabled={!isReady}>
          {t('form.save')}
        </button>
      </span>
    </form>
  )
}
