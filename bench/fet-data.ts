// How much of FET's language is understood: every .fet of a folder (Debian package `fet-data`) is read, and its constraints are
// counted that the import takes, and that the generator has a rule for. Files of which all constraints have one are solved,
// beside FET where FET names a fet-cl.
//   [FET=<fet-cl>] npm run bench:fet-data -- <folder>

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readFet } from '../server/src/modules/import/timetable/fet-file.ts'
import { solve } from '../server/src/modules/timetable/solver/solve.ts'
import { type FetKind, problemOfFet } from './fet-problem.ts'
import { table } from './report.ts'

const run = promisify(execFile)
const folder = process.argv[2]
const fet = process.env.FET
/** CPU seconds that a solver has for a file. */
const seconds = 30
if (!folder) throw new Error('name the folder: npm run bench:fet-data -- <folder>')

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)
const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Whether a fet-cl solves a file in the time, and in how many CPU seconds. */
async function byFet(program: string, file: string): Promise<string> {
  const output = await mkdtemp(path.join(tmpdir(), 'bench-fet-data-'))
  try {
    const given = [`--inputfile=${file}`, `--outputdir=${output}`, `--timelimitseconds=${seconds}`, '--htmllevel=0']
    const { stdout } = await run('/bin/sh', ['-c', '"$@" > /dev/null 2>&1; times', 'sh', program, ...given])
    const [, minutes, rest, minutes2, rest2] = /(\d+)m([\d.]+)s\s+(\d+)m([\d.]+)s\s*$/.exec(stdout.trim()) ?? []
    const spent = Number(minutes) * 60 + Number(rest) + Number(minutes2) * 60 + Number(rest2)
    const name = path.basename(file, '.fet')
    const made = await readFile(path.join(output, `timetables/${name}/${name}_data_and_timetable.fet`)).catch(
      () => undefined,
    )
    return made ? spent.toFixed(2) : 'no'
  } finally {
    await rm(output, { recursive: true })
  }
}

/** Solves a file by the generator: CPU seconds, or which hard rules its best timetable breaks; a lesson without a place breaks one. */
function byOurs(problem: Parameters<typeof solve>[0]): string {
  const begin = cpu()
  const { evaluation } = solve(problem, {
    seed: 1,
    seconds,
    improves: false,
    stop: () => cpu() - begin > seconds,
  })
  const spent = cpu() - begin
  const broken = new Map<string, number>()
  for (const { kind, hard } of evaluation.violations) if (hard) broken.set(kind, (broken.get(kind) ?? 0) + 1)
  if (broken.size === 0) return spent.toFixed(2)
  return `no, broken: ${[...broken].map(([kind, count]) => `${kind} ${count}`).join(', ')}`
}

const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.fet')).toSorted()
const rows: string[][] = []
const solved: string[][] = []
const kinds = new Map<string, FetKind & { taken: number; files: number }>()
const unread: string[] = []
for (const name of files) {
  const file = path.join(folder, name)
  try {
    const text = await readFile(file, 'utf8')
    const { constraints: read } = readFet(text)
    const { kinds: ours, problem, beyond } = problemOfFet(text)
    const sum = { all: 0, taken: 0, understood: 0 }
    for (const [kind, { all, read: taken }] of read) {
      const bare = kind.replace(/^Constraint/, '')
      const { understood = 0, sought = 0 } = ours.get(bare) ?? {}
      const total = kinds.get(bare) ?? { all: 0, taken: 0, understood: 0, sought: 0, files: 0 }
      kinds.set(bare, {
        ...{ all: total.all + all, taken: total.taken + taken },
        ...{ understood: total.understood + understood, sought: total.sought + sought, files: total.files + 1 },
      })
      sum.all += all
      sum.taken += taken
      sum.understood += understood
    }
    rows.push([
      name.slice(-70),
      String(sum.all),
      percent(sum.taken, sum.all),
      percent(sum.understood, sum.all),
      beyond.join(', '),
    ])
    if (sum.all > sum.understood || beyond.length > 0 || problem.activities.length === 0) continue
    const own = byOurs(problem)
    solved.push([name.slice(-70), String(problem.activities.length), own, ...(fet ? [await byFet(fet, file)] : [])])
  } catch (error) {
    unread.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const total = (of: (kind: FetKind & { taken: number }) => number): number =>
  [...kinds.values()].reduce((sum, kind) => sum + of(kind), 0)
const constraints = total(({ all }) => all)
console.log(table([['file', 'constraints', 'taken by the import', 'rule of the generator', 'beyond it'], ...rows]))
console.log(`\nread: ${rows.length} of ${files.length} files`)
for (const line of unread) console.log(`not read: ${line}`)
const share = (of: (kind: FetKind & { taken: number }) => number): string => percent(total(of), constraints)
console.log(`constraints: ${constraints}`)
console.log(`  taken by the import: ${share(({ taken }) => taken)}`)
console.log(`  with a rule of the generator: ${share(({ understood }) => understood)}`)
console.log(`  with a rule that its search seeks, and does not only judge: ${share(({ sought }) => sought)}\n`)
const unknown = [...kinds].filter(([, { all, understood }]) => understood < all)
console.log(
  table([
    ['not understood, or not all of them', 'of all', 'without a rule', 'files'],
    ...unknown
      .toSorted(([, a], [, b]) => b.all - b.understood - (a.all - a.understood))
      .map(([kind, { all, understood, files: in_ }]) => [kind, String(all), String(all - understood), String(in_)]),
  ]),
)
const isSolved = (cell: string | undefined): boolean => /^\d/.test(cell ?? '')
console.log(`\nunderstood in full: ${solved.length} of ${rows.length} files`)
if (solved.length > 0) {
  console.log(table([['file', 'lessons', 'ours, CPU s', ...(fet ? ['FET, CPU s'] : [])], ...solved]))
  const shareOf = (at: number): string => percent(solved.filter((row) => isSolved(row[at])).length, solved.length)
  console.log(
    `solved within ${seconds} CPU s: ours ${shareOf(2)}${fet ? `, FET ${shareOf(3)}` : ' (FET names no fet-cl: not run beside it)'}`,
  )
}
