// What workflow costs the running product: steps that are decided and kept, twenty decisions in one call, lists and counts
// beside many open tasks, timers that come due together. One server process with its own database.
//   npm run bench:flow
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { startAlone } from './alone.ts'
import { secondsOf, startBareFlow, type TaskRows } from './flow-bare.ts'
import { copiesIn } from './flow-copies.ts'
import { otherEngine } from './flow-other.ts'
import { judge, table, type Verdict, verdicts } from './report.ts'

const { call, end, pid, folder, token } = await startAlone()
const steps = 5
/** How many are decided in one call. */
const together = 20
const sizes = { running: 10_000, tasks: 100_000, timers: 5_000 }

/** A process of so many steps, one after the other, that whoever starts it decides; with a timer it waits before them. */
function model(key: string, timer?: string): string {
  const ids = [...(timer ? ['timer'] : []), ...Array.from({ length: steps }, (_, at) => `step${at + 1}`)]
  const path = ['start', ...ids, 'end']
  const tasks = ids.map((id) =>
    id === 'timer'
      ? `<intermediateCatchEvent id="timer"><timerEventDefinition><timeDuration>${timer}</timeDuration></timerEventDefinition></intermediateCatchEvent>`
      : `<userTask id="${id}" name="${id}"><extensionElements><db:assignees><db:assignee kind="applicant"/></db:assignees></extensionElements></userTask>`,
  )
  const flows = path
    .slice(1)
    .map((to, at) => `<sequenceFlow id="flow${at}" sourceRef="${path[at]}" targetRef="${to}"/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:db="https://data-brain.dev/bpmn" targetNamespace="https://data-brain.dev/bench">
<process id="${key}" name="${key}" isExecutable="true"><startEvent id="start"/>${tasks.join('')}<endEvent id="end"/>${flows.join('')}</process></definitions>`
}

const processorTime = (): number => secondsOf(pid)
const memory = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
const share = (times: readonly number[], of: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * of))]!

interface Listed {
  readonly total: number
  readonly records: readonly { readonly taskId: string }[]
}

async function deploy(key: string, timer?: string): Promise<string> {
  const { id } = await call<{ id: string }>(
    'POST',
    'blade-flow/model/submit',
    {},
    {
      ...{ name: key, modelKey: key, category: '9', xml: model(key, timer) },
    },
  )
  const [made] = await call<{ processDefinitionId: string; message: string | null }[]>(
    'POST',
    'blade-flow/model/deploy',
    {
      modelId: id,
    },
  )
  if (made!.message) throw new Error(made!.message)
  return made!.processDefinitionId
}
const begin = async (processDefinitionId: string): Promise<string> =>
  (await call<{ processInstanceId: string }>('POST', 'blade-flow/work/start-process', {}, { processDefinitionId }))
    .processInstanceId
const todo = (size: number): Promise<Listed> => call<Listed>('GET', 'blade-flow/work/todo-list', { size })
const decide = (taskId: string): Promise<unknown> =>
  call('POST', 'blade-flow/work/complete-task', {}, { taskId, flag: 'ok' })

const copies = await copiesIn(folder)

/** What all rows of instances take, with their indexes. */
const size = `select sum(pg_total_relation_size(t::regclass)) from unnest(array['flowinstance', 'flow_token', 'flow_task', 'flow_activity']) t`

/** Starts instances and decides all their steps, twenty at a time. */
async function run(processId: string, instances: number): Promise<{ perSecond: number; times: number[] }> {
  const ids: string[] = []
  for (let n = 0; n < instances; n += 1) ids.push(await begin(processId))
  const times: number[] = []
  let spent = 0
  for (let step = 0; step < steps; step += 1) {
    const tasks = await copies.tasksOf(ids)
    for (let at = 0; at < tasks.length; at += together) {
      const body = { tasks: tasks.slice(at, at + together).map((taskId) => ({ taskId })), flag: 'ok' }
      const before = processorTime()
      times.push(
        await timed(async () => {
          const results = await call<{ success: boolean; message: string }[]>(
            'POST',
            'blade-flow/work/complete-tasks',
            {},
            body,
          )
          const refused = results.find(({ success }) => !success)
          if (refused) throw new Error(refused.message)
        }),
      )
      spent += processorTime() - before
    }
  }
  return { perSecond: (instances * steps) / spent, times }
}

interface Decided {
  readonly times: number[]
  readonly perSecond: number
}

