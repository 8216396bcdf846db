// How long the generator takes: schools of 12, 36 and 60 classes, ordinary ones and tight ones, five seeds each. CPU seconds to
// the first timetable in which every lesson has a place, and what the evaluator says of it then and after ten seconds. Where
// FET names a fet-cl, it solves the same schools, as the product exports them, by turns on the same machine.
// Then schools of 36 classes that cannot be, explained, and the memory of the generator alone.
//   FET=<fet-cl> npm run bench:timetable -- [classes,…]      12,36,60 where not given

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { evaluate } from '../server/src/modules/timetable/solver/evaluate.ts'
import { solve } from '../server/src/modules/timetable/solver/solve.ts'
import { bigWays } from '../server/test/timetable-impossible-big.ts'
import { school } from '../server/test/timetable-school.ts'
import { judge, table, type Verdict, verdicts as verdictLines } from './report.ts'
import { lockedAs, runFet } from './timetable-fet.ts'

const sizes = (process.argv[2] ?? '12,36,60').split(',').map(Number)
const seeds = [1, 2, 3, 4, 5]
/** Lessons a week of a teacher: how many there are follows from it, and with that how tight it is. */
const loads = { ordinary: 16, tight: 22 } as const
/** As long as a first timetable may take before it counts as none. */
const most = 60
const fet = process.env.FET

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const span = (numbers: readonly number[]): string =>
  `${middle(numbers).toFixed(2)} (${Math.min(...numbers).toFixed(2)}–${Math.max(...numbers).toFixed(2)})`

/** What one school came to. */
interface Run {
  readonly warm: number
  /** By a process that has solved nothing before. */
  readonly cold: number
  readonly solved: boolean
  readonly softFirst: number
  readonly softLater: number
  readonly fet?: {
    readonly solved: boolean
    /** Its whole process. */
    readonly cpu: number
    /** Its process again, on the same school with every lesson locked: what reading and writing take. */
    readonly reading: number
    /** What ours locks, it opens, and puts every lesson there. */
    readonly opened: boolean
    /** Of its timetable for the hard rules alone, and of the one with the wishes in the file. */
    readonly soft: number
    readonly wished: number
  }
}

async function runOf(classes: number, load: number, seed: number): Promise<Run> {
  const problem = school(classes, load, seed)
  const begin = cpu()
  const first = solve(problem, { seed, seconds: most, improves: false })
  const warm = cpu() - begin
  const given = [path.join(import.meta.dirname, 'timetable-first.ts'), classes, load, seed].map(String)
  const cold = Number(execFileSync(process.execPath, given, { encoding: 'utf8' }))
  const theirs = fet ? await runFet(fet, problem, { wishes: false, seed, seconds: most }) : undefined
  const later = solve(problem, { seed, seconds: 10 })
  const own = {
    ...{ warm, cold, solved: first.evaluation.hard === 0 && later.evaluation.hard === 0 },
    ...{ softFirst: first.evaluation.soft, softLater: later.evaluation.soft },
  }
  if (!fet || !theirs) return own
  const locked = lockedAs(problem, later.timetable)
  const reading = await runFet(fet, locked, { wishes: false, seed, seconds: most })
  const wished = await runFet(fet, problem, { wishes: true, seed, seconds: most })
  const judged = evaluate(problem, theirs.timetable)
  return {
    ...own,
    fet: {
      solved: theirs.solved && judged.hard === 0,
      ...{ cpu: theirs.cpu, reading: reading.cpu, soft: judged.soft },
      opened: reading.solved && evaluate(locked, reading.timetable).hard === 0,
      wished: wished.solved ? evaluate(problem, wished.timetable).soft : Number.NaN,
    },
  }
}

