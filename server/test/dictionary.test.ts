import type { Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inPlatform } from '../src/database/transaction.ts'
import { layDictionaries } from '../src/seed/platform.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Entry {
  id: string
  parentId: string
  code: string
  dictKey: string
  dictValue: string
  dictValueEn: string
  isSealed: number
  hasChildren?: boolean
  children?: Entry[]
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

const biz = 'blade-system/dict-biz'
const save = (draft: object, person = admin) => person.post<Entry>(`${biz}/submit`, draft)
const remove = (ids: string, person = admin) => person.remove(biz, ids)
const offered = async (code: string, path = biz, person = admin) =>
  (await person.get<Entry[]>(`${path}/dictionary`, { code })).data
const rootOf = async (code: string): Promise<Entry> =>
  (await admin.get<Page<Entry>>(`${biz}/parent-list`, { code_equal: code })).data.records[0]!
let codes = 0
const fresh = async (): Promise<{ root: Entry; a: Entry; b: Entry }> => {
  const code = `own_${++codes}`
  const root = (await save({ code, dictValue: '自定', sort: 1, parentId: '0' })).data
  const a = (await save({ parentId: root.id, dictKey: 'a', dictValue: '甲', dictValueEn: 'A', sort: 1 })).data
  const b = (await save({ parentId: root.id, dictKey: 'b', dictValue: '乙', dictValueEn: 'B', sort: 2 })).data
  return { root, a, b }
}

