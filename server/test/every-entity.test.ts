import { codeOf, type Entity, entities, entityOf, hiddenSecret, isMasked, type Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { tableOf } from '../src/database/name.ts'
import { allModules } from '../src/extensions.ts'
import { generic, isOfPlatform, sample, served } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const readOnly = entities.filter((entity) => entity.readOnly)

let world: World
let admin: Person
let stranger: Person
let platform: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  platform = await world.platform()
})
afterAll(() => world.close())

const routes = allRoutes()
/** Whether a module serves a call to whoever takes part in a row: to others the row is not there. */
const takesPart = (method: string, path: string): boolean =>
  routes.find((route) => route.method === method && route.path === `/${path}`)?.access === 'session'
/** What the declaration of a call asks for, of whoever holds none of it. */
const missingOf = (method: string, path: string): string => {
  const declared = routes.find((route) => route.method === method && route.path === `/${path}`)!
  if (declared.access === 'public' || declared.access === 'session') throw new Error(`${path} asks for no code`)
  return declared.access.codes[0]!
}

const ownerOf = (entity: Entity): Person => (isOfPlatform(entity) ? platform : admin)
/** The calls of an entity that a module serves in its own way. */
const ownCalls = (entity: Entity): Set<string> =>
  new Set(allModules.flatMap((module) => module.serves?.[entity.name] ?? []))

const add = async (
  entity: Entity,
  person = ownerOf(entity),
  ready?: Record<string, unknown>,
): Promise<{ row: Row; draft: Record<string, unknown> }> => {
  const draft = ready ?? (await sample(person, entity)).draft
  let answer = await person.post<Row>(`${entity.path}/submit`, draft)
  for (let tries = 0; answer.status === 409 && entity.name === 'sysgrade' && tries < 40; tries += 1)
    answer = await person.post<Row>(`${entity.path}/submit`, Object.assign(draft, (await sample(person, entity)).draft))
  if (answer.code !== 200) throw new Error(`${entity.name}: ${answer.msg}`)
  return { row: answer.data, draft }
}

/** How many rows there are: as the list says, or as the database does where the list is a tree. */
const total = async (entity: Entity, person = ownerOf(entity)): Promise<number> =>
  ownCalls(entity).has('list')
    ? (await world.owner.query<{ n: number }>(`select count(*)::int as n from ${tableOf(entity)}`)).rows[0]!.n
    : (await person.get<Page<Row>>(`${entity.path}/list`, { size: 1 })).data.total

/** A text that no rule reads, and not the naming field: other rows may show that name. */
function plainField(entity: Entity): string | undefined {
  const plain = Object.entries(entity.fields).filter(
    ([name, field]) =>
      name !== entity.title &&
      (field.kind === 'text' || field.kind === 'area') &&
      !field.computed &&
      !field.rule &&
      !field.fixed,
  )
  return (plain.find(([name]) => ['remark', 'address', 'summary'].includes(name)) ?? plain[0])?.[0]
}

/** What is nothing without the row that it points at, and goes with it. */
const goesAlong = new Set(['studentdetail.studentId', 'studentclass.studentId', 'reportsubscription.reportId'])

/** What is kept by a rule of its own, whatever points at it: a lesson of a published plan. */
const keptAnyhow = new Set(['substitution.scheduleId'])

it('looks at every entity', () => {
  expect(generic.length).toBeGreaterThan(20)
  expect(generic.filter(isOfPlatform).map((entity) => entity.name)).toEqual([
    'menu',
    'dict',
    'client',
    'datasource',
    'tenant',
    'code',
  ])
})

