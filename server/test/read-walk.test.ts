import { type Entity, entities, entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import type { Route } from '../src/kernel/route.ts'
import { because } from './because.ts'
import { checked, committed, type Line, line, makeSchool, table, xlsx } from './import-parts.ts'
import { setParameter } from './login-parts.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * Every answer that shows more of a child than a list does is recorded, whatever call gives it. Each row of a child's
 * record holds words that stand nowhere else and that no list shows by itself: an answer with one of them is one that has
 * to stand in the access records, under its own request, by that person, of that child.
 */

const ofChildren = entities.filter(({ name, within }) => name === 'student' || within === 'studentId')
/** Texts of a record that a list does not show unless it is asked to. */
const markable = (entity: Entity): string[] =>
  Object.entries(entity.fields).flatMap(([name, field]) =>
    (field.kind === 'text' || field.kind === 'area') &&
    (!field.rule || field.rule === 'personName') &&
    !field.computed &&
    !field.only &&
    (field.max ?? 0) >= 15 &&
    ![...entity.list, ...(entity.beside ?? []), entity.title].includes(name)
      ? [name]
      : [],
  )

let world: World
let admin: Person
let pupil: string
const rows = new Map<string, Row>()
const mark = '暗记甲乙'
/** The calls that were seen to show the record. */
const shown = new Set<string>()

/** The draft of a row with its marks; as many as it has fields for them. */
async function marked(entity: Entity, made: Map<string, string>): Promise<Record<string, unknown>> {
  const { draft } = await sample(admin, entity, made)
  return {
    ...draft,
    ...Object.fromEntries(markable(entity).map((name) => [name, `${mark}${entity.name}`.slice(0, 15)])),
  }
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (const entity of ofChildren) {
    const answer = await admin.post<Row>(`${entity.path}/submit`, await marked(entity, made))
    if (answer.code !== 200) throw new Error(`${entity.name}: ${answer.msg}`)
    made.set(entity.name, answer.data.id)
    rows.set(entity.name, answer.data)
  }
  pupil = rows.get('student')!.id
}, 120_000)
afterAll(() => world.close())

interface Sent {
  readonly status: number
  readonly shows: boolean
  readonly request: string
}

async function ask(
  method: 'GET' | 'POST',
  path: string,
  query: Record<string, string> = {},
  body?: object,
  headers: Record<string, string> = {},
  fails = false,
): Promise<Sent> {
  const sent = world.http.inject({
    ...{ method, url: `/api${path}`, query, fails, headers: { 'blade-auth': `bearer ${admin.token}`, ...headers } },
    ...(body ? { payload: body } : {}),
  })
  // A file that breaks off gives what it had given.
  const answer = await sent.catch(() => undefined)
  if (!answer) return { status: 500, shows: false, request: '' }
  return {
    status: answer.statusCode,
    shows: answer.payload.includes(mark),
    request: String(answer.headers['x-request-id']),
  }
}

/** Whether the request stands in the access records, of the child. */
const isRecorded = async (request: string, child = pupil): Promise<boolean> =>
  (
    await world.owner.query(
      'select 1 from read_log where tenant_id = $1 and request_id = $2 and child_id = $3 and user_id = $4',
      [admin.tenantId, request, child, admin.userId],
    )
  ).rowCount! > 0

/** Ways to ask each call that could show the record: with its ids, for all, with all columns, by a draft. */
function* ways(route: Route): Iterable<[Record<string, string>, object | undefined]> {
  const entity = entities.find((each) => each.name === route.tag)
  const row = rows.get(route.tag ?? '') ?? rows.get('student')!
  const given = Object.fromEntries(
    Object.entries(route.parameters ?? {}).flatMap(([name, { kind, required }]): [string, string][] => {
      if (kind !== 'id' && kind !== 'ids') return required ? [[name, name === 'entity' ? 'student' : '王']] : []
      return [[name, /^(student|child)/.test(name) ? pupil : row.id]]
    }),
  )
  // But for what nobody is shown.
  const columns = Object.entries(entity?.fields ?? {}).flatMap(([name, { inner }]) => (inner ? [] : [name]))
  const all: Record<string, string> = entity ? { columns: columns.join() } : {}
  const format: Record<string, string> = /export/.test(route.path) ? { format: 'csv' } : {}
  if (route.method === 'GET') {
    yield [{ ...format, ...all }, undefined]
    yield [{ ...format, ...all, ...given }, undefined]
    return
  }
  yield [
    { ...given, ...format, ...all },
    { id: row.id, ids: [row.id], sort: 3 },
  ]
  yield [
    { ...given, ...format, ...all },
    { id: row.id, version: 99 },
  ]
}

const routes = allRoutes().filter(
  (route) =>
    route.access !== 'public' && !/logout|clear-cache|live|session\/lock|password|tenant\/|remove$/.test(route.path),
)

