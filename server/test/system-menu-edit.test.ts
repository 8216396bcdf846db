import { topMenus } from '@data-brain/contract/menus'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inPlatform } from '../src/database/transaction.ts'
import { movedPlaces } from '../src/modules/system/move-rows.ts'
import { layMenus } from '../src/seed/platform.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Menu {
  id: string
  parentId: string
  code: string
  name: string
  sort: number
  status: number
  version: number
  path: string | null
  children?: Menu[]
}

let world: World
let platform: Person
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
  admin = await world.tenant()
})
afterAll(() => world.close())

const flat = (nodes: Menu[]): Menu[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
const menus = async (person = platform) => flat((await person.get<Menu[]>('blade-system/menu/list')).data)
const byCode = async (code: string) => (await menus()).find((menu) => menu.code === code)!
const save = (draft: object, person = platform) => person.post<Menu>('blade-system/menu/submit', draft)
const remove = (ids: string, person = platform) => person.remove('blade-system/menu', ids)
const move = (draft: object, person = platform) => person.post('blade-system/menu/move', draft)
const pages = async (person: Person) =>
  flat((await person.get<Menu[]>('blade-system/menu/routes')).data).map((menu) => menu.code)
const codes = async (person: Person) =>
  (await person.get<{ permissions: string[] }>('blade-auth/oauth/user-info')).data.permissions
let made = 0
const fresh = async (more: object = {}) => {
  made += 1
  return (await save({ code: `own_${made}`, name: '自定', nameEn: 'Own', path: `/own/${made}`, ...more })).data
}

describe('R-SYS-5 menus and buttons', () => {
  it('R-PERM-5 are made, changed and removed for all tenants at once', async () => {
    expect(await codes(admin)).not.toContain(`own_${made + 1}`)
    const page = await fresh({ category: 1, action: 0, isOpen: 1, parentId: '0', sort: 5 })
    expect([page.parentId, page.version, page.status]).toEqual([null, 1, 1])
    const button = await fresh({ category: '2', parentId: page.id, path: '', code: 'own_button' })
    expect(await codes(admin)).toEqual(expect.arrayContaining([page.code, 'own_button']))
    expect(await pages(admin)).toContain(page.code)
    expect((await save({ id: page.id, name: '改名', version: 1 })).data).toMatchObject({ name: '改名', version: 2 })
    expect((await save({ id: page.id, version: 1, name: '再改' })).status).toBe(409)
    expect((await save({ id: page.id, platformOnly: 1 })).status).toBe(400)
    await save({ id: button.id, platformOnly: 1 })
    expect(await codes(admin)).not.toContain('own_button')
    await save({ id: page.id, platformOnly: 1 })
    expect(await codes(admin)).not.toContain(page.code)
    expect(await pages(admin)).not.toContain(page.code)
    expect(await codes(platform)).toContain(page.code)
    const blocked = await remove(page.id)
    expect([blocked.status, blocked.data]).toMatchObject([400, { blockers: [{ entity: 'menu', count: 1 }] }])
    expect((await remove(`${button.id}`)).status).toBe(200)
    expect((await remove(page.id)).status).toBe(200)
    expect(await codes(platform)).not.toContain(page.code)
    const history = await platform.get<{ action: string }[]>('blade-system/menu/history', { id: page.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['delete', 'edit', 'edit', 'add'])
  })

  it('keep to their rules', async () => {
    const page = await fresh()
    const button = await fresh({ category: '2', parentId: page.id, path: null })
    const below = await fresh({ parentId: page.id })
    const only = await fresh({ platformOnly: 1 })
    const cases: [string, object, string][] = [
      ['a script', { id: page.id, path: 'javascript:alert(1)' }, 'path'],
      ['a script in other letters', { id: page.id, path: 'JaVaScRiPt:alert(1)' }, 'path'],
      ['data', { id: page.id, path: 'data:text/html,x' }, 'path'],
      ['another host as a page', { id: page.id, path: '//evil.example/x' }, 'path'],
      ['another host by a backslash', { id: page.id, path: '/\\evil.example' }, 'path'],
      ['no slash', { id: page.id, path: 'own' }, 'path'],
      ['a name and password', { id: page.id, path: 'https://a:b@c.example' }, 'path'],
      ['a button at the top', { code: 'b_top', name: '钮', nameEn: 'B', category: '2' }, 'parentId'],
      ['a menu under a button', { code: 'm_b', name: '菜', nameEn: 'M', parentId: button.id }, 'parentId'],
      ['a path of a button', { id: button.id, path: '/x' }, 'path'],
      ['a menu with entries as a button', { id: page.id, category: '2', path: '' }, 'parentId'],
      ['itself as parent', { id: page.id, parentId: page.id }, 'parentId'],
      ['one of its own as parent', { id: page.id, parentId: below.id }, 'parentId'],
      ['a parent that never was', { id: page.id, parentId: '7' }, 'parentId'],
      ['for tenants below the platform’s', { id: page.id, parentId: only.id }, 'platformOnly'],
      ['a code with a space', { id: page.id, code: 'a b' }, 'code'],
      ['no name', { id: page.id, name: '' }, 'name'],
    ]
    for (const [title, draft, field] of cases) {
      const answer = await save(draft)
      expect([answer.status, (answer.data as unknown as { field: string }).field], title).toEqual([400, field])
    }
    expect((await save({ id: page.id, code: 'student_view' })).status).toBe(409)
    for (const path of ['/a/b?c=d', 'https://example.com/x', 'http://10.0.0.1:8080/'])
      expect((await save({ id: page.id, path })).data.path).toBe(path)
    expect(await byCode(page.code)).toMatchObject({ parentId: '0', code: page.code })
  })

  it('R-PROD-3 are no tenant’s to change', async () => {
    const student = await byCode('student')
    for (const person of [admin, await world.colleague(admin, ['role_view', 'role_edit'])])
      for (const answer of [
        await save({ id: student.id, name: '外' }, person),
        await save({ code: 'x_x', name: '外', nameEn: 'X' }, person),
        await remove(student.id, person),
        await move({ id: student.id, parentId: '0' }, person),
      ])
        expect(answer.status).toBe(403)
    expect((await byCode('student')).name).toBe(student.name)
  })

  it('of the product stay with their code and path; they are renamed, moved and hidden', async () => {
    const before = await byCode('studentmessage')
    for (const draft of [{ code: 'other' }, { path: '/x' }, { platformOnly: 1 }])
      expect((await save({ id: before.id, ...draft })).msg, JSON.stringify(draft)).toContain('系统自带')
    const refused = await remove(before.id)
    expect([refused.status, refused.msg]).toEqual([400, '系统自带的菜单不能删除，可以停用使其隐藏'])
    expect(await pages(admin)).toContain('studentmessage')
    expect((await save({ id: before.id, name: '消息', source: 'star', status: 0 })).status).toBe(200)
    expect(await pages(admin)).not.toContain('studentmessage')
    // Hidden, not withdrawn: who may read messages still may.
    expect((await admin.get('blade-user/studentmessage/list')).status).toBe(200)
    const group = await byCode('groups')
    await save({ id: group.id, status: 0 })
    expect(await pages(admin)).not.toContain('studentgroup')
    await save({ id: group.id, status: 1 })
    expect(await pages(admin)).toContain('studentgroup')
    await save({ id: before.id, status: 1 })
  })

  it('keep an administrator’s names and places when a newer version lays its menus', async () => {
    const moved = await byCode('studentresume')
    const target = await byCode('groups')
    expect((await move({ id: moved.id, parentId: target.id })).status).toBe(200)
    await save({ id: moved.id, name: '我的履历' })
    // The product's parent now stands under what is laid below it: the newer version must close no circle.
    const [campus, school] = [await byCode('campus'), await byCode('school')]
    await save({ id: school.id, parentId: null })
    await save({ id: campus.id, parentId: school.id })
    await world.owner.query(`update menu set path = '/old', category = '1' where code = 'studentresume'`)
    await world.owner.query(`update menu set sort = 99 where code = 'schoolyear'`)
    const all = (await menus()).length
    await inPlatform(world.services.platform, layMenus)
    expect((await menus()).length).toBe(all)
    expect(await byCode('studentresume')).toMatchObject({
      parentId: target.id,
      name: '我的履历',
      path: '/student/studentresume',
    })
    expect((await byCode('schoolyear')).sort).toBe(1)
    expect(await byCode('campus')).toMatchObject({ parentId: school.id })
    expect(await byCode('school')).toMatchObject({ parentId: '0' })
    expect(await pages(admin)).toEqual(expect.arrayContaining(['school', 'schoolcampus', 'studentresume']))
  })
})

describe('R-SYS-5 moving among siblings', () => {
  it('pushes on only what must be', () => {
    const order = (...rows: [string, number][]) => rows.map(([id, sort]) => ({ id, sort }))
    expect(movedPlaces(order(['c', 3], ['a', 1], ['b', 2], ['d', 4]), 'c')).toEqual(order(['c', 0]))
    expect(movedPlaces(order(['b', 2], ['c', 3], ['a', 1]), 'a')).toEqual(order(['b', 2], ['c', 3], ['a', 4]).slice(2))
    expect(movedPlaces(order(['a', 1], ['c', 3], ['b', 2], ['d', 4]), 'c')).toEqual(order(['c', 2], ['b', 3]))
    expect(movedPlaces(order(['a', 1], ['b', 1], ['c', 1]), 'b')).toEqual(order(['b', 2], ['c', 3]))
    expect(movedPlaces(order(['a', 9998], ['b', 9999], ['c', 5]), 'c')).toEqual(order(['a', 0], ['b', 1], ['c', 2]))
  })

  it('puts a menu before one of them, after all, and under another parent', async () => {
    const parent = await fresh()
    const [a, b, c] = [
      await fresh({ parentId: parent.id, sort: 1 }),
      await fresh({ parentId: parent.id, sort: 2 }),
      await fresh({ parentId: parent.id, sort: 3 }),
    ]
    const order = async (id: string) =>
      (await platform.get<Menu[]>('blade-system/menu/lazy-list', { parentId: id })).data.map((menu) => menu.id)
    expect((await move({ id: c.id, parentId: parent.id, beforeId: a.id })).status).toBe(200)
    expect(await order(parent.id)).toEqual([c.id, a.id, b.id])
    await move({ id: c.id, parentId: parent.id, beforeId: b.id })
    expect(await order(parent.id)).toEqual([a.id, c.id, b.id])
    await move({ id: a.id, parentId: parent.id })
    expect(await order(parent.id)).toEqual([c.id, b.id, a.id])
    await move({ id: b.id, parentId: c.id })
    expect(await order(parent.id)).toEqual([c.id, a.id])
    expect(await order(c.id)).toEqual([b.id])
    for (const draft of [
      { id: c.id, parentId: b.id },
      { id: c.id, parentId: c.id },
      { id: a.id, parentId: parent.id, beforeId: b.id },
      { id: 'x', parentId: '0' },
      { id: a.id, parentId: 'x' },
    ])
      expect((await move(draft)).status, JSON.stringify(draft)).toBe(400)
    expect((await move({ id: '7', parentId: '0' })).status).toBe(404)
    expect(await order(parent.id)).toEqual([c.id, a.id])
  })

  it('moves departments with all below them, each in its own tenant', async () => {
    const dept = async (deptName: string, parentId?: string) =>
      (await admin.post<{ id: string }>('blade-system/dept/submit', { deptName, parentId, sort: 1 })).data.id
    const top = await dept('总部')
    const [a, b] = [await dept('甲', top), await dept('乙', top)]
    const leaf = await dept('甲一', a)
    const to = (draft: object, person = admin) => person.post('blade-system/dept/move', draft)
    const order = async (parentId: string) =>
      (await admin.get<{ id: string }[]>('blade-system/dept/lazy-list', { parentId })).data.map((row) => row.id)
    expect((await to({ id: b, parentId: top, beforeId: a })).status).toBe(200)
    expect(await order(top)).toEqual([b, a])
    expect((await to({ id: a, parentId: b })).status).toBe(200)
    const { rows } = await world.owner.query('select ancestors from dept where id = $1', [leaf])
    expect(rows[0].ancestors).toBe(`0,${top},${b},${a}`)
    expect((await to({ id: top, parentId: leaf })).status).toBe(400)
    expect((await to({ id: a, parentId: top }, await world.tenant())).status).toBe(404)
    expect((await to({ id: a, parentId: top }, await world.colleague(admin, ['dept_view', 'dept_add']))).status).toBe(
      403,
    )
  })
})

describe('R-SYS-6 top menus', () => {
  interface Top {
    id: string
    code: string
  }
  const tops = async (person: Person) => (await person.get<Top[]>('blade-system/menu/top-menu')).data
  const keys = async (person: Person, id: string) =>
    (await person.get<{ menu: string[] }>('blade-system/menu/top-tree-keys', { topMenuIds: id })).data.menu
  const grant = (person: Person, topMenuIds: string[], menuIds: string[]) =>
    person.post('blade-system/topmenu/grant', { topMenuIds, menuIds })

  it('R-PERM-1 gather what is assigned to them, shown on the next request', async () => {
    const own = await world.tenant()
    const made = await own.post<Top>('blade-system/topmenu/submit', {
      code: 'mine',
      name: '我的',
      nameEn: 'Mine',
      sort: 0,
    })
    expect(made.status).toBe(200)
    expect((await tops(own)).map((top) => top.code)).not.toContain('mine')
    const [student, group] = await world.menuIds(['student', 'records'])
    expect((await grant(own, [made.data.id], [student!, group!])).status).toBe(200)
    expect((await tops(own))[0]).toMatchObject({ code: 'mine' })
    const routes = await own.get<Menu[]>('blade-system/menu/routes', { topMenuId: made.data.id })
    expect(flat(routes.data).map((menu) => menu.code)).toEqual(['records', 'student'])
    await own.post('blade-system/topmenu/submit', { id: made.data.id, status: 0 })
    expect((await tops(own)).map((top) => top.code)).not.toContain('mine')
    for (const path of ['javascript:x', '//x.example'])
      expect((await own.post('blade-system/topmenu/submit', { id: made.data.id, path })).status).toBe(400)
    expect((await own.remove('blade-system/topmenu', made.data.id)).status).toBe(200)
    expect(
      (await world.owner.query('select 1 from top_menu_setting where top_menu_id = $1', [made.data.id])).rowCount,
    ).toBe(0)
  })

  it('R-PERM-5 are assigned only menus that the caller holds; the others stay', async () => {
    const own = await world.tenant()
    const clerk = await world.colleague(own, ['topmenu_view', 'topmenu_setting', 'student_view'])
    const top = (await tops(own)).find((each) => each.code === 'top-student')!
    const before = await keys(clerk, top.id)
    const one = async (code: string) => (await world.menuIds([code]))[0]!
    const [student, parents, school] = [await one('student'), await one('studentparents'), await one('school')]
    expect(before).toEqual(expect.arrayContaining([student, parents]))
    expect((await grant(clerk, [top.id], [school])).msg).toContain('自己没有的菜单')
    expect(await keys(own, top.id)).toEqual(before)
    expect((await grant(clerk, [top.id], [])).status).toBe(200)
    const after = await keys(own, top.id)
    expect(after).not.toContain(student)
    expect(after).toContain(parents)
    expect((await grant(own, [top.id], [school])).status).toBe(200)
    expect(await keys(own, top.id)).toEqual([school])
    // What is shipped has one id in all tenants, so that a stranger is refused only what this tenant has made.
    const draft = { code: 'ours', name: '我们的', nameEn: 'Ours', sort: 0 }
    const made = await own.post<Top>('blade-system/topmenu/submit', draft)
    const stranger = await world.tenant()
    expect((await grant(stranger, [made.data.id], [])).status).toBe(404)
    expect((await grant(stranger, [top.id], [])).status).toBe(200)
    expect(await keys(own, top.id)).toEqual([school])
    expect((await grant(own, ['7'], [])).status).toBe(404)
    expect((await grant(own, [], [])).status).toBe(400)
    expect((await grant(await world.colleague(own, ['topmenu_view', 'topmenu_edit']), [top.id], [])).status).toBe(403)
    expect(topMenus.map((each) => each.code)).toContain(top.code)
  })
})
