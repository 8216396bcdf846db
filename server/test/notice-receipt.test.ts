import { schoolclass } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { sample } from './sample.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/** R-NOTICE-1…n: publishing in one step, receipts that are given by an act, and reminders of those that are missing. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

interface Page<T> {
  total: number
  records: T[]
}
interface Receipts extends Page<{ userId: string; deptName: string | null; className: string | null }> {
  read: number
  unread: number
  confirmed: number
  unconfirmed: number
  reminded: { people: number; userName: string; wait: number } | null
}

const path = 'blade-desk/notice'
const draft = (more: object = {}) => ({
  title: '返校须知',
  category: '1',
  releaseTime: '2026-01-01 08:00:00',
  content: '<p>请确认</p>',
  needRead: 1,
  ...more,
})
const by = (who: Person, name: string, id: string) => who.post(`${path}/${name}`, undefined, { query: { id } })
const withdraw = (who: Person, ids: string) => who.post(`${path}/withdraw`, undefined, { query: { ids } })
const submit = (who: Person, more: object = {}) => who.post<Row>(`${path}/submit`, draft(more))
const submitted = async (who: Person, more: object = {}): Promise<Row> => {
  const answer = await submit(who, { publish: 1, ...more })
  expect(answer.status, answer.msg).toBe(200)
  return answer.data
}
const receipts = async (who: Person, id: string, query = {}) =>
  (await who.get<Receipts>(`${path}/receipts`, { id, ...query })).data
const kept = async (who: Person): Promise<number> =>
  Number((await world.owner.query('select count(*) from notice where tenant_id = $1', [who.tenantId])).rows[0].count)
const statuses = (answers: readonly Answer[]) => answers.map((each) => each.status)
const messages = async (who: Person) =>
  (
    await who.get<Page<{ kind: string; title: string; body: string | null; readAt: string | null; link: string }>>(
      'blade-desk/inbox/list',
    )
  ).data.records
const awaited = async (who: Person): Promise<number | undefined> =>
  (await who.get<{ key: string; count: number }[]>('blade-desk/todo')).data.find(({ key }) => key === 'receipts')?.count
const add = async (who: Person, where: string, body: object): Promise<string> => {
  const answer = await who.post<Row>(`${where}/submit`, body)
  expect(answer.status, answer.msg).toBe(200)
  return answer.data.id
}

