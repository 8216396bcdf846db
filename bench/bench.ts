// `npm run bench`: the product beside a bare server that sends the same statements, on the same database, by turns.
// Everything it starts it ends, and the database is a fresh one that is thrown away.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { BareSettings } from './bare.ts'
import { type CallName, calls, type Row } from './calls.ts'
import { loginsBeside, millionRows, scanRate, startTimes } from './extra.ts'
import { type Pair, type Plan, pair, round } from './measure.ts'
import { ask, compare, type Headers, record } from './record.ts'
import { judge, table, type Verdict, verdicts } from './report.ts'
import { fillSchools } from './school.ts'
import { type Series, seriesOf } from './series.ts'
import { end, Loader, memoryOf, type Server, startBare, startProduct } from './servers.ts'
import { benchTenant, onStage, type Stage, sessionOf } from './stage.ts'
import { NoPattern, type Step } from './statements.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    million: { type: 'boolean', default: false },
    students: { type: 'string', default: '100000' },
  },
})
const students = Number(options.students)
const only = options.only.split(',').filter(Boolean)
const plan: Plan = options.quick
  ? { rounds: 1, milliseconds: 1_200, requests: 20_000 }
  : { rounds: 5, milliseconds: 2_000, requests: 50_000 }
const poolSize = 16
const steps = [1, 16, 64]

const say = (text: string): void => console.error(`… ${text}`)

/** Statement statistics and dead rows of one series must not weigh on the next. */
async function tidy(stage: Stage): Promise<void> {
  await stage.owner.query('vacuum analyze')
}

const kinds = ['product', 'bare'] as const

async function measureAll(stage: Stage): Promise<void> {
  say(`filling: ${students} students, 20,000 guardians, 64 classes; 9,000 students of other tenants`)
  const parents = Math.min(20_000, students)
  const main = await fillSchools(stage.services, benchTenant, 'admin', { students, parents, schools: 4, classes: 16 })
  for (const tenantId of ['100002', '100003', '100004'])
    await fillSchools(stage.services, tenantId, 'admin', { students: 3_000, parents: 600, schools: 1, classes: 16 })
  await tidy(stage)

  const token = await sessionOf(stage.services, main.tenantId, main.userId)
  const { clientId, clientSecret } = stage.secrets
  const headers: Headers = {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'blade-auth': `bearer ${token}`,
  }
  const head = `Host: bench\r\nAuthorization: ${headers.authorization}\r\nBlade-Auth: ${headers['blade-auth']}\r\nAccept-Language: zh\r\n`
  // One address is the whole world here, so its log-ins are not slowed.
  const env = {
    DATABASE_URL: stage.url,
    DATA_DIR: stage.dataDir,
    LOGIN_PER_MINUTE: '1000000',
    DATABASE_POOL: String(poolSize),
  }

  say('writing down what the product sends')
  const recorder = await startProduct({ env, capture: true })
  const detail = async (id: string): Promise<Row> =>
    (await ask(recorder, headers, { path: `/api/blade-user/student/detail?id=${id}` })) as Row
  const every = await seriesOf(stage, main, detail)
  const patterns = {} as Record<CallName, Step[]>
  for (const series of every) {
    const steps = await recorded(recorder, headers, series)
    if (steps) patterns[series.name] = steps
  }
  const all = every.filter(({ name }) => patterns[name])
  await end(recorder.child)

  const settings: BareSettings = {
    databaseUrl: stage.appUrl,
    dataDir: stage.dataDir,
    poolSize,
    patterns,
    keepTotals: true,
  }
  const loader = new Loader()
  const product = await startProduct({ env })
  const bare = await startBare(settings)
  const atStart = { product: product.atStart, bare: bare.atStart }
  for (const { name, samples, compared, except } of all)
    if (compared)
      for (const asked of await samples())
        compare(name, await ask(product, headers, asked), await ask(bare, headers, asked), except)

  const rows: string[][] = [heading]
  const goals: Verdict[] = []
  const pairs = new Map<string, Pair>()
  const wanted = all.filter(({ name }) => only.length === 0 || only.includes(name))
  // Code that has just been loaded is not yet compiled: the first series would carry it.
  for (const { name, targets } of wanted)
    if (name !== 'login')
      for (const server of [product, bare])
        await round(loader, server, { head, connections: 16, targets }, { milliseconds: 3_000, requests: 2_000 })
  for (const series of wanted) {
    await tidy(stage)
    for (const connections of steps) {
      say(`${series.name}, ${connections}`)
      const measured = await pair(loader, product, bare, { head, connections, targets: series.targets }, plan)
      pairs.set(`${series.name} ${connections}`, measured)
      rows.push(lineOf(series.title, connections, measured, series.goal))
      if (connections === 16) goals.push(...goalsOf(series, measured))
    }
  }
  if (wanted.some(({ name }) => name === 'list')) {
    // Beside a server that counts with every list, as most do.
    const counting = await startBare({ ...settings, keepTotals: false })
    const list = all.find(({ name }) => name === 'list')!
    for (const connections of steps) {
      const measured = await pair(loader, product, counting, { head, connections, targets: list.targets }, plan)
      rows.push(lineOf('list page, bare counting each time', connections, measured))
    }
    await end(counting.child)
  }
  const search = pairs.get('search 1')
  if (search) goals.push(judge('Ctrl+K p95, one person', search.product.p95, 60, ' ms', 'at most', 1))
  const name = pairs.get('name 16')
  if (name) {
    say('plain LIKE scan')
    const scan = await scanRate(stage, main.tenantId, 16)
    goals.push(
      judge(`name search × a LIKE scan (${scan.toFixed(1)}/s)`, name.product.rate / scan, 20, '×', 'at least', 1),
    )
  }
  if (only.length === 0 || only.includes('login')) {
    say('lists while 16 log-ins run')
    const list = all.find((each) => each.name === 'list')!
    const login = all.find((each) => each.name === 'login')!
    const beside = await loginsBeside(product, head, await list.targets(), await login.targets(), plan)
    goals.push(
      judge(
        `list p99 at 4 while 16 log-ins run (${beside.logins.toFixed(0)}/s)`,
        beside.list.p99,
        50,
        ' ms',
        'at most',
        1,
      ),
    )
  }
  const memory = { product: memoryOf(product).peak, bare: memoryOf(bare).peak }
  goals.push(judge('memory at start', atStart.product, 120, ' MB'), judge('memory at peak', memory.product, 250, ' MB'))
  await Promise.all([product, bare].map(({ child }) => end(child)))
  if (options.million)
    goals.push(
      await millionRows(stage, main.tenantId, {
        env,
        head,
        loader,
        series: all.find((each) => each.name === 'list')!,
        say,
      }),
    )
  await loader.end()
  await stage.release()
  say('starts on the existing database')
  const starts = await startTimes(stage, options.quick ? 1 : 5)
  goals.push(judge('spawn to first answer (median)', starts, 1_000, ' ms'))

  const { model } = cpus()[0]!
  console.log(
    `\n${students} students · ${cpus().length} × ${model} · Node ${process.version} · PostgreSQL ${stage.embedded ? 'embedded' : 'DATABASE_URL'} · medians of ${plan.rounds} rounds\n`,
  )
  console.log(table(rows))
  console.log(
    `\nmemory in MB, start/peak: ${kinds.map((kind) => `${kind} ${atStart[kind].toFixed(0)}/${memory[kind].toFixed(0)}`).join(', ')}\n`,
  )
  console.log(verdicts(goals))
  if (leftOut.length > 0) console.log(`\nnot compared with bare:\n${leftOut.join('\n')}`)
}

