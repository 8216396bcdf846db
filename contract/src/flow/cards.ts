import type { AssigneeRule, FormField, LoopPlan, TaskPlan } from './plan.ts'

/** A process as cards: what schools usually need, without a drawing. It is written as BPMN, and read from it where cards can say it. */
export interface CardModel {
  readonly key: string
  readonly name: string
  readonly formKey?: string
  readonly form: readonly FormField[]
  readonly cards: readonly Card[]
}

export type Card = ApprovalCard | CopyCard | BranchCard

export interface ApprovalCard {
  readonly kind: 'approval'
  readonly id: string
  readonly name: string
  readonly task: Omit<TaskPlan, 'copies'>
  /** One of the candidates, or so many of them. */
  readonly loop?: LoopPlan
}

/** Somebody is told. */
export interface CopyCard {
  readonly kind: 'copy'
  readonly id: string
  readonly name: string
  readonly to: readonly AssigneeRule[]
}

/** The first way whose condition holds is taken; the last has none. All ways meet again after it. */
export interface BranchCard {
  readonly kind: 'branch'
  readonly id: string
  readonly name: string
  readonly ways: readonly {
    readonly name: string
    /** In the written form of conditions: `days > 3`; empty for the last way. */
    readonly when: string
    readonly cards: readonly Card[]
  }[]
}
