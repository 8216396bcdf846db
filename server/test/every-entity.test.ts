import { codeOf, type Entity, entities, isMasked } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tableOf } from '../src/database/name.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Entities whose generic calls a module serves in its own way; their tests stand beside the module. */
const served = new Set(['user', 'attach', 'dept', 'role', 'dictbiz'])
const generic = entities.filter((entity) => !served.has(entity.name))

interface Row extends Record<string, unknown> {
  id: string
  version: number
}
interface PageOf {
  total: number
  size: number
  current: number
  pages: number
  records: Row[]
}

let world: World
let admin: Person
let stranger: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
})
afterAll(() => world.close())

const add = async (entity: Entity, person = admin): Promise<{ row: Row; draft: Record<string, unknown> }> => {
  const { draft } = await sample(person, entity)
  let answer = await person.post<Row>(`${entity.path}/submit`, draft)
  for (let tries = 0; answer.status === 409 && entity.name === 'sysgrade' && tries < 40; tries += 1)
    answer = await person.post<Row>(`${entity.path}/submit`, Object.assign(draft, (await sample(person, entity)).draft))
  if (answer.code !== 200) throw new Error(`${entity.name}: ${answer.msg}`)
  return { row: answer.data, draft }
}
const total = async (entity: Entity, person = admin): Promise<number> =>
  (await person.get<PageOf>(`${entity.path}/list`, { size: 1 })).data.total

it('looks at every entity', () => {
  expect(generic.length).toBeGreaterThan(20)
})

