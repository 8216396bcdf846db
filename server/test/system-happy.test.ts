import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entity, entityOf, type Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/**
 * Every call of §7.4, once, by somebody who may and with what it wants; each answer is looked at. The calls that were
 * made are compared with the specification's list.
 */

let world: World
let admin: Person
let platform: Person
const made = new Set<string>()

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  platform = await world.platform()
})
afterAll(() => world.close())

const system = 'blade-system'
const kept = <T>(method: string, path: string, answer: Answer<T>): T => {
  expect([path, answer.status, answer.msg]).toEqual([path, 200, '操作成功'])
  made.add(`${method} /api/${system}/${path}`)
  return answer.data
}
const get = async <T = Row[]>(path: string, query: Record<string, string> = {}, person = admin): Promise<T> =>
  kept('GET', path, await person.get<T>(`${system}/${path}`, query))
const post = async <T = unknown>(
  path: string,
  body?: unknown,
  query: Record<string, string> = {},
  person = admin,
): Promise<T> => kept('POST', path, await person.post<T>(`${system}/${path}`, body, { query }))

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)
const flat = (nodes: readonly Row[]): Row[] =>
  nodes.flatMap((node) => [node, ...flat((node.children as Row[] | undefined) ?? [])])
const draftOf = async (entity: Entity, person: Person): Promise<Record<string, unknown>> =>
  (await sample(person, entity)).draft

/** The four calls that every entity has: made, listed, read, removed. */
async function lifeOf(path: string, entity: Entity, person = admin): Promise<void> {
  const draft = await draftOf(entity, person)
  const row = await post<Row>(`${path}/submit`, draft, {}, person)
  expect(row.version).toBe(1)
  const page = await get<Page<Row>>(`${path}/list`, { current: '1', size: '200', id: row.id }, person)
  expect(idsOf(page.records)).toEqual([row.id])
  expect(await get<Row>(`${path}/detail`, { id: row.id }, person)).toMatchObject({
    id: row.id,
    [entity.title]: draft[entity.title],
  })
  await post(`${path}/remove`, undefined, { ids: row.id }, person)
}

