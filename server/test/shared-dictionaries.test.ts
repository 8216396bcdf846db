import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdOwn } from '../src/entity/shared.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** The dictionaries that the product ships are kept once; a tenant holds itself those that it changes. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const path = 'blade-system/dict-biz'
const dictionary = 'equipment'

interface Entry extends Row {
  readonly dictKey: string
  readonly dictValue: string
  readonly parentId: string
}

const held = async (tenantId: string): Promise<string[]> =>
  (
    await world.owner.query<{ code: string }>('select distinct code from dict_biz where tenant_id = $1 order by code', [
      tenantId,
    ])
  ).rows.map(({ code }) => code)

const entriesOf = async (person: Person, code = dictionary): Promise<Entry[]> =>
  (await person.get<Record<string, Entry[]>>(`${path}/dictionaries`, { codes: code })).data[code]!

const rootOf = async (person: Person, code = dictionary): Promise<Row> =>
  (await person.get<{ records: Row[] }>(`${path}/parent-list`, { code_equal: code, size: 1 })).data.records[0]!

const words = (entries: readonly Entry[]): string[] =>
  entries.map(({ dictKey, dictValue }) => `${dictKey} ${dictValue}`)

describe('D19 what all tenants share is kept once', () => {
  it('gives a new tenant every dictionary and no row of one', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    expect(await held(one.tenantId)).toEqual([])
    const entries = await entriesOf(one)
    expect(entries.length).toBeGreaterThan(2)
    expect(await entriesOf(other)).toEqual(entries)
    const { total } = (await one.get<{ total: number }>(`${path}/parent-list`)).data
    expect(total).toBeGreaterThan(20)
    const detail = (await one.get<Entry>(`${path}/detail`, { id: entries[0]!.id })).data
    expect(detail).toMatchObject({ tenantId: one.tenantId, version: 1, dictValue: entries[0]!.dictValue })
  })

  it('makes a dictionary the tenant’s own with its first change, under the same ids, and no other tenant sees it', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    const before = await entriesOf(one)
    const entry = before[0]!
    const saved = await one.post<Row>(`${path}/submit`, { id: entry.id, version: 1, dictValue: '本校的说法' })
    expect(saved).toMatchObject({ status: 200, data: { id: entry.id, version: 2, dictValue: '本校的说法' } })
    expect(await held(one.tenantId)).toEqual([dictionary])
    expect((await entriesOf(one)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(words(await entriesOf(other))).toEqual(words(before))
    expect(await held(other.tenantId)).toEqual([])
    const history = await one.get<{ changes: unknown[]; userName: string; requestId: string }[]>(`${path}/history`, {
      id: entry.id,
    })
    expect(history.data).toHaveLength(1)
    expect(history.data[0]!.changes).toMatchObject([
      { field: 'dictValue', before: entry.dictValue, after: '本校的说法' },
    ])
    expect((await other.get(`${path}/history`, { id: entry.id })).status).toBe(404)
    const undone = await one.post('blade-log/history/undo', undefined, {
      query: { requestId: history.data[0]!.requestId },
    })
    expect(undone.status).toBe(200)
    expect(words(await entriesOf(one))).toEqual(words(before))
  })

  it('keeps what a tenant removes, adds and renames to itself', async () => {
    const [one, other] = [await world.tenant(), await world.tenant()]
    const before = await entriesOf(one)
    const root = await rootOf(one)
    expect((await one.remove(path, before[1]!.id)).status).toBe(200)
    const added = await one.post<Entry>(`${path}/submit`, {
      parentId: root.id,
      dictKey: 'own',
      dictValue: '自有',
      sort: 99,
    })
    expect(added).toMatchObject({ status: 200, data: { code: dictionary, parentId: root.id } })
    const after = (await entriesOf(one)).map(({ dictKey }) => dictKey)
    expect(after).toEqual([...before.filter((_, at) => at !== 1).map(({ dictKey }) => dictKey), 'own'])
    expect((await entriesOf(other)).map(({ dictKey }) => dictKey)).toEqual(before.map(({ dictKey }) => dictKey))
    // An entry that is only shared is in the way of another of its key, as one's own is.
    const twice = { parentId: (await rootOf(other)).id, dictKey: before[0]!.dictKey, dictValue: '再来', sort: 1 }
    expect((await other.post(`${path}/submit`, twice)).status).toBe(400)
    const again = { code: dictionary, dictKey: '-1', dictValue: '同名', sort: 1 }
    expect((await other.post(`${path}/submit`, again)).status).toBe(400)
    expect(await held(other.tenantId)).toEqual([])
  })

  it('adds an entry under a shared dictionary, and holds a dictionary of its own by its code', async () => {
    const one = await world.tenant()
    const root = await rootOf(one)
    const added = await one.post<Entry>(`${path}/submit`, {
      parentId: root.id,
      dictKey: 'new',
      dictValue: '新',
      sort: 1,
    })
    expect(added.status).toBe(200)
    expect(await held(one.tenantId)).toEqual([dictionary])
    const own = await one.post<Entry>(`${path}/submit`, { code: 'my_own', dictKey: '-1', dictValue: '自定', sort: 1 })
    expect(own.status).toBe(200)
    const { rows } = await world.owner.query('select unit from taken_on where tenant_id = $1 order by unit', [
      one.tenantId,
    ])
    expect(rows.map(({ unit }) => unit)).toEqual([dictionary, 'my_own'])
  })

  it('keeps both of two first changes that come at once', async () => {
    const one = await world.tenant()
    const [first, second] = await entriesOf(one)
    const saved = await Promise.all(
      [first!, second!].map(({ id }, at) => one.post(`${path}/submit`, { id, version: 1, dictValue: `同时${at}` })),
    )
    expect(saved.map(({ status }) => status)).toEqual([200, 200])
    expect((await entriesOf(one)).slice(0, 2).map(({ dictValue }) => dictValue)).toEqual(['同时0', '同时1'])
    // Of two changes of one entry the second is told.
    const [id, version] = [first!.id, 2]
    const both = await Promise.all(
      ['甲', '乙'].map((dictValue) => one.post(`${path}/submit`, { id, version, dictValue })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('takes rows of a version that shared none for the tenant’s own, and what it removed for removed', async () => {
    const one = await world.tenant()
    const before = await entriesOf(one)
    await one.post(`${path}/submit`, { id: before[0]!.id, dictValue: '旧版' })
    const root = await one.post<Row>(`${path}/submit`, { code: 'gone', dictKey: '-1', dictValue: '自定', sort: 1 })
    expect((await one.remove(path, root.data.id)).status).toBe(200)
    await world.owner.query('delete from taken_on where tenant_id = $1', [one.tenantId])
    expect((await entriesOf(one)).length).toBe(before.length * 2)
    await world.inTenant(one.tenantId, (tx) => holdOwn(tx, one.tenantId))
    expect((await entriesOf(one)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const { rows } = await world.owner.query(
      `select unit from taken_on where tenant_id = $1 and entity = 'dictbiz' order by unit`,
      [one.tenantId],
    )
    expect(rows.map(({ unit }) => unit)).toEqual([dictionary, 'gone'])
  })

  it('lets no request write what is shared, and shows it to no connection without a tenant', async () => {
    for (const statement of [
      `update dict_biz_shared set dict_value = 'x'`,
      'delete from dict_biz_shared',
      `update dict_biz_seen set dict_value = 'x'`,
    ])
      await expect(world.services.pool.query(statement), statement).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|55000)$/),
      })
    expect((await world.services.pool.query('select count(*)::int as n from dict_biz_seen')).rows[0].n).toBe(0)
  })
})
