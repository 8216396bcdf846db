import type { PageViews, SavedView, ViewContent } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Rulings 18 and 28: views of lists live on the server, are their owner's, and are shared with a role. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const content: ViewContent = {
  filters: { status: '1', gradeId: '3', createTime_dategt: '2026-09-01 00:00:00' },
  sort: { key: 'birthDate', descending: true },
  taste: {
    order: ['sex', 'name'],
    hidden: ['enrollDate'],
    widths: { name: 180 },
    pins: { sex: 'start' },
    density: 'compact',
  },
}
const path = 'blade-desk/savedview'
const save = (who: Person, more: Record<string, unknown> = {}) =>
  who.post<SavedView>(`${path}/submit`, { page: 'student', name: '三年级在读', content, ...more })
const seen = async (who: Person, page = 'student') => (await who.get<PageViews>(`${path}/list`, { page })).data
const namesOf = async (who: Person) => (await seen(who)).views.map((view) => view.name)
const remove = (who: Person, ids: string) => who.post(`${path}/remove`, undefined, { query: { ids } })

/** Gives somebody one more role of the tenant; answers its id. */
async function giveRole(who: Person, roleId: string): Promise<void> {
  await world.inTenant(who.tenantId, async (tx) => {
    await tx.run(
      sql`insert into app_user_role (tenant_id, owner_id, target_id, ord) values (${who.tenantId}, ${who.userId}, ${roleId}, 2)`,
    )
    await raiseGrants(tx, who.tenantId)
  })
}
const rolesOf = async (who: Person): Promise<string[]> =>
  (
    await world.inTenant(who.tenantId, (tx) =>
      tx.run<{ id: string }>(
        sql`select target_id as id from app_user_role where tenant_id = ${who.tenantId} and owner_id = ${who.userId} order by ord`,
      ),
    )
  ).map((row) => row.id)