/** Decides these tasks at so many connections; answers the times, and how many for a second of a server's processor time. */
async function single(
  tasks: readonly string[],
  connections: number,
  { decide: one, spent }: { readonly decide: (taskId: string) => Promise<unknown>; readonly spent: () => number },
): Promise<Decided> {
  const left = [...tasks]
  const times: number[] = []
  const before = spent()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let task = left.pop(); task; task = left.pop()) {
        const taskId = task
        times.push(await timed(() => one(taskId)))
      }
    }),
  )
  return { times, perSecond: tasks.length / (spent() - before) }
}

/** Tasks that wait, of instances that are started for it. */
async function waiting(processId: string, instances: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < instances; n += 1) ids.push(await begin(processId))
  return copies.tasksOf(ids)
}

/** The same decisions by the product and bare, by turns, with the same client. */
async function besideBare(processId: string): Promise<{ one: Decided; product: Decided; bare: Decided }> {
  const written = await copies.rowsOf(await waiting(processId, 3))
  const bare = await startBareFlow(folder, copies.url, {
    token,
    tasks: written as [TaskRows, TaskRows, TaskRows],
  })
  const ask = async (taskId: string): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${bare.port}/api/blade-flow/work/complete-task`, {
      method: 'POST',
      headers: { 'Blade-Auth': `bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ taskId, flag: 'ok' }),
    })
    const read = (await answer.json()) as { msg: string }
    if (answer.status !== 200) throw new Error(read.msg)
  }
  const sides = {
    product: { decide, spent: processorTime },
    bare: { decide: ask, spent: () => secondsOf(bare.pid) },
  }
  try {
    const one = await single(await waiting(processId, 200), 1, sides.product)
    const found = { product: [] as Decided[], bare: [] as Decided[] }
    // The first turn of each warms it up.
    for (let turn = 0; turn < 4; turn += 1)
      for (const side of turn % 2 === 0 ? (['product', 'bare'] as const) : (['bare', 'product'] as const)) {
        const tasks = await waiting(processId, 400)
        if (side === 'bare') await bare.know(await copies.rowsOf(tasks))
        const done = await single(tasks, 16, sides[side])
        // What it says was decided was.
        const open = await copies.figure(`select count(*) from flow_task where state = 0 and id in (${tasks.join()})`)
        if (open > 0) throw new Error(`${side}: ${open} tasks wait still`)
        if (turn > 0) found[side].push(done)
      }
    const all = (side: readonly Decided[]): Decided => ({
      times: side.flatMap(({ times }) => times),
      perSecond: side.reduce((sum, { perSecond }) => sum + perSecond, 0) / side.length,
    })
    return { one, product: all(found.product), bare: all(found.bare) }
  } finally {
    await bare.end()
  }
}

async function lists(count = 60): Promise<{ lists: number[]; counts: number[] }> {
  const found = { lists: [] as number[], counts: [] as number[] }
  for (let n = 0; n < count; n += 1) {
    found.lists.push(await timed(() => todo(20)))
    found.counts.push(await timed(() => call('GET', 'blade-flow/work/counts')))
  }
  return found
}

/** Lets timers come due together; answers how long until all have fired, and how long lists took meanwhile. */
async function timersTogether(): Promise<{ seconds: number; spent: number; lists: number[] }> {
  const later = await deploy('later', 'P1D')
  const soon = await deploy('soon', 'PT1S')
  await copies.add(await begin(later), sizes.timers, { due: true })
  const left = () => copies.figure('select count(*) from flow_timer where due_time < now()')
  await begin(soon)
  const [began, before] = [performance.now(), processorTime()]
  const found: number[] = []
  while ((await left()) > 0 && performance.now() - began < 240_000) found.push(await timed(() => todo(20)))
  return { seconds: (performance.now() - began) / 1_000, spent: processorTime() - before, lists: found }
}

/** Kilobytes that the designer's own code and that of its canvas are, as they are sent. */
function designer(): number {
  const assets = path.join(import.meta.dirname, '../console/dist/assets')
  const named = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const own = named.filter((name) => readFileSync(path.join(assets, name), 'utf8').includes('djs-'))
  return own.reduce((sum, name) => sum + statSync(path.join(assets, `${name}.br`)).size, 0) / 1_000
}

/** What was measured so far: a part that fails takes nothing of the others with it. */
const measured: string[][] = [['what', 'measured']]
const goals: Verdict[] = []
const both = (times: readonly number[]): string =>
  `${share(times, 0.5).toFixed(1)} / ${share(times, 0.99).toFixed(1)} ms`

