import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inTenant } from '../src/database/transaction.ts'
import type { Services } from '../src/kernel/services.ts'
import { sentSweep } from '../src/modules/log/index.ts'
import { askMail, deliverMail, startMail } from '../src/modules/mail/index.ts'
import { account, type MailHost, makeMailHost, password } from './mail-server.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let host: MailHost
let services: Services

beforeAll(async () => {
  world = await makeWorld()
  host = await makeMailHost()
  const environment = { ...world.services.environment, outboundAllow: [`127.0.0.1:${host.port}`] }
  services = { ...world.services, environment }
  Object.assign(world.services.environment, { outboundAllow: environment.outboundAllow })
})
afterEach(() => {
  host.taken.length = 0
  host.manners.length = 0
  host.during = undefined
})
afterAll(async () => {
  await host?.close()
  await world?.close()
})

const draft = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  mailCode: 'M1',
  host: '127.0.0.1',
  port: host.port,
  encryption: '3',
  account,
  password,
  fromAddress: 'office@school.example',
  fromName: '教务处',
  perMinute: 100,
  perDay: 1_000,
  ...more,
})
const enable = (admin: Person, id: string) => admin.post('blade-resource/mail/enable', undefined, { query: { id } })

async function tenantWith(more: Record<string, unknown> = {}): Promise<{ admin: Person; service: Row }> {
  const admin = await world.tenant()
  const answer = await admin.post<Row>('blade-resource/mail/submit', draft(more))
  expect(answer.msg).toBe('操作成功')
  expect((await enable(admin, answer.data.id)).code).toBe(200)
  return { admin, service: answer.data }
}

let letters = 0
const ask = ({ tenantId }: Person, more: { to?: string; requestKey?: string } = {}): Promise<string> =>
  inTenant(services.pool, tenantId, (tx) =>
    askMail(tx, services, {
      tenantId,
      to: `reader${++letters}@school.example`,
      subject: '周报已生成',
      text: `第${letters}封`,
      purpose: 'notice',
      ...more,
    }),
  )

interface LogRow {
  readonly state: string
  readonly tries: number
  readonly answer: string | null
  readonly payload: Buffer | null
  readonly wait: number | null
}
const logOf = async ({ tenantId }: Person, id: string): Promise<LogRow> =>
  (
    await world.owner.query<LogRow>(
      'select state, tries, answer, payload, round(extract(epoch from next_try - now()))::float8 as wait from mail_log where tenant_id = $1 and id = $2',
      [tenantId, id],
    )
  ).rows[0]!
/** Lets the time until the next attempt, or until a lease ends, pass. */
const passTime = async ({ tenantId }: Person): Promise<void> => {
  await world.owner.query(
    `update mail_log set next_try = case when next_try is not null then least(next_try, now() - interval '1 s') end, leased_until = leased_until - interval '1 h' where tenant_id = $1`,
    [tenantId],
  )
  await world.owner.query(
    `update mail set paused_until = now() - interval '1 s' where tenant_id = $1 and paused_until is not null`,
    [tenantId],
  )
}
const messagesOf = async (person: Person): Promise<string[]> =>
  (
    await world.owner.query<{ title: string }>(`select title from inbox where tenant_id = $1 and kind = 'mail-fault'`, [
      person.tenantId,
    ])
  ).rows.map(({ title }) => title)

