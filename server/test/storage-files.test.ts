import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform } from '../src/database/transaction.ts'
import { sweepFiles } from '../src/modules/resource/index.ts'
import { noteLoose } from '../src/modules/resource/storage/loose.ts'
import { fetchFile, latin, multipart, noise, type Put, png, put } from './storage-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  await world.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.close())

const inFolder = (person: Person): string[] => {
  const place = join(world.services.environment.dataDir, 'files', person.tenantId)
  return existsSync(place)
    ? readdirSync(place, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : []
}
const waitingUploads = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('data-brain-upload-'))
const looseOf = async (person: Person): Promise<string[]> =>
  (await world.owner.query('select name from attach_loose where tenant_id = $1', [person.tenantId])).rows.map(
    (row) => row.name,
  )
const remove = (person: Person, ids: string) => person.remove('blade-resource/attach', ids)
const refCount = async (person: Person, id: string): Promise<number> =>
  (await person.get<{ refCount: number }>('blade-resource/attach/detail', { id })).data.refCount
const text = (content: string): Buffer => Buffer.from(content)

describe('files that are alike', () => {
  it('R-RES-2 are kept once for a tenant, and go with the last row that leads to them', async () => {
    const person = await world.tenant()
    const before = inFolder(person).length
    const [first, second, third] = await Promise.all(
      ['a.txt', 'b.txt', 'c.txt'].map(async (name) => (await put(world, person.token, name, text('同样的内容'))).data),
    )
    const names = new Set([first!.name, second!.name, third!.name])
    expect(names.size).toBe(1)
    expect(inFolder(person).length).toBe(before + 1)
    expect(new Set([first!.attachId, second!.attachId, third!.attachId]).size).toBe(3)
    const other = await world.tenant()
    const foreign = (await put(world, other.token, 'a.txt', text('同样的内容'))).data
    expect(names.has(foreign.name)).toBe(false)
    // The last two at once: neither may believe that the other row stays.
    expect((await remove(person, first!.attachId)).status).toBe(200)
    expect((await fetchFile(world, second!.link)).text).toBe('同样的内容')
    const gone = await Promise.all([remove(person, second!.attachId), remove(person, third!.attachId)])
    expect(gone.map((answer) => answer.status)).toEqual([200, 200])
    await vi.waitFor(() => expect(inFolder(person).length).toBe(before))
    await vi.waitFor(async () => expect(await looseOf(person)).toEqual([]))
    expect((await fetchFile(world, foreign.link)).text).toBe('同样的内容')
  })

  it('are kept anew when what is on the disk is no longer what it was', async () => {
    const person = await world.tenant()
    const { data } = await put(world, person.token, 'a.txt', text('原来的内容'))
    const { rm } = await import('node:fs/promises')
    await rm(join(world.services.environment.dataDir, 'files', data.name))
    expect((await fetchFile(world, data.link)).status).toBe(404)
    const again = (await put(world, person.token, 'b.txt', text('原来的内容'))).data
    expect(again.name).not.toBe(data.name)
    expect((await fetchFile(world, again.link)).text).toBe('原来的内容')
  })
})

describe('the quota', () => {
  it('holds when everybody uploads at once, and says how much room there is', async () => {
    const person = await world.tenant()
    await inPlatform(world.services.platform, (tx) =>
      tx.run(sql`update tenant set quota_storage_mb = 1 where tenant_id = ${person.tenantId}`),
    )
    const third = 350_000
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        put(world, person.token, `${index}.txt`, Buffer.alloc(third, 65 + index)),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 400, 400, 400, 400])
    const refused = answers.find((answer) => answer.status === 400)!
    expect(refused.msg).toContain('存储空间不足')
    expect(refused.msg).toContain('额度 1 MB')
    const usage = await person.get('blade-resource/attach/usage')
    expect(usage.data).toEqual({ usedBytes: 2 * third, files: 2, quotaMb: 1, place: null })
    // What is there already takes no more room.
    const twin = answers.findIndex((answer) => answer.status === 200)
    expect((await put(world, person.token, 'twin.txt', Buffer.alloc(third, 65 + twin))).status).toBe(200)
    const kept = answers.filter((answer) => answer.status === 200).map((answer) => answer.data.attachId)
    await remove(person, kept.join(','))
    await vi.waitFor(async () =>
      expect((await put(world, person.token, 'z.txt', Buffer.alloc(third, 48))).status).toBe(200),
    )
    expect(await looseOf(person)).toEqual([])
  })
})