try {
  const processId = await deploy('bench')
  await run(processId, 200)
  const few = await run(processId, 600)
  const other = await otherEngine(folder, model('other'), 100)
  measured.push(
    ['(a) steps per second of processor time of the server, decided twenty in a call', few.perSecond.toFixed(0)],
    ['(a) the same by bpmn-elements, its state as JSON in the same PostgreSQL', other.toFixed(0)],
    ['(e) twenty decisions in one call, median / p99', both(few.times)],
  )
  goals.push(
    judge('(a) steps per second of processor time', few.perSecond, 2_000, '', 'at least'),
    judge('(a) beside bpmn-elements', few.perSecond / other, 10, '×', 'at least', 1),
    judge('(e) twenty decisions in one call, median', share(few.times, 0.5), 300, ' ms'),
  )

  const { one, product, bare } = await besideBare(processId)
  measured.push(
    ['(b) complete-task, 1 connection, median / p99', both(one.times)],
    ['(b) complete-task, 16 connections, median / p99', both(product.times)],
    ['(b) complete-task, 16 connections, bare, median / p99', both(bare.times)],
    [
      '(b) complete-task, 16 connections, for a second of processor time, product / bare',
      `${product.perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)}`,
    ],
  )
  goals.push(
    judge('(b) complete-task beside bare', (100 * product.perSecond) / bare.perSecond, 40, ' %', 'at least'),
    judge(
      '(b) complete-task, p99 beside bare',
      share(product.times, 0.99) / share(bare.times, 0.99),
      3,
      '×',
      'at most',
      2,
    ),
  )

  const kept = await begin(processId)
  const body = { account: 'bench-other', realName: '王芳' }
  const { id: assignee } = await call<{ id: string }>('POST', 'blade-user/submit', {}, body)
  await copies.add(kept, 1_000)
  const thousand = await lists()
  const atFew = await run(processId, 300)
  const none = memory()
  const before = await copies.figure(size)
  await copies.add(kept, sizes.running, { assignee })
  const bytes = ((await copies.figure(size)) - before) / sizes.running
  const atMany = await run(processId, 300)
  const many = memory()
  measured.push(
    [
      `(c) steps per second of processor time at 1,000 / ${sizes.running} running`,
      `${atFew.perSecond.toFixed(0)} / ${atMany.perSecond.toFixed(0)}`,
    ],
    [`(c) memory at 1,000 / ${sizes.running} running`, `${none.toFixed(0)} / ${many.toFixed(0)} MB`],
    ['(c) rows and bytes of a running instance, indexes with them', `5 rows, ${bytes.toFixed(0)} bytes`],
  )
  goals.push(
    judge('(c) memory that running instances take', many - none, 5, ' MB', 'at most', 1),
    judge('(c) a step among many running ones', atFew.perSecond / atMany.perSecond, 1.2, '×', 'at most', 2),
  )

  await copies.add(kept, sizes.tasks - sizes.running, { assignee })
  await todo(20)
  const hundred = await lists()
  measured.push(
    [
      `(d) to-do page of 1,000 beside none / ${sizes.tasks} of others, median / p99`,
      `${both(thousand.lists)}, ${both(hundred.lists)}`,
    ],
    ['(d) counts of the shell, median / p99', `${both(thousand.counts)}, ${both(hundred.counts)}`],
  )
  goals.push(
    judge(
      '(d) to-do page among many tasks',
      share(hundred.lists, 0.5) / share(thousand.lists, 0.5),
      1.5,
      '×',
      'at most',
      2,
    ),
    judge('(d) counts of the shell, median', share(hundred.counts, 0.5), 5, ' ms', 'at most', 1),
  )

  const timers = await timersTogether()
  measured.push(
    [
      `(f) ${sizes.timers} timers due at once, all fired after`,
      `${timers.seconds.toFixed(0)} s, ${timers.spent.toFixed(0)} of the processor`,
    ],
    ['(f) the to-do page meanwhile, median / p99', both(timers.lists)],
  )
  goals.push(
    judge('(f) timers due at once', timers.seconds, 60, ' s'),
    judge('(f) the to-do page meanwhile, p99', share(timers.lists, 0.99), 50, ' ms', 'at most', 1),
  )
  measured.push(['(g) code of the designer, as it is sent', `${designer().toFixed(0)} kB`])
  goals.push(judge('(g) the designer', designer(), 200, ' kB'))
} finally {
  console.log(`${table(measured)}\n\n${verdicts(goals)}`)
  await copies.end()
  await end()
}