describe('R-DEV-7 mail is sent once', () => {
  it('R-DEV-7 by two workers at once, each letter exactly once, and its address is masked in the log', async () => {
    const { admin } = await tenantWith()
    const ids: string[] = []
    for (let n = 0; n < 12; n += 1) ids.push(await ask(admin))
    expect(host.taken).toHaveLength(0)
    await Promise.all([deliverMail(services, admin.tenantId), deliverMail(services, admin.tenantId)])
    expect(new Set(host.taken.map(({ to }) => to)).size).toBe(12)
    expect(host.taken).toHaveLength(12)
    for (const id of ids) expect(await logOf(admin, id)).toMatchObject({ state: '1', tries: 1, payload: null })
    const { records } = (await admin.get<{ records: Row[] }>('blade-resource/maillog/list', { size: 50 })).data
    expect(records).toHaveLength(12)
    expect(records[0]).toMatchObject({ subject: '周报已生成', recipient: expect.stringMatching(/^\*+le$/) })
  })

  it('R-DEV-7 not again once its first byte may have been sent: a lease that runs out then leaves it unknown', async () => {
    const { admin } = await tenantWith()
    host.manners.push('cut')
    const cut = await ask(admin)
    await deliverMail(services, admin.tenantId)
    expect(await logOf(admin, cut)).toMatchObject({ state: '4', payload: null })
    // A process that was killed between the mark and the answer, and one that was killed before the mark.
    const killed = await ask(admin)
    const early = await ask(admin)
    await world.owner.query(
      `update mail_log set tries = 1, leased_until = now() + interval '1 minute', begun_at = case when id = $2 then now() end where tenant_id = $1 and id in ($2, $3)`,
      [admin.tenantId, killed, early],
    )
    expect(await deliverMail(services, admin.tenantId)).toBe(0)
    await passTime(admin)
    await deliverMail(services, admin.tenantId)
    await deliverMail(services, admin.tenantId)
    expect(await logOf(admin, killed)).toMatchObject({ state: '4', payload: null })
    expect(await logOf(admin, early)).toMatchObject({ state: '1', tries: 2 })
    expect(host.taken).toHaveLength(2)
  })

  it('R-DEV-7 the mark is committed when the message arrives, and a worker that stalls past its lease doubles nothing', async () => {
    const { admin } = await tenantWith()
    const id = await ask(admin)
    const marked: unknown[] = []
    host.during = async () => {
      const { rows } = await world.owner.query('select begun_at is not null as begun from mail_log where id = $1', [id])
      marked.push(rows[0])
      await passTime(admin)
      expect(await deliverMail(services, admin.tenantId)).toBe(0)
    }
    await deliverMail(services, admin.tenantId)
    expect(marked).toEqual([{ begun: true }])
    expect(await logOf(admin, id)).toMatchObject({ state: '4', tries: 1, payload: null })
    expect(await deliverMail(services, admin.tenantId)).toBe(0)
    expect(host.taken).toHaveLength(1)
  })

  it('R-DEV-7 asked twice with one key it is one, and asked in a transaction that is undone it is none', async () => {
    const { admin } = await tenantWith()
    const first = await ask(admin, { requestKey: 'report-1-2026-11-27' })
    expect(await ask(admin, { requestKey: 'report-1-2026-11-27' })).toBe(first)
    await deliverMail(services, admin.tenantId)
    expect(await ask(admin, { requestKey: 'report-1-2026-11-27' })).toBe(first)
    await deliverMail(services, admin.tenantId)
    expect(host.taken).toHaveLength(1)
  })

  it('R-DEV-7 after a temporary refusal later, with growing pauses; after a plain one never', async () => {
    const { admin } = await tenantWith()
    host.manners.push(451, 452)
    const id = await ask(admin)
    const waits: (number | null)[] = []
    for (let n = 0; n < 3; n += 1) {
      await deliverMail(services, admin.tenantId)
      expect(await deliverMail(services, admin.tenantId)).toBe(0)
      waits.push((await logOf(admin, id)).wait)
      await passTime(admin)
    }
    expect(waits.map((wait) => wait && Math.ceil(wait / 60) * 60)).toEqual([60, 300, null])
    expect(await logOf(admin, id)).toMatchObject({ state: '1', tries: 3 })
    expect(host.taken).toHaveLength(1)

    host.manners.push(554)
    const refused = await ask(admin)
    await deliverMail(services, admin.tenantId)
    await passTime(admin)
    expect(await deliverMail(services, admin.tenantId)).toBe(0)
    expect(await logOf(admin, refused)).toMatchObject({ state: '3', tries: 1, payload: null, wait: null })
    expect((await logOf(admin, refused)).answer).toContain('554')
  })

  it('R-DEV-7 with a wrong password all of it waits, the administrator hears it once, and a right one sends it', async () => {
    const { admin, service } = await tenantWith({ password: 'wrong' })
    const ids = [await ask(admin), await ask(admin), await ask(admin)]
    for (let n = 0; n < 3; n += 1) {
      await deliverMail(services, admin.tenantId)
      // While the service rests nobody logs in.
      expect(await deliverMail(services, admin.tenantId)).toBe(0)
      await passTime(admin)
    }
    for (const id of ids) expect((await logOf(admin, id)).state).toMatch(/^[02]$/)
    expect(await messagesOf(admin)).toEqual(['邮件无法发送，正在等待'])
    const { data } = await admin.get<Row>('blade-resource/mail/detail', { id: service.id })
    expect(data.password).toBe('******')
    expect((await admin.post('blade-resource/mail/submit', { ...data, password })).code).toBe(200)
    await deliverMail(services, admin.tenantId)
    for (const id of ids) expect(await logOf(admin, id)).toMatchObject({ state: '1', tries: 1 })
    expect(host.taken).toHaveLength(3)
  })

  it('R-DEV-7 beyond the limits of its service it waits, and nobody is asked without a service', async () => {
    const { admin } = await tenantWith({ perMinute: 2 })
    for (let n = 0; n < 5; n += 1) await ask(admin)
    await deliverMail(services, admin.tenantId)
    expect(host.taken).toHaveLength(2)
    await world.owner.query(`update mail_log set last_try = last_try - interval '61 s' where tenant_id = $1`, [
      admin.tenantId,
    ])
    await deliverMail(services, admin.tenantId)
    expect(host.taken).toHaveLength(4)
    const none = await world.tenant()
    await expect(ask(none)).rejects.toMatchObject({
      detail: { reason: { en: expect.stringContaining('No mail service') } },
    })
    await expect(ask(admin, { to: 'no address' })).rejects.toThrow()
  })

  it('R-DEV-7 the worker of a server finds what is due by itself', async () => {
    const { admin } = await tenantWith()
    const stop = startMail(services)
    const id = await ask(admin)
    await expect.poll(async () => (await logOf(admin, id)).state, { timeout: 10_000 }).toBe('1')
    await stop()
    expect(host.taken).toHaveLength(1)
  })
})

