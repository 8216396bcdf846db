import { codeOf, type Entity, entityOf, type Field, owner } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useCan } from '../../session/session.ts'
import { type FormStore, useValue } from '../../ui/form/store.ts'
import type { Choice } from '../data/calls.ts'
import { useChoices, useEntity } from '../data/client.ts'
import { nearOf, parentsOf } from '../fields/select.tsx'

/** The values of several fields as one text, so that a change in any of them draws this again. */
export function useSeveral(form: FormStore, names: readonly string[]): Record<string, string> {
  const watch = useCallback(
    (tell: () => void) => {
      const stops = names.map((name) => form.watch(name, tell))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [form, names],
  )
  const text = useSyncExternalStore(watch, () =>
    JSON.stringify(
      names.flatMap((name) =>
        typeof form.value(name) === 'string' && form.value(name) ? [[name, form.value(name)]] : [],
      ),
    ),
  )
  return Object.fromEntries(JSON.parse(text) as [string, string][])
}

const parentLists = new WeakMap<Field, readonly string[]>()
/** The fields of a form that narrow the choice for one of its references. */
export function parentList(entity: Entity, field: Field, name: string): readonly string[] {
  const known = parentLists.get(field)
  if (known) return known
  const made = parentsOf(entity, field, name)
  parentLists.set(field, made)
  return made
}

const NONE: readonly string[] = []
const nearLists = new WeakMap<Field, readonly string[]>()
/** The field of a form that brings choices for one of its references to the front, as a list of one or none. */
export function nearList(entity: Entity, field: Field, name: string): readonly string[] {
  const known = nearLists.get(field)
  if (known) return known
  const near = nearOf(entity, field, name)
  const made = near === undefined ? [] : [near]
  nearLists.set(field, made)
  return made
}

/** The row to propose among these: the only one, or else the main or current one where just one is that. */
export function proposedRow(choices: readonly Choice[]): string | undefined {
  if (choices.length === 1) return choices[0]?.id
  const usual = choices.filter((choice) => choice.usual)
  return usual.length === 1 ? usual[0]?.id : undefined
}

interface ProposalProps {
  readonly entity: Entity
  readonly name: string
  readonly form: FormStore
}

/** Chooses for a new row what can only be one: the only school, the main campus, the current year. It is no change of the form's. */
function Proposal({ entity, name, form }: ProposalProps) {
  const field = entity.fields[name]!
  const target = entityOf(field.to!)
  const parents = parentList(entity, field, name)
  const within = useSeveral(form, parents)
  // The school follows from whom it is about; who it is follows from nothing.
  const [near] = Object.values(useSeveral(form, name === owner.field ? nearList(entity, field, name) : NONE))
  const value = useValue(form, name)
  const key = JSON.stringify([within, near])
  // Cleared by hand it stays empty, until it is another school's.
  const asked = useRef<string | null>(null)
  // Campuses are those of a school: before that is known, none is the only one.
  const ready = parents.every((parent) => within[parent] !== undefined || !entity.fields[parent]?.required)
  const wanted = ready && (value === null || value === undefined) && asked.current !== key
  const found = useChoices(target.name, target.path, { ...within, ...(near ? { near } : {}) }, wanted)
  const { data, isPlaceholderData } = found
  useEffect(() => {
    if (!wanted || data === undefined || isPlaceholderData) return
    // After the form has begun anew, which it does in an effect of its own.
    queueMicrotask(() => {
      asked.current = key
      const id = proposedRow(data)
      const isEmpty = form.value(name) === null || form.value(name) === undefined
      if (id !== undefined && isEmpty) form.settle({ [name]: id })
    })
  }, [wanted, data, isPlaceholderData, key, form, name])
  return null
}

/** The references of an entity that a new row cannot do without, and of which there may be just one. */
export const proposableFields = (entity: Entity): string[] =>
  Object.entries(entity.fields).flatMap(([name, field]) =>
    field.kind === 'reference' && field.required && !field.computed && field.to !== entity.name ? [name] : [],
  )

/** Proposes for a new row what can only be one. It draws nothing. */
export function Proposals({ entity, form }: Omit<ProposalProps, 'name'>) {
  return proposableFields(entity).map((name) => <Proposal key={name} entity={entity} name={name} form={form} />)
}

/** Fills in what a chosen row belongs to and the form does not say yet: the school and the grade of a class. */
function Owner({ entity, name, form }: ProposalProps) {
  const field = entity.fields[name]!
  const target = entityOf(field.to!)
  const owners = ownersOf(entity, name)
  const value = useValue(form, name)
  const known = useSeveral(form, owners)
  const client = useEntity(target)
  const can = useCan()
  const isWanted =
    can(codeOf(target, 'view')) &&
    typeof value === 'string' &&
    value !== '' &&
    owners.some((owner) => known[owner] === undefined)
  const query = { id: String(value ?? ''), columns: owners.join(), current: 1, size: 1 }
  const { data } = useQuery({ ...client.list(query), placeholderData: undefined, enabled: isWanted })
  useEffect(() => {
    const row = data?.records[0]
    if (!isWanted || row === undefined || row.id !== form.value(name)) return
    for (const owner of owners) {
      const isEmpty = form.value(owner) === null || form.value(owner) === undefined
      if (!isEmpty || typeof row[owner] !== 'string') continue
      form.set(owner, row[owner])
      form.setWrong(owner, null)
    }
  }, [isWanted, data, owners, form, name])
  return null
}

const ownerLists = new Map<string, readonly string[]>()
/** The references of a form that the row of one of its references has as well. */
function ownersOf(entity: Entity, name: string): readonly string[] {
  const key = `${entity.name}.${name}`
  const field = entity.fields[name]!
  const made =
    ownerLists.get(key) ??
    parentList(entity, field, name).filter(
      (owner) =>
        entity.fields[owner]?.kind === 'reference' &&
        !entity.fields[owner].computed &&
        entityOf(field.to!).fields[owner]?.to === entity.fields[owner].to,
    )
  ownerLists.set(key, made)
  return made
}

/** Follows each choice of a form up to what the chosen row belongs to. It draws nothing. */
export function Owners({ entity, form }: Omit<ProposalProps, 'name'>) {
  return Object.entries(entity.fields).flatMap(([name, field]) =>
    field.kind === 'reference' && !field.computed && !entityOf(field.to!).isFile && ownersOf(entity, name).length > 0
      ? [<Owner key={name} entity={entity} name={name} form={form} />]
      : [],
  )
}
