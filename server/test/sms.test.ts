import { describe, expect, it } from 'vitest'
import { inTenant } from '../src/database/transaction.ts'
import { deliverDue, sendSms, startSms } from '../src/modules/sms/index.ts'
import { accessKey } from './sms-gateway.ts'
import { gateway, logged, logOf, phone, send, service, services, tenantWith, useSms, wait, world } from './sms-parts.ts'
import type { Row } from './world.ts'

useSms()

describe('sending', () => {
  it.each(['yunpian', 'qiniu', 'aliyun', 'tencent', 'gateway'])(
    '%s: signed as it asks, sent once, receipt kept',
    async (kind) => {
      const admin = await tenantWith(kind)
      const number = phone()
      const { data } = await send(admin, { phones: number })
      expect(gateway.arrived).toHaveLength(0)
      await deliverDue(services, admin.tenantId)
      await deliverDue(services, admin.tenantId)
      expect(gateway.forged).toEqual([])
      expect(gateway.arrived).toHaveLength(1)
      const { url, body } = gateway.arrived[0]!
      const carried = decodeURIComponent(url.search + body.replaceAll('+', ' '))
      for (const part of [number, '731946']) expect(carried).toContain(part)
      const row = await logOf(admin.tenantId, data.ids[0]!)
      expect(row).toMatchObject({ state: '1', tries: 1, failure: null, payload: null })
      expect(row.message_id).toMatch(/^\S{3,}$/)
      const listed = (await admin.get<{ records: Row[] }>('blade-resource/smslog/list')).data.records
      expect(listed).toHaveLength(1)
      expect(listed[0]).toMatchObject({
        phone: `*********${number.slice(-2)}`,
        smsCode: `S-${kind}`,
        state: '1',
        tries: 1,
      })
    },
  )

  it('the words of each service are its own: what it takes for temporary is tried again, a refusal is not', async () => {
    for (const kind of ['yunpian', 'qiniu', 'aliyun', 'tencent', 'gateway']) {
      const admin = await tenantWith(kind)
      gateway.manner(`/${kind}`, 'throttled', 'refused')
      const id = (await send(admin, { phones: '13800000001' })).data.ids[0]!
      await deliverDue(services, admin.tenantId)
      const first = await logOf(admin.tenantId, id)
      expect([kind, first.state, first.tries]).toEqual([kind, '2', 1])
      expect(first.wait).toBeGreaterThan(7)
      expect(first.wait).toBeLessThan(11)
      expect(await deliverDue(services, admin.tenantId)).toBe(0)
      await wait(admin.tenantId)
      await deliverDue(services, admin.tenantId)
      expect([kind, await logOf(admin.tenantId, id)]).toMatchObject([
        kind,
        { state: '3', tries: 2, payload: null, wait: null },
      ])
      await wait(admin.tenantId)
      expect(await deliverDue(services, admin.tenantId)).toBe(0)
      gateway.manner(`/${kind}`, 'ok')
    }
    expect(gateway.forged).toEqual([])
  })

  it('gives up after the fourth attempt, having waited 10, 60 and 300 seconds', async () => {
    const admin = await tenantWith('gateway')
    gateway.manner('/gateway', 'broken')
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    const waits: (number | null)[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await deliverDue(services, admin.tenantId)
      const { wait: seconds } = await logOf(admin.tenantId, id)
      waits.push(seconds === null ? null : Math.round(seconds / 10) * 10)
      await wait(admin.tenantId)
    }
    expect(waits).toEqual([10, 60, 300, null])
    expect(await logOf(admin.tenantId, id)).toMatchObject({ state: '3', tries: 4, payload: null })
    expect(gateway.arrived).toHaveLength(4)
    gateway.manner('/gateway', 'ok')
  })

  it('repeats an attempt of which nothing is known under the same name, so that the service can tell', async () => {
    const admin = await tenantWith('gateway')
    gateway.manner('/gateway', 'cut', 'ok')
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    await deliverDue(services, admin.tenantId)
    expect(await logOf(admin.tenantId, id)).toMatchObject({ state: '2', tries: 1 })
    await wait(admin.tenantId)
    await deliverDue(services, admin.tenantId)
    expect(gateway.arrived.map(({ headers }) => headers['idempotency-key'])).toEqual([id, id])
    expect(await logOf(admin.tenantId, id)).toMatchObject({ state: '1', tries: 2 })

    const other = await tenantWith('aliyun')
    gateway.arrived.length = 0
    gateway.manner('/aliyun', 'cut', 'nonce')
    const doubtful = (await send(other, { phones: phone() })).data.ids[0]!
    await deliverDue(services, other.tenantId)
    await wait(other.tenantId)
    await deliverDue(services, other.tenantId)
    expect(await logOf(other.tenantId, doubtful)).toMatchObject({ state: '1', tries: 2, message_id: null })
    expect(new Set(gateway.arrived.map(({ headers }) => headers['x-acs-signature-nonce'])).size).toBe(1)
    // After a plain no the next attempt is a new one.
    gateway.arrived.length = 0
    gateway.manner('/aliyun', 'throttled', 'ok')
    await send(other, { phones: phone() })
    await deliverDue(services, other.tenantId)
    await wait(other.tenantId)
    await deliverDue(services, other.tenantId)
    expect(new Set(gateway.arrived.map(({ headers }) => headers['x-acs-signature-nonce'])).size).toBe(2)
    gateway.manner('/aliyun', 'ok')
  })

  it('does not wait for ever for a service that answers slowly', { timeout: 30_000 }, async () => {
    const admin = await tenantWith('gateway')
    gateway.manner('/gateway', 'slow')
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    const began = Date.now()
    await deliverDue(services, admin.tenantId)
    expect(Date.now() - began).toBeLessThan(12_000)
    const row = await logOf(admin.tenantId, id)
    expect(row.state).toBe('2')
    expect(row.failure).toContain('没有按时回答')
    gateway.manner('/gateway', 'ok')
  })

  it('a process that ends between sending and noting leaves a message that is tried again, and the log says so', async () => {
    const admin = await tenantWith('gateway')
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    const leased = (until: string) =>
      world.owner.query(`update sms_log set tries = 1, leased_until = now() + $2::interval where id = $1`, [id, until])
    await leased('30 s')
    expect(await deliverDue(services, admin.tenantId)).toBe(0)
    await leased('-1 s')
    expect(await deliverDue(services, admin.tenantId)).toBe(1)
    const row = await logOf(admin.tenantId, id)
    expect(row).toMatchObject({ state: '1', tries: 2 })
    expect(row.failure).toContain('发送被中断')
  })

  it('is done once by several workers at the same time', async () => {
    const admin = await tenantWith('gateway')
    await inTenant(services.pool, admin.tenantId, async (tx) => {
      for (let n = 0; n < 20; n += 1)
        await sendSms(tx, services, {
          tenantId: admin.tenantId,
          phone: phone(),
          purpose: 'notice',
          params: { code: '1' },
        })
    })
    const done = await Promise.all([1, 2, 3].map(() => deliverDue(services, admin.tenantId)))
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(20)
    expect(gateway.arrived).toHaveLength(20)
    expect(new Set(gateway.arrived.map(({ headers }) => headers['idempotency-key'])).size).toBe(20)
  })

  it('never happens for a transaction that was rolled back', async () => {
    const admin = await tenantWith('gateway')
    const broken = inTenant(services.pool, admin.tenantId, async (tx) => {
      await sendSms(tx, services, { tenantId: admin.tenantId, phone: phone(), purpose: 'code', params: { code: '1' } })
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    expect(await deliverDue(services, admin.tenantId)).toBe(0)
    expect(gateway.arrived).toHaveLength(0)
  })

  it('starts by itself soon after it was asked for, and shows the text in the outbox of its own tenant alone', async () => {
    const [admin, other] = [await tenantWith('outbox'), await tenantWith('outbox')]
    const stop = startSms(services)
    try {
      const began = Date.now()
      const id = (await send(admin, { phones: phone(), purpose: 'test' })).data.ids[0]!
      while ((await logOf(admin.tenantId, id)).state !== '1' && Date.now() - began < 5_000)
        await new Promise((done) => setTimeout(done, 20))
      expect(Date.now() - began).toBeLessThan(3_000)
    } finally {
      await stop()
    }
    const shown = (await admin.get<Row[]>('blade-resource/sms/outbox')).data
    expect(shown.map(({ text }) => text)).toEqual(['【实验学校】验证码 731946,5分钟内有效'])
    expect(shown[0]!.phone).toContain('****')
    expect((await other.get<Row[]>('blade-resource/sms/outbox')).data).toEqual([])
  })

  it('is found in every tenant by a worker that was told of none', async () => {
    const admin = await tenantWith('gateway')
    await send(admin, { phones: phone() })
    const { rows } = await world.services.platform.query<{ code: string }>('select code from sms_waiting() code')
    expect(rows.map(({ code }) => code)).toContain(admin.tenantId)
    await deliverDue(services, admin.tenantId)
    const later = await world.services.platform.query<{ code: string }>('select code from sms_waiting() code')
    expect(later.rows.map(({ code }) => code)).not.toContain(admin.tenantId)
  })
})

describe('what is kept and told', () => {
  it('no number and no code stands in a log, even where the service repeats them', async () => {
    const admin = await tenantWith('aliyun')
    gateway.manner('/aliyun', 'refused')
    const id = (await send(admin, { phones: '13800000001' })).data.ids[0]!
    await deliverDue(services, admin.tenantId)
    gateway.manner('/aliyun', 'ok')
    const row = await logOf(admin.tenantId, id)
    expect(row.failure).toContain('isv.MOBILE_NUMBER_ILLEGAL')
    const { rows } = await world.owner.query<{ line: string }>(
      'select to_jsonb(l)::text as line from sms_log l where id = $1',
      [id],
    )
    for (const place of [
      rows[0]!.line,
      logged.join('\n'),
      JSON.stringify(await admin.get('blade-resource/smslog/list')),
    ]) {
      expect(place).not.toContain('13800000001')
      expect(place).not.toContain('731946')
    }
    expect(logged.join()).toContain('given up')
  })

  it('keys are sealed, never answered, and go nowhere they were not entered for', async () => {
    const admin = await world.tenant()
    const row = await service(admin, 'yunpian')
    expect(JSON.stringify(row)).not.toContain(accessKey)
    const { rows } = await world.owner.query<{ line: string }>(
      'select to_jsonb(s)::text as line from sms s where id = $1',
      [row.id],
    )
    expect(rows[0]!.line).not.toContain(Buffer.from(accessKey).toString('hex'))
    const change = (more: object) =>
      admin.post<Row>('blade-resource/sms/submit', { id: row.id, accessKey: '******', secretKey: '******', ...more })
    const moved = await change({ endpoint: 'https://evil.example.com/' })
    expect(moved.code).toBe(400)
    expect(moved.msg).toContain('须重新填写')
    expect((await change({ remark: '换了备注' })).code).toBe(200)
    expect(
      (await change({ endpoint: 'https://sms.example.com/', accessKey: 'new-key', secretKey: 'new-key' })).code,
    ).toBe(200)
  })

  it('a key that another kind of service has no use for is dropped, and one that it needs is asked for', async () => {
    const admin = await world.tenant()
    const row = await service(admin, 'aliyun')
    const keys = async () =>
      (await world.owner.query('select access_key, secret_key from sms where id = $1', [row.id])).rows[0]
    const become = (category: string, more: object = {}) =>
      admin.post<{ fields: { field: string }[] }>('blade-resource/sms/submit', { id: row.id, category, ...more })
    expect((await become('4')).data.fields.map(({ field }) => field)).toEqual(['accessKey', 'secretKey'])
    expect((await become('6', { content: '#code#' })).code).toBe(200)
    expect(await keys()).toEqual({ access_key: null, secret_key: null })
  })

  it('a text is wiped from the outbox after a day', async () => {
    const admin = await tenantWith('outbox')
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    await deliverDue(services, admin.tenantId)
    expect((await logOf(admin.tenantId, id)).payload).not.toBeNull()
    await world.owner.query(`update sms_log set create_time = now() - interval '25 hours' where id = $1`, [id])
    expect((await admin.get<Row[]>('blade-resource/sms/outbox')).data).toEqual([])
    await send(admin, { phones: phone() })
    await deliverDue(services, admin.tenantId)
    expect((await logOf(admin.tenantId, id)).payload).toBeNull()
  })

  it('the outbox is refused in production', async () => {
    const admin = await tenantWith('outbox')
    const strict = { ...services, environment: { ...services.environment, smsOutbox: false } }
    const asked = inTenant(services.pool, admin.tenantId, (tx) =>
      sendSms(tx, strict, { tenantId: admin.tenantId, phone: phone(), purpose: 'code' }),
    )
    await expect(asked).rejects.toMatchObject({ problem: 'rule_broken' })
    const id = (await send(admin, { phones: phone() })).data.ids[0]!
    await deliverDue(strict, admin.tenantId)
    expect(await logOf(admin.tenantId, id)).toMatchObject({ state: '3', payload: null })
  })
})
