import type { Words } from '@data-brain/contract'
import { student } from '@data-brain/contract'
import { productAction } from '@data-brain/contract/flow/actions'
import type { ActionPlan, PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import { Repository } from '../../entity/repository.ts'
import { type Actor, holdsCode, system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { issueNotice } from '../desk/index.ts'
import type { FlowContext } from './business.ts'
import { Incident, type Variables } from './engine/host.ts'
import { fillTemplate } from './texts.ts'

type ProductAction = ActionPlan & { readonly kind: 'action' }

/** What an action works with: the instance's form, and the tenant's rows as a machine sees them. */
interface Doing {
  readonly context: FlowContext
  readonly node: PlanNode
  readonly inputs: Readonly<Record<string, string>>
  readonly variables: Variables
}

const said = ({ name, id }: PlanNode): string => name ?? id

const missing = (node: PlanNode, zh: string, en: string): Incident =>
  new Incident({ zh: `“${said(node)}”没有执行：${zh}`, en: `“${said(node)}” was not done: ${en}` })

/** Rows are changed in the name of the workflow; that whoever deployed the model may do so was judged then. */
const acting = ({ context: { tx, actor, circumstance, cipher } }: Doing) => ({
  ...{ tx, circumstance, cipher },
  actor: system('flow', actor.tenantId),
  unscoped: true,
})

/** The pupil whom a field of the form names. */
function pupilOf({ node, inputs, variables }: Doing): string {
  const id = variables[inputs.student ?? '']
  if (typeof id !== 'string') throw missing(node, '表单中没有选择学生', 'the form names no student')
  return id
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const asHtml = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `<p>${line.replace(/[&<>"]/g, (sign) => escapes[sign]!) || '<br>'}</p>`)
    .join('')

/** Whom a notice is for: the kind of target, and its ids. */
function targetsOf({ node, inputs, variables }: Doing): { targetType: string; targetIds: string[] | null } {
  if (inputs.audience === 'all') return { targetType: '1', targetIds: null }
  const isSchool = inputs.audience === 'school'
  const { deptId } = (variables.applicant ?? {}) as { readonly deptId?: unknown }
  const id = isSchool ? variables.schoolId : deptId
  if (typeof id !== 'string')
    throw isSchool
      ? missing(node, '申请人不属于任何学校', 'the applicant belongs to no school')
      : missing(node, '申请人不属于任何部门', 'the applicant belongs to no department')
  return { targetType: isSchool ? '4' : '2', targetIds: [id] }
}

const actions: Readonly<Record<ProductAction['name'], (doing: Doing) => Promise<unknown>>> = {
  notice: (doing) => {
    const { inputs, variables } = doing
    return issueNotice(acting(doing), {
      title: fillTemplate(inputs.title ?? '', variables)
        .trim()
        .slice(0, 100),
      content: asHtml(fillTemplate(inputs.content ?? '', variables)),
      category: inputs.category ?? '',
      ...targetsOf(doing),
    })
  },
  studentStatus: (doing) =>
    new Repository(student, acting(doing)).edit(pupilOf(doing), { status: Number(doing.inputs.status) }),
  studentField: (doing) => {
    const { inputs, variables } = doing
    const value = fillTemplate(inputs.value ?? '', variables).trim()
    return new Repository(student, acting(doing)).edit(pupilOf(doing), { [inputs.field ?? '']: value || null })
  },
}

/**
 * Does an action of the product, in the transaction of the step. What the product refuses stands as an incident with its
 * words, as another try would be refused as well; any other failure is tried again by whoever keeps the instance.
 */
export async function doProductAction(
  context: FlowContext,
  node: PlanNode,
  { name, inputs }: ProductAction,
  variables: Variables,
): Promise<void> {
  try {
    await actions[name]({ context, node, inputs, variables })
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    throw missing(node, problem.words('zh'), problem.words('en'))
  }
}

/** What of a plan whoever deploys it may not do themselves: by element, in words. */
export function lackingRights(plan: ProcessPlan, actor: Actor): (Words & { readonly element: string })[] {
  return Object.values(plan.nodes).flatMap((node) => {
    if (node.action?.kind !== 'action') return []
    const { label, codes } = productAction(node.action.name)
    if (codes.every((code) => holdsCode(actor, code))) return []
    return [
      {
        element: node.id,
        zh: `服务任务“${said(node)}”要${label.zh}，您没有这项权限（${codes.join('、')}），不能部署`,
        en: `Service task “${said(node)}” does what you may not (${label.en}: ${codes.join(', ')}): somebody with that right has to deploy it`,
      },
    ]
  })
}