describe('R-NOTICE-2 a notice that is saved and published in one step', () => {
  it('is out with the answer, new or a draft that is changed', async () => {
    const admin = await world.tenant()
    const reader = await world.colleague(admin, [])
    const row = await submitted(admin)
    expect(row).toMatchObject({ status: 2, title: '返校须知' })
    expect((await reader.get(`${path}/read`, { id: row.id })).status).toBe(200)
    const rough = (await submit(admin, { title: '草稿' })).data
    expect(rough.status).toBe(0)
    const out = await admin.post<Row>(`${path}/submit`, {
      id: rough.id,
      version: rough.version,
      title: '定稿',
      publish: 1,
    })
    expect(out.data).toMatchObject({ status: 2, title: '定稿' })
    // What the answer says is what is stored, to the version that the next change must name.
    expect((await admin.get<Row>(`${path}/detail`, { id: rough.id })).data.version).toBe(out.data.version)
    const later = await submitted(admin, { releaseTime: '2099-01-01 08:00:00' })
    expect(later.status).toBe(1)
  })

  it('is neither saved nor published where one of them is refused', async () => {
    const admin = await world.tenant()
    const writer = await world.colleague(admin, ['notice_view', 'notice_add', 'notice_edit'])
    expect((await submit(writer, { publish: 1 })).status).toBe(403)
    expect((await submit(admin, { publish: 1, content: ' ' })).status).toBe(400)
    const over = { publish: 1, expireTime: '2026-01-02 08:00:00' }
    expect((await submit(admin, over)).status).toBe(400)
    const late = await submit(admin, { publish: 1, confirmBy: '2026-01-02 08:00:00' })
    expect([late.status, (late.data as unknown as { field: string }).field]).toEqual([400, 'confirmBy'])
    expect(await kept(admin)).toBe(0)
    const { id, version } = (await submit(admin)).data
    await admin.post(`${path}/submit`, { id, title: '别人先改了' })
    const stale = await admin.post(`${path}/submit`, { id, version, title: '我的', publish: 1 })
    expect(stale.status).toBe(409)
    expect((await admin.get<Row>(`${path}/detail`, { id })).data).toMatchObject({ status: 0, title: '别人先改了' })
  })

  it('is not published by whom an API scope keeps from publishing', async () => {
    const admin = await world.tenant()
    const codes = ['notice_view', 'notice_add', 'notice_edit', 'notice_publish']
    const writer = await world.colleague(admin, codes)
    const scope = await add(admin, 'blade-system/api-scope', {
      scopeName: '发布',
      resourceCode: 'notice-publish',
      scopePath: `POST /${path}/publish`,
      scopeType: '1',
    })
    expect((await submit(writer, { publish: 1 })).status).toBe(403)
    expect(await kept(admin)).toBe(0)
    expect((await submit(writer)).status).toBe(200)
    expect((await admin.remove('blade-system/api-scope', scope)).code).toBe(200)
    expect((await submit(writer, { publish: 1 })).status).toBe(200)
  })

  it('is one notice, however often its answer was lost', async () => {
    const admin = await world.tenant()
    const headers = { 'idempotency-key': 'notice-once-0000000001' }
    const send = () => admin.post<Row>(`${path}/submit`, draft({ publish: 1 }), { headers })
    const [one, two] = [await send(), await send()]
    expect([one.status, two.status, two.data.id]).toEqual([200, 200, one.data.id])
    expect(await kept(admin)).toBe(1)
  })
})

