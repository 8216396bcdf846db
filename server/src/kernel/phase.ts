import type { Services } from './services.ts'

/** Where a server is in its life: it takes requests only when it is ready, and is told from others by its connections. */
export type Phase = 'starting' | 'ready' | 'stopping'

const phases = new WeakMap<object, Phase>()

export const phaseOf = (services: Pick<Services, 'pool'>): Phase => phases.get(services.pool) ?? 'starting'

export function setPhase(services: Pick<Services, 'pool'>, phase: Phase): void {
  phases.set(services.pool, phase)
}
