// Imports 10,000 rows of 60 columns, then 5,000 teaching assignments, into a built server of its own, as a clerk's browser
// would, while others read a list, and prints what it took beside the goals.
//   npm run bench:import -- [rows] [assignments]
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { loadSecrets } from '../server/src/secrets.ts'
import { assignmentColumns, assignmentRows, benchColumns, benchRows, teachersOf, writeXlsx } from './import-file.ts'
import { startReading, type Waits } from './list-load.ts'
import { startFlags } from './servers.ts'

const rows = Number(process.argv[2] ?? 10_000)
const assignments = Number(process.argv[3] ?? 5_000)
/** Seconds and megabytes are for 10,000 rows; of a list at the same time, milliseconds of the 99th answer of 100. */
const goal = { seconds: 15, megabytes: 300, list: 50 }
const password = 'Correct-Horse-9'
const port = 18_000 + (process.pid % 1_000)
const folder = mkdtempSync(path.join(os.tmpdir(), 'data-brain-bench-'))
const base = `http://127.0.0.1:${port}`

const server = spawn(process.execPath, [...startFlags(), path.join(import.meta.dirname, '../server/dist/main.js')], {
  env: {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    ADMIN_PASSWORD: password,
    DEMO: 'off',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ready = new Promise<void>((resolve, reject) => {
  server.stdout.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('ready http://')) resolve()
  })
  server.once('exit', () => reject(new Error('the server ended')))
})

