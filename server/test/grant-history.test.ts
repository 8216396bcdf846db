import { randomBytes } from 'node:crypto'
import type { Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Grants leave a history: who, when, by which request, and by name what came and what went. */

interface Change {
  readonly field: string
  readonly label?: string
  readonly before: unknown
  readonly beforeName?: readonly string[]
  readonly afterName?: readonly string[]
  readonly same?: number
}
interface Entry {
  readonly id: string
  readonly action: string
  readonly userName: string
  readonly requestId: string
  readonly version: number
  readonly changes: readonly Change[]
}

let world: World
let admin: Person

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world?.close())

const historyOf = async (person: Person, path: string, id: string, language: 'zh' | 'en' = 'zh') =>
  (await person.get<Entry[]>(`${path}/history`, { id }, { language })).data
const made = async (person: Person, path: string, draft: object): Promise<Row> => {
  const answer = await person.post<Row>(`${path}/submit`, draft)
  expect([answer.status, answer.msg]).toEqual([200, '操作成功'])
  return answer.data
}
let count = 0
const roleIn = (person: Person) => {
  count += 1
  return made(person, 'blade-system/role', { roleName: `角色${count}`, roleAlias: `role${count}`, sort: 5 })
}
const client = async (): Promise<{ id: string; clientId: string }> => {
  const clientId = `app-${randomBytes(4).toString('hex')}`
  const { rows } = await world.owner.query<{ id: string }>(
    `insert into client (id, client_id, client_secret_hash) values ((select max(id) + 1 from client), $1, sha256('a')) returning id::text as id`,
    [clientId],
  )
  return { id: rows[0]!.id, clientId }
}

describe('R-PERM-1 grants to roles', () => {
  it('are told by name, in the language of whoever looks, beside the role’s own changes', async () => {
    const role = await roleIn(admin)
    const scope = await made(admin, 'blade-system/data-scope', {
      scopeName: '本校学生',
      resourceCode: 'own-school',
      scopeClass: 'student',
      scopeType: '6',
    })
    const grant = async (codes: string[], dataScopeIds: string[] = []) =>
      admin.post('blade-system/role/grant', {
        roleIds: [role.id],
        menuIds: await world.menuIds(codes),
        dataScopeIds,
        apiScopeIds: [],
      })
    expect((await grant(['student', 'student_view'])).status).toBe(200)
    expect((await grant(['student', 'student_edit'], [scope.id])).status).toBe(200)
    // What changes nothing tells nothing.
    expect((await grant(['student', 'student_edit'], [scope.id])).status).toBe(200)
    const [second, first, birth, ...none] = await historyOf(admin, 'blade-system/role', role.id)
    expect(none).toEqual([])
    expect([second!.action, first!.action, birth!.action]).toEqual(['grant', 'grant', 'add'])
    expect(second!.userName).toBe('管理员')
    expect(second!.requestId).not.toBe(first!.requestId)
    expect(first!.changes).toEqual([
      expect.objectContaining({ field: 'menuIds', label: '菜单和按钮', beforeName: [], same: 0 }),
    ])
    expect(first!.changes[0]!.afterName).toEqual(expect.arrayContaining(['学生']))
    expect(second!.changes).toEqual([
      expect.objectContaining({ field: 'menuIds', beforeName: ['学生 / 查看'], afterName: ['学生 / 修改'], same: 1 }),
      expect.objectContaining({ field: 'dataScopeIds', label: '数据权限', beforeName: [], afterName: ['本校学生'] }),
    ])
    const [english] = await historyOf(admin, 'blade-system/role', role.id, 'en')
    expect(english!.changes[0]).toMatchObject({
      label: 'Menus and buttons',
      beforeName: ['Students / View'],
      afterName: ['Students / Edit'],
    })
    // The page of all changes tells the same, found by its kind.
    const list = await admin.get<{ records: Entry[] }>('blade-log/history/list', { entity: 'role', action: 'grant' })
    expect(list.data.records.map(({ id }) => id)).toEqual([second!.id, first!.id])
    const detail = await admin.get<Entry>('blade-log/history/detail', { id: second!.id })
    expect(detail.data.changes).toEqual(second!.changes)
    // The row itself was not changed: whoever has its form open is not told of a conflict.
    expect((await admin.post('blade-system/role/submit', { id: role.id, version: role.version, sort: 6 })).status).toBe(
      200,
    )
    expect((await historyOf(admin, 'blade-system/role', role.id))[0]!.changes.map(({ field }) => field)).toEqual([
      'sort',
    ])
  })

  it('of several roles are told of each, and a scope that is gone keeps its name', async () => {
    const [one, two] = [await roleIn(admin), await roleIn(admin)]
    const scope = await made(admin, 'blade-system/api-scope', {
      scopeName: '学生导出',
      resourceCode: `api-${one.id}`,
      scopePath: '/api/blade-user/student/export',
      scopeType: '2',
    })
    const body = { roleIds: [one.id, two.id], menuIds: [], dataScopeIds: [], apiScopeIds: [scope.id] }
    expect((await admin.post('blade-system/role/grant', body)).msg).toBe('操作成功')
    expect((await admin.post('blade-system/role/grant', { ...body, apiScopeIds: [] })).status).toBe(200)
    expect((await admin.remove('blade-system/api-scope', scope.id)).status).toBe(200)
    for (const { id } of [one, two]) {
      const [taken, given] = await historyOf(admin, 'blade-system/role', id)
      expect(given!.changes[0]).toMatchObject({ label: '接口权限', afterName: ['学生导出'] })
      expect(taken!.changes[0]).toMatchObject({ beforeName: ['学生导出'], afterName: [] })
    }
  })

  it('are neither undone nor restored from the history: who grants must hold what is granted', async () => {
    const role = await roleIn(admin)
    await admin.post('blade-system/role/grant', {
      roleIds: [role.id],
      menuIds: await world.menuIds(['student', 'student_view']),
      dataScopeIds: [],
      apiScopeIds: [],
    })
    const [entry] = await historyOf(admin, 'blade-system/role', role.id)
    const words = '授权变更不能撤销或恢复，请在授权处重新设置'
    const undo = await admin.post('blade-log/history/undo', undefined, { query: { requestId: entry!.requestId } })
    expect([undo.status, undo.msg]).toEqual([400, words])
    const restore = await admin.post('blade-system/role/restore', undefined, {
      query: { id: role.id, historyId: entry!.id },
    })
    expect([restore.status, restore.msg]).toEqual([400, words])
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: role.id })
    expect(keys.data.menu).toHaveLength(2)
  })
})

