import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signedLink } from '../src/modules/resource/sign.ts'
import { fetchFile as fetchOf, latin, png as newPng, noise, type Put, put as putOf, zip } from './storage-parts.ts'
import { type Answer, makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let stranger: Person
let files: string
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  files = join(world.services.environment.dataDir, 'files')
})
afterAll(() => world.close())

const png = await newPng()
/** A photo as a telephone takes it: lying on its side, and telling where. */
const jpg = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
  .withExif({
    IFD0: { ImageDescription: 'taken at home' },
    IFD3: { GPSLatitude: '31/1 13/1 49/1', GPSLatitudeRef: 'N' },
  })
  .withMetadata({ orientation: 6 })
  .jpeg()
  .toBuffer()
const docx = zip(['[Content_Types].xml', 'word/document.xml'])

const put = (name: string, bytes: Buffer, token: string | null = admin.token): Promise<Answer<Put>> =>
  putOf(world, token, name, bytes)
const fetchFile = (url: string, token?: string) => fetchOf(world, url, token ? { token } : {})
const plain = (id: string): string => `/api/blade-resource/attach/file?id=${id}`
const stored = (): string[] =>
  existsSync(join(files, admin.tenantId))
    ? readdirSync(join(files, admin.tenantId), { recursive: true })
        .map(String)
        .filter((name) => name.includes('.'))
    : []

