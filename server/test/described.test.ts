import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe as describeSuite, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { describe } from '../src/openapi.ts'
import { withAnswers } from './description.ts'
import { takeFailures } from './failures.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Operation {
  parameters?: { $ref?: string }[]
  responses: Record<string, { content?: Record<string, { schema?: Record<string, unknown> }> }>
}
const text = JSON.stringify(describe(allRoutes()))
const description = withAnswers(JSON.parse(text) as { paths: Record<string, Record<string, Operation>> })
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const nameOf = ({ path, method }: { path: string; method: string }): string => `${method.toUpperCase()} ${path}`

describeSuite('R-CALL-1 the description of the API', () => {
  it('states of every call what it answers: data of a shape, bytes of a media type, or where the browser is sent', () => {
    const isStated = ({ responses }: Operation): boolean => {
      const content = responses['200']?.content
      if (!content) return '302' in responses
      const schema = content['application/json']?.schema
      if (!schema) return Object.keys(content).length > 0
      const data = schema.allOf ? (schema.properties as { data?: object } | undefined)?.data : schema
      return data !== undefined && Object.keys(data).length > 0
    }
    expect(operations.length).toBeGreaterThan(700)
    expect(operations.filter(({ operation }) => !isStated(operation)).map(nameOf)).toEqual([])
    expect(operations.filter(({ operation }) => !operation.responses['200']).map(({ path }) => path)).toEqual([
      '/api/blade-auth/oauth/render',
      '/api/blade-auth/oauth/render/{source}',
    ])
  })

  it('can be read: what occurs often stands once, so that the whole stays below 25,000 lines', async () => {
    const written = await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8')
    expect(written.split('\n').length).toBeLessThan(25_000)
  })

  it('states 404 of every call that names rows, 409 of every save, and the suffixes of every list’s filters', () => {
    const has = (operation: Operation, status: string): boolean => status in operation.responses
    const named = operations.filter(({ operation }) =>
      operation.parameters?.some(({ $ref }) => /\/(id|ids)$/.test($ref ?? '')),
    )
    expect(named.length).toBeGreaterThan(200)
    expect(named.filter(({ operation }) => !has(operation, '404')).map(nameOf)).toEqual([])
    const saves = operations.filter(({ path, method }) => method === 'post' && /\/(submit|bulk|update)$/.test(path))
    expect(saves.length).toBeGreaterThan(40)
    expect(saves.filter(({ operation }) => !has(operation, '409')).map(nameOf)).toEqual([])
    const lists = operations.filter(({ operation }) =>
      operation.parameters?.some(({ $ref }) => $ref === '#/components/parameters/filters'),
    )
    expect(lists.length).toBeGreaterThan(100)
  })

  it('is found without an error or a warning by two public linters', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: text, config, absoluteRef: '/openapi.json' })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
    await expect(SwaggerParser.validate(JSON.parse(text))).resolves.toBeTruthy()
  }, 120_000)
})

describeSuite('R-CALL-1 HEAD', () => {
  let world: World
  let platform: Person
  beforeAll(async () => {
    world = await makeWorld()
    platform = await world.platform()
  })
  afterAll(() => world.close())

  it('answers like GET, without a body', async () => {
    const differing: unknown[] = []
    // A stream that does not end by itself is not waited for here.
    const read = operations.filter(({ path, method, operation }) => {
      const types = Object.keys(operation.responses['200']?.content ?? {})
      return method === 'get' && !path.includes('{') && types.length > 0 && types[0] === 'application/json'
    })
    for (const { path } of read) {
      const ask = (method: 'GET' | 'HEAD', token: string | null) =>
        world.http.inject({ method, url: path, headers: token ? { 'blade-auth': `bearer ${token}` } : {} })
      for (const token of [null, platform.token]) {
        const [got, head] = [await ask('GET', token), await ask('HEAD', token)]
        const told = ({ statusCode, headers }: typeof got) => [
          statusCode,
          headers['content-type'],
          headers['cache-control'],
        ]
        // Nobody else calls here: what is told twice is as long.
        const isLong =
          got.headers['content-length'] === head.headers['content-length'] ||
          /inbox|session|log|health|captcha/.test(path)
        if (JSON.stringify(told(got)) !== JSON.stringify(told(head)) || head.payload !== '' || !isLong)
          differing.push([path, told(got), told(head), head.payload.slice(0, 80)])
      }
    }
    expect(read.length).toBeGreaterThan(250)
    expect(differing).toEqual([])
  }, 240_000)
})

describeSuite('R-CALL-1 a failure of the server', () => {
  it('fails the test it comes in, unless the call says that the test provokes it', async () => {
    const world = await makeWorld()
    const admin = await world.tenant()
    await world.owner.query('alter view syssubject_seen rename to syssubject_away')
    const path = 'blade-user/syssubject/list'
    expect((await admin.get(path, {}, { fails: true })).status).toBe(500)
    expect(takeFailures()).toEqual([])
    expect((await admin.get(path)).status).toBe(500)
    expect(takeFailures()).toEqual([expect.stringMatching(/^GET \/api\/blade-user\/syssubject\/list answers 500: /)])
    await world.close()
  })
})
