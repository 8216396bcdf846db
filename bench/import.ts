// Imports 10,000 rows of 60 columns, then 5,000 teaching assignments, into a built server of its own, as a clerk's browser
// would, and prints what it took beside the goals.
//   npm run bench:import -- [rows] [assignments]
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { password, startAlone } from './alone.ts'
import { assignmentColumns, assignmentRows, benchColumns, benchRows, teachersOf, writeXlsx } from './import-file.ts'
import { type Batch, prepare, until } from './import-steps.ts'

const rows = Number(process.argv[2] ?? 10_000)
const assignments = Number(process.argv[3] ?? 5_000)
const goal = { seconds: 15, megabytes: 512 }
const server = await startAlone()
const { call, folder } = server

const memory = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

/** Seconds of CPU so far: of the server itself, and of the database that it runs. */
function cpu(): { server: number; database: number } {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parts = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        return [{ id: Number(name), parent: Number(parts[1]), ticks: [11, 12, 13, 14].map((at) => Number(parts[at])) }]
      } catch {
        // It has just ended.
        return []
      }
    })
  const below = (id: number): number[] =>
    all.filter((each) => each.parent === id).flatMap((each) => [each.id, ...below(each.id)])
  const children = new Set(below(server.pid))
  const sum = (ticks: readonly number[]): number => ticks.reduce((total, each) => total + each, 0) / 100
  return {
    server: sum(all.find((each) => each.id === server.pid)?.ticks.slice(0, 2) ?? []),
    database: sum(all.filter((each) => children.has(each.id)).flatMap((each) => each.ticks)),
  }
}

async function measure(): Promise<boolean> {
  const { schoolId, classes } = await prepare(call)
  const cores = `${os.cpus().length} cores, Node ${process.version}`
  console.log(cores)
  const students = await bring(
    'blade-user/import',
    schoolId,
    rows,
    benchColumns.map((column) => column.label.zh),
    benchRows(rows, classes),
  )
  if (assignments === 0) return students
  const teachers = teachersOf(84)
  for (const [at, realName] of teachers.entries())
    await call('POST', 'blade-user/submit', {}, { account: `teacher${at}`, staffNo: `T${at}`, realName, password })
  const assigned = await bring(
    'blade-user/import-teacherclass',
    schoolId,
    assignments,
    assignmentColumns,
    assignmentRows(assignments, classes, teachers),
  )
  return students && assigned
}

/** Brings a file in and takes it back, as the console does; whether the goals are met. */
async function bring(
  to: string,
  schoolId: string,
  count: number,
  headings: readonly string[],
  lines: Iterable<readonly string[]>,
): Promise<boolean> {
  const file = path.join(folder, 'file.xlsx')
  await writeXlsx(file, headings, lines)
  const bytes = readFileSync(file)
  const atStart = memory()
  const took: [string, number, { seen: number; slowest: number; server: number; database: number }][] = []
  let spent = cpu()
  const began = performance.now()
  let last = began
  const lap = (name: string, result: { seen: number; slowest: number }): void => {
    const now = performance.now()
    const so = cpu()
    took.push([
      name,
      now - last,
      { ...result, server: so.server - spent.server, database: so.database - spent.database },
    ])
    last = now
    spent = so
  }
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'file.xlsx')
  const sent = await call<Batch>('POST', `${to}/upload`, { schoolId }, form)
  const read = await until(call, to, sent.id, ['mapping'])
  lap('upload, read, store', read)
  const mapping = Object.fromEntries(read.batch.columns.map((column) => [column.index, column.key]))
  await call('POST', `${to}/mapping`, {}, { id: sent.id, mapping })
  const checked = await until(call, to, sent.id, ['checked'])
  lap('check', checked)
  if (checked.batch.counts.add !== count)
    throw new Error(
      `not all rows are good: ${JSON.stringify(checked.batch.counts)} ${JSON.stringify(await call('GET', `${to}/rows`, { id: sent.id, state: 'bad', size: 2 }))}`,
    )
  await call('POST', `${to}/commit`, { id: sent.id })
  lap('commit', await until(call, to, sent.id, ['done']))
  const seconds = (performance.now() - began) / 1_000
  const peak = memory()
  const asked = performance.now()
  await call('GET', `${to}/undo-plan`, { id: sent.id })
  lap('ask what an undo does', { seen: 0, slowest: performance.now() - asked })
  await call('POST', `${to}/undo`, { id: sent.id })
  lap('undo', await until(call, to, sent.id, ['undone']))
  console.log(`\n${to}: ${count} rows × ${headings.length} columns, ${(bytes.length / 1_048_576).toFixed(1)} MB xlsx`)
  for (const [name, ms, { seen, slowest, server: own, database }] of took)
    console.log(
      `${name.padEnd(22)} ${(ms / 1_000).toFixed(2).padStart(7)} s   CPU: server ${own.toFixed(1).padStart(5)} s, database ${database.toFixed(1).padStart(5)} s; progress seen ${String(seen).padStart(3)} times, slowest answer ${slowest.toFixed(0).padStart(4)} ms`,
    )
  const met = (is: boolean): string => (is ? 'met' : 'MISSED')
  const [quick, small] = [seconds <= goal.seconds, peak <= goal.megabytes]
  console.log(
    `${'file to stored'.padEnd(22)} ${seconds.toFixed(2).padStart(7)} s   goal ≤ ${goal.seconds} s: ${met(quick)}`,
  )
  console.log(
    `${'server memory'.padEnd(22)} ${peak.toFixed(0).padStart(7)} MB  goal ≤ ${goal.megabytes} MB: ${met(small)}; at start ${atStart.toFixed(0)} MB, after undo ${memory().toFixed(0)} MB`,
  )
  return quick && small
}

try {
  if (!(await measure())) process.exitCode = 1
} finally {
  await server.end()
}