describe('uploads', () => {
  it('are stored under a name of ours and shown by a signed address, without a header', async () => {
    const { status, data } = await put('全家福 (1).PNG', png)
    expect(status).toBe(200)
    expect(data).toEqual({
      link: expect.stringContaining(`${plain(data.attachId)}&tenant=${admin.tenantId}&session=`),
      domain: '',
      name: expect.stringMatching(new RegExp(`^${admin.tenantId}/\\d{4}/\\d\\d/[0-9a-f]{32}\\.png$`)),
      originalName: '全家福 (1).PNG',
      attachId: data.attachId,
    })
    expect(existsSync(join(files, data.name))).toBe(true)
    const shown = await fetchFile(data.link)
    expect(shown.status).toBe(200)
    expect(shown.bytes).toEqual(readFileSync(join(files, data.name)))
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
      'content-disposition': `inline; filename="___ (1).PNG"; filename*=UTF-8''${encodeURIComponent('全家福 ')}%281%29.PNG`,
    })
    const row = await admin.get('blade-resource/attach/detail', { id: data.attachId })
    expect(row.data).toMatchObject({
      originalName: '全家福 (1).PNG',
      extension: 'png',
      attachSize: shown.bytes.length,
      refCount: 0,
    })
  })

  it('lose what a photo tells beside itself, and stand upright', async () => {
    expect((await sharp(jpg).metadata()).exif).toBeDefined()
    const sent = Buffer.concat([jpg, latin('trailing secrets')])
    const { data } = await put('phone.jpeg', sent)
    const { bytes, text } = await fetchFile(data.link)
    expect(text).not.toMatch(/Exif|taken at home|trailing secrets/)
    const { exif, xmp, iptc, orientation, width, height, format } = await sharp(bytes).metadata()
    expect({ exif, xmp, iptc, orientation, width, height, format }).toEqual({ width: 20, height: 40, format: 'jpeg' })
    const named = await sharp(png)
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .png()
      .toBuffer()
    const picture = await fetchFile((await put('a.png', named)).data.link)
    expect(named.includes('Somebody') || named.includes(latin('eXIf'))).toBe(true)
    expect(picture.text).not.toMatch(/Somebody|eXIf/)
    expect(await sharp(picture.bytes).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer())
  })

  it.each([
    ['report.pdf', latin('%PDF-1.7\n'), 'application/pdf'],
    ['report.docx', docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['names.csv', Buffer.from('姓名，学号\r\n王小明，1\r\n'), 'text/csv; charset=utf-8'],
    ['all.zip', zip(['a.txt']), 'application/zip'],
  ])('are handed back for saving when they are no picture: %s', async (name, bytes, type) => {
    const { status, data } = await put(name, bytes)
    expect(status).toBe(200)
    const saved = await fetchFile(data.link)
    expect(saved.bytes).toEqual(bytes)
    expect(saved.headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    })
  })

  it('are refused when they are not what they are called, and leave nothing behind', async () => {
    const before = stored().length
    const rows = (await admin.get<{ total: number }>('blade-resource/attach/list')).data.total
    for (const [name, bytes] of [
      ['a.svg', latin('<svg onload=alert(1)>')],
      ['a.html', latin('<script>')],
      ['a.exe', latin('MZ')],
      ['noname', png],
      ['a.png.exe', png],
      ['a.png', latin('<script>alert(1)</script>')],
      ['a.jpg', png],
      ['a.png', latin('\x89PNG\r\n\x1a\n')],
      ['a.png', png.subarray(0, png.length - 20)],
      [
        'a.png',
        await sharp({ create: { width: 5_001, height: 5_000, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ],
      ['a.docx', zip(['a.txt'])],
      ['a.docx', zip(['[Content_Types].xml', 'word/vbaProject.bin'])],
      ['a.xlsx', docx],
      ['a.zip', latin('PK\x03\x04broken')],
      ['a.txt', Buffer.from([0, 1, 2])],
      ['empty.txt', Buffer.alloc(0)],
    ] as const) {
      const answer = await put(name, bytes)
      expect([answer.status, (answer.data as unknown as { field: string }).field], name).toEqual([400, 'file'])
    }
    expect((await put('big.txt', Buffer.alloc(10 * 1_048_576 + 1, 65))).status).toBe(413)
    expect((await put('a.png', png, null)).status).toBe(401)
    expect((await world.call('POST', 'blade-resource/oss/endpoint/put-file', admin.token, { body: {} })).status).toBe(
      415,
    )
    expect(stored().length).toBe(before)
    expect((await admin.get<{ total: number }>('blade-resource/attach/list')).data.total).toBe(rows)
  })

  it('never take a path or a header from the client’s name', async () => {
    const { data } = await put('..\\..\\etc/pass\u202ewd.png', png)
    expect(data.originalName).toBe('passwd.png')
    expect(data.name).not.toContain('pass')
    expect(
      (await admin.post('blade-resource/attach/submit', { id: data.attachId, originalName: 'x.png"; y="z.png' }))
        .status,
    ).toBe(200)
    expect((await fetchFile(data.link)).headers['content-disposition']).toBe(
      `inline; filename="x.png_; y=_z.png"; filename*=UTF-8''x.png%22%3B%20y%3D%22z.png`,
    )
    expect(
      (await admin.post('blade-resource/attach/submit', { id: data.attachId, originalName: 'x.html' })).status,
    ).toBe(400)
    expect((await admin.post('blade-resource/attach/submit', { originalName: 'x.png' })).status).toBe(400)
    for (const field of ['name', 'link', 'extension', 'sha256']) {
      await admin.post('blade-resource/attach/submit', { id: data.attachId, [field]: '../../secrets.json' })
      expect((await fetchFile(data.link)).bytes, field).toEqual(readFileSync(join(files, data.name)))
    }
  })

  it('R-PROD-2 are read by nobody with a forged, stale or foreign address', async () => {
    const { data } = await put('a.png', png)
    const url = new URL(data.link, 'http://x')
    const wrong = (name: string, value: string): string => {
      const other = new URL(url)
      other.searchParams.set(name, value)
      return other.pathname + other.search
    }
    const other = (await put('b.png', png, stranger.token)).data
    const mine = { tenantId: admin.tenantId, sessionId: url.searchParams.get('session') }
    const colleague = await world.colleague(admin, [])
    const theirs = new URL((await put('c.png', png, colleague.token)).data.link, 'http://x')
    for (const link of [
      wrong('id', other.attachId),
      wrong('tenant', stranger.tenantId),
      wrong('expires', String(Number(url.searchParams.get('expires')) + 300)),
      wrong('sign', 'x'),
      wrong('session', theirs.searchParams.get('session')!),
      data.link.replace(/&session=\d+/, ''),
      wrong('sign', `${url.searchParams.get('sign')}x`),
      signedLink(world.services, mine, data.attachId, Date.now() - 3_600_000),
      signedLink(world.services, { ...mine, tenantId: stranger.tenantId }, data.attachId),
      signedLink(world.services, mine, '7'),
    ])
      expect((await fetchFile(link)).status, link).toBe(404)
    expect((await fetchFile(plain(data.attachId))).status).toBe(401)
    expect((await fetchFile(plain(data.attachId), stranger.token)).status).toBe(404)
    expect((await fetchFile(plain('x'), admin.token)).status).toBe(400)
    expect((await fetchFile(plain(data.attachId), admin.token)).status).toBe(200)
    const soon = signedLink(world.services, mine, data.attachId, 1_000_000_000_000)
    expect(signedLink(world.services, mine, data.attachId, 1_000_000_099_000)).toBe(soon)
  })

  it('R-PERM-2 are opened to those who may view what they hang on', async () => {
    const teacher = await world.colleague(admin, [])
    const own = (await put('own.png', png, teacher.token)).data
    const { data } = await put('photo.png', png)
    const links = async (person: Person) =>
      Object.keys(
        (
          await person.get<Record<string, string>>('blade-resource/attach/link', {
            ids: `${own.attachId},${data.attachId},7`,
          })
        ).data,
      ).sort()
    expect(await links(teacher)).toEqual([own.attachId])
    expect((await fetchFile(plain(data.attachId), teacher.token)).status).toBe(404)
    expect(await links(admin)).toEqual([own.attachId, data.attachId].sort())
    expect(await links(stranger)).toEqual([])
    await admin.post('blade-user/update-info', { avatar: data.link })
    expect(await links(teacher)).toEqual([own.attachId, data.attachId].sort())
    const fresh = (await teacher.get<Record<string, string>>('blade-resource/attach/link', { ids: data.attachId }))
      .data[data.attachId]!
    expect((await fetchFile(fresh)).status).toBe(200)
  })
})

describe('files and notices', () => {
  it('R-PERM-2 R-NOTICE-1 a notice opens no file of others, however its text names one', async () => {
    const author = await world.colleague(admin, ['notice_view', 'notice_add', 'notice_edit'])
    const { data: foreign } = await put('of-others.png', await newPng())
    const { data: own } = await put('own.png', await newPng(), author.token)
    const file = plain(foreign.attachId)
    const write = (content: string, more: object = {}) =>
      author.post<{ id: string; field?: string }>('blade-desk/notice/submit', {
        ...{ title: '通知', category: '1', content, releaseTime: '2026-09-01 08:00:00', targetType: '1', ...more },
      })
    const shut = async (): Promise<void> => {
      expect((await author.get('blade-resource/attach/link', { ids: foreign.attachId })).data).toEqual({})
      expect((await fetchFile(file, author.token)).status).toBe(404)
    }
    for (const text of [
      `<p><a href="${file}">x</a></p>`,
      `<p><a href="http://localhost${file}">x</a></p>`,
      `<p>${file}</p>`,
      `<p><img alt="${file}" src="${plain(own.attachId)}"></p>`,
      `<p>&lt;img src="${file}" /&gt;</p>`,
      `<p><code>&lt;img src=&quot;${file}&quot;&gt;</code></p>`,
    ]) {
      const made = await write(text)
      expect(made.msg, text).toBe('操作成功')
      await shut()
    }
    for (const given of [
      write(`<p><img src="${file}"></p>`),
      write(`<p><img src="${foreign.link}"></p>`),
      write('<p>x</p>', { attachIds: [foreign.attachId] }),
    ])
      expect([(await given).status, (await given).msg]).toEqual([400, expect.stringContaining('不是您上传的文件')])
    await shut()
    // Whoever may view attachments may show them, and its readers see the picture then.
    const editor = await world.colleague(admin, ['notice_view', 'notice_add', 'attach_view'])
    const shown = await editor.post('blade-desk/notice/submit', {
      ...{
        title: '通知',
        category: '1',
        content: `<img src="${file}">`,
        releaseTime: '2026-09-01 08:00:00',
        targetType: '1',
      },
    })
    expect(shown.msg).toBe('操作成功')
    expect(
      Object.keys((await author.get<object>('blade-resource/attach/link', { ids: foreign.attachId })).data),
    ).toEqual([foreign.attachId])
  })

  it('R-AUTH-7 an address with leave ends with the session that it was given to', async () => {
    const person = await world.colleague(admin, [])
    const { data } = await put('mine.png', await newPng(), person.token)
    expect((await fetchFile(data.link)).status).toBe(200)
    expect(new URL(data.link, 'http://x').searchParams.get('session')).toMatch(/^[0-9]+$/)
    const other = (await admin.get<Record<string, string>>('blade-resource/attach/link', { ids: data.attachId })).data
    expect((await person.get('blade-auth/oauth/logout')).status).toBe(200)
    expect((await fetchFile(data.link)).status).toBe(404)
    expect((await fetchFile(other[data.attachId]!)).status).toBe(200)
    const gone = await world.colleague(admin, [])
    const { data: theirs } = await put('theirs.png', await newPng(), gone.token)
    await world.owner.query('update app_user set status = 0 where id = $1', [gone.userId])
    expect((await fetchFile(theirs.link)).status).toBe(404)
  })
})

describe('attachments in use', () => {
  it('R-INFO-1 an avatar is a jpg or png of at most 500 kB, kept without its leave and answered with a fresh one', async () => {
    // Whoever may save nothing that a file hangs on could bring no pdf at all.
    const teacher = await world.colleague(admin, ['user_view', 'student_edit'])
    const { data } = await put('face.png', await newPng(), teacher.token)
    const saved = await teacher.post<{ avatar: string }>('blade-user/update-info', { avatar: data.link })
    expect(saved.data.avatar).toContain('&sign=')
    const kept = await world.owner.query('select avatar from app_user where id = $1', [teacher.userId])
    expect(kept.rows[0].avatar).toBe(plain(data.attachId))
    for (const call of ['info', `detail?id=${teacher.userId}`]) {
      const { avatar } = (await teacher.get<{ avatar: string }>(`blade-user/${call}`)).data
      expect((await fetchFile(avatar)).status).toBe(200)
    }
    const paper = (await put('a.pdf', latin('%PDF-1.7'), teacher.token)).data
    const large = (await put('big.png', await noise(450).png().toBuffer(), teacher.token)).data
    const foreign = (await put('face.png', png, stranger.token)).data
    for (const link of [paper.link, large.link, foreign.link, plain('7')]) {
      const answer = await teacher.post<{ field: string }>('blade-user/update-info', { avatar: link })
      expect([answer.status, answer.data.field], link).toEqual([400, 'avatar'])
    }
    const blocked = await admin.post('blade-resource/attach/remove', undefined, { query: { ids: data.attachId } })
    expect(blocked.status).toBe(400)
    expect(existsSync(join(files, data.name))).toBe(true)
  })

  it('R-PERM-2 are not read by pointing at somebody else’s: an avatar or a photo is an own upload', async () => {
    const clerk = await world.colleague(admin, ['user_view', 'user_edit', 'school_view', 'school_edit'])
    const foreign = (await put('secret.png', await newPng())).data
    const own = (await put('mine.png', await newPng(), clerk.token)).data
    const refused = await clerk.post<{ field: string }>('blade-user/update-info', { avatar: plain(foreign.attachId) })
    expect([refused.status, refused.data.field, refused.msg]).toEqual([400, 'avatar', '头像：含有不是您上传的文件'])
    const { data: school } = await admin.post<{ id: string }>('blade-user/school/submit', {
      schoolCode: '1111999998',
      schoolName: '校徽学校',
      schoolType: '11',
      stages: ['1'],
      regionCode: '110105',
    })
    const logo = (person: Person, id: string) =>
      person.post<{ field: string }>('blade-user/school/submit', { id: school.id, logo: id })
    expect((await logo(clerk, foreign.attachId)).data.field).toBe('logo')
    const many = await clerk.post<{ changed: number }>(
      'blade-user/school/bulk',
      { values: { logo: foreign.attachId } },
      { query: { ids: school.id } },
    )
    expect(many.data.changed).toBe(0)
    expect((await fetchFile(plain(foreign.attachId), clerk.token)).status).toBe(404)
    expect((await logo(clerk, own.attachId)).status).toBe(200)
    // Who may view attachments shows any, and what is shown stays when somebody else saves the row.
    expect((await logo(admin, foreign.attachId)).status).toBe(200)
    const saved = await clerk.post('blade-user/school/submit', {
      id: school.id,
      logo: foreign.attachId,
      schoolName: '校徽二校',
    })
    expect(saved.status, saved.msg).toBe(200)
    // Taken back, the earlier picture is there again, whoever it is from.
    expect((await logo(clerk, own.attachId)).status).toBe(200)
    const entries = (await clerk.get<{ id: string }[]>('blade-user/school/history', { id: school.id })).data
    const restored = await clerk.post<{ logo: string }>('blade-user/school/restore', undefined, {
      query: { id: school.id, historyId: entries[1]!.id },
    })
    expect([restored.status, restored.data.logo]).toEqual([200, foreign.attachId])
  })

  it('R-SCHOOL-20 count who uses them, stay while they are used, and take their file along when they go', async () => {
    const { data } = await put('logo.png', await newPng())
    const paper = (await put('a.pdf', latin('%PDF-1.7'))).data
    const draft = {
      schoolCode: '1111999999',
      schoolName: '附件学校',
      schoolType: '11',
      stages: ['1'],
      regionCode: '110105',
    }
    expect(
      (await admin.post<{ field: string }>('blade-user/school/submit', { ...draft, logo: paper.attachId })).data.field,
    ).toBe('logo')
    const school = await admin.post<{ id: string }>('blade-user/school/submit', { ...draft, logo: data.attachId })
    expect(school.status).toBe(200)
    const count = async () =>
      (await admin.get<{ refCount: number }>('blade-resource/attach/detail', { id: data.attachId })).data.refCount
    expect(await count()).toBe(1)
    const remove = (person: Person, ids: string) =>
      person.post<{ blockers: { entity: string }[] }>('blade-resource/attach/remove', undefined, { query: { ids } })
    const blocked = await remove(admin, data.attachId)
    expect([blocked.status, blocked.data.blockers[0]?.entity]).toEqual([400, 'school'])
    const viewer = await world.colleague(admin, ['school_view'])
    expect(
      Object.keys(
        (await viewer.get<object>('blade-resource/attach/link', { ids: `${data.attachId},${paper.attachId}` })).data,
      ),
    ).toEqual([data.attachId])
    expect((await remove(viewer, data.attachId)).status).toBe(403)
    expect((await remove(stranger, data.attachId)).status).toBe(404)
    await admin.post('blade-user/school/submit', { id: school.data.id, logo: null })
    expect(await count()).toBe(0)
    expect((await remove(admin, `${data.attachId},7`)).status).toBe(404)
    expect(existsSync(join(files, data.name))).toBe(true)
    expect((await remove(admin, data.attachId)).status).toBe(200)
    await vi.waitFor(() => expect(existsSync(join(files, data.name))).toBe(false))
    expect((await fetchFile(data.link)).status).toBe(404)
  })
})