describe('R-SYS-1 every call of §7.4 does what it is for', () => {
  it('menus', async () => {
    const draft = { ...(await draftOf(entityOf('menu'), platform)), platformOnly: 0 } as Record<string, unknown>
    const menu = await post<Row>('menu/submit', draft, {}, platform)
    expect(flat(await get('menu/list', {}, platform)).map((row) => row.code)).toContain(draft.code)
    expect(idsOf(await get('menu/lazy-list', { parentId: '0' }, platform))).toContain(menu.id)
    expect(idsOf(await get('menu/lazy-menu-list', { parentId: '0' }, platform))).toContain(menu.id)
    expect(idsOf(flat(await get('menu/menu-list', {}, platform)))).toContain(menu.id)
    expect(idsOf(flat(await get('menu/tree', {}, platform)))).toContain(menu.id)
    expect(await get<Row>('menu/detail', { id: menu.id }, platform)).toMatchObject({ code: draft.code })
    expect(idsOf(flat((await get<{ menu: Row[] }>('menu/grant-tree', {}, platform)).menu))).toContain(menu.id)
    expect(idsOf(flat((await get<{ menu: Row[] }>('menu/grant-top-tree', {}, platform)).menu))).toContain(menu.id)
    await post('menu/remove', undefined, { ids: menu.id }, platform)
    expect(idsOf(flat(await get('menu/menu-list', {}, platform)))).not.toContain(menu.id)
    const codes = flat(await get('menu/buttons')).map((row) => row.code)
    expect(codes).toContain('student_view')
  })

  it('top menus, and what they gather', async () => {
    await lifeOf('topmenu', entityOf('topmenu'))
    const top = await post<Row>('topmenu/submit', await draftOf(entityOf('topmenu'), admin))
    const [student] = await world.menuIds(['student'])
    await post('topmenu/grant', { topMenuIds: [top.id], menuIds: [student] })
    expect((await get<{ menu: string[] }>('menu/top-tree-keys', { topMenuIds: top.id })).menu).toEqual([student])
    expect(idsOf(await get('menu/top-menu'))).toContain(top.id)
    expect(flat(await get('menu/routes', { topMenuId: top.id })).map((row) => row.code)).toContain('student')
  })

  it('departments', async () => {
    const [root] = await get('dept/list')
    const dept = await post<Row>('dept/submit', { deptName: '教务处', parentId: root!.id, sort: 1 })
    expect(idsOf(await get('dept/lazy-list', { parentId: root!.id }))).toEqual([dept.id])
    expect(idsOf(await get('dept/lazy-tree', { parentId: root!.id }))).toEqual([dept.id])
    expect(idsOf(flat(await get('dept/tree', { tenantId: admin.tenantId })))).toEqual([root!.id, dept.id])
    expect(await get<Row>('dept/detail', { id: dept.id })).toMatchObject({ deptName: '教务处', parentId: root!.id })
    await post('dept/remove', undefined, { ids: dept.id })
    expect(idsOf(flat(await get('dept/list')))).toEqual([root!.id])
  })

  it('tenants and the clients they may use', async () => {
    const draft = await draftOf(entityOf('tenant'), platform)
    const { tenantId, domain } = draft as { tenantId: string; domain: string }
    const tenant = await post<Row>('tenant/submit', draft, {}, platform)
    expect((await get<Page<Row>>('tenant/list', { tenantId }, platform)).records[0]).toMatchObject({ id: tenant.id })
    await post('tenant/setting', undefined, { ids: tenant.id, accountNumber: '5' }, platform)
    const source = await platform.post<Row>(
      'blade-develop/datasource/submit',
      await draftOf(entityOf('datasource'), platform),
    )
    await post('tenant/datasource', undefined, { tenantId, datasourceId: source.data.id }, platform)
    expect(await get<Row>('tenant/detail', { id: tenant.id }, platform)).toMatchObject({
      accountNumber: 5,
      datasourceId: source.data.id,
    })
    const info = await world.call<Row>('GET', `${system}/tenant/info`, null, { query: { domain } })
    expect(kept('GET', 'tenant/info', info)).toMatchObject({ tenantId, tenantName: draft.tenantName })
    const client = await platform.post<Row>(`${system}/client/submit`, await draftOf(entityOf('client'), platform))
    await post('tenantclientrelevance/add', { clientIds: [client.data.id] }, { tableTenantId: tenantId }, platform)
    const clients = await get('client/selectClientByTenantId', { tenantId }, platform)
    expect(clients.filter((each) => each.granted === 1).map((each) => each.id)).toEqual([client.data.id])
    await post('tenant/remove', undefined, { ids: tenant.id }, platform)
    expect(await get<Row>('tenant/detail', { id: tenant.id }, platform)).toMatchObject({ status: 9 })
  })

  it('clients, and those of a user', async () => {
    await lifeOf('client', entityOf('client'), platform)
    const client = (await platform.post<Row>(`${system}/client/submit`, await draftOf(entityOf('client'), platform)))
      .data
    const { userId } = await world.colleague(admin, [])
    const named = async (): Promise<string[]> =>
      idsOf(await get('userclientrelevance/selectClientByUserId', { userId }))
    await post('userclientrelevance/save', { userId, clientIds: [client.id] })
    expect(await named()).toEqual([client.id])
    await post('userclientrelevance/removeByUserIdAndClientIds', undefined, { userId, clientIds: client.id })
    expect(await named()).toEqual([])
  })

  it('roles and their rights', async () => {
    const role = await post<Row>('role/submit', { roleName: '教务', roleAlias: 'office', sort: 5 })
    expect(idsOf(flat(await get('role/list')))).toContain(role.id)
    expect(idsOf(flat(await get('role/tree', { tenantId: admin.tenantId })))).toContain(role.id)
    expect(idsOf(flat(await get('role/tree-by-id', { roleId: role.id })))).toContain(role.id)
    expect(await get<Row>('role/detail', { id: role.id })).toMatchObject({ roleAlias: 'office' })
    const menuIds = await world.menuIds(['student', 'student_view'])
    await post('role/grant', { roleIds: [role.id], menuIds, dataScopeIds: [], apiScopeIds: [] })
    const keys = await get<{ menu: string[] }>('menu/role-tree-keys', { roleIds: role.id })
    expect(keys.menu.sort()).toEqual(menuIds.sort())
    await post('role/remove', undefined, { ids: role.id })
    expect(idsOf(flat(await get('role/list')))).not.toContain(role.id)
  })

  it.each([
    ['param', 'param'],
    ['post', 'post'],
    ['data-scope', 'datascope'],
    ['api-scope', 'apiscope'],
  ])('%s', async (path, name) => {
    await lifeOf(path, entityOf(name))
  })

  it('posts to choose from', async () => {
    const posts = await get('post/select', { tenantId: admin.tenantId })
    expect(posts.map((each) => each.postName)).toContain('校长')
  })

  it.each([
    ['dict', 'dict', () => platform],
    ['dict-biz', 'dictbiz', () => admin],
  ] as const)('%s', async (path, name, who) => {
    const draft = { ...(await draftOf(entityOf(name), who())), code: `happy_${name}`, dictKey: '-1', dictValue: '甲' }
    const root = await post<Row>(`${path}/submit`, draft, {}, who())
    const entry = { parentId: root.id, code: draft.code, dictKey: '1', dictValue: '乙', sort: 1 }
    const child = await post<Row>(`${path}/submit`, entry, {}, who())
    const parents = await get<Page<Row>>(`${path}/parent-list`, { current: '1', size: '200', code: draft.code }, who())
    expect(idsOf(parents.records)).toEqual([root.id])
    expect(idsOf(await get(`${path}/child-list`, { parentId: root.id }, who()))).toEqual([child.id])
    expect(idsOf(flat(await get(`${path}/tree`, { code: 'DICT' }, who())))).toContain(root.id)
    expect((await get(`${path}/dictionary`, { code: draft.code }, who())).map((row) => row.dictKey)).toEqual(['1'])
    expect(idsOf(flat(await get(`${path}/list`, { code: draft.code }, who())))).toEqual([root.id, child.id])
    expect(await get<Row>(`${path}/detail`, { id: child.id }, who())).toMatchObject({ dictValue: '乙' })
    await post(`${path}/remove`, undefined, { ids: `${root.id},${child.id}` }, who())
    expect((await who().get(`${system}/${path}/dictionary`, { code: draft.code })).data).toEqual([])
  })

  it('regions', async () => {
    const draft = { code: '110199', parentCode: '110100', name: '试验区', level: 3, sort: 99, remark: '试' }
    await post('region/submit', draft, {}, platform)
    expect(await get<Row>('region/detail', { code: draft.code })).toMatchObject({
      name: '试验区',
      provinceName: '北京市',
      districtName: '试验区',
    })
    expect(idsOf(await get('region/lazy-tree', { parentCode: '110100' }))).toContain(draft.code)
    expect((await get<Page<Row>>('region/list', { code: draft.code })).total).toBe(1)
    await post('region/remove', undefined, { id: draft.code }, platform)
    expect((await admin.get(`${system}/region/detail`, { code: draft.code })).status).toBe(404)
  })

  it('none of them is left out', () => {
    const calls = readFileSync(join(import.meta.dirname, '..', '..', 'contract', 'calls.tsv'), 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter((cells) => cells[3]?.startsWith('7.4 '))
      .map(([method, path]) => `${method} ${path}`)
    expect(calls.length).toBeGreaterThan(80)
    expect(calls.filter((call) => !made.has(call))).toEqual([])
  })
})