describe.each(generic.map((entity) => [entity.name, entity] as const))('%s', (_name, entity) => {
  const first = Object.entries(entity.fields).find(
    ([, field]) =>
      field.required &&
      !field.computed &&
      !field.default &&
      ['text', 'reference', 'choice', 'integer'].includes(field.kind),
  )
  const plain = plainField(entity)
  const ofPlatform = isOfPlatform(entity)
  const own = ownCalls(entity)
  let admin: Person
  beforeAll(() => {
    admin = ownerOf(entity)
  })

  it('R-CALL-2 adds a row and answers it as it was stored', async () => {
    const { row, draft } = await add(entity)
    expect(row.version).toBe(1)
    if (entity.ownership !== 'platform') expect(row.tenantId).toBe(admin.tenantId)
    const detail = (await admin.get<Row>(`${entity.path}/detail`, { id: row.id })).data
    // What a module answers beside the row (a password told once) or in another form is tested beside the module.
    const alike = (each: Row): unknown =>
      own.has('submit') || own.has('detail')
        ? Object.keys(draft).flatMap((name) => (draft[name] === null ? [] : [[name, String(each[name])]]))
        : each
    expect(alike(detail)).toEqual(alike(row))
    for (const [name, value] of Object.entries(draft)) {
      const field = entity.fields[name]!
      if (value === null) expect(row[name] ?? null, name).toBeNull()
      else if (field.kind === 'personal') expect(isMasked(String(row[name])), name).toBe(true)
      else if (field.kind === 'secret') expect(row[name], name).toBe(hiddenSecret)
      else expect(row[name], name).toEqual(field.comma ? String(value) : value)
    }
  })

  if (!own.has('list')) {
    it('R-LIST-1 R-ERR-2 lists it, page by page, with an exact total', async () => {
      // What the row points at is there first: a school brings its main campus.
      const { draft } = await sample(ownerOf(entity), entity)
      const before = await total(entity)
      const { row } = await add(entity, undefined, draft)
      expect(await total(entity)).toBe(before + 1)
      const page = await admin.get<Page<Row>>(`${entity.path}/list`, { current: 1, size: 200, descs: 'createTime' })
      expect(page.data.records.map((each) => each.id)).toContain(row.id)
      const past = await admin.get<Page<Row>>(`${entity.path}/list`, { current: 5_000, size: 10 })
      expect(past.data).toMatchObject({ total: before + 1, records: [], current: 5_000, size: 10 })
    })

    it('R-LIST-2 filters by creation time and changes nothing for names that are no field', async () => {
      const all = await total(entity)
      const later = await admin.get<Page<Row>>(`${entity.path}/list`, { createTime_dategt: '2999-01-01 00:00:00' })
      expect(later.data.total).toBe(0)
      const earlier = await admin.get<Page<Row>>(`${entity.path}/list`, {
        createTime_dategt: '2000-01-01 00:00:00',
        createTime_datelt: '2999-01-01 00:00:00',
      })
      expect(earlier.data.total).toBe(all)
      for (const name of [
        'nope',
        '1-1',
        'updatexml(1,concat(0x7e,version()),1)',
        '(select/**/pg_sleep(3))::text',
        'tenant_id',
        'password_like',
      ])
        expect((await admin.get<Page<Row>>(`${entity.path}/list`, { [name]: '1' })).data.total, name).toBe(all)
      for (const order of ['id,(select pg_sleep(3))', 'case when 1=1 then id else name end', 'nope'])
        expect(
          (await admin.get<Page<Row>>(`${entity.path}/list`, { descs: order, ascs: order })).data.total,
          order,
        ).toBe(all)
    })
  }

  if (first)
    it('R-ERR-5 names a required field that is missing, and stores nothing', async () => {
      const before = await total(entity)
      const { draft } = await sample(admin, entity)
      const made = await total(entity)
      const answer = await admin.post<{ field: string }>(`${entity.path}/submit`, { ...draft, [first[0]]: null })
      expect(answer.status).toBe(400)
      expect(answer.data.field).toBe(first[0])
      expect(answer.msg).toContain(first[1].label.zh)
      const english = await admin.post(`${entity.path}/submit`, { ...draft, [first[0]]: '' }, { language: 'en' })
      expect(english.msg).toContain(first[1].label.en)
      expect(await total(entity)).toBe(made)
      expect(made).toBeGreaterThanOrEqual(before)
    })

  it('R-CALL-3 refuses a field it does not know, by name', async () => {
    const { draft } = await sample(admin, entity)
    const before = await total(entity)
    const answer = await admin.post<{ field: string }>(`${entity.path}/submit`, { ...draft, isAdmin: 1 })
    expect([answer.status, answer.data?.field]).toEqual([400, 'isAdmin'])
    expect(await total(entity)).toBe(before)
  })

  if (plain) {
    it('R-ERR-5 refuses a wrong type, a text that is too long, and one that cannot be stored', async () => {
      const { draft } = await sample(admin, entity)
      for (const wrong of [
        { a: 1 },
        ['x'],
        true,
        'x'.repeat((entity.fields[plain]!.max ?? 500) + 1),
        'a\u0000b',
        '\ud800',
      ]) {
        const answer = await admin.post<{ field: string }>(`${entity.path}/submit`, { ...draft, [plain]: wrong })
        expect([answer.status, answer.data?.field], JSON.stringify(wrong).slice(0, 30)).toEqual([400, plain])
      }
    })

    it('changes only what is sent, raises the version and writes history', async () => {
      const { row, draft } = await add(entity)
      const changed = await admin.post<Row>(`${entity.path}/submit`, {
        id: row.id,
        version: row.version,
        [plain]: '改过',
      })
      expect(changed.code).toBe(200)
      // What is told once, when the row is made, is no part of it.
      const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !own.has('submit') || name in draft))
      expect(changed.data).toMatchObject({ ...kept, [plain]: '改过', version: 2, updateTime: changed.data.updateTime })
      const history = await admin.get<
        { action: string; userName: string; changes: { field: string; before: unknown; after: unknown }[] }[]
      >(`${entity.path}/history`, { id: row.id })
      expect(history.data.map((entry) => entry.action)).toEqual(['edit', 'add'])
      expect(history.data[0]).toMatchObject({
        userName: '管理员',
        changes: [{ field: plain, before: row[plain], after: '改过' }],
      })
    })

    it('answers a stale save with both versions and changes nothing', async () => {
      const { row } = await add(entity)
      await admin.post(`${entity.path}/submit`, { id: row.id, version: 1, [plain]: '先' })
      const late = await admin.post<{ yours: Row; theirs: Row }>(`${entity.path}/submit`, {
        id: row.id,
        version: 1,
        [plain]: '后',
      })
      expect(late.status).toBe(409)
      expect(late.data.theirs[plain]).toBe('先')
      expect(late.data.yours[plain]).toBe('后')
      expect((await admin.get<Row>(`${entity.path}/detail`, { id: row.id })).data[plain]).toBe('先')
    })
  }

  it('removes a row that nothing points at, and keeps its history', async () => {
    const { row } = await add(entity)
    const gone = await admin.remove(entity.path, row.id)
    const after = await admin.get<Row>(`${entity.path}/detail`, { id: row.id })
    const history = await admin.get<{ action: string }[]>(`${entity.path}/history`, { id: row.id })
    // A tenant has days of grace before it is purged.
    expect([gone.msg, gone.status, after.status, after.data?.status, history.data[0]?.action]).toEqual(
      entity.name === 'tenant' ? ['操作成功', 200, 200, 9, 'edit'] : ['操作成功', 200, 404, undefined, 'delete'],
    )
    // Which of them are missing is told, all at once: whoever wanted them gone goes on with the others.
    const other = await admin.remove<{ gone: string[] } | null>(entity.path, `${row.id},7,8`)
    expect(other.status).toBe(404)
    // A tenant that was removed is there until it is purged.
    expect([...(other.data?.gone ?? [])].sort()).toEqual(
      (entity.name === 'tenant' ? ['7', '8'] : [row.id, '7', '8']).sort(),
    )
    for (const ids of ['', 'x', "1' or '1'='1", '0', '-1'])
      expect((await admin.remove(entity.path, ids)).status, ids).toBe(400)
  })

  it('R-SCHOOL-20 keeps what it points at, and names itself as what stands in the way', async () => {
    const { row, draft } = await add(entity)
    for (const [name, field] of Object.entries(entity.fields)) {
      const target = [draft[name]].flat()[0] as string | undefined
      if (!field.to || !target || entityOf(field.to).ownership === 'platform' || served.has(field.to)) continue
      const { path } = entityOf(field.to)
      if (goesAlong.has(`${entity.name}.${name}`)) continue
      const refused = await admin.remove(path, target)
      expect([name, refused.status]).toEqual([name, 400])
      if (keptAnyhow.has(`${entity.name}.${name}`)) continue
      const found = refused.data.blockers?.find((each) => each.entity === entity.name && each.field === name)
      expect(found?.count, name).toBeGreaterThan(0)
      expect((await admin.get<Row>(`${path}/detail`, { id: target })).status, name).toBe(200)
    }
    expect((await admin.get<Row>(`${entity.path}/detail`, { id: row.id })).status).toBe(200)
    for (const name of Object.keys(draft).filter((each) => goesAlong.has(`${entity.name}.${each}`))) {
      const { path } = entityOf(entity.fields[name]!.to!)
      expect((await admin.remove(path, String(draft[name]))).status).toBe(200)
      expect((await admin.get<Row>(`${entity.path}/detail`, { id: row.id })).status).toBe(404)
    }
  })

  it('takes remove ids from a urlencoded body as well as from the query', async () => {
    const answer = await world.call('POST', `${entity.path}/remove`, admin.token, { form: { ids: '7' } })
    expect(answer.status).toBe(404)
  })

  it('R-LIST-5 asks 401 of nobody, 403 of somebody without the code, and says which code', async () => {
    const { row } = await add(entity)
    const viewer = await world.colleague(admin, [codeOf(entity, 'view')])
    const nobody = await world.colleague(admin, [])
    const calls = [
      ['GET', 'list', {}, undefined],
      ['GET', 'detail', { id: row.id }, undefined],
      ['GET', 'history', { id: row.id }, undefined],
      ['POST', 'submit', {}, {}],
      ['POST', 'submit', {}, { id: row.id }],
      ['POST', 'remove', { ids: row.id }, undefined],
    ] as const
    for (const [method, call, query, body] of calls) {
      const path = `${entity.path}/${call}`
      if (takesPart(method, path)) {
        expect((await world.call(method, path, null, { query, body })).status, call).toBe(401)
        expect((await world.call(method, path, nobody.token, { query, body })).status, call).toBe(404)
        continue
      }
      // One call adds and changes: who sends an id lacks the right to change.
      const missing = body && 'id' in body ? missingOf(method, path).replace(/_add$/, '_edit') : missingOf(method, path)
      expect((await world.call(method, path, null, { query, body })).status, call).toBe(401)
      const refused = await world.call(method, path, nobody.token, { query, body })
      expect([refused.status, refused.msg], call).toEqual([403, expect.stringContaining(missing)])
    }
    // What the platform's administrators alone hold is of no use in another role, even in their own tenant.
    // Nor does who only views see what is still a draft, or what is shared with others.
    const seen = ofPlatform ? 403 : entity.drafted || entity.sharedBy || entity.ownRows ? 404 : 200
    expect((await viewer.get(`${entity.path}/detail`, { id: row.id })).status).toBe(seen)
    expect((await viewer.post(`${entity.path}/submit`, { id: row.id })).status).toBe(403)
    expect((await viewer.remove(entity.path, row.id)).status).toBe(403)
  })

  if (ofPlatform)
    it('R-PROD-2 R-PERM-5 is listed, read, changed, counted and confirmed by no administrator of a tenant', async () => {
      const { row } = await add(entity)
      const { draft } = await sample(admin, entity)
      const look = `select to_jsonb(t) as row from ${tableOf(entity)} t where id = $1`
      const before = await world.owner.query(look, [row.id])
      const count = await total(entity)
      const { path } = entity
      for (const id of [row.id, '7']) {
        const answers = [
          await stranger.get(`${path}/list`, { id }),
          await stranger.get(`${path}/detail`, { id }),
          await stranger.get(`${path}/history`, { id }),
          await stranger.get(`${path}/select`, { ids: id }),
          await stranger.post(`${path}/submit`, { id, status: 2 }),
          await stranger.remove(path, id),
        ]
        const opened = answers.filter((answer) => answer.status !== 403)
        expect(opened.filter((answer) => JSON.stringify(answer.data ?? null).includes(row.id)).length).toBe(0)
        // The menus that roles are granted are known to those who grant them: never those of the platform.
        expect(opened.map((answer) => answer.status)).toEqual(entity.name === 'menu' ? [200, 404, 200] : [])
        expect(new Set(answers.filter((answer) => answer.status === 403).map((answer) => answer.data))).toEqual(
          new Set([null]),
        )
      }
      expect((await stranger.post(`${path}/submit`, draft)).status).toBe(403)
      const after = await world.owner.query(look, [row.id])
      expect(after.rows).toEqual(before.rows)
      expect(await total(entity)).toBe(count)
    })
  else
    it('R-PROD-2 R-SCHOOL-17 is invisible to another tenant, in every call and as a reference', async () => {
      const { row } = await add(entity)
      const look = `select to_jsonb(t) as row from ${tableOf(entity)} t where id = $1`
      const before = await world.owner.query(look, [row.id])
      const unknown = await stranger.get(`${entity.path}/detail`, { id: '7' })
      const foreign = await stranger.get(`${entity.path}/detail`, { id: row.id })
      expect([foreign.status, foreign.msg]).toEqual([404, unknown.msg])
      expect((await stranger.get<Page<Row>>(`${entity.path}/list`, { id: row.id })).data.total).toBe(0)
      expect((await stranger.get<unknown[]>(`${entity.path}/select`, { ids: row.id })).data).toEqual([])
      expect((await stranger.get(`${entity.path}/history`, { id: row.id })).status).toBe(404)
      expect((await stranger.post(`${entity.path}/submit`, { id: row.id, status: 9 })).status).toBe(404)
      expect((await stranger.remove(entity.path, row.id)).status).toBe(404)
      const { draft } = await sample(stranger, entity)
      for (const [name, field] of Object.entries(entity.fields)) {
        if (field.computed || (field.kind !== 'reference' && field.kind !== 'references')) continue
        const target = entities.find((each) => each.name === field.to)!
        const shared = target.ownership === 'platform' || served.has(target.name)
        const foreignId = target.name === 'user' ? admin.userId : shared ? '7' : (await add(target)).row.id
        const count = await total(entity, stranger)
        const answer = await stranger.post(`${entity.path}/submit`, {
          ...draft,
          [name]: field.kind === 'references' ? [foreignId] : foreignId,
        })
        expect(answer.status, name).toBe(400)
        expect(await total(entity, stranger), name).toBe(count)
      }
      const moved = await admin.post<Row>(`${entity.path}/submit`, { id: row.id, tenantId: stranger.tenantId })
      expect(moved.data.tenantId).toBe(admin.tenantId)
      const after = await world.owner.query(look, [row.id])
      expect(after.rows).toEqual(before.rows)
    })

  it('offers its rows for choosing, by id and by part of the name', async () => {
    const { row } = await add(entity)
    const byId = await admin.get<{ id: string; name: string }[]>(`${entity.path}/select`, { ids: row.id })
    expect(byId.data.map((each) => each.id)).toEqual([row.id])
    const none = await admin.get<unknown[]>(`${entity.path}/select`, { keyword: '没有这样的名字' })
    expect(none.data).toEqual([])
  })
})

if (readOnly.length > 0)
  describe.each(readOnly.map((entity) => [entity.name, entity] as const))('%s', (_name, entity) => {
    it('R-LIST-5 is written by no call, and read with its code', async () => {
      const viewer = await world.colleague(admin, [codeOf(entity, 'view')])
      const nobody = await world.colleague(admin, [])
      const { path } = entity
      expect((await admin.post(`${path}/submit`, {})).status).toBe(404)
      expect((await admin.remove(path, '7')).status).toBe(404)
      for (const call of ['list', 'detail']) {
        expect((await world.call('GET', `${path}/${call}`, null, { query: { id: '7' } })).status, call).toBe(401)
        expect((await nobody.get(`${path}/${call}`, { id: '7' })).status, call).toBe(403)
        expect((await viewer.get(`${path}/${call}`, { id: '7' })).status, call).toBe(call === 'list' ? 200 : 404)
      }
    })
  })
