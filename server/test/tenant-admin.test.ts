import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { rolesOf } from '../src/database/roles.ts'
import { readEnvironment } from '../src/environment.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { type RunningServer, start } from '../src/start.ts'
import { password } from './auth-door.ts'

/*
 * The operator's commands, beside a running server, on a PostgreSQL whose owner is no superuser: row-level security
 * binds the owner here, as it does where a database is given by DATABASE_URL.
 */

const folder = mkdtempSync(join(tmpdir(), 'data-brain-tenant-admin-'))
const name = `carry_${randomBytes(4).toString('hex')}`
const secret = randomBytes(18).toString('base64url')
const file = join(folder, 'tenant.dbt')
const phrase = 'correct horse battery'
let server: RunningServer
let admin: pg.Client
let url: string

beforeAll(async () => {
  const { owner } = inject('database')
  admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`create role ${name} login nosuperuser createrole password '${secret}'`)
  await admin.query(`create database ${name} owner ${name}`)
  url = changeAddress(owner, { user: name, password: secret, database: name })
  server = await start(
    readEnvironment({
      DATA_DIR: folder,
      DATABASE_URL: url,
      ADMIN_PASSWORD: password,
      DEMO: 'off',
      LOG_LEVEL: 'silent',
    }),
  )
  await server.work()
})
afterAll(async () => {
  await server?.stop()
  await admin.query(`drop database if exists ${name} with (force)`)
  for (const role of [...Object.values(rolesOf(name)), name])
    await admin.query(`drop owned by ${role}; drop role ${role}`).catch(() => {})
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

function run(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/admin.ts'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: url, ...env },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

interface Token {
  readonly status: number
  readonly access_token: string
  readonly msg?: string
}
async function logIn(tenantId: string, account: string, secretOf: string): Promise<Token> {
  const { clientId, clientSecret } = server.services.secrets
  const answer = await server.http.inject({
    method: 'POST',
    url: '/api/blade-auth/oauth/token',
    query: { grant_type: 'password', tenantId, username: account, password: wireMd5(secretOf) },
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
  })
  return { status: answer.statusCode, ...answer.json() }
}
async function post<T>(token: string, path: string, body: object, query: Record<string, string> = {}): Promise<T> {
  const answer = await server.http.inject({
    method: 'POST',
    url: `/api/${path}`,
    query,
    payload: body,
    headers: { 'blade-auth': `bearer ${token}` },
  })
  expect(answer.json().msg).toBe('操作成功')
  return answer.json().data as T
}
const told = (out: string, word: string): string => new RegExp(`${word} (\\S+)`).exec(out)?.[1] ?? ''

describe('R-SYS-12 npm run admin -- export-tenant and import-tenant', () => {
  let platform: string
  let made: { id: string; tenantId: string; account: string; password: string }

  it('takes a tenant out and brings it in under another code; its administrator logs in with what was told', async () => {
    platform = (await logIn('000000', 'admin', password)).access_token
    made = await post(platform, 'blade-system/tenant/submit', {
      tenantName: '东城学区',
      linkman: '王老师',
      contactNumber: '010-88886666',
    })
    const out = await run(['export-tenant', made.tenantId, file], { TENANT_PASSPHRASE: phrase })
    expect([out.err, out.code]).toEqual(['', 0])
    expect(out.out).toMatch(/^\d+ rows and 0 files written to /)
    expect(out.out).not.toContain(phrase)
    expect(statSync(file).mode & 0o077).toBe(0)
    const back = await run(['import-tenant', file, '--as', '765432', '--passphrase', phrase])
    expect([back.err, back.code]).toEqual(['', 0])
    expect(back.out).toContain('765432  东城学区')
    expect(told(back.out, 'account 账号 ')).toBe('admin')
    const logged = await logIn('765432', 'admin', told(back.out, 'password 密码'))
    expect([logged.status, logged.msg]).toEqual([200, undefined])
    expect((await logIn('765432', 'admin', made.password)).status).toBe(400)
    expect((await run(['list'])).out).toContain('765432  东城学区')
  })

  it('purges the one that was left, and the file brings it back under its own code', async () => {
    await post(platform, 'blade-system/tenant/remove', {}, { ids: made.id })
    const { jobId } = await post<{ jobId: string }>(
      platform,
      'blade-system/tenant/purge',
      {},
      { ids: made.id, confirm: made.tenantId },
    )
    const look = async () => {
      const headers = { 'blade-auth': `bearer ${platform}` }
      const answer = await server.http.inject({ url: '/api/blade-system/job/own', query: { id: jobId }, headers })
      return answer.json().data as { state: string; result: { rows: Record<string, number> } }
    }
    while ((await look()).state !== 'done') await new Promise((done) => setTimeout(done, 20))
    const certificate = (await look()).result
    expect(certificate.rows).toMatchObject({ app_user: 1, tenant: 1 })
    expect(certificate.rows.history).toBe(0)
    for (const table of ['app_user', 'dict_biz', 'role']) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`set app.tenant_id = '${made.tenantId}'`)
      expect((await client.query(`select count(*)::int as n from ${table}`)).rows[0].n, table).toBe(0)
      await client.end()
    }
    const back = await run(['import-tenant', file], { TENANT_PASSPHRASE: phrase })
    expect([back.err, back.code]).toEqual(['', 0])
    expect((await logIn(made.tenantId, 'admin', told(back.out, 'password 密码'))).status).toBe(200)
  })

  const wrong: [string, string[], Record<string, string>, RegExp][] = [
    ['no passphrase', ['import-tenant', file], {}, /Give a passphrase by TENANT_PASSPHRASE/],
    [
      'a wrong one',
      ['import-tenant', file, '--as', '765433'],
      { TENANT_PASSPHRASE: 'another one, long' },
      /Wrong passphrase/,
    ],
    ['no tenant', ['export-tenant'], { TENANT_PASSPHRASE: phrase }, /Name a tenant and a file/],
    ['no file', ['import-tenant'], { TENANT_PASSPHRASE: phrase }, /Name a file/],
    [
      'an unknown tenant',
      ['export-tenant', '999999', `${file}.2`],
      { TENANT_PASSPHRASE: phrase },
      /There is no tenant 999999/,
    ],
    ['a file that exists', ['export-tenant', '000000', file], { TENANT_PASSPHRASE: phrase }, /exists already/],
  ]
  it.each(wrong)('says what is wrong: %s', async (_title, args, env, words) => {
    const { code, out, err } = await run(args, env)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(words)
    expect(err).not.toContain('    at ')
    expect(existsSync(`${file}.2`)).toBe(false)
  })
})
