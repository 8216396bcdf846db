/*
 * What a deployed version of a process is to the engine: plain data, made once out of BPMN 2.0 when it is deployed. Nothing
 * of it is text that is evaluated: conditions are trees (expression.ts).
 */
import type { ProductActionName } from './actions.ts'
import type { Expression } from './expression.ts'

/** Elements that run; every other one is refused when a model is deployed. */
export const nodeTypes = [
  'start',
  'end',
  'user',
  'service',
  'exclusive',
  'parallel',
  'inclusive',
  'eventBased',
  'catch',
  'throw',
  'boundary',
  'sub',
  'call',
] as const
export type NodeType = (typeof nodeTypes)[number]

/** A version of a process. */
export interface ProcessPlan {
  /** The id of the process in its model: versions of one process share it. */
  readonly key: string
  readonly name: string
  readonly nodes: Readonly<Record<string, PlanNode>>
  readonly flows: Readonly<Record<string, PlanFlow>>
  /** Fields of its form, in order; none where a page of the product is its form, as with leave. */
  readonly form: readonly FormField[]
  /** The page of the product that is its form and stores its request, such as `leave`. */
  readonly formKey?: string
}

export interface PlanFlow {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly name?: string
  /** Taken where it holds; a flow without one always holds. */
  readonly condition?: Expression
}

export interface PlanNode {
  readonly id: string
  readonly type: NodeType
  readonly name?: string
  /** The sub-process that it stands in; null for the process itself. */
  readonly scope: string | null
  readonly incoming: readonly string[]
  readonly outgoing: readonly string[]
  /** The flow that is taken where no condition holds. */
  readonly defaultFlow?: string
  /** Of start, end, catch, throw and boundary events; absent for the plain ones. */
  readonly event?: EventPlan
  /** Of a boundary event: the activity at whose edge it stands, and whether it ends that activity. */
  readonly attachedTo?: string
  readonly interrupting?: boolean
  /** Of a user task. */
  readonly task?: TaskPlan
  /** Of a service task. */
  readonly action?: ActionPlan
  /** Of a call activity: the key of the process that runs in its place, its newest version at that moment. */
  readonly calls?: string
  /** Where it runs for several. */
  readonly loop?: LoopPlan
}

export type EventPlan =
  | { readonly kind: 'timer'; readonly timer: TimerPlan }
  | {
      readonly kind: 'message'
      readonly name: string
      /** What says of which instances it is: with it a message goes to others, or comes from them; without, it stays within its own. */
      readonly correlation?: string
    }
  /** Without a code a boundary event catches every error. */
  | { readonly kind: 'error'; readonly code?: string }
  | { readonly kind: 'terminate' }

/**
 * By what a message finds its instance, beside the name of a form's field: the instance itself, the row that it is about, or
 * what the message had that started it. No field can be called so.
 */
export const correlations = [':instance', ':business', ':message'] as const

/** When a timer comes due. */
export interface TimerPlan {
  readonly kind: 'date' | 'duration' | 'cycle'
  /** ISO 8601: an instant, `P3DT4H`, or `R3/PT1H`; or `field:<name>` for a date of the form. */
  readonly value: string
  /** What its days and hours are: those of the clock, days on which there is school, or hours between the first and the last bell. */
  readonly by: 'clock' | 'schoolDays' | 'schoolHours'
}

/** Who decides: each rule names people; all of them together are the candidates. */
export type AssigneeRule =
  | { readonly kind: 'user' | 'role' | 'post' | 'dept'; readonly ids: readonly string[] }
  /** By account, role alias, post code, as other engines' files name them: found in the tenant when a task is opened. */
  | { readonly kind: 'account' | 'roleAlias' | 'postCode'; readonly names: readonly string[] }
  /** The leader of the applicant's department, or of the one `up` levels above. */
  | { readonly kind: 'deptLeader'; readonly up: number }
  /** Of the pupil or class that it is about, or of the applicant's own class. */
  | { readonly kind: 'classTeacher' | 'gradeHead' | 'principal' | 'applicant' }
  /** Chosen by the applicant when the process is started. */
  | { readonly kind: 'chosen' }
  /** A field of the form that names a user. */
  | { readonly kind: 'field'; readonly field: string }
  /** Whoever did an earlier step. */
  | { readonly kind: 'doer'; readonly node: string }

export interface TaskPlan {
  readonly assignees: readonly AssigneeRule[]
  /** What happens where nobody is found: it stands as an incident, is passed over, or goes to those who manage processes. */
  readonly ifNobody: 'incident' | 'skip' | 'managers'
  /** Whoever agreed at an earlier step is not asked again. */
  readonly skipSame: boolean
  /** What a refusal does: ends the process, goes on (conditions judge `outcome`), or goes back to a step. */
  readonly onRefuse: 'end' | 'continue' | { readonly to: string }
  readonly may: {
    readonly delegate: boolean
    readonly transfer: boolean
    readonly return: boolean
    readonly addSigner: boolean
  }
  /** How long it may wait; afterwards it is overdue, and this happens. */
  readonly due?: TimerPlan
  readonly onDue?: 'remind' | 'agree' | 'refuse' | 'deptLeader'
  /** What the form shows at this step; a field that is not named is readable. */
  readonly fields: Readonly<Record<string, 'hidden' | 'read' | 'write'>>
  /** Informed when the step is done, without deciding. */
  readonly copies: readonly AssigneeRule[]
  readonly formKey?: string
}

/** Several at once or one after another, one for each of the people who decide. */
export interface LoopPlan {
  readonly order: 'parallel' | 'sequence'
  /** Done when all, any, a number or a share (0 to 1) has agreed; refused as soon as that cannot be reached any more. */
  readonly need: 'all' | 'any' | { readonly count: number } | { readonly share: number }
  /** How many there are where it is no user task. */
  readonly times?: number
}

/** What a service task does: a message to the inbox, an SMS, a copy to somebody who may then read along, an action of the product. */
export type ActionPlan =
  | { readonly kind: 'inbox'; readonly to: readonly AssigneeRule[]; readonly title: string; readonly body: string }
  | { readonly kind: 'sms'; readonly to: readonly AssigneeRule[]; readonly template: string }
  | { readonly kind: 'copy'; readonly to: readonly AssigneeRule[] }
  | { readonly kind: 'action'; readonly name: ProductActionName; readonly inputs: Readonly<Record<string, string>> }

/** The kinds of the fields of a form, in the order in which they are offered. */
export const formFieldKinds = [
  'text',
  'longText',
  'integer',
  'decimal',
  'date',
  'instant',
  'choice',
  'user',
  'student',
  'files',
  'flag',
] as const
export type FormFieldKind = (typeof formFieldKinds)[number]

/** A field of a form that a process brings with it. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly kind: FormFieldKind
  readonly required?: boolean
  readonly options?: readonly { readonly key: string; readonly label: string }[]
  readonly min?: number
  readonly max?: number
  readonly help?: string
}

/** What stands against deploying a model: where, and in both languages what and what to do. */
export interface ModelFault {
  /** The element, where it is one. */
  readonly element?: string
  readonly zh: string
  readonly en: string
}

/** The extension elements and attributes of the product in BPMN stand in this namespace. */
export const flowNamespace = 'https://data-brain.dev/bpmn'
