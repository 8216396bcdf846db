import { randomBytes } from 'node:crypto'
import type { Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepOnce } from '../src/kernel/idempotency.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Saves that were sent under a key: done once, whatever the network does (security.md §6.6, E16). */

let world: World
let admin: Person
const path = 'blade-system/post'
const key = () => randomBytes(16).toString('hex')
const draft = (name: string) => ({ category: '1', postCode: name, postName: name, sort: 1 })
const save = (person: Person, body: object, once: string, to = path) =>
  person.post<Row>(`${to}/submit`, body, { headers: { 'idempotency-key': once } })
const countOf = async (person: Person, name: string) =>
  (await person.get<Page<Row>>(`${path}/list`, { postCode_equal: name })).data.total

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world?.close())

describe('a save under a key', () => {
  it('is done once and answered alike, one after the other and twenty at once', async () => {
    const once = key()
    const first = await save(admin, draft('once-a'), once)
    expect(first.status).toBe(200)
    const again = await save(admin, draft('once-a'), once)
    expect([again.status, again.data]).toEqual([200, first.data])
    const together = key()
    const all = await Promise.all(Array.from({ length: 20 }, () => save(admin, draft('once-b'), together)))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect([await countOf(admin, 'once-a'), await countOf(admin, 'once-b')]).toEqual([1, 1])
    // Without a key the unique code refuses; that is what a key spares the person.
    expect((await admin.post(`${path}/submit`, draft('once-a'))).status).toBe(409)
  })

  it('is bound to its content, its call and its user', async () => {
    const once = key()
    await save(admin, draft('bound-a'), once)
    const other = await save(admin, draft('bound-b'), once)
    expect([other.status, other.msg]).toEqual([422, '先前的保存已完成，这次的内容与它不同：请关闭后查看已保存的数据'])
    expect(await countOf(admin, 'bound-b')).toBe(0)
    expect((await save(admin, draft('bound-a'), once, 'blade-system/param')).status).toBe(422)
    const colleague = await world.colleague(admin, ['post_add', 'post_view'])
    expect((await save(colleague, draft('bound-c'), once)).status).toBe(200)
    const stranger = await world.tenant()
    expect((await save(stranger, draft('bound-a'), once)).data.tenantId).toBe(stranger.tenantId)
    expect(await countOf(stranger, 'bound-a')).toBe(1)
  })

  it('that was refused leaves the key free, and one that may not save never had it', async () => {
    const once = key()
    expect((await save(admin, { ...draft('free-a'), category: 'none' }, once)).status).toBe(400)
    expect((await save(admin, draft('free-a'), once)).status).toBe(200)
    const reader = await world.colleague(admin, ['post_view'])
    const theirs = key()
    expect((await save(reader, draft('free-b'), theirs)).status).toBe(403)
    const { rows } = await world.owner.query('select 1 from request_key where key = $1', [theirs])
    expect(rows).toEqual([])
    for (const wrong of ['short', 'x'.repeat(65), 'with spaces in it, long'])
      expect((await save(admin, draft('free-c'), wrong)).status, wrong).toBe(400)
  })

  it('is answered from what is sealed, and forgotten after a day', async () => {
    const once = key()
    const first = await save(admin, draft('day-a'), once)
    const kept = async () =>
      (
        await world.owner.query<{ answer: Buffer }>(
          'select answer from request_key where tenant_id = $1 and key = $2',
          [admin.tenantId, once],
        )
      ).rows
    expect((await kept())[0]!.answer.includes(Buffer.from('day-a'))).toBe(false)
    const age = (hours: number) =>
      world.owner.query('update request_key set at = now() - make_interval(hours => $2) where tenant_id = $1', [
        admin.tenantId,
        hours,
      ])
    await age(23)
    expect((await save(admin, draft('day-a'), once)).data).toEqual(first.data)
    await age(25)
    // The key means another save now.
    expect((await save(admin, draft('day-b'), once)).data.postCode).toBe('day-b')
    await age(25)
    await world.inTenant(admin.tenantId, (tx) => sweepOnce(tx, admin.tenantId))
    expect(await kept()).toEqual([])
  })

  it('of what all tenants share, and of a tenant, is done once too', async () => {
    const platform = await world.platform()
    const once = key()
    const menu = {
      name: '一次',
      nameEn: 'Once',
      code: `once_${Date.now()}`,
      category: '1',
      sort: 1,
      isOpen: '1',
      platformOnly: 1,
    }
    const [one, two] = [
      await save(platform, menu, once, 'blade-system/menu'),
      await save(platform, menu, once, 'blade-system/menu'),
    ]
    expect([one.status, two.data]).toEqual([200, one.data])
    const tenantKey = key()
    const tenant = {
      tenantName: '一次租户',
      linkman: '王一',
      contactNumber: '13800000000',
      accountNumber: -1,
      quotaStorageMb: -1,
    }
    const made = await save(platform, tenant, tenantKey, 'blade-system/tenant')
    expect([made.status, made.msg]).toEqual([200, '操作成功'])
    const again = await save(platform, tenant, tenantKey, 'blade-system/tenant')
    // The administrator's password is told alike: whoever timed out has not seen it.
    expect(again.data).toEqual(made.data)
    expect(made.data.password).toBeTruthy()
    const list = await platform.get<Page<Row>>('blade-system/tenant/list', { tenantName: '一次租户' })
    expect(list.data.total).toBe(1)
  })

  it('without a key leaves nothing behind', async () => {
    const { rows: before } = await world.owner.query<{ n: string }>('select count(*) as n from request_key')
    expect((await admin.post(`${path}/submit`, draft('plain-a'))).status).toBe(200)
    const { rows: after } = await world.owner.query<{ n: string }>('select count(*) as n from request_key')
    expect(after).toEqual(before)
  })
})
