import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTenant } from '../src/database/transaction.ts'
import { readEnvironment } from '../src/environment.ts'
import { verifyTenant } from '../src/modules/history/index.ts'
import { sweepFiles } from '../src/modules/resource/index.ts'
import { start } from '../src/start.ts'
import {
  type BatchView,
  csv,
  faultyRows,
  idNoOf,
  line,
  makeSchool,
  mappingOf,
  type Place,
  table,
} from './import-parts.ts'
import { dataOf, download, ownerOf, ownFolder, personOf, sha256, startOwn, upload } from './own-server.ts'
import { accessKey, type Gateway, makeGateway, secretKey } from './sms-gateway.ts'
import { type Server, stopServer } from './two-servers.ts'
import type { Answer, Person } from './world.ts'

/**
 * The server is killed while files are uploaded, messages sent and students imported, and started again on what it has
 * left behind, its database included. Whoever asked goes on as a careful client does: what was answered is taken for
 * done, what was not is asked again where asking again is safe.
 */

const kills = process.env.TEST_LONG ? 20 : 3
const rowsOfImport = 150

const folder = ownFolder()
const data = dataOf(folder.path)
let gateway: Gateway
let server: Server
let admin: Person
let place: Place
/** Settles when the server that is being started is there. */
let there: Promise<void> = Promise.resolve()
let going = true

const environment = (): Record<string, string> => ({ OUTBOUND_ALLOW: new URL(gateway.address('/')).host })
const begin = async (): Promise<void> => {
  server = await startOwn(folder.path, environment())
}

/** What an operator sets once. */
async function setUp(): Promise<void> {
  const ok = async <T>(asked: Promise<Answer<T>>): Promise<T> => {
    const answer = await asked
    if (answer.status !== 200) throw new Error(answer.msg)
    return answer.data
  }
  await ok(
    admin.post('blade-system/param/submit', {
      paramName: '每日短信',
      paramKey: 'sms.perTenantDay',
      paramValue: '100000',
    }),
  )
  const service = await ok(
    admin.post<{ id: string }>('blade-resource/sms/submit', {
      smsCode: 'GATE',
      category: '5',
      content: '您的考勤已记录 #code#',
      signName: '实验学校',
      accessKey,
      secretKey,
      endpoint: gateway.address('/gateway'),
    }),
  )
  await ok(admin.post('blade-resource/sms/enable', undefined, { query: { id: service.id } }))
  place = await makeSchool(admin)
}

beforeAll(async () => {
  gateway = await makeGateway()
  await begin()
  admin = await personOf(() => server, data, { fails: true })
  await setUp()
}, 120_000)
afterAll(async () => {
  going = false
  if (server && server.process.exitCode === null && server.process.signalCode === null) await stopServer(server)
  gateway?.close()
  folder.remove()
}, 60_000)

/** Asks until there is an answer; an answer of a server that is ending counts as none. Undefined where nobody waits. */
async function insist<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    await there
    const answer = await ask().catch(() => undefined)
    if (answer && answer.status < 500) return answer
    await sleep(20)
  }
}

// Uploads: an answer is a promise, and no answer is none. Nothing is sent again.
const stored = new Map<string, { name: string; hash: string }>()
const attempted = new Set<string>()
async function upLoader(mark: string): Promise<void> {
  for (let count = 0; going; count += 1) {
    await there
    const name = `${mark}-${count}.pdf`
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.4\n'),
      randomBytes(randomInt(1_000, 400_000)),
      Buffer.from('%%EOF'),
    ])
    attempted.add(name)
    const path = 'blade-resource/oss/endpoint/put-file-attach'
    const put = await upload(server, admin.token, path, { name, bytes }).catch(() => undefined)
    if (put?.status === 200) stored.set(put.data.attachId, { name, hash: sha256(bytes) })
    else await sleep(20)
  }
}

// Messages: asked again under the same key until there is an answer.
const sent = new Map<string, { id: string; phone: string }>()
async function sender(): Promise<void> {
  for (let count = 0; going; count += 1) {
    const phone = `137${String(10_000_000 + count)}`
    const key = `message-${count}`
    const query = { phones: phone, params: '{"code":"8"}', requestKey: key }
    const answer = await insist(() =>
      admin.post<{ ids: string[] }>('blade-resource/sms/endpoint/send-message', undefined, { query }),
    )
    expect(answer.status, answer.msg).toBe(200)
    sent.set(key, { id: answer.data.ids[0]!, phone })
  }
}

