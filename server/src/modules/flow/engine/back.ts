import type { ProcessPlan } from '@data-brain/contract/flow/plan'
import { comingTo, nodeOf } from './graph.ts'
import type { Place } from './host.ts'

export interface Earlier extends Place {
  /** It stood in a branch that has been joined since, or was asked again alone: it can be so once more, and has to come back. */
  readonly isJoined: boolean
}

/** What a part of a lineage stands for: a flow where it is a fork; else a sub-process or an event beside a step. */
const whatOf = (part: string): string => part.slice(part.indexOf(':') + 1)

/** The mark in a lineage of a step that is repeated by itself: whatever it asks for in turn returns to it. */
export const standaloneMark = (id: string): string => `${id}:`
const isAlone = (part: string): boolean => whatOf(part) === ''

/**
 * How a step that is over stands to another one: before it, in a branch that was joined before it, or neither, such as in a
 * branch beside it, now or a round ago, or within a sub-process that is over.
 */
function relation(plan: ProcessPlan, past: Place, now: Place): 'before' | 'joined' | undefined {
  const differs = past.lineage.findIndex((part, index) => now.lineage[index] !== part)
  if (differs === -1) return past.lineage.some(isAlone) ? 'joined' : 'before'
  const there = past.lineage.slice(differs).map((part) => plan.flows[whatOf(part)])
  const here = now.lineage.slice(differs).map((part) => plan.flows[whatOf(part)])
  if (there.includes(undefined)) return undefined
  const parts = there.findIndex((flow, index) => flow !== here[index])
  const isBeside = parts !== -1 && there[parts]!.from === here[parts]?.from
  return isBeside ? undefined : 'joined'
}

/** Of steps that are over, newest first, those to which another one can go back: each once, as it was last. */
export function earlierSteps(plan: ProcessPlan, past: readonly Place[], now: Place): Earlier[] {
  const leading = new Set<string>()
  for (let id: string | null = now.node; id !== null; id = nodeOf(plan, id).scope)
    for (const each of comingTo(plan, nodeOf(plan, id).incoming, id)) leading.add(each)
  const found = new Map<string, Earlier>()
  for (const { node, lineage } of past) {
    if (!leading.has(node) || node === now.node) continue
    const how = relation(plan, { node, lineage }, now)
    if (how === undefined || (found.has(node) && !(found.get(node)!.isJoined && how === 'before'))) continue
    found.set(node, { node, lineage, isJoined: how === 'joined' })
  }
  return [...found.values()]
}
