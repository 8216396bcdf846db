import type { ApprovalCard, BranchCard, Card, CardModel } from '@data-brain/contract/flow/cards'
import type { PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import { compile } from './compile.ts'

import { type Element, idOf, isA, many, one, text } from './moddle.ts'
import { readBpmn } from './read.ts'

/** Branches within one another, as cards show them. */
const deepest = 20

/** What of a model cards cannot say. */
class Unsaid extends Error {}

/** The cards of a model; undefined where cards cannot say all of it. */
export async function readCards(xml: string): Promise<CardModel | undefined> {
  const read = await readBpmn(xml)
  if (!read.definitions || read.faults.length > 0) return undefined
  const { plan, understood } = compile(read.definitions, read.process)
  if (!understood || hasMore(read.definitions, read.process)) return undefined
  const flows = new Map(
    many(read.process, 'flowElements').flatMap((each) =>
      isA(each, 'bpmn:SequenceFlow') ? [[idOf(each), each] as const] : [],
    ),
  )
  try {
    const cards = new Reader(plan, flows).whole()
    const { key, form, formKey } = plan
    return { key, name: text(read.process, 'name') ?? '', form, cards, ...(formKey === undefined ? {} : { formKey }) }
  } catch (fault) {
    if (fault instanceof Unsaid) return undefined
    throw fault
  }
}

/** Notes, lanes, documents: who opens the cards and saves them would lose these. */
function hasMore(definitions: Element, process: Element): boolean {
  const roots = many(definitions, 'rootElements')
  if (roots.some((each) => isA(each, 'bpmn:Collaboration') || (isA(each, 'bpmn:Process') && each !== process)))
    return true
  if (many(process, 'laneSets').length > 0 || many(process, 'artifacts').length > 0) return true
  return [process, ...many(process, 'flowElements')].some(
    (each) =>
      many(each, 'documentation').length > 0 ||
      !(each === process || isA(each, 'bpmn:FlowNode') || isA(each, 'bpmn:SequenceFlow')),
  )
}

class Reader {
  readonly #plan: ProcessPlan
  readonly #flows: ReadonlyMap<string, Element>
  readonly #seen = new Set<string>()

  constructor(plan: ProcessPlan, flows: ReadonlyMap<string, Element>) {
    this.#plan = plan
    this.#flows = flows
  }

  whole(): Card[] {
    const nodes = Object.values(this.#plan.nodes)
    const starts = nodes.filter((each) => each.type === 'start')
    if (starts.length !== 1 || starts[0]!.event) throw new Unsaid()
    const { cards, at } = this.#run(this.#plainWay(starts[0]!), 0)
    if (at.type !== 'end' || at.event || at.incoming.length !== 1) throw new Unsaid()
    // Start, end, and all that was come by: nothing else may stand there.
    if (this.#seen.size + 2 !== nodes.length) throw new Unsaid()
    return cards
  }

  /** Reads cards from a flow on, up to what is no card of this way: the end, or where ways meet. */
  #run(flow: string, depth: number): { cards: Card[]; at: PlanNode; by: string } {
    if (depth > deepest) throw new Unsaid()
    const cards: Card[] = []
    let by = flow
    for (;;) {
      const at = this.#plan.nodes[this.#plan.flows[by]!.to]
      if (!at) throw new Unsaid()
      const isSplit = at.type === 'exclusive' && at.defaultFlow !== undefined
      if (at.type === 'end' || (at.type === 'exclusive' && !isSplit)) return { cards, at, by }
      if (this.#seen.has(at.id) || at.incoming.length !== 1) throw new Unsaid()
      this.#seen.add(at.id)
      if (isSplit) {
        const { card, join } = this.#branch(at, depth)
        cards.push(card)
        by = this.#plainWay(join)
      } else {
        cards.push(this.#card(at))
        by = this.#plainWay(at)
      }
    }
  }

  /** The only way on, which has neither name nor condition. */
  #plainWay(node: PlanNode): string {
    const [way, ...others] = node.outgoing
    if (way === undefined || others.length > 0) throw new Unsaid()
    const flow = this.#plan.flows[way]!
    if (this.#when(way) !== '' || flow.name !== undefined) throw new Unsaid()
    return way
  }

  #card(node: PlanNode): Card {
    const { id, name = '' } = node
    if (node.type === 'service' && node.action?.kind === 'copy' && !node.loop)
      return { kind: 'copy', id, name, to: node.action.to }
    if (node.type !== 'user' || node.task!.copies.length > 0) throw new Unsaid()
    const { copies: _none, ...task } = node.task!
    const card: ApprovalCard = { kind: 'approval', id, name, task, ...(node.loop ? { loop: node.loop } : {}) }
    return card
  }

  #branch(split: PlanNode, depth: number): { card: BranchCard; join: PlanNode } {
    // The way that is taken where no condition holds comes last.
    const last = split.defaultFlow!
    const order = [...split.outgoing.filter((each) => each !== last), last]
    const runs = order.map((way) => this.#run(way, depth + 1))
    const join = runs[0]!.at
    if (join.type !== 'exclusive' || join.name !== undefined || this.#seen.has(join.id)) throw new Unsaid()
    if (runs.some(({ at }) => at !== join) || join.incoming.length !== runs.length) throw new Unsaid()
    this.#seen.add(join.id)
    const ways = order.map((way, at) => ({
      name: this.#plan.flows[way]!.name ?? '',
      when: way === last ? '' : this.#when(way),
      cards: runs[at]!.cards,
    }))
    return { card: { kind: 'branch', id: split.id, name: split.name ?? '', ways }, join }
  }

  /** A condition as it was written: one that cannot be read yet is not lost. */
  #when(way: string): string {
    const said = one(this.#flows.get(way)!, 'conditionExpression')
    const body = said ? (text(said, 'body') ?? '') : ''
    return /^\s*[$#]\{(.*)\}\s*$/s.exec(body)?.[1] ?? body
  }
}
