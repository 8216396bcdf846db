import { parentPort, workerData } from 'node:worker_threads'
import type { Explanation } from './explain.ts'
import { usualManner } from './explain-asks.ts'
import { brokenRules, type FromSolver, type ToSolver } from './run.ts'
import { solve } from './solve.ts'

/* The thread that makes a timetable: the server answers others meanwhile. */

const { problem, seed, seconds, stopped } = workerData as ToSolver
const say = (message: FromSolver): void => parentPort!.postMessage(message)
const flag = new Int32Array(stopped)
const stop = (): boolean => Atomics.load(flag, 0) === 1
/** Seconds by the clock that the proof may take: it takes a few of an idle processor, and a busy one is given more. */
const explaining = 20

const { timetable, evaluation } = solve(problem, {
  seed,
  seconds,
  onProgress: (placed, total) => say({ kind: 'progress', placed, total }),
  stop,
})
/** Why there is no timetable: what proves it is loaded only then. */
async function why(): Promise<Explanation> {
  const [{ loadHighs }, { explain }] = await Promise.all([import('./explain-load.ts'), import('./explain.ts')])
  return explain(problem, {
    ...{ highs: await loadHighs(), seconds: explaining, seed, stop },
    mannerOf: usualManner,
  })
}

say({
  ...{ kind: 'done', placements: timetable.placements, hard: evaluation.hard, soft: evaluation.soft },
  broken: brokenRules(evaluation.violations),
  ...(evaluation.hard > 0 && !stop() ? { explanation: await why() } : {}),
})
