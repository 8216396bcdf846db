// How the logs bear their rows: fills them, reads them as the pages do, and measures what logging adds to a submit. On
// the embedded PostgreSQL, in a folder of its own, from the sources.
//   node bench/logs.ts [rows]        10,000,000 where not given
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { allRoutes } from '../server/src/app.ts'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { readEnvironment } from '../server/src/environment.ts'
import { registerRoutes } from '../server/src/kernel/handlers.ts'
import { makeHttp } from '../server/src/kernel/http-server.ts'
import { logsOf } from '../server/src/modules/log/index.ts'
import { type RunningServer, start } from '../server/src/start.ts'
import { judge, table, verdicts } from './report.ts'
import { benchPassword } from './school.ts'
import { sessionOf } from './stage.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const portion = 500_000
const tenantId = '000000'
const rounds = 6
const perRound = 400

type Ask = (http: FastifyInstance, method: 'GET' | 'POST', call: string, body?: object) => Promise<unknown>

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** Rows of the last thirty days, evenly: one in fifty refused, one in a hundred slow. */
async function fill(owner: pg.Client, userId: string): Promise<number> {
  const begin = performance.now()
  for (let done = 0; done < rows; done += portion) {
    const count = Math.min(portion, rows - done)
    await owner.query(
      `insert into log_api (tenant_id, create_time, id, title, service_id, server_host, env, method, request_uri, remote_ip,
         user_agent, status, result, time, create_by, user_id, trace_id, params)
       select $1, at, (((extract(epoch from at) * 1000)::bigint - 1704067200000) << 22) | (n % 4194304), '学生:新增或修改',
         'blade-user', 'host', 'bench', 'POST', '/api/blade-user/student/submit', '10.0.' || n % 200 || '.' || n % 250,
         'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', case when n % 50 = 0 then 403 else 200 end,
         case when n % 50 = 0 then 'forbidden' else 'ok' end, case when n % 100 = 0 then 1500 else n % 90 end,
         '用户' || n % 500, case when n % 500 = 0 then $2::bigint else n % 500 end, n::text,
         '{"id":"396812345678901248","version":3,"name":"学生' || n || '","phone":"*********78"}'
       from generate_series($3::bigint, $4::bigint) n,
         lateral (select date_trunc('milliseconds', now() - interval '30 days' * (1 - n::float8 / $5::float8)) as at) t`,
      [tenantId, userId, done + 1, done + count, rows],
    )
    console.error(`… ${((done + count) / 1e6).toFixed(1)} million rows`)
  }
  await owner.query(
    `insert into log_error (tenant_id, create_time, id, title, exception_name, message, service_id, user_id)
     select $1, at, (((extract(epoch from at) * 1000)::bigint - 1704067200000) << 22) | n, 'error ' || n % 150, 'TypeError', 'x', 'console', n % 40
     from generate_series(1, $2::bigint) n, lateral (select date_trunc('milliseconds', now() - interval '1 second' * n) as at) t`,
    [tenantId, Math.min(rows, 200_000)],
  )
  await owner.query('vacuum (analyze) log_api, log_error')
  return (performance.now() - begin) / 1_000
}

async function reading(running: RunningServer, ask: Ask, userId: string): Promise<ReturnType<typeof judge>[]> {
  type Listed = {
    total: number
    records: { id: string; createTime: string }[]
    more: number
    searchedTo: string | null
  }
  const first = (await ask(running.http, 'GET', 'blade-log/api/list?size=10')) as Listed
  const old = new Date(Date.now() - 20 * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10)
  const lines: [string, string, number][] = [
    ['first page', 'blade-log/api/list?size=10', 60],
    ['page 1,000, the last that is counted', 'blade-log/api/list?size=10&current=1000', 100],
    ['200 rows', 'blade-log/api/list?size=200', 100],
    ['one day, three weeks ago', `blade-log/api/list?createTime_datege=${old}&createTime_datele=${old} 23:59:59`, 100],
    ['one user', `blade-log/api/list?userId=${userId}`, 100],
    ['one request', `blade-log/api/list?traceId=${Math.floor(rows / 2)}`, 60],
    ['refused (1 in 50)', 'blade-log/api/list?status_ge=400', 500],
    ['part of an address that is in none', 'blade-log/api/list?requestUri=nowhere', 500],
    ['detail', `blade-log/api/detail?id=${first.records[0]?.id}`, 30],
    ['errors that are alike', 'blade-log/error/groups', 500],
  ]
  const found: string[][] = [['call', 'p50 ms', 'most ms', 'total']]
  const goals = []
  for (const [title, call, goal] of lines) {
    const times: number[] = []
    let answer: Partial<Listed> = {}
    for (let n = 0; n < 15; n += 1) {
      const begin = performance.now()
      answer = (await ask(running.http, 'GET', call)) as Partial<Listed>
      times.push(performance.now() - begin)
    }
    found.push([
      title,
      middle(times).toFixed(1),
      Math.max(...times).toFixed(1),
      answer.total === undefined ? '' : `${answer.total}${answer.more ? '+' : ''}`,
    ])
    goals.push(judge(title, middle(times), goal, ' ms', 'at most', 1))
  }
  console.log(table(found))
  return goals
}

