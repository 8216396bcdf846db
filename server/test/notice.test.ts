import { schoolclass } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { release } from '../src/modules/desk/schedule.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** R-NOTICE-1…n: writing, publishing and reading notices. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

interface Head {
  id: string
  title: string
  readAt: string | null
}
interface Page<T> {
  total: number
  records: T[]
}

const draft = (more: object = {}) => ({
  title: '停课通知',
  category: '1',
  releaseTime: '2026-01-01 08:00:00',
  content: '<p>明天停课</p>',
  ...more,
})
const path = 'blade-desk/notice'
const mine = (who: Person, query = {}) => who.get<Page<Head>>(`${path}/noticeListByTenantIdAndClient`, query)
const titles = async (who: Person) => (await mine(who)).data.records.map((each) => each.title)
const unread = async (who: Person) => (await who.get<{ notices: number; messages: number }>(`${path}/unread`)).data

async function made(admin: Person, more: object = {}): Promise<Row> {
  const answer = await admin.post<Row>(`${path}/submit`, draft(more))
  expect(answer.status, answer.msg).toBe(200)
  return answer.data
}
async function published(admin: Person, more: object = {}): Promise<Row> {
  const row = await made(admin, more)
  const answer = await admin.post(`${path}/publish`, undefined, { query: { ids: row.id } })
  expect(answer.status, answer.msg).toBe(200)
  return row
}

/** An instant on the wire, so many seconds from now. */
const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

describe('R-NOTICE-1 a notice', () => {
  it('is stored as the server cleaned it, however its signs are written', async () => {
    const admin = await world.tenant()
    const answer = await world.http.inject({
      method: 'POST',
      url: `/api/${path}/submit`,
      headers: { 'content-type': 'application/json', 'blade-auth': `bearer ${admin.token}` },
      payload: `{"title":"\\u003cb\\u003e","category":"1","releaseTime":"2026-01-01 08:00:00","content":"\\u003cp\\u003eok\\u003c/p\\u003e\\u003cimg src=x onerror=alert(1)\\u003e"}`,
    })
    const row = (answer.json() as { data: Row }).data
    expect(row.content).toBe('<p>ok</p>')
    const { rows } = await world.owner.query('select content from notice where id = $1', [row.id])
    expect(rows[0].content).toBe('<p>ok</p>')
    const edited = await admin.post<Row>(`${path}/submit`, { id: row.id, content: '<p>ok</p><script>1</script><svg>' })
    expect(edited.data).toMatchObject({ content: '<p>ok</p>', version: row.version })
    const blank = await admin.post<{ field: string }>(`${path}/submit`, draft({ content: '<script>1</script>' }))
    expect([blank.status, blank.data.field]).toEqual([400, 'content'])
    const long = await admin.post(`${path}/submit`, draft({ content: `<p>${'长'.repeat(30_000)}</p>` }))
    expect(long.status).toBe(400)
  })

  it('names as targets only what is there in the tenant', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const role = async (who: Person) =>
      (await who.post<Row>('blade-system/role/submit', { roleName: '甲', roleAlias: 'a', sort: 1 })).data.id
    const [own, foreign] = [await role(admin), await role(other)]
    const status = async (more: object) => (await admin.post(`${path}/submit`, draft(more))).status
    expect(await status({ targetType: '3', targetIds: [own] })).toBe(200)
    expect(await status({ targetType: '3', targetIds: [own, foreign] })).toBe(400)
    expect(await status({ targetType: '2', targetIds: [own] })).toBe(400)
    expect(await status({ targetType: '3' })).toBe(400)
    expect(await status({ targetType: '3', targetIds: { length: 1 } })).toBe(400)
    expect(await status({ targetType: '3', targetIds: ["1' or '1'='1"] })).toBe(400)
    for (const targetType of ['9', '__proto__', 'constructor'])
      expect(await status({ targetType, targetIds: [own] }), targetType).toBe(400)
    expect((await made(admin, { targetType: '1', targetIds: [own] })).targetIds ?? null).toBeNull()
    expect(await status({ clientIds: 'no-such-client' })).toBe(400)
    expect(await status({ releaseTime: '2026-01-02 00:00:00', expireTime: '2026-01-01 00:00:00' })).toBe(400)
  })

  it('shows files of its author alone', async () => {
    const admin = await world.tenant()
    const author = await world.colleague(admin, ['notice_add', 'notice_view'])
    const upload = async (who: Person) => {
      const boundary = 'b0undary'
      const text = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`
      const answer = await world.http.inject({
        method: 'POST',
        url: '/api/blade-resource/oss/endpoint/put-file',
        headers: { 'blade-auth': `bearer ${who.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
        payload: text,
      })
      return (answer.json() as { data: { attachId: string; link: string } }).data
    }
    const [own, foreign] = [await upload(author), await upload(admin)]
    const post = (more: object) => author.post<Row>(`${path}/submit`, draft(more))
    expect((await post({ content: `<p>x</p><img src="${foreign.link}">` })).status).toBe(400)
    expect((await post({ attachIds: [foreign.attachId] })).status).toBe(400)
    const row = await post({ content: `<p>x</p><img src="${own.link}">`, attachIds: [own.attachId] })
    expect(row.status, row.msg).toBe(200)
    expect(row.data.content).toBe(`<p>x</p><img src="/api/blade-resource/attach/file?id=${own.attachId}" alt="" />`)
    await admin.post(`${path}/publish`, undefined, { query: { ids: row.data.id } })
    const reader = await world.colleague(admin, [])
    const read = await reader.get<{ content: string; attachments: { link: string }[] }>(`${path}/read`, {
      id: row.data.id,
    })
    const src = /<img src="([^"]+)"/.exec(read.data.content)![1]!.replaceAll('&amp;', '&')
    for (const link of [src, read.data.attachments[0]!.link]) {
      const file = await world.http.inject({ method: 'GET', url: link })
      expect([file.statusCode, file.payload]).toEqual([200, 'hello'])
    }
  })
})

