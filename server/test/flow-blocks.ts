import fc from 'fast-check'
import type { Outcome } from '../src/modules/flow/engine/host.ts'
import { document, element, end, escaped, extension, process, start } from './flow-bpmn-parts.ts'

/*
 * Processes out of blocks that nest: what they do can be said without tokens, by what each block does. So they judge an
 * engine that moves tokens.
 */

export type Need = 'all' | 'any' | { readonly count: number } | { readonly share: number }

export type Block =
  | { readonly kind: 'none' }
  | { readonly kind: 'task' }
  | { readonly kind: 'seq'; readonly of: readonly Block[] }
  | { readonly kind: 'and'; readonly of: readonly Block[] }
  /** The last one is the default; of the others those may be taken whose flag is set. */
  | { readonly kind: 'xor' | 'or'; readonly of: readonly Block[]; readonly flags: readonly boolean[] }
  /** After its body somebody says whether it comes again. */
  | { readonly kind: 'loop'; readonly of: Block; readonly times: number }
  | { readonly kind: 'sub'; readonly of: Block }
  | { readonly kind: 'people'; readonly isSequential: boolean; readonly need: Need }
  | {
      readonly kind: 'turns'
      readonly isSequential: boolean
      readonly need: Need
      readonly times: number
      readonly of: Block
    }

/** Whom each step of several is asked of. */
export const asked = ['p1', 'p2', 'p3'] as const

const need: fc.Arbitrary<Need> = fc.oneof(
  fc.constantFrom('all' as const, 'any' as const),
  fc.record({ count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ share: fc.constantFrom(0.3, 0.34, 0.5, 0.66, 0.67, 0.75, 1) }),
)

const leaf: fc.Arbitrary<Block> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'task' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('people' as const), isSequential: fc.boolean(), need }) },
)

function nested(depth: number): fc.Arbitrary<Block> {
  if (depth === 0) return leaf
  const inner = nested(depth - 1)
  const branches = fc.array(inner, { minLength: 2, maxLength: 3 })
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('seq' as const), of: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('and' as const), of: branches }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('xor' as const, 'or' as const),
        of: branches,
        flags: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('loop' as const), of: inner, times: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('sub' as const), of: inner }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('turns' as const),
        isSequential: fc.boolean(),
        need,
        times: fc.integer({ min: 1, max: 3 }),
        of: inner,
      }),
    },
  )
}

export const blocks = (depth = 3): fc.Arbitrary<Block> => nested(depth)

/** Each block with names of its own, by its place in the model. */
const at = (place: string, index: number): string => `${place}_${index}`

