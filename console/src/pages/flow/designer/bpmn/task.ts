import type { ProductActionName } from '@data-brain/contract/flow/actions'
import type { ActionPlan, AssigneeRule, FormField, LoopPlan, TaskPlan, TimerPlan } from '@data-brain/contract/flow/plan'
import type { TaskSetup } from '../task-settings.tsx'
import { type Board, type Drawn, type Moddle, made, many, one, own, text, withExtensions } from './board.ts'

/* Settings of an element between what the product writes into BPMN and what its inputs show. */

const mays = ['delegate', 'transfer', 'return', 'addSigner'] as const

function ruleOf(of: Moddle): readonly AssigneeRule[] {
  const kind = text(of, 'kind') as AssigneeRule['kind'] | undefined
  const list = (name: string) => (text(of, name) ?? '').split(',').filter(Boolean)
  switch (kind) {
    case undefined:
      return []
    case 'user':
    case 'role':
    case 'post':
    case 'dept':
      return [{ kind, ids: list('ids') }]
    case 'account':
    case 'roleAlias':
    case 'postCode':
      return [{ kind, names: list('names') }]
    case 'deptLeader':
      return [{ kind, up: Number(of.get('up') ?? 0) }]
    case 'field':
      return [{ kind, field: text(of, 'field') ?? '' }]
    case 'doer':
      return [{ kind, node: text(of, 'node') ?? '' }]
    default:
      return [{ kind }]
  }
}

export const rulesIn = (of: Moddle | undefined, name: string): readonly AssigneeRule[] =>
  of ? many(of, name).flatMap(ruleOf) : []

export const ruleElement = (board: Board, rule: AssigneeRule): Moddle =>
  made(board, undefined, 'db:Assignee', {
    kind: rule.kind,
    ...('ids' in rule ? { ids: rule.ids.join(',') } : {}),
    ...('names' in rule ? { names: rule.names.join(',') } : {}),
    ...('up' in rule ? { up: rule.up } : {}),
    ...('field' in rule ? { field: rule.field } : {}),
    ...('node' in rule ? { node: rule.node } : {}),
  })

function loopOf(of: Moddle): LoopPlan | undefined {
  const loop = one(of, 'loopCharacteristics')
  if (!loop?.$instanceOf('bpmn:MultiInstanceLoopCharacteristics')) return undefined
  const need = text(loop, 'db:need') ?? 'all'
  const amount = Number(loop.get('db:amount') ?? 1)
  const times = Number(text(one(loop, 'loopCardinality') ?? loop, 'body'))
  return {
    order: loop.get('isSequential') === true ? 'sequence' : 'parallel',
    need: need === 'count' ? { count: amount } : need === 'share' ? { share: amount } : need === 'any' ? 'any' : 'all',
    ...(Number.isFinite(times) ? { times } : {}),
  }
}

export function loopElement(board: Board, of: Moddle, { order, need, times }: LoopPlan): Moddle {
  const amount = typeof need === 'string' ? undefined : 'count' in need ? need.count : need.share
  const kind = typeof need === 'string' ? need : 'count' in need ? 'count' : 'share'
  return made(board, of, 'bpmn:MultiInstanceLoopCharacteristics', {
    isSequential: order === 'sequence',
    'db:need': kind,
    ...(amount === undefined ? {} : { 'db:amount': amount }),
    ...(times === undefined
      ? {}
      : { loopCardinality: made(board, undefined, 'bpmn:FormalExpression', { body: String(times) }) }),
  })
}

function dueOf(of: Moddle): Pick<TaskPlan, 'due' | 'onDue'> {
  const due = own(of, 'db:Due')
  if (!due) return {}
  return {
    due: {
      kind: text(due, 'kind') === 'date' ? 'date' : 'duration',
      value: text(due, 'value') ?? '',
      by: (text(due, 'by') ?? 'clock') as TimerPlan['by'],
    },
    onDue: (text(due, 'onDue') ?? 'remind') as NonNullable<TaskPlan['onDue']>,
  }
}

/** The settings of a user task. */
export function setupOf(of: Moddle): TaskSetup & { readonly copies: readonly AssigneeRule[] } {
  const may = text(of, 'db:may')?.split(/\s+/)
  const allows = (name: string) => may === undefined || may.includes(name)
  const refuse = text(of, 'db:onRefuse') ?? 'end'
  const access = own(of, 'db:Fields')
  const loop = loopOf(of)
  const formKey = text(of, 'db:formKey')
  return {
    task: {
      assignees: rulesIn(own(of, 'db:Assignees'), 'rules'),
      ifNobody: (text(of, 'db:ifNobody') ?? 'incident') as TaskPlan['ifNobody'],
      skipSame: of.get('db:skipSame') === true,
      onRefuse:
        refuse === 'return' ? { to: text(of, 'db:returnTo') ?? '' } : refuse === 'continue' ? 'continue' : 'end',
      may: {
        delegate: allows('delegate'),
        transfer: allows('transfer'),
        return: allows('return'),
        addSigner: allows('addSigner'),
      },
      ...dueOf(of),
      fields: Object.fromEntries(
        (access ? many(access, 'access') : []).map((each) => [
          text(each, 'field') ?? '',
          (text(each, 'as') ?? 'read') as 'hidden' | 'read' | 'write',
        ]),
      ),
      ...(formKey === undefined ? {} : { formKey }),
    },
    ...(loop ? { loop } : {}),
    copies: rulesIn(own(of, 'db:Copies'), 'rules'),
  }
}

