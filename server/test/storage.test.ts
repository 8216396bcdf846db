import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readEnvironment } from '../src/environment.ts'
import { sweepFiles } from '../src/modules/resource/index.ts'
import { storeOf } from '../src/modules/resource/storage/place.ts'
import { addPlace, fetchFile, noise, placeDraft, png, put, startS3, type TestS3 } from './storage-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let folder: string
let s3: TestS3

/** What lies in a bucket of the server, by the names that were put. */
const inBucket = (bucket: string): string[] =>
  readdirSync(join(folder, bucket), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('._S3rver_object'))
    .map((name) => name.replace('._S3rver_object', ''))
const inFolder = (tenantId: string): string[] => {
  const place = join(world.services.environment.dataDir, 'files', tenantId)
  return existsSync(place)
    ? readdirSync(place, { recursive: true })
        .map(String)
        .filter((name) => name.includes('.'))
    : []
}
const post = (person: Person, call: string, query: Record<string, string>) =>
  person.post<null>(`blade-resource/oss/${call}`, undefined, { query })
const tried = async (person: Person, id: string, language: 'zh' | 'en' = 'zh') =>
  (
    await person.post<{ ok: number; message: string }>('blade-resource/oss/test', undefined, {
      query: { id },
      language,
    })
  ).data