/** A block as BPMN 2.0, and the variables by which its conditions are judged. */
export function modelOf(whole: Block): { readonly xml: string; readonly variables: Record<string, boolean> } {
  const variables: Record<string, boolean> = {}
  let flows = 0
  interface Way {
    readonly from: string
    readonly condition?: string
    readonly isDefault?: boolean
  }
  const within = (block: Block, place: string): string[] => {
    const made: string[] = []
    const defaults = new Map<string, string>()
    const link = ({ from, condition, isDefault }: Way, to: string): void => {
      flows += 1
      const id = `f${flows}`
      if (isDefault) defaults.set(from, id)
      const body =
        condition === undefined
          ? ''
          : `<conditionExpression xsi:type="tFormalExpression">${'$'}{${condition}}</conditionExpression>`
      made.push(`<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${body}</sequenceFlow>`)
    }
    const gateway = (type: string, id: string): (() => string) => {
      return () => element(`${type}Gateway`, id, defaults.has(id) ? `default="${defaults.get(id)}"` : '')
    }
    const late: (() => string)[] = []
    const build = (block: Block, place: string, way: Way): Way => {
      const leads = (id: string, text: string): Way => {
        made.push(text)
        link(way, id)
        return { from: id }
      }
      switch (block.kind) {
        case 'none':
          return way
        case 'task':
          return leads(`t${place}`, person(`t${place}`, 'end'))
        case 'people':
          return leads(`t${place}`, person(`t${place}`, 'continue', several(block, asked.length)))
        case 'seq':
          return block.of.reduce((so, each, index) => build(each, at(place, index), so), way)
        case 'sub':
          return leads(`s${place}`, element('subProcess', `s${place}`, '', ...within(block.of, at(place, 0))))
        case 'turns':
          return leads(
            `s${place}`,
            element('subProcess', `s${place}`, '', several(block, block.times), ...within(block.of, at(place, 0))),
          )
        case 'loop': {
          late.push(gateway('exclusive', `m${place}`), gateway('exclusive', `x${place}`))
          link(way, `m${place}`)
          const out = build(block.of, at(place, 0), { from: `m${place}` })
          made.push(person(`ask${place}`, 'end'))
          link(out, `ask${place}`)
          link({ from: `ask${place}` }, `x${place}`)
          link({ from: `x${place}`, condition: `again${place}` }, `m${place}`)
          return { from: `x${place}`, isDefault: true }
        }
        default: {
          const type = block.kind === 'and' ? 'parallel' : block.kind === 'or' ? 'inclusive' : 'exclusive'
          late.push(gateway(type, `g${place}`), gateway(type, `j${place}`))
          link(way, `g${place}`)
          for (const [index, each] of block.of.entries()) {
            const isLast = index === block.of.length - 1
            const condition = `v${at(place, index)}`
            if (block.kind !== 'and' && !isLast) variables[condition] = block.flags[index]!
            const from = { from: `g${place}` }
            const out = build(
              each,
              at(place, index),
              block.kind === 'and' ? from : isLast ? { ...from, isDefault: true } : { ...from, condition },
            )
            link(out, `j${place}`)
          }
          return { from: `j${place}` }
        }
      }
    }
    link(build(block, place, { from: `start${place}` }), `end${place}`)
    return [start(`start${place}`), ...late.map((each) => each()), ...made, end(`end${place}`)]
  }
  const xml = document(process(...within(whole, 'm')))
  return { xml, variables }
}

const principal = extension('<db:assignees><db:assignee kind="principal"/></db:assignees>')
const person = (id: string, onRefuse: string, loop = ''): string =>
  element('userTask', id, `name="${id}" db:onRefuse="${onRefuse}"`, principal, loop)

function several({ isSequential, need }: { isSequential: boolean; need: Need }, times: number): string {
  const done =
    need === 'all'
      ? undefined
      : need === 'any'
        ? 'nrOfCompletedInstances >= 1'
        : 'count' in need
          ? `nrOfCompletedInstances >= ${need.count}`
          : `nrOfCompletedInstances / nrOfInstances >= ${need.share}`
  const condition =
    done === undefined
      ? ''
      : `<completionCondition xsi:type="tFormalExpression">${'$'}{${escaped(done)}}</completionCondition>`
  return `<multiInstanceLoopCharacteristics isSequential="${isSequential}"><loopCardinality xsi:type="tFormalExpression">${times}</loopCardinality>${condition}</multiInstanceLoopCharacteristics>`
}

/** What runs within something that may be taken back as a whole. */
interface Scope {
  isGone: boolean
  readonly outer: Scope | undefined
}

export interface Expected {
  readonly name: string
  readonly scope: Scope
  /** What is said with the decision. */
  readonly more: Readonly<Record<string, unknown>>
  done(outcome: Outcome): void
}

const isGone = (scope: Scope | undefined): boolean => scope !== undefined && (scope.isGone || isGone(scope.outer))

function enoughOf(need: Need, total: number): number {
  for (let agreed = 1; agreed < total; agreed += 1) {
    if (need === 'any') return agreed
    if (need !== 'all' && ('count' in need ? agreed >= need.count : agreed / total >= need.share)) return agreed
  }
  return total
}

/** What waits while a block runs, told by what blocks are and without a token. */
export class Blocks {
  ending: 'agreed' | 'refused' | undefined
  #waiting: Expected[] = []
  /** How the last step was decided as a whole: a process that ends with a refusal is refused. */
  #last: Outcome = 'ok'

