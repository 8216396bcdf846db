// Takes a list of 100,000 students out as a workbook, from a real server of its own, and prints what it took.
//   node bench/export.ts [students]
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { judge, verdicts } from './report.ts'
import { fillSchools } from './school.ts'
import { endAll, memoryOf, type Server, startProduct } from './servers.ts'
import { benchTenant, onStage, type Stage, sessionOf } from './stage.ts'

const students = Number(process.argv[2] ?? 100_000)
const goal = { megabytes: 300, seconds: 120 }

interface Taken {
  readonly seconds: number
  readonly megabytes: number
  /** Seconds until the first byte. */
  readonly first: number
}

async function take(product: Server, token: string, format: string, personal: boolean, file: string): Promise<Taken> {
  const query = new URLSearchParams({
    format,
    ...(personal ? { personal: '1', columns: 'studentNo,name,sex,birthDate,idNo,phone,classId' } : {}),
  })
  const begin = performance.now()
  const answer = await fetch(`http://127.0.0.1:${product.port}/api/blade-user/student/export?${query}`, {
    headers: { 'Blade-Auth': `bearer ${token}`, 'Accept-Language': 'zh' },
  })
  if (answer.status !== 200 || !answer.body)
    throw new Error(`the export was answered by ${answer.status}: ${await answer.text()}`)
  const first = (performance.now() - begin) / 1_000
  await pipeline(answer.body as unknown as AsyncIterable<Uint8Array>, createWriteStream(file))
  return { first, seconds: (performance.now() - begin) / 1_000, megabytes: (await stat(file)).size / 1_048_576 }
}

async function measure(stage: Stage): Promise<void> {
  console.error(`… filling: ${students} students`)
  const main = await fillSchools(stage.services, benchTenant, 'admin', {
    students,
    parents: 100,
    schools: 4,
    classes: 16,
  })
  await stage.owner.query('vacuum analyze')
  const token = await sessionOf(stage.services, main.tenantId, main.userId)
  const rows: string[] = []
  const goals = []
  for (const [title, format, personal] of [
    ['xlsx, the columns of the list', 'xlsx', false],
    ['xlsx with full numbers', 'xlsx', true],
    ['csv, the columns of the list', 'csv', false],
  ] as const) {
    // A server of its own for each: its peak is that of this export alone.
    const product = await startProduct({ env: { DATABASE_URL: stage.url, DATA_DIR: stage.dataDir } })
    const before = memoryOf(product).now
    const taken = await take(product, token, format, personal, path.join(stage.folder, `list.${format}`))
    const growth = memoryOf(product).peak - before
    rows.push(
      `${title}: ${taken.seconds.toFixed(1)} s (first byte after ${taken.first.toFixed(1)} s), ${taken.megabytes.toFixed(1)} MB; memory ${before.toFixed(0)} → at most ${memoryOf(product).peak.toFixed(0)} MB`,
    )
    goals.push(
      judge(`${title}: growth of memory`, growth, goal.megabytes, ' MB'),
      judge(`${title}: time`, taken.seconds, goal.seconds, ' s'),
    )
    await endAll()
  }
  console.log(`\n${students} students\n${rows.join('\n')}\n\n${verdicts(goals)}`)
}

await onStage(measure)
