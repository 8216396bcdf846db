import type { Entity } from '@data-brain/contract'
import { HttpProblem } from '../../http/client.ts'
import { sessionStore } from '../../session/session.ts'
import { type FormStore, sameValue, type Values } from '../../ui/form/store.ts'
import type { Translate } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { tidyValue } from '../fields/tidy.ts'
import { toWire, valuesOf } from './draft.ts'

/** Values as their fields are left. */
export const tidiedValues = (entity: Entity, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = entity.fields[name]
      return [name, field ? tidyValue(field, value) : value]
    }),
  )

/** The row as it is stored now, where a save was refused because it has changed. */
export function staleRow(problem: unknown): ShownRow | undefined {
  if (!(problem instanceof HttpProblem) || problem.code !== 409) return undefined
  return (problem.data as { readonly theirs?: ShownRow } | null)?.theirs
}

/** Whether all that the form changes is stored already, as after a save whose answer was lost. */
export function isStored(entity: Entity, form: FormStore, theirs: ShownRow): boolean {
  const [stored, meant] = [valuesOf(entity, theirs), tidiedValues(entity, form.values())]
  return form.changed().every((name) => name in stored && sameValue(meant[name], stored[name]))
}

/** Whether it was oneself who changed a row last. */
const isMine = (row: ShownRow): boolean => row.updateUser === sessionStore.get()?.userId

/** Who changed a row last, in words; oneself is nobody else. */
export const whoChanged = (row: ShownRow, t: Translate): string =>
  isMine(row) ? t('form.staleSelf') : (row.updateUserName as string | null) || t('form.staleSomebody')

/** Whether a row has changed since by nothing but a save of one's own that got no answer. */
export function isUnanswered(
  entity: Entity,
  theirs: ShownRow,
  sent: Readonly<Record<string, unknown>> | null,
): boolean {
  if (!sent || !isMine(theirs) || theirs.version !== Number(sent.version) + 1) return false
  const stored = valuesOf(entity, theirs)
  return Object.keys(sent).every((name) => {
    const kind = entity.fields[name]?.kind
    // What is stored masked says nothing.
    if (!(name in stored) || kind === 'personal' || kind === 'secret') return true
    return JSON.stringify(toWire(entity.fields[name], stored[name])) === JSON.stringify(sent[name])
  })
}
