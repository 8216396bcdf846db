import { describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { sql } from '../src/database/statement.ts'
import { inTenant } from '../src/database/transaction.ts'
import { deliverDue } from '../src/modules/sms/index.ts'
import { enable, phone, send, service, services, tenantWith, useSms, world } from './sms-parts.ts'
import type { Row } from './world.ts'

useSms()

describe('limits', () => {
  it('one message per number and minute, also when many are asked for at once; refused in words that say how long', async () => {
    const admin = await tenantWith('outbox')
    const number = phone()
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(admin, { phones: number })))
    expect(answers.map((each) => each.code).sort()).toEqual([200, 429, 429, 429])
    const refused = answers.find((each) => each.code === 429)!
    expect(refused.msg).toMatch(/号码 \*{9}\d{2} 1分钟内的短信已达上限（1条），请\d+秒后再试/)
    expect((refused.data as unknown as { retryAfter: number }).retryAfter).toBeGreaterThan(50)
    await world.owner.query(`update sms_log set create_time = now() - interval '61 s' where tenant_id = $1`, [
      admin.tenantId,
    ])
    expect((await send(admin, { phones: number })).code).toBe(200)
  })

  it('ten a day per number and a hundred per tenant, or what the parameters say', async () => {
    const admin = await tenantWith('outbox')
    const number = phone()
    for (let n = 0; n < 10; n += 1) {
      expect((await send(admin, { phones: number })).code).toBe(200)
      await world.owner.query(
        `update sms_log set create_time = create_time - interval '2 hours' where tenant_id = $1`,
        [admin.tenantId],
      )
    }
    const refused = await send(admin, { phones: number }, { 'accept-language': 'en' })
    expect(refused.code).toBe(429)
    expect(refused.msg).toMatch(/messages of 24 hours \(10\): try again in 4 h/)
    expect((await send(admin, { phones: phone() })).code).toBe(200)
    await admin.post('blade-system/param/submit', { paramName: '短信', paramKey: 'sms.perTenantDay', paramValue: '11' })
    expect((await send(admin, { phones: phone() })).msg).toContain('本租户24小时内的短信已达上限（11条）')
  })

  it('many numbers are all told or none', async () => {
    const admin = await tenantWith('outbox')
    const [known, fresh] = [phone(), phone()]
    await send(admin, { phones: known })
    expect((await send(admin, { phones: `${fresh},${known}` })).code).toBe(429)
    expect((await admin.get<{ total: number }>('blade-resource/smslog/list')).data.total).toBe(1)
    expect((await send(admin, { phones: `${fresh},${phone()}` })).data.ids).toHaveLength(2)
    expect((await send(admin, { phones: Array.from({ length: 201 }, phone).join() })).code).toBe(400)
    expect((await send(admin, { phones: `${fresh},12345` })).msg).toContain('手机号码')
  })
})