describe.each(generic.map((entity) => [entity.name, entity] as const))('%s', (_name, entity) => {
  const first = Object.entries(entity.fields).find(
    ([, field]) =>
      field.required &&
      !field.computed &&
      !field.default &&
      ['text', 'reference', 'choice', 'integer'].includes(field.kind),
  )
  // Not the naming field: other rows may show that name.
  const title = Object.entries(entity.fields).find(
    ([name, field]) =>
      name !== entity.title &&
      (field.kind === 'text' || field.kind === 'area') &&
      !field.computed &&
      !field.rule &&
      !field.fixed,
  )

  it('R-CALL-2 adds a row and answers it as it was stored', async () => {
    const { row, draft } = await add(entity)
    expect(row.version).toBe(1)
    expect(row.tenantId).toBe(admin.tenantId)
    const detail = await admin.get<Row>(`${entity.path}/detail`, { id: row.id })
    expect(detail.data).toEqual(row)
    for (const [name, value] of Object.entries(draft)) {
      const field = entity.fields[name]!
      if (value === null) expect(row[name] ?? null, name).toBeNull()
      else if (field.kind === 'personal') expect(isMasked(String(row[name])), name).toBe(true)
      else expect(row[name], name).toEqual(value)
    }
  })

  it('R-LIST-1 R-ERR-2 lists it, page by page, with an exact total', async () => {
    const before = await total(entity)
    const { row } = await add(entity)
    expect(await total(entity)).toBe(before + 1)
    const page = await admin.get<PageOf>(`${entity.path}/list`, { current: 1, size: 200, descs: 'createTime' })
    expect(page.data.records.map((each) => each.id)).toContain(row.id)
    const past = await admin.get<PageOf>(`${entity.path}/list`, { current: 5_000, size: 10 })
    expect(past.data).toMatchObject({ total: before + 1, records: [], current: 5_000, size: 10 })
  })

  it('R-LIST-2 filters by creation time and changes nothing for names that are no field', async () => {
    const all = await total(entity)
    const later = await admin.get<PageOf>(`${entity.path}/list`, { createTime_dategt: '2999-01-01 00:00:00' })
    expect(later.data.total).toBe(0)
    const earlier = await admin.get<PageOf>(`${entity.path}/list`, {
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
      expect((await admin.get<PageOf>(`${entity.path}/list`, { [name]: '1' })).data.total, name).toBe(all)
    for (const order of ['id,(select pg_sleep(3))', 'case when 1=1 then id else name end', 'nope'])
      expect((await admin.get<PageOf>(`${entity.path}/list`, { descs: order, ascs: order })).data.total, order).toBe(
        all,
      )
  })

  it('R-ERR-5 names a required field that is missing, and stores nothing', async () => {
    if (!first) return
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
    expect([answer.status, answer.data.field]).toEqual([400, 'isAdmin'])
    expect(await total(entity)).toBe(before)
  })

  it('R-ERR-5 refuses a wrong type, a text that is too long, and one that cannot be stored', async () => {
    if (!title) return
    const [name, field] = title
    const { draft } = await sample(admin, entity)
    for (const wrong of [{ a: 1 }, ['x'], true, 'x'.repeat((field.max ?? 500) + 1), 'a\u0000b', '\ud800']) {
      const answer = await admin.post<{ field: string }>(`${entity.path}/submit`, { ...draft, [name]: wrong })
      expect([answer.status, answer.data?.field], JSON.stringify(wrong).slice(0, 30)).toEqual([400, name])
    }
  })

  it('R-PROD-2 keeps its unique keys within a tenant, and lets another tenant use the same values', async () => {
    const key = entity.unique?.find((names) =>
      names.every((name) => entity.fields[name]?.required || entity.fields[name]?.kind === 'personal'),
    )
    if (!key) return
    const { draft } = await add(entity)
    const { draft: other } = await sample(admin, entity)
    const same = { ...other, ...Object.fromEntries(key.map((name) => [name, draft[name]])) }
    // The facts an identity number carries go with it.
    if (key.includes('idNo')) Object.assign(same, { birthDate: draft.birthDate, sex: draft.sex })
    // So do the days of a semester, which lie in its year.
    if (entity.name === 'schoolsemester') Object.assign(same, { beginDate: draft.beginDate, endDate: draft.endDate })
    const answer = await admin.post(`${entity.path}/submit`, same)
    expect(answer.status).toBe(409)
    const elsewhere = await add(entity, stranger)
    expect(elsewhere.row.tenantId).toBe(stranger.tenantId)
  })

  it('changes only what is sent, raises the version and writes history', async () => {
    const { row } = await add(entity)
    if (!title) return
    const [name] = title
    const changed = await admin.post<Row>(`${entity.path}/submit`, { id: row.id, version: row.version, [name]: '改过' })
    expect(changed.code).toBe(200)
    expect(changed.data).toMatchObject({ ...row, [name]: '改过', version: 2, updateTime: changed.data.updateTime })
    const history = await admin.get<
      { action: string; userName: string; changes: { field: string; before: unknown; after: unknown }[] }[]
    >(`${entity.path}/history`, { id: row.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['edit', 'add'])
    expect(history.data[0]).toMatchObject({
      userName: '管理员',
      changes: [{ field: name, before: row[name], after: '改过' }],
    })
  })

  it('answers a stale save with both versions and changes nothing', async () => {
    const { row } = await add(entity)
    if (!title) return
    const [name] = title
    await admin.post(`${entity.path}/submit`, { id: row.id, version: 1, [name]: '先' })
    const late = await admin.post<{ yours: Row; theirs: Row }>(`${entity.path}/submit`, {
      id: row.id,
      version: 1,
      [name]: '后',
    })
    expect(late.status).toBe(409)
    expect(late.data.theirs[name]).toBe('先')
    expect(late.data.yours[name]).toBe('后')
    expect((await admin.get<Row>(`${entity.path}/detail`, { id: row.id })).data[name]).toBe('先')
  })

  it('removes a row, keeps its history, and says what still points at it when it may not go', async () => {
    const { row } = await add(entity)
    const gone = await admin.post<{ blockers?: { count: number; label: string }[] }>(
      `${entity.path}/remove`,
      undefined,
      { query: { ids: row.id } },
    )
    if (gone.status === 400) expect(gone.data.blockers?.[0]?.count).toBeGreaterThan(0)
    else {
      expect(gone.status).toBe(200)
      expect((await admin.get(`${entity.path}/detail`, { id: row.id })).status).toBe(404)
      const history = await admin.get<{ action: string }[]>(`${entity.path}/history`, { id: row.id })
      expect(history.data[0]?.action).toBe('delete')
    }
    const absent = await admin.post(`${entity.path}/remove`, undefined, { query: { ids: `${row.id},7` } })
    expect(absent.status).toBeGreaterThanOrEqual(400)
    for (const ids of ['', 'x', "1' or '1'='1", '0', '-1'])
      expect((await admin.post(`${entity.path}/remove`, undefined, { query: { ids } })).status, ids).toBe(400)
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
      ['POST', 'submit', {}, { id: row.id }],
      ['POST', 'remove', { ids: row.id }, undefined],
    ] as const
    for (const [method, call, query, body] of calls) {
      expect((await world.call(method, `${entity.path}/${call}`, null, { query, body })).status, call).toBe(401)
      const refused = await world.call(method, `${entity.path}/${call}`, nobody.token, { query, body })
      expect([refused.status, refused.msg], call).toEqual([403, expect.stringContaining(`${entity.name}_`)])
    }
    expect((await viewer.get(`${entity.path}/detail`, { id: row.id })).status).toBe(200)
    expect((await viewer.post(`${entity.path}/submit`, { id: row.id })).status).toBe(403)
    expect((await viewer.post(`${entity.path}/remove`, undefined, { query: { ids: row.id } })).status).toBe(403)
  })

  it('R-PROD-2 R-SCHOOL-17 is invisible to another tenant, in every call and as a reference', async () => {
    const { row } = await add(entity)
    const before = await world.owner.query(`select to_jsonb(t) as row from ${tableOf(entity)} t where id = $1`, [
      row.id,
    ])
    const unknown = await stranger.get(`${entity.path}/detail`, { id: '7' })
    const foreign = await stranger.get(`${entity.path}/detail`, { id: row.id })
    expect([foreign.status, foreign.msg]).toEqual([404, unknown.msg])
    expect((await stranger.get<PageOf>(`${entity.path}/list`, { id: row.id })).data.total).toBe(0)
    expect((await stranger.get<unknown[]>(`${entity.path}/select`, { ids: row.id })).data).toEqual([])
    expect((await stranger.get(`${entity.path}/history`, { id: row.id })).status).toBe(404)
    expect((await stranger.post(`${entity.path}/submit`, { id: row.id, status: 9 })).status).toBe(404)
    expect((await stranger.post(`${entity.path}/remove`, undefined, { query: { ids: row.id } })).status).toBe(404)
    const { draft } = await sample(stranger, entity)
    for (const [name, field] of Object.entries(entity.fields)) {
      if (field.computed || (field.kind !== 'reference' && field.kind !== 'references')) continue
      const target = entities.find((each) => each.name === field.to)!
      const foreignId =
        target.name === 'user' ? admin.userId : served.has(target.name) ? '7' : (await add(target)).row.id
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
    const after = await world.owner.query(`select to_jsonb(t) as row from ${tableOf(entity)} t where id = $1`, [row.id])
    expect(after.rows).toEqual(before.rows)
  })

  it('offers its rows for choosing, by id and by part of the name', async () => {
    const { row } = await add(entity)
    const byId = await admin.get<{ id: string; name: string }[]>(`${entity.path}/select`, { ids: row.id })
    expect(byId.data.map((each) => each.id)).toEqual(entity.name === 'sysgrade' ? [row.id] : [row.id])
    const none = await admin.get<unknown[]>(`${entity.path}/select`, { keyword: '没有这样的名字' })
    expect(none.data).toEqual([])
  })
})
