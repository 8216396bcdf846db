// What a tenant costs, and whether many slow each other down: makes tenants as the platform's administrator does (after the
// first forty of a step the rest are copies of one of these, by SQL), and after each step measures their size, the making of one, lists and search inside one tenant, the list of tenants, and a start.
// On the embedded PostgreSQL, in a folder of its own, from the sources.
//   npm run bench:tenants -- [most]        1,000 where not given; steps of 10, 1,000 and 10,000 up to there
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { readEnvironment } from '../server/src/environment.ts'
import { type RunningServer, start } from '../server/src/start.ts'
import { judge, table, type Verdict, verdicts } from './report.ts'
import { benchPassword } from './school.ts'
import { sessionOf } from './stage.ts'

const most = Number(process.argv[2] ?? 1_000)
const steps = [10, 1_000, 10_000].filter((step) => step < most).concat(most)
const platformTenant = '000000'
/** How many of a step the product makes; the rest are copied. */
const madeMost = 40
/** How often each call is asked; the first ones warm up and are not counted. */
const asked = 60
const warm = 10

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

type Ask = (method: 'GET' | 'POST', call: string, body?: object) => Promise<unknown>

/** Calls as one user of a tenant makes them. */
async function asUser(running: RunningServer, owner: pg.Client, tenantId: string): Promise<Ask> {
  await owner.query(`select set_config('app.tenant_id', $1, false)`, [tenantId])
  const { rows } = await owner.query<{ id: string }>(
    `select id::text as id from app_user where tenant_id = $1 and account = 'admin'`,
    [tenantId],
  )
  await owner.query(`update credential set must_change = 0 where tenant_id = $1`, [tenantId])
  const token = await sessionOf(running.services, tenantId, rows[0]!.id)
  return async (method, call, body) => {
    const answer = await running.http.inject({
      method,
      url: encodeURI(`/api/${call}`),
      headers: { 'blade-auth': `bearer ${token}` },
      ...(body ? { payload: body } : {}),
    })
    if (answer.statusCode !== 200) throw new Error(`${call}: ${answer.statusCode} ${answer.payload.slice(0, 300)}`)
    return (JSON.parse(answer.payload) as { data: unknown }).data
  }
}

/** Bytes of all tables with their indexes, once what was deleted is cleared away; by table. */
async function sizes(owner: pg.Client): Promise<Map<string, number>> {
  await owner.query('vacuum (analyze)')
  const { rows } = await owner.query<{ name: string; size: string }>(
    `select c.relname as name, pg_total_relation_size(c.oid) as size from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  return new Map(rows.map(({ name, size }) => [name, Number(size)]))
}

/** Copies all that one tenant has for the tenants that begin at a number. */
async function copyTenants(owner: pg.Client, from: number, first: number, count: number): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition`,
  )
  // Keys hold in the copy as they do in what is copied; that nobody checks them again makes it quick.
  await owner.query('begin; set local session_replication_role = replica')
  const numbers = 'cross join generate_series($2::int, $2::int + $3::int - 1) n'
  await owner.query(
    `insert into tenant select c.* from tenant t ${numbers}
       cross join lateral jsonb_populate_record(t, jsonb_build_object('tenant_id', n::text, 'id', 900000000000 + n, 'domain', null)) c
     where t.tenant_id = $1`,
    [String(from), first, count],
  )
  for (const { name } of rows.filter(({ name }) => name !== 'session' && name !== 'tenant'))
    await owner.query(
      `insert into ${name} select c.* from ${name} t ${numbers}
         cross join lateral jsonb_populate_record(t, jsonb_build_object('tenant_id', n::text)) c where t.tenant_id = $1`,
      [String(from), first, count],
    )
  await owner.query('commit')
}

