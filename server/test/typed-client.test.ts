import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wireMd5 } from '../src/kernel/password.ts'
import { password } from './auth-door.ts'
import { withAnswers } from './description.ts'
import { makeWorld, type World } from './world.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema?: { allOf?: object[] } }> }>
}

let folder: string
let description: { paths: Record<string, Record<string, Operation>> }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typed-client-'))
  // What it imports is found as anybody's packages are.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  description = JSON.parse(await readFile(join(root, 'server', 'openapi.json'), 'utf8'))
  await write('paths.ts', astToString(await openapiTS(description as unknown as OpenAPI3)))
  await write('client.ts', await readFile(join(import.meta.dirname, 'fixtures', 'typed-client.txt'), 'utf8'))
  await write('answers.ts', answersOf())
  await write('package.json', '{ "type": "module" }')
  await write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', strict: true, noEmit: true },
        ...{ allowImportingTsExtensions: true, skipLibCheck: true, types: ['node'], preserveSymlinks: true },
      },
      include: ['*.ts'],
    }),
  )
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A line for each answer that does not compile where its type is any, unknown or never. */
function answersOf(): string {
  const lines = Object.values(withAnswers(description).paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses }) =>
      Object.entries(responses['200']?.content ?? {}).map(([type, { schema }]) => {
        const content = `operations['${operationId}']['responses'][200]['content']['${type}']`
        return `check<${content}${schema?.allOf ? "['data']" : ''}>('told')`
      }),
    ),
  )
  return `import type { operations } from './paths.ts'
type Told<T> = 0 extends 1 & T ? 'any' : [T] extends [never] ? 'never' : unknown extends T ? 'unknown' : 'told'
const check = <T>(_: Told<T>): void => {}
${lines.join('\n')}
`
}

describe('R-CALL-1 a client that openapi-typescript makes of the description', () => {
  it('compiles, and is typed wherever an answer stands', async () => {
    expect((await readFile(join(folder, 'answers.ts'), 'utf8')).split('\n').length).toBeGreaterThan(700)
    const compiled = await run(
      process.execPath,
      [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder],
      {
        maxBuffer: 16_777_216,
      },
    ).catch((error: { stdout: string }) => error)
    expect(compiled.stdout).toBe('')
  }, 180_000)

  it('logs in, lists, saves and uploads', async () => {
    const world: World = await makeWorld()
    try {
      const { tenantId } = await world.tenant()
      const { clientId, clientSecret } = world.services.secrets
      const address = await world.http.listen({ port: 0, host: '127.0.0.1' })
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const asked = { address, basic, tenantId, username: 'admin', password: wireMd5(password) }
      const { stdout } = await run(process.execPath, [join(folder, 'client.ts'), JSON.stringify(asked)], {
        cwd: folder,
      })
      expect(JSON.parse(stdout)).toEqual({
        ...{ seconds: 3_600, roles: 1, version: 1, stale: 409, total: 1, names: ['已改'], remark: null },
        ...{ original: 'names.txt', attached: true },
      })
    } finally {
      await world.close()
    }
  }, 120_000)
})
