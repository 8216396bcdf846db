import type { Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** A role is copied with all that it is granted, never beyond the copier; its alias is made of its name. */

let world: World
let admin: Person

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world?.close())

interface Keys {
  menu: string[]
  dataScope: string[]
  apiScope: string[]
}
const keysOf = async (id: string): Promise<Keys> => {
  const { data } = await admin.get<Keys>('blade-system/menu/role-tree-keys', { roleIds: id })
  return { menu: data.menu, dataScope: data.dataScope, apiScope: data.apiScope }
}
const made = async (draft: object, person = admin): Promise<Row> => {
  const answer = await person.post<Row>('blade-system/role/submit', draft)
  expect([answer.status, answer.msg]).toEqual([200, '操作成功'])
  return answer.data
}
const copy = (id: string, roleName: string, person = admin) =>
  person.post<Row>('blade-system/role/copy', { id, roleName })
const names = async () =>
  (await admin.get<Page<Row>>('blade-system/role/list', { current: 1, size: 100 })).data.records.map((row) =>
    String(row.roleName),
  )

async function full(codes: readonly string[]): Promise<Row> {
  const role = await made({ roleName: `教务员${codes.length}`, sort: 7 })
  const scope = async (path: string, draft: object) => {
    const answer = await admin.post<Row>(`blade-system/${path}/submit`, draft)
    expect(answer.msg).toBe('操作成功')
    return answer.data.id
  }
  const mark = String(role.roleAlias)
  const dataScopeIds = [
    await scope('data-scope', {
      ...{ scopeName: mark, resourceCode: mark, scopeClass: 'student', scopeType: '6' },
    }),
  ]
  const apiScopeIds = [
    await scope('api-scope', {
      ...{ scopeName: mark, resourceCode: mark, scopePath: '/api/blade-user/student/list' },
    }),
  ]
  const menuIds = await world.menuIds([...codes])
  const granted = await admin.post('blade-system/role/grant', {
    ...{ roleIds: [role.id], menuIds, dataScopeIds, apiScopeIds },
  })
  expect(granted.msg).toBe('操作成功')
  return role
}