/** Lets the server call these hosts of an internal network. */
const allow = (hosts: string): void => {
  Object.assign(world.services.environment, { outboundAllow: readEnvironment({ OUTBOUND_ALLOW: hosts }).outboundAllow })
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  folder = mkdtempSync(join(tmpdir(), 'data-brain-s3-'))
  s3 = await startS3(folder, ['one', 'two'])
  allow(s3.host)
})
afterAll(async () => {
  await world.close()
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('places for files', () => {
  it('R-RES-1 are switched in one step, and old files stay readable where they lie', async () => {
    const first = (await put(world, admin.token, 'first.png', await png())).data
    const one = await addPlace(admin, placeDraft('one', s3.endpoint, 'one'))
    const two = await addPlace(admin, placeDraft('two', s3.endpoint, 'two'))
    const enabledNow = async () =>
      (await admin.get<{ records: { ossCode: string; status: number }[] }>('blade-resource/oss/list')).data.records
        .filter((row) => row.status === 2)
        .map((row) => row.ossCode)
    expect(await enabledNow()).toEqual([])
    expect((await post(admin, 'enable', { id: one })).status).toBe(200)
    const second = (await put(world, admin.token, 'second.png', await png())).data
    expect((await post(admin, 'enable', { id: two })).status).toBe(200)
    expect(await enabledNow()).toEqual(['two'])
    const third = (await put(world, admin.token, 'third.png', await png())).data
    expect((await post(admin, 'enable', { id: '' })).status).toBe(200)
    expect(await enabledNow()).toEqual([])
    const fourth = (await put(world, admin.token, 'fourth.png', await png())).data
    expect(inBucket('one')).toEqual([second.name])
    expect(inBucket('two')).toEqual([third.name])
    const kept = inFolder(admin.tenantId).map((name) => `${admin.tenantId}/${name}`)
    expect(kept).toEqual(expect.arrayContaining([first.name, fourth.name]))
    expect(kept).not.toEqual(expect.arrayContaining([second.name]))
    for (const { link } of [first, second, third, fourth]) {
      const shown = await fetchFile(world, link)
      expect([shown.status, (await sharp(shown.bytes).metadata()).width]).toEqual([200, 8])
    }
    // Two at once: one of them stays, never two and never none.
    const both = await Promise.all([post(admin, 'enable', { id: one }), post(admin, 'enable', { id: two })])
    expect(both.map((answer) => answer.status)).toEqual([200, 200])
    expect(await enabledNow()).toHaveLength(1)
    await post(admin, 'enable', { id: '' })
    for (const id of [one, two]) {
      const refused = await admin.remove('blade-resource/oss', id)
      expect([refused.status, refused.msg]).toEqual([400, '无法删除：其中还有1个文件'])
    }
    const moved = await admin.post<{ field: string }>('blade-resource/oss/submit', { id: one, bucketName: 'two' })
    expect([moved.status, moved.data.field]).toEqual([400, 'bucketName'])
    await admin.remove('blade-resource/attach', second.attachId)
    await vi.waitFor(() => expect(inBucket('one')).toEqual([]))
    await vi.waitFor(async () => expect((await admin.remove('blade-resource/oss', one)).status).toBe(200))
  })

  it('never show their keys, and take a status from nothing but the switch', async () => {
    const person = await world.tenant()
    const id = await addPlace(person, placeDraft('a', s3.endpoint, 'one'))
    const { data } = await person.get('blade-resource/oss/detail', { id })
    expect(data).toMatchObject({ accessKey: '******', secretKey: '******', status: 1 })
    const kept = await world.owner.query('select access_key, secret_key from oss where id = $1', [id])
    for (const sealed of Object.values(kept.rows[0]) as Buffer[]) expect(sealed.includes('S3RVER')).toBe(false)
    expect((await person.post('blade-resource/oss/submit', { ...(data as object), remark: 'x' })).status).toBe(200)
    expect((await tried(person, id)).ok).toBe(1)
    for (const draft of [
      { id, status: 2 },
      { ...placeDraft('b', s3.endpoint, 'one'), status: 2 },
    ])
      expect((await person.post<{ field: string }>('blade-resource/oss/submit', draft)).data.field).toBe('status')
    await post(person, 'enable', { id })
    expect((await person.remove('blade-resource/oss', id)).msg).toBe('无法删除：它正在启用，请先停用')
    expect((await person.post('blade-resource/oss/submit', { id, status: 1 })).status).toBe(400)
    await post(person, 'enable', {})
    expect((await person.remove('blade-resource/oss', id)).status).toBe(200)
  })

  it('say in words what is wrong with them', async () => {
    const person = await world.tenant()
    const id = await addPlace(person, placeDraft('a', s3.endpoint, 'one'))
    const before = inBucket('one').length
    expect(await tried(person, id)).toMatchObject({ ok: 1, message: '写入、读取、删除均正常' })
    expect(await tried(person, id, 'en')).toMatchObject({ ok: 1, message: 'Writing, reading and removing work' })
    expect(inBucket('one').length).toBe(before)
    const told = async (change: Record<string, unknown>): Promise<string> => {
      await person.post('blade-resource/oss/submit', { id, ...change })
      const { ok, message } = await tried(person, id)
      expect(ok).toBe(0)
      return message
    }
    expect(await told({ bucketName: 'nowhere' })).toBe('写入失败：空间（bucket）不存在，请核对空间名和区域')
    expect(await told({ bucketName: 'one', secretKey: 'wrong' })).toBe('写入失败：密钥不正确')
    expect(await told({ secretKey: 'S3RVER', accessKey: 'nobody' })).toBe('写入失败：访问键不正确')
    expect(await told({ endpoint: 'http://127.0.0.1:1' })).toContain('不允许访问 127.0.0.1')
    allow(`${s3.host},127.0.0.1:1`)
    expect(await told({ accessKey: 'S3RVER' })).toContain('无法连接 127.0.0.1:1')
    allow(s3.host)
    const secret = await person.post<{ field: string }>('blade-resource/oss/submit', {
      id,
      endpoint: 'http://a:b@c.cn',
    })
    expect([secret.status, secret.data.field]).toEqual([400, 'endpoint'])
  })

  it('R-PROD-2 lead to nothing inside unless the operator says so, and to nobody else’s place', async () => {
    allow('')
    const person = await world.tenant()
    const id = await addPlace(person, placeDraft('a', s3.endpoint, 'one'))
    expect((await tried(person, id)).message).toContain('OUTBOUND_ALLOW')
    await post(person, 'enable', { id })
    const before = inBucket('one').length
    const refused = await put(world, person.token, 'a.png', await png(), { fails: true })
    expect([refused.status, refused.msg]).toEqual([503, expect.stringContaining('文件存储暂时不可用')])
    expect(refused.msg).not.toContain('127.0.0.1')
    allow(s3.host)
    expect((await put(world, person.token, 'a.png', await png())).status).toBe(200)
    expect(inBucket('one').length).toBe(before + 1)
    const stranger = await world.tenant()
    for (const answer of [await post(stranger, 'enable', { id }), await post(stranger, 'test', { id })])
      expect(answer.status).toBe(404)
    const teacher = await world.colleague(person, ['oss_view'])
    for (const answer of [await post(teacher, 'enable', { id }), await post(teacher, 'test', { id })])
      expect(answer.status).toBe(403)
  })

  it('that are away take no file and lose none: what could not be removed is removed later', async () => {
    const person = await world.tenant()
    const id = await addPlace(person, placeDraft('a', s3.endpoint, 'two'))
    await post(person, 'enable', { id })
    const { data } = await put(world, person.token, 'a.png', await png())
    allow('')
    expect((await fetchFile(world, data.link, { fails: true })).status).toBe(503)
    expect((await person.remove('blade-resource/attach', data.attachId)).status).toBe(200)
    allow(s3.host)
    expect(inBucket('two')).toContain(data.name)
    await vi.waitFor(
      async () => {
        await sweepFiles(world.services)
        expect(inBucket('two')).not.toContain(data.name)
        const { rows } = await world.owner.query('select * from attach_loose where tenant_id = $1', [person.tenantId])
        expect(rows).toEqual([])
      },
      { timeout: 15_000, interval: 200 },
    )
  })
})

describe('files in a bucket', () => {
  it('come in ranges, whole, small, or not at all when nothing has changed', async () => {
    const person = await world.tenant()
    await post(person, 'enable', { id: await addPlace(person, placeDraft('a', s3.endpoint, 'one')) })
    const text = Buffer.from(Array.from({ length: 3_000 }, (_, line) => `第${line}行\n`).join(''))
    const { link, name } = (await put(world, person.token, 'a.txt', text)).data
    const whole = await fetchFile(world, link)
    expect(whole.bytes).toEqual(text)
    const etag = String(whole.headers.etag)
    const part = await fetchFile(world, link, { headers: { range: 'bytes=100-199', 'if-range': etag } })
    expect([part.status, part.headers['content-range'], part.bytes.equals(text.subarray(100, 200))]).toEqual([
      206,
      `bytes 100-199/${text.length}`,
      true,
    ])
    expect((await fetchFile(world, link, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const picture = (await put(world, person.token, 'b.png', await noise(800, 400).png().toBuffer())).data
    const small = await fetchFile(world, `${picture.link}&width=160`)
    expect(small.headers['content-type']).toBe('image/webp')
    expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 160, height: 80 })
    expect(inBucket('one')).toContain(picture.name.replace('.png', '.w160.webp'))
    await person.remove('blade-resource/attach', picture.attachId)
    await vi.waitFor(() => expect(inBucket('one').filter((each) => each.startsWith(person.tenantId))).toEqual([name]))
  })

  it('are the very bytes that were sent: a store that gets others takes none', async () => {
    const person = await world.tenant()
    const id = await addPlace(person, placeDraft('a', s3.endpoint, 'one'))
    const store = await storeOf(world.services, person.tenantId, id)
    const name = `${person.tenantId}/2026/01/x.txt`
    for (const nothing of [store.head(name), store.get(name), store.remove(name)]) expect(await nothing).toBeUndefined()
    await post(person, 'enable', { id })
    const before = inBucket('one').length
    s3.spoil = true
    const spoiled = await put(world, person.token, 'a.txt', Buffer.from('你好'), { fails: true })
    s3.spoil = false
    expect([spoiled.status, inBucket('one').length]).toEqual([503, before])
    expect((await put(world, person.token, 'a.txt', Buffer.from('你好'))).status).toBe(200)
    expect(inBucket('one').length).toBe(before + 1)
  })
})
