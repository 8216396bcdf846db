import type { Entity, Words } from '@data-brain/contract'
import type { Values } from './check.ts'

/** What a constraint of the database that a migration spells out means to a person. */
export interface Spelled<N extends string = string> {
  /** The field at which a fault is told. */
  readonly field: N
  readonly reason: Words
}

/** What fields of one row must agree on, judged in words before a save. */
export interface Agreement<N extends string = string> extends Spelled<N> {
  /** The fields that it speaks of; it is judged when one of them changes. */
  readonly of: readonly N[]
  /** Whether the row is in order. Asked only where none of the fields is empty. */
  readonly holds: (row: Values) => boolean
}

/** Reasons that several constraints have. */
export const overlaps: Words = { zh: '与已有数据的时间重叠', en: 'overlaps with an existing row' }
export const notAfterToday: Words = { zh: '不能晚于今天', en: 'Not later than today' }

type Of<E extends Entity> = keyof E['fields'] & string

const spelled = new Map<string, Spelled & { readonly entity: string }>()
const agreements = new Map<string, Agreement[]>()

/** Says what constraints on an entity's table mean, by their names; an agreement among them is judged before a save too. */
export function addConstraints<E extends Entity>(
  entity: E,
  constraints: Readonly<Record<string, Spelled<Of<E>> | Agreement<Of<E>>>>,
): void {
  for (const [name, meaning] of Object.entries(constraints)) {
    spelled.set(name, { ...meaning, entity: entity.name })
    if ('holds' in meaning) addAgreement(entity, meaning)
  }
}

/** Adds what the database, which keeps lists beside the row, cannot judge. */
export function addAgreement<E extends Entity>(entity: E, agreement: Agreement<Of<E>>): void {
  agreements.set(entity.name, [...(agreements.get(entity.name) ?? []), agreement])
}

/** The constraints that modules have said the meaning of, by name. */
export const spelledConstraints = (): ReadonlyMap<string, Spelled & { readonly entity: string }> => spelled

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** What is wrong with a row of an entity, of that which the changed fields take part in. */
export const rowDisagreements = (entity: string, row: Values, changed: Values): Spelled[] =>
  (agreements.get(entity) ?? []).filter(
    (each) => each.of.some((name) => name in changed) && !each.of.some((name) => empty(row[name])) && !each.holds(row),
  )