describe('without anybody having said so', () => {
  it('a tenant has a quota', async () => {
    const person = await world.tenant()
    expect((await person.get<{ quotaMb: number }>('blade-resource/attach/usage')).data.quotaMb).toBe(10_240)
  })

  it('R-PERM-2 whoever may save nothing that a file hangs on uploads a picture of themself, and no more', async () => {
    const person = await world.tenant()
    const reader = await world.colleague(person, ['student_view'])
    const picture = await png(64)
    expect((await put(world, reader.token, 'me.png', picture)).status).toBe(200)
    const refused = await put(world, reader.token, 'a.txt', text('内容'))
    expect([refused.status, refused.msg]).toEqual([403, expect.stringContaining('attach_add')])
    const writer = await world.colleague(person, ['student_edit'])
    expect((await put(world, writer.token, 'a.txt', text('内容'))).status).toBe(200)
  })

  it('one person leaves no more lying than forms need', async () => {
    const person = await world.tenant()
    await put(world, person.token, 'a.txt', text('内容'))
    await world.owner.query('update attach set attach_size = 524288000 where tenant_id = $1', [person.tenantId])
    const refused = await put(world, person.token, 'b.txt', text('更多'))
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('尚未使用的文件超过500 MB')])
    const other = await world.colleague(person, ['student_edit'])
    expect((await put(world, other.token, 'b.txt', text('更多'))).status).toBe(200)
  })
})

describe('the sweep', () => {
  const old = (person: Person, ids: readonly string[]) =>
    world.owner.query(
      `update attach set create_time = now() - interval '25 hours' where tenant_id = $1 and id = any($2::bigint[])`,
      [person.tenantId, ids],
    )

  it('takes what nobody has put to use within a day, and nothing else', async () => {
    const person = await world.tenant()
    const names = ['unused', 'young', 'avatar', 'logo', 'bulk']
    const made: Record<string, Put> = {}
    for (const name of names) made[name] = (await put(world, person.token, `${name}.png`, await png())).data
    made.explicit = (await put(world, person.token, 'explicit.png', await png(), { attach: true })).data
    made.image = (await put(world, person.token, 'image.png', await png())).data
    await person.post('blade-user/update-info', { avatar: made.avatar!.link })
    const school = await person.post<{ id: string }>('blade-user/school/submit', {
      schoolCode: '1111999998',
      schoolName: '附件学校',
      schoolType: '11',
      stages: ['1'],
      regionCode: '110105',
      logo: made.logo!.attachId,
    })
    expect(school.status).toBe(200)
    // As a bulk import would: past every rule.
    await world.owner.query('update school set logo = $2 where tenant_id = $1 and id = $3', [
      person.tenantId,
      made.bulk!.attachId,
      school.data.id,
    ])
    const notice = await person.post<{ id: string }>('blade-desk/notice/submit', {
      title: '通知',
      category: '1',
      targetType: '1',
      releaseTime: '2026-01-01 08:00:00',
      content: `<p>图<img src="/api/blade-resource/attach/file?id=${made.image!.attachId}"></p>`,
    })
    expect(notice.msg).toBe('操作成功')
    await old(
      person,
      Object.entries(made).flatMap(([name, { attachId }]) => (name === 'young' ? [] : [attachId])),
    )
    await sweepFiles(world.services)
    const { rows } = await world.owner.query('select original_name from attach where tenant_id = $1 order by 1', [
      person.tenantId,
    ])
    // The logo was put to use; that something else stands there now does not take it away within the day it was used.
    expect(rows.map((row) => row.original_name)).toEqual(
      ['avatar.png', 'bulk.png', 'explicit.png', 'image.png', 'logo.png', 'young.png'].sort(),
    )
    expect(inFolder(person)).toHaveLength(6)
    expect(await refCount(person, made.bulk!.attachId)).toBe(1)
    expect(await refCount(person, made.logo!.attachId)).toBe(0)
    expect(await refCount(person, made.avatar!.attachId)).toBe(1)
    expect(await refCount(person, made.image!.attachId)).toBe(1)
    const uses = await person.get<{ entity: string; count: number; sample: string[] }[]>('blade-resource/attach/uses', {
      id: made.image!.attachId,
    })
    expect(uses.data).toEqual([{ entity: 'notice', label: '通知公告', count: 1, sample: ['通知'] }])
    const blocked = await remove(person, made.image!.attachId)
    expect([blocked.status, blocked.msg]).toEqual([400, '无法删除：正在被使用（通知公告 1）'])
    const list = await person.get<{ records: { id: string; refCount: number }[] }>('blade-resource/attach/list')
    expect(list.data.records.find((row) => row.id === made.avatar!.attachId)?.refCount).toBe(1)
    await person.remove('blade-desk/notice', notice.data.id)
    expect(await refCount(person, made.image!.attachId)).toBe(0)
    expect((await remove(person, made.image!.attachId)).status).toBe(200)
  })

  it('takes the bytes that a killed process has left in a store or on its way there', async () => {
    const person = await world.tenant()
    const { data } = await put(world, person.token, 'kept.txt', text('bleibt'))
    const left = `${person.tenantId}/2026/11/${'0'.repeat(32)}.txt`
    const underWay = `${person.tenantId}/2026/11/${'1'.repeat(32)}.txt`
    const { writeFile } = await import('node:fs/promises')
    const at = (name: string): string => join(world.services.environment.dataDir, 'files', name)
    mkdirSync(join(at(left), '..'), { recursive: true })
    for (const name of [left, underWay]) await writeFile(at(name), 'x')
    await writeFile(`${at(left)}.part`, 'x')
    await world.inTenant(person.tenantId, async (tx) => {
      await noteLoose(tx, person.tenantId, { ossId: null, name: left })
      await noteLoose(tx, person.tenantId, { ossId: null, name: underWay }, { seconds: 60 })
    })
    const dead = join(tmpdir(), 'data-brain-upload-dead01')
    mkdirSync(dead, { recursive: true })
    const yesterday = Date.now() / 1000 - 90_000
    utimesSync(dead, yesterday, yesterday)
    await Promise.all([sweepFiles(world.services), sweepFiles(world.services)])
    expect(existsSync(dead)).toBe(false)
    expect([existsSync(at(left)), existsSync(`${at(left)}.part`), existsSync(at(underWay))]).toEqual([
      false,
      false,
      true,
    ])
    expect(await looseOf(person)).toEqual([underWay])
    expect((await fetchFile(world, data.link)).text).toBe('bleibt')
  })
})

