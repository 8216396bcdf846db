import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import type { Route } from '../src/kernel/route.ts'
import { platformCodes, sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * R-PERM-3: somebody who holds every code there is, and works with one pupil, one class and a few users only, walks
 * through every call with the ids of others. Nothing of the others comes out, and nothing of them changes.
 */

const narrowedTo = ['student', 'schoolclass', 'user'] as const
const watched = ['student', 'studentparents', 'schoolclass', 'user'] as const
type Watched = (typeof watched)[number]

let world: World
let admin: Person
let head: Person
const foreign = new Map<Watched, Row>()
const marks: Record<Watched, string> = { student: '外生', studentparents: '外长', schoolclass: '外班', user: '外员' }

const path = (entity: string): string => entityOf(entity).path
async function add(entity: string, draft: Record<string, unknown>): Promise<Row> {
  const answer = await admin.post<Row>(`${path(entity)}/submit`, draft)
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const own = new Map<Watched, Row>()
  for (const [rows, names] of [
    [own, { student: '里生', studentparents: '里长', schoolclass: '里班', user: '里员' }],
    [foreign, marks],
  ] as const) {
    const { draft: room, made } = await sample(admin, entityOf('schoolclass'))
    const schoolclass = await add('schoolclass', { ...room, className: names.schoolclass })
    rows.set('schoolclass', schoolclass)
    const { draft: pupil } = await sample(
      admin,
      entityOf('student'),
      new Map([...made, ['schoolclass', schoolclass.id]]),
    )
    const { schoolId, gradeId } = room
    const student = await add('student', { ...pupil, name: names.student, schoolId, gradeId, classId: schoolclass.id })
    rows.set('student', student)
    const { draft: parent } = await sample(admin, entityOf('studentparents'), new Map([['student', student.id]]))
    rows.set(
      'studentparents',
      await add('studentparents', { ...parent, studentId: student.id, parentName: names.studentparents }),
    )
    rows.set('user', await add('user', { account: `walk${rows === own ? 1 : 2}`, realName: names.user }))
  }
  const { rows: menus } = await world.owner.query<{ code: string }>('select code from menu where platform_only = 0')
  head = await world.colleague(
    admin,
    menus.map(({ code }) => code).filter((code) => !platformCodes.has(code)),
  )
  const scopeIds: string[] = []
  for (const entity of narrowedTo) {
    const ids = [own.get(entity)!.id, ...(entity === 'user' ? [head.userId] : [])]
    const scope = await add('datascope', {
      scopeName: entity,
      resourceCode: `walk_${entity}`,
      scopeClass: entity,
      scopeType: '5',
      scopeValue: { all: [{ field: 'id', op: 'in', value: ids }] },
    })
    scopeIds.push(scope.id)
  }
  const roleId = String((await admin.get<Row>('blade-user/detail', { id: head.userId })).data.roleId)
  const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [roleId],
    menuIds: keys.data.menu,
    dataScopeIds: scopeIds,
  })
  expect(granted.msg).toBe('操作成功')
})
afterAll(() => world.close())

const routes = allRoutes().filter(
  (route) => route.access !== 'public' && !/logout|clear-cache|live|template/.test(route.path),
)

/** The foreign row that a call may be about: of its own entity, or of the one that a name tells. */
function foreignFor(route: Route, name: string): string {
  const told = /^user/i.test(name)
    ? 'user'
    : /^class/i.test(name)
      ? 'schoolclass'
      : /^(student|child)/i.test(name)
        ? 'student'
        : undefined
  const entity = told ?? watched.find((each) => each === route.tag) ?? 'student'
  return foreign.get(entity)!.id
}

const parametersFor = (route: Route): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(route.parameters ?? {}).flatMap(([name, { kind, required }]): [string, string][] =>
      kind === 'id' || kind === 'ids'
        ? [[name, foreignFor(route, name)]]
        : required
          ? [
              [
                name,
                name === 'entity' ? 'student' : name === 'keyword' ? '外' : kind === 'tenant' ? admin.tenantId : 'GET',
              ],
            ]
          : [],
    ),
  ),
})

