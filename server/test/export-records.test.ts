import { student } from '@data-brain/contract'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { logsOf } from '../src/modules/log/index.ts'
import { because } from './because.ts'
import { sample } from './sample.ts'
import { jobEnded, makeWorld, type Person, type World } from './world.ts'

/* The lists that are no entity's (logs, changes, access records, sessions, regions) as files. */

let world: World
let admin: Person
let made: Map<string, string>
let pupil: { id: string; name: string }
let other: { id: string; name: string }
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  made = new Map()
  const add = async (kept: Map<string, string>): Promise<typeof pupil> => {
    const { draft } = await sample(admin, student, kept)
    const added = await admin.post<typeof pupil>('blade-user/student/submit', draft)
    if (added.code !== 200) throw new Error(added.msg)
    await admin.get('blade-user/student/detail', { id: added.data.id })
    return added.data
  }
  pupil = await add(made)
  other = await add(new Map())
})
afterAll(() => world.close())

const paths = [
  'blade-log/usual',
  'blade-log/api',
  'blade-log/error',
  'blade-log/history',
  'blade-log/read',
  'blade-system/session',
  'blade-system/region',
]
const names = ['logusual', 'logapi', 'logerror', 'history', 'readlog', 'session', 'region']
type Query = Record<string, string>

async function fetchFile(person: Person, path: string, query: Query = {}) {
  await logsOf(world.services).flush()
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/${path}/export`,
    query,
    headers: { 'blade-auth': `bearer ${person.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, text: answer.payload }
}

/** A CSV by another reader than what wrote it. */
const lines = (text: string): string[][] =>
  text
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, q, p]) => q?.replaceAll('""', '"') ?? p ?? ''),
    )

const told = async (person: Person, path: string, columns: string, query: Query = {}): Promise<string[][]> => {
  const file = await fetchFile(person, path, { format: 'csv', columns, ...query })
  expect([file.status, path]).toEqual([200, path])
  return lines(file.text).slice(1)
}

/** All rows of a list by its own call, page by page. */
async function listed(person: Person, path: string, query: Query = {}): Promise<Record<string, unknown>[]> {
  await logsOf(world.services).flush()
  const rows: Record<string, unknown>[] = []
  let before: string | undefined
  for (let current = 1; ; current += 1) {
    const answer = await person.get<{ records: Record<string, unknown>[]; next?: string | null; pages?: number }>(
      `${path}/list`,
      { ...query, size: 100, ...(path.match(/history|read/) ? (before ? { before } : {}) : { current }) },
    )
    rows.push(...answer.data.records)
    before = answer.data.next ?? undefined
    if (answer.data.next === undefined ? current >= (answer.data.pages ?? 0) : before === undefined) return rows
  }
}

/** Lets a person work with the students of one school alone. */
async function narrow(person: Person): Promise<void> {
  const scope = await admin.post<{ id: string }>('blade-system/data-scope/submit', {
    scopeName: '一所学校',
    resourceCode: `s${newId()}`,
    scopeClass: 'student',
    scopeType: '5',
    scopeValue: { all: [{ field: 'schoolId', op: 'equal', value: made.get('school') }] },
  })
  await world.owner.query(
    `insert into role_data_scope (tenant_id, role_id, scope_id) select tenant_id, target_id, $2 from app_user_role where tenant_id = $1 and owner_id = $3`,
    [admin.tenantId, scope.data.id, person.userId],
  )
}

