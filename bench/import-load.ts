// Asks for a page of a list without pause while a file is imported beside it, and prints how long the answers took in each
// step, beside the same list at rest in the same run.
//   npm run bench:import-load -- [rows]
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import path from 'node:path'
import { benchColumns, benchRows, writeXlsx } from './import-file.ts'
import { type Batch, type Call, prepare, until } from './import-steps.ts'
import type { Lag } from './lag.ts'
import { judge, table, verdicts } from './report.ts'
import { fillSchools } from './school.ts'
import { cpuOf, lagOf, memoryOf, type Server, startProduct } from './servers.ts'
import { benchTenant, onStage, type Stage, sessionOf } from './stage.ts'

const rows = Number(process.argv[2] ?? 20_000)
const goal = { milliseconds: 50, megabytes: 300 }
/** The clock asks, not the last answer: what is slow is counted as often as it would be met. */
const every = 25
const restSeconds = 10
const to = 'blade-user/import'

/** Asks for the list by the clock, and keeps how long each answer took. */
function watch(product: Server, token: string): { taken: () => number[]; stop: () => Promise<void> } {
  const agent = new Agent({ keepAlive: true })
  let times: number[] = []
  const open = new Set<Promise<void>>()
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = performance.now()
      request(
        {
          ...{ agent, host: '127.0.0.1', port: product.port, path: '/api/blade-user/student/list?size=20' },
          headers: { 'Blade-Auth': `bearer ${token}` },
        },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`the list was answered by ${answer.statusCode}`))
          answer.resume()
          answer.once('end', () => {
            times.push(performance.now() - begin)
            resolve()
          })
        },
      )
        .once('error', reject)
        .end()
    })
  let failure: unknown
  const clock = setInterval(() => {
    const one = ask()
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => open.delete(one))
    open.add(one)
  }, every)
  return {
    taken: () => {
      const all = times.sort((a, b) => a - b)
      times = []
      return all
    },
    stop: async () => {
      clearInterval(clock)
      await Promise.all(open)
      agent.destroy()
      if (failure) throw failure
    },
  }
}

const at = (times: readonly number[], part: number): number =>
  times[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)] ?? Number.NaN

const callOf =
  (product: Server, token: string): Call =>
  async <T>(
    method: 'GET' | 'POST',
    call: string,
    query: Record<string, string | number> = {},
    body?: unknown,
  ): Promise<T> => {
    const form = body instanceof FormData
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const answer = await fetch(`http://127.0.0.1:${product.port}/api/${call}?${asked}`, {
      method,
      headers: {
        ...{ 'Blade-Auth': `bearer ${token}`, 'Accept-Language': 'en' },
        ...(body && !form ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    })
    const read = (await answer.json()) as { msg: string; data: T }
    if (answer.status !== 200) throw new Error(`${call}: ${read.msg}`)
    return read.data
  }

async function measure(stage: Stage): Promise<void> {
  console.error('… filling')
  const { tenantId, userId } = await fillSchools(stage.services, benchTenant, 'admin', {
    students: 10_000,
    parents: 100,
    schools: 4,
    classes: 16,
  })
  await stage.owner.query('vacuum analyze')
  const token = await sessionOf(stage.services, tenantId, userId)
  const product = await startProduct({
    env: { DATABASE_URL: stage.url, DATA_DIR: stage.dataDir },
    lag: true,
  })
  const call = callOf(product, token)
  const { schoolId, classes } = await prepare(call)
  const file = path.join(stage.folder, 'file.xlsx')
  await writeXlsx(
    file,
    benchColumns.map((column) => column.label.zh),
    benchRows(rows, classes),
  )
  const form = new FormData()
  form.append('file', new Blob([readFileSync(file)]), 'file.xlsx')

  const head = [
    '',
    'seconds',
    'asked',
    'p50, ms',
    'p95, ms',
    'p99, ms',
    'max, ms',
    'loop p99',
    'loop max',
    'busy',
    'CPU, s',
  ]
  const lines: string[][] = [[...head, 'peak, MB']]
  const watched = watch(product, token)
  let began = performance.now()
  let spent = cpuOf(product)
  const all: number[] = []
  let peak = 0
  const lap = async (name: string): Promise<number[]> => {
    const seconds = (performance.now() - began) / 1_000
    const lag: Lag = await lagOf(product)
    const cpu = cpuOf(product)
    const times = watched.taken()
    peak = Math.max(peak, memoryOf(product).peak)
    lines.push([
      name,
      ...[seconds.toFixed(1), String(times.length)],
      ...[0.5, 0.95, 0.99, 1].map((part) => at(times, part).toFixed(1)),
      ...[lag.p99.toFixed(1), lag.max.toFixed(1), lag.busy.toFixed(2), (cpu - spent).toFixed(1)],
      memoryOf(product).peak.toFixed(0),
    ])
    began = performance.now()
    spent = cpu
    // The peak begins anew.
    writeFileSync(`/proc/${product.child.pid}/clear_refs`, '5')
    return times
  }
  const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, restSeconds * 1_000))
  try {
    await rest()
    await lap('warming up')
    await rest()
    const idle = await lap('at rest')
    const sent = await call<Batch>('POST', `${to}/upload`, { schoolId }, form)
    const { batch } = await until(call, to, sent.id, ['mapping'])
    all.push(...(await lap('upload, read, store')))
    const mapping = Object.fromEntries(batch.columns.map((column) => [column.index, column.key]))
    await call('POST', `${to}/mapping`, {}, { id: sent.id, mapping })
    await until(call, to, sent.id, ['checked'])
    all.push(...(await lap('check')))
    await call('POST', `${to}/commit`, { id: sent.id })
    await until(call, to, sent.id, ['done'])
    all.push(...(await lap('commit')))
    await rest()
    await lap('at rest again')
    console.log(`${rows} rows × ${benchColumns.length} columns; a list every ${every} ms\n\n${table(lines)}\n`)
    all.sort((a, b) => a - b)
    const busy = at(all, 0.99)
    console.log(`p99 during the import: ${(busy / at(idle, 0.99)).toFixed(1)} times that at rest`)
    const goals = [
      judge('a list during an import, p99', busy, goal.milliseconds, ' ms', 'at most', 1),
      judge('server memory, peak', peak, goal.megabytes, ' MB'),
    ]
    console.log(`\n${verdicts(goals)}`)
    if (goals.some(({ met }) => !met)) process.exitCode = 1
  } finally {
    await watched.stop()
  }
}

await onStage(measure)
