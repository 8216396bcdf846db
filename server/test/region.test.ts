import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type Person, type World } from './world.ts'

interface Node {
  id: string
  parentId: string
  title: string
  key: string
  value: string
  hasChildren: boolean
}
interface Page {
  total: number
  pages: number
  records: { code: string; name: string; validTo: string | null }[]
}

let world: World
let anybody: Person
beforeAll(async () => {
  world = await makeWorld()
  anybody = await world.colleague(await world.tenant(), [])
})
afterAll(() => world.close())

const under = async (parentCode?: string) =>
  (await anybody.get<Node[]>('blade-system/region/lazy-tree', { parentCode })).data

describe('regions', () => {
  it('open level by level, without those that have been abolished, and say truly where more follows', async () => {
    const provinces = await under()
    expect(provinces.length).toBe(34)
    expect(provinces[0]).toEqual({
      id: '110000',
      parentId: '00',
      title: '北京市',
      key: '110000',
      value: '110000',
      hasChildren: true,
    })
    for (const node of [...provinces.slice(0, 4), ...(await under('440000'))])
      expect((await under(node.id)).length > 0, node.title).toBe(node.hasChildren)
    const counties = await under('110100')
    expect(counties.map((node) => node.title)).toContain('朝阳区')
    expect(counties.map((node) => node.id)).not.toContain('110103')
    expect(await under('999999')).toEqual([])
    expect((await anybody.get('blade-system/region/lazy-tree', { parentCode: "x'" })).status).toBe(400)
  })

  it('are found by name, pinyin, initials and code, and by words of those above', async () => {
    const search = async (keyword: string) =>
      (
        await anybody.get<{ path: { code: string; name: string }[] }[]>('blade-system/region/search', { keyword })
      ).data.map(({ path }) => path.map(({ name }) => name).join('/'))
    expect(await search('朝阳 北京')).toEqual(['北京市/市辖区/朝阳区'])
    const all = await search('朝阳')
    expect(all.length).toBeGreaterThan(3)
    expect(all).toContain('辽宁省/朝阳市/朝阳县')
    expect(await search('cyq')).toContain('北京市/市辖区/朝阳区')
    expect(await search('ＣＹＱ bj')).toEqual(['北京市/市辖区/朝阳区'])
    expect(await search('haidian')).toEqual(['北京市/市辖区/海淀区'])
    expect((await search('110108'))[0]).toBe('北京市/市辖区/海淀区')
    // An abolished one is not offered, and signs of a pattern are signs.
    expect(await search('110103')).toEqual([])
    expect(await search('%')).toEqual([])
    expect((await search('区')).length).toBe(30)
    expect((await anybody.get('blade-system/region/search', {})).status).toBe(400)
  })

  it('say where they stand, abolished ones too', async () => {
    const one = await anybody.get('blade-system/region/detail', { code: '110105' })
    expect(one.data).toMatchObject({
      code: '110105',
      name: '朝阳区',
      parentCode: '110100',
      provinceName: '北京市',
      cityName: '市辖区',
      districtName: '朝阳区',
      parentName: '市辖区',
      validTo: null,
    })
    expect((await anybody.get('blade-system/region/detail', { code: '110103' })).data).toMatchObject({
      provinceName: '北京市',
    })
    expect((await anybody.get('blade-system/region/detail', { code: '990000' })).status).toBe(404)
    expect((await anybody.get('blade-system/region/detail')).status).toBe(400)
    const path = await anybody.get<Record<string, string>>('blade-system/region/path', {
      codes: '110105,440000,990000',
    })
    expect(path.data).toEqual({ '110105': '北京市/市辖区/朝阳区', '440000': '广东省' })
    expect((await anybody.get('blade-system/region/path', { codes: '110105,a' })).status).toBe(400)
  })

  it('R-LIST-1 are listed page by page and found by name and by the beginning of the code', async () => {
    const page = (await anybody.get<Page>('blade-system/region/list', { name: '朝阳', size: 2 })).data
    expect(page.records.length).toBe(2)
    expect(page.total).toBeGreaterThan(2)
    expect(page.pages).toBe(Math.ceil(page.total / 2))
    const beijing = (await anybody.get<Page>('blade-system/region/list', { code: '1101', size: 200 })).data
    expect(beijing.records.every((row) => row.code.startsWith('1101'))).toBe(true)
    expect(beijing.records.some((row) => row.validTo !== null)).toBe(true)
    expect((await anybody.get<Page>('blade-system/region/list', { name: '%' })).data.total).toBe(0)
    expect((await anybody.get('blade-system/region/list', { size: 201 })).status).toBe(400)
    expect((await world.call('GET', 'blade-system/region/list', null)).status).toBe(401)
  })
})