describe('R-NOTICE-3 a receipt', () => {
  it('is given by an act and not by opening; read and confirmed are counted apart', async () => {
    const admin = await world.tenant()
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const { id } = await submitted(admin)
    expect([await awaited(ann), await awaited(bob)]).toEqual([1, 1])
    const read = await ann.get<{ readAt: string; confirmedAt: string | null }>(`${path}/read`, { id })
    expect(read.data).toMatchObject({ readAt: expect.any(String), confirmedAt: null })
    expect(await awaited(ann)).toBe(1)
    expect(await receipts(admin, id)).toMatchObject({ read: 1, unread: 2, confirmed: 0, unconfirmed: 3 })
    expect((await bob.post(`${path}/read-all`)).status).toBe(200)
    expect(await awaited(bob)).toBe(1)
    expect((await by(ann, 'confirm', id)).status).toBe(200)
    expect(await awaited(ann)).toBeUndefined()
    const found = await receipts(admin, id, { confirmed: 1 })
    expect(found).toMatchObject({ read: 2, unread: 1, confirmed: 1, unconfirmed: 2, total: 1 })
    expect(found.records.map((each) => each.userId)).toEqual([ann.userId])
    expect((await receipts(admin, id, { confirmed: 0 })).records.map((each) => each.userId).sort()).toEqual(
      [admin.userId, bob.userId].sort(),
    )
    // Who confirms what was never opened has read it by that.
    expect((await by(admin, 'confirm', id)).status).toBe(200)
    expect(await receipts(admin, id)).toMatchObject({ read: 3, confirmed: 2 })
  })

  it('is one, with its first time, for two at once and afterwards', async () => {
    const admin = await world.tenant()
    const { id } = await submitted(admin)
    const twice = await Promise.all([by(admin, 'confirm', id), by(admin, 'confirm', id)])
    expect(statuses(twice)).toEqual([200, 200])
    const again = await by(admin, 'confirm', id)
    expect(new Set([...twice, again].map((each) => JSON.stringify(each.data))).size).toBe(1)
    expect(await receipts(admin, id)).toMatchObject({ read: 1, confirmed: 1, unconfirmed: 0 })
  })

  it('is taken from nobody else: another tenant, no addressee, after it was withdrawn, where none is asked for', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const { id } = await submitted(admin, { targetType: '7', targetIds: [ann.userId] })
    const plain = await submitted(admin, { needRead: 0 })
    const rough = (await submit(admin)).data
    expect((await by(other, 'confirm', id)).status).toBe(404)
    expect((await by(bob, 'confirm', id)).status).toBe(404)
    expect((await by(admin, 'confirm', rough.id)).status).toBe(404)
    expect((await by(ann, 'confirm', plain.id)).status).toBe(400)
    expect((await withdraw(admin, id)).status).toBe(200)
    expect((await by(ann, 'confirm', id)).status).toBe(404)
    const { rows } = await world.owner.query('select 1 from notice_read where notice_id = any($1)', [[id, plain.id]])
    expect(rows).toEqual([])
    expect(await awaited(ann)).toBeUndefined()
  })

  it('stands among what waits, the nearest deadline first', async () => {
    const admin = await world.tenant()
    const asked = async (title: string, confirmBy: string | null) =>
      (await submitted(admin, { title, confirmBy })).title
    await asked('无期限', null)
    await asked('十二月', '2098-12-01 12:00:00')
    await asked('十一月', '2098-11-01 12:00:00')
    await submitted(admin, { title: '不需要', needRead: 0, confirmBy: '2098-01-01 12:00:00' })
    const list = await admin.get<Page<{ title: string; confirmBy: string | null }>>(
      `${path}/noticeListByTenantIdAndClient`,
      { unconfirmed: 1 },
    )
    expect(list.data.records.map((each) => [each.title, each.confirmBy])).toEqual([
      ['十一月', '2098-11-01 12:00:00'],
      ['十二月', '2098-12-01 12:00:00'],
      ['无期限', null],
    ])
    expect(await awaited(admin)).toBe(3)
    const { rows } = await world.owner.query(
      `select confirm_by from notice where tenant_id = $1 and title = '不需要'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ confirm_by: null }])
  })
})

describe('R-NOTICE-4 a reminder', () => {
  it('reaches those who have not confirmed, and is done with when they have', async () => {
    const admin = await world.tenant()
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const { id } = await submitted(admin, { confirmBy: '2098-12-01 12:00:00' })
    await by(admin, 'confirm', id)
    await by(ann, 'confirm', id)
    await bob.get(`${path}/read`, { id })
    const told = await by(admin, 'remind', id)
    expect([told.status, told.data]).toEqual([200, { people: 1 }])
    expect([(await messages(admin)).length, (await messages(ann)).length]).toEqual([0, 0])
    expect(await messages(bob)).toMatchObject([
      {
        kind: 'notice-reminder',
        title: '请确认通知：返校须知',
        body: '请在 2098-12-01 12:00 前确认已阅。',
        readAt: null,
        link: `/wel/notice?id=${id}`,
      },
    ])
    expect((await receipts(admin, id)).reminded).toMatchObject({ people: 1, wait: expect.any(Number) })
    await by(bob, 'confirm', id)
    expect((await messages(bob))[0]!.readAt).not.toBeNull()
  })

  it('goes out once in some minutes, of two at once as well', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, [])
    const { id } = await submitted(admin)
    const twice = await Promise.all([by(admin, 'remind', id), by(admin, 'remind', id)])
    expect(statuses(twice).sort()).toEqual([200, 400])
    expect((await by(admin, 'remind', id)).msg).toContain('5 分钟后')
    expect((await messages(ann)).length).toBe(1)
    await world.owner.query(`update notice_reminder set create_time = create_time - interval '6 minutes'`)
    expect((await by(admin, 'remind', id)).status).toBe(200)
    const { rows } = await world.owner.query('select user_id, people from notice_reminder where notice_id = $1', [id])
    expect(rows).toEqual([
      { user_id: admin.userId, people: 2 },
      { user_id: admin.userId, people: 2 },
    ])
  })

  it('is refused for what is not out, and where everybody has answered', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, [])
    const rough = (await submit(admin)).data
    const later = await submitted(admin, { releaseTime: '2099-01-01 08:00:00' })
    const { id } = await submitted(admin)
    const plain = await submitted(admin, { needRead: 0, targetType: '7', targetIds: [ann.userId] })
    expect((await by(admin, 'remind', plain.id)).data).toEqual({ people: 1 })
    expect((await messages(ann)).map((each) => each.title)).toEqual(['请阅读通知：返校须知'])
    await ann.get(`${path}/read`, { id: plain.id })
    expect((await messages(ann))[0]!.readAt).not.toBeNull()
    expect(statuses([await by(admin, 'remind', rough.id), await by(admin, 'remind', later.id)])).toEqual([400, 400])
    expect((await by(admin, 'remind', id)).status).toBe(200)
    expect((await withdraw(admin, id)).status).toBe(200)
    expect((await by(admin, 'remind', id)).status).toBe(400)
    // What reminded of a notice that was taken back is no news any more.
    expect((await messages(ann)).every((each) => each.readAt !== null)).toBe(true)
    const one = await submitted(admin, { targetType: '7', targetIds: [ann.userId] })
    await by(ann, 'confirm', one.id)
    expect((await by(admin, 'remind', one.id)).status).toBe(400)
  })

  it('is sent by those alone who may publish the notice', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const codes = ['notice_view', 'notice_add', 'notice_publish']
    const [viewer, author] = [await world.colleague(admin, ['notice_view']), await world.colleague(admin, codes)]
    const { id } = await submitted(admin)
    // A scope to one's own rows.
    const scope = await add(admin, 'blade-system/data-scope', {
      scopeName: '本人',
      scopeClass: 'notice',
      scopeType: '2',
      resourceCode: 'own',
    })
    await world.inTenant(admin.tenantId, (tx) =>
      tx.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id)
            select ${admin.tenantId}, l.target_id, ${scope} from app_user_role l where l.tenant_id = ${admin.tenantId} and l.owner_id = ${author.userId}`,
      ),
    )
    expect((await by(other, 'remind', id)).status).toBe(404)
    expect((await by(viewer, 'remind', id)).status).toBe(403)
    expect((await by(author, 'remind', id)).status).toBe(404)
    expect((await author.get(`${path}/receipts`, { id })).status).toBe(404)
    const own = await submitted(author)
    expect((await by(author, 'remind', own.id)).status).toBe(200)
    expect((await by(admin, 'remind', id)).status).toBe(200)
  })
})

