// A process that does nothing but make one timetable as the server does, in a thread, and prove why there is none: its CPU
// seconds, its peak of memory, and whether what the proof names is enough. bench/timetable.ts starts it.
//   node bench/timetable-alone.ts <way or "possible"> <classes> <seed> <seconds>

import { explain } from '../server/src/modules/timetable/solver/explain.ts'
import { loadHighs } from '../server/src/modules/timetable/solver/explain-load.ts'
import { solveApart } from '../server/src/modules/timetable/solver/run.ts'
import { bigSchool } from '../server/test/timetable-impossible-big.ts'

const [way = 'possible', ...numbers] = process.argv.slice(2)
const [classes = 36, seed = 1, seconds = 0] = numbers.map(Number)
const problem = bigSchool(way, classes, seed)
const begin = process.cpuUsage()
/** Without seconds for a search before it, the proof alone is measured. */
const explanation =
  seconds === 0
    ? explain(problem, { highs: await loadHighs(), seconds: 30, seed })
    : (
        await solveApart(problem, {
          ...{ seed, seconds, signal: new AbortController().signal },
          onProgress: async () => {},
        })
      ).explanation
const { user, system } = process.cpuUsage(begin)
console.log(
  JSON.stringify({
    cpu: (user + system) / 1e6,
    peak: process.resourceUsage().maxRSS / 1024,
    obstacles: explanation?.obstacles.length ?? 0,
    enough: explanation?.enough ?? true,
  }),
)
