import pg from 'pg'
import type { Target } from './load.ts'
import { type Figures, median, type Plan } from './measure.ts'
import { judge, type Verdict } from './report.ts'
import type { Series } from './series.ts'
import { wordsOf } from './series.ts'
import { cpuOf, end, Loader, type Server, startProduct } from './servers.ts'
import type { Stage } from './stage.ts'

/** Searches a second by a plain LIKE over the names, with the count of what matches: what an index must beat. */
export async function scanRate(stage: Stage, tenantId: string, connections: number): Promise<number> {
  const words = await wordsOf(stage, tenantId)
  const pool = new pg.Pool({ connectionString: stage.url, max: connections, options: `-c app.tenant_id=${tenantId}` })
  const begin = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      for (let nth = index; performance.now() - begin < 4_000; nth += 1) {
        const given = [tenantId, `%${words[nth % words.length]}%`]
        await pool.query(
          'select id, student_no, name, sex, birth_date from student where tenant_id = $1 and name like $2 order by student_no, id limit 10',
          given,
        )
        await pool.query('select count(*) from student where tenant_id = $1 and name like $2', given)
        done += 1
      }
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  await pool.end()
  return done / seconds
}

/** Lists on four connections while sixteen people log in, over and over, all the while. */
export async function loginsBeside(
  product: Server,
  head: string,
  lists: readonly Target[],
  logins: readonly Target[],
  plan: Plan,
): Promise<{ list: Pick<Figures, 'p99' | 'rate'>; logins: number }> {
  const other = new Loader()
  const loader = new Loader()
  const job = { port: product.port, head, requests: plan.requests }
  const [list, login] = await Promise.all([
    loader.put({ ...job, connections: 4, targets: lists, milliseconds: plan.milliseconds * 2 }),
    other.put({ ...job, connections: 16, targets: logins, milliseconds: plan.milliseconds * 2 }),
  ])
  await Promise.all([loader.end(), other.end()])
  return { list: { p99: list.p99, rate: list.done / list.seconds }, logins: login.done / login.seconds }
}

/** Milliseconds from the spawn of the server to its first answer, on the database that is there. */
export async function startTimes(stage: Stage, rounds: number): Promise<number> {
  const times: number[] = []
  for (let nth = 0; nth < rounds; nth += 1) {
    const begin = performance.now()
    const env = { DATA_DIR: stage.dataDir, ...(stage.embedded ? {} : { DATABASE_URL: stage.url }) }
    const server = await startProduct({ env })
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/blade-user/student/list`)
    await answer.text()
    times.push(performance.now() - begin)
    if (answer.status !== 401) throw new Error(`the first answer was ${answer.status}`)
    await end(server.child)
  }
  return median(times)
}

interface Tools {
  readonly env: Record<string, string>
  readonly head: string
  readonly loader: Loader
  readonly series: Series
  readonly say: (text: string) => void
}

const columnsOf = async (stage: Stage, name: string): Promise<string[]> =>
  (
    await stage.owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position`,
      [name],
    )
  ).rows.map((row) => row.name)

/** Copies the rows of a table nine times over, set by set; `change` says what a copy has of its own. */
async function multiply(stage: Stage, tenantId: string, name: string, change: Record<string, string>): Promise<void> {
  const columns = await columnsOf(stage, name)
  const selected = columns.map((column) => change[column] ?? `t.${column}`)
  await stage.owner.query(
    `insert into ${name} (${columns.join(', ')}) select ${selected.join(', ')} from ${name} t, generate_series(1, 9) g where t.tenant_id = $1`,
    [tenantId],
  )
}

// Far enough from each other that copies of ids never meet.
const moved = (column: string): string => `t.${column} + g * (1::bigint << 46)`

/**
 * The same list at ten times the rows: the district has ten times the classes, the page stays a page. The kept count
 * is what is compared; a cold one is shown beside it.
 */
export async function millionRows(
  stage: Stage,
  tenantId: string,
  { env, head, loader, series, say }: Tools,
): Promise<Verdict> {
  const plan = { milliseconds: 1_500, requests: 50_000 }
  const measure = async (): Promise<{ cost: number; kept: number; cold: number }> => {
    await stage.owner.query('vacuum analyze')
    // What the filling left to be written must not be written beside the lists.
    await stage.owner.query('checkpoint')
    const server = await startProduct({ env })
    const targets = await series.targets()
    const job = { port: server.port, head, connections: 1, targets }
    await loader.put({ ...job, ...plan, milliseconds: 4_000 })
    // The two sizes are measured minutes apart: of some short spells the quietest is what compares.
    const spells: { cost: number; kept: number }[] = []
    for (let nth = 0; nth < 7; nth += 1) {
      const before = cpuOf(server)
      const load = await loader.put({ ...job, ...plan })
      spells.push({ cost: ((cpuOf(server) - before) / load.done) * 1000, kept: load.p50 })
    }
    const { cost, kept } = spells.reduce((least, spell) => (spell.kept < least.kept ? spell : least))
    const colds: number[] = []
    for (let nth = 0; nth < 7; nth += 1) {
      await stage.owner.query('update entity_stamp set stamp = stamp + 1 where tenant_id = $1', [tenantId])
      colds.push((await loader.put({ ...job, milliseconds: 10_000, requests: 1 })).p50)
    }
    await end(server.child)
    return { cost, kept, cold: median(colds) }
  }
  say('the list at this size')
  const small = await measure()
  say('ten times the rows: this takes minutes')
  await stage.owner.query(`set statement_timeout = 0; set synchronous_commit = off`)
  const copied = { ext_id: 'null', id: moved('id') }
  await multiply(stage, tenantId, 'school', {
    ...copied,
    ...{ school_code: `t.school_code::bigint + g * 1000`, school_name: `t.school_name || g`, uscc: 'null' },
  })
  const inSchool = { ...copied, school_id: moved('school_id') }
  for (const name of ['schoolcampus', 'schoolyear']) await multiply(stage, tenantId, name, inSchool)
  await multiply(stage, tenantId, 'schoolclass', {
    ...inSchool,
    ...{
      campus_id: moved('campus_id'),
      year_id: moved('year_id'),
      classroom_id: 'null',
      prev_class_id: 'null',
      next_class_id: 'null',
    },
  })
  await multiply(stage, tenantId, 'student', {
    ...inSchool,
    ...{ class_id: moved('class_id'), seat_no: 'null', user_id: 'null', photo: 'null' },
    ...{
      national_code: 'null',
      national_code_hash: 'null',
      id_no: 'null',
      id_no_hash: 'null',
      phone: 'null',
      phone_hash: 'null',
    },
  })
  await stage.owner.query(
    `insert into search_key select tenant_id, entity, key, row_id + g * (1::bigint << 46), source_id + g * (1::bigint << 46)
     from search_key, generate_series(1, 9) g where tenant_id = $1 and entity = 'student'`,
    [tenantId],
  )
  const large = await measure()
  const ms = (value: number): string => `${value.toFixed(2)} ms`
  console.log(
    `list page, one connection: kept count ${ms(small.kept)} → ${ms(large.kept)}, CPU s/1000 ${small.cost.toFixed(3)} → ${large.cost.toFixed(3)}; cold count ${ms(small.cold)} → ${ms(large.cold)}`,
  )
  return judge('list page at ten times the rows, count kept', large.kept / small.kept, 1.3, '×', 'at most', 2)
}
