import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { student } from '@data-brain/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupLock } from '../src/database/locks.ts'
import { readEnvironment } from '../src/environment.ts'
import { sweepTenants, tenantSweep } from '../src/modules/tenant/purge.ts'
import { addPlace, fetchFile, noise, placeDraft, png, put, startS3, type TestS3 } from './storage-parts.ts'
import { countRows } from './tenant-parts.ts'
import { type Answer, type JobView, jobEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
let platform: Person
let folder: string
let s3: TestS3
const bucket = 'purged'

beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
  folder = mkdtempSync(join(tmpdir(), 'data-brain-s3-'))
  s3 = await startS3(folder, [bucket])
  allow(s3.host)
})
afterAll(async () => {
  await world.close()
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

const allow = (hosts: string): void => {
  Object.assign(world.services.environment, { outboundAllow: readEnvironment({ OUTBOUND_ALLOW: hosts }).outboundAllow })
}
const listed = (place: string): string[] =>
  existsSync(place)
    ? readdirSync(place, { recursive: true, withFileTypes: true }).flatMap((each) => (each.isFile() ? [each.name] : []))
    : []
const inBucket = (tenantId: string): string[] =>
  listed(join(folder, bucket, tenantId)).filter((name) => name.endsWith('._S3rver_object'))
const folderOf = (tenantId: string): string => join(world.services.environment.dataDir, 'files', tenantId)

interface Closed {
  readonly id: string
  readonly tenantId: string
}

const act = (call: string, query: Record<string, string | number>): Promise<Answer> =>
  platform.post(`blade-system/tenant/${call}`, undefined, { query })
const purged = async ({ id, tenantId }: Closed, more: Record<string, number> = {}): Promise<JobView> =>
  jobEnded(platform, (await act('purge', { ids: id, confirm: tenantId, ...more })) as Answer<{ jobId: string }>)
const own = async (tenantId: string) =>
  (await world.owner.query('select id::text, status from tenant where tenant_id = $1', [tenantId])).rows[0]

/** A tenant that is removed, with a file in its folder; in its bucket a picture with a small copy, a paper and an export. */
async function closed(): Promise<Closed> {
  const admin = await world.tenant()
  const { tenantId } = admin
  expect((await put(world, admin.token, 'before.png', await png())).status).toBe(200)
  const place = await addPlace(admin, placeDraft('bucket', s3.endpoint, bucket))
  await admin.post('blade-resource/oss/enable', undefined, { query: { id: place } })
  const photo = await put(world, admin.token, 'photo.png', await noise(400).png().toBuffer(), { attach: true })
  expect((await fetchFile(world, `${photo.data.link}&width=160`)).headers['content-type']).toBe('image/webp')
  expect(
    (await put(world, admin.token, 'paper.txt', Buffer.from(`text of ${tenantId}`), { attach: true })).status,
  ).toBe(200)
  const job = await jobEnded(admin, await admin.post<{ jobId: string }>(`${student.path}/export-job`))
  expect(job.state).toBe('done')
  expect(inBucket(tenantId)).toHaveLength(4)
  expect(listed(folderOf(tenantId))).toHaveLength(1)
  const { id } = await own(tenantId)
  expect((await act('remove', { ids: id })).status).toBe(200)
  return { id, tenantId }
}

describe('R-SYS-3 R-RES-1 a purge takes the files of a tenant', () => {
  it('from its folder and its bucket: pictures, small copies and sealed exports', async () => {
    const neighbour = await closed()
    const tenant = await closed()
    const job = await purged(tenant)
    expect([job.state, job.failure]).toEqual(['done', null])
    expect(job.result).toMatchObject({ files: { removed: 3, left: 0 } })
    expect(inBucket(tenant.tenantId)).toEqual([])
    expect(existsSync(folderOf(tenant.tenantId))).toBe(false)
    expect(await countRows(world, tenant.tenantId)).toEqual({})
    expect(inBucket(neighbour.tenantId)).toHaveLength(4)
    expect(listed(folderOf(neighbour.tenantId))).toHaveLength(1)
  })

  it('says which store it cannot reach, keeps every row, and goes through when it is tried again', async () => {
    const tenant = await closed()
    const before = await countRows(world, tenant.tenantId)
    allow('127.0.0.1:9')
    const failed = await purged(tenant)
    expect(failed.state).toBe('failed')
    expect(failed.failure?.en).toContain('The files in the object storage “bucket” could not be removed')
    expect((await countRows(world, tenant.tenantId)).attach).toBe(before.attach)
    expect(inBucket(tenant.tenantId)).toHaveLength(4)
    // What has begun to go is not brought back by half.
    const back = await act('restore', { ids: tenant.id })
    expect([back.status, back.msg]).toEqual([400, `租户${tenant.tenantId}的清除已经开始，文件可能已被删除，不能恢复`])
    allow(s3.host)
    expect((await platform.post('blade-system/job/retry', undefined, { query: { id: failed.id } })).msg).toBe(
      '操作成功',
    )
    const again = await jobEnded(platform, { data: { jobId: failed.id }, msg: '' } as Answer<{ jobId: string }>)
    expect([again.state, again.failure]).toEqual(['done', null])
    expect(inBucket(tenant.tenantId)).toEqual([])
    expect(await countRows(world, tenant.tenantId)).toEqual({})
    const { rows } = await world.owner.query(`select name from seed_mark where name like 'purging:%'`)
    expect(rows).toEqual([])
  })

  it('leaves what lies in object stores where it is told to, though they are gone', async () => {
    const tenant = await closed()
    allow('127.0.0.1:9')
    const job = await purged(tenant, { keepBuckets: 1 })
    allow(s3.host)
    expect(job).toMatchObject({ state: 'done', result: { files: { removed: 0, left: 3 } } })
    expect(inBucket(tenant.tenantId)).toHaveLength(4)
    expect(existsSync(folderOf(tenant.tenantId))).toBe(false)
    expect(await countRows(world, tenant.tenantId)).toEqual({})
  })

  it('leaves what another tenant has put there under its own code', async () => {
    const tenant = await closed()
    await world.owner.query(
      `update attach set name = '987654' || substr(name, 7) where tenant_id = $1 and extension = 'txt'`,
      [tenant.tenantId],
    )
    expect(await purged(tenant)).toMatchObject({ state: 'done', result: { files: { removed: 2, left: 1 } } })
  })

  it('is refused while a backup is made, and no backup begins before it is done', async () => {
    const tenant = await closed()
    const backup = new pg.Client(world.asApp)
    await backup.connect()
    try {
      await backup.query('select pg_advisory_lock($1)', [backupLock])
      expect(await purged(tenant)).toMatchObject({
        state: 'failed',
        failure: { zh: '正在备份，请在备份完成后再清除', en: 'A backup is being made: try again once it is there' },
      })
      expect(inBucket(tenant.tenantId)).toHaveLength(4)
      await world.owner.query(`update tenant set purge_after = now() - interval '1 second' where tenant_id = $1`, [
        tenant.tenantId,
      ])
      const told: string[] = []
      expect(await sweepTenants(world.services, ({ tenantId, words }) => told.push(`${tenantId} ${words.zh}`))).toEqual(
        [],
      )
      expect(told).toEqual([`${tenant.tenantId} 正在备份，请在备份完成后再清除`])
      // Nothing has gone yet: it may still be brought back.
      expect((await world.owner.query(`select 1 from seed_mark where name like 'purging:%'`)).rowCount).toBe(0)
      await expect(tenantSweep.run(world.services, { signal: AbortSignal.timeout(60_000) })).rejects.toThrow()
      await backup.query('select pg_advisory_unlock($1)', [backupLock])
      const done = sweepTenants(world.services)
      // The folder goes first and the rows then, of more than a hundred tables.
      while (existsSync(folderOf(tenant.tenantId))) await new Promise((next) => setTimeout(next, 1))
      expect(await own(tenant.tenantId)).toBeDefined()
      // A backup that comes now waits until all is gone.
      await backup.query('select pg_advisory_lock($1)', [backupLock])
      expect(await own(tenant.tenantId)).toBeUndefined()
      expect(await done).toEqual([tenant.tenantId])
      expect(inBucket(tenant.tenantId)).toEqual([])
    } finally {
      await backup.end()
    }
  })

  it('waits for a file that is on its way into a store', async () => {
    const tenant = await closed()
    await world.owner.query(
      `insert into attach_loose (tenant_id, id, oss_id, name, reserved, until)
       select tenant_id, 1, id, tenant_id || '/2026/01/x.png', 5, now() + interval '1 hour' from oss where tenant_id = $1`,
      [tenant.tenantId],
    )
    const { state, failure } = await purged(tenant)
    expect([state, failure?.en]).toEqual([
      'failed',
      'A file of this tenant is on its way into an object store: try again later (one that was cut off counts for two hours)',
    ])
    await world.owner.query(`update attach_loose set until = now() where tenant_id = $1 and id = 1`, [tenant.tenantId])
    expect((await purged(tenant)).state).toBe('done')
  })
})
