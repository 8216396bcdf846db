// What the dashboard, data quality and reports cost over a district, beside the same statements sent bare.
//   npm run bench:insight -- [students] [schools]
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { qualityDaily } from '../server/src/modules/insight/index.ts'
import type { Captured } from './capture.ts'
import { median } from './measure.ts'
import { judge, table, type Verdict, verdicts } from './report.ts'
import { fillSchools } from './school.ts'
import { capturedBy, end, memoryOf, type Server, startProduct } from './servers.ts'
import { benchTenant, onStage, type Stage, sessionOf } from './stage.ts'

const students = Number(process.argv[2] ?? 100_000)
const schools = Number(process.argv[3] ?? 200)
const rounds = 9
const cards = 500
const goal = {
  ...{ summary: 1.3, kept: 10, saving: 300, quality: 60, cross: 1.3, file: 1, megabytes: 300, cards: 20 },
  saves: 50,
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * 0.95) - 1)]!

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** What says by itself how it is sent. */
const isForm = (body: unknown): body is FormData | URLSearchParams =>
  body instanceof FormData || body instanceof URLSearchParams

/** One person who asks one server. */
class Reader {
  readonly #token: string
  server: Server

  constructor(server: Server, token: string) {
    this.server = server
    this.#token = token
  }

  /** The answer, whole. */
  async ask(address: string, body?: object): Promise<Buffer> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}/api/${address}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...{ 'Blade-Auth': `bearer ${this.#token}`, 'Accept-Language': 'zh' },
        ...(isForm(body) ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body ? { body: isForm(body) ? body : JSON.stringify(body) } : {}),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${bytes.toString()}`)
    return bytes
  }

  async data<T>(address: string, body?: object): Promise<T> {
    return (JSON.parse((await this.ask(address, body)).toString()) as { data: T }).data
  }
}

/** The statements of a request, sent one after the other on a connection of the driver, and nothing else. */
async function bareOf(stage: Stage, statements: readonly Captured[]) {
  const client = new pg.Client({ connectionString: stage.appUrl })
  await client.connect()
  const send = ({ text, name, values }: Captured) =>
    values.length === 0 && name === undefined
      ? client.query(text)
      : client.query({ text, values: [...values], ...(name ? { name } : {}) })
  return {
    run: async () => {
      for (const statement of statements) await send(statement)
    },
    each: async () => {
      const times: (readonly [string, number])[] = []
      for (const statement of statements) times.push([statement.text, await timed(() => send(statement))])
      return times
    },
    end: () => client.end(),
  }
}

interface Beside {
  /** The statements that take longest, in milliseconds. */
  readonly slowest: readonly (readonly [text: string, milliseconds: number])[]
  readonly product: number
  readonly bare: number
  readonly statements: number
}

/** A request of the product beside its own statements, by turns. */
async function beside(
  stage: Stage,
  reader: Reader,
  capturing: Reader,
  { address, body, before = async () => {} }: { address: string; body?: object; before?: () => Promise<unknown> },
): Promise<Beside> {
  // The second is written down: what a first look fetches once is no part of it.
  await capturing.ask(address, body)
  await before()
  await capturedBy(capturing.server, 'clear')
  await capturing.ask(address, body)
  const statements = await capturedBy(capturing.server, 'read')
  const bare = await bareOf(stage, statements)
  const times = { product: [] as number[], bare: [] as number[] }
  await reader.ask(address, body)
  await bare.run()
  for (let at = 0; at < rounds; at += 1)
    for (const side of at % 2 === 0 ? (['product', 'bare'] as const) : (['bare', 'product'] as const)) {
      await before()
      times[side].push(await timed(() => (side === 'product' ? reader.ask(address, body) : bare.run())))
    }
  const slowest = (await bare.each()).toSorted(([, one], [, other]) => other - one).slice(0, 6)
  await bare.end()
  return { slowest, product: median(times.product), bare: median(times.bare), statements: statements.length }
}

const summary = 'blade-desk/dashboard/summary'
const crossTable = {
  ...{ entity: 'student', columns: [], sort: null, chart: 'none', hideBelow: 0, parameters: [] },
  filter: { all: [{ field: 'status', op: 'equal', value: '1' }] },
  groups: [
    { field: 'schoolId', by: null },
    { field: 'gradeId', by: null },
  ],
  cross: { field: 'sex', by: null },
  measures: [{ of: 'count', field: null }],
}
const listOfAll = {
  ...{ ...crossTable, filter: null, groups: [], cross: null, measures: [] },
  columns: ['studentNo', 'name', 'sex', 'birthDate', 'classId', 'gradeId'],
}

/** What is written meanwhile: a row of a pupil, saved as somebody saves it. */
async function saver(reader: Reader) {
  const { records } = await reader.data<{ records: { id: string }[] }>('blade-user/student/list?size=20')
  const rows = await Promise.all(
    records.map(({ id }) => reader.data<Record<string, unknown>>(`blade-user/student/detail?id=${id}`)),
  )
  let at = 0
  return async (): Promise<void> => {
    const index = at % rows.length
    at += 1
    // Whole rows as they came: a masked number that comes back is left as it is.
    rows[index] = await reader.data('blade-user/student/submit', { ...rows[index], remark: `看过${at}次` })
  }
}

/** Record cards as one PDF: the form that comes with the product, filled with so many students by a job. */
async function recordCards(reader: Reader): Promise<Verdict[]> {
  const workbook = await reader.ask('blade-report/fixedform/shipped?key=recordCard')
  const form = new FormData()
  form.append('file', new Blob([workbook as Uint8Array<ArrayBuffer>]), 'card.xlsx')
  const { attachId } = await reader.data<{ attachId: string }>('blade-resource/oss/endpoint/put-file-attach', form)
  const draft = { name: '学籍卡', subject: 'student', attachId }
  const { id } = await reader.data<{ id: string }>('blade-report/fixedform/submit', draft)
  const ids: string[] = []
  for (let current = 1; ids.length < cards; current += 1) {
    const { records } = await reader.data<{ records: { id: string }[] }>(
      `blade-user/student/list?size=100&current=${current}`,
    )
    ids.push(...records.map((row) => row.id))
  }
  const before = memoryOf(reader.server).now
  let bytes = 0
  const milliseconds = await timed(async () => {
    const asked = new URLSearchParams({ id, ids: ids.slice(0, cards).join(), into: 'pdf' })
    const { jobId } = await reader.data<{ jobId: string }>('blade-report/fixedform/filled/export-job', asked)
    for (;;) {
      const { state, failure } = await reader.data<{ state: string; failure: unknown }>(
        `blade-system/job/own?id=${jobId}`,
      )
      if (state === 'done') break
      if (state === 'failed') throw new Error(JSON.stringify(failure))
      await new Promise((done) => setTimeout(done, 50))
    }
    bytes = (await reader.ask(`blade-system/job/file?id=${jobId}`)).length
  })
  return [
    judge(
      `${cards} record cards as one PDF (${(bytes / 1_048_576).toFixed(1)} MB)`,
      milliseconds / 1_000,
      ...([goal.cards, ' s', 'at most', 1] as const),
    ),
    judge('the record cards: growth of memory', memoryOf(reader.server).peak - before, goal.megabytes, ' MB'),
  ]
}

async function measure(stage: Stage): Promise<void> {
  console.error(`… filling: ${students} students in ${schools} schools`)
  const main = await fillSchools(stage.services, benchTenant, 'admin', {
    students,
    parents: 1_000,
    schools,
    classes: 12,
  })
  await stage.owner.query('vacuum analyze')
  const token = await sessionOf(stage.services, main.tenantId, main.userId)
  const env = { DATA_DIR: stage.dataDir, DATABASE_URL: stage.url }
  const product = await startProduct({ env })
  const capturing = new Reader(await startProduct({ env, capture: true }), token)
  const reader = new Reader(product, token)
  const save = await saver(reader)
  const goals: Verdict[] = []
  const lines: string[][] = [['request', 'product', 'bare', 'ratio', 'statements']]
  const slow: string[][] = [['request', 'statement', 'ms']]
  const line = (name: string, { product: own, bare, statements, slowest }: Beside): number => {
    for (const [text, milliseconds] of slowest)
      slow.push([name, text.replace(/\s+/g, ' ').slice(0, 150), milliseconds.toFixed(1)])
    lines.push([name, `${own.toFixed(1)} ms`, `${bare.toFixed(1)} ms`, (own / bare).toFixed(2), String(statements)])
    return own / bare
  }

  console.error('… the dashboard')
  const bytes = (await reader.ask(summary)).length
  goals.push(
    judge('summary: bytes', bytes / 1024, 12, ' kB', 'at most', 1),
    judge(
      'summary, something written before each: beside bare',
      line('summary', await beside(stage, reader, capturing, { address: summary, before: save })),
      ...([goal.summary, '×', 'at most', 2] as const),
    ),
  )
  const still: number[] = []
  await reader.ask(summary)
  for (let at = 0; at < 200; at += 1) still.push(await timed(() => reader.ask(summary)))
  goals.push(
    judge(
      `summary, nothing written since (median ${median(still).toFixed(1)} ms): p95`,
      p95(still),
      goal.kept,
      ' ms',
      'at most',
      1,
    ),
  )

  console.error(`… the dashboard with ${goal.saves} saves a second`)
  const during: number[] = []
  const ends = Date.now() + 15_000
  let saved = 0
  let stale = 0
  const began = Date.now()
  const saving = (async () => {
    while (Date.now() < ends) {
      const due = Math.floor(((Date.now() - began) * goal.saves) / 1000)
      if (saved >= due) await new Promise((done) => setTimeout(done, 2))
      else {
        await save()
        saved += 1
      }
    }
  })()
  while (Date.now() < ends) during.push(await timed(() => reader.ask(summary)))
  await saving
  // A pupil who leaves is counted no more by the very next look, on either server.
  const { records } = await reader.data<{ records: { id: string }[] }>('blade-user/student/list?size=10&status=1')
  const pupils = async (who: Reader): Promise<number> =>
    (await who.data<{ figures: { key: string; value: number }[] }>(summary)).figures.find(
      ({ key }) => key === 'pupils',
    )!.value
  let expected = await pupils(reader)
  for (const { id } of records) {
    const row = await reader.data<Record<string, unknown>>(`blade-user/student/detail?id=${id}`)
    await reader.data('blade-user/student/submit', { ...row, status: 2 })
    expected -= 1
    for (const who of [reader, capturing]) if ((await pupils(who)) !== expected) stale += 1
  }
  goals.push(
    judge(
      `summary, with ${(saved / 15).toFixed(0)} saves a second (median ${median(during).toFixed(0)} ms): p95`,
      p95(during),
      goal.saving,
      ' ms',
    ),
    judge('summary: older than the last commit', stale, 0, ''),
  )

  console.error('… reports')
  goals.push(
    judge(
      'cross table of school × grade × sex: beside bare',
      line(
        'cross table',
        await beside(stage, reader, capturing, {
          address: 'blade-report/report/rest/run',
          body: { content: crossTable },
        }),
      ),
      ...([goal.cross, '×', 'at most', 2] as const),
    ),
  )
  const report = await reader.data<{ id: string }>('blade-report/report/rest/submit', {
    ...{ name: '全部学生', content: listOfAll },
  })
  await end(capturing.server.child)
  const files: Record<string, { seconds: number; growth: number }> = {}
  for (const [name, address] of [
    ['list', `blade-user/student/export?format=xlsx&columns=${listOfAll.columns.join()}`],
    ['report', `blade-report/report/result/export?format=xlsx&id=${report.id}`],
  ] as const) {
    await end(reader.server.child)
    // A server of its own for each: its peak is that of this file alone.
    reader.server = await startProduct({ env })
    await reader.ask(summary)
    const before = memoryOf(reader.server).now
    const milliseconds = await timed(async () => {
      await writeFile(path.join(stage.folder, `${name}.xlsx`), await reader.ask(address))
    })
    files[name] = { seconds: milliseconds / 1_000, growth: memoryOf(reader.server).peak - before }
  }
  goals.push(
    judge(
      `${students} rows of a report to .xlsx (${files.report!.seconds.toFixed(1)} s), beside the list’s export (${files.list!.seconds.toFixed(1)} s)`,
      files.report!.seconds / files.list!.seconds,
      ...([goal.file, '×', 'at most', 2] as const),
    ),
    judge('the report’s file: growth of memory', files.report!.growth, goal.megabytes, ' MB'),
  )

  console.error('… record cards')
  goals.push(...(await recordCards(reader)))
  await end(reader.server.child)

  console.error('… data quality')
  const seconds =
    (await timed(() =>
      qualityDaily.run(stage.services, { tenantId: benchTenant, signal: new AbortController().signal } as never),
    )) / 1_000
  goals.push(judge('quality of the whole district, as a job', seconds, goal.quality, ' s', 'at most', 1))

  const machine = readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' ')
  console.log(`\n${students} students, ${schools} schools; load of the machine at the end: ${machine}\n`)
  console.log(`${table(lines)}\n\n${table(slow)}\n\n${verdicts(goals)}`)
}

await onStage(measure)
