import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const script = path.join(import.meta.dirname, '../../scripts/layers.mjs')
const folders: string[] = []

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

const sound: Record<string, string> = {
  'contract/src/index.ts': `import { Type } from 'typebox'\nexport * from './field.ts'`,
  'contract/src/field.ts': 'export {}',
  'server/src/kernel/actor.ts': `import { query } from '../database/query.ts'`,
  'server/src/database/query.ts': `import { Pool } from 'pg'\nimport { entity } from '@data-brain/contract'`,
  'server/src/entity/repository.ts': `import type { Actor } from '../kernel/actor.ts'`,
  'server/src/modules/auth/index.ts': `export { login } from './login.ts'`,
  'server/src/modules/auth/login.ts': `import { repository } from '../../entity/repository.ts'`,
  'server/src/modules/student/index.ts': `import { login } from '../auth/index.ts'`,
  'server/src/seed/index.ts': `import { login } from '../modules/auth/index.ts'`,
  'server/src/app.ts': `import { login } from './modules/auth/index.ts'`,
  'server/src/main.ts': `import { app } from './app.ts'`,
  'console/src/ui/button.tsx': `import { useState } from 'react'`,
  'console/src/session/session.ts': `import { get } from '../http/client.ts'`,
  'console/src/http/client.ts': 'export const get = 1',
  'console/src/shell/layout.tsx': `const page = () => import('../pages/home.tsx')`,
  'console/src/pages/home.tsx': `import { Button } from '../ui/button.tsx'`,
}

function check(files: Record<string, string>) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'data-brain-layers-'))
  folders.push(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  return { status, stdout, errors: stderr.split('\n').filter(Boolean) }
}

describe('the layer rules', () => {
  it('pass what goes only upwards, and say how much was read', () => {
    const { status, stdout, errors } = check(sound)
    expect(errors).toEqual([])
    expect(status).toBe(0)
    expect(stdout).toContain('contract 2, server 9, console 5; 0 broken rules')
  })

  const wrong: [string, string, string, string][] = [
    ['downwards', 'server/src/kernel/x.ts', `import { r } from '../entity/repository.ts'`, 'imports downwards'],
    ['downwards, for a type', 'server/src/entity/x.ts', `import type { A } from '../app.ts'`, 'imports downwards'],
    [
      'downwards, over lines',
      'server/src/entity/x.ts',
      `import {\n  a,\n  b,\n} from '../main.ts'`,
      'imports downwards',
    ],
    [
      'downwards, by re-export',
      'server/src/entity/x.ts',
      `export * from '../modules/auth/index.ts'`,
      'imports downwards',
    ],
    ['downwards, at run time', 'server/src/app.ts', `await import('./main.ts')`, 'imports downwards'],
    ['into a module', 'server/src/modules/student/x.ts', `import '../auth/login.ts'`, 'beside its face'],
    [
      'into a module from the app',
      'server/src/app.ts',
      `import { l } from './modules/auth/login.ts'`,
      'beside its face',
    ],
    ['into the seed', 'server/src/modules/auth/x.ts', `import { s } from '../../seed/demo.ts'`, 'beside its face'],
    [
      'from server to console',
      'server/src/app.ts',
      `import { g } from '../../console/src/http/client.ts'`,
      'the console',
    ],
    ['from console to server', 'console/src/ui/x.ts', `import { a } from '@data-brain/server'`, 'the server'],
    [
      'from console down to its shell',
      'console/src/entity/x.ts',
      `import { l } from '../shell/layout.tsx'`,
      'downwards',
    ],
    [
      'of a page beside its index',
      'console/src/pages/role/x.ts',
      `import { t } from '../user/two-lists.tsx'`,
      'beside its face',
    ],
    [
      'of the shell into a page',
      'console/src/shell/x.ts',
      `import type { H } from '../pages/inbox/notice-queries.ts'`,
      'beside its face',
    ],
    [
      'of a page into the engine',
      'console/src/pages/role/x.ts',
      `import { c } from '../../entity/list/columns.tsx'`,
      'beside its face',
    ],
    ['out of the contract', 'contract/src/x.ts', `import { a } from '../../server/src/app.ts'`, 'leaves the contract'],
    ['a package in the contract', 'contract/src/x.ts', `import { Kysely } from 'kysely'`, 'nothing but typebox'],
    ['from a place nobody planned', 'server/src/helpers/x.ts', 'export {}', 'is in no layer'],
  ]
  it.each(wrong)('refuse an import %s', (_, file, text, words) => {
    const { status, errors } = check({ ...sound, [file]: text })
    expect(status).toBe(1)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(file)
    expect(errors[0]).toContain(words)
  })

  it('take no example in a comment for an import', () => {
    const example = `// import { a } from '../app.ts'\n/* import '../main.ts' */\n/**\n * import '../app.ts'\n */\nexport {}`
    expect(check({ ...sound, 'server/src/entity/x.ts': example }).status).toBe(0)
  })

  it('fail when they have seen nothing', () => {
    const { status, errors } = check({})
    expect(status).toBe(1)
    expect(errors).toEqual(['contract', 'server', 'console'].map((part) => `no files were read in ${part}`))
  })
})
