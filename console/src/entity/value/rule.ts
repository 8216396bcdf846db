import { type Entity, type Field, type Kind, type Nature, natureOf } from '@data-brain/contract'
import { type ConditionOperator, type Group, isGroup, opsOf } from '@data-brain/contract/rules/condition'
import { type ScopeKind, scopeKinds } from '@data-brain/contract/scope-kinds'

/** A field that a condition may look at. */
export interface RuleField extends Field {
  readonly name: string
  readonly ops: readonly ConditionOperator[]
}

/** The fields of an entity that a condition may look at. */
export const ruleFields = (entity: Entity): readonly RuleField[] =>
  Object.entries(entity.fields).flatMap(([name, field]) => {
    const ops = opsOf(field.kind)
    return ops.length === 0 ? [] : [{ ...field, name, ops }]
  })

const nothing: Group = { all: [] }

/** The rule in a form's or a row's value; one without conditions where there is none, or none that can be read. */
export const readRule = (value: unknown): Group => (isGroup(value) ? value : nothing)

/** The words for one's own that a field can be compared with, by the entity that it refers to. */
export const ownOf = (to: string | undefined): readonly string[] =>
  Object.values<ScopeKind>(scopeKinds).flatMap(({ entity, word }) => (word && entity === to ? [word] : []))

/** What takes one value of several, and what takes several values. */
const one: Partial<Record<Nature, Kind>> = { keys: 'choice', rows: 'reference', text: 'text' }
const many: Partial<Record<Nature, Kind>> = { key: 'choices', keys: 'choices', row: 'references', rows: 'references' }

/** The kind of input for a value; undefined for several values of a kind that has no input for several. */
export function inputKind(kind: Kind, op: ConditionOperator): Kind | undefined {
  if (op === 'like') return 'text'
  return op === 'in' ? many[natureOf(kind)] : (one[natureOf(kind)] ?? kind)
}
