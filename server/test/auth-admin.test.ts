import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEnvironment } from '../src/environment.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { type RunningServer, start } from '../src/start.ts'
import { password } from './auth-door.ts'

const folder = mkdtempSync(join(tmpdir(), 'data-brain-admin-'))
const environment = readEnvironment({ DATA_DIR: folder, ADMIN_PASSWORD: password, DEMO: 'off', LOG_LEVEL: 'silent' })
let server: RunningServer | undefined

beforeAll(async () => {
  server = await start(environment)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `npm run admin` as an operator does, in a process of its own. */
function admin(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/admin.ts'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...env },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

async function logIn(
  account: string,
  secret: string,
): Promise<{ status: number; msg?: string; must_change?: boolean; access_token: string }> {
  const { clientId, clientSecret } = server!.services.secrets
  const answer = await server!.http.inject({
    method: 'POST',
    url: '/api/blade-auth/oauth/token',
    query: { grant_type: 'password', tenantId: '000000', username: account, password: wireMd5(secret) },
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
  })
  return { status: answer.statusCode, ...answer.json() }
}
const info = async (token: string): Promise<number> =>
  (
    await server!.http.inject({
      method: 'GET',
      url: '/api/blade-auth/oauth/user-info',
      headers: { 'blade-auth': `bearer ${token}` },
    })
  ).statusCode
const told = (out: string): string => /password 密码 (\S+)/.exec(out)?.[1] ?? ''

describe('npm run admin, beside a running server', () => {
  it('lists tenants with their administrators, and who is locked', async () => {
    expect((await admin(['list'])).out).toBe('000000  管理组\n        admin  管理员\n')
    for (let count = 0; count < 5; count += 1) await logIn('admin', 'wrong')
    expect((await admin(['list'])).out).toContain('admin  管理员  locked 已锁定')
  })

  it('unlocks an account', async () => {
    expect((await logIn('admin', password)).status).toBe(400)
    expect((await admin(['unlock', '000000', 'Admin'])).out).toBe('unlocked / 已解锁\n')
    expect((await logIn('admin', password)).status).toBe(200)
    expect((await admin(['unlock', '000000', 'admin'])).out).toBe('was not locked / 未被锁定\n')
  })

  it('gives a one-time password, shown once, that must be changed and ends the sessions and the lock', async () => {
    const before = await logIn('admin', password)
    for (let count = 0; count < 5; count += 1) await logIn('admin', 'wrong')
    const { code, out, err } = await admin(['reset-password', '000000', 'admin'])
    expect([code, err]).toEqual([0, ''])
    const fresh = told(out)
    expect(fresh).toMatch(/^[A-Za-z2-9]{16}$/)
    expect(await info(before.access_token)).toBe(401)
    expect((await logIn('admin', password)).status).toBe(400)
    expect(await logIn('admin', fresh)).toMatchObject({ status: 200, must_change: true })
  })

  it('works by DATABASE_URL as well', async () => {
    const {
      host,
      port,
      database,
      user,
      password: secret,
    } = server!.services.pool.options as {
      host: string
      port: number
      database: string
      user: string
      password: string
    }
    // The address of a socket; the app role stands in for an owner, since row-level security binds both alike.
    const url = `postgres://${user}:${secret}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const { out, err } = await admin(['reset-password', '000000', 'admin'], { DATABASE_URL: url })
    expect(err).toBe('')
    expect((await logIn('admin', told(out))).status).toBe(200)
  })

  it('shows the client of the console', async () => {
    const { clientId, clientSecret } = server!.services.secrets
    expect((await admin(['client'])).out).toBe(`client id     ${clientId}\nclient secret ${clientSecret}\n`)
  })

  const wrong: [string, string[], Record<string, string>, RegExp][] = [
    ['no command', [], {}, /reset-password <tenant> <account>/],
    ['an unknown command', ['toString'], {}, /reset-password <tenant> <account>/],
    ['no account', ['reset-password', '000000'], {}, /Name a tenant and an account/],
    ['a tenant that is no code', ['unlock', "0' or 1", 'admin'], {}, /Name a tenant and an account/],
    ['an unknown account', ['reset-password', '000000', 'nobody'], {}, /There is no such account/],
    ['an empty folder', ['list'], { DATA_DIR: join(folder, 'nothing-here') }, /start the server once first/],
  ]
  it.each(wrong)('says what is wrong with %s', async (_title, args, env, words) => {
    const { code, out, err } = await admin(args, env)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(words)
    expect(err).not.toContain('    at ')
  })
})

describe('npm run admin, without a server', () => {
  it('starts the database for its work and stops it again; the server then goes on with it', async () => {
    await server!.stop()
    server = undefined
    const { code, out, err } = await admin(['reset-password', '000000', 'admin'])
    expect([code, err]).toEqual([0, ''])
    server = await start(environment)
    expect(await logIn('admin', told(out))).toMatchObject({ status: 200, must_change: true })
  })
})