describe('downloads', () => {
  it('answer ranges as clients ask for them, rude ones too', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at & 127).map((at) => 32 + (at % 90)))
    const { link, attachId } = (await put(world, admin.token, 'r.txt', bytes)).data
    const ask = (range: string, more: Record<string, string> = {}) =>
      fetchFile(world, link, { headers: { range, ...more } })
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=990-', 990, 999],
      ['bytes=-5', 995, 999],
      ['bytes=-5000', 0, 999],
      ['bytes=500-99999', 500, 999],
    ] as const) {
      const answer = await ask(range)
      expect([range, answer.status, answer.headers['content-range'], answer.headers['content-length']]).toEqual([
        range,
        206,
        `bytes ${from}-${to}/1000`,
        String(to - from + 1),
      ])
      expect(answer.bytes.equals(bytes.subarray(from, to + 1))).toBe(true)
    }
    for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
      const answer = await ask(range)
      expect([range, answer.status, answer.headers['content-range'], answer.bytes.length]).toEqual([
        range,
        416,
        'bytes */1000',
        0,
      ])
    }
    for (const range of [
      'bytes=5-1',
      'bytes=0-1,5-9',
      'lines=1-2',
      'bytes=-',
      'bytes=a-b',
      `bytes=${'9'.repeat(40)}-`,
    ]) {
      const answer = await ask(range)
      expect([range, answer.status, answer.bytes.length]).toEqual([range, 200, 1_000])
    }
    expect((await ask('bytes=0-9', { 'if-range': '"another"' })).status).toBe(200)
    const { etag } = (await ask('bytes=0-9')).headers as { etag: string }
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
      expect((await fetchFile(world, link, { headers: { 'if-none-match': held } })).status).toBe(304)
    // Whoever may not read it learns nothing from a range or a mark either.
    const stranger = await world.tenant()
    for (const headers of [{ range: 'bytes=0-1' }, { 'if-none-match': etag }] as Record<string, string>[])
      expect(
        (await fetchFile(world, `/api/blade-resource/attach/file?id=${attachId}`, { token: stranger.token, headers }))
          .status,
      ).toBe(404)
  })

  it('of pictures come small, made once, and only in the widths there are', async () => {
    const { link, name, attachId } = (await put(world, admin.token, 'p.jpg', await noise(1_000, 500).jpeg().toBuffer()))
      .data
    for (const width of [160, 320, 640]) {
      const answers = await Promise.all([1, 2, 3].map(() => fetchFile(world, `${link}&width=${width}`)))
      for (const small of answers) {
        expect([small.status, small.headers['content-type']]).toEqual([200, 'image/webp'])
        expect(await sharp(small.bytes).metadata()).toMatchObject({ width, height: width / 2 })
      }
      expect(answers[0]!.bytes.equals(answers[1]!.bytes)).toBe(true)
    }
    const stem = name.split('/').at(-1)!.replace('.jpg', '')
    expect(inFolder(admin).filter((each) => each.startsWith(stem))).toHaveLength(4)
    expect((await fetchFile(world, `${link}&width=1000`)).status).toBe(400)
    const own = await png(8)
    const tiny = (await put(world, admin.token, 'tiny.png', own)).data
    const small = await fetchFile(world, `${tiny.link}&width=640`)
    expect((await sharp(small.bytes).metadata()).width).toBe(8)
    const paper = (await put(world, admin.token, 'a.pdf', latin('%PDF-1.7'))).data
    expect((await fetchFile(world, `${paper.link}&width=160`)).headers['content-type']).toBe('application/pdf')
    await remove(admin, attachId)
    await vi.waitFor(() => expect(inFolder(admin).filter((each) => each.startsWith(stem))).toEqual([]))
  })
})

