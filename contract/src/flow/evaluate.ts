import type { Expression } from './expression.ts'

/** Placeholder until the whole of it is there. */
export function evaluate(expression: Expression, variables: Readonly<Record<string, unknown>>): unknown {
  switch (expression.op) {
    case 'value':
      return expression.value
    case 'name': {
      let at: unknown = variables
      for (const part of expression.path)
        at =
          at !== null && typeof at === 'object' && Object.hasOwn(at, part)
            ? (at as Record<string, unknown>)[part]
            : null
      return at
    }
    case 'not':
      return evaluate(expression.of, variables) !== true
    case 'empty':
      return [null, undefined, ''].includes(evaluate(expression.of, variables) as null)
    case 'and':
      return expression.of.every((each) => evaluate(each, variables) === true)
    case 'or':
      return expression.of.some((each) => evaluate(each, variables) === true)
    default: {
      const [left, right] = [evaluate(expression.left, variables), evaluate(expression.right, variables)] as [
        number,
        number,
      ]
      switch (expression.op) {
        case '==':
          return left === right
        case '!=':
          return left !== right
        case '<':
          return left < right
        case '<=':
          return left <= right
        case '>':
          return left > right
        case '>=':
          return left >= right
        case '+':
          return left + right
        case '-':
          return left - right
        case '*':
          return left * right
        default:
          return left / right
      }
    }
  }
}
