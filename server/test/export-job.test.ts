import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { student } from '@data-brain/contract'
import excel from '@zurmokeeper/exceljs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { readEnvironment } from '../src/environment.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { exporting } from '../src/modules/export/index.ts'
import { eventOf } from '../src/modules/log/event.ts'
import { sweepFiles } from '../src/modules/resource/index.ts'
import { narrow } from './import-parts.ts'
import { sample } from './sample.ts'
import { addPlace, placeDraft, startS3, type TestS3 } from './storage-parts.ts'
import { type JobView, jobEnded, jobsEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let draft: Record<string, unknown>
let folder: string
let s3: TestS3
/** Lets the server call these hosts of an internal network. */
const allow = (hosts: string): void => {
  Object.assign(world.services.environment, { outboundAllow: readEnvironment({ OUTBOUND_ALLOW: hosts }).outboundAllow })
}
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (const name of ['王一', '王二', '李三']) {
    ;({ draft } = await sample(admin, student, made))
    const added = await admin.post('blade-user/student/submit', {
      ...draft,
      name,
      remark: '=1+1',
      schoolId: made.get('school'),
    })
    if (added.code !== 200) throw new Error(added.msg)
  }
  folder = mkdtempSync(join(tmpdir(), 'data-brain-s3-'))
  s3 = await startS3(folder, ['exports'])
  allow(s3.host)
})
afterAll(async () => {
  await world.close()
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Kept {
  rows: number
  bytes: number
  fileId: string
  expires: string
  name: string
}
const ask = (person: Person, query: Record<string, string> = {}, entity = student.path) =>
  person.post<{ jobId: string }>(`${entity}/export-job`, undefined, { query })
const ended = async (person: Person, query: Record<string, string> = {}, entity = student.path) => {
  const job = await jobEnded(person, await ask(person, query, entity))
  return { ...job, kept: job.result as unknown as Kept }
}
const fetchBytes = async (person: Person, path: string, query: Record<string, string>) => {
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/${path}`,
    query,
    headers: { 'blade-auth': `bearer ${person.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers, text: answer.payload }
}
const fileOf = (person: Person, id: string) => fetchBytes(person, 'blade-system/job/file', { id })
const streamed = (person: Person, query: Record<string, string>) => fetchBytes(person, `${student.path}/export`, query)
const messages = async (person: Person) =>
  (
    await person.get<{ records: { kind: string; title: string; body: string; link: string }[] }>(
      'blade-desk/inbox/list',
    )
  ).data.records
const under = (place: string): string[] =>
  existsSync(place)
    ? readdirSync(place, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []
const sealedOf = (tenantId: string): string[] =>
  under(join(world.services.environment.dataDir, 'files', tenantId)).filter((path) => path.endsWith('.sealed'))
/** Takes all rights away from somebody, as a change of their role does. */
async function withdraw(person: Person): Promise<void> {
  await world.owner.query(
    `delete from role_menu g using app_user_role l where l.owner_id = $1 and g.tenant_id = l.tenant_id and g.role_id = l.target_id`,
    [person.userId],
  )
  await world.inTenant(person.tenantId, (tx) => raiseGrants(tx, person.tenantId))
}
/** Lets exports get no further than to the words of their columns while something is done. */
async function heldBack(work: () => Promise<void>): Promise<void> {
  const database = (await world.owner.query('select current_database() as name')).rows[0].name as string
  const blocker = new pg.Client({ connectionString: changeAddress(inject('database').owner, { database }) })
  await blocker.connect()
  try {
    await blocker.query('begin; lock table dict in access exclusive mode')
    await work()
  } finally {
    await blocker.query('rollback')
    await blocker.end()
  }
}
const stateOf = async (person: Person, id: string): Promise<JobView> =>
  (await person.get<JobView>('blade-system/job/own', { id })).data

describe('R-LIST-1 a list as a file, written in the background', () => {
  it('is byte for byte the streamed one, with its filters, order, columns and nothing that computes', async () => {
    const query = { format: 'csv', name: '王', descs: 'name', columns: 'name,sex,remark,birthDate' }
    const job = await ended(admin, query)
    expect(job).toMatchObject({ kind: 'export', subject: '学生', state: 'done', progress: 2, total: 2 })
    const file = await fileOf(admin, job.id)
    const stream = await streamed(admin, query)
    expect(file.status).toBe(200)
    expect(file.bytes.equals(stream.bytes)).toBe(true)
    expect(file.text).toContain("'=1+1")
    expect(job.kept).toMatchObject({ rows: 2, bytes: stream.bytes.length })
    expect([file.headers['content-type'], file.headers['content-length']]).toEqual([
      'text/csv; charset=utf-8',
      String(stream.bytes.length),
    ])
    expect(file.headers['content-disposition']).toContain("filename*=UTF-8''%E5%AD%A6%E7%94%9F-")
    const left = Date.parse(`${job.kept.expires.replace(' ', 'T')}+08:00`) - Date.now()
    expect(Math.abs(left - 24 * 3_600_000)).toBeLessThan(60_000)
  })

  it('is a workbook that names who took it, in the language of whoever asked', async () => {
    const answer = await admin.post<{ jobId: string }>(`${student.path}/export-job`, undefined, { language: 'en' })
    const job = await jobEnded(admin, answer)
    expect(job.subject).toBe(student.label.en)
    const book = new excel.Workbook()
    await book.xlsx.load((await fileOf(admin, job.id)).bytes as unknown as ArrayBuffer)
    const [page, about] = book.worksheets
    expect([page?.name, page?.rowCount, about?.name]).toEqual([student.label.en, 4, 'About'])
    expect(about?.getRow(2).getCell(2).value).toBe('管理员 (admin)')
  })

  it('takes what a body brings as what a query brings', async () => {
    const answer = await admin.post<{ jobId: string }>(`${student.path}/export-job`, undefined, {
      form: { format: 'csv', name: '李', columns: 'name' },
    })
    const job = await jobEnded(admin, answer)
    expect((await fileOf(admin, job.id)).text).toBe('\ufeff姓名\r\n李三\r\n')
  })

  it('R-LIST-5 is refused at once without its code, and where a column, a format or a filter is wrong', async () => {
    const viewer = await world.colleague(admin, ['student_view'])
    expect((await ask(viewer)).status).toBe(403)
    for (const [query, field] of [
      [{ columns: 'name,password' }, 'columns'],
      [{ format: 'pdf' }, 'format'],
      [{ classId: 'x' }, 'classId'],
    ] as const) {
      const answer = await ask(admin, query)
      expect([answer.status, (answer.data as unknown as { field: string }).field]).toEqual([400, field])
    }
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    expect((await ask(clerk, { personal: '1' })).status).toBe(403)
  })

  it('masks personal values, or holds them in full for who may see them; and lies sealed in the store', async () => {
    const masked = await ended(admin, { format: 'csv', columns: 'name,idNo' })
    expect((await fileOf(admin, masked.id)).text).not.toContain(String(draft.idNo))
    const before = new Set(sealedOf(admin.tenantId))
    const full = await ended(admin, { format: 'csv', columns: 'name,idNo', personal: '1', keyword: '李三' })
    expect((await fileOf(admin, full.id)).text).toContain(String(draft.idNo))
    const [path] = sealedOf(admin.tenantId).filter((each) => !before.has(each))
    const lying = readFileSync(path!)
    expect(lying.length).toBe(full.kept.bytes + 16)
    expect(lying.includes(String(draft.idNo)) || lying.includes('李三')).toBe(false)
    const { rows } = await world.owner.query('select input::text as input from job where id = $1', [full.id])
    expect(rows[0].input).not.toContain('李三')
  })

  it('R-PERM-3 holds only the rows that whoever asked reaches', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    await narrow(admin, clerk, 'student', 'name', '李')
    const job = await ended(clerk, { format: 'csv', columns: 'name' })
    expect((await fileOf(clerk, job.id)).text).toBe('\ufeff姓名\r\n李三\r\n')
  })

  it('takes out what all tenants share for the platform alone', async () => {
    const platform = await world.platform()
    const job = await ended(platform, { format: 'csv' }, 'blade-system/dict')
    expect(job.state).toBe('done')
    expect((await fileOf(platform, job.id)).text.split('\r\n').length).toBeGreaterThan(10)
    expect((await ask(admin, {}, 'blade-system/dict')).status).toBe(403)
  })
})

describe('R-PERM-5 the file of an export in the background', () => {
  it('R-PROD-2 is there for whoever asked for it: not for an administrator, a colleague or another tenant', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    const other = await world.colleague(admin, ['student_view', 'student_export', 'job_view', 'attach_view'])
    const stranger = await world.tenant()
    const job = await ended(clerk, { format: 'csv' })
    for (const person of [admin, other, stranger, await world.platform()])
      expect((await fileOf(person, job.id)).status).toBe(404)
    expect((await fetchBytes({ ...clerk, token: 'x' }, 'blade-system/job/file', { id: job.id })).status).toBe(401)
    expect((await fileOf(clerk, job.id)).status).toBe(200)
    const attached = await admin.get<{ total: number }>('blade-resource/attach/list')
    expect(attached.data.total).toBe(0)
    await withdraw(clerk)
    expect((await fileOf(clerk, job.id)).status).toBe(403)
  })

  it('is not written for somebody who has lost the right since, while it waited or half way; who is told', async () => {
    const [first, second] = [
      await world.colleague(admin, ['student_view', 'student_export', 'job_retry']),
      await world.colleague(admin, ['student_view', 'student_export']),
    ]
    const ids: string[] = []
    await heldBack(async () => {
      ids.push((await ask(first)).data.jobId)
      while ((await stateOf(first, ids[0]!)).state === 'waiting') await new Promise((done) => setTimeout(done, 10))
      ids.push((await ask(second)).data.jobId)
      expect((await stateOf(second, ids[1]!)).state).toBe('waiting')
      await withdraw(first)
      await withdraw(second)
    })
    const wanted = { state: 'failed', failure: { zh: '没有权限：学生 · 导出（student_export）' }, result: null }
    for (const [at, person] of [first, second].entries()) {
      expect(await jobEnded(person, { data: { jobId: ids[at]! } } as Parameters<typeof jobEnded>[1])).toMatchObject(
        wanted,
      )
      expect(await messages(person)).toMatchObject([
        {
          kind: 'export-failed',
          title: '导出失败：学生',
          body: '没有权限：学生 · 导出（student_export）',
          link: '/job/mine',
        },
      ])
      expect((await fileOf(person, ids[at]!)).status).toBe(404)
    }
    // Tried again it is another's, who may: written anew, for that person alone.
    const retried = await admin.post('blade-system/job/retry', undefined, { query: { id: ids[0]! } })
    expect(retried.status).toBe(200)
    const again = await jobEnded(admin, { data: { jobId: ids[0]! } } as Parameters<typeof jobEnded>[1])
    expect(again).toMatchObject({ state: 'done', tries: 2, result: { rows: 3 } })
    expect((await fileOf(admin, ids[0]!)).status).toBe(200)
    expect((await fileOf(first, ids[0]!)).status).toBe(404)
  })

  it('can be taken back while it is written, by whoever asked for it: nothing is kept of it', async () => {
    const [clerk, other] = [
      await world.colleague(admin, ['student_view', 'student_export']),
      await world.colleague(admin, ['student_view', 'student_export']),
    ]
    const cancel = (person: Person, id: string) => person.post('blade-system/job/cancel', undefined, { query: { id } })
    const before = sealedOf(admin.tenantId).length
    let id = ''
    await heldBack(async () => {
      id = (await ask(clerk)).data.jobId
      while ((await stateOf(clerk, id)).state !== 'running') await new Promise((done) => setTimeout(done, 10))
      expect((await cancel(other, id)).status).toBe(404)
      expect((await cancel(clerk, id)).status).toBe(200)
      expect((await cancel(clerk, id)).msg).toBe('任务已结束')
    })
    // One after the other: the run that was broken off has ended when the next one has.
    await ended(clerk)
    expect(await stateOf(clerk, id)).toMatchObject({ state: 'cancelled', result: null })
    expect((await fileOf(clerk, id)).status).toBe(404)
    expect(sealedOf(admin.tenantId).length).toBe(before + 1)
  })

  it('is told of in the inbox, is kept a day, and then gone from the store as well', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    const before = new Set(sealedOf(admin.tenantId))
    const job = await ended(clerk, { format: 'csv' })
    expect(await messages(clerk)).toMatchObject([{ kind: 'export-done', title: '导出完成：学生', link: '/job/mine' }])
    const made = sealedOf(admin.tenantId).filter((path) => !before.has(path))
    expect(made).toHaveLength(1)
    await sweepFiles(world.services)
    expect((await fileOf(clerk, job.id)).status).toBe(200)
    const later = `update attach_loose set until = until - interval '24 hours' where id = $1`
    await world.owner.query(later, [job.kept.fileId])
    expect((await fileOf(clerk, job.id)).status).toBe(404)
    await sweepFiles(world.services)
    expect(made.filter((path) => existsSync(path))).toEqual([])
    expect(sealedOf(admin.tenantId).length).toBe(before.size)
  })

  it('R-LOG-1 is told of in the usual log as an export, where it is asked for and where it is fetched', () => {
    const events = (exporting.routes ?? [])
      .filter(({ path }) => path.endsWith('/student/export-job') || path.endsWith('/job/file'))
      .map((route) => eventOf({ route }, 200))
    const told = { event: 'export', level: 'info' }
    expect(events).toEqual([told, told])
  })

  it('cannot be asked for without end, and takes nothing of the quota', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    const used = async () =>
      (
        await world.owner.query('select coalesce(sum(reserved), 0)::int as n from attach_loose where tenant_id = $1', [
          admin.tenantId,
        ])
      ).rows[0].n
    await heldBack(async () => {
      for (let at = 0; at < 5; at += 1) expect((await ask(clerk)).status).toBe(200)
      expect((await ask(clerk)).msg).toContain('最多同时有5个导出任务')
      expect((await ask(admin)).status).toBe(200)
      // Nor by asking for many at once.
      const hasty = await world.colleague(admin, ['student_view', 'student_export'])
      const asked = await Promise.all(Array.from({ length: 12 }, () => ask(hasty)))
      expect(asked.filter((each) => each.status === 200)).toHaveLength(5)
    })
    await jobsEnded()
    expect(await used()).toBe(0)
  })

  it('R-RES-1 lies in the object storage that is enabled, and says so where that is away', async () => {
    const own = await world.tenant()
    const id = await addPlace(own, placeDraft('one', s3.endpoint, 'exports'))
    expect((await own.post('blade-resource/oss/enable', undefined, { query: { id } })).status).toBe(200)
    const job = await ended(own, { format: 'csv' })
    expect((await fileOf(own, job.id)).bytes.equals((await streamed(own, { format: 'csv' })).bytes)).toBe(true)
    expect(sealedOf(own.tenantId)).toEqual([])
    const lying = under(join(folder, 'exports')).filter((path) => path.endsWith('.sealed._S3rver_object'))
    expect(lying).toHaveLength(1)
    allow('')
    const failed = await ended(own)
    allow(s3.host)
    expect(failed.state).toBe('failed')
    expect(failed.failure?.zh).toContain('文件存储暂时不可用')
    await world.owner.query(`update attach_loose set until = now() where tenant_id = $1`, [own.tenantId])
    await sweepFiles(world.services)
    expect(lying.filter((path) => existsSync(path))).toEqual([])
  })
})