describe('dictionaries', () => {
  it('are offered to everybody who is logged in; each route falls through to the other kind', async () => {
    const anybody = await world.colleague(admin, [])
    const titles = await offered('staff_title', biz, anybody)
    expect(titles[0]).toMatchObject({
      dictKey: '1',
      dictValue: '正高级教师',
      dictValueEn: 'Professor-level senior teacher',
    })
    expect(titles.map((entry) => entry.dictKey)).not.toContain('-1')
    expect(await offered('staff_title', 'blade-system/dict', anybody)).toEqual(titles)
    const flags = await offered('yes_no', 'blade-system/dict', anybody)
    expect(flags.map((entry) => entry.dictValue)).toEqual(['否', '是'])
    expect(await offered('yes_no', biz, anybody)).toEqual(flags)
    expect(await offered('no_such')).toEqual([])
    expect((await anybody.get(`${biz}/dictionary`)).status).toBe(400)
    const several = (
      await anybody.get<Record<string, Entry[]>>(`${biz}/dictionaries`, { codes: 'yes_no,staff_title,no_such' })
    ).data
    expect(several).toEqual({ yes_no: flags, staff_title: titles, no_such: [] })
  })

  it('R-DICT-2 are made with entries that take their code; a key stands once', async () => {
    const { root, a } = await fresh()
    expect(root.dictKey).toBe('-1')
    expect(a.code).toBe(root.code)
    const again = await save({ parentId: root.id, dictKey: 'a', dictValue: '又' })
    expect([again.status, again.msg]).toEqual([400, '当前字典键值已存在！'])
    expect((await save({ code: root.code, dictValue: '又', sort: 1 })).msg).toBe('当前字典键值已存在！')
    expect((await save({ parentId: root.id, code: 'elsewhere', dictKey: 'c', dictValue: '丙' })).data.code).toBe(
      root.code,
    )
    for (const draft of [
      { parentId: root.id, dictValue: '无键' },
      { parentId: root.id, dictKey: '-1', dictValue: '根键' },
      { parentId: '7', code: root.code, dictKey: 'x', dictValue: '无根' },
      { code: 'with_key', dictKey: '1', dictValue: '根' },
      { code: 'yes_no', dictValue: '冒充' },
      { code: 'no value' },
    ])
      expect((await save(draft)).status, JSON.stringify(draft)).toBe(400)
    expect((await offered(root.code)).map((entry) => entry.dictKey)).toEqual(['c', 'a', 'b'])
    expect((await save({ code: root.code, dictValue: '同名', sort: 1 }, stranger)).status).toBe(200)
  })

  it('R-DICT-2 offer a sealed entry nowhere for new choices and still show it', async () => {
    const { root, a } = await fresh()
    expect((await save({ id: a.id, isSealed: 1 })).data.isSealed).toBe(1)
    expect((await offered(root.code)).map((entry) => entry.dictKey)).toEqual(['b'])
    const all = (await admin.get<Record<string, Entry[]>>(`${biz}/dictionaries`, { codes: root.code })).data[root.code]!
    expect(all.map((entry) => [entry.dictKey, entry.isSealed])).toEqual([
      ['a', 1],
      ['b', 0],
    ])
  })

  it('R-SCHOOL-19 keep a key that is in use, and say by whom; it can be sealed', async () => {
    const root = await rootOf('staff_title')
    const entry = (await offered('staff_title')).find((each) => each.dictKey === '2')!
    const person = await admin.post<{ id: string }>('blade-user/submit', {
      account: 'titled',
      realName: '高老师',
      title: '2',
    })
    expect(person.status).toBe(200)
    const blocked = await remove(entry.id)
    expect([blocked.status, blocked.data.blockers]).toEqual([
      400,
      [{ entity: 'user', label: '用户', unit: '名', count: 1, sample: ['高老师'] }],
    ])
    expect((await save({ id: entry.id, dictKey: '22' })).status).toBe(400)
    expect((await save({ id: entry.id, dictValue: '副高级' })).status).toBe(200)
    expect((await save({ id: entry.id, isSealed: 1 })).status).toBe(200)
    expect((await admin.post('blade-user/submit', { account: 'titled2', realName: '新老师', title: '2' })).status).toBe(
      400,
    )
    expect((await admin.post('blade-user/submit', { id: person.data.id, realName: '高级老师' })).status).toBe(200)
    const unused = (await offered('staff_title')).find((each) => each.dictKey === '9')!
    expect((await remove(unused.id)).status).toBe(200)
    expect((await save({ id: root.id, code: 'renamed' })).status).toBe(400)
    const all = (await admin.get<Record<string, Entry[]>>(`${biz}/dictionaries`, { codes: 'staff_title' })).data
      .staff_title!
    expect((await remove([root.id, ...all.map((each) => each.id)].join(','))).status).toBe(400)
    expect(
      (await admin.get<Record<string, Entry[]>>(`${biz}/dictionaries`, { codes: 'staff_title' })).data.staff_title,
    ).toEqual(all)
  })

  it('go with their entries when all are named, and not while any is left', async () => {
    const { root, a, b } = await fresh()
    expect((await remove(root.id)).status).toBe(400)
    expect((await remove(`${root.id},7`)).status).toBe(404)
    expect((await remove([root.id, a.id, b.id].join(','))).status).toBe(200)
    expect(await offered(root.code)).toEqual([])
  })

  it('carry a new code to their entries, and refuse circles and other dictionaries', async () => {
    const { root, a } = await fresh()
    const { root: other } = await fresh()
    expect((await save({ id: a.id, parentId: other.id })).status).toBe(400)
    expect((await save({ id: a.id, parentId: null })).status).toBe(400)
    expect((await save({ id: root.id, parentId: a.id })).status).toBe(400)
    expect((await save({ id: root.id, code: `${root.code}_new` })).status).toBe(200)
    expect((await offered(`${root.code}_new`)).map((entry) => entry.dictKey)).toEqual(['a', 'b'])
    expect(await offered(root.code)).toEqual([])
  })

  it('R-DICT-1 list dictionaries, their entries, and trees', async () => {
    const { root, a } = await fresh()
    const sub = (await save({ parentId: a.id, dictKey: 'a1', dictValue: '甲一' })).data
    const parents = (await admin.get<Page<Entry>>(`${biz}/parent-list`, { size: 200 })).data
    expect(parents.records.every((entry) => entry.dictKey === '-1')).toBe(true)
    expect(parents.total).toBe(parents.records.length)
    const children = (await admin.get<Entry[]>(`${biz}/child-list`, { parentId: root.id, current: 1, size: 10 })).data
    expect(children.map((entry) => [entry.dictKey, entry.hasChildren, entry.children?.map((each) => each.id)])).toEqual(
      [
        ['a', true, [sub.id]],
        ['b', false, undefined],
      ],
    )
    expect(
      (await admin.get<Entry[]>(`${biz}/child-list`, { parentId: root.id, dictValue: '乙' })).data.map(
        (entry) => entry.dictKey,
      ),
    ).toEqual(['b'])
    const tree = (await admin.get<{ title: string; children: unknown[] }[]>(`${biz}/tree`, { code: root.code })).data
    expect(tree).toMatchObject([
      { title: '自定', parentId: '0', children: [{ title: '甲', children: [{ title: '甲一' }] }, { title: '乙' }] },
    ])
    expect((await admin.get<unknown[]>(`${biz}/tree`, { code: 'DICT' })).data.length).toBe(parents.total)
    expect((await admin.get<Entry[]>(`${biz}/list`, { code: root.code })).data).toMatchObject([
      { id: root.id, children: [{ id: a.id, children: [{ id: sub.id }] }, {}] },
    ])
    expect((await admin.get<Page<Entry>>(`${biz}/list`, { current: 1, size: 5 })).data.records.length).toBe(5)
    const platform = await world.platform()
    const systems = (await platform.get<Page<Entry>>('blade-system/dict/parent-list', { code: 'yes_no' })).data
    expect(systems).toMatchObject({ total: 1, records: [{ code: 'yes_no', parentId: '0' }] })
    const id = systems.records[0]!.id
    expect(
      (await platform.get<Entry[]>('blade-system/dict/child-list', { parentId: id })).data.map(
        (entry) => entry.dictKey,
      ),
    ).toEqual(['1', '2'])
    expect((await platform.get<Entry>('blade-system/dict/detail', { id })).data).toMatchObject({
      code: 'yes_no',
      hasChildren: true,
    })
    expect((await platform.get<Entry[]>('blade-system/dict/list', { code: 'yes_no' })).data).toMatchObject([
      { id, children: [{}, {}] },
    ])
    expect(
      (await platform.get<Page<Entry>>('blade-system/dict/list', { current: 2, size: 10 })).data.records.length,
    ).toBe(10)
    expect(
      (await platform.get<unknown[]>('blade-system/dict/tree', { code: 'yes_no' }, { language: 'en' })).data,
    ).toMatchObject([{ title: 'Yes or no', children: [{ title: 'No' }, { title: 'Yes' }] }])
    expect((await platform.get('blade-system/dict/detail', { id: '7' })).status).toBe(404)
    expect((await platform.get('blade-system/dict/child-list', { parentId: '7' })).status).toBe(404)
  })

  it('R-PROD-2 R-LIST-5 are another tenant’s own, and need their codes', async () => {
    const { root, a } = await fresh()
    expect((await stranger.get(`${biz}/detail`, { id: root.id })).status).toBe(404)
    expect((await stranger.get(`${biz}/child-list`, { parentId: root.id })).status).toBe(404)
    expect((await save({ parentId: root.id, code: root.code, dictKey: 'z', dictValue: '外' }, stranger)).status).toBe(
      400,
    )
    expect((await save({ id: a.id, dictValue: '外' }, stranger)).status).toBe(404)
    expect((await remove(a.id, stranger)).status).toBe(404)
    expect(await offered(root.code, biz, stranger)).toEqual([])
    const nobody = await world.colleague(admin, [])
    for (const path of [biz, 'blade-system/dict'])
      for (const call of ['list', 'parent-list', 'tree', `child-list?parentId=${root.id}`])
        expect((await nobody.get(`${path}/${call}`)).status, call).toBe(403)
    expect((await save({ code: 'mine', dictValue: '我' }, nobody)).status).toBe(403)
    expect((await remove(a.id, nobody)).status).toBe(403)
  })
})

