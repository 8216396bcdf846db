import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Services } from '../src/kernel/services.ts'
import { accessKey, type Gateway, makeGateway, secretKey } from './sms-gateway.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

// What the tests of text messages share: a server, a gateway that it may call, and what a person does with both.

export let world: World
export let gateway: Gateway
/** The same server, allowed to call the gateway, with what it logs. */
export let services: Services
export const logged: string[] = []

/** Sets all of it up for a test file. */
export function useSms(): void {
  beforeAll(async () => {
    world = await makeWorld()
    gateway = await makeGateway()
    const write = (message: string, facts?: Record<string, unknown>): unknown =>
      logged.push(message + JSON.stringify(facts))
    services = { ...gateway.reach(world.services), log: { info: write, warn: write, error: write } }
  })
  afterAll(async () => {
    gateway?.close()
    await world?.close()
  })
  beforeEach(() => {
    gateway.arrived.length = 0
    gateway.forged.length = 0
    logged.length = 0
  })
}

const kinds: Readonly<Record<string, Record<string, string>>> = {
  yunpian: { category: '1', content: '您的验证码是#code#', signName: '实验学校' },
  qiniu: { category: '2', templateId: '1160128769213' },
  aliyun: { category: '3', templateId: 'SMS_71390007', signName: '实验学校' },
  tencent: { category: '4', templateId: '449739', signName: '实验学校', appId: '1400006666' },
  gateway: { category: '5', content: '验证码 #code#', signName: '实验学校' },
  outbox: { category: '6', content: '验证码 #code#,5分钟内有效', signName: '实验学校' },
}

export async function service(admin: Person, kind: string, more: Record<string, unknown> = {}): Promise<Row> {
  const answer = await admin.post<Row>('blade-resource/sms/submit', {
    smsCode: `S-${kind}`,
    accessKey,
    secretKey,
    ...(kind === 'outbox' ? {} : { endpoint: gateway.address(`/${kind}`) }),
    ...kinds[kind],
    ...more,
  })
  expect(answer.msg).toBe('操作成功')
  return answer.data
}

export const enable = (admin: Person, id: string) =>
  admin.post('blade-resource/sms/enable', undefined, { query: { id } })

export async function tenantWith(kind: string): Promise<Person> {
  const admin = await world.tenant()
  expect((await enable(admin, (await service(admin, kind)).id)).code).toBe(200)
  return admin
}

let numbers = 0
export const phone = (): string => `138${String(10_000_000 + ++numbers)}`

export const send = (who: Person, query: Record<string, string>, headers?: Record<string, string>) =>
  who.post<{ ids: string[] }>('blade-resource/sms/endpoint/send-message', undefined, {
    query: { params: '{"code":"731946"}', ...query },
    ...(headers ? { headers } : {}),
  })

interface LogRow {
  state: string
  tries: number
  failure: string | null
  message_id: string | null
  payload: Buffer | null
  wait: number | null
}
export const logOf = async (tenantId: string, id: string): Promise<LogRow> =>
  (
    await world.owner.query<LogRow>(
      `select state, tries, failure, message_id, payload, extract(epoch from next_try - now())::float8 as wait from sms_log where tenant_id = $1 and id = $2`,
      [tenantId, id],
    )
  ).rows[0]!

/** Lets the time until the next attempt pass. */
export const wait = (tenantId: string) =>
  world.owner.query(
    `update sms_log set next_try = now() - interval '1 s' where tenant_id = $1 and next_try is not null`,
    [tenantId],
  )