describe('R-LIST-1 a saved view', () => {
  it('is there again as it was saved, with columns, order and filters', async () => {
    const ann = await world.colleague(await world.tenant(), [])
    const saved = (await save(ann)).data
    expect(saved).toMatchObject({ name: '三年级在读', mine: true, roleId: null, version: 1, content, dropped: [] })
    expect((await seen(ann)).views).toEqual([saved])
    expect((await seen(ann, 'schoolclass')).views).toEqual([])
    const changed = await save(ann, { id: saved.id, version: 1, name: '在读', content: { ...content, sort: null } })
    expect(changed.data).toMatchObject({ id: saved.id, name: '在读', version: 2, content: { sort: null } })
    expect((await save(ann, { id: saved.id, version: 1 })).status).toBe(409)
    expect(await namesOf(ann)).toEqual(['在读'])
    expect((await remove(ann, saved.id)).status).toBe(200)
    expect(await namesOf(ann)).toEqual([])
  })

  it('does not exist for a colleague, for the administrator, or for another tenant', async () => {
    const admin = await world.tenant()
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const stranger = await world.tenant()
    const { id } = (await save(ann)).data
    for (const other of [bob, admin, stranger]) {
      expect((await seen(other)).views).toEqual([])
      expect((await save(other, { id, name: '我的' })).status).toBe(404)
      expect((await remove(other, id)).status).toBe(404)
    }
    expect((await seen(ann)).views).toMatchObject([{ id, name: '三年级在读', version: 1 }])
    // All of these, or none.
    const own = (await save(bob)).data.id
    expect((await remove(bob, `${own},${id}`)).status).toBe(404)
    expect(await namesOf(bob)).toEqual(['三年级在读'])
  })

  it('is shared with a role by those who may and who hold it, and seen by its holders alone', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, ['savedview_share'])
    const [bob, eve] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const [role] = (await rolesOf(ann)) as [string]
    const [bobs] = (await rolesOf(bob)) as [string]
    expect((await seen(ann)).roles).toEqual([{ id: role, name: '测试角色' }])
    expect((await seen(bob)).roles).toEqual([])
    // Bob holds no code; Ann does not hold Bob's role.
    expect((await save(bob, { roleId: bobs })).status).toBe(403)
    expect((await save(ann, { roleId: bobs })).status).toBe(400)
    const { id } = (await save(ann, { roleId: role })).data
    expect((await seen(bob)).views).toEqual([])
    await giveRole(bob, role)
    expect((await seen(bob)).views).toMatchObject([
      { id, mine: false, ownerName: '同事', roleId: role, roleName: '测试角色', content },
    ])
    expect((await seen(eve)).views).toEqual([])
    // Seen, and not changed.
    expect((await save(bob, { id, name: '改名' })).status).toBe(404)
    expect((await remove(bob, id)).status).toBe(404)
    // Taken back by its owner, it is gone for the others.
    expect((await save(ann, { id, version: 1 })).data.roleId).toBeNull()
    expect((await seen(bob)).views).toEqual([])
  })

  it('stays with its owner when the role goes, and goes with its owner', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, ['savedview_share'])
    const [role] = (await rolesOf(ann)) as [string]
    const { id } = (await save(ann, { roleId: role })).data
    await world.inTenant(admin.tenantId, async (tx) => {
      await tx.run(sql`delete from app_user_role where tenant_id = ${admin.tenantId} and target_id = ${role}`)
      await tx.run(sql`delete from role_menu where tenant_id = ${admin.tenantId} and role_id = ${role}`)
      await tx.run(sql`delete from role where tenant_id = ${admin.tenantId} and id = ${role}`)
      const left = await tx.one(
        sql`select role_id, user_id from saved_view where tenant_id = ${admin.tenantId} and id = ${id}`,
      )
      expect(left).toEqual({ role_id: null, user_id: ann.userId })
      await tx.run(sql`delete from session where tenant_id = ${admin.tenantId} and user_id = ${ann.userId}`)
      await tx.run(sql`delete from app_user where tenant_id = ${admin.tenantId} and id = ${ann.userId}`)
      expect(await tx.run(sql`select id from saved_view where tenant_id = ${admin.tenantId}`)).toEqual([])
    })
  })

  it('has a name of its own among the views of a person and page', async () => {
    const admin = await world.tenant()
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    await save(ann)
    expect((await save(ann)).status).toBe(409)
    expect((await save(ann, { page: 'user', content: { filters: {} } })).status).toBe(200)
    // Whoever says nothing of filters wants none.
    const all = await save(ann, { page: 'user', name: '全部', content: {} })
    expect([all.status, all.data.content]).toEqual([200, { filters: {}, sort: null, taste: null }])
    expect((await save(bob)).status).toBe(200)
    for (const name of ['', '  ', '长'.repeat(51), 7]) expect((await save(ann, { name })).status).toBe(400)
    const both = await Promise.all([save(ann, { name: '同时' }), save(ann, { name: '同时' })])
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
  })

  it('keeps fifty views of a page and no more', async () => {
    const ann = await world.colleague(await world.tenant(), [])
    for (let n = 0; n < 50; n += 1) expect((await save(ann, { name: `视图${n}` })).status).toBe(200)
    expect((await save(ann, { name: '再一个' })).status).toBe(400)
    const [first] = (await seen(ann)).views
    expect((await save(ann, { id: first!.id, name: '改名' })).status).toBe(200)
  })

  it('drops names that the list does not have, and says which when they were stored before', async () => {
    const ann = await world.colleague(await world.tenant(), [])
    const odd = { filters: { status: '1', shoeSize: '44' }, sort: { key: 'email', descending: false } }
    const { id, content: kept } = (await save(ann, { content: odd })).data
    expect(kept).toEqual({ filters: { status: '1' }, sort: null, taste: null })
    // As an older version of the product would have left it.
    await world.inTenant(ann.tenantId, (tx) =>
      tx.run(
        sql`update saved_view set content = ${JSON.stringify({ ...odd, taste: { order: ['gone', 'sex'], hidden: [], widths: { gone: 90 }, pins: {} } })}::jsonb where tenant_id = ${ann.tenantId} and id = ${id}`,
      ),
    )
    expect((await seen(ann)).views[0]).toMatchObject({
      content: { filters: { status: '1' }, sort: null, taste: { order: ['sex'], widths: {} } },
      dropped: ['shoeSize', 'email', 'gone'],
    })
  })

  it('holds nobody’s number, and nothing that is not well formed', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, [])
    const filters = (given: unknown) => save(ann, { content: { filters: given } })
    for (const given of [{ phone: '13800138000' }, { keyword: '13800138000' }, { idNo: '110101201503054321' }])
      expect((await filters(given)).status).toBe(400)
    for (const keyword of [
      '１３８００１３８０００',
      '+86 138-0013-8000',
      '张三 13800138000',
      '110101 20150305 432X',
      'G11010120150305432X',
    ])
      expect((await filters({ keyword })).status, keyword).toBe(400)
    expect((await filters({ phone_null: '1' })).data.content.filters).toEqual({ phone_null: '1' })
    // The list itself would refuse these, and so would the page that opens with them.
    for (const given of [{ classId: 'abc' }, { birthDate_dategt: 'never' }, { createTime_datele: '2026-13-45' }]) {
      const refused = await save(ann, { name: 'n', content: { filters: given } })
      expect([refused.status, (await admin.get('blade-user/student/list', given)).status]).toEqual([400, 400])
    }
    for (const given of [null, [], 'x', { status: 1 }, { status: { a: 1 } }, { keyword: 'x'.repeat(4001) }])
      expect((await save(ann, { name: 'n', content: { filters: given } })).status).toBe(400)
    for (const taste of [
      [],
      { order: 'name' },
      { widths: { name: '90' } },
      { widths: { name: 9e9 } },
      { pins: { name: 'up' } },
      { density: 'thick' },
    ])
      expect((await save(ann, { name: 'n', content: { filters: {}, taste } })).status).toBe(400)
    const long = Object.fromEntries(
      ['name', 'name_like', 'studentNo', 'remark', 'remark_like', 'nameEn', 'email', 'email_like'].map((each) => [
        each,
        'x'.repeat(4_000),
      ]),
    )
    expect(await save(ann, { name: 'n', content: { filters: long } })).toMatchObject({
      status: 400,
      msg: '视图内容：内容过多，请减少筛选条件',
      data: { field: 'content' },
    })
    expect((await save(ann, { name: 'n', page: 'nowhere' })).status).toBe(404)
    for (const page of [undefined, null, 7, '']) {
      expect((await save(ann, { name: 'n', page })).status).toBe(404)
      expect((await ann.post(`${path}/taste`, { page })).status).toBe(404)
    }
    expect((await save(ann, { name: 'a\u0000b' })).status).toBe(400)
  })
})

