import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe as describeSuite, expect, it } from 'vitest'
import { allRoutes, routesWith } from '../src/app.ts'
import { describe } from '../src/openapi.ts'

const file = readFileSync(join(import.meta.dirname, '..', '..', 'contract', 'calls.tsv'), 'utf8')
const calls = [
  ...new Set(
    file
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(0, 2).join(' ')),
  ),
]
const served = new Set(allRoutes().map((route) => `${route.method} /api${route.path}`))

describeSuite('R-CALL-1 the calls of the specification', () => {
  it('are all served', () => {
    expect(calls.length).toBeGreaterThan(200)
    expect(calls.filter((call) => !served.has(call))).toEqual([])
  })

  it('are declared once each', () => {
    const all = allRoutes().map((route) => `${route.method} ${route.path}`)
    expect(all.filter((call, index) => all.indexOf(call) !== index)).toEqual([])
  })

  it('R-AUTH-1 ask for a password, a code or a token in a form, never in an address', () => {
    const { paths } = describe(allRoutes()) as {
      paths: Record<string, Record<string, { parameters?: { name: string }[]; requestBody?: { content: object } }>>
    }
    const secret = /password|^(code|key|verifier|refresh_token|ticket|oauthId)$/i
    // Elsewhere a code is the number that a menu or a region goes by.
    const secrets = Object.entries(paths).filter(([path]) => /blade-auth|blade-user\/[a-z]+-[a-z]+/.test(path))
    const asked = secrets.flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.filter(({ name }) => secret.test(name)).map(({ name }) => `${path} ${name}`),
      ),
    )
    expect(secrets.length).toBeGreaterThan(20)
    expect(asked).toEqual([])
    const token = paths['/api/blade-auth/oauth/token']?.post
    expect(token?.parameters ?? []).toEqual([])
    expect(Object.keys(token?.requestBody?.content ?? {})).toContain('application/x-www-form-urlencoded')
  })

  it('are described by the committed server/openapi.json, which `npm run generate` writes', () => {
    const committed = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8'))
    const wanted = JSON.parse(JSON.stringify(describe(routesWith())))
    // By path first: what differs is then named, not printed in full.
    const paths = new Set([...Object.keys(committed.paths), ...Object.keys(wanted.paths)])
    const text = (of: { paths: Record<string, unknown> }, path: string): string => JSON.stringify(of.paths[path])
    expect([...paths].filter((path) => text(committed, path) !== text(wanted, path))).toEqual([])
    expect({ ...committed, paths: {} }).toEqual({ ...wanted, paths: {} })
  })
})
