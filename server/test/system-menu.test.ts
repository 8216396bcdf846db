import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type Person, type Row, type World } from './world.ts'

interface Menu {
  id: string
  parentId: string
  code: string
  name: string
  nameEn: string
  path: string | null
  category: number
  hasChildren?: boolean
  children?: Menu[]
}
interface Node {
  id: string
  parentId: string
  title: string
  key: string
  value: string
  children?: Node[]
}

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const flat = <T extends { children?: T[] }>(nodes: T[]): T[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
const tops = async (person: Person) =>
  (await person.get<(Menu & { sort: number })[]>('blade-system/menu/top-menu')).data
const routes = async (person: Person, topMenuId?: string) =>
  (await person.get<Menu[]>('blade-system/menu/routes', { topMenuId })).data
const buttons = async (person: Person) =>
  flat((await person.get<Menu[]>('blade-system/menu/buttons')).data).filter((menu) => menu.category === 2)

describe('R-BAR-4 menus are called in the language of the request', () => {
  it('wherever a row names one: parents, choices, changes, and what is missing', async () => {
    const platform = await world.platform()
    const [student] = await world.menuIds(['student'])
    const [button] = await world.menuIds(['student_view'])
    const named = async (language: 'zh' | 'en') => {
      const detail = await platform.get<Row>('blade-system/menu/detail', { id: button! }, { language })
      const choice = await platform.get<{ name: string }[]>('blade-system/menu/select', { ids: student! }, { language })
      const scope = await platform.get<Row>('blade-system/data-scope/detail', { id: scopeId }, { language })
      return [detail.data.parentName, choice.data[0]?.name, scope.data.menuName]
    }
    const made = await platform.post<Row>('blade-system/data-scope/submit', {
      scopeName: '学生',
      resourceCode: 'names',
      scopeClass: 'student',
      scopeType: '6',
    })
    const scopeId = made.data.id
    expect(await named('zh')).toEqual(['学生', '学生', '学生'])
    expect(await named('en')).toEqual(['Students', 'Students', 'Students'])
    const admin = await world.tenant()
    const nobody = await world.colleague(admin, [])
    const asked = { userId: nobody.userId, method: 'GET', path: '/api/blade-user/student/list' }
    const why = async (language: 'zh' | 'en') =>
      (await admin.get<{ missing: { text: string }[] }>('blade-system/explain/call', asked, { language })).data
        .missing[0]!.text
    expect(await why('zh')).toBe('没有任何角色授予权限 “学生 / 查看” student_view')
    expect(await why('en')).toBe('None of the roles gives the permission "Students / View" student_view')
  })
})

describe('menus', () => {
  /** A top menu that a tenant makes itself. */
  async function ownTop(person: Person): Promise<string> {
    const draft = { code: 'own', name: '自建', nameEn: 'Own', sort: 99 }
    const { id } = (await person.post<Row>('blade-system/topmenu/submit', draft)).data
    const menuIds = await world.menuIds(['student'])
    expect((await person.post('blade-system/topmenu/grant', { topMenuIds: [id], menuIds })).status).toBe(200)
    return id
  }

  it('R-ROUTE-5 R-BAR-2 gives an administrator every page of each top menu, in both languages, and no group that leads nowhere', async () => {
    const found = await tops(admin)
    expect(found.map((top) => top.code).slice(0, 3)).toEqual(['top-school', 'top-teaching', 'top-student'])
    for (const top of found) {
      expect(top.nameEn).toMatch(/[A-Za-z]/)
      const tree = await routes(admin, top.id)
      expect(flat(tree).filter((menu) => menu.path).length).toBeGreaterThan(0)
      for (const menu of flat(tree)) {
        expect(menu.category).toBe(1)
        expect(menu.path || menu.children?.length, menu.code).toBeTruthy()
      }
      for (const root of tree) expect(root.parentId).toBe('0')
    }
    const all = flat(await routes(admin)).map((menu) => menu.code)
    expect(all).toEqual(expect.arrayContaining(['school', 'student', 'import']))
  })

  it('R-PERM-1 shows a role that holds one button the page it stands on, what leads there, and nothing else', async () => {
    const clerk = await world.colleague(admin, ['student_edit'])
    const found = await tops(clerk)
    expect(found.map((top) => top.code)).toEqual(['top-student'])
    const pages = flat(await routes(clerk, found[0]!.id))
    expect(pages.map((menu) => menu.code)).toEqual(['records', 'student'])
    expect(flat(await routes(clerk)).map((menu) => menu.code)).toEqual(['records', 'student'])
    for (const other of (await tops(admin)).slice(0, 2)) expect(await routes(clerk, other.id)).toEqual([])
  })

  it('R-PERM-2 answers the buttons as a tree whose leaves are exactly the codes held', async () => {
    const clerk = await world.colleague(admin, ['student_edit', 'school_view'])
    expect((await buttons(clerk)).map((menu) => menu.code).sort()).toEqual(['school_view', 'student_edit'])
    const every = (await buttons(admin)).map((menu) => menu.code)
    expect(every).toEqual(expect.arrayContaining(['student_delete', 'user_edit', 'student_personal']))
    const nobody = await world.colleague(admin, [])
    expect(await buttons(nobody)).toEqual([])
    expect(await tops(nobody)).toEqual([])
    expect(await routes(nobody)).toEqual([])
  })

  it('R-PERM-1 answers nothing for a top menu of another tenant, as for one that never was', async () => {
    const stranger = await world.tenant()
    // What is shipped has one id in all tenants: another's is what it has made.
    const foreign = await ownTop(stranger)
    expect((await routes(stranger, foreign)).length).toBeGreaterThan(0)
    expect(await routes(admin, foreign)).toEqual([])
    expect(await routes(admin, '7')).toEqual([])
    expect((await admin.get('blade-system/menu/routes', { topMenuId: 'x' })).status).toBe(400)
    expect((await world.call('GET', 'blade-system/menu/routes', null)).status).toBe(401)
  })

  it('tells truly whether anything stands under a menu', async () => {
    for (const call of ['lazy-list', 'lazy-menu-list'] as const) {
      const all = (await admin.get<Menu[]>(`blade-system/menu/${call}`)).data
      expect(all.length).toBeGreaterThan(10)
      for (const menu of all) {
        const under = (await admin.get<Menu[]>(`blade-system/menu/${call}`, { parentId: menu.id })).data
        expect(menu.hasChildren, `${call} ${menu.code}`).toBe(under.length > 0)
        for (const child of under) expect(child.parentId).toBe(menu.id)
      }
    }
    const roots = (await admin.get<Menu[]>('blade-system/menu/lazy-list', { parentId: 0 })).data
    expect(roots.every((menu) => menu.parentId === '0')).toBe(true)
    expect((await admin.get('blade-system/menu/lazy-list', { parentId: 'x' })).status).toBe(400)
    for (const call of ['menu-list', 'lazy-list', 'lazy-menu-list'])
      for (const category of ['3', 'x'])
        expect(await admin.get(`blade-system/menu/${call}`, { category }), call).toMatchObject({
          status: 200,
          data: [],
        })
  })

  it('lists menus as trees, filters them, and shows one', async () => {
    const all = flat((await admin.get<Menu[]>('blade-system/menu/list')).data)
    const pages = flat((await admin.get<Menu[]>('blade-system/menu/menu-list')).data)
    expect(pages.every((menu) => menu.category === 1)).toBe(true)
    expect(all.length).toBeGreaterThan(pages.length)
    const filtered = flat((await admin.get<Menu[]>('blade-system/menu/list', { code: 'student_im' })).data)
    expect(filtered.map((menu) => menu.code)).toEqual(['student_import'])
    const one = await admin.get<Menu & { parentName: string }>('blade-system/menu/detail', { id: pages[0]!.id })
    expect(one.data).toMatchObject({ code: pages[0]!.code, parentId: '0', parentName: '顶级', hasChildren: true })
    expect((await admin.get('blade-system/menu/detail', { id: '7' })).status).toBe(404)
    const tree = flat((await admin.get<Node[]>('blade-system/menu/tree', {}, { language: 'en' })).data)
    for (const node of tree) expect([node.key, node.value]).toEqual([node.id, node.id])
    expect(tree.map((node) => node.title)).toContain('Students')
    const outsider = await world.colleague(admin, ['student_view'])
    for (const call of ['list', 'menu-list', 'lazy-list', 'lazy-menu-list', 'tree', 'grant-tree', 'grant-top-tree'])
      expect((await outsider.get(`blade-system/menu/${call}`)).status, call).toBe(403)
  })

  it('R-PERM-5 offers for granting only what the caller holds', async () => {
    const granter = await world.colleague(admin, ['role_view', 'role_edit', 'student_view'])
    const tree = (
      await granter.get<{ menu: Node[]; dataScope: Node[]; apiScope: Node[] }>('blade-system/menu/grant-tree')
    ).data
    expect([tree.dataScope, tree.apiScope]).toEqual([[], []])
    const ids = new Set(flat(tree.menu).map((node) => node.id))
    const codes = flat((await admin.get<Menu[]>('blade-system/menu/list')).data)
      .filter((menu) => ids.has(menu.id))
      .map((menu) => menu.code)
    expect(codes.sort()).toEqual(['people', 'records', 'role', 'role_edit', 'role_view', 'student', 'student_view'])
    const top = await ownTop(admin)
    const keys = (person: Person) =>
      person.get<{ menu: string[] }>('blade-system/menu/top-tree-keys', { topMenuIds: top })
    expect((await keys(admin)).data.menu.length).toBeGreaterThan(0)
    expect((await keys(await world.tenant())).data.menu).toEqual([])
  })
})