  constructor(whole: Block) {
    this.#run(whole, 'm', { isGone: false, outer: undefined }, () => {
      this.ending = this.#last === 'no' ? 'refused' : 'agreed'
    })
  }

  get waiting(): readonly Expected[] {
    return this.#waiting
  }

  get names(): string[] {
    return this.#waiting.map(({ name }) => name).sort()
  }

  complete(which: Expected, outcome: Outcome): void {
    this.#waiting = this.#waiting.filter((each) => each !== which)
    which.done(outcome)
    this.#waiting = this.ending ? [] : this.#waiting.filter(({ scope }) => !isGone(scope))
  }

  #ask(name: string, scope: Scope, done: (outcome: Outcome) => void, more: Expected['more'] = {}): void {
    this.#waiting.push({ name, scope, done, more })
  }

  /** A step of one: a refusal ends all. */
  #step(name: string, scope: Scope, done: () => void, more: Expected['more'] = {}): void {
    const decided = (outcome: Outcome): void => {
      if (outcome === 'no') this.ending = 'refused'
      else {
        this.#last = 'ok'
        done()
      }
    }
    this.#ask(name, scope, decided, more)
  }

  #run(block: Block, place: string, scope: Scope, done: () => void): void {
    switch (block.kind) {
      case 'none':
        done()
        break
      case 'task':
        this.#step(`t${place}`, scope, done)
        break
      case 'sub':
        this.#run(block.of, at(place, 0), scope, done)
        break
      case 'seq': {
        const next = (index: number): void => {
          const each = block.of[index]
          if (each) this.#run(each, at(place, index), scope, () => next(index + 1))
          else done()
        }
        next(0)
        break
      }
      case 'loop': {
        const turn = (left: number): void =>
          this.#run(block.of, at(place, 0), scope, () =>
            this.#step(`ask${place}`, scope, () => (left > 0 ? turn(left - 1) : done()), {
              [`again${place}`]: left > 0,
            }),
          )
        turn(block.times - 1)
        break
      }
      case 'people':
        this.#several(
          { ...block, times: asked.length },
          scope,
          (turn, inner, over) => this.#ask(`t${place}:${asked[turn]}`, inner, over),
          (outcome) => {
            this.#last = outcome
            done()
          },
        )
        break
      case 'turns':
        this.#several(
          block,
          scope,
          (_, inner, over) => this.#run(block.of, at(place, 0), inner, () => over('ok')),
          done,
        )
        break
      default: {
        const taken = takenOf(block)
        let left = taken.length
        for (const index of taken)
          this.#run(block.of[index]!, at(place, index), scope, () => {
            left -= 1
            if (left === 0) done()
          })
      }
    }
  }

  #several(
    { isSequential, need, times }: { readonly isSequential: boolean; readonly need: Need; readonly times: number },
    outer: Scope,
    begin: (turn: number, scope: Scope, over: (outcome: Outcome) => void) => void,
    done: (outcome: Outcome) => void,
  ): void {
    const scope: Scope = { isGone: false, outer }
    const enough = enoughOf(need, times)
    let [begun, agreed, refused] = [0, 0, 0]
    const next = (): void => {
      begun += 1
      begin(begun - 1, { isGone: false, outer: scope }, (outcome) => {
        if (scope.isGone) return
        if (outcome === 'ok') agreed += 1
        else refused += 1
        if (agreed >= enough || refused > times - enough) {
          scope.isGone = true
          done(agreed >= enough ? 'ok' : 'no')
        } else if (isSequential) next()
      })
    }
    for (let turn = 0; turn < (isSequential ? 1 : times) && !scope.isGone; turn += 1) next()
  }
}

/** The branches that a gateway takes. */
function takenOf({
  of,
  ...block
}: Extract<Block, { of: readonly Block[] }> & { kind: 'and' | 'xor' | 'or' | 'seq' }): number[] {
  if (!('flags' in block)) return [...of.keys()]
  const last = of.length - 1
  const held = [...of.keys()].filter((index) => index < last && block.flags[index])
  if (held.length === 0) return [last]
  return block.kind === 'xor' ? held.slice(0, 1) : held
}
