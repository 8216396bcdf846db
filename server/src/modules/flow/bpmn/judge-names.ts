import { namedIn, productAction } from '@data-brain/contract/flow/actions'
import type { ActionPlan, AssigneeRule, TimerPlan } from '@data-brain/contract/flow/plan'
import type { Judged } from './judge.ts'

/** Names that a plan refers to have to be there: steps, and the fields of its form where it brings one. */
export function judgeNames({ plan, nodes, at, faults, process }: Judged): void {
  const fields =
    plan.formKey === undefined && plan.form.length > 0 ? new Set(plan.form.map(({ name }) => name)) : undefined
  const field = (id: string, name: string): void => {
    if (fields && !fields.has(name))
      at(id, `用到了表单中没有的字段“${name}”`, `uses the field “${name}”, which the form does not have`)
  }
  const step = (id: string, to: string): void => {
    const node = Object.hasOwn(plan.nodes, to) ? plan.nodes[to] : undefined
    if (node?.type !== 'user')
      at(id, `指向的步骤“${to}”不是本流程的用户任务`, `refers to “${to}”, which is no user task of the process`)
  }
  const people = (id: string, rules: readonly AssigneeRule[]): void => {
    for (const rule of rules) {
      if (rule.kind === 'field') field(id, rule.field)
      if (rule.kind === 'doer') step(id, rule.node)
    }
  }
  const timer = (id: string, { value }: TimerPlan): void => {
    if (value.startsWith('field:')) field(id, value.slice('field:'.length))
  }
  /** By what a message finds its instance has to be known of this process. */
  const correlation = (id: string, said: string): void => {
    if (said === ':instance') return
    if (said === ':business') {
      if (plan.formKey === undefined)
        at(
          id,
          '按业务编号关联，但本流程没有业务页面',
          'is correlated by the row that the process is about, and it is about none',
        )
    } else if (said === ':message') {
      if (!nodes.some(({ type, scope, event }) => type === 'start' && scope === null && event?.kind === 'message'))
        at(
          id,
          '按启动消息关联，但本流程不是由消息启动的',
          'is correlated by the message that has started the process, and none starts it',
        )
    } else if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(said))
      at(id, `的关联“${said.slice(0, 80)}”无法识别`, `is correlated by “${said.slice(0, 80)}”, which is not known`)
    else if (plan.formKey === undefined && !plan.form.some(({ name }) => name === said))
      at(id, `用到了表单中没有的字段“${said}”`, `uses the field “${said}”, which the form does not have`)
  }
  /** What an action is told names fields that are there, and of a kind that fits. */
  const inputs = (id: string, { name, inputs: told }: ActionPlan & { readonly kind: 'action' }): void => {
    for (const [input, { kind, label, fits }] of Object.entries(productAction(name).inputs)) {
      const value = told[input] ?? ''
      if (value === '') continue
      if (kind === 'text' || kind === 'longText') for (const each of namedIn(value)) field(id, each)
      if (kind !== 'field') continue
      const named = plan.form.find((each) => each.name === value)
      if (!named || !fits?.includes(named.kind))
        at(
          id,
          `的“${label.zh}”应是表单中合适类型的字段，“${value}”不是`,
          `has “${value}” for “${label.en}”, which is no field of the form of a kind that fits`,
        )
    }
  }
  for (const { id, task, action, event } of nodes) {
    if (task) {
      people(id, [...task.assignees, ...task.copies])
      for (const name of Object.keys(task.fields)) field(id, name)
      if (typeof task.onRefuse === 'object') step(id, task.onRefuse.to)
      if (task.due) timer(id, task.due)
    }
    if (action && 'to' in action) people(id, action.to)
    if (action?.kind === 'action') inputs(id, action)
    if (event?.kind === 'timer') timer(id, event.timer)
    if (event?.kind === 'message' && event.correlation !== undefined) correlation(id, event.correlation)
  }
  if (plan.formKey !== undefined && !/^[\w.-]{1,64}$/.test(plan.formKey))
    faults.at(
      process,
      `的表单“${plan.formKey.slice(0, 80)}”不是本系统的页面`,
      `has a form “${plan.formKey.slice(0, 80)}”, which is no page of the product`,
    )
}