describe('R-PERM-3 whoever works with a part', () => {
  it('gets to know nothing of the rest by any call that reads', { timeout: 120_000 }, async () => {
    const leaks: string[] = []
    const seen = new Set<string>()
    let walked = 0
    for (const route of routes) {
      if (route.method !== 'GET') continue
      const asked = parametersFor(route)
      const plain = Object.fromEntries(Object.entries(asked).filter(([name]) => route.parameters?.[name]?.required))
      // What is in a workbook cannot be read off its bytes.
      const whole = { ...plain, ...(/export$/.test(route.path) ? { format: 'csv' } : { size: '200' }) }
      for (const query of [{ ...whole, ...asked }, whole, { ...whole, keyword: '外' }]) {
        const answer = await world.http.inject({
          method: 'GET',
          url: `/api${route.path}`,
          query,
          headers: { 'blade-auth': `bearer ${head.token}` },
        })
        walked += 1
        expect(answer.statusCode, route.path).toBeLessThan(500)
        if (/里[生长班员]/.test(answer.payload)) seen.add(route.path)
        for (const [entity, mark] of Object.entries(marks))
          if (answer.payload.includes(mark))
            leaks.push(`${route.path}?${new URLSearchParams(query)} tells of ${entity}`)
      }
    }
    // It is a walk through open doors: the own rows are told of everywhere.
    for (const entity of watched)
      for (const call of ['list', 'export']) expect(seen).toContain(`/${path(entity)}/${call}`)
    expect(walked).toBeGreaterThan(300)
    expect(leaks).toEqual([])
  })

  it('changes nothing of the rest by any call that writes', { timeout: 120_000 }, async () => {
    const states = async (): Promise<unknown> =>
      Object.fromEntries(
        await Promise.all(
          watched.map(async (entity) => {
            const table = entity === 'user' ? 'app_user' : entity
            const { rows } = await world.owner.query(`select to_jsonb(t) as row from ${table} t where id = $1`, [
              foreign.get(entity)!.id,
            ])
            return [entity, rows]
          }),
        ),
      )
    const before = await states()
    const { rows: entries } = await world.owner.query<{ request_id: string; row_id: string; id: string }>(
      'select request_id, row_id, id from history where tenant_id = $1 and row_id = any($2::bigint[])',
      [admin.tenantId, [...foreign.values()].map((row) => row.id)],
    )
    const wrong: string[] = []
    for (const route of routes) {
      if (route.method !== 'POST' || /import|oneroster|update-password|lock/.test(route.path)) continue
      const properties = Object.keys((route.bodySchema as { properties?: object } | undefined)?.properties ?? {})
      const ids = Object.fromEntries(
        properties
          .filter((name) => /^ids?$|Ids?$/.test(name))
          .map((name) => [name, /Ids$/.test(name) ? [foreignFor(route, name)] : foreignFor(route, name)]),
      )
      const query = parametersFor(route)
      for (const body of [ids, { ...ids, remark: '改', status: 0 }, { id: foreignFor(route, 'id'), remark: '改' }]) {
        const answer = await head.post(route.path.slice(1), body, { query })
        if (answer.status >= 500) wrong.push(`${route.path} ${answer.status}`)
        for (const mark of Object.values(marks))
          if (JSON.stringify(answer).includes(mark)) wrong.push(`${route.path} tells ${mark}`)
      }
    }
    for (const { request_id: requestId } of entries)
      await head.post('blade-log/history/undo', undefined, { query: { requestId, changed: 1 } })
    for (const entity of watched)
      for (const entry of entries)
        await head.post(`${path(entity)}/restore`, undefined, {
          query: { id: foreign.get(entity)!.id, historyId: entry.id },
        })
    expect(wrong).toEqual([])
    expect(await states()).toEqual(before)
    expect((await head.get('blade-user/info')).status).toBe(200)
  })
})