describe('R-PERM-1 a copy of a role', () => {
  it('has its place, its menus, its data scopes and its API scopes, and nobody has it', async () => {
    const role = await full(['student_view', 'student_edit'])
    const answer = await copy(role.id, '教务员（副本）')
    // Behind every role beside it, and never on the place of the one that it is made of.
    expect([answer.status, answer.data.roleName, answer.data.sort]).toEqual([200, '教务员（副本）', 8])
    const keys = await keysOf(role.id)
    expect([keys.menu.length > 1, keys.dataScope.length, keys.apiScope.length]).toEqual([true, 1, 1])
    expect(await keysOf(answer.data.id)).toEqual(keys)
    expect((await admin.get<Record<string, number>>('blade-system/role/user-counts')).data[answer.data.id]).toBe(
      undefined,
    )
  })

  it('is taken back with all that it was granted, but not once somebody has granted it more or has it', async () => {
    const role = await full(['student_view', 'student_edit', 'school_view'])
    const undo = (requestId: string, person = admin) =>
      person.post('blade-log/history/undo', undefined, { query: { requestId } })
    const first = await copy(role.id, '撤销的副本')
    expect((await undo(String(first.headers['x-request-id']), await world.tenant())).status).toBe(404)
    const done = await undo(String(first.headers['x-request-id']))
    expect(done.status, done.msg).toBe(200)
    expect(await names()).not.toContain('撤销的副本')
    expect((await names()).includes(String(role.roleName))).toBe(true)
    const { rows } = await world.owner.query<{ n: number }>(
      'select count(*)::int as n from role_menu where tenant_id = $1 and role_id = $2',
      [admin.tenantId, first.data.id],
    )
    expect(rows[0]!.n).toBe(0)
    const second = await copy(role.id, '又授权的副本')
    const menuIds = await world.menuIds(['school_view'])
    const more = await admin.post('blade-system/role/grant', {
      ...{ roleIds: [second.data.id], menuIds, dataScopeIds: [], apiScopeIds: [] },
    })
    expect(more.status).toBe(200)
    expect((await undo(String(second.headers['x-request-id']))).status).toBe(400)
    const third = await copy(role.id, '有人的副本')
    await world.colleague(admin, ['role_view'])
    const held = await admin.post('blade-user/submit', {
      ...{ account: 'holder', realName: '持有人', roleId: third.data.id, password: 'Correct-Horse-77' },
    })
    expect(held.status, held.msg).toBe(200)
    expect((await undo(String(third.headers['x-request-id']))).status).toBe(400)
    expect(await names()).toEqual(expect.arrayContaining(['又授权的副本', '有人的副本']))
    // A grant by itself is not taken back, as before.
    const alone = await admin.post('blade-system/role/grant', {
      ...{ roleIds: [role.id], menuIds, dataScopeIds: [], apiScopeIds: [] },
    })
    expect((await undo(String(alone.headers['x-request-id']))).status).toBe(400)
  })

  it('is refused as a whole where the copier could not grant all of it, or may not add', async () => {
    const role = await full(['student_view', 'student_edit'])
    const before = await names()
    const little = await world.colleague(admin, ['role_view', 'role_add', 'role_grant', 'student_view'])
    const refused = await copy(role.id, '越权', little)
    expect([refused.status, refused.msg]).toEqual([400, '不能授予自己没有的权限'])
    const noAdd = await world.colleague(admin, ['role_view', 'role_grant', 'student_view', 'student_edit'])
    expect((await copy(role.id, '越权', noAdd)).status).toBe(403)
    const noGrant = await world.colleague(admin, ['role_view', 'role_add', 'student_view', 'student_edit'])
    expect((await copy(role.id, '越权', noGrant)).status).toBe(403)
    expect((await copy(role.id, '越权', await world.tenant())).status).toBe(404)
    const own = (await admin.get<Page<Row>>('blade-system/role/list', { current: 1, size: 100 })).data.records
    expect((await copy(own.find((row) => row.isAdmin === 1)!.id, '第二管理员')).status).toBe(400)
    const colleagues = (await names()).filter((name) => !before.includes(name))
    expect(colleagues).not.toContain('越权')
    expect(colleagues).not.toContain('第二管理员')
  })
})

describe('R-SYS-2 roles', () => {
  it('are given an alias made of their name where none is given, another one each', async () => {
    const alias = async (roleName: string) => String((await made({ roleName })).roleAlias)
    expect(await alias('班主任')).toBe('banzhuren')
    expect(await alias('班主任')).toBe('banzhuren2')
    expect(await alias('Admin')).toBe('admin2')
    expect(await alias('★')).toBe('role')
    const role = await made({ roleName: '校医', roleAlias: 'doctor' })
    expect(role.roleAlias).toBe('doctor')
    expect((await made({ id: role.id, version: role.version, roleAlias: '' })).roleAlias).toBe('xiaoyi')
    const both = await Promise.all([1, 2, 3, 4].map(() => alias('保安')))
    expect(both.sort()).toEqual(['baoan', 'baoan2', 'baoan3', 'baoan4'])
  })

  it('say how many users have them, to whoever may see users', async () => {
    const colleague = await world.colleague(admin, ['role_view', 'user_view'])
    const { roleId } = (await admin.get<{ roleId: string }>('blade-user/detail', { id: colleague.userId })).data
    const counts = (person: Person) => person.get<Record<string, number>>('blade-system/role/user-counts')
    expect((await counts(admin)).data[roleId]).toBe(1)
    expect((await counts(colleague)).data[roleId]).toBe(1)
    expect((await counts(await world.colleague(admin, ['role_view']))).status).toBe(403)
    expect((await counts(await world.tenant())).data[roleId]).toBe(undefined)
  })
})
