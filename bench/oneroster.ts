// Reads pages of 10,000 by OneRoster REST from a real server of its own, beside the bare SQL of as many rows.
//   node bench/oneroster.ts [students]
import { randomBytes } from 'node:crypto'
import { newId } from '../server/src/database/id.ts'
import { sql } from '../server/src/database/statement.ts'
import { inTenant } from '../server/src/database/transaction.ts'
import { judge, verdicts } from './report.ts'
import { fillSchools } from './school.ts'
import { memoryOf, startProduct } from './servers.ts'
import { benchTenant, onStage, type Stage } from './stage.ts'

const students = Number(process.argv[2] ?? 20_000)
const page = 10_000
const rounds = 7
const goal = { milliseconds: 1_000 }

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** A client that reads everything, with a token. */
async function tokenOf({ services }: Stage, tenantId: string): Promise<string> {
  const token = `bsr_${tenantId}_${randomBytes(32).toString('base64url')}`
  const id = newId()
  await inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(sql`insert into rosterclient (tenant_id, id, name, purpose, scopes, all_schools)
      values (${tenantId}, ${id}, 'bench', 'bench', ${['core', 'roster', 'demographics']}, 1)`)
    await tx.run(sql`insert into roster_token (tenant_id, hash, client_id, scopes, expires)
      values (${tenantId}, ${services.cipher.token(token)}, ${id}, ${['core', 'roster', 'demographics']}, now() + interval '1 day')`)
  })
  return token
}

async function measure(stage: Stage): Promise<void> {
  console.error(`… filling: ${students} students`)
  const { tenantId } = await fillSchools(stage.services, benchTenant, 'admin', {
    students,
    parents: 100,
    schools: 4,
    classes: 16,
  })
  await stage.owner.query('vacuum analyze')
  const token = await tokenOf(stage, tenantId)
  const product = await startProduct({ env: { DATABASE_URL: stage.url, DATA_DIR: stage.dataDir } })
  const read = async (path: string, offset: number): Promise<void> => {
    const answer = await fetch(
      `http://127.0.0.1:${product.port}/api/ims/oneroster/rostering/v1p2/${path}?limit=${page}&offset=${offset}`,
      { headers: { Authorization: `Bearer ${token}` } },
    )
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} was answered by ${answer.status}: ${text}`)
  }
  const first = await timed(() => read('students', 0))
  const rows: string[] = [`first page after a change (all records are made): ${first.toFixed(0)} ms`]
  const goals = []
  for (const [path, table] of [
    ['students', 'student'],
    ['demographics', 'student'],
    ['enrollments', 'studentclass'],
  ] as const) {
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timed(() => read(path, 0)))
      bare.push(
        await timed(() =>
          stage.owner.query(`select * from ${table} where tenant_id = $1 order by id limit ${page}`, [tenantId]),
        ),
      )
    }
    const [warm, plain] = [median(ours), median(bare)]
    rows.push(`${path}, ${page} a page: ${warm.toFixed(0)} ms; bare SQL of ${table}: ${plain.toFixed(0)} ms`)
    goals.push(judge(`${path}: a page of ${page}`, warm, goal.milliseconds, ' ms'))
  }
  rows.push(`memory at most ${memoryOf(product).peak.toFixed(0)} MB`)
  console.log(`\n${students} students\n${rows.join('\n')}\n\n${verdicts(goals)}`)
}

await onStage(measure)
