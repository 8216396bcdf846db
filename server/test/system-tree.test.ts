import type { Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type Person, type World } from './world.ts'

interface Row {
  id: string
  parentId: string | null
  version: number
  ancestors?: string
  deptName?: string
  roleAlias?: string
  isAdmin?: number
  parentName?: string
  hasChildren?: boolean
  children?: Row[]
}
interface Node {
  id: string
  parentId: string
  title: string
  key: string
  hasChildren?: boolean
  children?: Node[]
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

const flat = <T extends { children?: T[] }>(nodes: T[]): T[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
const dept = (draft: object, person = admin) => person.post<Row>('blade-system/dept/submit', draft)
const role = (draft: object, person = admin) => person.post<Row>('blade-system/role/submit', draft)
const removed = (what: string, ids: string, person = admin) => person.remove(`blade-system/${what}`, ids)
let names = 0
const next = (): number => ++names
const name = (): string => `部门${next()}`
const alias = (): string => `alias${next()}`

describe('departments', () => {
  it('keep their path when they are made, moved, and moved with all that stands under them', async () => {
    const a = (await dept({ deptName: name(), parentId: '0' })).data
    const b = (await dept({ deptName: name(), parentId: a.id })).data
    const c = (await dept({ deptName: name(), parentId: b.id })).data
    const other = (await dept({ deptName: name() })).data
    expect([a.ancestors, b.ancestors, c.ancestors]).toEqual(['0', `0,${a.id}`, `0,${a.id},${b.id}`])
    const moved = await dept({ id: b.id, parentId: other.id })
    expect(moved.data.ancestors).toBe(`0,${other.id}`)
    expect((await admin.get<Row>('blade-system/dept/detail', { id: c.id })).data.ancestors).toBe(
      `0,${other.id},${b.id}`,
    )
    expect((await dept({ id: b.id, parentId: null })).data.ancestors).toBe('0')
    expect((await admin.get<Row>('blade-system/dept/detail', { id: c.id })).data.ancestors).toBe(`0,${b.id}`)
    expect((await dept({ deptName: name(), parentId: a.id, ancestors: '0,666' })).data.ancestors).toBe(`0,${a.id}`)
  })

  it('refuse to stand under themselves or one of their own, also when two moves meet', async () => {
    const a = (await dept({ deptName: name() })).data
    const b = (await dept({ deptName: name(), parentId: a.id })).data
    expect((await dept({ id: a.id, parentId: a.id })).msg).toBe('父节点不可选择自身！')
    expect((await dept({ id: a.id, parentId: b.id })).status).toBe(400)
    expect((await admin.get<Row>('blade-system/dept/detail', { id: a.id })).data).toMatchObject({
      parentId: null,
      version: 1,
    })
    const c = (await dept({ deptName: name() })).data
    const both = await Promise.all([dept({ id: a.id, parentId: c.id }), dept({ id: c.id, parentId: b.id })])
    expect(both.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1)
    const tree = flat((await admin.get<Node[]>('blade-system/dept/tree')).data).map((node) => node.id)
    expect(tree).toEqual(expect.arrayContaining([a.id, b.id, c.id]))
  })

  it('have one name under a parent, at the top too', async () => {
    const deptName = name()
    const a = (await dept({ deptName })).data
    expect((await dept({ deptName })).status).toBe(409)
    expect((await dept({ deptName, parentId: a.id })).status).toBe(200)
    expect((await dept({ deptName, parentId: a.id })).status).toBe(409)
    expect((await dept({ deptName }, stranger)).status).toBe(200)
  })

  it('R-SCHOOL-20 stay while departments or people stand in them', async () => {
    const a = (await dept({ deptName: name() })).data
    const b = (await dept({ deptName: name(), parentId: a.id })).data
    const blocked = await removed('dept', a.id)
    expect([blocked.status, blocked.data.blockers?.[0]?.count]).toEqual([400, 1])
    expect((await removed('dept', b.id)).status).toBe(200)
    expect((await removed('dept', a.id)).status).toBe(200)
  })

  it('answer as a tree, a page, a lazy list and trees of choices, with the truth about what stands below', async () => {
    const person = await world.tenant()
    const [root] = (await person.get<Row[]>('blade-system/dept/list')).data
    const a = (await dept({ deptName: '甲', parentId: root!.id, sort: 1 }, person)).data
    const b = (await dept({ deptName: '乙', parentId: a.id, sort: 2 }, person)).data
    const list = (await person.get<Row[]>('blade-system/dept/list')).data
    expect(list).toMatchObject([
      {
        id: root!.id,
        parentId: '0',
        parentName: '顶级',
        children: [{ id: a.id, children: [{ id: b.id, parentName: '甲' }] }],
      },
    ])
    expect(flat(list).find((row) => row.id === b.id)).not.toHaveProperty('children')
    const found = (await person.get<Row[]>('blade-system/dept/list', { deptName: '乙' })).data
    expect(found.map((row) => row.id)).toEqual([b.id])
    expect((await person.get<Page<Row>>('blade-system/dept/list', { current: 1, size: 2 })).data).toMatchObject({
      total: 3,
      records: [{}, {}],
    })
    for (const row of flat(list)) {
      const under = (await person.get<Row[]>('blade-system/dept/lazy-list', { parentId: row.id })).data
      const lazy = (await person.get<Row[]>('blade-system/dept/lazy-list')).data.find((each) => each.id === row.id)
      expect(lazy?.hasChildren).toBe(under.length > 0)
      const nodes = (await person.get<Node[]>('blade-system/dept/lazy-tree', { parentId: row.id })).data
      expect(nodes.map((node) => node.id)).toEqual(under.map((each) => each.id))
    }
    expect((await person.get<Node[]>('blade-system/dept/lazy-tree')).data).toMatchObject([
      { id: root!.id, parentId: '0', hasChildren: true, key: root!.id },
    ])
    expect((await person.get<Node[]>('blade-system/dept/tree', { tenantId: person.tenantId })).data).toMatchObject([
      { children: [{ title: '甲', children: [{ title: '乙' }] }] },
    ])
    expect((await person.get<{ name: string }[]>('blade-system/dept/select')).data.map((row) => row.name)).toContain(
      '甲',
    )
  })

  it('R-PROD-2 are invisible to another tenant, in every call', async () => {
    const a = (await dept({ deptName: name() })).data
    expect((await stranger.get('blade-system/dept/detail', { id: a.id })).status).toBe(404)
    expect((await stranger.get('blade-system/dept/tree', { tenantId: admin.tenantId })).status).toBe(404)
    expect((await stranger.get('blade-system/role/tree', { tenantId: admin.tenantId })).status).toBe(404)
    expect((await stranger.get<Row[]>('blade-system/dept/lazy-list', { parentId: a.id })).data).toEqual([])
    expect((await dept({ deptName: name(), parentId: a.id }, stranger)).status).toBe(400)
    expect((await dept({ id: a.id, deptName: '别人' }, stranger)).status).toBe(404)
    expect((await removed('dept', a.id, stranger)).status).toBe(404)
    expect((await admin.get<Row>('blade-system/dept/detail', { id: a.id })).data.version).toBe(1)
  })

  it('R-LIST-5 need their codes', async () => {
    const nobody = await world.colleague(admin, [])
    for (const call of ['list', 'lazy-list'])
      expect((await nobody.get(`blade-system/dept/${call}`)).status, call).toBe(403)
    expect((await nobody.get('blade-system/dept/tree')).status).toBe(200)
    expect((await dept({ deptName: name() }, nobody)).status).toBe(403)
    const adder = await world.colleague(admin, ['dept_add'])
    const made = await dept({ deptName: name() }, adder)
    expect(made.status).toBe(200)
    expect((await dept({ id: made.data.id, deptName: name() }, adder)).status).toBe(403)
    expect((await removed('dept', made.data.id, adder)).status).toBe(403)
  })
})

describe('roles', () => {
  it('R-PERM-5 cannot be made administrators by a name, nor the administrators’ role be taken away', async () => {
    for (const roleAlias of ['administrator', 'admin', 'ADMIN']) {
      const answer = await role({ roleName: '伪管理员', roleAlias })
      expect([answer.status, answer.msg], roleAlias).toEqual([400, '无权限创建超管角色！'])
    }
    const own = (await admin.get<Row[]>('blade-system/role/list')).data.find((row) => row.roleAlias === 'admin')!
    expect((await role({ id: own.id, roleAlias: 'plain' })).status).toBe(400)
    expect((await removed('role', own.id)).status).toBe(400)
    expect((await role({ id: own.id, roleName: '管理员们' })).status).toBe(200)
    // What only the server sets is passed over.
    expect((await role({ roleName: 'x', roleAlias: alias(), isAdmin: 1 })).data.isAdmin).toBe(0)
    expect(
      (
        await world.owner.query('select count(*)::int as n from role where tenant_id = $1 and is_admin = 1', [
          admin.tenantId,
        ])
      ).rows[0].n,
    ).toBe(1)
  })

  it('R-PERM-1 R-PERM-5 hold at once what they are granted, and no longer what is withdrawn', async () => {
    const clerk = await world.colleague(admin, [])
    const roleId = (
      await world.owner.query<{ id: string }>('select target_id::text as id from app_user_role where owner_id = $1', [
        clerk.userId,
      ])
    ).rows[0]!.id
    const grant = async (codes: string[]) =>
      admin.post('blade-system/role/grant', {
        roleIds: [roleId],
        menuIds: await world.menuIds(codes),
        dataScopeIds: [],
        apiScopeIds: [],
      })
    expect((await clerk.get('blade-user/student/list')).status).toBe(403)
    expect((await grant(['student', 'student_view'])).status).toBe(200)
    expect((await clerk.get('blade-user/student/list')).status).toBe(200)
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    expect(keys.data.menu.sort()).toEqual((await world.menuIds(['student', 'student_view'])).sort())
    expect((await grant(['school_view'])).status).toBe(200)
    expect((await clerk.get('blade-user/student/list')).status).toBe(403)
    expect((await clerk.get('blade-user/school/list')).status).toBe(200)
  })

  it('R-PERM-5 are granted nothing that the granter does not hold, and lose nothing that the granter cannot see', async () => {
    const granter = await world.colleague(admin, ['role_view', 'role_grant', 'student_view'])
    const made = (await role({ roleName: '试', roleAlias: alias() })).data
    await admin.post('blade-system/role/grant', { roleIds: [made.id], menuIds: await world.menuIds(['user_edit']) })
    const beyond = await granter.post('blade-system/role/grant', {
      roleIds: [made.id],
      menuIds: await world.menuIds(['student_view', 'student_delete']),
    })
    expect(beyond.status).toBe(400)
    const fine = await granter.post('blade-system/role/grant', {
      roleIds: [made.id],
      menuIds: (await world.menuIds(['student_view'])).join(','),
    })
    expect(fine.status).toBe(200)
    const held = await world.owner.query<{ code: string }>(
      'select m.code from role_menu g join menu m on m.id = g.menu_id where g.role_id = $1 order by 1',
      [made.id],
    )
    expect(held.rows.map((row) => row.code)).toEqual(['student_view', 'user_edit'])
  })

  it('refuse a grant that is none', async () => {
    const made = (await role({ roleName: '试', roleAlias: alias() })).data
    const foreign = (await role({ roleName: '试', roleAlias: alias() }, stranger)).data
    const send = (body: object) => admin.post('blade-system/role/grant', body)
    expect((await send({ roleIds: [made.id, foreign.id], menuIds: [] })).status).toBe(404)
    expect((await send({ roleIds: [], menuIds: [] })).status).toBe(400)
    expect((await send({ menuIds: [] })).status).toBe(400)
    expect((await send({ roleIds: [made.id], menuIds: ['x'] })).status).toBe(400)
    expect((await send({ roleIds: [made.id], menuIds: ['7'] })).status).toBe(400)
    expect((await send({ roleIds: [made.id], menuIds: [], dataScopeIds: ['7'] })).msg).toBe('不能授予自己没有的权限')
    expect((await send([])).status).toBe(400)
    const viewer = await world.colleague(admin, ['role_view'])
    expect((await viewer.post('blade-system/role/grant', { roleIds: [made.id], menuIds: [] })).status).toBe(403)
  })

  it('stand in a tree without circles; the administrators’ role is shown to administrators alone', async () => {
    const a = (await role({ roleName: '甲', roleAlias: alias() })).data
    const b = (await role({ roleName: '乙', roleAlias: alias(), parentId: a.id })).data
    expect((await role({ id: a.id, parentId: b.id })).status).toBe(400)
    const tree = (await admin.get<Node[]>('blade-system/role/tree')).data
    expect(tree.find((node) => node.id === a.id)?.children?.map((node) => node.id)).toEqual([b.id])
    const viewer = await world.colleague(admin, ['user_edit'])
    const seen = flat((await viewer.get<Node[]>('blade-system/role/tree')).data)
    expect(seen.map((node) => node.id)).toContain(b.id)
    const own = (await admin.get<Row[]>('blade-system/role/list')).data.find((row) => row.roleAlias === 'admin')!
    expect(tree.map((node) => node.id)).toContain(own.id)
    expect(seen.map((node) => node.id)).not.toContain(own.id)
    expect((await admin.get<Node[]>('blade-system/role/tree-by-id', { roleId: a.id })).data).toEqual(
      (await admin.get<Node[]>('blade-system/role/tree')).data,
    )
    expect((await stranger.get('blade-system/role/tree-by-id', { roleId: a.id })).status).toBe(404)
    expect(
      (await admin.get<Page<Row>>('blade-system/role/list', { current: 1, size: 10, roleName: '乙' })).data.records.map(
        (row) => row.id,
      ),
    ).toContain(b.id)
    expect((await removed('role', a.id)).status).toBe(400)
    expect((await removed('role', `${b.id}`)).status).toBe(200)
    expect((await world.owner.query('select 1 from role_menu where role_id = $1', [b.id])).rowCount).toBe(0)
  })
})

describe('posts', () => {
  it('are offered for choosing with their codes, of one’s own tenant only', async () => {
    const posts = (
      await admin.get<{ id: string; name: string; postCode: string; postName: string }[]>('blade-system/post/select')
    ).data
    expect(posts[0]).toMatchObject({ name: '校长', postName: '校长', postCode: 'principal' })
    expect((await stranger.get('blade-system/post/select', { tenantId: admin.tenantId })).status).toBe(404)
    expect((await stranger.get<unknown[]>('blade-system/post/select', { ids: posts[0]!.id })).data).toEqual([])
    expect(
      (await admin.get<{ name: string }[]>('blade-system/post/select', { keyword: '班主' })).data.map(
        (row) => row.name,
      ),
    ).toEqual(['班主任'])
  })
})
