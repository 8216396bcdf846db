import { school } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { levelOf, prefixOf } from '../src/modules/system/region-code.ts'
import { readRegions } from '../src/seed/regions.ts'
import { readStreets } from '../src/seed/streets.ts'
import { sample } from './sample.ts'
import { jobEnded, makeWorld, type Person, type World } from './world.ts'

interface Region {
  code: string
  parentCode: string
  ancestors: string
  name: string
  level: number
  sort: number
  field?: string
  blockers?: { entity: string; count: number; sample: string[] }[]
}
interface Node {
  id: string
  title: string
  hasChildren: boolean
}

let world: World
let platform: Person
beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
})
afterAll(() => world.close())

const save = (draft: object, person = platform) => person.post<Region>('blade-system/region/submit', draft)
const remove = (id: string, person = platform) =>
  person.post<Region>('blade-system/region/remove', undefined, { query: { id } })
const detail = async (code: string) => (await platform.get<Region>('blade-system/region/detail', { code })).data
const under = async (parentCode: string) =>
  (await platform.get<Node[]>('blade-system/region/lazy-tree', { parentCode })).data

describe('R-SYS-9 region codes', () => {
  it('tell level and place: every region down to the street stands under what its code begins with', () => {
    const regions = readRegions()
    const all = [...regions, ...readStreets(regions)!]
    expect(all.length).toBeGreaterThan(45_000)
    const byCode = new Map(all.map((row) => [row.code, row]))
    const wrong = all.filter((row) => {
      const parent = byCode.get(row.parentCode)
      return (
        levelOf(row.code) !== row.level ||
        (parent ? parent.level >= row.level || !row.code.startsWith(prefixOf(parent.code)) : row.level !== 1)
      )
    })
    expect(wrong).toEqual([])
    for (const code of ['00', '000000', '11', '1101', '11010', '1101050', '1101050001', 'abcdef', ''])
      expect(levelOf(code), code).toBeUndefined()
  })
})

