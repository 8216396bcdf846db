import type { Comparison, Expression } from './expression.ts'

/** What conditions are judged by: the fields of a form and the facts of a process, as they travel in JSON. */
export type Variables = Readonly<Record<string, unknown>>

/** Own properties only: what every object inherits is no variable. A name that is not there is null. */
function look(variables: Variables, path: readonly string[]): unknown {
  let at: unknown = variables
  for (const name of path) {
    if (at === null || typeof at !== 'object' || Array.isArray(at) || !Object.hasOwn(at, name)) return null
    at = (at as Variables)[name]
  }
  return at instanceof Date ? at.toISOString() : (at ?? null)
}

const numeral = /^\s*-?(?:\d+(?:\.\d+)?|\.\d+)\s*$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Decimals travel as text. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && numeral.test(value) ? Number(value) : undefined
}

function equal(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' || typeof right === 'number') {
    const number = numberOf(left)
    return number !== undefined && number === numberOf(right)
  }
  // What forms send as text is the same as what a condition says as a word.
  if (typeof left === 'boolean' && typeof right === 'string') return String(left) === right
  if (typeof right === 'boolean' && typeof left === 'string') return String(right) === left
  return left === right
}

/** Below, at or above 0; undefined where the two have no order, as with null. */
function order(left: unknown, right: unknown): number | undefined {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return a - b
  if (typeof left !== 'string' || typeof right !== 'string') return undefined
  // Days and instants of one zone have the order of their texts; those of two zones have not.
  if (instant.test(left) && instant.test(right)) return Date.parse(left) - Date.parse(right)
  return left < right ? -1 : left > right ? 1 : 0
}

function compare(op: Comparison, left: unknown, right: unknown): boolean {
  if (op === '==') return equal(left, right)
  if (op === '!=') return !equal(left, right)
  const by = order(left, right)
  if (by === undefined) return false
  if (op === '<') return by < 0
  if (op === '<=') return by <= 0
  return op === '>' ? by > 0 : by >= 0
}

function reckon(op: '+' | '-' | '*' | '/', left: unknown, right: unknown): number | null {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a === undefined || b === undefined) return null
  const result = op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : a / b
  return Number.isFinite(result) ? result : null
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** The value of an expression. It never throws: what cannot be compared is false, what cannot be reckoned is null. */
export function evaluate(expression: Expression, variables: Variables): unknown {
  switch (expression.op) {
    case 'value':
      return expression.value
    case 'name':
      return look(variables, expression.path)
    case 'not':
      return !holds(expression.of, variables)
    case 'empty':
      return isEmpty(evaluate(expression.of, variables))
    case 'and':
      return expression.of.every((each) => holds(each, variables))
    case 'or':
      return expression.of.some((each) => holds(each, variables))
    case '+':
    case '-':
    case '*':
    case '/':
      return reckon(expression.op, evaluate(expression.left, variables), evaluate(expression.right, variables))
    default:
      return compare(expression.op, evaluate(expression.left, variables), evaluate(expression.right, variables))
  }
}

/** Whether a condition holds: its value is true, or the text `true`. */
export const holds = (expression: Expression, variables: Variables): boolean => isTrue(evaluate(expression, variables))
