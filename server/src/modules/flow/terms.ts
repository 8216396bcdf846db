import type { TaskPlan } from '@data-brain/contract/flow/plan'
import type { Variables } from './engine/host.ts'

/** What a business promises of a step when its process begins, beside what the model says. */
export interface StepTerms {
  /** Hours that the step may wait, counted on school days. */
  readonly dueHours?: number
  /** What happens then: whoever decides is reminded, or the first of these levels that has somebody else decides. */
  readonly onDue?: 'remind' | { readonly to: readonly (readonly string[])[] }
  readonly mayDelegate?: boolean
}

/** The terms of an instance, by node. */
export type Terms = Readonly<Record<string, StepTerms>>

/** A step of people as an instance is held to it. */
export interface HeldStep extends Omit<TaskPlan, 'onDue'> {
  readonly onDue?: TaskPlan['onDue'] | Exclude<StepTerms['onDue'], undefined>
}

/** Among the variables of an instance terms have a name that no field of a form can have, so that no form writes them. */
const termsName = '$terms'

/** Keeps terms among the variables of an instance that begins. */
export const keepTerms = (terms: Terms | undefined): Variables => (terms ? { [termsName]: terms } : {})

/** Those who were promised to be above a step, level by level. */
export function promisedLevels(variables: Variables, node: string): readonly (readonly string[])[] {
  const onDue = (variables[termsName] as Terms | undefined)?.[node]?.onDue
  return typeof onDue === 'object' ? onDue.to : []
}

/** Joins what a model says of a step with what was promised of it: the promise goes before, but allows nothing more. */
export function heldStep(task: TaskPlan, node: string, variables: Variables): HeldStep {
  const terms = (variables[termsName] as Terms | undefined)?.[node]
  if (!terms) return task
  const { dueHours, onDue, mayDelegate = true } = terms
  return {
    ...task,
    may: { ...task.may, delegate: task.may.delegate && mayDelegate },
    // A weekend or a holiday is no time to decide in.
    ...(dueHours === undefined ? {} : { due: { kind: 'duration', value: `PT${dueHours}H`, by: 'schoolDays' } }),
    ...(onDue === undefined ? {} : { onDue }),
  }
}