describe('uploads that break off', () => {
  it('200 of them leave no file, no row and no note behind', async () => {
    const person = await world.tenant()
    const waiting = waitingUploads().length
    const { port } = world.http.server.address() as { port: number }
    const whole = multipart('cut.txt', Buffer.alloc(120_000, 65))
    const cut = (keep: number): Promise<void> =>
      new Promise((done) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(
            `POST /api/blade-resource/oss/endpoint/put-file HTTP/1.1\r\nHost: x\r\nBlade-Auth: bearer ${person.token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${whole.length}\r\n\r\n`,
          )
          socket.write(whole.subarray(0, keep), () => setTimeout(() => socket.destroy(), 15))
        })
        socket.on('error', () => {})
        socket.on('close', () => done())
      })
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, index) => cut(500 + (((round * 20 + index) * 599) % 119_000))))
    await vi.waitFor(() => expect(waitingUploads().length).toBeLessThanOrEqual(waiting), { timeout: 10_000 })
    expect(inFolder(person)).toEqual([])
    expect(await looseOf(person)).toEqual([])
    const { rows } = await world.owner.query('select 1 from attach where tenant_id = $1', [person.tenantId])
    expect(rows).toEqual([])
    // Whoever broke off has given up the turn soon after.
    await vi.waitFor(
      async () => expect((await put(world, person.token, 'whole.txt', Buffer.alloc(120_000, 65))).status).toBe(200),
      { timeout: 10_000 },
    )
  })
})

describe('two kinds of uploads', () => {
  it('need the right of attachments to stay', async () => {
    const teacher = await world.colleague(admin, [])
    expect((await put(world, teacher.token, 'a.png', await png())).status).toBe(200)
    expect((await put(world, teacher.token, 'a.png', await png(), { attach: true })).status).toBe(403)
    const clerk = await world.colleague(admin, ['attach_add'])
    const made = await put(world, clerk.token, 'a.png', await png(), { attach: true })
    expect([made.status, made.data.attachId.length > 10]).toEqual([200, true])
    for (const call of ['uses?id=1', 'usage'])
      expect((await clerk.get(`blade-resource/attach/${call}`)).status).toBe(403)
  })
})