// Imports: followed through their states, as the page does.
let committing = 0
const imported = new Map<string, number>()
async function importer(): Promise<void> {
  for (let round = 0; going; round += 1) {
    const day = new Date(Date.UTC(2010, 0, 1 + round)).toISOString().slice(0, 10)
    const lines = Array.from({ length: rowsOfImport }, (_none, index) => {
      const number = round * rowsOfImport + index
      return line(place, index, {
        'student.name': `王${[...String(number)].map((digit) => '零一二三四五六七八九'[Number(digit)]).join('')}`,
        'student.birthDate': day,
        'student.idNo': idNoOf(day, index * 2 + (index % 2 ? 0 : 1)),
        'member1.mobile': `139${String(20_000_000 + number)}`,
      })
    })
    const bytes = csv(table(lines))
    const batch = async (id: string) =>
      (await insist(() => admin.get<BatchView>('blade-user/import/batch', { id }))).data
    const settled = async (id: string): Promise<BatchView> => {
      for (;;) {
        const view = await batch(id)
        if (!['reading', 'checking', 'committing'].includes(view.state)) return view
        await sleep(25)
      }
    }
    const send = () =>
      upload<{ id: string }>(server, admin.token, 'blade-user/import/upload', {
        name: `${round}.csv`,
        bytes,
        query: { schoolId: place.schoolId, duplicates: 'skip' },
      })
    const { data: made } = await insist(send)
    for (let view = await settled(made.id); view.state !== 'done'; view = await settled(made.id)) {
      if (view.state === 'mapping')
        await insist(() => admin.post('blade-user/import/mapping', { id: made.id, mapping: mappingOf(view) }))
      else if (view.state === 'checked') {
        if (view.counts.add !== rowsOfImport)
          throw new Error(JSON.stringify(await faultyRows(admin, made.id)).slice(0, 2_000))
        committing += 1
        await insist(() => admin.post('blade-user/import/commit', undefined, { query: { id: made.id } }))
      } else throw new Error(`batch ${round} stands at ${view.state}: ${view.failure}`)
    }
    imported.set(made.id, rowsOfImport)
  }
}

/** Lets the server work until something of a kind is under way, and a moment longer. */
async function untilBusy(round: number): Promise<void> {
  await sleep(150 + randomInt(250))
  // Of imports one is hit in its midst, the next in the moment after it was answered for.
  const importing = round % 6 === 0 ? () => committing : () => imported.size
  const watched = [importing, () => attempted.size, () => gateway.arrived.length][round % 3]!
  const before = watched()
  // Work that a killed process was at is begun anew only when its silence has been noticed.
  for (let patience = 6_000; patience > 0 && watched() === before; patience -= 1) await sleep(10)
  await sleep(randomInt(round % 6 === 0 ? 250 : 40))
}

const filesIn = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((each) =>
        each.isFile() ? [join(each.parentPath, each.name).slice(root.length + 1)] : [],
      )
    : []

