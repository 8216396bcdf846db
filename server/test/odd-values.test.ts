import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf } from '../src/entity/schema.ts'
import { describedPaths } from './description.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* Every call of the description with values that no console sends: refused in words, or taken, and never a fault. */

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly pattern?: string } }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}
type Method = 'get' | 'post'
const paths = describedPaths<Record<string, Partial<Record<Method, Operation>>>>()
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method as Method, path, operation })),
)

/** More of them take longer: `ROUNDS=10` finds what this does not. */
const rounds = Number(process.env.ROUNDS ?? 1)

/** A seeded choice, so that what fails fails again. */
function dice(seed: number): <T>(of: readonly T[]) => T {
  let state = seed
  return (of) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return of[Math.floor((state / 2 ** 32) * of.length)]!
  }
}

const texts = [
  ...['', ' ', 'x', '-1', '0', '1', '1.5', '1e3', '9'.repeat(19), '9'.repeat(40), '2147483648', '-2147483649'],
  ...['2015-01-01', '2015-01-01x', '2027-02-30', '0000-00-00', '99999-01-01', '2015-01-01 25:00:00', '24:00', 'NaN'],
  ...[
    'null',
    '{}',
    '[]',
    '[1]',
    '{"a":1}',
    '"',
    "'",
    '%',
    '\\',
    '\\%',
    '1,2',
    ',,',
    '1,x',
    '1,'.repeat(300),
    '١',
    '😀',
  ],
  ...['＝1', '\u{10ffff}', 'a'.repeat(300), '字'.repeat(3_000), '../..', '//x', 'javascript:1', '000000', '__proto__'],
  ...['constructor', 'toString', 'true', '0x10', '+1', '1 ', '\t'],
]
const values: unknown[] = [
  ...texts,
  ...[null, true, false, 0, -1, 1.5, 1e300, 2 ** 53, -0, {}, [], [[]], [null], ['x'], [1], ['1', '1'], [{}]],
  ...[{ id: 1 }, { toString: 1 }, { length: 5 }, { a: { b: { c: [] } } }, Array.from({ length: 500 }, () => 1)],
]

let world: World
let people: readonly { tenantId: string; account: string }[]
beforeAll(async () => {
  world = await makeWorld()
  const admin = await world.tenant()
  people = [
    { tenantId: admin.tenantId, account: 'admin' },
    { tenantId: '000000', account: 'admin' },
  ]
})
afterAll(() => world.close())

/** Filters and names that lists and bodies take beyond what the description names. */
const further = ['id', 'ids', 'version', 'status', 'keyword', 'createTime_datege', 'updateTime_datelt', 'id_in', 'ascs']
const suffixes = ['', '_equal', '_ge', '_datege', '_in', '_like', '_null', '_below', '_notequal', '_notin']

describe('R-ERR-5 no odd value is a fault of the server', () => {
  it.each([0, 1])(
    'whoever sends it (%i)',
    async (which) => {
      const pick = dice(20_261_123 + which)
      const wrong: string[] = []
      let asked = 0
      const { tenantId, account } = people[which]!
      let person: Person | undefined
      for (const { method, path, operation } of operations) {
        // Whatever ends or locks the session ends it for one call.
        const schema = operation.requestBody?.content['application/json']?.schema
        const named = (operation.parameters ?? []).map((each) => each.name)
        const fields = Object.keys(propertiesOf(schema))
        for (let round = 0; round < (schema ? 8 : 2) * rounds; round += 1) {
          person ??= await world.as(tenantId, account)
          const query: Record<string, string> = {}
          for (const name of named) if (pick([true, true, false])) query[name] = pick(texts)
          if (method === 'get' && path.endsWith('/live'))
            query.seconds = pick(texts.filter((text) => !/^\d/.test(text)))
          if (pick([true, false])) query[pick([...further, ...named]) + pick(suffixes)] = pick(texts)
          const body = pick([true, true, true, false])
            ? Object.fromEntries(
                [...fields, ...further].filter(() => pick([true, false])).map((name) => [name, pick(values)]),
              )
            : pick(values)
          asked += 1
          const answer = await world.http.inject({
            method: method === 'get' ? 'GET' : 'POST',
            url: path.replace(/\{\w+\}/g, () => encodeURIComponent(pick(texts).slice(0, 100)) || 'x'),
            query,
            headers: { 'blade-auth': `bearer ${person.token}` },
            ...(method === 'post' && (schema || pick([true, false]))
              ? {
                  payload: JSON.stringify(body),
                  headers: { 'blade-auth': `bearer ${person.token}`, 'content-type': 'application/json' },
                }
              : {}),
          })
          if (answer.statusCode >= 500)
            wrong.push(
              `${method} ${path}?${new URLSearchParams(query)} ${JSON.stringify(body)?.slice(0, 300)}: ${answer.statusCode}`,
            )
          if (answer.statusCode === 401 || answer.statusCode === 423) person = undefined
        }
      }
      expect(asked).toBeGreaterThan(1_500)
      expect(wrong).toEqual([])
    },
    1_800_000,
  )
})

it('R-LIST-2 what only begins like a day is no day, in the filter of any date', async () => {
  const admin = await world.as(people[0]!.tenantId, 'admin')
  let asked = 0
  for (const { path, fields, ownership } of entities)
    for (const [name, { kind, label }] of Object.entries(fields)) {
      if ((kind !== 'date' && kind !== 'instant') || ownership === 'platform') continue
      for (const operator of ['', '_ge', '_datege', '_equal'])
        for (const day of ['2015-01-01x', '2015-01-01 1', '2015-01-01 25:00', '2015-02-30']) {
          asked += 1
          const answer = await admin.get<{ field: string }>(`${path}/list`, { [name + operator]: day })
          expect([answer.status, answer.data?.field], `${path} ${name}${operator}=${day}`).toEqual([
            400,
            name + operator,
          ])
          // By the name that people know it by, as the list shows it.
          expect(answer.msg).toMatch(new RegExp(`^${label.zh}：`))
        }
    }
  expect(asked).toBeGreaterThan(100)
})
