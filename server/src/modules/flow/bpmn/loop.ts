import type { Expression } from '@data-brain/contract/flow/expression'
import { ExpressionFault, parseExpression, printExpression } from '@data-brain/contract/flow/expression-text'
import type { LoopPlan } from '@data-brain/contract/flow/plan'
import { bodyOf, foreignAttributes } from './extension.ts'
import type { Faults } from './faults.ts'
import { type Element, isA, one, text } from './moddle.ts'

type Need = LoopPlan['need']

/** More than half is a share that lies as little above it as no number of people tells apart. */
const above = 1e-6

const isName = (of: Expression, name: string): boolean => of.op === 'name' && of.path.join('.') === name
const numberIn = (of: Expression): number | undefined =>
  of.op === 'value' && typeof of.value === 'number' ? of.value : undefined

const done = 'nrOfCompletedInstances'
const all = 'nrOfInstances'
const open = 'nrOfActiveInstances'
const mirrored: Readonly<Record<string, string>> = { '<=': '>=', '<': '>', '>=': '<=', '>': '<', '==': '==' }

function share(of: number, strict: boolean): Need | undefined {
  if (of < 0 || of > 1 || (strict && of === 1)) return undefined
  if (of === 1) return 'all'
  if (of === 0) return strict ? 'any' : undefined
  return { share: strict ? of + above : of }
}

function count(of: number, strict: boolean): Need | undefined {
  const least = strict ? Math.floor(of) + 1 : Math.ceil(of)
  if (least < 1) return undefined
  return least === 1 ? 'any' : { count: least }
}

/** Whether it asks for a refusal: that ends the loop anyway. */
function asksRefusal(of: Expression): boolean {
  if (of.op === 'or') return of.of.every(asksRefusal)
  return ['!pass', '!approved', 'pass == false', 'approved == false', "flag == 'no'", "outcome == 'no'"].includes(
    printExpression(of),
  )
}

/** How many have to agree, out of the condition under which another engine takes a loop for done. */
export function needOf(of: Expression): Need | undefined {
  if (of.op === 'or') {
    const asked = of.of.filter((each) => !asksRefusal(each))
    return asked.length === 1 ? needOf(asked[0]!) : undefined
  }
  if (!('left' in of) || !Object.hasOwn(mirrored, of.op)) return undefined
  const { left, right } = of
  if (numberIn(left) !== undefined && numberIn(right) !== undefined) return undefined
  const strict = of.op === '>'
  if (of.op === '<' || of.op === '<=' || numberIn(left) !== undefined || isName(left, all))
    return isName(right, all) ? undefined : needOf({ ...of, op: mirrored[of.op]! as '>', left: right, right: left })
  if (isName(left, open)) return of.op === '==' && numberIn(right) === 0 ? 'all' : undefined
  if (left.op === '/' && isName(left.left, done) && isName(left.right, all)) {
    const part = numberIn(right)
    return part === undefined || (of.op === '==' && part !== 1) ? undefined : share(part, strict)
  }
  if (!isName(left, done)) return undefined
  if (isName(right, all)) return strict ? undefined : 'all'
  if (right.op === '*')
    for (const [a, b] of [
      [right.left, right.right],
      [right.right, right.left],
    ] as const)
      if (isName(a, all) && numberIn(b) !== undefined) return of.op === '==' ? undefined : share(numberIn(b)!, strict)
  const least = numberIn(right)
  return least === undefined ? undefined : count(least, strict)
}

function ownNeed(need: string, amount: unknown): Need | undefined {
  if (need === 'all' || need === 'any') return need
  if (typeof amount !== 'number') return undefined
  if (need === 'count')
    return Number.isInteger(amount) && amount >= 1 && amount <= 1_000 ? { count: amount } : undefined
  return need === 'share' && amount > 0 && amount <= 1 ? { share: amount } : undefined
}

/** Where an element runs for several: how, and when it is done. */
export function loopOf(of: Element, faults: Faults): LoopPlan | undefined {
  const loop = one(of, 'loopCharacteristics')
  if (!loop) return undefined
  if (!isA(loop, 'bpmn:MultiInstanceLoopCharacteristics')) {
    faults.strange(
      of,
      '使用了标准循环，这里不会运行；请用连线返回',
      'is a standard loop, which does not run; lead a flow back',
    )
    return undefined
  }
  const foreign = foreignAttributes(loop)
  const collection = foreign.get('collection')
  if (collection !== undefined && !/^(?:[$#]\{\s*)?[\p{L}_][\p{L}\p{N}_]*(?:\s*\})?$/u.test(collection))
    faults.strange(
      of,
      `的多实例集合“${collection.slice(0, 80)}”不是单个变量，这里不会运行`,
      `runs for each of “${collection.slice(0, 80)}”, which is no single variable and does not run here`,
    )
  const user = isA(of, 'bpmn:UserTask')
  if (!user && (collection !== undefined || one(loop, 'loopDataInputRef')))
    faults.strange(
      of,
      '按集合多次运行，只有用户任务可以；请改为固定次数',
      'runs for each of a list, which only user tasks do; set a number of times',
    )
  const order = loop.get('isSequential') === true ? 'sequence' : 'parallel'
  const times = timesOf(of, loop, faults)
  if (!user && times === undefined)
    faults.strange(of, '多次运行，但没有设置次数', 'runs several times, but no number is set')
  const need = neededOf(of, loop, faults)
  return { order, need: need ?? 'all', ...(times === undefined ? {} : { times }) }
}

function timesOf(of: Element, loop: Element, faults: Faults): number | undefined {
  const said = bodyOf(loop, 'loopCardinality')
  if (said === undefined) return undefined
  const times = Number(/^(?:[$#]\{\s*)?(\d{1,4})(?:\s*\})?$/.exec(said)?.[1] ?? Number.NaN)
  if (times >= 1 && times <= 1_000) return times
  faults.strange(
    of,
    `的次数“${said.slice(0, 80)}”应为1到1000的整数`,
    `runs “${said.slice(0, 80)}” times; it has to be a whole number from 1 to 1,000`,
  )
  return undefined
}

function neededOf(of: Element, loop: Element, faults: Faults): Need | undefined {
  const said = text(loop, 'db:need')
  if (said !== undefined) {
    const need = ownNeed(said, loop.get('db:amount'))
    if (!need) faults.strange(of, '的通过条件不完整或无法识别', 'has no complete rule for how many have to agree')
    return need
  }
  const condition = bodyOf(loop, 'completionCondition')
  if (condition === undefined) return 'all'
  try {
    const need = needOf(parseExpression(condition))
    if (need) return need
    faults.strange(
      of,
      `的完成条件“${condition.slice(0, 120)}”无法识别：请设为全部、任意一人、人数或比例`,
      `is done when “${condition.slice(0, 120)}”, which is not understood: set all, any, a number or a share`,
    )
  } catch (fault) {
    if (!(fault instanceof ExpressionFault)) throw fault
    faults.strange(
      of,
      `的完成条件有误，${fault.words.zh}`,
      `has a condition for being done that cannot be read: ${fault.words.en}`,
    )
  }
  return undefined
}
