import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { wireMd5 } from '../server/src/kernel/password.ts'
import { freshFolder } from './product.ts'

/** The product as a process: first start, second start, Ctrl-C, kill -9. */

const folder = freshFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const main = path.join(import.meta.dirname, '..', 'server', 'dist', 'main.js')

interface Started {
  url: string
  output: () => string
  milliseconds: number
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; milliseconds: number }>
}

function start(environment: Record<string, string> = {}): Promise<Started> {
  const began = Date.now()
  const { ADMIN_PASSWORD: _none, ...inherited } = process.env
  const child = spawn(process.execPath, [main], {
    env: { ...inherited, DATA_DIR: folder, PORT: '0', DEMO: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const ready = /^ready (http:\/\/\S+)/m.exec(output)
      if (!ready) return
      resolve({
        url: ready[1]!,
        output: () => output,
        milliseconds: Date.now() - began,
        kill: async (signal) => {
          const since = Date.now()
          child.kill(signal)
          return { code: await ended, milliseconds: Date.now() - since }
        },
      })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then((code) => reject(new Error(`ended with ${code}:\n${output}`)))
  })
}

async function logIn(url: string, secret: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { clientId, clientSecret } = JSON.parse(readFileSync(path.join(folder, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >
  const answer = await fetch(`${url}/api/blade-auth/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      tenantId: '000000',
      username: 'admin',
      password: wireMd5(secret),
      grant_type: 'password',
      scope: 'all',
    }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('the product as a process', () => {
  let secret = ''

  it('R-PROD-1 prints the tenant, the account, a password of its own and one ready line on its first start', async () => {
    const first = await start()
    secret = /password\D+?(\S{16})\n/.exec(first.output())?.[1] ?? ''
    expect(first.output()).toMatch(/tenant.*000000/)
    expect(first.output()).toMatch(/account.*admin/)
    expect(secret).toMatch(/^[A-Za-z0-9]{16}$/)
    expect(first.output().match(/^ready http:\/\//gm)).toHaveLength(1)
    const answer = await logIn(first.url, secret)
    expect([answer.status, answer.body.must_change]).toEqual([200, true])
    const stopped = await first.kill('SIGINT')
    expect(stopped.code).toBe(0)
    expect(stopped.milliseconds).toBeLessThan(5_000)
  })

  it('starts a second time without seeding, tells no password, and keeps its data', async () => {
    const second = await start()
    expect(second.output()).not.toContain('password')
    expect((await logIn(second.url, secret)).status).toBe(200)
    const killed = await second.kill('SIGKILL')
    expect(killed.code).toBeNull()
  })

  it('recovers at the next start from kill -9, with the database that was left behind', async () => {
    const third = await start()
    expect((await logIn(third.url, secret)).status).toBe(200)
    await expect(start()).rejects.toThrow(/in use|already|使用/)
    expect((await third.kill('SIGTERM')).code).toBe(0)
  })

  it('serves its pages with a strict content-security policy, and its description of the calls', async () => {
    const fourth = await start()
    for (const page of ['/login', '/', '/school/school', '/404']) {
      const answer = await fetch(fourth.url + page)
      expect([page, answer.status]).toEqual([page, 200])
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/)
      expect(answer.headers.get('cache-control')).toBe('no-cache')
    }
    for (const escaping of [
      '/..%2f..%2fsecrets.json',
      '/assets/../../../package.json',
      '/%2e%2e/%2e%2e/secrets.json',
      '/assets/..%5c..%5csecrets.json',
    ]) {
      const answer = await fetch(fourth.url + escaping)
      expect(await answer.text()).not.toMatch(/clientSecret":"[^"]+","(kek|pepper)|"workspaces"/)
    }
    const description = (await (await fetch(`${fourth.url}/api/openapi.json`)).json()) as {
      openapi: string
      paths: object
    }
    expect(description.openapi).toBe('3.1.0')
    expect(Object.keys(description.paths).length).toBeGreaterThan(150)
    await fourth.kill('SIGTERM')
  })
})
