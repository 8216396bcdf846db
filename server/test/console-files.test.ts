import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { filesOf } from '../src/console.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('R-ERR-1 the files of the console', () => {
  it('are kept once they were read; one that a new build has taken away is not there, and no fault of the server', async () => {
    writeFileSync(join(folder, 'kept-1a.js'), 'kept')
    writeFileSync(join(folder, 'gone-2b.js'), 'gone')
    const files = filesOf(folder)
    expect(String(await files.get('/kept-1a.js')!())).toBe('kept')
    rmSync(join(folder, 'kept-1a.js'))
    rmSync(join(folder, 'gone-2b.js'))
    expect(String(await files.get('/kept-1a.js')!())).toBe('kept')
    expect(await files.get('/gone-2b.js')!()).toBeUndefined()
    expect(await files.get('/gone-2b.js')!()).toBeUndefined()
  })
})