const heading = [
  'call',
  'conn',
  'req/s',
  'p50',
  'p99',
  'CPU s/1000',
  'bare req/s',
  'p50',
  'p99',
  'CPU s/1000',
  'ratio',
  'goal',
  '',
]

function lineOf(title: string, connections: number, { product, bare, ratio }: Pair, goal?: number): string[] {
  const side = ({ rate, p50, p99, cpu }: Pair['product']): string[] => [
    rate.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    cpu.toFixed(3),
  ]
  const verdict = goal === undefined ? ['', ''] : [`≥ ${goal * 100} %`, ratio >= goal ? 'met' : 'MISSED']
  return [title, String(connections), ...side(product), ...side(bare), `${(ratio * 100).toFixed(0)} %`, ...verdict]
}

function goalsOf({ name, goal }: Series, { product, bare, ratio }: Pair): Verdict[] {
  return [
    ...(goal === undefined
      ? []
      : [
          judge(
            `${name}: requests per CPU-second beside bare, 16 connections`,
            ratio * 100,
            goal * 100,
            ' %',
            'at least',
          ),
        ]),
    judge(`${name}: p99 at 16 beside bare`, product.p99 / bare.p99, 3, '×', 'at most', 1),
  ]
}

/** What could not be compared, and why: said at the end, beside the figures of all else. */
const leftOut: string[] = []

// A clean-up that the product does after some log-ins may fall into a record: then it is taken again. What only reads is
// asked once: a second time would find the totals kept.
async function recorded(server: Server, headers: Headers, { name, samples }: Series): Promise<Step[] | undefined> {
  for (let left = calls[name].method === 'POST' ? 2 : 0; ; left -= 1)
    try {
      return await record(server, headers, name, await samples())
    } catch (error) {
      if (!(error instanceof NoPattern)) throw error
      say(error.message)
      if (left > 0) continue
      leftOut.push(error.message)
      return undefined
    }
}

await onStage(measureAll)
