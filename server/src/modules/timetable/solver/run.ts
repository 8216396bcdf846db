import { Worker } from 'node:worker_threads'
import { threadOf } from '../../../kernel/thread.ts'
import type { Violation } from './evaluate.ts'
import type { Explanation } from './explain.ts'
import type { Placement, Problem } from './problem.ts'

/** What the solving thread is told; `stopped` holds one number, 1 once it is to end with what it has. */
export interface ToSolver {
  readonly problem: Problem
  readonly seed: number
  readonly seconds: number
  readonly stopped: SharedArrayBuffer
}

/** A rule that a timetable breaks: in how many places, and what it costs where it is a wish. */
export interface BrokenRule {
  readonly rule: string
  readonly hard: boolean
  readonly times: number
  readonly cost: number
}

export type FromSolver =
  | { readonly kind: 'progress'; readonly placed: number; readonly total: number }
  | {
      readonly kind: 'done'
      readonly placements: readonly Placement[]
      readonly hard: number
      readonly soft: number
      /** Why hard rules are broken or lessons missing; absent where none is. */
      readonly explanation?: Explanation
      readonly broken: readonly BrokenRule[]
    }

/** The rules among violations, each once. */
export function brokenRules(violations: readonly Violation[]): BrokenRule[] {
  const found = new Map<string, { rule: string; hard: boolean; times: number; cost: number }>()
  for (const { rule, hard, cost } of violations) {
    if (rule === undefined) continue
    const there = found.get(rule) ?? { rule, hard, times: 0, cost: 0 }
    there.times += 1
    there.cost += cost
    found.set(rule, there)
  }
  return [...found.values()]
}

type Solved = Omit<Extract<FromSolver, { kind: 'done' }>, 'kind'>

/** In MB, of objects; the proof's own memory (WebAssembly) is bounded by how many lessons it looks at together. */
const memory = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 4 } as const

/** Solves in a thread of its own. `onProgress` may throw to end it: what it has by then is nobody's. */
export async function solveApart(
  problem: Problem,
  {
    seed,
    seconds,
    signal,
    onProgress,
  }: {
    readonly seed: number
    readonly seconds: number
    readonly signal: AbortSignal
    readonly onProgress: (placed: number, total: number) => Promise<void>
  },
): Promise<Solved> {
  const stopped = new SharedArrayBuffer(4)
  const told: ToSolver = { problem, seed, seconds, stopped }
  const worker = new Worker(threadOf('worker-solve', import.meta.url), {
    workerData: told,
    resourceLimits: memory,
  })
  try {
    return await new Promise<Solved>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('the solving thread ended without an answer')))
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.on('message', (message: FromSolver) => {
        if (message.kind === 'done') resolve(message)
        else onProgress(message.placed, message.total).catch(reject)
      })
    })
  } finally {
    await worker.terminate()
  }
}
