import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { whoDid } from '../src/kernel/machine-names.ts'

const source = path.join(import.meta.dirname, '../src')

describe('who did something, as history tells it', () => {
  it('says in either language what the product was doing, for every machine there is', () => {
    const names = globSync('**/*.ts', { cwd: source }).flatMap((file) =>
      [...readFileSync(path.join(source, file), 'utf8').matchAll(/\bsystem\('([^']+)'/g)].map(([, name]) => name!),
    )
    expect(names).toContain('demo')
    for (const name of names) {
      expect(whoDid(null, name, 'zh')).toMatch(/^\p{Script=Han}+$/u)
      expect(whoDid(null, name, 'en')).toMatch(/^[A-Z][a-z -]+$/)
    }
  })

  it('leaves people their names, also one who is called like a machine', () => {
    expect(whoDid('7', 'demo', 'zh')).toBe('demo')
    expect(whoDid(null, '平台管理员', 'en')).toBe('平台管理员')
    expect(whoDid(null, null, 'en')).toBeNull()
  })
})