describe('system dictionaries', () => {
  it('R-DICT-4 give what flow routes are made of: code and key joined, and the remark', async () => {
    const flows = await admin.get<{ code: string; dictKey: string; remark: string }[]>('blade-system/dict/dictionary', {
      code: 'flow',
    })
    expect(flows.data).toContainEqual(expect.objectContaining({ code: 'flow', dictKey: '1', remark: 'leave' }))
  })

  const path = 'blade-system/dict'
  let platform: Person
  beforeAll(async () => {
    platform = await world.platform()
  })
  const put = (draft: object, person = platform) => person.post<Entry>(`${path}/submit`, draft)
  const drop = (ids: string, person = platform) => person.remove(path, ids)
  const entryOf = async (code: string, key: string) =>
    (await offered(code, path, platform)).find((entry) => entry.dictKey === key)!
  const rootIn = async (code: string) =>
    (await platform.get<Page<Entry>>(`${path}/parent-list`, { code })).data.records.find((each) => each.code === code)!

  it('R-DICT-2 R-DICT-3 are made by the same rules, and offered to every tenant at once', async () => {
    const root = (await put({ code: 'sys_own', dictValue: '系统自定', sort: 1, parentId: '0' })).data
    expect(root).toMatchObject({ dictKey: '-1', parentId: null })
    const a = (await put({ parentId: root.id, dictKey: 'a', dictValue: '甲' })).data
    expect(a.code).toBe('sys_own')
    expect((await offered('sys_own', path, stranger)).map((entry) => entry.dictKey)).toEqual(['a'])
    for (const draft of [
      { parentId: root.id, dictKey: 'a', dictValue: '又' },
      { parentId: root.id, dictKey: '-1', dictValue: '根键' },
      { parentId: '7', code: 'sys_own', dictKey: 'x', dictValue: '无根' },
      { code: 'sys_own', dictValue: '又' },
      { code: 'with_key', dictKey: '1', dictValue: '根' },
      { id: root.id, parentId: a.id },
      { id: a.id, parentId: null },
    ])
      expect((await put(draft)).status, JSON.stringify(draft)).toBe(400)
    await put({ id: a.id, isSealed: 1 })
    expect(await offered('sys_own', path, stranger)).toEqual([])
    await put({ id: root.id, code: 'sys_new' })
    const all = await admin.get<Record<string, Entry[]>>(`${biz}/dictionaries`, { codes: 'sys_new' })
    expect(all.data.sys_new!.map((entry) => [entry.dictKey, entry.isSealed])).toEqual([['a', 1]])
    expect((await drop(`${root.id},${a.id}`)).status).toBe(200)
    expect(await rootIn('sys_new')).toBeUndefined()
  })

  it('keep what an administrator made of them when a newer version lays its dictionaries', async () => {
    const [root, gone, renamed] = [await rootIn('region'), await entryOf('region', '5'), await entryOf('region', '4')]
    const used = (await offered('common_status', path)).length
    expect((await drop(gone.id)).status).toBe(200)
    expect((await put({ id: renamed.id, dictKey: '40', dictValue: '乡镇' })).status).toBe(200)
    await world.owner.query(`delete from dict where code = 'region' and dict_key = '3'`)
    await inPlatform(world.services.platform, layDictionaries)
    expect((await offered('region', path)).map((entry) => entry.dictKey)).toEqual(['0', '1', '2', '3', '40'])
    expect((await offered('common_status', path)).length).toBe(used)
    const all = (await offered('region', path)).map((entry) => entry.id)
    expect((await drop([root.id, ...all].join(','))).status).toBe(200)
    await inPlatform(world.services.platform, layDictionaries)
    expect(await offered('region', path)).toEqual([])
    expect(await rootIn('region')).toBeUndefined()
  })

  it('never take the code of a business dictionary of any tenant', async () => {
    await save({ code: 'only_here', dictValue: '本租户的', sort: 1 }, stranger)
    const refused = await put({ code: 'only_here', dictValue: '冒充', sort: 1 })
    expect([refused.status, refused.msg]).toEqual([400, '字典编号：有1个租户的业务字典使用此编号'])
  })

  it('R-SCHOOL-19 keep a key that rows of any tenant hold; the sample names tenants, not people', async () => {
    const retired = await entryOf('staff_status', '4')
    for (const [person, account] of [
      [admin, 'retired1'],
      [admin, 'retired2'],
      [stranger, 'retired3'],
    ] as const)
      expect((await person.post('blade-user/submit', { account, realName: '某老师', staffStatus: '4' })).status).toBe(
        200,
      )
    const blocked = await drop(retired.id)
    expect([blocked.status, blocked.msg, blocked.data.blockers]).toEqual([
      400,
      '无法删除：有 3 名用户在使用',
      [
        {
          entity: 'user',
          label: '用户',
          unit: '名',
          count: 3,
          sample: [`租户${admin.tenantId}`, `租户${stranger.tenantId}`],
        },
      ],
    ])
    expect((await put({ id: retired.id, dictKey: '44' })).status).toBe(400)
    expect((await put({ id: retired.id, dictValue: '已退休' })).data.dictValue).toBe('已退休')
    const root = await rootIn('staff_status')
    const more = (await put({ parentId: root.id, dictKey: '5', dictValue: '返聘', sort: 5 })).data
    const hired = { account: 'hired', realName: '返聘老师', staffStatus: '5' }
    expect((await drop(more.id)).status).toBe(200)
    expect((await admin.post('blade-user/submit', hired)).status).toBe(400)
    expect((await put({ id: root.id, code: 'renamed' })).status).toBe(400)
    expect((await drop(root.id)).status).toBe(400)
    // What the platform's own rows hold counts too.
    const menus = await drop((await entryOf('menu_category', '2')).id)
    expect(menus.data.blockers).toMatchObject([{ entity: 'menu', label: '菜单' }])
    expect(await entryOf('menu_category', '2')).toBeDefined()
  })

  it('R-PROD-3 are read as pages and changed by the platform’s administrators alone', async () => {
    const root = await rootIn('yes_no')
    const keeper = await world.colleague(admin, ['dictbiz_view', 'dictbiz_add', 'dictbiz_edit', 'dictbiz_delete'])
    for (const person of [admin, keeper]) {
      for (const call of ['list', 'parent-list', 'tree', `detail?id=${root.id}`, `child-list?parentId=${root.id}`])
        expect((await person.get(`${path}/${call}`)).status, call).toBe(403)
      expect((await put({ id: root.id, dictValue: '外' }, person)).status).toBe(403)
      expect((await put({ parentId: root.id, dictKey: '3', dictValue: '也许' }, person)).status).toBe(403)
      expect((await drop(root.id, person)).status).toBe(403)
      expect((await offered('yes_no', path, person)).length).toBe(2)
    }
    expect((await rootIn('yes_no')).dictValue).toBe(root.dictValue)
  })
})
