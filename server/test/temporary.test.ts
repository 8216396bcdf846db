import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { loadSecrets } from '../src/secrets.ts'
import { dataOf, ownFolder, startOwn } from './own-server.ts'
import { logInTo, stopServer } from './two-servers.ts'

const folder = ownFolder()
const temporary = join(folder.path, 'tmp')
afterAll(() => folder.remove())

it('R-PROD-1 a file that was being read when the server was killed is gone after the next start', async () => {
  const first = await startOwn(folder.path)
  const { clientId, clientSecret } = await loadSecrets(dataOf(folder.path))
  const client = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const { access_token: token } = await logInTo({ client }, first, '000000', 'admin')
  const sent = request(`${first.url}/api/blade-resource/oss/endpoint/put-file-attach`, {
    method: 'POST',
    headers: {
      'blade-auth': `bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '100000',
    },
  })
  sent.on('error', () => {})
  sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n张三,110101201001010013')
  const left = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('data-brain-'))
  const inClear = (): boolean =>
    left().some((name) =>
      readdirSync(join(temporary, name)).some((file) =>
        readFileSync(join(temporary, name, file), 'utf8').includes('张三'),
      ),
    )
  while (!inClear()) await sleep(20)
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  expect(inClear()).toBe(true)
  // What a process that lives is reading stays, whoever it is.
  const name = left()[0]!
  const others = name.replace(`-${first.process.pid}-`, `-${process.pid}-`)
  expect(others).not.toBe(name)
  mkdirSync(join(temporary, others))
  const second = await startOwn(folder.path)
  while (left().length > 1) await sleep(20)
  expect(left()).toEqual([others])
  await stopServer(second)
}, 60_000)

it('R-PROD-1 no other part of the server puts files into the temporary folder', () => {
  const source = join(import.meta.dirname, '..', 'src')
  const files = readdirSync(source, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(300)
  // The socket of the built-in database holds nobody's data.
  expect(files.filter((file) => /\bmkdtemp/.test(readFileSync(join(source, file), 'utf8'))).sort()).toEqual([
    'database/embedded.ts',
    'kernel/temporary.ts',
  ])
})