const inside: readonly [string, string][] = [
  ['list of the dictionaries', 'blade-system/dict-biz/parent-list?size=20'],
  [
    'values of six dictionaries',
    'blade-system/dict-biz/dictionaries?codes=sex,nation,school_type,subject_category,class_type,user_type',
  ],
  ['list of the subjects', 'blade-user/syssubject/list?size=20'],
  ['list of the grades', 'blade-user/sysgrade/list?size=20'],
  ['list of the users', 'blade-user/page?size=20'],
  ['list of the posts', 'blade-system/post/list?size=20'],
  ['search', 'blade-desk/search?keyword=管理'],
]
const above: readonly [string, string][] = [['list of the tenants', 'blade-system/tenant/list?size=20']]

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-bench-'))
  await chmod(folder, 0o755)
  const embedded = await startEmbedded({ dataDir: path.join(folder, 'data'), log: () => {} })
  const environment = readEnvironment({
    ...{ DATABASE_URL: embedded.url, DATA_DIR: path.join(folder, 'keys'), ADMIN_PASSWORD: benchPassword },
    ...{ DEMO: 'off', LOG_LEVEL: 'silent' },
  })
  const owner = new pg.Client({ connectionString: embedded.url })
  let running: RunningServer | undefined
  const goals: Verdict[] = []
  const heads = ['']
  const lines = new Map<string, string[]>()
  const note = (title: string, value: string): unknown => lines.set(title, [...(lines.get(title) ?? []), value])
  const medians = new Map<string, number[]>()
  try {
    running = await start(environment)
    await owner.connect()
    const empty = await sizes(owner)
    const now = (): RunningServer => {
      if (!running) throw new Error('the server has not started')
      return running
    }
    let made = 0
    for (const step of steps) {
      heads.push(`${step} tenants`)
      const platform = await asUser(now(), owner, platformTenant)
      const times: number[] = []
      const until = Math.min(step, made + madeMost)
      for (; made < until; made += 1) {
        const tenantId = String(200_000 + made)
        const body = { tenantId, tenantName: `第${made}实验学校` }
        times.push(await timed(() => platform('POST', 'blade-system/tenant/submit', body)))
      }
      const copied = step - made
      while (made < step) {
        const count = Math.min(500, step - made)
        await copyTenants(owner, 200_000, 200_000 + made, count)
        made += count
        console.error(`… ${made} tenants`)
      }
      note('of them copied by SQL', String(copied))
      note('to make one, ms', middle(times).toFixed(1))
      const sized = await sizes(owner)
      const grown = [...sized].map(([name, size]): [string, number] => [
        name,
        (size - (empty.get(name) ?? 0)) / made / 1_000,
      ])
      const size = grown.reduce((sum, [, each]) => sum + each, 0)
      note('size of one, kB', size.toFixed(1))
      if (step === steps.at(-1)) {
        console.log(
          `\n${table([
            ['table', 'kB a tenant'],
            ...grown
              .filter(([, each]) => each >= 0.1)
              .sort((a, b) => b[1] - a[1])
              .map(([name, each]) => [name, each.toFixed(1)]),
          ])}\n`,
        )
        goals.push(judge('size of a tenant', size, 20, ' kB', 'at most', 1))
        goals.push(judge('to make a tenant', middle(times), 50, ' ms', 'at most', 1))
      }
      const tenant = await asUser(now(), owner, String(200_000 + Math.floor(made / 2)))
      for (const [ask, calls] of [
        [tenant, inside],
        [platform, above],
      ] as const)
        for (const [title, call] of calls) {
          const took: number[] = []
          for (let n = 0; n < asked; n += 1) took.push(await timed(() => ask('GET', call)))
          const median = middle(took.slice(warm))
          medians.set(title, [...(medians.get(title) ?? []), median])
          note(`${title}, ms`, median.toFixed(2))
        }
      const starts: number[] = []
      for (let n = 0; n < 3; n += 1) {
        await now().stop()
        running = undefined
        starts.push(await timed(async () => (running = await start(environment))))
      }
      medians.set('a start', [...(medians.get('a start') ?? []), middle(starts)])
      note('a start, ms', middle(starts).toFixed(0))
    }
    console.log(table([heads, ...[...lines].map(([title, values]) => [title, ...values])]))
    // What is noise on a busy machine is not growth: a call may take half as long again, and a millisecond more.
    for (const [title, [few = 0, ...more]] of medians)
      if (more.length > 0) {
        const slack = title === 'a start' ? 100 : 1
        goals.push(
          judge(
            `${title}, with ${steps.at(-1)} as with ${steps[0]}`,
            more.at(-1)!,
            Math.ceil(few * 1.5 + slack),
            ' ms',
            'at most',
            1,
          ),
        )
      }
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
