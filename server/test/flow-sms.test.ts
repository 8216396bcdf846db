import { describe, expect, it } from 'vitest'
import { deliverDue } from '../src/modules/sms/index.ts'
import { bpmn, deploy, history, people, start, step, waits } from './flow-parts.ts'
import { phone, services, tenantWith, useSms, world } from './sms-parts.ts'
import type { Person } from './world.ts'

useSms()

const told = (account: string, service: string): string =>
  `<serviceTask id="v" name="短信通知"><extensionElements><db:action kind="sms" template="${service}"><db:to kind="account" names="${account}"/></db:action></extensionElements></serviceTask>`
const model = (account: string, service: string): string =>
  bpmn('start -> v -> one -> end', told(account, service) + step('one', 'li'), { key: 'sms' })

/** Gives somebody a number, by the form of users. */
async function callable(admin: Person, { userId }: Person): Promise<string> {
  const number = phone()
  const saved = await admin.post('blade-user/submit', { id: userId, phone: number })
  expect(saved.code, saved.msg).toBe(200)
  return number
}

describe('R-FLOW-2 a service task that sends a text message', () => {
  it('reaches each person once', async () => {
    const admin = await tenantWith('outbox')
    const at = await people(world, admin, 'zhang', 'li')
    const number = await callable(admin, at.li)
    await start(at.zhang, await deploy(admin, model('li,li', 'S-outbox')))
    expect(await waits(at.li)).toEqual(['one'])
    expect(await deliverDue(services, admin.tenantId)).toBe(1)
    const log = await admin.get<{ records: { phone: string; purpose: string }[] }>('blade-resource/smslog/list')
    expect(log.data.records).toHaveLength(1)
    expect(log.data.records[0]!.phone.slice(-2)).toBe(number.slice(-2))
  })

  it('whom nobody can call stands as an incident that says so', async () => {
    const admin = await tenantWith('outbox')
    const at = await people(world, admin, 'zhang', 'li')
    const instance = await start(at.zhang, await deploy(admin, model('li', 'S-outbox')))
    const stands = (await history(at.zhang, instance)).find(({ state }) => state === 'incident')
    expect(stands?.incident?.zh).toContain('都没有手机号码')
    await callable(admin, at.li)
    const retry = await admin.post('blade-flow/follow/retry', undefined, { query: { processInstanceId: instance } })
    expect(retry.code, retry.msg).toBe(200)
    expect(await waits(at.li)).toEqual(['one'])
  })
})
