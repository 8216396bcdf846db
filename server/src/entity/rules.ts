import type { Entity, ValuesOf } from '@data-brain/contract'
import { fieldProblem } from '../kernel/problem.ts'
import type { Context } from './repository.ts'

/** A row as it stands. */
export type StoredRow<E extends Entity> = ValuesOf<E> & { readonly status: number; readonly version: number }

/** A row about to be saved. A rule may change `values`, and throws a Problem to refuse. */
export interface Saving<E extends Entity = Entity> {
  readonly context: Context
  readonly id: string
  /** The row as it stands, or undefined when it is new. */
  readonly before: StoredRow<E> | undefined
  /** What will be stored: only the fields that are new. */
  readonly values: Partial<ValuesOf<E>>
  /** The row as it will be. */
  readonly whole: ValuesOf<E>
  /** The status that it is to have from now on, where that is said; a rule may set it. */
  status?: number | undefined
}

export interface Removing<E extends Entity = Entity> {
  readonly context: Context
  readonly id: string
  readonly before: StoredRow<E>
}

/** What is special about an entity, inside the transaction of the request. */
export interface Rules<E extends Entity = Entity> {
  beforeSave?(saving: Saving<E>): Promise<void>
  afterSave?(saving: Saving<E>): Promise<void>
  beforeRemove?(removing: Removing<E>): Promise<void>
  /** Of rows that are added many at once, which meet no other rule: `count` more of them. */
  beforeMany?(context: Context, count: number): Promise<void>
  afterRemove?(removing: Removing<E>): Promise<void>
}

/** Whether a save changes any of these fields. */
export const changesField = <E extends Entity>(saving: Saving<E>, ...names: (keyof E['fields'] & string)[]): boolean =>
  names.some((name) => name in saving.values)

/** Refuses a save for one field, in words of both languages that go on after the field's label. */
export function refuseField<E extends Entity>(
  { context }: Pick<Saving, 'context'>,
  entity: E,
  field: keyof E['fields'] & string,
  zh: string,
  en: string,
): never {
  const { label } = entity.fields[field]!
  throw fieldProblem([{ field, label, reason: { zh, en } }], context.circumstance.language)
}

const registered = new Map<string, Rules[]>()

/** Adds rules to an entity; called by the modules when the server is put together. */
export function addRules<E extends Entity>(entity: E, rules: Rules<E>): void {
  // Whoever looks them up has a row of this entity, and knows it by its name alone.
  registered.set(entity.name, [...(registered.get(entity.name) ?? []), rules as Rules])
}

export const rulesOf = (entity: Pick<Entity, 'name'>): readonly Rules[] => registered.get(entity.name) ?? []
