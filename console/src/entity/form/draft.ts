import { type Entity, type Field, natureOf } from '@data-brain/contract'
import { isKnown } from '@data-brain/contract/rules/values'
import { readWeeks, weeksText } from '@data-brain/contract/rules/weeks'
import { draftKey, onKeepDrafts } from '../../session/draft.ts'
import { sessionStore } from '../../session/session.ts'
import type { FormStore, Values } from '../../ui/form/store.ts'
import type { ShownRow } from '../data/calls.ts'
import { isEmpty, tidyValue } from '../fields/tidy.ts'
import { isPairs, pairsOf, settingsOf } from '../value/pairs.ts'

/** What was typed and not saved: only what differs from the row, and the row's version then. */
export interface Draft {
  readonly at: number
  readonly version: number | null
  readonly values: Values
  /** What these fields said before: what somebody else has saved since differs from it. */
  readonly base?: Values
}

const keyOf = (entity: Entity, id: string | null) => draftKey(entity.name, id ?? undefined)

export function readDraft(entity: Entity, id: string | null): Draft | undefined {
  const text = sessionStorage.getItem(keyOf(entity, id))
  if (text === null) return undefined
  try {
    return JSON.parse(text) as Draft
  } catch {
    // Written by something else: as good as absent.
    return undefined
  }
}

export const dropDraft = (entity: Entity, id: string | null): void => sessionStorage.removeItem(keyOf(entity, id))

/** Whether it could be written. */
function writeDraft(entity: Entity, id: string | null, draft: Draft): boolean {
  try {
    sessionStorage.setItem(keyOf(entity, id), JSON.stringify(draft))
    return true
  } catch {
    // No room left: the form itself still holds everything.
    return false
  }
}

/**
 * Keeps what was changed, a second after the last key and when the page goes; nothing changed leaves nothing behind.
 * Tells since when everything in the form is kept, and, with the next key, that it no longer is.
 */
export function keepDrafts(
  entity: Entity,
  id: string | null,
  form: FormStore,
  version: () => number | null,
  tell: (at: number | null) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = (): boolean => {
    clearTimeout(timer)
    timer = undefined
    const changed = form.changed()
    // What is secret is typed again rather than left behind.
    const kept = changed.filter((name) => entity.fields[name]?.kind !== 'secret')
    if (kept.length === 0) {
      dropDraft(entity, id)
      return changed.length === 0
    }
    const values = Object.fromEntries(kept.map((name) => [name, form.value(name)]))
    const base = Object.fromEntries(kept.map((name) => [name, form.initial(name)]))
    const at = Date.now()
    const isWritten = writeDraft(entity, id, { at, version: version(), values, base })
    const isWhole = isWritten && kept.length === changed.length
    if (isWhole) tell(at)
    return isWhole
  }
  const stop = form.watchAll(() => {
    tell(null)
    clearTimeout(timer)
    timer = setTimeout(keep, 1000)
  })
  const stopKeeping = onKeepDrafts(keep)
  // Who reloads or leaves right after a key loses nothing either.
  addEventListener('pagehide', keep)
  return () => {
    stop()
    stopKeeping()
    removeEventListener('pagehide', keep)
    // A form that goes within that second, by Back or with its page, is kept as it stands; after a log-out nothing is.
    if (timer !== undefined && sessionStore.get()) keep()
    clearTimeout(timer)
  }
}

/** The fields a person fills in, in the order of the form. */
export function fieldsOf(entity: Entity): string[] {
  const own = Object.keys(entity.fields).filter((name) => !entity.fields[name]!.computed)
  return entity.status ? [...own, 'status'] : own
}

const toList = (value: unknown) =>
  typeof value === 'string' ? value.split(',').filter(Boolean) : ((value as string[] | null) ?? [])

/** A json value as its input holds it; one of an unknown shape stays what it is. */
function jsonInput(field: Field, value: unknown): unknown {
  if (isEmpty(value) || !isKnown(field, value)) return value ?? null
  if (field.as === 'weeks') return weeksText(value as readonly number[])
  return field.as === 'pairs' ? pairsOf(value) : value
}

/** A stored value as its input holds it. */
function toInput(field: Field | undefined, value: unknown): unknown {
  if (field?.kind === 'json') return jsonInput(field, value)
  // A few keys travel as numbers, as the API family has it; the dictionary knows them as texts.
  if (field?.kind === 'choice' && typeof value === 'number') return String(value)
  // A row at the top of its tree has the parent 0 on the wire; in a form that is no parent.
  if (field?.kind === 'reference' && value === '0') return null
  if (field?.kind === 'references' || field?.kind === 'choices') return toList(value)
  if (field && natureOf(field.kind) === 'number')
    return value === null || value === undefined || value === '' ? null : Number(value)
  return value ?? null
}

/** An input's value as it travels. */
export function toWire(field: Field | undefined, value: unknown): unknown {
  if (field === undefined) return Number(value)
  if (field.as === 'weeks' && typeof value === 'string') return readWeeks(value) ?? null
  if (field.as === 'pairs' && isPairs(value)) return isEmpty(value) ? null : settingsOf(value)
  if (field.kind === 'json') return isEmpty(value) ? null : tidyValue(field, value)
  if (field.comma) return toList(value).join(',')
  return value === '' || value === undefined ? null : tidyValue(field, value)
}

/** The form's values of a stored row. */
export function valuesOf(entity: Entity, row: ShownRow): Values {
  return Object.fromEntries(
    fieldsOf(entity).map((name) => [
      name,
      name === 'status' ? String(row.status) : toInput(entity.fields[name], row[name]),
    ]),
  )
}

/** The form's values of a row not yet made: defaults, and what the list is filtered by. */
export function initialValues(entity: Entity, preset: Readonly<Record<string, string>>): Values {
  return Object.fromEntries(
    fieldsOf(entity).map((name) => {
      const field = entity.fields[name]
      if (!field) return [name, String(entity.status?.default ?? 1)]
      const given = field.kind === 'reference' || field.kind === 'choice' ? preset[name] : undefined
      return [name, given ?? toInput(field, field.default ?? (field.kind === 'flag' && field.required ? 0 : null))]
    }),
  )
}

/** What to send: a new row whole, a stored one with only what changed and the version it was read at. */
export function draftOf(
  entity: Entity,
  form: FormStore,
  row: ShownRow | null,
  version: number | null,
): Record<string, unknown> {
  const names = row ? form.changed().filter((name) => fieldsOf(entity).includes(name)) : fieldsOf(entity)
  const values = Object.fromEntries(names.map((name) => [name, toWire(entity.fields[name], form.value(name))]))
  if (row) return { id: row.id, ...(version === null ? {} : { version }), ...values }
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
}
