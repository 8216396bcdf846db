// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import type { Words } from '../field.ts'
import type { Comparison, Expression } from './expression.ts'

/*
 * The written form of conditions: `days > 3 && !urgent`, as Flowable and Camunda write them too: `${days gt 3 and not urgent}`.
 * It reads names and compares. Calls, assignments, classes and templates are no part of it: a text with them is refused.
 */

/** A condition that cannot be read: where, counted in characters from 1, and why. */
export class ExpressionFault extends Error {
  readonly at: number
  readonly words: Words

  constructor(at: number, zh: string, en: string) {
    super(`${en}, at character ${at}`)
    this.at = at
    this.words = { zh: `第${at}个字符处：${zh}`, en: `at character ${at}: ${en}` }
  }
}

/** Longer conditions, and deeper ones, are written by no one. */
const longest = 2_000
const deepest = 100

interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'end'
  readonly text: string
  /** Counted from 1, in the whole text. */
  readonly at: number
}

const piece =
  /\s*(?:([\p{L}_][\p{L}\p{N}_]*)|((?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(&&|\|\||==|!=|<=|>=|[-+*/()<>!.])|$)/suy

/** What a sign that is no part of the language was probably meant for. */
const strange: Readonly<Record<string, Words>> = {
  '=': { zh: '不能赋值；比较请写“==”', en: 'nothing is assigned; write “==” to compare' },
  '[': { zh: '不能用方括号取值', en: 'values are not taken by brackets' },
  '{': { zh: '不能用花括号', en: 'braces are not read' },
  '}': {
    zh: '一个条件只能有一个 ${…}，前后不能有其他内容',
    en: 'a condition holds one ${…} only and nothing beside it',
  },
  $: { zh: '一个条件只能有一个 ${…}', en: 'a condition holds one ${…} only' },
  '#': { zh: '一个条件只能有一个 #{…}', en: 'a condition holds one #{…} only' },
  '?': { zh: '不能用“? :”选择', en: 'there is no choice by “? :”' },
  '%': { zh: '不能求余数', en: 'there is no remainder' },
  '"': { zh: '引号没有结束', en: 'a quote does not end' },
  "'": { zh: '引号没有结束', en: 'a quote does not end' },
}

/** `shift` is what stands before the text, so that places are those of the whole. */
function tokensOf(text: string, shift: number): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (!found) {
      const place = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0)
      const sign = String.fromCodePoint(text.codePointAt(place)!)
      const { zh, en } = strange[sign] ?? { zh: `无法识别“${sign}”`, en: `“${sign}” means nothing here` }
      throw new ExpressionFault(place + 1 + shift, zh, en)
    }
    const [whole, name, number, quoted, sign] = found
    at += whole.length
    const given = name ?? number ?? quoted ?? sign
    if (given === undefined) {
      tokens.push({ kind: 'end', text: '', at: text.length + 1 + shift })
      return tokens
    }
    const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : quoted !== undefined ? 'text' : 'sign'
    tokens.push({ kind, text: given, at: at - given.length + 1 + shift })
  }
}

/** How comparisons are written in words. */
const worded: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  empty: 'empty',
  div: '/',
}
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
/** Words that read as the beginning of something that is no condition. */
const unread = new Set(['new', 'instanceof', 'mod'])
const className = /^(?:java|javax|jakarta|jdk|sun|com|org|net|cn|io)\.(?:[\p{L}\p{N}_]+\.)*\p{Lu}/u

/** What stands for more than one piece binds in this order, the loosest first. */
const levels: readonly (readonly string[])[] = [
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
]

