import { isProductAction, productAction } from '@data-brain/contract/flow/actions'
import type { ActionPlan, AssigneeRule, TaskPlan } from '@data-brain/contract/flow/plan'
import { foreignAttributes, own } from './extension.ts'
import type { Faults } from './faults.ts'
import { type Element, many, text } from './moddle.ts'
import { assigneesOf, ownRules } from './people.ts'
import { dueOf, timerOf } from './timer.ts'

/** What holds of every task of a process. */
export interface TaskSetting {
  /** The variable under which the file keeps whoever started it. */
  readonly initiator: string | undefined
  /** What a refusal does where the task does not say: conditions that ask for the outcome judge it. */
  readonly refusal: 'end' | 'continue'
}

function choice<T extends string>(
  of: Element,
  name: string,
  choices: readonly T[],
  words: { readonly zh: string; readonly en: string },
  faults: Faults,
): T | undefined {
  const said = text(of, name)
  const found = choices.find((each) => each === said)
  if (said !== undefined && found === undefined)
    faults.strange(of, `的${words.zh}“${said}”无法识别`, `has “${said}” for ${words.en}, which is not known`)
  return found
}

function refusalOf(task: Element, setting: TaskSetting, faults: Faults): TaskPlan['onRefuse'] {
  const words = { zh: '驳回处理', en: 'what a refusal does' }
  const said = choice(task, 'db:onRefuse', ['end', 'continue', 'return'] as const, words, faults)
  if (said !== 'return') return said ?? setting.refusal
  const to = text(task, 'db:returnTo')
  if (to !== undefined) return { to }
  faults.strange(task, '驳回时退回，但没有指明退回到哪一步', 'goes back when it is refused, but does not say where')
  return 'end'
}

function dueOfTask(task: Element, faults: Faults): Pick<TaskPlan, 'due' | 'onDue'> {
  const due = own(task, 'db:Due')
  if (!due) {
    const said = foreignAttributes(task).get('dueDate')
    const timer = said === undefined ? undefined : dueOf(task, said, faults)
    return timer ? { due: timer } : {}
  }
  const kind = text(due, 'kind') === 'date' ? 'date' : 'duration'
  const timer = timerOf(task, kind, text(due, 'value') ?? '', text(due, 'by'), faults)
  const words = { zh: '超时处理', en: 'what happens when it is overdue' }
  const then = text(due, 'onDue')
  const onDue = (['remind', 'agree', 'refuse', 'deptLeader'] as const).find((each) => each === then)
  if (then !== undefined && onDue === undefined)
    faults.strange(task, `的${words.zh}“${then}”无法识别`, `has “${then}” for ${words.en}, which is not known`)
  return timer ? { due: timer, ...(onDue ? { onDue } : {}) } : {}
}

function fieldsOf(task: Element, faults: Faults): TaskPlan['fields'] {
  const list = own(task, 'db:Fields')
  if (!list) return {}
  return Object.fromEntries(
    many(list, 'access').flatMap((each) => {
      const [field, as] = [text(each, 'field'), text(each, 'as')]
      if (field !== undefined && (as === 'hidden' || as === 'read' || as === 'write')) return [[field, as] as const]
      faults.strange(
        task,
        `的字段权限（${field ?? ''} ${as ?? ''}）无法识别`,
        `has a rule for a field that is not known (${field ?? ''} ${as ?? ''})`,
      )
      return []
    }),
  )
}

/** What a user task asks of people. */
export function taskOf(task: Element, setting: TaskSetting, faults: Faults): TaskPlan {
  const may = text(task, 'db:may')?.split(/\s+/)
  const allows = (name: string): boolean => may === undefined || may.includes(name)
  const copies = own(task, 'db:Copies')
  const formKey = text(task, 'db:formKey') ?? foreignAttributes(task).get('formKey')
  const nobody = { zh: '无人处理规则', en: 'what happens where nobody is found' }
  return {
    assignees: assigneesOf(task, setting.initiator, faults),
    ifNobody: choice(task, 'db:ifNobody', ['incident', 'skip', 'managers'] as const, nobody, faults) ?? 'incident',
    skipSame: task.get('db:skipSame') === true,
    onRefuse: refusalOf(task, setting, faults),
    may: {
      delegate: allows('delegate'),
      transfer: allows('transfer'),
      return: allows('return'),
      addSigner: allows('addSigner'),
    },
    ...dueOfTask(task, faults),
    fields: fieldsOf(task, faults),
    copies: copies ? ownRules(task, many(copies, 'rules'), faults) : [],
    ...(formKey === undefined ? {} : { formKey }),
  }
}

/** An action of the product with what the model tells it; undefined where there is none of that name. */
function productActionOf(task: Element, action: Element, faults: Faults): ActionPlan | undefined {
  const name = text(action, 'name')
  if (!isProductAction(name)) {
    faults.strange(
      task,
      `的动作“${(name ?? '').slice(0, 80)}”不是本系统提供的，请从列表中选择`,
      `has an action “${(name ?? '').slice(0, 80)}”, which the product does not have: choose one of the list`,
    )
    return undefined
  }
  const { inputs: asked } = productAction(name)
  const inputs: Record<string, string> = {}
  for (const each of many(action, 'inputs')) {
    const [input, value] = [text(each, 'name') ?? '', text(each, 'value') ?? '']
    if (Object.hasOwn(asked, input)) inputs[input] = value
    else
      faults.strange(
        task,
        `的动作没有参数“${input.slice(0, 80)}”`,
        `has an action that takes no “${input.slice(0, 80)}”`,
      )
  }
  for (const [input, { label, required, options, max }] of Object.entries(asked)) {
    const value = inputs[input] ?? ''
    if (value === '') {
      if (required) faults.at(task, `没有填写“${label.zh}”`, `has nothing for “${label.en}”`)
    } else if (options && !options.some(({ key }) => key === value))
      faults.strange(
        task,
        `的“${label.zh}”不能是“${value.slice(0, 80)}”，请从列表中选择`,
        `has “${value.slice(0, 80)}” for “${label.en}”: choose one of the list`,
      )
    else if (max !== undefined && value.length > max)
      faults.at(task, `的“${label.zh}”不能超过${max}个字`, `has more than ${max} characters for “${label.en}”`)
  }
  return { kind: 'action', name, inputs }
}

/** What a service task does. */
export function actionOf(task: Element, faults: Faults): ActionPlan | undefined {
  const action = own(task, 'db:Action')
  if (!action) {
    if (!faults.isStrange(task)) faults.strange(task, '没有设置要做的事', 'does not say what it does')
    return undefined
  }
  const kind = text(action, 'kind')
  const to = (): readonly AssigneeRule[] => {
    const rules = ownRules(task, many(action, 'to'), faults)
    if (rules.length === 0) faults.at(task, '没有收件人', 'has nobody whom it reaches')
    return rules
  }
  const needed = (name: string, zh: string, en: string): string => {
    const said = text(action, name)
    if (said === undefined) faults.at(task, `没有${zh}`, `has no ${en}`)
    return said ?? ''
  }
  switch (kind) {
    case 'inbox':
      return { kind, to: to(), title: needed('title', '标题', 'title'), body: text(action, 'body') ?? '' }
    case 'sms':
      return { kind, to: to(), template: needed('template', '短信模板', 'template of an SMS') }
    case 'copy':
      return { kind, to: to() }
    case 'action':
      return productActionOf(task, action, faults)
    default:
      faults.strange(task, `的动作“${kind ?? ''}”无法识别`, `has an action “${kind ?? ''}” that is not known`)
      return undefined
  }
}