/** Writes the settings of a user task, as one step that can be taken back. */
export function writeSetup(
  board: Board,
  element: Drawn,
  { task, loop }: TaskSetup,
  copies: readonly AssigneeRule[],
): void {
  const of = element.businessObject
  const rules = (type: string, all: readonly AssigneeRule[]) =>
    all.length > 0 ? [made(board, undefined, type, { rules: all.map((rule) => ruleElement(board, rule)) })] : []
  const access = Object.entries(task.fields).map(([field, as]) => made(board, undefined, 'db:Access', { field, as }))
  const may = mays.filter((each) => task.may[each])
  board.get('modeling').updateProperties(element, {
    extensionElements: withExtensions(
      board,
      of,
      ['db:Assignees', 'db:Copies', 'db:Due', 'db:Fields'],
      [
        ...rules('db:Assignees', task.assignees),
        ...rules('db:Copies', copies),
        ...(task.due ? [made(board, undefined, 'db:Due', { ...task.due, onDue: task.onDue ?? 'remind' })] : []),
        ...(access.length > 0 ? [made(board, undefined, 'db:Fields', { access })] : []),
      ],
    ),
    loopCharacteristics: loop ? loopElement(board, of, loop) : undefined,
    'db:onRefuse': typeof task.onRefuse === 'object' ? 'return' : task.onRefuse,
    'db:returnTo': typeof task.onRefuse === 'object' ? task.onRefuse.to : undefined,
    'db:ifNobody': task.ifNobody,
    'db:skipSame': task.skipSame ? true : undefined,
    'db:may': may.length > 0 ? may.join(' ') : 'nothing',
  })
}

/** What a service task does. */
export function actionOf(of: Moddle): ActionPlan {
  const action = own(of, 'db:Action')
  const kind = action && (text(action, 'kind') as ActionPlan['kind'] | undefined)
  const to = rulesIn(action, 'to')
  switch (kind) {
    case 'sms':
      return { kind, to, template: text(action!, 'template') ?? '' }
    case 'copy':
      return { kind, to }
    case 'action':
      return {
        kind,
        // What no version of the product knows is shown as it is written, until something else is chosen.
        name: (text(action!, 'name') ?? '') as ProductActionName,
        inputs: Object.fromEntries(
          many(action!, 'inputs').map((each) => [text(each, 'name') ?? '', text(each, 'value') ?? '']),
        ),
      }
    default:
      return {
        kind: 'inbox',
        to,
        title: (action && text(action, 'title')) ?? '',
        body: (action && text(action, 'body')) ?? '',
      }
  }
}

function actionAttributes(board: Board, action: ActionPlan): Readonly<Record<string, unknown>> {
  if (action.kind === 'action') {
    const inputs = Object.entries(action.inputs)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => made(board, undefined, 'db:Input', { name, value }))
    return { kind: action.kind, name: action.name, ...(inputs.length > 0 ? { inputs } : {}) }
  }
  const { to, ...rest } = action
  return { ...rest, ...(to.length > 0 ? { to: to.map((rule) => ruleElement(board, rule)) } : {}) }
}

export function writeAction(board: Board, element: Drawn, action: ActionPlan): void {
  const of = element.businessObject
  const made_ = made(board, undefined, 'db:Action', actionAttributes(board, action))
  board
    .get('modeling')
    .updateProperties(element, { extensionElements: withExtensions(board, of, ['db:Action'], [made_]) })
}

/** The fields of the form of a process. */
export function formOf(process: Moddle): readonly FormField[] {
  const form = own(process, 'db:Form')
  if (!form) return []
  return many(form, 'fields').map((field): FormField => {
    const number = (name: string) => {
      const value = field.get(name)
      return typeof value === 'number' ? { [name]: value } : {}
    }
    const options = many(field, 'options').map((each) => ({
      key: text(each, 'key') ?? '',
      label: text(each, 'label') ?? '',
    }))
    const help = text(field, 'help')
    return {
      name: text(field, 'name') ?? '',
      label: text(field, 'label') ?? '',
      kind: (text(field, 'kind') ?? 'text') as FormField['kind'],
      ...(field.get('required') === true ? { required: true } : {}),
      ...number('min'),
      ...number('max'),
      ...(help === undefined ? {} : { help }),
      ...(options.length > 0 ? { options } : {}),
    }
  })
}

export function writeForm(board: Board, element: Drawn, process: Moddle, form: readonly FormField[]): void {
  const fields = form.map(({ options, ...field }) =>
    made(board, undefined, 'db:Field', {
      ...field,
      ...(options ? { options: options.map((each) => made(board, undefined, 'db:Option', { ...each })) } : {}),
    }),
  )
  const extensionElements = withExtensions(
    board,
    process,
    ['db:Form'],
    fields.length > 0 ? [made(board, undefined, 'db:Form', { fields })] : [],
  )
  board.get('modeling').updateModdleProperties(element, process, { extensionElements })
}

const timers = { date: 'timeDate', duration: 'timeDuration', cycle: 'timeCycle' } as const

/** The timer of an event. */
export function timerIn(definition: Moddle): TimerPlan {
  for (const kind of ['date', 'duration', 'cycle'] as const) {
    const said = one(definition, timers[kind])
    const value = said && text(said, 'body')
    if (value !== undefined) return { kind, value, by: (text(definition, 'db:by') ?? 'clock') as TimerPlan['by'] }
  }
  return { kind: 'duration', value: 'P1D', by: 'clock' }
}

export function writeTimer(board: Board, element: Drawn, definition: Moddle, { kind, value, by }: TimerPlan): void {
  board.get('modeling').updateModdleProperties(element, definition, {
    ...Object.fromEntries(Object.values(timers).map((name) => [name, undefined])),
    [timers[kind]]: made(board, definition, 'bpmn:FormalExpression', { body: value }),
    'db:by': by === 'clock' ? undefined : by,
  })
}