describe(`killed ${kills} times`, () => {
  it(
    'loses nothing that was acknowledged, does nothing twice, and leaves nothing behind',
    async () => {
      const working = Promise.all([upLoader('a'), upLoader('b'), sender(), importer()])
      // A failure of one of them is told at once.
      let failed: Error | undefined
      working.catch((error: Error) => {
        failed = error
      })
      for (let round = 0; round < kills && !failed; round += 1) {
        await untilBusy(round)
        let ready: () => void = () => {}
        there = new Promise((done) => {
          ready = done
        })
        const gone = once(server.process, 'exit')
        server.process.kill('SIGKILL')
        await gone
        await begin()
        ready()
      }
      await sleep(300)
      going = false
      await working

      // Messages that a killed process held are free when its lease is over: that time passes here.
      const owner = await ownerOf(data)
      const waiting = async (): Promise<number> =>
        (await owner.query<{ n: number }>(`select count(*)::int as n from sms_log where state in ('0', '2')`)).rows[0]!
          .n
      await sleep(1_000)
      await owner.query(
        `update sms_log set leased_until = now() - interval '1 s', next_try = now() where state in ('0', '2') and (leased_until is not null or next_try is not null)`,
      )
      for (let patience = 300; patience > 0 && (await waiting()) > 0; patience -= 1) await sleep(100)

      // Every message went out, each under one name, however often the gateway was told.
      const log = await owner.query<{ id: string; state: string }>('select id::text, state from sms_log')
      expect(log.rows.filter((row) => row.state !== '1')).toEqual([])
      expect(log.rows.map((row) => row.id).sort()).toEqual([...sent.values()].map((each) => each.id).sort())
      const told = Map.groupBy(
        gateway.arrived.map(({ body }) => JSON.parse(body) as { id: string; phone: string }),
        (each) => each.phone,
      )
      for (const { id, phone } of sent.values())
        expect([...new Set(told.get(phone)?.map((each) => each.id))]).toEqual([id])
      expect(told.size).toBe(sent.size)
      expect(gateway.forged).toEqual([])

      // Every file that was answered for is there, whole; one that was not is there once, or not at all.
      for (const [id, { hash }] of stored) expect(sha256(await download(server, admin.token, id))).toBe(hash)
      const files = await owner.query<{ id: string; original_name: string }>(
        'select id::text, original_name from attach',
      )
      expect(new Set(files.rows.map((row) => row.original_name)).size).toBe(files.rows.length)
      const ids = new Set(files.rows.map((row) => row.id))
      expect([...stored.keys()].filter((id) => !ids.has(id))).toEqual([])
      expect(files.rows.filter((row) => !attempted.has(row.original_name))).toEqual([])

      // Every import is there whole, and once; nothing hangs between two states.
      const students = await owner.query<{
        batches: number
        students: number
        names: number
        family: number
        history: number
        busy: number
        rows: number
      }>(
        `select (select count(*) from import_batch where state = 'done')::int as batches,
                (select count(*) from student)::int as students,
                (select count(distinct name) from student)::int as names,
                (select count(*) from studentparents)::int as family,
                (select count(*) from history where entity = 'student' and action = 'import')::int as history,
                (select count(*) from import_batch where state not in ('done', 'mapping'))::int as busy,
                (select count(*) from import_row r join import_batch b on b.tenant_id = r.tenant_id and b.id = r.batch_id where b.state = 'done')::int as rows`,
      )
      const total = imported.size * rowsOfImport
      expect(students.rows[0]).toEqual({
        batches: imported.size,
        students: total,
        names: total,
        family: total,
        history: total,
        busy: 0,
        rows: 0,
      })
      const classes = await admin.get<{ records: { studentCount: number }[] }>('blade-user/schoolclass/list')
      expect(classes.data.records.reduce((sum, each) => sum + each.studentCount, 0)).toBe(total)
      const counted = await admin.get<{ total: number }>('blade-user/student/list')
      expect(counted.data.total).toBe(total)
      await owner.end()
      expect(await stopServer(server)).toBe(0)

      // What uploads that were cut off have left is noted, and a sweep after their time takes it away.
      const running = await start(readEnvironment({ DATA_DIR: data, DEMO: 'off', LOG_LEVEL: 'error' }))
      try {
        const { services } = running
        await inTenant(services.pool, '000000', async (tx) => {
          await tx.run({ text: `update attach_loose set until = now() where tenant_id = '000000'`, values: [] })
        })
        await sweepFiles(services)
        const rows = await inTenant(services.pool, '000000', (tx) =>
          tx.run<{ name: string }>({ text: `select name from attach where tenant_id = '000000'`, values: [] }),
        )
        const loose = await inTenant(services.pool, '000000', (tx) =>
          tx.run({ text: `select 1 from attach_loose where tenant_id = '000000'`, values: [] }),
        )
        expect(loose).toEqual([])
        expect(filesIn(join(data, 'files')).sort()).toEqual([...new Set(rows.map((row) => row.name))].sort())
        const chain = await inTenant(services.pool, '000000', (tx) => verifyTenant(tx, '000000'))
        expect(chain.broken).toBe(0)
      } finally {
        await running.stop()
      }
      // A run in which nothing was under way shows nothing.
      expect(stored.size).toBeGreaterThan(kills)
      expect(attempted.size).toBeGreaterThan(stored.size)
      expect(sent.size).toBeGreaterThan(kills)
      expect(imported.size).toBeGreaterThan(0)
      expect(committing).toBeGreaterThan(kills / 3 - 1)
      console.log(
        `${kills} kills: ${stored.size} of ${attempted.size} uploads, ${sent.size} messages (told ${gateway.arrived.length} times), ${imported.size} imports acknowledged (${committing} commits asked for); all kept`,
      )
    },
    60_000 + kills * 60_000,
  )
})
