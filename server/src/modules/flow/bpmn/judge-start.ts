import type { PlanNode, ProcessPlan, TimerPlan } from '@data-brain/contract/flow/plan'
import type { Judged } from './judge.ts'

/** A process that the clock starts has no applicant and no form that was filled in: nothing of its start can go by these. */
export function judgeStartTimer(node: PlanNode, plan: ProcessPlan, timer: TimerPlan, at: Judged['at']): void {
  if (plan.formKey !== undefined)
    at(
      node.id,
      '由定时器启动，但本流程须从自己的页面发起',
      'is started by a timer, and the process has a page of its own that starts it',
    )
  if (timer.value.startsWith('field:'))
    at(
      node.id,
      '的启动时间取自表单字段，但启动前没有人填写，请写明时间',
      'takes its moment from a field of the form, which nobody has filled in before: say the moment itself',
    )
  if (timer.by !== 'clock')
    at(
      node.id,
      '由定时器启动，只能按自然时间计时，不能按教学日或在校时间',
      'is started by a timer, which goes by the clock and not by school days or hours',
    )
  const written = new Set(
    Object.values(plan.nodes).flatMap(({ task }) =>
      Object.entries(task?.fields ?? {}).flatMap(([name, how]) => (how === 'write' ? [name] : [])),
    ),
  )
  for (const { name, label, required } of plan.form)
    if (required && !written.has(name))
      at(
        node.id,
        `由定时器启动，没有人填写必填字段“${label || name}”：请取消必填，或让某个步骤可填写`,
        `is started by a timer, and nobody fills in “${label || name}”, which is required: let a step write it, or require it no more`,
      )
  for (const { id, task } of Object.values(plan.nodes))
    if (task?.assignees.some(({ kind }) => kind === 'chosen'))
      at(
        id,
        '的审批人由申请人选择，但本流程由定时器启动，没有申请人',
        'is decided by whom the applicant chooses, and the process is started by a timer: there is none',
      )
}
