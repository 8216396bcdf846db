import type { ModelFault, PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import { compileXml } from '../src/modules/flow/bpmn/compile.ts'

/*
 * Models as files, written short. `task` and its like are elements with what stands in them; `flow('a>b')` leads from one to
 * the other.
 */

const namespaces = [
  'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:db="https://data-brain.dev/bpmn"',
  'xmlns:flowable="http://flowable.org/bpmn"',
  'xmlns:activiti="http://activiti.org/bpmn"',
  'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"',
  'targetNamespace="http://www.flowable.org/processdef"',
].join(' ')

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A document of what stands in it. */
export const document = (...within: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<definitions ${namespaces}>\n${within.join('\n')}\n</definitions>`

/** A process with a name; what belongs into its extension comes first. */
export const process = (...within: readonly string[]): string =>
  `<process id="p" name="请假" isExecutable="true">\n${within.join('\n')}\n</process>`

export const extension = (...within: readonly string[]): string =>
  `<extensionElements>${within.join('')}</extensionElements>`

/** Leads from one to the next and so on: `s>a>e`; with a condition and a name where given. */
export const flow = (path: string, condition?: string, attributes = ''): string => {
  const [first = '', ...rest] = path.split('>')
  let from = first
  return rest
    .map((to) => {
      const id = `${from}_${to}`
      const within =
        condition === undefined
          ? ''
          : `<conditionExpression xsi:type="tFormalExpression">${escaped(condition)}</conditionExpression>`
      const line = `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" ${attributes}>${within}</sequenceFlow>`
      from = to
      return line
    })
    .join('\n')
}

export const start = (id = 's', attributes = '', ...within: readonly string[]): string =>
  `<startEvent id="${id}" ${attributes}>${within.join('')}</startEvent>`
export const end = (id = 'e', ...within: readonly string[]): string =>
  `<endEvent id="${id}">${within.join('')}</endEvent>`
export const element = (type: string, id: string, attributes = '', ...within: readonly string[]): string =>
  `<${type} id="${id}" ${attributes}>${within.join('')}</${type}>`

/** A user task whom the head of the school decides. */
export const task = (id: string, attributes = '', ...within: readonly string[]): string =>
  `<userTask id="${id}" name="${id}审批" ${attributes}>${extension('<db:assignees><db:assignee kind="principal"/></db:assignees>', ...within)}</userTask>`

/** A process of one task, with more on its way: start, the task, what is given, end. */
export const around = (id: string, ...within: readonly string[]): string =>
  document(process(start(), end(), flow(`s>${id}>e`), ...within))

/** What stands against it, in Chinese and English on a line each. */
export const faultsOf = async (xml: string): Promise<string[]> =>
  (await compileXml(xml)).faults.map(({ element: at, zh, en }: ModelFault) => `${at ?? '-'}: ${zh} | ${en}`)

/** The plan of a model against which nothing stands. */
export async function planOf(xml: string): Promise<ProcessPlan> {
  const { plan, faults } = await compileXml(xml)
  if (!plan || faults.length > 0) throw new Error(faults.map(({ zh, en }) => `${zh} | ${en}`).join('\n') || 'no plan')
  return plan
}

export const nodeOf = async (xml: string, id: string): Promise<PlanNode> => {
  const node = (await planOf(xml)).nodes[id]
  if (!node) throw new Error(`no ${id}`)
  return node
}
