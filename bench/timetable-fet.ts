import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readFet } from '../server/src/modules/import/timetable/fet-book.ts'
import { type FetFile, fetOf } from '../server/src/modules/timetable/fet.ts'
import type { Problem, Timetable } from '../server/src/modules/timetable/solver/problem.ts'

/** What fet-cl made of a problem. */
export interface FetRun {
  /** CPU seconds of its process, from its start to its end: reading the file and writing one file back are among them. */
  readonly cpu: number
  /** Whether every lesson has a place. */
  readonly solved: boolean
  readonly timetable: Timetable
}

const run = promisify(execFile)

/** FET writes a page for each way to look at a timetable: none of them is wanted. */
const pages = [
  ...['subgroups', 'groups', 'years', 'teachers', 'teachersfreeperiods', 'rooms', 'subjects', 'activitytags'],
  ...['activities', 'statistics', 'xml', 'dayshorizontal', 'daysvertical', 'timehorizontal', 'timevertical'],
].map((page) => `--writetimetables${page}=false`)

/** A problem as the product exports it, by its ids. */
export const fileOf = (problem: Problem, wishes: boolean): FetFile =>
  fetOf(problem, {
    title: 'bench:timetable',
    day: (day) => `D${day}`,
    period: (no) => `P${no}`,
    of: (id) => id,
    wishes,
  })

/** Lets a fet-cl solve a problem within so many seconds, and reads back what it writes. */
export async function runFet(
  program: string,
  problem: Problem,
  { wishes, seed, seconds }: { readonly wishes: boolean; readonly seed: number; readonly seconds: number },
): Promise<FetRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-timetable-'))
  try {
    const file = fileOf(problem, wishes)
    await writeFile(path.join(folder, 'school.fet'), file.text)
    const given = [
      ...[`--inputfile=${path.join(folder, 'school.fet')}`, `--outputdir=${folder}`, `--timelimitseconds=${seconds}`],
      ...['--htmllevel=0', '--writetimetableconflicts=false', ...pages],
      ...['10', '11', '12', '20', '21', '22'].map((part) => `--randomseeds${part}=${seed}`),
    ]
    // A shell tells what its children have used; its last line is theirs. What fet-cl answers with says nothing of success.
    const { stdout } = await run('/bin/sh', ['-c', '"$@" > /dev/null 2>&1; times', 'sh', program, ...given])
    const [, minutes, seconds1, minutes2, seconds2] = /(\d+)m([\d.]+)s\s+(\d+)m([\d.]+)s\s*$/.exec(stdout.trim()) ?? []
    const cpu = Number(minutes) * 60 + Number(seconds1) + Number(minutes2) * 60 + Number(seconds2)
    const text = await readFile(path.join(folder, 'timetables/school/school_data_and_timetable.fet'), 'utf8').catch(
      () => undefined,
    )
    const lessons = text === undefined ? [] : (await readFet(text)).lessons
    const placements = lessons.flatMap(({ id, day = '', hour = '', room = '' }) => file.placed(id, day, hour, room))
    return { cpu, solved: placements.length === problem.activities.length, timetable: { placements } }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A problem with every lesson locked where a timetable has it. */
export function lockedAs(problem: Problem, { placements }: Timetable): Problem {
  const at = new Map(placements.map(({ activity, ...slot }) => [activity, slot]))
  return {
    ...problem,
    activities: problem.activities.map((activity) => {
      const slot = at.get(activity.id)
      return slot ? { ...activity, locked: slot } : activity
    }),
  }
}