describe('R-NOTICE-2 publishing', () => {
  it('changes the state; a save does not', async () => {
    const admin = await world.tenant()
    const reader = await world.colleague(admin, [])
    const row = await made(admin)
    expect(row.status).toBe(0)
    expect((await admin.post(`${path}/submit`, draft({ status: 2 }))).status).toBe(400)
    expect((await admin.post(`${path}/submit`, { id: row.id, status: 2 })).status).toBe(400)
    expect((await admin.post(`${path}/submit`, { id: row.id, status: 0, title: '改' })).status).toBe(200)
    expect(await titles(reader)).toEqual([])
    const answer = await admin.post<{ status: number }[]>(`${path}/publish`, undefined, { query: { ids: row.id } })
    expect(answer.data[0]!.status).toBe(2)
    expect(await titles(reader)).toEqual(['改'])
    // What is out stays as it was read, and cannot vanish.
    expect((await admin.post(`${path}/submit`, { id: row.id, title: '再改' })).status).toBe(400)
    expect((await admin.remove(path, row.id)).status).toBe(400)
    expect((await admin.post(`${path}/publish`, undefined, { query: { ids: row.id } })).status).toBe(400)
    expect((await admin.post(`${path}/withdraw`, undefined, { query: { ids: row.id } })).status).toBe(200)
    expect(await titles(reader)).toEqual([])
    expect((await reader.get(`${path}/read`, { id: row.id })).status).toBe(404)
    expect((await admin.post(`${path}/submit`, { id: row.id, title: '再改' })).status).toBe(200)
    expect((await admin.remove(path, row.id)).status).toBe(200)
    const history = await world.owner.query(`select action from history where row_id = $1 order by id`, [row.id])
    expect(history.rows.map((each) => each.action)).toEqual(['add', 'edit', 'edit', 'edit', 'edit', 'delete'])
  })

  it('needs its code, for every one that is named', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const editor = await world.colleague(admin, ['notice_view', 'notice_add', 'notice_edit'])
    const [row, foreign] = [await made(admin), await made(other)]
    const publish = async (who: Person, ids: string) =>
      (await who.post(`${path}/publish`, undefined, { query: { ids } })).status
    expect(await publish(editor, row.id)).toBe(403)
    expect(await publish(admin, `${row.id},${foreign.id}`)).toBe(404)
    expect((await admin.get<Row>(`${path}/detail`, { id: row.id })).data.status).toBe(0)
  })

  it('at a time to come is seen when it has come, and expires', async () => {
    const admin = await world.tenant()
    const reader = await world.colleague(admin, [])
    const row = await made(admin, { releaseTime: inSeconds(2), expireTime: inSeconds(4) })
    const answer = await admin.post<{ status: number }[]>(`${path}/publish`, undefined, { query: { ids: row.id } })
    expect([answer.status, answer.msg]).toEqual([200, expect.any(String)])
    expect(answer.data[0]!.status).toBe(1)
    expect(await titles(reader)).toEqual([])
    expect(await release(world.services, admin.tenantId)).toBe(0)
    await expect.poll(() => titles(reader), { timeout: 4_000, interval: 100 }).toEqual(['停课通知'])
    expect(await release(world.services, admin.tenantId)).toBe(1)
    expect(await release(world.services, admin.tenantId)).toBe(0)
    expect((await admin.get<Row>(`${path}/detail`, { id: row.id })).data.status).toBe(2)
    await expect.poll(() => titles(reader), { timeout: 4_000, interval: 100 }).toEqual([])
    const late = await made(admin, { releaseTime: '2026-01-01 00:00:00', expireTime: '2026-01-02 00:00:00' })
    expect((await admin.post(`${path}/publish`, undefined, { query: { ids: late.id } })).status).toBe(400)
  })
})

