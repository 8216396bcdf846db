import type { Words } from '@data-brain/contract'
import type { NodeType } from '@data-brain/contract/flow/plan'

/** The elements that the engine executes, with their node type. */
export const executableElements: ReadonlyMap<string, NodeType> = new Map([
  ['bpmn:StartEvent', 'start'],
  ['bpmn:EndEvent', 'end'],
  ['bpmn:UserTask', 'user'],
  ['bpmn:ServiceTask', 'service'],
  ['bpmn:ExclusiveGateway', 'exclusive'],
  ['bpmn:ParallelGateway', 'parallel'],
  ['bpmn:InclusiveGateway', 'inclusive'],
  ['bpmn:EventBasedGateway', 'eventBased'],
  ['bpmn:IntermediateCatchEvent', 'catch'],
  ['bpmn:IntermediateThrowEvent', 'throw'],
  ['bpmn:BoundaryEvent', 'boundary'],
  ['bpmn:SubProcess', 'sub'],
  ['bpmn:CallActivity', 'call'],
])

const kinds: Readonly<Record<string, Words>> = {
  'bpmn:Process': { zh: '流程', en: 'Process' },
  'bpmn:SequenceFlow': { zh: '连线', en: 'Flow' },
  'bpmn:StartEvent': { zh: '开始事件', en: 'Start event' },
  'bpmn:EndEvent': { zh: '结束事件', en: 'End event' },
  'bpmn:UserTask': { zh: '用户任务', en: 'User task' },
  'bpmn:ServiceTask': { zh: '服务任务', en: 'Service task' },
  'bpmn:ExclusiveGateway': { zh: '排他网关', en: 'Exclusive gateway' },
  'bpmn:ParallelGateway': { zh: '并行网关', en: 'Parallel gateway' },
  'bpmn:InclusiveGateway': { zh: '包容网关', en: 'Inclusive gateway' },
  'bpmn:EventBasedGateway': { zh: '事件网关', en: 'Event-based gateway' },
  'bpmn:ComplexGateway': { zh: '复杂网关', en: 'Complex gateway' },
  'bpmn:IntermediateCatchEvent': { zh: '等待事件', en: 'Catch event' },
  'bpmn:IntermediateThrowEvent': { zh: '触发事件', en: 'Throw event' },
  'bpmn:ImplicitThrowEvent': { zh: '触发事件', en: 'Throw event' },
  'bpmn:BoundaryEvent': { zh: '边界事件', en: 'Boundary event' },
  'bpmn:SubProcess': { zh: '子流程', en: 'Sub-process' },
  'bpmn:CallActivity': { zh: '调用活动', en: 'Call activity' },
  'bpmn:Task': { zh: '未指明类型的任务', en: 'Task without a type' },
  'bpmn:ScriptTask': { zh: '脚本任务', en: 'Script task' },
  'bpmn:ManualTask': { zh: '手工任务', en: 'Manual task' },
  'bpmn:BusinessRuleTask': { zh: '业务规则任务', en: 'Business rule task' },
  'bpmn:SendTask': { zh: '发送任务', en: 'Send task' },
  'bpmn:ReceiveTask': { zh: '接收任务', en: 'Receive task' },
  'bpmn:Transaction': { zh: '事务子流程', en: 'Transaction' },
  'bpmn:AdHocSubProcess': { zh: '即席子流程', en: 'Ad-hoc sub-process' },
  'bpmn:SubChoreography': { zh: '编排', en: 'Choreography' },
  'bpmn:ChoreographyTask': { zh: '编排任务', en: 'Choreography task' },
  'bpmn:CallChoreography': { zh: '编排调用', en: 'Choreography call' },
}

/** What an element is called. */
export const kindOf = (type: string): Words => {
  const local = type.slice(type.indexOf(':') + 1)
  return kinds[type] ?? { zh: `元素 ${local} `, en: `Element ${local}` }
}

/** Events that do not run, by what defines them. */
export const deadEvents: Readonly<Record<string, Words>> = {
  'bpmn:SignalEventDefinition': { zh: '信号', en: 'signal' },
  'bpmn:EscalationEventDefinition': { zh: '升级', en: 'escalation' },
  'bpmn:CompensateEventDefinition': { zh: '补偿', en: 'compensation' },
  'bpmn:ConditionalEventDefinition': { zh: '条件', en: 'conditional' },
  'bpmn:LinkEventDefinition': { zh: '链接', en: 'link' },
  'bpmn:CancelEventDefinition': { zh: '取消', en: 'cancel' },
}

/** Elements that are only drawn, or are read with the element that they belong to. */
export const passiveElements: ReadonlySet<string> = new Set([
  'bpmn:SequenceFlow',
  'bpmn:DataObject',
  'bpmn:DataObjectReference',
  'bpmn:DataStoreReference',
])
