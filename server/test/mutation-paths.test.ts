import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/*
 * What the long runs break must be there: a file that was renamed, or a line that reads otherwise now, would be broken by
 * nobody until somebody waits an hour for it.
 */

const root = path.join(import.meta.dirname, '..', '..')
const part = async (file: string): Promise<Record<string, unknown>> => import(path.join(root, file))
const list = (await part('scripts/mutation-paths.mjs')).mutations as readonly (readonly [
  file: string,
  code: string,
  instead: string,
  tests: string,
])[]

it('each path that is broken holds the code that is broken in it', () => {
  expect(list.length).toBeGreaterThan(30)
  const stale = list.flatMap(([file, code]) => {
    const place = path.join(root, 'server/src', file)
    if (!existsSync(place)) return [`${file}: no such file`]
    const found = readFileSync(place, 'utf8').split(code).length - 1
    return found > 0 ? [] : [`${file}: ${code.trim().slice(0, 90)} (no such code)`]
  })
  expect(stale).toEqual([])
})

it('each is noticed by tests that there are', () => {
  const missing = list
    .flatMap(([, , , tests]) => tests.split(' '))
    .filter((test) => !existsSync(path.join(root, 'server/test', `${test}.test.ts`)))
  expect(missing).toEqual([])
})

it('Stryker changes files that there are', async () => {
  const { mutate } = (await part('stryker.config.mjs')).default as { mutate: readonly string[] }
  expect(mutate.length).toBeGreaterThan(0)
  expect(mutate.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})