class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(text: string, shift: number) {
    this.#tokens = tokensOf(text, shift)
  }

  whole(): Expression {
    const expression = this.#any()
    const rest = this.#tokens[this.#next]!
    if (rest.kind !== 'end') throw this.#unexpected(rest)
    return expression
  }

  #fault(token: Token, zh: string, en: string): ExpressionFault {
    return new ExpressionFault(token.at, zh, en)
  }

  #unexpected(token: Token): ExpressionFault {
    if (token.kind === 'end') return this.#fault(token, '条件不完整', 'the condition is not complete')
    if (unread.has(token.text))
      return this.#fault(token, `不支持“${token.text}”`, `“${token.text}” is not part of conditions`)
    return this.#fault(token, `此处不应有“${token.text}”`, `“${token.text}” is not expected here`)
  }

  /** The sign that comes next; words for signs count as them. */
  #sign(): string | undefined {
    const token = this.#tokens[this.#next]!
    if (token.kind === 'sign') return token.text
    return token.kind === 'name' && Object.hasOwn(worded, token.text) ? worded[token.text] : undefined
  }

  #any(): Expression {
    this.#depth += 1
    if (this.#depth > deepest)
      throw this.#fault(this.#tokens[this.#next]!, `嵌套超过${deepest}层`, `it lies more than ${deepest} deep`)
    const expression = this.#several('||', 'or', () => this.#several('&&', 'and', () => this.#level(0)))
    this.#depth -= 1
    return expression
  }

  #several(sign: string, op: 'and' | 'or', part: () => Expression): Expression {
    const of = [part()]
    while (this.#sign() === sign) {
      this.#next += 1
      of.push(part())
    }
    return of.length === 1 ? of[0]! : { op, of }
  }

  #level(depth: number): Expression {
    const signs = levels[depth]
    if (!signs) return this.#single()
    let left = this.#level(depth + 1)
    for (let sign = this.#sign(); sign !== undefined && signs.includes(sign); sign = this.#sign()) {
      this.#next += 1
      left = { op: sign as Comparison | '+' | '-' | '*' | '/', left, right: this.#level(depth + 1) }
    }
    return left
  }

  #single(): Expression {
    const sign = this.#sign()
    const token = this.#tokens[this.#next]!
    if (sign === '!' || sign === 'empty' || sign === '-') {
      this.#next += 1
      this.#depth += 1
      if (this.#depth > deepest) throw this.#fault(token, `嵌套超过${deepest}层`, `it lies more than ${deepest} deep`)
      const of = this.#single()
      this.#depth -= 1
      if (sign !== '-') return { op: sign === '!' ? 'not' : 'empty', of }
      if (of.op === 'value' && typeof of.value === 'number') return { op: 'value', value: -of.value }
      return { op: '-', left: { op: 'value', value: 0 }, right: of }
    }
    this.#next += 1
    if (sign === '(') {
      const within = this.#any()
      if (this.#sign() !== ')')
        throw this.#fault(this.#tokens[this.#next]!, '缺少右括号“)”', 'a closing parenthesis “)” is missing')
      this.#next += 1
      this.#refuseCall()
      return within
    }
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (!Number.isFinite(value)) throw this.#fault(token, '数字过大', 'the number is too large')
      return { op: 'value', value }
    }
    if (token.kind === 'text') return { op: 'value', value: token.text.slice(1, -1).replace(/\\(.)/gsu, '$1') }
    if (token.kind !== 'name' || sign !== undefined || unread.has(token.text)) throw this.#unexpected(token)
    if (constants.has(token.text)) return { op: 'value', value: constants.get(token.text)! }
    return this.#path(token)
  }

  #path(first: Token): Expression {
    const path = [first.text]
    while (this.#sign() === '.') {
      const name = this.#tokens[this.#next + 1]!
      if (name.kind !== 'name') throw this.#unexpected(name)
      path.push(name.text)
      this.#next += 2
    }
    this.#refuseCall(path.join('.'), first)
    if (className.test(path.join('.')))
      throw this.#fault(first, `不能使用类“${path.join('.')}”`, `no class is used: “${path.join('.')}”`)
    return { op: 'name', path }
  }

  #refuseCall(name = '', at = this.#tokens[this.#next]!): void {
    if (this.#sign() === '(') throw this.#fault(at, `不能调用“${name}(…)”`, `nothing is called: “${name}(…)”`)
  }
}

/** Reads a condition; one that stands in `${…}` or `#{…}` is read without them. Throws an `ExpressionFault`. */
export function parseExpression(text: string): Expression {
  if (text.length > longest)
    throw new ExpressionFault(longest, `条件超过${longest}个字符`, `the condition is longer than ${longest} characters`)
  const wrapped = /^(\s*[$#]\{)(.*)\}\s*$/s.exec(text)
  if (wrapped) return new Reader(wrapped[2]!, wrapped[1]!.length).whole()
  return new Reader(text, 0).whole()
}

/** How tightly an expression binds; what binds less stands in parentheses. */
function tightness(expression: Expression): number {
  switch (expression.op) {
    case 'or':
      return 0
    case 'and':
      return 1
    case 'not':
    case 'empty':
      return 6
    case 'value':
    case 'name':
      return 7
    default:
      return 2 + levels.findIndex((signs) => signs.includes(expression.op))
  }
}

/** Writes a condition, without `${…}`. Reading it again gives the same tree. */
export function printExpression(expression: Expression): string {
  const within = (part: Expression, least: number): string =>
    tightness(part) < least ? `(${printExpression(part)})` : printExpression(part)
  switch (expression.op) {
    case 'value':
      return typeof expression.value === 'string'
        ? `'${expression.value.replace(/[\\']/g, '\\$&')}'`
        : Object.is(expression.value, -0)
          ? '-0'
          : String(expression.value)
    case 'name':
      return expression.path.join('.')
    case 'not':
      return `!${within(expression.of, 6)}`
    case 'empty':
      return `empty ${within(expression.of, 6)}`
    case 'and':
      return expression.of.map((each) => within(each, 2)).join(' && ')
    case 'or':
      return expression.of.map((each) => within(each, 1)).join(' || ')
    default: {
      const own = tightness(expression)
      return `${within(expression.left, own)} ${expression.op} ${within(expression.right, own + 1)}`
    }
  }
}

/** The names that an expression reads, each path as it is written. */
export function namesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>()
  const open = [expression]
  for (let each = open.pop(); each; each = open.pop())
    if (each.op === 'name') names.add(each.path.join('.'))
    else if (each.op === 'and' || each.op === 'or') open.push(...each.of)
    else if ('left' in each) open.push(each.left, each.right)
    else if ('of' in each) open.push(...[each.of].flat())
  return names
}
