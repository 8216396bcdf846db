// One school, solved by a process that has solved nothing before: CPU seconds to the first timetable, without the start of Node
// and the loading of the code. bench/timetable.ts starts it.
//   node bench/timetable-first.ts <classes> <load> <seed>

import { solve } from '../server/src/modules/timetable/solver/solve.ts'
import { school } from '../server/test/timetable-school.ts'

const [classes = 0, load = 0, seed = 0] = process.argv.slice(2).map(Number)
const problem = school(classes, load, seed)
const begin = process.cpuUsage()
solve(problem, { seed, seconds: 60, improves: false })
const { user, system } = process.cpuUsage(begin)
console.log((user + system) / 1e6)
