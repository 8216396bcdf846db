import { student, studentmessage, studentparents } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverMail } from '../src/modules/mail/index.ts'
import { account, type MailHost, makeMailHost, password } from './mail-server.ts'
import { sample } from './sample.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let host: MailHost
beforeAll(async () => {
  world = await makeWorld()
  host = await makeMailHost()
  Object.assign(world.services.environment, { outboundAllow: [`127.0.0.1:${host.port}`] })
}, 120_000)
afterAll(async () => {
  await host?.close()
  await world?.close()
})

async function service(admin: Person): Promise<void> {
  const made = await admin.post<Row>('blade-resource/mail/submit', {
    ...{ mailCode: 'M1', host: '127.0.0.1', port: host.port, encryption: '3', account, password },
    ...{ fromAddress: 'office@school.example', perMinute: 100, perDay: 1_000 },
  })
  await admin.post('blade-resource/mail/enable', undefined, { query: { id: made.data.id } })
}

interface Place {
  readonly admin: Person
  readonly schoolId: string
  readonly pupils: readonly string[]
  readonly message: (more?: Record<string, unknown>) => Promise<Row>
}
let families = 0
/** A school with two pupils, of whom one has an address; each with a mother who wants mail and a father who may get none. */
async function place(): Promise<Place> {
  const admin = await world.tenant()
  const made = new Map<string, string>()
  const add = async (
    entity: typeof student | typeof studentparents,
    more: Record<string, unknown>,
  ): Promise<string> => {
    const { draft } = await sample(admin, entity, made)
    const answer = await admin.post<Row>(`${entity.path}/submit`, { ...draft, ...more })
    expect(answer.msg).toBe('操作成功')
    return answer.data.id
  }
  const accountOf = async (email: string): Promise<string> => {
    families += 1
    const answer = await admin.post<Row>('blade-user/submit', { account: `family${families}`, realName: '家长', email })
    expect(answer.msg).toBe('操作成功')
    return answer.data.id
  }
  const one = await add(student, { email: 'pupil@family.example' })
  made.set('student', one)
  const two = await add(student, { email: null })
  const mother = await accountOf('mother@family.example')
  const father = await accountOf('father@family.example')
  for (const studentId of [one, two]) {
    const parent = { studentId, notifyEmail: 1, isGuardian: 1, custodyRestricted: 0 }
    await add(studentparents, { ...parent, parentName: '母亲', relation: '52', contactPriority: 1, userId: mother })
    await add(studentparents, {
      ...parent,
      parentName: '父亲',
      contactPriority: 2,
      userId: father,
      custodyRestricted: 1,
    })
  }
  const schoolId = made.get('school')!
  return {
    ...{ admin, schoolId, pupils: [one, two] },
    message: async (more = {}) => {
      const answer = await admin.post<Row>(`${studentmessage.path}/submit`, {
        ...{ schoolId, messageType: '1', title: '家长会', content: '周五下午三点。', targetType: '5', targetIds: null },
        ...{ audience: ['1', '3'], channels: ['3'], ...more },
      })
      expect(answer.msg).toBe('操作成功')
      return answer.data
    },
  }
}
const send = (who: Person, id: string) =>
  who.post<{ mails: number; without: number }>(`${studentmessage.path}/send`, undefined, { query: { id } })
const stateOf = async (who: Person, id: string): Promise<unknown> =>
  (await who.get<Row>(`${studentmessage.path}/detail`, { id })).data.state
const textOf = (raw: string): string =>
  `${raw}\n${Buffer.from(raw.split('\r\n\r\n').slice(1).join(''), 'base64').toString('utf8')}`

describe('R-DEV-7 a message by mail', () => {
  it('R-DEV-7 goes once to each address, not to whose contact is restricted, and is sent when all letters are', async () => {
    const { admin, message } = await place()
    await service(admin)
    const { id } = await message()
    host.taken.length = 0
    // The pupil without an address is told of; the mother of both gets one letter.
    expect((await send(admin, id)).data).toEqual({ mails: 2, without: 1 })
    expect(await stateOf(admin, id)).toBe('2')
    await deliverMail(world.services, admin.tenantId)
    expect(host.taken.map(({ to }) => to).toSorted()).toEqual(['mother@family.example', 'pupil@family.example'])
    expect(textOf(host.taken[0]!.raw)).toContain('周五下午三点')
    expect(await stateOf(admin, id)).toBe('4')
    const again = await send(admin, id)
    expect(again.msg).toContain('已发送')
    const { records } = (await admin.get<{ records: Row[] }>('blade-resource/maillog/list')).data
    expect(records.map(({ subject }) => subject).join()).not.toContain('家长会')
  })

  it('R-DEV-7 of which a letter is refused for good is partly failed, and cannot be changed any more', async () => {
    const { admin, message } = await place()
    await service(admin)
    const { id, version } = await message()
    host.manners.push(554)
    await send(admin, id)
    await deliverMail(world.services, admin.tenantId)
    expect(await stateOf(admin, id)).toBe('5')
    const changed = await admin.post(`${studentmessage.path}/submit`, { id, version: Number(version) + 2, title: '改' })
    expect(changed.msg).toContain('已发送的消息不能修改')
  })

  it('R-DEV-7 says in words why it cannot be sent: no service, another channel, no address, a time to come, another sender', async () => {
    const { admin, pupils, message } = await place()
    const refused = async (row: Row, who = admin): Promise<Answer> => send(who, row.id)
    expect((await refused(await message())).msg).toContain('尚未启用邮件配置')
    await service(admin)
    const before = host.taken.length
    expect((await refused(await message({ channels: ['1', '3'] }))).msg).toContain('只选“邮件”')
    expect((await refused(await message({ channels: ['2'] }))).msg).toContain('只选“邮件”')
    const none = { targetType: '1', targetIds: [pupils[1]], audience: ['1'] }
    expect((await refused(await message(none))).msg).toContain('没有可用的电子邮箱')
    expect((await refused(await message({ sendAt: '2099-01-01 08:00:00' }))).msg).toContain('时间未到')
    const other = await world.colleague(admin, ['studentmessage_view', 'studentmessage_edit', 'student_view'])
    expect((await refused(await message(), other)).msg).toContain('发送人本人')
    const stranger = await world.tenant()
    expect((await refused(await message(), stranger)).status).toBe(404)
    await deliverMail(world.services, admin.tenantId)
    expect(host.taken.length).toBe(before)
  })

  it('R-DEV-7 of some pupils goes to these alone', async () => {
    const { admin, pupils, message } = await place()
    await service(admin)
    const { id } = await message({ targetType: '1', targetIds: [pupils[0]], audience: ['1'] })
    expect((await send(admin, id)).data).toEqual({ mails: 1, without: 0 })
  })
})
