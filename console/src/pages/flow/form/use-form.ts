import type { Entity } from '@data-brain/contract'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { CellWords } from '../../../entity/display/index.ts'
import { checkForm, tidyValue } from '../../../entity/fields/index.ts'
import {
  dropDraft,
  type FormParts,
  fieldsOf,
  focusField,
  keepDrafts,
  readDraft,
  shownFields,
} from '../../../entity/form/index.ts'
import type { HttpProblem } from '../../../http/client.ts'
import { announce } from '../../../ui/announce.tsx'
import { isDateKind } from '../../../ui/date/read.ts'
import { createForm, type FormStore } from '../../../ui/form/store.ts'
import { useLanguage, useT } from '../../../ui/words.ts'
import { type AskedField, begunWith, dictionariesOf, entityOfFields } from './fields.ts'
import { useFlowParts } from './inputs.tsx'

const NO_REGIONS = {}
const never = () => null

interface Faults {
  readonly field?: string
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
}

export interface FlowForm {
  readonly entity: Entity
  readonly form: FormStore
  readonly words: CellWords
  readonly parts: FormParts
  readonly body: RefObject<HTMLDivElement | null>
  /** When what stands in it was typed, where that was before it was opened. */
  readonly draftAt: number | null
  readonly judged: boolean
  readonly focusOn: (name: string | undefined) => void
  /** Whether all of it is in order; what is not is shown, and the first of it has the focus. */
  readonly judge: () => boolean
  /** Shows at its fields what the server refused; answers what is left to be said. */
  readonly refused: (problem: HttpProblem) => string
  /** Forgets what was typed: it is sent, or thrown away. */
  readonly clear: () => void
}

/** A form that a process brings with it: its fields in the inputs of the engine, kept as a draft while it is typed. */
export function useFlowForm(name: string, fields: readonly AskedField[]): FlowForm {
  const t = useT()
  const language = useLanguage()
  const entity = useMemo(() => entityOfFields(name, fields), [name, fields])
  const parts = useFlowParts(fields)
  const words: CellWords = useMemo(
    () => ({ t, language, dictionaries: dictionariesOf(fields), regions: NO_REGIONS }),
    [t, language, fields],
  )
  const body = useRef<HTMLDivElement>(null)
  const [judged, setJudged] = useState(false)
  const [{ form, draftAt }, setMade] = useState(() => begin(entity, fields))
  const made = useRef(entity)
  useEffect(() => {
    if (made.current === entity) return
    made.current = entity
    setMade(begin(entity, fields))
  }, [entity, fields])
  useEffect(() => keepDrafts(entity, null, form, never, () => {}), [entity, form])

  const focusOn = (field: string | undefined) => focusField(body.current, field)
  const showMistakes = () => {
    setJudged(true)
    announce(t('form.mistakes', { count: form.wrongs().size }), 'assertive')
    requestAnimationFrame(() => focusOn(shownFields(body.current).find((each) => form.wrongs().has(each))))
  }
  return {
    ...{ entity, form, words, parts, body, draftAt, judged, focusOn },
    judge: () => {
      const names = fieldsOf(entity)
      for (const each of names) {
        const field = entity.fields[each]!
        if (isDateKind(field.kind)) form.set(each, tidyValue(field, form.value(each)))
      }
      const wrong = checkForm(entity, names, form.values(), {})
      for (const each of names) form.setWrong(each, wrong.get(each) ?? null)
      if (wrong.size > 0) showMistakes()
      return wrong.size === 0
    },
    refused: (problem) => {
      const data = problem.data as Faults | null
      const named = data?.fields ?? (data?.field ? [{ field: data.field, message: problem.message }] : [])
      const mine = named.filter(({ field }) => Object.hasOwn(entity.fields, field))
      for (const { field, message } of mine) form.setWrong(field, message)
      if (mine.length > 0) showMistakes()
      return mine.length > 0 ? '' : problem.message || t('spec.unknownError')
    },
    clear: () => {
      // What was typed in the last second waits to be kept: nothing of it is left.
      form.reset(begunWith(entity, fields))
      dropDraft(entity, null)
      setMade({ form, draftAt: null })
    },
  }
}

function begin(entity: Entity, fields: readonly AskedField[]): { form: FormStore; draftAt: number | null } {
  const form = createForm(begunWith(entity, fields))
  const draft = readDraft(entity, null)
  for (const [field, value] of Object.entries(draft?.values ?? {})) form.set(field, value)
  return { form, draftAt: draft?.at ?? null }
}
