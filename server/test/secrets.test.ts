import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadSecrets } from '../src/secrets.ts'

const folders: string[] = []

function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'data-brain-secrets-'))
  folders.push(made)
  return made
}

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

describe('the secrets', () => {
  it('are made at first start, closed to others, and read ever after', async () => {
    const dataDir = path.join(folder(), 'data')
    const made = await loadSecrets(dataDir, {})
    expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    for (const key of [made.kek.key, made.pepper, made.index, made.cursor]) expect(key).toHaveLength(32)
    expect(made.kek.id).toMatch(/^k[0-9a-f]{8}$/)
    expect(await loadSecrets(dataDir, {})).toEqual(made)
  })

  it('differ between two installations, every one of them', async () => {
    const [a, b] = await Promise.all([loadSecrets(folder(), {}), loadSecrets(folder(), {})])
    for (const name of Object.keys(a) as (keyof typeof a)[]) expect(a[name]).not.toEqual(b[name])
  })

  it('are the same for servers that start for the first time together', async () => {
    const dataDir = folder()
    const all = await Promise.all(Array.from({ length: 8 }, () => loadSecrets(dataDir, {})))
    for (const one of all) expect(one).toEqual(all[0])
  })

  it('may be kept in a file that SECRETS_FILE names', async () => {
    const dataDir = folder()
    const file = path.join(folder(), 'elsewhere.json')
    const made = await loadSecrets(dataDir, { SECRETS_FILE: file })
    expect(JSON.parse(readFileSync(file, 'utf8')).clientId).toBe(made.clientId)
    expect(() => statSync(path.join(dataDir, 'secrets.json'))).toThrow()
  })

  it('are refused when others may read them', async () => {
    const dataDir = folder()
    await loadSecrets(dataDir, {})
    chmodSync(path.join(dataDir, 'secrets.json'), 0o640)
    await expect(loadSecrets(dataDir, {})).rejects.toThrow('chmod 600')
  })

  const broken: [string, (secrets: Record<string, unknown>) => unknown, string][] = [
    ['text that is no JSON', () => 'no json', 'JSON'],
    ['a list', () => [], 'kek.id'],
    ['a missing key', ({ pepper: _, ...rest }) => rest, 'pepper'],
    ['a short key', (all) => ({ ...all, index: Buffer.alloc(16, 'x1y2').toString('base64') }), 'index'],
    ['a key of one repeated byte', (all) => ({ ...all, cursor: Buffer.alloc(32).toString('base64') }), 'cursor'],
    ['one key twice', (all) => ({ ...all, index: all.pepper }), 'index'],
    ['a short password', (all) => ({ ...all, appPassword: 'secret' }), 'appPassword'],
    ['a key without its id', (all) => ({ ...all, kek: { key: all.pepper } }), 'kek.id'],
  ]
  it.each(broken)('are refused with %s', async (_, change, named) => {
    const dataDir = folder()
    await loadSecrets(dataDir, {})
    const file = path.join(dataDir, 'secrets.json')
    const changed = change(JSON.parse(readFileSync(file, 'utf8')))
    writeFileSync(file, typeof changed === 'string' ? changed : JSON.stringify(changed))
    await expect(loadSecrets(dataDir, {})).rejects.toThrow(`(${named})`)
  })
})