describe('R-SYS-1 what users are given', () => {
  it('roles and applications are in the history of the user, and nobody takes more back than they hold', async () => {
    const colleague = await world.colleague(admin, ['student_view'])
    const role = await roleIn(admin)
    const { rows } = await world.owner.query<{ id: string }>(
      'select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2',
      [admin.tenantId, colleague.userId],
    )
    const granted = await admin.post('blade-user/grant', undefined, {
      query: { userIds: colleague.userId, roleIds: role.id },
    })
    expect(granted.status).toBe(200)
    const app = await client()
    const save = (clientIds: string[]) =>
      admin.post('blade-system/userclientrelevance/save', { userId: colleague.userId, clientIds })
    expect((await save([app.id])).status).toBe(200)
    const taken = await admin.post('blade-system/userclientrelevance/removeByUserIdAndClientIds', undefined, {
      query: { userId: colleague.userId, clientIds: app.id },
    })
    expect(taken.status).toBe(200)
    const [away, named, roles] = await historyOf(admin, 'blade-user', colleague.userId)
    expect(named!.changes[0]).toMatchObject({ label: '可用的客户端', beforeName: [], afterName: [app.clientId] })
    expect(away!.changes[0]).toMatchObject({ beforeName: [app.clientId], afterName: [] })
    expect(roles!.changes).toEqual([
      expect.objectContaining({ field: 'roleId', beforeName: ['测试角色'], afterName: [role.roleName] }),
    ])
    // Somebody who holds less may not take the change of roles back: it would hand on what they do not hold.
    const clerk = await world.colleague(admin, ['user_view', 'user_edit', 'user_role', 'history_view', 'history_undo'])
    const undo = await clerk.post('blade-log/history/undo', undefined, { query: { requestId: roles!.requestId } })
    expect(undo.status).not.toBe(200)
    const held = await world.owner.query<{ id: string }>(
      'select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2',
      [admin.tenantId, colleague.userId],
    )
    expect([held.rows[0]!.id, rows[0]!.id === role.id]).toEqual([role.id, false])
  })
})

describe('top menus and tenants', () => {
  it('tell which menus a top menu gathers since when', async () => {
    const tops = await admin.get<Page<Row>>('blade-system/topmenu/list')
    const top = tops.data.records[0]!
    const [menu] = await world.menuIds(['student'])
    const [other] = await world.menuIds(['school'])
    const grant = (menuIds: string[]) => admin.post('blade-system/topmenu/grant', { topMenuIds: [top.id], menuIds })
    expect((await grant([menu!])).status).toBe(200)
    expect((await grant([other!])).status).toBe(200)
    const [entry] = await historyOf(admin, 'blade-system/topmenu', top.id)
    expect(entry).toMatchObject({ action: 'grant', userName: '管理员' })
    expect(entry!.changes[0]).toMatchObject({ label: '菜单', beforeName: ['学生'], same: 0 })
  })

  it('tell the platform which applications a tenant was named', async () => {
    const platform = await world.platform()
    const { tenantId } = await world.tenant()
    const list = await platform.get<Page<Row>>('blade-system/tenant/list', { tenantId })
    const { id } = list.data.records[0]!
    const [one, two] = [await client(), await client()]
    const name = (clientIds: string[]) =>
      platform.post('blade-system/tenantclientrelevance/add', { clientIds }, { query: { tableTenantId: tenantId } })
    expect((await name([one.id])).status).toBe(200)
    expect((await name([one.id, two.id])).status).toBe(200)
    expect((await name([one.id, two.id])).status).toBe(200)
    const [second, first] = await historyOf(platform, 'blade-system/tenant', id)
    expect(first!.changes[0]).toMatchObject({ label: '可用的客户端', afterName: [one.clientId], same: 0 })
    expect(second!.changes[0]).toMatchObject({ beforeName: [], afterName: [two.clientId], same: 1 })
    expect(
      (
        await platform.post(
          'blade-system/tenantclientrelevance/add',
          { clientIds: [] },
          { query: { tableTenantId: '999999' } },
        )
      ).status,
    ).toBe(404)
  })
})