let token = ''
async function call<T>(
  method: 'GET' | 'POST',
  to: string,
  query: Record<string, string | number> = {},
  body?: unknown,
): Promise<T> {
  const form = body instanceof FormData
  const answer = await fetch(
    `${base}/api/${to}?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])))}`,
    {
      method,
      headers: {
        'Accept-Language': 'en',
        ...(token ? { 'Blade-Auth': `bearer ${token}` } : {}),
        ...(body && !form ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    },
  )
  const read = (await answer.json()) as { msg: string; data: T }
  if (answer.status !== 200) throw new Error(`${to}: ${read.msg}`)
  return to.includes('oauth') ? (read as unknown as T) : read.data
}

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
  const children = new Set(below(server.pid ?? 0))
  const sum = (ticks: readonly number[]): number => ticks.reduce((total, each) => total + each, 0) / 100
  return {
    server: sum(all.find((each) => each.id === server.pid)?.ticks.slice(0, 2) ?? []),
    database: sum(all.filter((each) => children.has(each.id)).flatMap((each) => each.ticks)),
  }
}

interface Batch {
  id: string
  state: string
  failure: string | null
  progress: number
  total: number
  counts: Record<string, number>
  columns: { index: number; key: string | null }[]
}

/** Waits as the page does, and counts how often it saw the progress move and how long it ever waited for an answer. */
async function until(
  path: string,
  id: string,
  states: readonly string[],
): Promise<{ batch: Batch; seen: number; slowest: number }> {
  const seen = new Set<number>()
  let slowest = 0
  for (;;) {
    const asked = performance.now()
    const batch = await call<Batch>('GET', `${path}/batch`, { id })
    slowest = Math.max(slowest, performance.now() - asked)
    if (batch.progress > 0) seen.add(batch.progress)
    if (batch.failure) throw new Error(batch.failure)
    if (states.includes(batch.state)) return { batch, seen: seen.size, slowest }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function prepare(): Promise<{ schoolId: string; classes: { grade: string; name: string }[] }> {
  const add = async (entity: string, draft: object): Promise<string> =>
    (await call<{ id: string }>('POST', `blade-user/${entity}/submit`, {}, draft)).id
  const schoolId = await add('school', {
    schoolCode: '3132000001',
    schoolName: '第一中学',
    schoolType: '31',
    stages: ['3'],
    regionCode: '320102',
  })
  const yearId = await add('schoolyear', {
    schoolId,
    yearName: '2026-2027',
    startYear: 2026,
    beginDate: '2026-09-01',
    endDate: '2027-08-31',
    isCurrent: 1,
  })
  await add('schoolsemester', {
    ...{ schoolId, yearId, semesterName: '第一学期', semesterNo: 1, isCurrent: 1, weekCount: 20 },
    ...{ beginDate: '2026-09-01', endDate: '2027-01-31', firstWeekMonday: '2026-08-31' },
  })
  const campusId = await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 })
  const { records } = await call<{ records: { id: string; gradeName: string; stage: string }[] }>(
    'GET',
    'blade-user/sysgrade/list',
    { stage: '3' },
  )
  const classes: { grade: string; name: string }[] = []
  for (const grade of records)
    for (let classNo = 1; classNo <= 20; classNo += 1) {
      const name = `${grade.gradeName}(${classNo})班`
      await add('schoolclass', {
        schoolId,
        campusId,
        yearId,
        gradeId: grade.id,
        classNo,
        className: name,
        cohortYear: 2026,
        classType: '20',
      })
      classes.push({ grade: grade.gradeName, name })
    }
  return { schoolId, classes }
}

async function measure(): Promise<boolean> {
  await ready
  const login = {
    tenantId: '000000',
    username: 'admin',
    password: createHash('md5').update(password).digest('hex'),
    grant_type: 'password',
    scope: 'all',
    type: 'account',
  }
  const { clientId, clientSecret } = await loadSecrets(folder)
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const answer = await fetch(`${base}/api/blade-auth/oauth/token?${new URLSearchParams(login)}`, {
    method: 'POST',
    headers: { Authorization: basic, 'Tenant-Id': '000000' },
  })
  token = ((await answer.json()) as { access_token: string }).access_token
  const { schoolId, classes } = await prepare()
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
  const took: [string, number, { seen: number; slowest: number; server: number; database: number }, Waits][] = []
  const reading = startReading({ port, path: '/api/blade-user/student/list?current=1&size=10', token })
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  // The first answers warm the list up.
  await reading.told()
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const quiet = await reading.told()
  let spent = cpu()
  const began = performance.now()
  let last = began
  const lap = async (name: string, result: { seen: number; slowest: number }): Promise<void> => {
    const now = performance.now()
    const so = cpu()
    took.push([
      name,
      now - last,
      { ...result, server: so.server - spent.server, database: so.database - spent.database },
      await reading.told(),
    ])
    last = now
    spent = so
  }
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'file.xlsx')
  const sent = await call<Batch>('POST', `${to}/upload`, { schoolId }, form)
  const read = await until(to, sent.id, ['mapping'])
  await lap('upload, read, store', read)
  const mapping = Object.fromEntries(read.batch.columns.map((column) => [column.index, column.key]))
  await call('POST', `${to}/mapping`, {}, { id: sent.id, mapping })
  const checked = await until(to, sent.id, ['checked'])
  await lap('check', checked)
  if (checked.batch.counts.add !== count)
    throw new Error(
      `not all rows are good: ${JSON.stringify(checked.batch.counts)} ${JSON.stringify(await call('GET', `${to}/rows`, { id: sent.id, state: 'bad', size: 2 }))}`,
    )
  await call('POST', `${to}/commit`, { id: sent.id })
  await lap('commit', await until(to, sent.id, ['done']))
  const seconds = (performance.now() - began) / 1_000
  const peak = memory()
  const asked = performance.now()
  await call('GET', `${to}/undo-plan`, { id: sent.id })
  await lap('ask what an undo does', { seen: 0, slowest: performance.now() - asked })
  await call('POST', `${to}/undo`, { id: sent.id })
  await lap('undo', await until(to, sent.id, ['undone']))
  await reading.stop()
  console.log(`\n${to}: ${count} rows × ${headings.length} columns, ${(bytes.length / 1_048_576).toFixed(1)} MB xlsx`)
  const told = ({ p50, p99, most }: Waits): string =>
    `lists p50 ${p50.toFixed(0).padStart(3)}, p99 ${p99.toFixed(0).padStart(4)}, most ${most.toFixed(0).padStart(4)} ms`
  console.log(`${'before'.padEnd(22)} ${''.padStart(9)}   ${told(quiet)}`)
  for (const [name, ms, { seen, slowest, server: own, database }, waits] of took)
    console.log(
      `${name.padEnd(22)} ${(ms / 1_000).toFixed(2).padStart(7)} s   CPU: server ${own.toFixed(1).padStart(5)} s, database ${database.toFixed(1).padStart(5)} s; progress seen ${String(seen).padStart(3)} times, slowest answer ${slowest.toFixed(0).padStart(4)} ms; ${told(waits)}`,
    )
  const met = (is: boolean): string => (is ? 'met' : 'MISSED')
  const worst = Math.max(...took.map(([, , , waits]) => waits.p99))
  const [quick, small, open] = [seconds <= goal.seconds, peak <= goal.megabytes, worst <= goal.list]
  console.log(
    `${'file to stored'.padEnd(22)} ${seconds.toFixed(2).padStart(7)} s   goal ≤ ${goal.seconds} s: ${met(quick)}`,
  )
  console.log(
    `${'server memory'.padEnd(22)} ${peak.toFixed(0).padStart(7)} MB  goal ≤ ${goal.megabytes} MB: ${met(small)}; at start ${atStart.toFixed(0)} MB, after undo ${memory().toFixed(0)} MB`,
  )
  console.log(
    `${'lists meanwhile'.padEnd(22)} ${worst.toFixed(0).padStart(7)} ms  goal ≤ ${goal.list} ms: ${met(open)}; before ${quiet.p99.toFixed(0)} ms (p99 of the worst step)`,
  )
  return quick && small && open
}

try {
  if (!(await measure())) process.exitCode = 1
} finally {
  // One that has ended by itself says so no second time.
  if (server.exitCode === null && server.signalCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