describe('R-NOTICE-3 readers', () => {
  it('see what is for their departments, roles, schools and grades, whatever their data scopes', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    const one = async (statement: string, ...values: unknown[]) =>
      (await world.owner.query<{ id: string }>(statement, values)).rows[0]!.id
    const add = async (where: string, body: object) => {
      const answer = await admin.post<Row>(`${where}/submit`, body)
      expect(answer.status, answer.msg).toBe(200)
      return answer.data.id
    }
    const { draft: classDraft, made: rows } = await sample(admin, schoolclass)
    const [grade, school] = [rows.get('sysgrade')!, rows.get('school')!]
    const top = await add('blade-system/dept', { deptName: '教育局', deptCategory: '1', schoolId: school })
    const below = await add('blade-system/dept', { deptName: '小学部', deptCategory: '3', parentId: top })
    const aside = await add('blade-system/dept', { deptName: '别处', deptCategory: '3' })
    const person = async (deptId: string) => {
      const who = await world.colleague(admin, [])
      await world.inTenant(tenantId, (tx) =>
        tx.run(
          sql`insert into app_user_dept (tenant_id, owner_id, target_id, ord) values (${tenantId}, ${who.userId}, ${deptId}, 1)`,
        ),
      )
      return who
    }
    const [within, outside] = [await person(below), await person(aside)]
    const role = await one(
      `select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2`,
      tenantId,
      outside.userId,
    )
    await published(admin, { title: '部门', targetType: '2', targetIds: [top] })
    await published(admin, { title: '角色', targetType: '3', targetIds: [role] })
    await published(admin, { title: '学校', targetType: '4', targetIds: [school] })
    await published(admin, { title: '年级', targetType: '5', targetIds: [grade] })
    const platform = await world.platform()
    const kiosk = { clientId: 'kiosk-of-notices', clientGroup: '3' }
    expect((await platform.post('blade-system/client/submit', kiosk)).status).toBe(200)
    const elsewhere = await published(admin, { title: '客户端', clientIds: kiosk.clientId })
    await published(admin, { title: '全部', isTop: 1 })
    expect((await titles(within)).sort()).toEqual(['全部', '学校', '部门'].sort())
    expect((await within.get(`${path}/read`, { id: elsewhere.id })).status).toBe(404)
    expect((await titles(outside)).sort()).toEqual(['全部', '角色'].sort())
    expect((await titles(within))[0]).toBe('全部')
    expect(await unread(within)).toEqual({ notices: 3, messages: 0 })
    // A class to head makes a teacher of the grade.
    await add('blade-user/schoolclass', { ...classDraft, headTeacherId: outside.userId })
    expect((await titles(outside)).sort()).toEqual(['全部', '角色', '年级'].sort())
  })

  it('see nothing of another tenant', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const row = await published(admin)
    expect(await titles(other)).toEqual([])
    const told = async (id: string) => {
      const { status, msg } = await other.get(`${path}/read`, { id })
      return [status, msg]
    }
    expect(await told(row.id)).toEqual(await told('7'))
    expect(await told(row.id)).toEqual([404, expect.any(String)])
    expect((await other.get(`${path}/receipts`, { id: row.id })).status).toBe(404)
  })

  it('leave a receipt, once, and those who have not are named', async () => {
    const admin = await world.tenant()
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const row = await published(admin, { needRead: 1 })
    const second = await published(admin, { title: '第二条' })
    expect(await unread(ann)).toEqual({ notices: 2, messages: 0 })
    const read = await ann.get<{ content: string; readAt: string }>(`${path}/read`, { id: row.id })
    expect(read.data.content).toBe('<p>明天停课</p>')
    expect(read.data.readAt).toMatch(/^\d{4}-/)
    const again = await ann.get<{ readAt: string }>(`${path}/read`, { id: row.id })
    expect(again.data.readAt).toBe(read.data.readAt)
    expect(await unread(ann)).toEqual({ notices: 1, messages: 0 })
    expect((await mine(ann, { unread: 1 })).data.records.map((each) => each.id)).toEqual([second.id])
    interface Receipts extends Page<{ userId: string; readAt: string | null }> {
      read: number
      unread: number
    }
    const receipts = async (query = {}) =>
      (await admin.get<Receipts>(`${path}/receipts`, { id: row.id, ...query })).data
    expect(await receipts()).toMatchObject({ read: 1, unread: 2, total: 3 })
    expect((await receipts({ read: 1 })).records.map((each) => each.userId)).toEqual([ann.userId])
    expect((await receipts({ read: 0 })).records.map((each) => each.userId).sort()).toEqual(
      [admin.userId, bob.userId].sort(),
    )
    expect((await ann.get(`${path}/receipts`, { id: row.id })).status).toBe(403)
    expect((await ann.post(`${path}/read-all`)).status).toBe(200)
    expect(await unread(ann)).toEqual({ notices: 0, messages: 0 })
    expect(await unread(bob)).toEqual({ notices: 2, messages: 0 })
    // Published anew it is new to everybody.
    await admin.post(`${path}/withdraw`, undefined, { query: { ids: row.id } })
    await admin.post(`${path}/publish`, undefined, { query: { ids: row.id } })
    expect(await unread(ann)).toEqual({ notices: 1, messages: 0 })
  })

  it('page through what is theirs', async () => {
    const admin = await world.tenant()
    for (let n = 0; n < 5; n += 1) await published(admin, { title: `第${n}条` })
    const first = await mine(admin, { current: 1, size: 2 })
    const third = await mine(admin, { current: 3, size: 2 })
    expect([first.data.total, first.data.records.length, third.data.records.length]).toEqual([5, 2, 1])
    expect((await mine(admin, { size: 201 })).status).toBe(400)
    expect((await mine(admin, { current: 0 })).status).toBe(400)
  })
})