describe('R-SYS-9 regions', () => {
  it('are added under their parent, changed by their code, and keep a history', async () => {
    const added = await save({ code: '119900', parentCode: '110000', name: '新设市', level: 2, sort: 9, remark: '试' })
    expect(added.data).toMatchObject({ ancestors: '00,110000', level: 2, provinceName: '北京市' })
    expect((await save({ code: '119901', parentCode: '119900', name: '新设区' })).data.ancestors).toBe(
      '00,110000,119900',
    )
    expect((await save({ code: '119901001', parentCode: '119901', name: '新设街道' })).data.level).toBe(4)
    expect((await under('119900')).map((node) => [node.id, node.hasChildren])).toEqual([['119901', true]])
    // A whole detail comes back from a form.
    expect((await save({ ...(await detail('119901')), name: '改名区' })).data.name).toBe('改名区')
    expect((await save({ code: '119901', sort: 3 })).data).toMatchObject({ name: '改名区', sort: 3 })
    expect((await save({ code: '119901', parentCode: '110000' })).data.ancestors).toBe('00,110000')
    expect((await detail('119901001')).ancestors).toBe('00,110000,119901')
    const history = await world.owner.query(
      `select action, version, before->>'name' as name from history where entity = 'region' and row_id = 119901 order by id`,
    )
    expect(history.rows).toEqual([
      { action: 'add', version: 1, name: null },
      { action: 'edit', version: 2, name: '新设区' },
      { action: 'edit', version: 3, name: '改名区' },
      { action: 'edit', version: 4, name: '改名区' },
    ])
    const parent = await remove('119901')
    expect([parent.status, parent.msg]).toEqual([400, '请先删除子节点！'])
    for (const code of ['119901001', '119901', '119900']) expect((await remove(code)).status).toBe(200)
    expect((await remove('119900')).status).toBe(404)
    expect(await under('119900')).toEqual([])
  })

  it('R-PERM-5 have changes that only an administrator who may view regions is told', async () => {
    await save({ code: '119700', parentCode: '110000', name: '试设市' })
    const { rows } = await world.owner.query<{ id: string }>(
      `select id::text as id from history where entity = 'region' and row_id = 119700`,
    )
    const asked = (person: Person) => person.get('blade-log/history/detail', { id: rows[0]!.id })
    expect((await asked(platform)).status).toBe(200)
    for (const codes of [['history_view'], ['history_view', 'region_view']])
      expect((await asked(await world.colleague(platform, codes))).status).toBe(404)
    expect((await asked(await world.tenant())).status).toBe(404)
    expect((await remove('119700')).status).toBe(200)
  })

  const wrong: [string, object, string][] = [
    ['no code', { name: '无' }, 'code'],
    ['a code of four digits', { code: '1199', parentCode: '110000', name: '短' }, 'code'],
    ['letters', { code: '11990a', parentCode: '110000', name: '字' }, 'code'],
    ['the level of another kind', { code: '119800', parentCode: '110000', name: '级', level: 3 }, 'level'],
    ['a parent of another province', { code: '119800', parentCode: '120000', name: '错' }, 'code'],
    ['a parent further down', { code: '119800', parentCode: '110105', name: '倒' }, 'parentCode'],
    ['a parent that never was', { code: '119800', parentCode: '990000', name: '无' }, 'parentCode'],
    ['the top for a city', { code: '119800', parentCode: '00', name: '顶' }, 'parentCode'],
    ['itself', { code: '110105', parentCode: '110105' }, 'parentCode'],
    ['no parent', { code: '119800', name: '孤' }, 'parentCode'],
    ['no name', { code: '119800', parentCode: '110000' }, 'name'],
    ['an empty name', { code: '110105', name: ' ' }, 'name'],
    ['a name too long', { code: '110105', name: '长'.repeat(61) }, 'name'],
    ['a number as a name', { code: '110105', name: 5 }, 'name'],
    ['a place that is no number', { code: '110105', sort: 'x' }, 'sort'],
  ]
  it.each(wrong)('take no %s', async (_title, draft, field) => {
    const before = await detail('110105')
    const refused = await save(draft)
    expect([refused.status, refused.data.field]).toEqual([400, field])
    expect(await detail('110105')).toEqual(before)
    expect((await platform.get('blade-system/region/detail', { code: '119800' })).status).toBe(404)
  })

  it('stay while rows of any tenant name them, and the answer says whose', async () => {
    const admin = await world.tenant()
    await save({ code: '119700', parentCode: '110000', name: '有人的市' })
    const { draft } = await sample(admin, school)
    expect((await admin.post('blade-user/school/submit', { ...draft, regionCode: '119700' })).status).toBe(200)
    const blocked = await remove('119700')
    expect([blocked.status, blocked.msg, blocked.data.blockers]).toEqual([
      400,
      '无法删除：有 1 所学校在使用',
      [{ entity: 'school', label: '学校', unit: '所', count: 1, sample: [`租户${admin.tenantId}`] }],
    ])
    expect((await detail('119700')).name).toBe('有人的市')
  })

  it('R-PROD-3 are everybody’s to read and the platform’s to change', async () => {
    const admin = await world.tenant()
    for (const answer of [
      await save({ code: '110105', name: '外' }, admin),
      await save({ code: '119600', parentCode: '110000', name: '外' }, admin),
      await remove('110105', admin),
      await admin.post('blade-system/region/load-streets'),
    ])
      expect(answer.status).toBe(403)
    const adder = await world.colleague(platform, ['region_add'])
    expect((await save({ code: '110105', name: '外' }, adder)).status).toBe(403)
    expect((await detail('110105')).name).toBe('朝阳区')
  })
})

describe('R-SYS-9 all 45,000 regions', () => {
  it('are loaded once; each level is read by the index, in a few milliseconds', async () => {
    const load = async () =>
      jobEnded(platform, await platform.post<{ jobId: string }>('blade-system/region/load-streets'))
    const loaded = await load()
    expect(loaded).toMatchObject({ kind: 'region-streets', state: 'done', failure: null })
    expect(loaded.result!.added).toBeGreaterThan(41_000)
    expect([loaded.progress, loaded.total]).toEqual([loaded.result!.added, loaded.result!.added])
    expect((await load()).result).toEqual({ added: 0 })
    const times: string[] = []
    for (const code of ['00', '440000', '441900', '110100', '110105']) {
      const began = performance.now()
      const level = await under(code)
      times.push(`${code}: ${level.length} in ${(performance.now() - began).toFixed(1)} ms`)
      expect(level.length).toBeGreaterThan(0)
    }
    console.log(times.join('; '))
    expect((await under('110105')).every((node) => !node.hasChildren)).toBe(true)
    expect((await under('441900')).length).toBeGreaterThan(20)
    await world.owner.query('analyze region')
    const plan = await world.inTenant((await world.tenant()).tenantId, (tx) =>
      tx.run<{ 'QUERY PLAN': string }>(
        sql`explain select r.code, exists (select 1 from region c where c.parent_code = r.code and c.valid_to is null)
            from region r where r.parent_code = ${'441900'} and r.valid_to is null order by r.sort, r.code`,
      ),
    )
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toContain('region_parent')
    expect(text).not.toContain('Seq Scan on region r')
  })
})