describe('R-LIST-1 the columns of a page', () => {
  it('are each person’s own, and a page opens with the view of their choice', async () => {
    const admin = await world.tenant()
    const [ann, bob] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    const { id } = (await save(ann)).data
    const keep = (who: Person, more: object) => who.post(`${path}/taste`, { page: 'student', ...more })
    expect(await seen(bob)).toEqual({ taste: null, first: null, views: [], roles: [] })
    expect((await keep(ann, { taste: content.taste })).status).toBe(200)
    expect((await keep(ann, { first: id })).status).toBe(200)
    expect(await seen(ann)).toMatchObject({ taste: content.taste, first: id })
    expect(await seen(bob)).toMatchObject({ taste: null, first: null })
    expect((await seen(ann, 'user')).taste).toBeNull()
    // What is not sent stays; null takes it away.
    await keep(ann, { taste: null })
    expect(await seen(ann)).toMatchObject({ taste: null, first: id })
    await keep(ann, { first: null })
    expect((await seen(ann)).first).toBeNull()
    expect((await keep(ann, { first: 'a b' })).status).toBe(400)
    expect((await keep(ann, { taste: { order: [1] } })).status).toBe(400)
    expect((await ann.get(`${path}/list`)).status).toBe(400)
    expect((await world.call('GET', `${path}/list`, null, { query: { page: 'student' } })).status).toBe(401)
  })
})