describe('R-LIST-1 R-LOG-1 lists that nobody writes, as files', () => {
  it('hold the rows of the list in its order, with its filters', async () => {
    const changes = await told(admin, 'blade-log/history', 'time,requestId', { entity: 'student' })
    const rows = await listed(admin, 'blade-log/history', { entity: 'student' })
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(changes).toEqual(rows.map((row) => [row.time, row.requestId]))
    const reads = await told(admin, 'blade-log/read', 'time,child,person,kind')
    expect(reads.map(([, child]) => child)).toEqual([other.name, other.name, pupil.name, pupil.name])
    expect(reads[0]).toEqual([expect.any(String), other.name, '管理员', '查看详情'])
    expect(await told(admin, 'blade-log/read', 'child', { childId: pupil.id })).toEqual([[pupil.name], [pupil.name]])
    const calls = await listed(admin, 'blade-log/api', { requestUri: 'student' })
    expect(calls.length).toBeGreaterThan(0)
    expect(await told(admin, 'blade-log/api', 'createTime,title,status', { requestUri: 'student' })).toEqual(
      calls.map((row) => [row.createTime, row.title, String(row.status)]),
    )
    const fine = await told(admin, 'blade-log/api', 'status', { status_ge: '400' })
    expect(fine.every(([status]) => Number(status) >= 400)).toBe(true)
    const sessions = await listed(admin, 'blade-system/session')
    expect(await told(admin, 'blade-system/session', 'since,lastUsed')).toEqual(
      sessions.map((row) => [row.createdAt, row.lastUsed]),
    )
  })

  it('goes on through more rows than are read at a time, without a gap or a repetition', async () => {
    const rich = await world.tenant()
    await world.owner.query(
      `insert into read_log (tenant_id, id, user_name, entity, row_id, child_id, kind, at)
       select $1, $2::bigint + n, '批量' || n, 'student', 1, 1, 'detail', now() from generate_series(1, 2500) n`,
      [rich.tenantId, newId()],
    )
    const people = (await told(rich, 'blade-log/read', 'person')).map(([person]) => person)
    expect(people).toEqual(Array.from({ length: 2_500 }, (_, at) => `批量${2_500 - at}`))
  })

  it('are workbooks too, with the headings of the list, and say who took them', async () => {
    const file = await fetchFile(admin, 'blade-log/read')
    expect(file.status).toBe(200)
    const parts = unzipSync(new Uint8Array(file.bytes))
    const texts = (part: string) =>
      [...strFromU8(parts[part]!).matchAll(/<[tv](?: [^>]*)?>([^<]*)</g)].map(([, text]) => text)
    expect(texts('xl/worksheets/sheet1.xml').slice(0, 7)).toEqual([
      '时间',
      '学生',
      '访问人',
      '方式',
      '内容',
      '事由',
      '地址',
    ])
    expect(texts('xl/worksheets/sheet1.xml')).toContain(pupil.name)
    expect(texts('xl/worksheets/sheet2.xml')).toContain('管理员 (admin)')
  })

  it('compute nothing in a spreadsheet', async () => {
    await admin.get('blade-user/student/detail', { id: pupil.id }, because('=HYPERLINK("http://x","y")'))
    const [newest] = await told(admin, 'blade-log/read', 'reason')
    expect(newest).toEqual([`'=HYPERLINK("http://x","y")`])
  })

  it('are written in the background as well, and kept for whoever asked', async () => {
    const asked = await admin.post<{ jobId: string }>('blade-log/history/export-job', undefined, {
      query: { format: 'csv', columns: 'time,row', entity: 'student' },
    })
    const job = await jobEnded(admin, asked)
    expect(job).toMatchObject({ state: 'done', subject: '变更记录' })
    const file = await world.http.inject({
      method: 'GET',
      url: '/api/blade-system/job/file',
      query: { id: job.id },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    expect(file.payload).toBe(
      (await fetchFile(admin, 'blade-log/history', { format: 'csv', columns: 'time,row', entity: 'student' })).text,
    )
    const others = await world.http.inject({
      method: 'GET',
      url: '/api/blade-system/job/file',
      query: { id: job.id },
      headers: { 'blade-auth': `bearer ${(await world.colleague(admin, ['history_view', 'history_export'])).token}` },
    })
    expect(others.statusCode).toBe(404)
  })

  it('R-LIST-5 ask for their own code, and refuse what is no column or no format by name', async () => {
    for (const [at, path] of paths.entries()) {
      const name = names[at]!
      if (name === 'region') continue
      const viewer = await world.colleague(admin, [`${name}_view`])
      expect([path, (await fetchFile(viewer, path)).status]).toEqual([path, 403])
      const job = await viewer.post(`${path}/export-job`)
      expect([path, job.status]).toEqual([path, 403])
      const both = await world.colleague(admin, [`${name}_export`])
      expect([path, (await fetchFile(both, path)).status]).toEqual([path, 200])
      for (const [query, field] of [
        [{ columns: 'id,password' }, 'columns'],
        [{ format: 'pdf' }, 'format'],
      ] as const) {
        const answer = await fetchFile(both, path, query)
        expect([path, answer.status, JSON.parse(answer.text).data.field]).toEqual([path, 400, field])
      }
    }
    expect((await fetchFile(admin, 'blade-system/region')).status).toBe(403)
    expect((await admin.post('blade-system/region/export-job')).status).toBe(403)
  })

  it('R-PERM-3 hold what the caller reaches, and nothing of another tenant', async () => {
    const clerk = await world.colleague(admin, [
      ...['readlog_view', 'readlog_export', 'history_view', 'history_export', 'student_view'],
    ])
    await narrow(clerk)
    const children = new Set((await told(clerk, 'blade-log/read', 'child')).map(([child]) => child))
    expect(children).toEqual(new Set([pupil.name]))
    const seen = (await listed(clerk, 'blade-log/history')).map((row) => [row.time, row.rowName])
    expect(await told(clerk, 'blade-log/history', 'time,row')).toEqual(seen)
    expect(seen.every(([, name]) => String(name).startsWith(pupil.name))).toBe(true)
    const stranger = await world.tenant()
    for (const path of paths.slice(0, 5)) {
      const columns = path.match(/history|read/) ? 'person,time' : 'createBy,userId'
      const rows = await told(stranger, path, columns)
      const own = (await listed(stranger, path)).length
      // The call that asks for the file is logged too, once it has been answered.
      expect([path, rows.length <= own]).toEqual([path, true])
      expect(JSON.stringify(rows)).not.toContain(admin.userId)
    }
    expect(await told(stranger, 'blade-log/read', 'child')).toEqual([])
    expect(await told(stranger, 'blade-system/session', 'person')).toHaveLength(1)
  })

  it('R-LOG-2 that it was taken out stands in the usual log', async () => {
    await fetchFile(admin, 'blade-log/read')
    const [newest] = await listed(admin, 'blade-log/usual', { logId: 'export' })
    expect(newest).toMatchObject({ logId: 'export', requestUri: '/api/blade-log/read/export', createBy: '管理员' })
  })
})

describe('R-LIST-1 the regions as a file', () => {
  it('hold those that the list finds, with the names of their levels', async () => {
    const platform = await world.platform()
    const rows = await told(platform, 'blade-system/region', 'code,name,level', { code: '1101', abolished: '0' })
    expect(rows.slice(0, 2)).toEqual([
      ['110100', '市辖区', '地市'],
      ['110101', '东城区', '区县'],
    ])
    const list = await listed(platform, 'blade-system/region', { code: '1101', abolished: '0' })
    expect(rows.map(([code]) => code)).toEqual(list.map((row) => row.code))
  })
})
