// A built server of a benchmark's own, with its own database, and the platform's administrator logged in to it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { loadSecrets } from '../server/src/secrets.ts'
import type { Call } from './import-steps.ts'
import { startFlags } from './servers.ts'

/** The administrator's, and whoever's else a benchmark makes. */
export const password = 'Correct-Horse-9'

export interface Alone {
  readonly pid: number
  /** Goes with the server. */
  readonly folder: string
  /** Asks as the administrator; what is refused is thrown. */
  readonly call: Call
  /** The administrator's. */
  readonly token: string
  end(): Promise<void>
}

/** Starts one, empty. Whoever starts it ends it. */
export async function startAlone(): Promise<Alone> {
  const port = 18_000 + (process.pid % 1_000)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-brain-bench-'))
  const base = `http://127.0.0.1:${port}/api`
  const server = spawn(process.execPath, [...startFlags(), path.join(import.meta.dirname, '../server/dist/main.js')], {
    env: {
      ...process.env,
      ...{ DATA_DIR: folder, PORT: String(port), ADMIN_PASSWORD: password, DEMO: 'off', LOG_LEVEL: 'error' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('ready http://')) resolve()
    })
    server.once('exit', () => reject(new Error('the server ended')))
  })
  const login = {
    ...{ tenantId: '000000', username: 'admin', grant_type: 'password', scope: 'all', type: 'account' },
    password: createHash('md5').update(password).digest('hex'),
  }
  const { clientId, clientSecret } = await loadSecrets(folder)
  const answer = await fetch(`${base}/blade-auth/oauth/token?${new URLSearchParams(login)}`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'Tenant-Id': '000000',
    },
  })
  const token = ((await answer.json()) as { access_token: string }).access_token
  const call: Call = async (method, to, query = {}, body) => {
    const form = body instanceof FormData
    const asked = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
    const given = await fetch(`${base}/${to}?${asked}`, {
      method,
      headers: {
        'Accept-Language': 'en',
        'Blade-Auth': `bearer ${token}`,
        ...(body && !form ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    })
    const read = (await given.json()) as { msg: string; data: never }
    if (given.status !== 200) throw new Error(`${to}: ${read.msg}`)
    return read.data
  }
  return {
    pid: server.pid!,
    folder,
    call,
    token,
    async end() {
      // One that has ended by itself says so no second time.
      if (server.exitCode === null && server.signalCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve))
        server.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
