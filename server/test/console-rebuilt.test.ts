import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { serveConsole } from '../src/console.ts'
import type { Services } from '../src/kernel/services.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-console-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let builds = 0
/** Builds a console of these files, in place of the one that was there. */
function build(files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, 'assets', name), text)
  const shell = Object.keys(files).find((name) => name.startsWith('shell-'))
  for (const page of ['index.html', 'login.html'])
    writeFileSync(path.join(folder, page), `<script src="/assets/${shell}"></script><!--boot-->`)
  builds += 1
  utimesSync(path.join(folder, 'index.html'), builds, builds)
}

it('R-ERR-4 a console that is built anew while the server runs is served whole, and open pages hear of it', async () => {
  build({ 'shell-a1.js': 'first', 'page-a1.js': 'first page', 'same.js': 'same' })
  const http = Fastify()
  serveConsole(http, { secrets: { clientId: 'c', clientSecret: 's' } } as unknown as Services, folder)
  http.get('/api/any', async () => ({}))
  const get = async (url: string) => {
    const { statusCode, body, headers } = await http.inject({ url })
    return { statusCode, body, build: headers['x-build'] }
  }
  expect(await get('/assets/shell-a1.js')).toMatchObject({ statusCode: 200, body: 'first' })
  expect((await get('/api/any')).build).toBe('a1')

  // As in the midst of a build: nothing is there, and nothing is remembered of that.
  rmSync(folder, { recursive: true, force: true })
  expect(await get('/assets/same.js')).toMatchObject({ statusCode: 404 })
  expect((await get('/login')).body).toContain('shell-a1.js')

  build({ 'shell-b2.js': 'second', 'page-b2.js': 'second page', 'same.js': 'same' })
  expect(await get('/assets/page-a1.js')).toMatchObject({ statusCode: 404, body: 'Not found' })
  expect((await get('/api/any')).build).toBe('b2')
  expect((await get('/login')).body).toContain('shell-b2.js')
  for (const [name, body] of [
    ['same.js', 'same'],
    ['page-b2.js', 'second page'],
    ['shell-b2.js', 'second'],
  ])
    expect(await get(`/assets/${name}`)).toMatchObject({ statusCode: 200, body })
  await http.close()
})
