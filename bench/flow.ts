// What workflow costs the running product: steps that are decided and kept, twenty decisions in one call, lists and counts
// beside many open tasks. One server process with its own database.
//   npm run bench:flow
import { readFileSync } from 'node:fs'
import { startAlone } from './alone.ts'
import { judge, table, verdicts } from './report.ts'

const { call, end, pid } = await startAlone()
const steps = 5
const instances = 300
const open = 1_000

/** A process of so many steps, one after the other, that whoever starts it decides. */
function model(key: string): string {
  const ids = Array.from({ length: steps }, (_, at) => `step${at + 1}`)
  const path = ['start', ...ids, 'end']
  const tasks = ids.map(
    (id) =>
      `<userTask id="${id}" name="${id}"><extensionElements><db:assignees><db:assignee kind="applicant"/></db:assignees></extensionElements></userTask>`,
  )
  const flows = path
    .slice(1)
    .map((to, at) => `<sequenceFlow id="flow${at}" sourceRef="${path[at]}" targetRef="${to}"/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:db="https://data-brain.dev/bpmn" targetNamespace="https://data-brain.dev/bench">
<process id="${key}" name="${key}" isExecutable="true"><startEvent id="start"/>${tasks.join('')}<endEvent id="end"/>${flows.join('')}</process></definitions>`
}

/** Seconds of processor time of the server until now. */
function processorTime(): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user! + system!) / 100
}
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

async function deploy(key: string): Promise<string> {
  const { id } = await call<{ id: string }>(
    'POST',
    'blade-flow/model/submit',
    {},
    {
      ...{ name: key, modelKey: key, category: '9', xml: model(key) },
    },
  )
  const [made] = await call<{ processDefinitionId: string }[]>('POST', 'blade-flow/model/deploy', { modelId: id })
  return made!.processDefinitionId
}
const begin = (processDefinitionId: string): Promise<unknown> =>
  call('POST', 'blade-flow/work/start-process', {}, { processDefinitionId })
const todo = (size: number): Promise<Listed> => call<Listed>('GET', 'blade-flow/work/todo-list', { size })

try {
  const processId = await deploy('bench')
  for (let n = 0; n < instances; n += 1) await begin(processId)
  const before = processorTime()
  const times: number[] = []
  let decided = 0
  for (;;) {
    const { records } = await todo(200)
    if (records.length === 0) break
    for (const { taskId } of records) {
      times.push(await timed(() => call('POST', 'blade-flow/work/complete-task', {}, { taskId, flag: 'ok' })))
      decided += 1
    }
  }
  const spent = processorTime() - before
  for (let n = 0; n < 20; n += 1) await begin(processId)
  const twenty = (await todo(20)).records.map(({ taskId }) => ({ taskId }))
  const together = await timed(() => call('POST', 'blade-flow/work/complete-tasks', {}, { tasks: twenty, flag: 'ok' }))
  const few: number[] = []
  for (let n = 0; n < 50; n += 1) few.push(await timed(() => todo(20)))
  const none = memory()
  for (let n = 0; n < open; n += 1) await begin(processId)
  const lists: number[] = []
  const counts: number[] = []
  for (let n = 0; n < 50; n += 1) {
    lists.push(await timed(() => todo(20)))
    counts.push(await timed(() => call('GET', 'blade-flow/work/counts')))
  }
  console.log(
    table([
      ['what', 'measured'],
      ['steps decided, each with its history, in one transaction', `${decided}`],
      ['steps per second of processor time of the server, HTTP and lists included', (decided / spent).toFixed(0)],
      ['complete-task, median / p99', `${share(times, 0.5).toFixed(1)} / ${share(times, 0.99).toFixed(1)} ms`],
      ['20 decisions in one call', `${together.toFixed(0)} ms`],
      [`to-do page at 20 / ${open} open tasks`, `${share(few, 0.5).toFixed(1)} / ${share(lists, 0.5).toFixed(1)} ms`],
      ['counts of the shell', `${share(counts, 0.5).toFixed(1)} ms`],
      [`memory before / with ${open} open tasks`, `${none.toFixed(0)} / ${memory().toFixed(0)} MB`],
    ]),
  )
  console.log(
    `\n${verdicts([
      judge('20 decisions in one call', together, 300, ' ms'),
      judge('counts of the shell, median', share(counts, 0.5), 5, ' ms', 'at most', 1),
      judge(`to-do page at ${open} beside 20 open tasks`, share(lists, 0.5) / share(few, 0.5), 1.5, '×', 'at most', 2),
    ])}`,
  )
} finally {
  await end()
}