/** The same server twice, once without the hook that logs, in turn: what a submit takes of time and of processor. */
async function submitting(running: RunningServer, ask: Ask): Promise<ReturnType<typeof judge>[]> {
  const bare = makeHttp(running.services)
  registerRoutes(bare, running.services, allRoutes())
  await bare.ready()
  const taken = { with: [] as number[], without: [] as number[] }
  const processor = { with: [] as number[], without: [] as number[] }
  const made = (await ask(running.http, 'POST', 'blade-system/post/submit', {
    ...{ category: '1', postCode: 'bench', postName: 'bench', sort: 1 },
  })) as { id: string }
  for (let round = 0; round < rounds * 2; round += 1) {
    const which = round % 2 === 0 ? 'with' : 'without'
    const http = which === 'with' ? running.http : bare
    const cpu = process.cpuUsage()
    for (let n = 0; n < perRound; n += 1) {
      const begin = performance.now()
      await ask(http, 'POST', 'blade-system/post/submit', { id: made.id, remark: `round ${round} number ${n}` })
      // The first round of each warms up.
      if (round > 1) taken[which].push(performance.now() - begin)
    }
    await logsOf(running.services).flush()
    const used = process.cpuUsage(cpu)
    if (round > 1) processor[which].push((used.user + used.system) / 1_000 / perRound)
  }
  await bare.close()
  console.log(
    `\n${table([
      ['a submit', 'p50 ms', 'processor ms'],
      ...(['without', 'with'] as const).map((which) => [
        `${which} logging`,
        middle(taken[which]).toFixed(3),
        middle(processor[which]).toFixed(3),
      ]),
    ])}`,
  )
  console.log(`rows lost: ${logsOf(running.services).state().dropped}`)
  return [judge('what logging adds to a submit', middle(taken.with) - middle(taken.without), 0.5, ' ms', 'at most', 3)]
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-bench-'))
  await chmod(folder, 0o755)
  const embedded = await startEmbedded({ dataDir: path.join(folder, 'data'), log: () => {} })
  let running: RunningServer | undefined
  const owner = new pg.Client({ connectionString: embedded.url })
  try {
    running = await start(
      readEnvironment({
        ...{ DATABASE_URL: embedded.url, DATA_DIR: path.join(folder, 'keys'), ADMIN_PASSWORD: benchPassword },
        ...{ DEMO: 'off', LOG_LEVEL: 'silent' },
      }),
    )
    await owner.connect()
    const { rows: users } = await owner.query<{ id: string }>(
      `select id::text as id from app_user where tenant_id = $1 and account = 'admin'`,
      [tenantId],
    )
    const userId = users[0]!.id
    const token = await sessionOf(running.services, tenantId, userId)
    const ask: Ask = async (http, method, call, body) => {
      const answer = await http.inject({
        method,
        url: encodeURI(`/api/${call}`),
        headers: { 'blade-auth': `bearer ${token}` },
        ...(body ? { payload: body } : {}),
      })
      if (answer.statusCode !== 200) throw new Error(`${call}: ${answer.statusCode} ${answer.payload.slice(0, 300)}`)
      return (JSON.parse(answer.payload) as { data: unknown }).data
    }
    const seconds = await fill(owner, userId)
    const { rows: size } = await owner.query<{ mb: number }>(
      `select round(sum(pg_total_relation_size(inhrelid)) / 1048576)::int as mb from pg_inherits where inhparent = 'log_api'::regclass`,
    )
    console.log(`${rows} rows of one tenant in ${seconds.toFixed(0)} s, ${size[0]!.mb} MB with their indexes\n`)
    const goals = [...(await reading(running, ask, userId)), ...(await submitting(running, ask))]
    console.log(`\n${verdicts(goals)}`)
    if (goals.some((goal) => !goal.met)) process.exitCode = 1
  } finally {
    await owner.end().catch(() => {})
    await running?.stop()
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