// The first run meets code that nothing has compiled yet.
solve(school(12, loads.ordinary, 99), { seed: 1, seconds: 2 })
const rows: string[][] = []
const beside: string[][] = []
const verdicts: Verdict[] = []
for (const classes of sizes)
  for (const [kind, load] of Object.entries(loads)) {
    const runs: Run[] = []
    for (const seed of seeds) runs.push(await runOf(classes, load, seed))
    const of = (value: (run: Run) => number): number[] => runs.map(value)
    const count = (is: (run: Run) => boolean | undefined): string => `${runs.filter(is).length}/${runs.length}`
    rows.push([
      String(classes),
      kind,
      String(school(classes, load, 1).activities.length),
      count(({ solved }) => solved),
      span(of(({ warm }) => warm)),
      span(of(({ cold }) => cold)),
      middle(of(({ softFirst }) => softFirst)).toFixed(0),
      middle(of(({ softLater }) => softLater)).toFixed(0),
    ])
    const theirs = runs.flatMap((run) => run.fet ?? [])
    if (theirs.length === 0) continue
    // A shell tells hundredths of a second: less than one is counted as one.
    const search = theirs.map((each) => Math.max(0.01, each.cpu - each.reading))
    const cold = middle(of((run) => run.cold))
    beside.push([
      String(classes),
      kind,
      count((run) => run.fet?.solved),
      span(theirs.map((each) => each.cpu)),
      span(search),
      (cold / middle(theirs.map((each) => each.cpu))).toFixed(2),
      (cold / middle(search)).toFixed(2),
      middle(theirs.map((each) => each.soft)).toFixed(0),
      middle(theirs.map((each) => each.wished)).toFixed(0),
      count((run) => run.fet?.opened),
    ])
    const what = `${classes} classes, ${kind}`
    const missed = runs.filter((run) => run.fet?.solved && !run.solved).length
    verdicts.push(judge(`${what}: solved by FET and not by ours`, missed, 0, ''))
    const worse = runs.filter((run) => run.fet && !(run.softLater < Math.min(run.fet.soft, run.fet.wished))).length
    verdicts.push(judge(`${what}: cost after 10 s not below FET's`, worse, 0, ''))
    const shut = runs.filter((run) => run.fet && !run.fet.opened).length
    verdicts.push(judge(`${what}: locked, and not opened by FET`, shut, 0, ''))
    if (classes === 60) {
      const whole = cold / middle(theirs.map((each) => each.cpu))
      verdicts.push(judge(`${what}: CPU to the first, of FET's whole process`, whole, 0.5, '×', 'at most', 2))
      verdicts.push(judge(`${what}: the same, of FET's search alone`, cold / middle(search), 0.5, '×', 'at most', 2))
    }
  }
console.log(
  table([
    [
      'classes',
      'kind',
      'lessons',
      'solved',
      'CPU s to the first',
      'in a fresh process',
      'cost then',
      'cost after 10 s',
    ],
    ...rows,
  ]),
)
/** Schools of 36 classes that cannot be, in each way, explained in a process of its own: by the proof alone, and by the thread that searches before. */
interface Alone {
  readonly cpu: number
  readonly peak: number
  readonly obstacles: number
  readonly enough: boolean
}
const alone = (way: string, classes: number, seed: number, seconds: number): Alone => {
  const given = [path.join(import.meta.dirname, 'timetable-alone.ts'), way, classes, seed, seconds].map(String)
  return JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })) as Alone
}
const few = [1, 2, 3]
const explained = Object.keys(bigWays).map((way) => ({
  way,
  proof: few.map((seed) => alone(way, 36, seed, 0)),
  thread: few.map((seed) => alone(way, 36, seed, 2)),
}))
console.log('\n36 classes that cannot be, explained:\n')
console.log(
  table([
    ['made so by', 'explained', 'CPU s', 'peak, with the search before, MB'],
    ...explained.map(({ way, proof, thread }) => [
      way,
      `${proof.filter(({ enough, obstacles }) => enough && obstacles > 0).length}/${proof.length}`,
      span(proof.map(({ cpu: each }) => each)),
      span(thread.map(({ peak }) => peak)),
    ]),
  ]),
)
const solved = [36, 60].map((classes) => alone('possible', classes, 1, 10))
const proofs = explained.flatMap(({ proof }) => proof)
verdicts.push(
  judge(
    'explained and enough, not',
    proofs.filter(({ enough, obstacles }) => !enough || obstacles === 0).length,
    0,
    '',
  ),
  judge(
    'explaining 36 classes, CPU at the most',
    Math.max(...proofs.map(({ cpu: each }) => each)),
    10,
    ' s',
    'at most',
    1,
  ),
  judge(
    'process of the solver alone, peak at the most',
    Math.max(...[...explained.flatMap(({ thread }) => thread), ...solved].map(({ peak }) => peak)),
    200,
    ' MB',
  ),
)
if (beside.length === 0) console.log('\nFET names no fet-cl: there is nothing beside it.')
else {
  console.log('\nFET on the same schools; × is the fresh process of ours by FET.\n')
  console.log(
    table([
      ['classes', 'kind', 'solved', 'CPU s', 'search', '× all', '× search', 'cost', 'with wishes', 'locked opened'],
      ...beside,
    ]),
  )
}
console.log(`\n${verdictLines(verdicts)}`)
