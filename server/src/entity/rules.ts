import type { Entity, SystemColumns, ValuesOf } from '@data-brain/contract'
import { fieldProblem } from '../kernel/problem.ts'
import type { Context } from './repository.ts'

/** A row as it stands. */
export type StoredRow<E extends Entity> = ValuesOf<E> & Readonly<SystemColumns>

/** A row as it will be: of a new one, what nobody said is not there. */
type WholeRow<E extends Entity> = {
  [N in keyof ValuesOf<E>]: ValuesOf<E>[N] | (null extends ValuesOf<E>[N] ? undefined : never)
}

/** A row about to be saved. A rule may change `values`, and throws a Problem to refuse. */
export interface Saving<E extends Entity = Entity> {
  readonly context: Context
  readonly id: string
  /** The row as it stands, or undefined when it is new. */
  readonly before: StoredRow<E> | undefined
  /** What will be stored: only the fields that are new. */
  readonly values: Partial<ValuesOf<E>>
  /** The row as it will be. */
  readonly whole: WholeRow<E>
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
  /**
   * Whether an undo leaves these out (modules/history): rules that write rows along, which have changes of their own to take
   * back, and rules that ask what a row that stood already need not answer again.
   */
  readonly skippedByUndo?: true
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

/** The rules that a change of this context meets: an undo leaves out those that say so. */
const rulesFor = (entity: Pick<Entity, 'name'>, { action }: Pick<Context, 'action'>): readonly Rules[] =>
  rulesOf(entity).filter(({ skippedByUndo }) => !(skippedByUndo && action === 'undo'))

/** Asks the rules that look before a save. */
export async function judgeSaving(entity: Pick<Entity, 'name'>, saving: Saving): Promise<void> {
  for (const rules of rulesFor(entity, saving.context)) await rules.beforeSave?.(saving)
}

/**
 * Saves a row under the rules of its entity, whoever saves it: a repository, or an undo. `write` says whether there was
 * anything to write; where not, nothing follows. Answers what `write` said.
 */
export async function saveWithRules(
  entity: Pick<Entity, 'name'>,
  saving: Saving,
  write: () => Promise<boolean>,
): Promise<boolean> {
  await judgeSaving(entity, saving)
  if (!(await write())) return false
  for (const rules of rulesFor(entity, saving.context)) await rules.afterSave?.(saving)
  return true
}

/** Removes a row under the rules of its entity, which look before `write` and after it. */
export async function removeWithRules(
  entity: Pick<Entity, 'name'>,
  removing: Removing,
  write: () => Promise<void>,
): Promise<void> {
  const rules = rulesFor(entity, removing.context)
  for (const each of rules) await each.beforeRemove?.(removing)
  await write()
  for (const each of rules) await each.afterRemove?.(removing)
}

/** Whether a row is put back as its history tells it: what it held once, it may hold again. */
export const isPutBack = ({ action }: Pick<Context, 'action'>): boolean => action === 'restore' || action === 'undo'
