import type { PlanFlow, PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import type { Faults } from './faults.ts'
import { judgeErrors } from './judge-errors.ts'
import { judgeNames } from './judge-names.ts'
import { judgeStartTimer } from './judge-start.ts'
import { type Element, isA } from './moddle.ts'

/** A plan with its elements, as those who judge it look at it. */
export interface Judged {
  readonly plan: ProcessPlan
  readonly nodes: readonly PlanNode[]
  readonly process: Element
  readonly faults: Faults
  /** Says something of a node or flow. */
  at(id: string, zh: string, en: string): void
}

/** Judges a plan as a whole: each node has its place, begins somewhere and leads to an end. */
export function judge(
  plan: ProcessPlan,
  elements: ReadonlyMap<string, Element>,
  process: Element,
  faults: Faults,
): void {
  const judged: Judged = {
    plan,
    nodes: Object.values(plan.nodes),
    process,
    faults,
    at: (id, zh, en) => {
      const element = elements.get(id)
      if (element && !faults.isStrange(element)) faults.at(element, zh, en)
    },
  }
  for (const node of judged.nodes) {
    judgeNode(node, judged)
    judgeWays(node, judged)
  }
  judgeStarts(judged)
  // An event that does not run may begin something elsewhere, or end it.
  if (![...elements.values()].some((each) => isA(each, 'bpmn:Event') && faults.isStrange(each))) judgeReach(judged)
  judgeErrors(judged)
  judgeNames(judged)
}

const activities: ReadonlySet<string> = new Set(['user', 'service', 'sub', 'call'])

function judgeNode(node: PlanNode, { plan, at }: Judged): void {
  if (node.type === 'user') {
    if ((node.name ?? '').trim() === '') at(node.id, '没有名称', 'has no name')
    if (node.task!.assignees.length === 0) at(node.id, '没有审批人', 'has nobody who decides')
  }
  if (node.type === 'call' && node.calls === undefined)
    at(node.id, '没有指明要调用的流程', 'does not say which process it calls')
  else if (node.calls !== undefined && !/^[\w.-]{1,64}$/.test(node.calls))
    at(
      node.id,
      `要调用的流程“${node.calls.slice(0, 80)}”应是一个流程的编号`,
      `calls “${node.calls.slice(0, 80)}”, which has to be the key of a process`,
    )
  else if (node.calls === plan.key) at(node.id, '调用了本流程自己', 'calls the process that it stands in')
  if (node.type === 'boundary') judgeBoundary(node, plan, at)
  if (node.type === 'start' && node.incoming.length > 0) at(node.id, '不能有连线进入', 'cannot be led to')
  if (node.type === 'start' && node.scope !== null && node.event)
    at(node.id, '在子流程中，只能是普通的开始事件', 'stands in a sub-process and has to be a plain one')
  if (node.type === 'start' && node.event?.kind === 'message' && plan.formKey !== undefined)
    at(
      node.id,
      '由消息启动，但本流程须从自己的页面发起',
      'is started by a message, and the process has a page of its own that starts it',
    )
  if (node.type === 'start' && node.event?.kind === 'timer') judgeStartTimer(node, plan, node.event.timer, at)
  if (node.type === 'end' && node.outgoing.length > 0) at(node.id, '不能有连线离开', 'cannot lead on')
  if (node.type === 'eventBased') {
    if (node.outgoing.length < 2)
      at(node.id, '后面至少要有两个等待事件', 'has to be followed by two catch events at least')
    for (const id of node.outgoing) {
      const next = plan.nodes[plan.flows[id]!.to]!
      if (next.type !== 'catch')
        at(
          node.id,
          `后面只能是等待事件，不能是“${next.name ?? next.id}”`,
          `is followed by “${next.name ?? next.id}”; only catch events may follow it`,
        )
      else if (next.incoming.length > 1)
        at(
          next.id,
          '在事件网关之后，不能再有其他连线进入',
          'follows an event-based gateway and cannot be led to from elsewhere',
        )
    }
  }
}

function judgeBoundary(node: PlanNode, plan: ProcessPlan, at: Judged['at']): void {
  const host = node.attachedTo === undefined ? undefined : plan.nodes[node.attachedTo]
  if (!host || !activities.has(host.type))
    at(node.id, '没有附在任务或子流程上', 'is not attached to a task or sub-process')
  else if (host.scope !== node.scope)
    at(node.id, '与所附的任务不在同一层', 'is not on the level of what it is attached to')
  if (node.incoming.length > 0) at(node.id, '不能有连线进入', 'cannot be led to')
  if (node.event?.kind === 'error' && node.interrupting === false)
    at(node.id, '捕获错误，必须中断所附的任务', 'catches an error and has to end what it is attached to')
  const timer = node.event?.kind === 'timer' ? node.event.timer : undefined
  if (timer?.kind === 'cycle' && node.interrupting !== false)
    at(node.id, '会中断所附的任务，不能循环', 'ends what it is attached to and cannot repeat')
}

/** Ways on: by conditions there has to be one that is always open; by gateways that take all there are none. */
function judgeWays(node: PlanNode, { plan, at }: Judged): void {
  const ways = node.outgoing.map((id) => plan.flows[id]!)
  const asked = ways.filter((way) => way.condition)
  if (node.defaultFlow !== undefined && !node.outgoing.includes(node.defaultFlow))
    at(node.id, '的默认连线不是从它出发的', 'has a default flow that does not begin at it')
  const splits = node.type === 'exclusive' || node.type === 'inclusive' || activities.has(node.type)
  if (asked.length > 0 && !splits) {
    at(node.id, '后面的连线不能有条件', 'leads on by conditions, which are not read there')
    return
  }
  const open = ways.filter((way) => !way.condition && way.id !== node.defaultFlow)
  const named = (flows: readonly PlanFlow[]): string =>
    flows
      .slice(0, 5)
      .map((flow) => flow.name ?? plan.nodes[flow.to]?.name ?? flow.id)
      .join('、')
  if (asked.length > 0 && asked.length === ways.length)
    at(
      node.id,
      '的连线都有条件，却没有默认连线：条件都不满足时无路可走',
      'has conditions on all its flows and no default flow: where none holds there is no way on',
    )
  else if (node.type === 'exclusive' && ways.length > 1 && open.length + (node.defaultFlow === undefined ? 0 : 1) > 1)
    at(
      node.id,
      `有多条没有条件的连线（${named(open)}），只能有一条`,
      `has several flows without a condition (${named(open)}); there may be one`,
    )
}

function judgeStarts({ nodes, process, faults, at }: Judged): void {
  for (const scope of [null, ...nodes.filter((each) => each.type === 'sub').map((each) => each.id)]) {
    const starts = nodes.filter((each) => each.type === 'start' && each.scope === scope)
    const say = (zh: string, en: string): void => (scope === null ? faults.at(process, zh, en) : at(scope, zh, en))
    if (starts.length === 0) say('没有开始事件', 'has no start event')
    if (starts.length > 1)
      say(
        `有${starts.length}个开始事件（${starts.map((each) => each.name ?? each.id).join('、')}），只能有一个`,
        `has ${starts.length} start events (${starts.map((each) => each.name ?? each.id).join(', ')}); there may be one`,
      )
    if (!nodes.some((each) => each.type === 'end' && each.scope === scope)) say('没有结束事件', 'has no end event')
  }
}

/** What is reached from some nodes, by the ways that `next` gives. */
function reached(from: readonly string[], next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set(from)
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const each of next.get(id) ?? [])
      if (!found.has(each)) {
        found.add(each)
        open.push(each)
      }
  return found
}

function judgeReach({ plan, nodes, at }: Judged): void {
  const on = new Map<string, string[]>()
  const back = new Map<string, string[]>()
  const link = (from: string, to: string): void => {
    on.set(from, on.get(from) ?? [])
    on.get(from)!.push(to)
    back.set(to, back.get(to) ?? [])
    back.get(to)!.push(from)
  }
  for (const { from, to } of Object.values(plan.flows)) link(from, to)
  for (const each of nodes) if (each.type === 'boundary' && each.attachedTo) link(each.attachedTo, each.id)
  const begun = reached(
    nodes.filter((each) => each.type === 'start').map((each) => each.id),
    on,
  )
  const ending = reached(
    nodes.filter((each) => each.type === 'end').map((each) => each.id),
    back,
  )
  for (const node of nodes) {
    if (node.type !== 'end' && node.outgoing.length === 0) at(node.id, '后面没有连线，走不到结束', 'leads nowhere')
    else if (!ending.has(node.id)) at(node.id, '走不到任何结束事件', 'leads to no end event')
    if (!begun.has(node.id) && !(node.type === 'boundary' && node.attachedTo === undefined))
      at(node.id, '从开始事件走不到', 'is reached from no start event')
  }
}
