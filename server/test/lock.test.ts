import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wireMd5 } from '../src/kernel/password.ts'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type World } from './world.ts'

let world: World
let door: ReturnType<typeof makeDoor>
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
})
afterAll(async () => {
  door.noSecrets()
  await world.close()
})

const key = (): { key: string; verifier: string } => {
  const bytes = randomBytes(32)
  return { key: bytes.toString('hex'), verifier: createHash('sha256').update(bytes).digest('hex') }
}
const post = (path: string, token: string, form: Record<string, string> = {}) =>
  world.call<{ left: number } | null>('POST', `blade-auth/session/${path}`, token, { form })
const get = async (path: string, token: string): Promise<number> => (await world.call('GET', path, token)).status
const list = (token: string): Promise<number> => get('blade-user/student/list', token)

/** A session of a fresh tenant, locked. */
async function locked() {
  const { tenantId } = await world.tenant()
  const session = await door.logIn(tenantId, 'admin', password)
  const secret = key()
  expect((await post('lock', session.access_token, { verifier: secret.verifier })).status).toBe(200)
  return { tenantId, session, token: session.access_token, ...secret }
}

describe('R-BAR-7 R-NAV-1 a locked session', () => {
  it('is refused every call but who it is, unlocking and log-out, and goes on after the right key', async () => {
    const { tenantId, token, session, key: right } = await locked()
    const other = await door.logIn(tenantId, 'admin', password)
    expect(await list(token)).toBe(423)
    expect((await world.call('GET', 'blade-system/menu/routes', token)).msg).toBe('已锁定，请先解锁')
    expect((await world.call('POST', 'blade-user/student/submit', token, { body: {} })).status).toBe(423)
    expect(await get('blade-auth/oauth/clear-cache', token)).toBe(423)
    expect(await get('blade-auth/oauth/user-info', token)).toBe(200)
    expect(await list(other.access_token)).toBe(200)

    // New tokens are the same session: the exchange opens nothing.
    const next = await door.refresh(session.refresh_token)
    expect(next.status).toBe(200)
    expect(await list(next.access_token)).toBe(423)

    expect((await post('unlock', next.access_token, { key: right })).status).toBe(200)
    expect(await list(next.access_token)).toBe(200)
    expect((await post('unlock', next.access_token, { key: right })).status).toBe(200)
  })

  it('may be ended by log-out', async () => {
    const { token } = await locked()
    expect(await get('blade-auth/oauth/logout', token)).toBe(200)
    expect(await get('blade-auth/oauth/user-info', token)).toBe(401)
  })

  it('ends after five wrong keys, twenty at once included, and the right one is no way back', async () => {
    const { token, key: right } = await locked()
    const first = await post('unlock', token, { key: key().key })
    expect([first.status, first.msg, first.data]).toEqual([400, '锁屏密码错误', { left: 4 }])
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('unlock', token, { key: key().key })))
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(3)
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(17)
    expect((await post('unlock', token, { key: right })).status).toBe(401)
  })

  it('counts wrong keys anew after a right one', async () => {
    const { token, key: right, verifier } = await locked()
    for (let turn = 0; turn < 2; turn++) {
      for (let wrong = 0; wrong < 4; wrong++) await post('unlock', token, { key: key().key })
      expect((await post('unlock', token, { key: right })).status).toBe(200)
      expect((await post('lock', token, { verifier })).status).toBe(200)
    }
    expect(await list(token)).toBe(423)
  })

  it('cannot be given another password by whoever finds it, nor another count', async () => {
    const { token, key: right } = await locked()
    const own = key()
    for (let wrong = 0; wrong < 3; wrong++) await post('unlock', token, { key: own.key })
    await post('lock', token, { verifier: own.verifier })
    expect((await post('unlock', token, { key: own.key })).data).toEqual({ left: 1 })
    expect((await post('unlock', token, { key: right })).status).toBe(200)
  })

  it('opens to the account’s own password, and wrong ones lock the account as at log-in', async () => {
    const { tenantId, token } = await locked()
    expect((await post('unlock', token, { password: wireMd5(password) })).status).toBe(200)
    expect(await list(token)).toBe(200)

    await post('lock', token)
    expect((await post('unlock', token, { key: key().key })).status).toBe(400)
    for (let wrong = 0; wrong < 5; wrong++)
      expect((await post('unlock', token, { password: wireMd5('something else') })).msg).toBe('用户名或密码错误')
    expect((await post('unlock', token, { password: wireMd5(password) })).msg).toContain('失败次数过多')
    expect((await door.logIn(tenantId, 'admin', password)).error_description).toContain('失败次数过多')
    expect(await list(token)).toBe(423)
  })

  it('keeps no key, and takes nothing that is none', async () => {
    const { session, token, key: right, verifier } = await locked()
    const { rows } = await world.owner.query<{ kept: string }>(
      `select to_jsonb(s)::text as kept from session s where id = $1`,
      [session.jti],
    )
    expect(rows[0]?.kept).toContain(verifier)
    expect(rows[0]?.kept).not.toContain(right)
    for (const form of [{ key: 'x' }, { key: right.toUpperCase() }, { key: `${right}0` }, {} as Record<string, string>])
      expect((await post('unlock', token, form)).status).toBe(400)
    expect((await post('lock', token, { verifier: 'abc' })).status).toBe(400)
    // What is no key is no guess either.
    expect((await post('unlock', token, { key: key().key })).data).toEqual({ left: 4 })
  })
})