describe('R-NOTICE-3 whom a notice reaches', () => {
  it('is counted before it is sent, of everybody, by class and by person, as it is read afterwards', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const { draft: classDraft } = await sample(admin, schoolclass)
    const classId = await add(admin, 'blade-user/schoolclass', { ...classDraft, headTeacherId: ann.userId })
    const audience = async (targetType: string, targetIds?: string[]) =>
      (
        await admin.get<{ people: number; each: Record<string, number> }>(`${path}/audience`, {
          targetType,
          ...(targetIds ? { targetIds: targetIds.join() } : {}),
        })
      ).data
    const everybody = (await audience('1')).people
    const { rows } = await world.owner.query('select count(*) from app_user where tenant_id = $1 and status = 1', [
      admin.tenantId,
    ])
    expect(everybody).toBe(Number(rows[0].count))
    expect(await audience('6', [classId])).toEqual({ people: 1, each: { [classId]: 1 } })
    expect(await audience('7', [ann.userId, bob.userId, other.userId])).toEqual({
      people: 2,
      each: { [ann.userId]: 1, [bob.userId]: 1, [other.userId]: 0 },
    })
    expect((await audience('6')).people).toBe(0)
    expect((await ann.get(`${path}/audience`, { targetType: '1' })).status).toBe(403)
    const ofClass = await submitted(admin, { targetType: '6', targetIds: [classId] })
    expect((await ann.get(`${path}/read`, { id: ofClass.id })).status).toBe(200)
    expect((await bob.get(`${path}/read`, { id: ofClass.id })).status).toBe(404)
    const found = await receipts(admin, ofClass.id)
    expect(found.records).toMatchObject([{ userId: ann.userId, className: classDraft.className }])
    expect((await submit(admin, { targetType: '7', targetIds: [other.userId] })).status).toBe(400)
    // Of several stored notices, whoever is reached by both is one.
    const both = await submitted(admin, { targetType: '7', targetIds: [ann.userId, bob.userId] })
    const reach = (who: Person, ids: string) => who.get<{ people: number }>(`${path}/audience`, { ids })
    expect((await reach(admin, `${ofClass.id},${both.id}`)).data).toEqual({ people: 2 })
    expect((await reach(other, both.id)).status).toBe(404)
  })
})

