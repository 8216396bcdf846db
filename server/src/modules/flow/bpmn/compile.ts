import type { Words } from '@data-brain/contract'
import type { Expression } from '@data-brain/contract/flow/expression'
import { ExpressionFault, namesIn, parseExpression } from '@data-brain/contract/flow/expression-text'
import type { ModelFault, PlanFlow, PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import { eventOf } from './event.ts'
import { foreignAttributes } from './extension.ts'
import { Faults } from './faults.ts'
import { judgeForeign } from './foreign.ts'
import { formOf } from './form.ts'
import { judge } from './judge.ts'
import { loopOf } from './loop.ts'
import { type Element, idOf, isA, many, one, text } from './moddle.ts'
import { processName, readBpmn } from './read.ts'
import { actionOf, type TaskSetting, taskOf } from './task.ts'
import { executableElements, passiveElements } from './words.ts'

/** A model as the engine runs it, and all that stands against deploying it. With a fault the plan is not to be run. */
export interface Compiled {
  readonly plan: ProcessPlan
  readonly faults: readonly ModelFault[]
  /** Whether nothing of the model is strange to the product, so that its plan says all of it. */
  readonly understood: boolean
}

/** Names by which conditions ask how a task was decided. */
const outcomes: ReadonlySet<string> = new Set(['outcome', 'pass', 'flag', 'approved'])

/** A text that is to be a model: its plan where it can be read. */
export async function compileXml(xml: string): Promise<Omit<Compiled, 'plan' | 'understood'> & Partial<Compiled>> {
  const read = await readBpmn(xml)
  if (!read.definitions) return { faults: read.faults }
  const { plan, faults, understood } = compile(read.definitions, read.process)
  return { plan, faults: [...read.faults, ...faults], understood: understood && read.faults.length === 0 }
}

/** Compiles the process of a document. */
export function compile(definitions: Element, process: Element): Compiled {
  const faults = new Faults()
  const parts = partsOf(process, faults)
  const flows = flowsOf(parts.flows, parts.scopes, faults)
  const start = parts.nodes.find((each) => isA(each, 'bpmn:StartEvent') && each.$parent === process)
  const asksOutcome = [...flows.values()].some(
    ({ condition }) => condition && [...namesIn(condition)].some((name) => outcomes.has(name)),
  )
  const setting: TaskSetting = {
    initiator: start && foreignAttributes(start).get('initiator'),
    refusal: asksOutcome ? 'continue' : 'end',
  }
  const ways = waysOf(flows)
  const nodes = new Map<string, PlanNode>()
  for (const each of parts.nodes) nodes.set(idOf(each), nodeOf(each, process, ways, setting, faults))
  const key = idOf(process)
  if (key === '') faults.at(process, '没有编号', 'has no id')
  const name = processName(definitions, process)?.trim()
  if (!name) faults.at(process, '没有名称', 'has no name')
  judgeForeign(process, faults)
  const formKey = text(process, 'db:formKey') ?? (start && foreignAttributes(start).get('formKey'))
  const plan: ProcessPlan = {
    key,
    name: name ?? key,
    nodes: Object.fromEntries(nodes),
    flows: Object.fromEntries(flows),
    form: formOf(process, start, faults),
    ...(formKey === undefined ? {} : { formKey }),
  }
  // Where something is missing that does not run, what leads to it seems to lead nowhere: that is said once it runs.
  if (parts.complete) judge(plan, new Map(parts.nodes.map((each) => [idOf(each), each])), process, faults)
  return { plan, faults: faults.found, understood: faults.understood }
}

interface Parts {
  readonly nodes: readonly Element[]
  readonly flows: readonly Element[]
  /** The process or sub-process that each node stands in. */
  readonly scopes: ReadonlyMap<Element, Element>
  /** Whether all of them run. */
  readonly complete: boolean
}

/** All nodes and flows, those in sub-processes after what holds them. */
function partsOf(process: Element, faults: Faults): Parts {
  const nodes: Element[] = []
  const flows: Element[] = []
  const scopes = new Map<Element, Element>()
  const open = [process]
  let complete = true
  for (let scope = open.shift(); scope; scope = open.shift())
    for (const each of many(scope, 'flowElements')) {
      if (isA(each, 'bpmn:SequenceFlow')) flows.push(each)
      if (passiveElements.has(each.$type)) continue
      if (idOf(each) === '') {
        faults.at(
          each,
          `没有编号（位于“${text(scope, 'name') ?? idOf(scope)}”）`,
          `has no id, in “${text(scope, 'name') ?? idOf(scope)}”`,
        )
        continue
      }
      const dead = deadOf(each)
      if (dead) {
        complete = false
        faults.strange(each, dead.zh, dead.en)
        continue
      }
      nodes.push(each)
      scopes.set(each, scope)
      if (isA(each, 'bpmn:SubProcess')) open.push(each)
    }
  return { nodes, flows, scopes, complete }
}

/** Why an element does not run. */
function deadOf(of: Element): Words | undefined {
  if (!executableElements.has(of.$type))
    return { zh: '不会运行，请换成可以运行的元素', en: 'does not run; use an element that does' }
  if (of.get('triggeredByEvent') === true)
    return { zh: '是事件子流程，这里不会运行', en: 'is an event sub-process, which does not run' }
  if (of.get('isForCompensation') === true)
    return { zh: '用于补偿，这里不会运行', en: 'is for compensation, which does not run' }
  if (of.get('instantiate') === true)
    return { zh: '用于启动流程，这里不会运行', en: 'starts the process, which does not run' }
  return undefined
}

interface Ways {
  readonly from: ReadonlyMap<string, readonly string[]>
  readonly to: ReadonlyMap<string, readonly string[]>
  /** Of nodes with several ways on, the only one without a condition. */
  readonly open: ReadonlyMap<string, string>
}

/** The flows that begin and end at each node, in the order of the document. */
function waysOf(flows: ReadonlyMap<string, PlanFlow>): Ways {
  const from = Map.groupBy(flows.values(), (flow) => flow.from)
  const to = Map.groupBy(flows.values(), (flow) => flow.to)
  const ids = (groups: ReadonlyMap<string, readonly PlanFlow[]>) =>
    new Map([...groups].map(([node, of]) => [node, of.map(({ id }) => id)]))
  const open = [...from].flatMap(([node, of]) => {
    const free = of.filter(({ condition }) => !condition)
    return of.length > 1 && free.length === 1 ? [[node, free[0]!.id] as const] : []
  })
  return { from: ids(from), to: ids(to), open: new Map(open) }
}

function flowsOf(
  elements: readonly Element[],
  scopes: ReadonlyMap<Element, Element>,
  faults: Faults,
): Map<string, PlanFlow> {
  const flows = new Map<string, PlanFlow>()
  for (const each of elements) {
    const [id, from, to] = [idOf(each), one(each, 'sourceRef'), one(each, 'targetRef')]
    judgeForeign(each, faults)
    if (id === '') faults.at(each, '没有编号', 'has no id')
    else if (!from || !to) faults.at(each, '缺少起点或终点', 'does not say where it begins or ends')
    else if (scopes.has(from) && scopes.has(to)) {
      if (scopes.get(from) !== scopes.get(to))
        faults.strange(each, '穿过了子流程的边界', 'crosses the border of a sub-process')
      const condition = conditionOf(each, faults)
      const name = text(each, 'name')
      // The flow that is taken where no condition holds has none.
      const isDefault = from.get('default') === each
      flows.set(id, {
        id,
        from: idOf(from),
        to: idOf(to),
        ...(name === undefined ? {} : { name }),
        ...(condition && !isDefault ? { condition } : {}),
      })
    }
  }
  return flows
}

function conditionOf(flow: Element, faults: Faults): Expression | undefined {
  const said = one(flow, 'conditionExpression')
  if (!said) return undefined
  const language = text(said, 'language')
  if (language !== undefined && !/^(?:juel|el|https?:.*)$/i.test(language))
    faults.strange(
      flow,
      `的条件是 ${language} 脚本，这里不会运行`,
      `has a condition in ${language}, which does not run`,
    )
  if (foreignAttributes(said).has('resource'))
    faults.strange(flow, '的条件在另一个文件中，这里不会运行', 'has its condition in another file, which does not run')
  const body = text(said, 'body')?.trim()
  if (!body) return undefined
  try {
    return parseExpression(body)
  } catch (fault) {
    if (!(fault instanceof ExpressionFault)) throw fault
    faults.at(
      flow,
      `的条件“${body.slice(0, 120)}”无法读取，${fault.words.zh}`,
      `has a condition “${body.slice(0, 120)}” that cannot be read, ${fault.words.en}`,
    )
    return undefined
  }
}

function nodeOf(of: Element, process: Element, ways: Ways, setting: TaskSetting, faults: Faults): PlanNode {
  const id = idOf(of)
  const type = executableElements.get(of.$type)!
  judgeForeign(of, faults)
  const name = text(of, 'name')
  const event = eventOf(of, type, faults)
  const loop = isA(of, 'bpmn:Activity') ? loopOf(of, faults) : undefined
  const action = type === 'service' ? actionOf(of, faults) : undefined
  const attached = one(of, 'attachedToRef')
  const calls = type === 'call' ? text(of, 'calledElement')?.trim() : undefined
  const outgoing = ways.from.get(id) ?? []
  const defaultFlow = one(of, 'default')
    ? idOf(one(of, 'default')!)
    : type === 'exclusive'
      ? ways.open.get(id)
      : undefined
  const parent = of.$parent
  return {
    id,
    type,
    ...(name === undefined ? {} : { name }),
    scope: parent && parent !== process ? idOf(parent) : null,
    incoming: ways.to.get(id) ?? [],
    outgoing,
    ...(defaultFlow === undefined ? {} : { defaultFlow }),
    ...(event ? { event } : {}),
    ...(attached ? { attachedTo: idOf(attached) } : {}),
    ...(type === 'boundary' ? { interrupting: of.get('cancelActivity') !== false } : {}),
    ...(type === 'user' ? { task: taskOf(of, setting, faults) } : {}),
    ...(action ? { action } : {}),
    ...(calls ? { calls } : {}),
    ...(loop ? { loop } : {}),
  }
}
