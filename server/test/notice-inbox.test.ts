import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../src/modules/desk/index.ts'
import { warnOfEnd } from '../src/modules/desk/schedule.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** R-BAR-10: what somebody is told by the product itself. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

interface Message {
  id: string
  kind: string
  title: string
  body: string | null
  readAt: string | null
}
const inbox = async (who: Person, language: 'zh' | 'en' = 'zh') =>
  (await who.get<{ total: number; records: Message[] }>('blade-desk/inbox/list', {}, { language })).data
const unread = async (who: Person) => (await who.get<{ messages: number }>('blade-desk/notice/unread')).data.messages

const words = { kind: 'test', title: { zh: '标题', en: 'Title' }, body: { zh: '正文', en: 'Body' } }

describe('R-BAR-10 messages', () => {
  it('reach those they are for, in their language, and are read one by one or all', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const ann = await world.colleague(admin, [])
    await world.inTenant(admin.tenantId, async (tx) => {
      // Somebody of another tenant is nobody here.
      expect(await sendMessage(tx, admin.tenantId, [ann.userId, ann.userId, other.userId, '7'], words)).toBe(1)
      expect(await sendMessage(tx, admin.tenantId, [ann.userId], { ...words, kind: 'second' })).toBe(1)
    })
    expect(await unread(ann)).toBe(2)
    expect([await unread(admin), await unread(other)]).toEqual([0, 0])
    const { records } = await inbox(ann)
    expect(records.map((each) => [each.kind, each.title, each.body, each.readAt])).toEqual([
      ['second', '标题', '正文', null],
      ['test', '标题', '正文', null],
    ])
    expect((await inbox(ann, 'en')).records[0]).toMatchObject({ title: 'Title', body: 'Body' })
    // Somebody else's message stays unread, whoever names it.
    await admin.post('blade-desk/inbox/read', undefined, { query: { ids: records[0]!.id } })
    expect(await unread(ann)).toBe(2)
    await ann.post('blade-desk/inbox/read', undefined, { query: { ids: records[0]!.id } })
    expect(await unread(ann)).toBe(1)
    await ann.post('blade-desk/inbox/read')
    expect(await unread(ann)).toBe(0)
    expect((await inbox(ann)).total).toBe(2)
  })

  it('that a transaction took back were never sent', async () => {
    const admin = await world.tenant()
    const fails = world.inTenant(admin.tenantId, async (tx) => {
      await sendMessage(tx, admin.tenantId, [admin.userId], words)
      throw new Error('no')
    })
    await expect(fails).rejects.toThrow('no')
    expect((await inbox(admin)).total).toBe(0)
  })

  it('tell of a password that was reset and a session that was ended', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, [])
    const sessions = await admin.get<{ records: { id: string; userId: string }[] }>('blade-system/session/list')
    const session = sessions.data.records.find((each) => each.userId === ann.userId)!
    const messages = async () =>
      (await world.owner.query('select kind from inbox where user_id = $1 order by id', [ann.userId])).rows.map(
        (row) => row.kind,
      )
    expect((await admin.post('blade-system/session/end', undefined, { query: { ids: session.id } })).status).toBe(200)
    expect(await messages()).toEqual(['session-ended'])
    const reset = await admin.post('blade-user/reset-password', undefined, { query: { userIds: ann.userId } })
    expect(reset.status, reset.msg).toBe(200)
    expect(await messages()).toEqual(['session-ended', 'password-reset'])
  })

  it('tell administrators once per step that the tenant ends soon', async () => {
    const admin = await world.tenant()
    const ann = await world.colleague(admin, [])
    const warn = (days: number) => warnOfEnd(world.services, admin.tenantId, days, '2027-01-31')
    expect(await warn(31)).toBe(0)
    expect([await warn(30), await warn(29), await warn(8)]).toEqual([1, 0, 0])
    expect((await Promise.all([warn(7), warn(7), warn(6)])).reduce((sum, each) => sum + each)).toBe(1)
    expect([await warn(1), await warn(0)]).toEqual([1, 0])
    expect([await unread(admin), await unread(ann)]).toEqual([3, 0])
  })
})