describe('R-PERM-3 A1 whoever works with a part of the people', () => {
  /** An author whose notices are all, whose people are these. */
  async function author(admin: Person, userIds: readonly string[]): Promise<Person> {
    const codes = ['view', 'add', 'edit', 'publish'].map((verb) => `notice_${verb}`)
    const person = await world.colleague(admin, codes)
    const scopes = await Promise.all(
      [
        ['user', [...userIds, person.userId]],
        ['schoolclass', ['1']],
      ].map(([scopeClass, value]) =>
        add(admin, 'blade-system/data-scope', {
          ...{ scopeName: '部分人员', resourceCode: `receipt_${scopeClass}`, scopeClass, scopeType: '5' },
          scopeValue: { all: [{ field: 'id', op: 'in', value }] },
        }),
      ),
    )
    const roleId = String((await admin.get<Row>('blade-user/detail', { id: person.userId })).data.roleId)
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    const grant = { roleIds: [roleId], menuIds: keys.data.menu, dataScopeIds: scopes }
    expect((await admin.post('blade-system/role/grant', grant)).msg).toBe('操作成功')
    return person
  }

  it('is told of the receipts of these, counts these, reminds these, and names nobody else as a target', async () => {
    const admin = await world.tenant()
    const [mine, theirs] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const { draft: room } = await sample(admin, schoolclass)
    await add(admin, 'blade-user/schoolclass', { ...room, className: '别的班', headTeacherId: mine.userId })
    const head = await author(admin, [mine.userId])
    const { id } = await submitted(admin)
    await by(theirs, 'confirm', id)
    const all = await receipts(admin, id)
    expect([all.total, all.confirmed]).toEqual([4, 1])
    expect(all.records.map(({ className }) => className)).toContain('别的班')
    const told = await receipts(head, id)
    expect(told.records.map(({ userId }) => userId).sort()).toEqual([mine.userId, head.userId].sort())
    // Nor is a class out of reach named beside whoever heads it.
    expect(told).toMatchObject({ total: 2, confirmed: 0, unconfirmed: 2 })
    expect(told.records.map(({ className }) => className)).toEqual([null, null])
    expect((await by(head, 'remind', id)).data).toEqual({ people: 2 })
    expect([(await messages(admin)).length, (await messages(mine)).length]).toEqual([0, 1])
    for (const [targetType, foreign, own] of [
      ['7', theirs.userId, mine.userId],
      ['6', String((await admin.get<Page<Row>>('blade-user/schoolclass/list')).data.records[0]!.id), undefined],
    ] as const) {
      const count = await head.get<{ people: number }>(`${path}/audience`, { targetType, targetIds: foreign })
      expect(count.data.people).toBe(0)
      const refused = await submit(head, { targetType, targetIds: [foreign] })
      expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('含有不存在的对象')])
      if (own) expect((await submit(head, { targetType, targetIds: [own] })).msg).toBe('操作成功')
    }
    // What an administrator named stays named.
    const given = await submit(admin, { targetType: '7', targetIds: [theirs.userId] })
    const kept = { id: given.data.id, version: given.data.version, targetType: '7' }
    expect((await submit(head, { ...kept, targetIds: [theirs.userId, mine.userId] })).msg).toBe('操作成功')
  })
})