it('R-DEV-7 what has ended is told of for as long as the tenant keeps its logs; what waits stays', async () => {
  const { admin } = await tenantWith()
  const [old, older, fresh] = [await ask(admin), await ask(admin), await ask(admin)]
  await deliverMail(services, admin.tenantId)
  const waiting = await ask(admin)
  const age = async (id: string, days: number): Promise<void> => {
    await world.owner.query(
      `update mail_log set create_time = now() - make_interval(days => $3) where tenant_id = $1 and id = $2`,
      [admin.tenantId, id, days],
    )
  }
  await age(old!, 200)
  await age(older!, 400)
  await age(waiting, 400)
  await admin.post('blade-system/param/submit', { paramName: '日志', paramKey: 'log.retentionDays', paramValue: '365' })
  await sentSweep.run(services, { signal: new AbortController().signal })
  const left = await world.owner.query<{ id: string }>('select id::text as id from mail_log where tenant_id = $1', [
    admin.tenantId,
  ])
  expect(left.rows.map(({ id }) => id).toSorted()).toEqual([old, fresh, waiting].toSorted())
})

describe('R-DEV-7 the mail service of a tenant', () => {
  const test = (who: Person, id: string, to: string) =>
    who.post<{ ok: number; message: string }>('blade-resource/mail/send-test', undefined, { form: { id, to } } as never)

  it('R-DEV-7 is tested at once, in words, and what was tried stands in the log', async () => {
    const { admin, service } = await tenantWith()
    expect((await test(admin, service.id, 'me@school.example')).data).toMatchObject({ ok: 1 })
    expect(host.taken).toMatchObject([{ to: 'me@school.example', user: account }])
    host.unknown.add('gone@school.example')
    const gone = (await test(admin, service.id, 'gone@school.example')).data
    expect(gone).toMatchObject({ ok: 0, message: expect.stringContaining('收件人被拒绝') })
    expect(gone.message).not.toContain('gone@')
    expect((await test(admin, service.id, 'nobody')).code).toBe(400)
    const { records } = (await admin.get<{ records: Row[] }>('blade-resource/maillog/list')).data
    expect(records.map(({ state }) => state)).toEqual(['3', '1'])
    expect((await test(await world.tenant(), service.id, 'me@school.example')).code).not.toBe(200)
  })

  it('R-DEV-7 lends its password to no other server, shows it to nobody, and only one is enabled', async () => {
    const { admin, service } = await tenantWith()
    const { data } = await admin.get<Row>('blade-resource/mail/detail', { id: service.id })
    for (const change of [{ host: 'other.example' }, { port: 26 }, { encryption: '1' }, { account: 'else' }]) {
      const answer = await admin.post('blade-resource/mail/submit', { ...data, ...change })
      expect([answer.code, answer.msg]).toEqual([400, expect.stringContaining('请重新填写')])
    }
    for (const wrong of ['smtp://x.example', 'x.example:25', 'x.example/', 'a b', ''])
      expect((await admin.post('blade-resource/mail/submit', draft({ mailCode: 'W', host: wrong }))).code).toBe(400)
    const second = await admin.post<Row>('blade-resource/mail/submit', draft({ mailCode: 'M2' }))
    expect((await enable(admin, second.data.id)).code).toBe(200)
    const { records } = (await admin.get<{ records: Row[] }>('blade-resource/mail/list')).data
    expect(records.map(({ mailCode, status }) => [mailCode, status])).toEqual([
      ['M1', 1],
      ['M2', 2],
    ])
    expect((await admin.post('blade-resource/mail/remove', undefined, { query: { ids: second.data.id } })).code).toBe(
      400,
    )
    expect((await admin.post('blade-resource/mail/remove', undefined, { query: { ids: service.id } })).code).toBe(200)
  })
})
