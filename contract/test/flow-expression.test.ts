// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import { evaluate, holds } from '@data-brain/contract/flow/evaluate'
import type { Expression } from '@data-brain/contract/flow/expression'
import { ExpressionFault, namesIn, parseExpression, printExpression } from '@data-brain/contract/flow/expression-text'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const reads = (text: string, variables: Record<string, unknown> = {}): unknown =>
  evaluate(parseExpression(text), variables)

const refusal = (text: string): ExpressionFault => {
  try {
    parseExpression(text)
  } catch (fault) {
    if (fault instanceof ExpressionFault) return fault
    throw fault
  }
  throw new Error(`${text} was read`)
}

describe('R-FLOW-2: conditions are read by a small parser of our own', () => {
  test.each([
    ['${days > 3}', { days: 4 }, true],
    ['#{days gt 3 and not urgent}', { days: 4, urgent: false }, true],
    ['days > 3 && !urgent', { days: 4, urgent: true }, false],
    ['days ge 3 or kind eq "sick"', { days: 1, kind: 'sick' }, true],
    ["applicant.dept.name == '教务处'", { applicant: { dept: { name: '教务处' } } }, true],
    ['天数 <= 1.5', { 天数: '1.50' }, true],
    ['a + b * 2 == 7', { a: 1, b: 3 }, true],
    ['(a + b) * 2 == 8', { a: 1, b: 3 }, true],
    ['a - b - c == 1', { a: 6, b: 3, c: 2 }, true],
    ['-a < 0', { a: 1 }, true],
    ['empty note', { note: '' }, true],
    ['!empty list', { list: [1] }, true],
    ['not empty a.b', {}, false],
    ['pass', { pass: true }, true],
    ['pass == true', { pass: 'true' }, true],
    ['flag == "ok"', { flag: 'ok' }, true],
    ["outcome != 'no' && days div 2 > 1", { outcome: 'ok', days: 3 }, true],
    ["from >= '2026-09-01'", { from: '2026-09-02' }, true],
    ["at < '2026-09-01T08:00:00+08:00'", { at: '2026-09-01T00:00:01Z' }, false],
    ["a == 'it\\'s'", { a: "it's" }, true],
    ['x == null', {}, true],
    ['x > 3', {}, false],
    ['x <= 3', { x: null }, false],
    ["amount > '9.5'", { amount: '10.25' }, true],
    ['1 / 0 == null', {}, true],
    ["'a' * 2 == null", {}, true],
  ] as const)('%s', (text, variables, expected) => {
    expect(reads(text, variables)).toBe(expected)
  })

  test('what every object inherits is no variable', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'a.__proto__', 'a.constructor.name', 'list.length'])
      expect(reads(`${name} == null`, { a: { b: 1 }, list: [1] })).toBe(true)
    expect(reads('constructor == 1', { constructor: 1 })).toBe(true)
  })

  test.each([
    ['f(x)', 1, '不能调用“f(…)”', 'nothing is called: “f(…)”'],
    ['${bean.method(3)}', 3, '不能调用“bean.method(…)”', 'nothing is called'],
    ['a == execution.getVariable("x")', 6, '不能调用', 'nothing is called'],
    ['java.lang.Runtime == 1', 1, '不能使用类“java.lang.Runtime”', 'no class is used'],
    ['days = 3', 6, '不能赋值', 'nothing is assigned'],
    ['list[0] == 1', 5, '方括号', 'brackets'],
    ['${a} and ${b}', 4, '只能有一个', 'one ${…} only'],
    ['a > ${b}', 5, '${…}', '${…}'],
    ['a ? b : c', 3, '选择', 'choice'],
    ['a %  2', 3, '余数', 'remainder'],
    ["a == 'x", 6, '引号没有结束', 'does not end'],
    ['a >', 4, '不完整', 'not complete'],
    ['', 1, '不完整', 'not complete'],
    ['${ }', 4, '不完整', 'not complete'],
    ['(a', 3, '缺少右括号', 'parenthesis'],
    ['a b', 3, '此处不应有“b”', 'is not expected'],
    ['new X', 1, '不支持“new”', 'not part of conditions'],
    ['a；b', 2, '无法识别“；”', 'means nothing'],
    ['a.1', 2, '此处不应有“.1”', 'not expected'],
  ])('refuses %s at character %i', (text, at, zh, en) => {
    const fault = refusal(text)
    expect(fault.at).toBe(at)
    expect(fault.words.zh).toContain(zh)
    expect(fault.words.zh).toContain(`第${at}个字符`)
    expect(fault.words.en).toContain(en)
    expect(fault.words.en).toContain(`character ${at}`)
  })

  test('conditions that are long or deep are refused at once', () => {
    expect(refusal(`a == '${'x'.repeat(3_000)}'`).words.en).toContain('longer than')
    for (const deep of ['('.repeat(900), '!'.repeat(1_900), `${'-'.repeat(900)}1`])
      expect(refusal(deep).words.en).toContain('more than 100 deep')
  })
})

const name = fc.constantFrom('a', 'b', 'c', 'd')
const tree = fc.letrec<{ number: Expression; truth: Expression }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.integer({ min: -9, max: 9 }).map((value): Expression => ({ op: 'value', value: value + 0 })),
    name.map((each): Expression => ({ op: 'name', path: [each] })),
    fc
      .tuple(fc.constantFrom('+', '-', '*'), tie('number'), tie('number'))
      .map(([op, left, right]): Expression => ({ op, left, right })),
  ),
  truth: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.boolean().map((value): Expression => ({ op: 'value', value })),
    fc
      .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('number'), tie('number'))
      .map(([op, left, right]): Expression => ({ op, left, right })),
    tie('truth').map((of): Expression => ({ op: 'not', of })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('truth'), { minLength: 2, maxLength: 4 }))
      .map(([op, of]): Expression => ({ op, of })),
  ),
}))

describe('R-FLOW-2: conditions mean what they say', () => {
  test('a printed condition reads as the same tree', () => {
    fc.assert(
      fc.property(tree.truth, (of) => {
        expect(parseExpression(printExpression(of))).toEqual(of)
      }),
      {
        numRuns: 500,
      },
    )
  })

  test('texts keep every character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (value) => {
        const of: Expression = { op: '==', left: { op: 'name', path: ['a'] }, right: { op: 'value', value } }
        expect(parseExpression(printExpression(of))).toEqual(of)
      }),
    )
  })

  test('JavaScript reckons the same text to the same value', () => {
    const values = fc.record({ a: fc.integer(), b: fc.integer({ min: -9, max: 9 }), c: fc.nat(), d: fc.constant(0) })
    fc.assert(
      fc.property(tree.truth, values, (of, variables) => {
        const text = printExpression(of)
        const judged = new Function(...Object.keys(variables), `return ${text}`)(...Object.values(variables))
        expect(holds(of, variables)).toBe(judged)
        expect(holds(parseExpression(text), variables)).toBe(judged)
      }),
      { numRuns: 500 },
    )
  })

  test('no text makes the parser fail otherwise than in words', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab.(){}$#!=<>&|\'"\\ 1+-*/') })),
        (text) => {
          try {
            evaluate(parseExpression(text), {})
          } catch (fault) {
            expect(fault).toBeInstanceOf(ExpressionFault)
          }
          expect(true).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('names that a condition reads', () => {
    expect([...namesIn(parseExpression('a.b > 1 && !(c || empty d) && 2 < a.b'))].sort()).toEqual(['a.b', 'c', 'd'])
  })
})
