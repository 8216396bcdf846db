import type { Entity } from '@data-brain/contract'
import { fieldProblem } from '../kernel/problem.ts'
import type { Values } from './check.ts'
import type { Context } from './repository.ts'

/** A row about to be saved. A rule may change `values`, and throws a Problem to refuse. */
export interface Saving {
  readonly context: Context
  readonly id: string
  /** The row as it stands, or undefined when it is new. */
  readonly before: Values | undefined
  /** What will be stored: only the fields that are new. */
  readonly values: Values
  /** The row as it will be. */
  readonly whole: Values
  /** The status that it is to have from now on, where that is said; a rule may set it. */
  status?: number | undefined
}

export interface Removing {
  readonly context: Context
  readonly id: string
  readonly before: Values
}

/** What is special about an entity, inside the transaction of the request. */
export interface Rules {
  beforeSave?(saving: Saving): Promise<void>
  afterSave?(saving: Saving): Promise<void>
  beforeRemove?(removing: Removing): Promise<void>
  /** Of rows that are added many at once, which meet no other rule: `count` more of them. */
  beforeMany?(context: Context, count: number): Promise<void>
  afterRemove?(removing: Removing): Promise<void>
}

/** Whether a save changes any of these fields. */
export const changes = (saving: Saving, ...names: string[]): boolean => names.some((name) => name in saving.values)

/** Refuses a save for one field, in words of both languages that go on after the field's label. */
export function refuse(saving: Saving, entity: Entity, field: string, zh: string, en: string): never {
  const label = entity.fields[field]!.label
  throw fieldProblem([{ field, label, reason: { zh, en } }], saving.context.circumstance.language)
}

const registered = new Map<string, Rules[]>()

/** Adds rules to an entity; called by the modules when the server is put together. */
export function addRules(entity: Entity, rules: Rules): void {
  registered.set(entity.name, [...(registered.get(entity.name) ?? []), rules])
}

export const rulesOf = (entity: Pick<Entity, 'name'>): readonly Rules[] => registered.get(entity.name) ?? []
