import type { FlowStep } from '@data-brain/contract/calls/flow'
import type { Translate } from '../../../ui/words.ts'
import { spanBetween, spanText } from '../time.ts'

/** What an element of the drawing is at the moment. */
export type ElementState = FlowStep['state']

/** The sign of each state, which says without colour what it is. */
export const stateSigns: Readonly<Record<ElementState, string>> = {
  done: '✓',
  refused: '✕',
  returned: '↩',
  waiting: '◉',
  gone: '–',
  incident: '!',
}

export const stateWords = {
  done: 'flow.stateDone',
  refused: 'flow.stateRefused',
  returned: 'flow.returned',
  waiting: 'flow.stateWaiting',
  gone: 'flow.stateGone',
  incident: 'flow.stateIncident',
} as const satisfies Readonly<Record<ElementState, string>>

/** What stands in the history for the engine alone: the timeline passes over it, the drawing shows its path. */
const silent = /gateway|candidate|sequenceFlow|eventBased|exclusive|parallel|inclusive/i

/** Steps that a person reads of, in order of time. */
export const toldSteps = (steps: readonly FlowStep[]): FlowStep[] =>
  steps.filter(({ historyActivityType: type }) => !silent.test(type))

const isStart = (type: string): boolean => /^start/i.test(type)
const isEnd = (type: string): boolean => /end/i.test(type)

/** What a step is called: the end of a process is one, whatever its drawing says of it. */
export const nameOfStep = ({ historyActivityName: name, historyActivityType: type }: FlowStep, t: Translate): string =>
  type === 'copy'
    ? t('flow.copy')
    : name || t(isStart(type) ? 'flow.stepStart' : isEnd(type) ? 'flow.stepEnd' : 'flow.stepOther')

/** The words for the outcome of a task that ended without a decision, by outcome. */
export const outcomeWords: Readonly<Record<string, string>> = {
  transfer: 'flow.transferred',
  delegate: 'flow.delegated',
  signer: 'flow.signerAdded',
  overdue: 'flow.handedUp',
  away: 'flow.passedAway',
  left: 'flow.passedLeft',
}

/** What became of a step, in words. */
export function wordOfStep({ state, outcome, historyActivityType: type }: FlowStep, t: Translate): string {
  const handing = state === 'gone' ? outcomeWords[outcome ?? ''] : undefined
  if (handing) return t(handing)
  if (isStart(type)) return t('flow.stateSent')
  if (type === 'copy') return t('flow.stateCopied')
  if (state === 'done' && outcome === 'ok') return t('flow.agreed')
  if (state === 'done' && /user/i.test(type) && outcome === 'no') return t('flow.refused')
  return t(stateWords[state])
}

/** How long a step took, or waits already; nothing of what passes in a moment. */
export function lengthOfStep({ state, createTime, endTime }: FlowStep, t: Translate): string {
  const span = spanBetween(createTime, endTime)
  if (span < 60_000) return ''
  if (state === 'waiting') return t('flow.since', { span: spanText(t, span) })
  return endTime !== null ? spanText(t, span) : ''
}

/** The state of every element that was reached: what waits or has failed stands before what is over. */
export function statesOf(steps: readonly FlowStep[]): ReadonlyMap<string, ElementState> {
  const states = new Map<string, ElementState>()
  for (const { historyActivityId: id, state } of steps) {
    const before = states.get(id)
    // A copy stands at no element.
    if (id === '') continue
    if (before !== 'waiting' && before !== 'incident') states.set(id, state)
  }
  return states
}

/** The flows that were taken. */
export const takenFlows = (steps: readonly FlowStep[]): ReadonlySet<string> =>
  new Set(steps.flatMap(({ cameBy }) => (cameBy ? cameBy.split(',') : [])))

/** What the drawing shows, in one sentence, for whoever does not see it. */
export function sentenceOf(steps: readonly FlowStep[], t: Translate): string {
  const told = toldSteps(steps)
  const states = statesOf(told)
  const namesIn = (state: ElementState): string =>
    [...states]
      .filter(([, each]) => each === state)
      .map(([id]) => nameOfStep(told.find((step) => step.historyActivityId === id)!, t))
      .join(t('flow.separator'))
  const parts = (['done', 'refused', 'returned', 'waiting', 'incident'] as const).flatMap((state) => {
    const names = namesIn(state)
    return names ? [t('flow.diagramPart', { state: t(stateWords[state]), names })] : []
  })
  return t('flow.diagramSays', { parts: parts.join(t('flow.partSeparator')) })
}