describe('the calls', () => {
  it('the same key sends once, however it is given and however often at once', async () => {
    const admin = await tenantWith('outbox')
    const number = phone()
    const key = `k-${newId()}`
    const answers = await Promise.all([
      send(admin, { phones: number, requestKey: key }),
      send(admin, { phones: number, requestKey: key }),
      send(admin, { phones: number }, { 'idempotency-key': key }),
    ])
    expect(answers.map((each) => each.code)).toEqual([200, 200, 200])
    expect(new Set(answers.map((each) => each.data.ids[0])).size).toBe(1)
    expect((await admin.get<{ total: number }>('blade-resource/smslog/list')).data.total).toBe(1)
    // Another tenant's key is another key.
    const other = await tenantWith('outbox')
    expect((await send(other, { phones: number, requestKey: key })).data.ids[0]).not.toBe(answers[0]!.data.ids[0])
  })

  it('takes the parameters from a form as well, and says what is wrong with them', async () => {
    const admin = await tenantWith('outbox')
    const form = (more: Record<string, string>) =>
      admin.post<{ ids: string[] }>('blade-resource/sms/endpoint/send-message', undefined, {
        form: { code: 'S-outbox', phones: phone(), params: '{"code":1}', ...more },
      })
    expect((await form({})).data.ids).toHaveLength(1)
    for (const params of ['{', '[]', '"x"', '{"a":{}}', '{"a b":"1"}'])
      expect([params, (await form({ params })).code]).toEqual([params, 400])
    expect((await form({ code: 'nope' })).msg).toContain('没有编号为 nope 的短信配置')
    expect((await form({ purpose: 'advert' })).code).toBe(400)
    expect(
      (
        await (
          await world.tenant()
        ).post('blade-resource/sms/endpoint/send-message', undefined, { query: { phones: phone() } })
      ).msg,
    ).toContain('尚未启用')
  })

  it('refuses a value that could not be sent, and a kind of service that is none', async () => {
    const admin = await tenantWith('outbox')
    for (const code of ['a\u0000b', '\ud800'])
      expect((await send(admin, { phones: phone(), params: JSON.stringify({ code }) })).msg, code).toBe(
        '短信参数：变量值含有无法发送的字符',
      )
    const [row] = (await admin.get<{ records: Row[] }>('blade-resource/sms/list')).data.records
    for (const category of ['__proto__', 'constructor', '99'])
      expect((await admin.post('blade-resource/sms/submit', { id: row!.id, category })).status, category).toBe(400)
  })

  it('enabling one turns the other off in one go, and only that call does it', async () => {
    const admin = await world.tenant()
    const first = await service(admin, 'outbox')
    const second = await service(admin, 'gateway')
    await enable(admin, first.id)
    const both = await Promise.all([enable(admin, second.id), enable(admin, first.id), enable(admin, second.id)])
    expect(both.map((each) => each.code)).toEqual([200, 200, 200])
    const statuses = async () =>
      (
        await world.owner.query<{ status: number }>('select status from sms where tenant_id = $1 order by status', [
          admin.tenantId,
        ])
      ).rows.map((row) => row.status)
    expect(await statuses()).toEqual([1, 2])
    const by = await admin.post('blade-resource/sms/submit', {
      id: first.id,
      status: (await admin.get<Row>('blade-resource/sms/detail', { id: first.id })).data.status === 2 ? 1 : 2,
    })
    expect(by.msg).toContain('请使用“启用”')
    expect(
      (await admin.post('blade-resource/sms/submit', { smsCode: 'X', category: '6', content: 'x', status: 2 })).code,
    ).toBe(400)
    expect(await statuses()).toEqual([1, 2])
    expect((await admin.post('blade-resource/sms/enable', undefined, { query: { id: '' } })).code).toBe(200)
    expect(await statuses()).toEqual([1, 1])
  })

  it('one that lacks something cannot be enabled, and an enabled one cannot lose it or go', async () => {
    const admin = await world.tenant()
    const half = await service(admin, 'tencent', { appId: '', templateId: '' })
    expect((await enable(admin, half.id)).msg).toContain('SDK AppID、模板 ID')
    const whole = await service(admin, 'outbox')
    await enable(admin, whole.id)
    expect((await admin.post('blade-resource/sms/submit', { id: whole.id, content: '' })).msg).toContain(
      '不能缺少：短信内容',
    )
    expect((await admin.remove('blade-resource/sms', whole.id)).msg).toContain('已启用')
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    await enable(admin, '')
    expect((await admin.remove('blade-resource/sms', whole.id)).msg).toContain('等待')
    await deliverDue(services, admin.tenantId)
    expect((await admin.remove('blade-resource/sms', whole.id)).code).toBe(200)
    expect((await admin.get<Row>('blade-resource/smslog/detail', { id })).data).toMatchObject({
      smsCode: 'S-outbox',
      state: '1',
    })
  })

  it('each needs its own right, and another tenant’s services are not there', async () => {
    const admin = await tenantWith('outbox')
    const row = (await admin.get<{ records: Row[] }>('blade-resource/sms/list')).data.records[0]!
    const viewer = await world.colleague(admin, ['sms_view'])
    expect((await enable(viewer, row.id)).code).toBe(403)
    expect((await send(viewer, { phones: phone() })).code).toBe(403)
    expect((await viewer.get('blade-resource/sms/outbox')).code).toBe(403)
    const other = await world.tenant()
    expect((await enable(other, row.id)).code).toBe(404)
    expect((await send(other, { phones: phone(), code: 'S-outbox' })).msg).toContain('没有编号为')
    await inTenant(services.pool, other.tenantId, async (tx) =>
      expect(await tx.run(sql`select 1 from sms_log where tenant_id = ${admin.tenantId}`)).toEqual([]),
    )
  })
})
