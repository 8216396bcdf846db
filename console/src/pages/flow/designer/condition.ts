import type { Entity, Field, Kind } from '@data-brain/contract'
import type { Comparison, Expression } from '@data-brain/contract/flow/expression'
import { ExpressionFault, parseExpression, printExpression } from '@data-brain/contract/flow/expression-text'
import { factsLabel, factsOfForms, flowFacts } from '@data-brain/contract/flow/facts'
import type { FormField } from '@data-brain/contract/flow/plan'
import {
  type Condition,
  type ConditionMember,
  type ConditionOperator,
  deepestGroup,
  type Group,
  groupOf,
  isGroup,
  membersOf,
  modeOf,
} from '@data-brain/contract/rules/condition'
import type { RuleField } from '../../../entity/value/index.ts'

/* Conditions of a process, between the text that is stored and what is put together without writing code. */

const kinds: Readonly<Partial<Record<FormField['kind'], Kind>>> = {
  text: 'text',
  longText: 'text',
  integer: 'integer',
  decimal: 'decimal',
  date: 'date',
  instant: 'instant',
  choice: 'choice',
  user: 'reference',
  flag: 'flag',
}

const fieldOf = ({ name, label, kind, options }: FormField): readonly (readonly [string, Field])[] => {
  const as = kinds[kind]
  if (!as) return []
  const own = {
    kind: as,
    label: { zh: label || name, en: label || name },
    ...(as === 'reference' ? { to: 'user' } : {}),
    ...(as === 'choice'
      ? {
          dict: `flow:${name}`,
          options: (options ?? []).map((each) => ({ key: each.key, label: { zh: each.label, en: each.label } })),
        }
      : {}),
  }
  return [[name, own]]
}

/** What conditions of a process speak of, as an entity of which the engine's own inputs can be made. */
export function factsEntity(form: readonly FormField[], formKey: string | undefined): Entity {
  const fields = {
    ...Object.fromEntries(form.flatMap(fieldOf)),
    ...(formKey === undefined ? {} : factsOfForms[formKey]),
    ...flowFacts,
  }
  return {
    name: 'flowfacts',
    path: 'blade-flow/facts',
    label: factsLabel,
    ownership: 'tenant',
    title: Object.keys(fields)[0]!,
    fields,
    list: [],
    search: [],
    sort: 'id',
  }
}

const comparisons: Readonly<Partial<Record<ConditionOperator, Comparison>>> = {
  equal: '==',
  notequal: '!=',
  ge: '>=',
  le: '<=',
  gt: '>',
  lt: '<',
}
const operators = new Map(Object.entries(comparisons).map(([op, sign]) => [sign, op as ConditionOperator]))
const mirrored: Readonly<Partial<Record<Comparison, Comparison>>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

/** The comparisons that the written form has. */
export const comparable = (field: RuleField): RuleField => ({
  ...field,
  ops: field.ops.filter((op) => op === 'null' || op === 'notnull' || comparisons[op] !== undefined),
})

const nameOf = (condition: Condition): Expression => ({ op: 'name', path: condition.field.split('.') })

function comparedWith(field: Field | undefined, value: unknown): Expression {
  if (field?.kind === 'flag') return { op: 'value', value: Number(value) === 1 }
  if (field?.kind === 'integer' || field?.kind === 'decimal') return { op: 'value', value: Number(value) }
  return { op: 'value', value: value === null || value === undefined ? null : String(value) }
}

function expressionOf(entity: Entity, member: ConditionMember): Expression | undefined {
  if (isGroup(member)) {
    const of = membersOf(member).flatMap((each) => expressionOf(entity, each) ?? [])
    return of.length > 1 ? { op: modeOf(member) === 'all' ? 'and' : 'or', of } : of[0]
  }
  const left = nameOf(member)
  if (member.op === 'null') return { op: 'empty', of: left }
  if (member.op === 'notnull') return { op: 'not', of: { op: 'empty', of: left } }
  const sign = comparisons[member.op]
  const field = entity.fields[member.field]
  if (!sign || member.value === null || member.value === undefined || member.value === '') return undefined
  return { op: sign, left, right: comparedWith(field, member.value) }
}

/** Whether every condition says what it compares with. */
export const isWhole = (group: Group): boolean =>
  membersOf(group).every((member) =>
    isGroup(member)
      ? isWhole(member)
      : member.op === 'null' || member.op === 'notnull' || ![null, undefined, ''].includes(member.value as null),
  )

/** The written form of conditions; what is not complete yet is left out. */
export function textOfGroup(entity: Entity, group: Group): string {
  const expression = expressionOf(entity, group)
  return expression ? printExpression(expression) : ''
}

/** What conditions cannot be put together to. */
class Unsaid extends Error {}

function conditionOf(entity: Entity, expression: Expression): Condition {
  if (expression.op === 'empty' && expression.of.op === 'name')
    return { field: known(entity, expression.of.path), op: 'null' }
  if (expression.op === 'not' && expression.of.op === 'empty' && expression.of.of.op === 'name')
    return { field: known(entity, expression.of.of.path), op: 'notnull' }
  // A flag by itself says that it is set.
  const flag = expression.op === 'not' ? expression.of : expression
  if (flag.op === 'name') {
    const name = known(entity, flag.path)
    if (entity.fields[name]!.kind !== 'flag') throw new Unsaid()
    return { field: name, op: 'equal', value: flag === expression ? 1 : 0 }
  }
  if (!('left' in expression)) throw new Unsaid()
  const isTurned = expression.left.op === 'value'
  const [name, value] = isTurned ? [expression.right, expression.left] : [expression.left, expression.right]
  const sign = isTurned ? (mirrored[expression.op as Comparison] ?? expression.op) : expression.op
  const op = operators.get(sign as Comparison)
  if (!op || name.op !== 'name' || value.op !== 'value') throw new Unsaid()
  const field = known(entity, name.path)
  const { kind } = entity.fields[field]!
  if (value.value === null) {
    if (op !== 'equal' && op !== 'notequal') throw new Unsaid()
    return { field, op: op === 'equal' ? 'null' : 'notnull' }
  }
  const type = kind === 'flag' ? 'boolean' : kind === 'integer' || kind === 'decimal' ? 'number' : 'string'
  if (typeof value.value !== type) throw new Unsaid()
  return { field, op, value: kind === 'flag' ? Number(value.value) : value.value }
}

function known(entity: Entity, path: readonly string[]): string {
  const name = path.join('.')
  if (!Object.hasOwn(entity.fields, name)) throw new Unsaid()
  return name
}

function memberOf(entity: Entity, expression: Expression, depth: number): ConditionMember {
  if (expression.op !== 'and' && expression.op !== 'or') return conditionOf(entity, expression)
  if (depth > deepestGroup) throw new Unsaid()
  return groupOf(
    expression.op === 'and' ? 'all' : 'any',
    expression.of.map((each) => memberOf(entity, each, depth + 1)),
  )
}

/** The conditions that a text says; undefined where they cannot be put together without writing. */
export function groupOfText(entity: Entity, text: string): Group | undefined {
  if (text.trim() === '') return { all: [] }
  try {
    const member = memberOf(entity, parseExpression(text), 1)
    return isGroup(member) ? member : { all: [member] }
  } catch (fault) {
    if (fault instanceof Unsaid || fault instanceof ExpressionFault) return undefined
    throw fault
  }
}
