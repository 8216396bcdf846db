import type { ApprovalCard, Card, CardModel } from '@data-brain/contract/flow/cards'
import type { AssigneeRule, FormField, LoopPlan } from '@data-brain/contract/flow/plan'
import { flowNamespace } from '@data-brain/contract/flow/plan'
import { drawInto } from './diagram.ts'
import { create, type Element, toXml } from './moddle.ts'

/* Writes a process of cards as BPMN 2.0, with its drawing. */

const ruleElement = (rule: AssigneeRule): Element =>
  create('db:Assignee', {
    kind: rule.kind,
    ...('ids' in rule ? { ids: rule.ids.join(',') } : {}),
    ...('names' in rule ? { names: rule.names.join(',') } : {}),
    ...('up' in rule ? { up: rule.up } : {}),
    ...('field' in rule ? { field: rule.field } : {}),
    ...('node' in rule ? { node: rule.node } : {}),
  })

const extended = (...values: readonly Element[]): { extensionElements?: Element } =>
  values.length > 0 ? { extensionElements: create('bpmn:ExtensionElements', { values }) } : {}

const fieldElement = ({ options, ...field }: FormField): Element =>
  create('db:Field', {
    ...field,
    ...(options ? { options: options.map((each) => create('db:Option', each)) } : {}),
  })

function loopElement({ order, need, times }: LoopPlan): Element {
  const amount = typeof need === 'string' ? undefined : 'count' in need ? need.count : need.share
  return create('bpmn:MultiInstanceLoopCharacteristics', {
    ...(order === 'sequence' ? { isSequential: true } : {}),
    'db:need': typeof need === 'string' ? need : 'count' in need ? 'count' : 'share',
    ...(amount === undefined ? {} : { 'db:amount': amount }),
    ...(times === undefined ? {} : { loopCardinality: create('bpmn:FormalExpression', { body: String(times) }) }),
  })
}

function taskElement({ id, name, task, loop }: ApprovalCard): Element {
  const may = (['delegate', 'transfer', 'return', 'addSigner'] as const).filter((each) => task.may[each])
  const access = Object.entries(task.fields).map(([field, as]) => create('db:Access', { field, as }))
  return create('bpmn:UserTask', {
    id,
    name,
    ...extended(
      ...(task.assignees.length > 0 ? [create('db:Assignees', { rules: task.assignees.map(ruleElement) })] : []),
      ...(task.due ? [create('db:Due', { ...task.due, ...(task.onDue ? { onDue: task.onDue } : {}) })] : []),
      ...(access.length > 0 ? [create('db:Fields', { access })] : []),
    ),
    ...(loop ? { loopCharacteristics: loopElement(loop) } : {}),
    'db:onRefuse': typeof task.onRefuse === 'object' ? 'return' : task.onRefuse,
    ...(typeof task.onRefuse === 'object' ? { 'db:returnTo': task.onRefuse.to } : {}),
    'db:ifNobody': task.ifNobody,
    ...(task.skipSame ? { 'db:skipSame': true } : {}),
    'db:may': may.length > 0 ? may.join(' ') : 'nothing',
    ...(task.formKey === undefined ? {} : { 'db:formKey': task.formKey }),
  })
}

/** Where the next card is led to from. */
interface Open {
  readonly from: Element
  readonly way?: { readonly at: number; readonly name: string; readonly when: string; readonly isDefault: boolean }
}

class Writer {
  readonly nodes: Element[] = []
  readonly #order = new Map<Element, Map<Element, number>>()
  readonly #ids: Set<string>

  constructor(ids: Iterable<string>) {
    this.#ids = new Set(ids)
  }

  /** An id that nothing else has. */
  id(wished: string): string {
    let id = wished
    for (let n = 2; this.#ids.has(id); n += 1) id = `${wished}_${n}`
    this.#ids.add(id)
    return id
  }

  add(node: Element, from: readonly Open[]): Element {
    this.nodes.push(node)
    for (const each of from) this.#lead(each, node)
    return node
  }

  #lead({ from, way }: Open, to: Element): void {
    const flow = create('bpmn:SequenceFlow', {
      id: this.id(`${from.get('id')}_to_${to.get('id')}`),
      ...(way?.name ? { name: way.name } : {}),
      sourceRef: from,
      targetRef: to,
      ...(way?.when && !way.isDefault
        ? { conditionExpression: create('bpmn:FormalExpression', { body: `\${${way.when}}` }) }
        : {}),
    })
    if (way) this.#order.set(from, (this.#order.get(from) ?? new Map()).set(flow, way.at))
    ;(from.get('outgoing') as Element[]).push(flow)
    ;(to.get('incoming') as Element[]).push(flow)
    if (way?.isDefault) from.set('default', flow)
  }

  /** The flows of a node in the order of its ways: a way without cards is led on last, and may come first. */
  sorted(): readonly Element[] {
    return this.nodes.flatMap((node) => {
      const ways = this.#order.get(node)
      const outgoing = node.get('outgoing') as Element[]
      if (ways) outgoing.sort((a, b) => ways.get(a)! - ways.get(b)!)
      return outgoing
    })
  }

  /** Writes cards one after another; answers where what follows is led to from. */
  cards(cards: readonly Card[], from: Open): Open {
    let open = from
    for (const card of cards) {
      if (card.kind === 'approval') open = { from: this.add(taskElement(card), [open]) }
      else if (card.kind === 'copy') {
        const action = create('db:Action', { kind: 'copy', to: card.to.map(ruleElement) })
        const node = create('bpmn:ServiceTask', { id: card.id, name: card.name, ...extended(action) })
        open = { from: this.add(node, [open]) }
      } else {
        const split = this.add(create('bpmn:ExclusiveGateway', { id: card.id, name: card.name }), [open])
        const ends = card.ways.map(({ name, when, cards: within }, at) =>
          this.cards(within, { from: split, way: { at, name, when, isDefault: at === card.ways.length - 1 } }),
        )
        open = { from: this.add(create('bpmn:ExclusiveGateway', { id: this.id(`${card.id}_join`) }), ends) }
      }
    }
    return open
  }
}

/** The ids of all cards, those in branches among them. */
export const cardIds = (cards: readonly Card[]): readonly string[] =>
  cards.flatMap((card) =>
    card.kind === 'branch' ? [card.id, ...card.ways.flatMap((way) => cardIds(way.cards))] : [card.id],
  )

/** Writes cards as BPMN 2.0. */
export async function writeCards(model: CardModel): Promise<string> {
  const writer = new Writer([model.key, ...cardIds(model.cards)])
  const start = writer.add(create('bpmn:StartEvent', { id: writer.id('start') }), [])
  writer.add(create('bpmn:EndEvent', { id: writer.id('end') }), [writer.cards(model.cards, { from: start })])
  const process = create('bpmn:Process', {
    id: model.key,
    name: model.name,
    isExecutable: true,
    ...(model.form.length > 0 ? extended(create('db:Form', { fields: model.form.map(fieldElement) })) : {}),
    ...(model.formKey === undefined ? {} : { 'db:formKey': model.formKey }),
    flowElements: [...writer.nodes, ...writer.sorted()],
  })
  const definitions = create('bpmn:Definitions', { targetNamespace: flowNamespace, rootElements: [process] })
  drawInto(definitions, process)
  return toXml(definitions)
}
