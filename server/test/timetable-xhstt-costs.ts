import type { Evaluation, Violation } from '../src/modules/timetable/solver/evaluate.ts'
import type { Costs } from './timetable-xhstt-direct.ts'

/** What one constraint charges at one point that it applies to, of what our evaluator found. */
export interface Charge {
  readonly isRequired: boolean
  readonly weight: number
  readonly costFunction: string
  readonly takes: (violation: Violation) => boolean
  readonly deviation: (violations: readonly Violation[]) => number
}

/**
 * XHSTT counts otherwise in three ways: it charges a function of the deviation of each point, a clash of three lessons is two
 * too many where we tell three pairs, and two linked events of one time each that are apart deviate by two times where we count
 * one beginning too many. The charges say so for each constraint; nothing else is added to what the evaluator found.
 */
export function costsOf(charges: readonly Charge[], { violations }: Evaluation): Costs {
  const costs = { infeasibility: 0, objective: 0 }
  const taken = new Set<Violation>()
  for (const { isRequired, weight, costFunction, takes, deviation } of charges) {
    const own = violations.filter(takes)
    for (const each of own) taken.add(each)
    const by = deviation(own)
    const cost = weight * (costFunction === 'Quadratic' ? by * by : costFunction === 'Step' ? Math.sign(by) : by)
    costs[isRequired ? 'infeasibility' : 'objective'] += cost
  }
  const left = violations.find((each) => !taken.has(each))
  if (left) throw new Error(`no constraint asks for ${left.kind} ${left.rule ?? left.who ?? ''}`)
  return costs
}

/** How many units violations have together. */
export const unitsOf = (violations: readonly Violation[]): number =>
  violations.reduce((sum, { units }) => sum + units, 0)
