import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp } from '../src/app.ts'
import type { Log } from '../src/kernel/log.ts'
import { checkOf, openPair } from '../src/modules/auth/tokens.ts'
import { makeDoor, password, type TokenAnswer } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

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

const fresh = async (): Promise<{ admin: Person; first: TokenAnswer }> => {
  const admin = await world.tenant()
  return { admin, first: await door.logIn(admin.tenantId, 'admin', password) }
}
const info = async (token: string): Promise<number> =>
  (await world.call('GET', 'blade-auth/oauth/user-info', token)).status
const back = (token: string, seconds: number) =>
  world.owner.query(`update refresh_token set used_at = used_at - $2 * interval '1 second' where hash = $1`, [
    world.services.cipher.token(token),
    seconds,
  ])
const refused = {
  status: 400,
  error: 'invalid_grant',
  error_description: '登录已失效，请重新登录',
  code: 400,
  success: false,
  msg: '登录已失效，请重新登录',
}
const sessionOf = async (answer: TokenAnswer) =>
  (await world.owner.query('select * from session where id = $1', [answer.jti])).rows[0]

describe('R-AUTH-6 a refresh', () => {
  it('ISSUE-13-C11 is none by a token whose hash was put beside the session of another', async () => {
    const mine = await fresh()
    const theirs = await fresh()
    const hash = world.services.cipher.token(mine.first.refresh_token)
    // The two are of one tenant as far as the row goes: only the session that it names is another one.
    const again = await door.logIn(mine.admin.tenantId, 'admin', password)
    await world.owner.query('delete from refresh_token where hash = $1', [
      world.services.cipher.token(again.refresh_token),
    ])
    await world.owner.query('update refresh_token set session_id = $2 where hash = $1', [hash, again.jti])
    const answer = await door.refresh(mine.first.refresh_token, {}, { tenantId: mine.admin.tenantId })
    expect(answer).toMatchObject({ status: refused.status, error: refused.error })
    expect((await door.refresh(theirs.first.refresh_token, {}, { tenantId: theirs.admin.tenantId })).status).toBe(200)
  })

  it('exchanges both tokens; the former access token goes on for 30 seconds', async () => {
    const { admin, first } = await fresh()
    const second = await door.refresh(first.refresh_token, { via: 'form' }, { tenantId: admin.tenantId })
    expect([second.status, second.expires_in, second.jti, second.user_id]).toEqual([
      200,
      3600,
      first.jti,
      first.user_id,
    ])
    expect(second.access_token).not.toBe(first.access_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect([await info(first.access_token), await info(second.access_token)]).toEqual([200, 200])
    const left = await world.owner.query(
      'select extract(epoch from prev_access_until - now())::float as s from session where id = $1',
      [first.jti],
    )
    expect(left.rows[0].s).toBeGreaterThan(25)
    expect(left.rows[0].s).toBeLessThanOrEqual(30)
    await world.owner.query(`update session set prev_access_until = now() - interval '1 millisecond' where id = $1`, [
      first.jti,
    ])
    expect([await info(first.access_token), await info(second.access_token)]).toEqual([401, 200])
  })

  it('does not lengthen the life of an access token that had already ended', async () => {
    const { first } = await fresh()
    await world.owner.query(`update session set access_expires = now() - interval '1 second' where id = $1`, [
      first.jti,
    ])
    expect(await info(first.access_token)).toBe(401)
    expect((await door.refresh(first.refresh_token)).status).toBe(200)
    expect(await info(first.access_token)).toBe(401)
  })

  it('slides for 7 days and ends 30 days after log-in', async () => {
    const { first } = await fresh()
    const days = async (): Promise<number[]> =>
      (
        await world.owner.query(
          `select extract(epoch from expires - now())::float / 86400 as d from refresh_token where session_id = $1 order by created_at`,
          [first.jti],
        )
      ).rows.map((row) => Math.round(row.d * 100) / 100)
    expect(await days()).toEqual([7])
    await world.owner.query(
      `update refresh_token set expires = now() + interval '1 day', created_at = now() - interval '6 days' where session_id = $1`,
      [first.jti],
    )
    const second = await door.refresh(first.refresh_token)
    expect(await days()).toEqual([1, 7])
    await world.owner.query(`update session set absolute_expires = now() + interval '12 hours' where id = $1`, [
      first.jti,
    ])
    const third = await door.refresh(second.refresh_token)
    expect([third.status, (await days()).at(-1)]).toEqual([200, 0.5])
    await world.owner.query(`update session set absolute_expires = now() + interval '10 minutes' where id = $1`, [
      first.jti,
    ])
    expect((await door.refresh(third.refresh_token)).expires_in).toBeLessThanOrEqual(600)
    await world.owner.query(`update session set absolute_expires = now() where id = $1`, [first.jti])
    expect(await door.refresh(third.refresh_token)).toEqual(refused)
  })

  it('takes the lifetimes of its client, and serves no other', async () => {
    const admin = await world.tenant()
    await world.owner.query(
      `insert into client (id, client_id, client_secret_hash, access_token_validity, refresh_token_validity) values (72, 'short-lived', sha256('another-secret'), 120, 600)`,
    )
    const other = { client: 'short-lived:another-secret' }
    const first = await door.logIn(admin.tenantId, 'admin', password, other)
    expect([first.expires_in, first.client_id]).toEqual([120, 'short-lived'])
    expect(await door.refresh(first.refresh_token)).toEqual(refused)
    expect((await door.refresh(first.refresh_token, other)).expires_in).toBe(120)
  })

  type Refused = [string, (given: { admin: Person; first: TokenAnswer }) => Promise<TokenAnswer>]
  const change =
    (statement: string) =>
    async ({ admin, first }: { admin: Person; first: TokenAnswer }) => {
      await world.owner.query(
        statement.replaceAll(':tenant', `'${admin.tenantId}'`).replaceAll(':session', String(first.jti)),
      )
      return door.refresh(first.refresh_token)
    }
  const cases: Refused[] = [
    ['an access token', ({ first }) => door.refresh(first.access_token)],
    ['a JWT', () => door.refresh('eyJhbGciOiJIUzI1NiJ9.eyJ0b2tlbl90eXBlIjoicmVmcmVzaF90b2tlbiJ9.c2ln')],
    ['a token with a wrong check', ({ first }) => door.refresh(`${first.refresh_token.slice(0, -4)}0000`)],
    ['the token under another tenant', ({ first }) => door.refresh(first.refresh_token, {}, { tenantId: '000000' })],
    [
      'the token under another tenant in the header',
      ({ first }) => door.refresh(first.refresh_token, { headers: { 'tenant-id': '000000' } }),
    ],
    [
      'the token written for another tenant',
      ({ admin, first }) => door.refresh(first.refresh_token.replace(admin.tenantId, '000000')),
    ],
    [
      'a token that nobody was given',
      ({ admin }) => {
        const rest = `bsr_${admin.tenantId}_${randomBytes(32).toString('base64url')}`
        return door.refresh(rest + checkOf(rest))
      },
    ],
    ['a token past its end', change(`update refresh_token set expires = now() where session_id = :session`)],
    ['a disabled user', change(`update app_user set status = 0 where tenant_id = :tenant`)],
    ['a disabled tenant', change(`update tenant set status = 0 where tenant_id = :tenant`)],
    ['an expired tenant', change(`update tenant set expire_time = now() where tenant_id = :tenant`)],
    ['a session that was ended', change(`update session set revoked_at = now() where id = :session`)],
    [
      'a session that was logged out',
      async ({ first }) => {
        expect((await world.call('GET', 'blade-auth/oauth/logout', first.access_token)).status).toBe(200)
        return door.refresh(first.refresh_token)
      },
    ],
  ]
  it.each(cases)('of %s is refused in the same words', async (_title, ask) => {
    const given = await fresh()
    const rows = async () => (await world.owner.query('select count(*)::int as n from refresh_token')).rows[0].n
    const before = await rows()
    expect(await ask(given)).toEqual(refused)
    expect(await rows()).toBe(before)
  })

  it('of a wrong client is refused before anything else', async () => {
    const { first } = await fresh()
    expect((await door.refresh(first.refresh_token, { client: 'saber:saber_secret' })).error).toBe('invalid_client')
    expect((await door.token({ grant_type: 'refresh_token' })).msg).toBe('缺少必要的请求参数：refresh_token')
    expect((await door.refresh(first.refresh_token)).status).toBe(200)
  })
})

describe('R-AUTH-6 E14 several tabs', () => {
  it('presenting one token at once get one and the same successor, and nobody is logged out', async () => {
    const { first } = await fresh()
    let presented = first
    for (let wave = 1; wave <= 3; wave += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => door.refresh(presented.refresh_token)))
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect(new Set(answers.map((answer) => `${answer.access_token} ${answer.refresh_token}`)).size).toBe(1)
      presented = answers[0]!
      expect(await info(presented.access_token)).toBe(200)
      expect((await world.owner.query('select 1 from refresh_token where session_id = $1', [first.jti])).rowCount).toBe(
        1 + wave,
      )
    }
    expect((await sessionOf(first)).revoked_at).toBeNull()
  })

  it('of which one is late get the newest pair', async () => {
    const { first } = await fresh()
    const second = await door.refresh(first.refresh_token)
    const third = await door.refresh(second.refresh_token)
    const late = await door.refresh(first.refresh_token)
    expect([late.access_token, late.refresh_token]).toEqual([third.access_token, third.refresh_token])
    expect(await info(late.access_token)).toBe(200)
  })

  it('leave nothing in the table that opens without the token', async () => {
    const { first } = await fresh()
    const second = await door.refresh(first.refresh_token)
    const { rows } = await world.owner.query(
      'select r::text as whole, successor, encode(hash, $2) as hash from refresh_token r where session_id = $1 and used_at is not null',
      [first.jti, 'hex'],
    )
    expect(openPair(rows[0].successor, first.refresh_token)).toEqual({
      access: second.access_token,
      refresh: second.refresh_token,
    })
    for (const other of [rows[0].hash, second.refresh_token, first.access_token])
      expect(() => openPair(rows[0].successor, other)).toThrow()
    expect(rows[0].whole).not.toContain(Buffer.from(second.access_token).toString('hex').slice(20, 60))
    await back(first.refresh_token, 31)
    await door.refresh(second.refresh_token)
    const kept = await world.owner.query('select successor from refresh_token where hash = $1', [
      world.services.cipher.token(first.refresh_token),
    ])
    expect(kept.rows[0].successor).toBeNull()
  })
})