describe('R-LOG-6 whoever is shown a child’s record is written down', () => {
  it('has words to look for in the records', () => {
    expect(ofChildren.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['student', 'studentdetail', 'studentparents', 'studentresume']),
    )
    for (const name of ['student', 'studentdetail', 'studentparents', 'studentresume'])
      expect(markable(entityOf(name)).length, name).toBeGreaterThan(1)
  })

  it('by every call that there is', { timeout: 180_000 }, async () => {
    const silent: string[] = []
    for (const route of routes)
      for (const [query, body] of ways(route)) {
        const { shows, request, status } = await ask(route.method, route.path, query, body)
        expect(status, route.path).toBeLessThan(500)
        if (!shows) continue
        shown.add(route.path)
        if (!(await isRecorded(request))) silent.push(`${route.method} ${route.path} ${JSON.stringify(body ?? query)}`)
      }
    expect(silent).toEqual([])
    // It is a walk through open doors.
    for (const { path } of ofChildren.filter((entity) => markable(entity).length > 0))
      for (const call of ['list', 'detail', 'submit', 'export']) expect([...shown]).toContain(`/${path}/${call}`)
  })

  it('also by what comes of a conflict, of a key sent again, of what was taken back, and of what is gone', async () => {
    for (const entity of ofChildren.filter((each) => markable(each).length > 0)) {
      const { path, name } = entity
      const { id } = rows.get(name)!
      const expected = async (sent: Sent, status = 200): Promise<void> => {
        expect([sent.status, sent.shows, await isRecorded(sent.request)], name).toEqual([status, true, true])
      }
      await expected(await ask('POST', `/${path}/submit`, {}, { id, version: 99 }), 409)
      const key = { 'idempotency-key': `read-walk-${name}-0001` }
      const [field] = markable(entity)
      const draft = { id, [field!]: `${mark}又改` }
      await expected(await ask('POST', `/${path}/submit`, {}, draft, key))
      await expected(await ask('POST', `/${path}/submit`, {}, draft, key))
      await expected(await ask('GET', `/${path}/history`, { id }))
      const { rows: entries } = await world.owner.query<{ id: string }>(
        'select id from history where tenant_id = $1 and entity = $2 and row_id = $3 order by id',
        [admin.tenantId, name, id],
      )
      for (const entry of entries) {
        await expected(await ask('GET', '/blade-log/history/detail', { id: entry.id }))
        await expected(await ask('POST', `/${path}/restore`, { id, historyId: entry.id }))
      }
    }
    const made = new Map<string, string>([['student', pupil]])
    const resume = await admin.post<Row>(
      'blade-user/studentresume/submit',
      await marked(entityOf('studentresume'), made),
    )
    expect((await admin.remove('blade-user/studentresume', resume.data.id)).status).toBe(200)
    const gone = await ask('GET', '/blade-user/studentresume/history', { id: resume.data.id })
    const { rows: last } = await world.owner.query<{ id: string }>(
      'select id from history where tenant_id = $1 and row_id = $2 order by id desc limit 1',
      [admin.tenantId, resume.data.id],
    )
    const told = await ask('GET', '/blade-log/history/detail', { id: last[0]!.id })
    expect([told.shows, await isRecorded(told.request), await isRecorded(gone.request)]).toEqual([true, true, true])
  })

  it('also by the tables of an import that is about known children, and by what an undo of it would touch', async () => {
    const place = await makeSchool(admin)
    const lines: Line[] = [0, 1].map((index) => line(place, index, { 'student.studentNo': `W${index}` }))
    const first = await checked(world, admin, place, await xlsx(table(lines)))
    await committed(admin, first.id)
    const { rows: pupils } = await world.owner.query<{ id: string }>(
      `select id from student where tenant_id = $1 and student_no like 'W%' order by student_no`,
      [admin.tenantId],
    )
    const recorded = async (sent: Sent): Promise<boolean[]> => {
      expect(sent.status).toBe(200)
      return Promise.all(pupils.map(({ id }) => isRecorded(sent.request, id)))
    }
    await admin.post('blade-user/student/submit', { id: pupils[0]!.id, remark: '后来改' })
    expect(await recorded(await ask('GET', '/blade-user/import/undo-plan', { id: first.id }))).toEqual([true, false])
    const again = await checked(world, admin, place, await xlsx(table(lines)), '再次.xlsx', 'update')
    expect(await recorded(await ask('GET', '/blade-user/import/rows', { id: again.id }))).toEqual([true, true])
    expect(await recorded(await ask('GET', '/blade-user/import/batch', { id: again.id }))).toEqual([true, true])
    const cells = { id: again.id, row: 2, cells: { 0: '改名' } }
    expect(await recorded(await ask('POST', '/blade-user/import/correct', {}, cells))).toContain(true)
    expect(await recorded(await ask('GET', '/blade-user/oneroster/export'))).toEqual([true, true])
  })

  it('and is shown nothing without a reason, where the tenant asks for one', { timeout: 120_000 }, async () => {
    await setParameter(admin, 'log.readReason', '1')
    const told: string[] = []
    const refused = new Set<string>()
    const explained = new Set<string>()
    for (const route of routes.filter(({ path }) => shown.has(path)))
      for (const [query, body] of ways(route)) {
        const { shows, status } = await ask(route.method, route.path, query, body)
        if (shows) told.push(`${route.method} ${route.path} ${status}`)
        else if (status === 428) refused.add(route.path)
        const said = await ask(route.method, route.path, query, body, because('家访').headers)
        expect(said.status, route.path).not.toBe(428)
        if (said.shows) explained.add(route.path)
      }
    await setParameter(admin, 'log.readReason', '0')
    expect(told).toEqual([])
    expect([...refused].sort()).toEqual([...shown].sort())
    expect([...explained].sort()).toEqual([...shown].sort())
  })

  it('and is shown nothing where that cannot be written', { timeout: 120_000 }, async () => {
    await world.owner.query('alter table read_log rename to read_log_away')
    const told: string[] = []
    const refused = new Set<string>()
    expect(shown.size).toBeGreaterThan(12)
    for (const route of routes.filter(({ path }) => shown.has(path)))
      for (const [query, body] of ways(route)) {
        const { shows, status } = await ask(route.method, route.path, query, body, {}, true)
        if (shows) told.push(`${route.method} ${route.path} ${status}`)
        else if (status >= 500) refused.add(route.path)
      }
    await world.owner.query('alter table read_log_away rename to read_log')
    expect(told).toEqual([])
    expect([...refused].sort()).toEqual([...shown].sort())
  })
})