describe('R-AUTH-6 reuse after the grace', () => {
  it('ends the whole session and is logged, without the token', async () => {
    const lines: string[] = []
    const write = (kind: string) => (message: string, facts?: object) =>
      lines.push(JSON.stringify({ kind, message, ...facts }))
    const log: Log = { info: write('info'), warn: write('warn'), error: write('error') }
    const http = makeApp({ ...world.services, log })
    const { admin, first } = await fresh()
    const elsewhere = await door.logIn(admin.tenantId, 'admin', password)
    const second = await door.refresh(first.refresh_token, { http })
    await back(first.refresh_token, 29)
    expect((await door.refresh(first.refresh_token, { http })).access_token).toBe(second.access_token)
    expect(lines).toEqual([])
    await back(first.refresh_token, 2)
    expect(await door.refresh(first.refresh_token, { http })).toEqual(refused)
    expect((await sessionOf(first)).revoked_reason).toBe('reuse')
    expect([await info(first.access_token), await info(second.access_token)]).toEqual([401, 401])
    expect(await door.refresh(second.refresh_token, { http })).toEqual(refused)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ kind: 'warn', tenantId: admin.tenantId, sessionId: first.jti })
    expect(lines[0]).not.toContain('bsr_')
    // Another log-in of the same person is another family.
    expect(await info(elsewhere.access_token)).toBe(200)
    expect((await door.refresh(elsewhere.refresh_token)).status).toBe(200)
    await http.close()
  })
})
