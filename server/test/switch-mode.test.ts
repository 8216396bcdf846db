import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let door: ReturnType<typeof makeDoor>
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  admin = await world.tenant()
})
afterAll(() => world.close())

/** Somebody with two departments and two roles, one of which may read students, the other schools. */
async function twofold() {
  const { account, userId } = await door.account(admin, { codes: ['student_view'] })
  const dept = async (deptName: string) =>
    (await admin.post<{ id: string }>('blade-system/dept/submit', { deptName: `${deptName}${userId}` })).data.id
  const depts = [await dept('甲'), await dept('乙')] as const
  const role = await admin.post<{ id: string }>('blade-system/role/submit', {
    roleName: '看学校',
    roleAlias: `look${userId}`,
    sort: 1,
  })
  await admin.post('blade-system/role/grant', {
    roleIds: [role.data.id],
    menuIds: await world.menuIds(['school_view']),
  })
  const before = await admin.get<{ roleId: string }>('blade-user/detail', { id: userId })
  const roles = [before.data.roleId, role.data.id] as const
  const stored = await admin.post('blade-user/submit', { id: userId, deptId: depts.join(','), roleId: roles.join(',') })
  expect(stored.status, stored.msg).toBe(200)
  return { account, userId, depts, roles, alias: `look${userId}` }
}

const may = async (token: string) =>
  Promise.all(
    ['student', 'school'].map(async (name) => (await world.call('GET', `blade-user/${name}/list`, token)).status),
  )
const info = async (token: string) =>
  (await world.call<Record<string, unknown>>('GET', 'blade-auth/oauth/user-info', token)).data

describe('R-AUTH-5 switch mode', () => {
  it('a log-in without the headers works as all that one is', async () => {
    const { account, depts, roles } = await twofold()
    const session = await door.logIn(admin.tenantId, account, password, { headers: { 'dept-id': '', 'role-id': '' } })
    expect([session.dept_id, session.role_id]).toEqual([depts.join(','), roles.join(',')])
    expect(await may(session.access_token)).toEqual([200, 200])
  })

  it('narrows a session to one department and one role, in the answer and in what it may do', async () => {
    const { account, depts, roles, alias } = await twofold()
    const session = await door.logIn(admin.tenantId, account, password, {
      headers: { 'dept-id': depts[1], 'role-id': roles[1] },
    })
    expect(session).toMatchObject({ status: 200, dept_id: depts[1], role_id: roles[1], role_name: alias })
    expect(await may(session.access_token)).toEqual([403, 200])
    expect(await info(session.access_token)).toMatchObject({
      deptId: depts[1],
      roleId: roles[1],
      roleName: alias,
      roles: [alias],
      permissions: ['school_view'],
    })
    // What it does is done in that department.
    const { rows } = await world.owner.query(
      'select dept_id::text as dept, role_id::text as role from session where id = $1',
      [session.jti],
    )
    expect(rows).toEqual([{ dept: depts[1], role: roles[1] }])
  })

  it('is switched by a refresh, and stays where a refresh says nothing', async () => {
    const { account, depts, roles } = await twofold()
    const first = await door.logIn(admin.tenantId, account, password, { headers: { 'role-id': roles[1] } })
    expect([first.dept_id, first.role_id]).toEqual([depts.join(','), roles[1]])
    const second = await door.refresh(first.refresh_token)
    expect([second.role_id, await may(second.access_token)]).toEqual([roles[1], [403, 200]])
    const third = await door.refresh(second.refresh_token, { headers: { 'role-id': roles[0], 'dept-id': depts[0] } })
    expect([third.dept_id, third.role_id]).toEqual([depts[0], roles[0]])
    expect(await may(third.access_token)).toEqual([200, 403])
    // Calls on their way with the former token are of the same session.
    expect(await may(second.access_token)).toEqual([200, 403])
  })

  it('refuses a department or role that is not one’s own, and uses nothing up', async () => {
    const [one, other] = [await twofold(), await twofold()]
    const tries: Record<string, string>[] = [
      { 'dept-id': other.depts[0] },
      { 'role-id': other.roles[1] },
      { 'dept-id': one.depts[0], 'role-id': other.roles[1] },
      { 'dept-id': "1' or '1'='1" },
      { 'role-id': '7' },
    ]
    for (const headers of tries) {
      const refused = await door.logIn(admin.tenantId, one.account, password, { headers })
      expect([refused.status, refused.error_description]).toEqual([400, '您不属于所选的部门或角色'])
      expect(refused.access_token).toBeUndefined()
    }
    const sessions = await world.owner.query(
      `select 1 from session where user_id = $1 and address is not null and revoked_at is null`,
      [one.userId],
    )
    expect(sessions.rowCount).toBe(0)
    const session = await door.logIn(admin.tenantId, one.account, password)
    expect((await door.refresh(session.refresh_token, { headers: { 'role-id': '7' } })).status).toBe(400)
    expect(await may(session.access_token)).toEqual([200, 200])
    expect((await door.refresh(session.refresh_token)).status).toBe(200)
    // Who does not know the password learns nothing of anybody's departments.
    const guess = await door.logIn(admin.tenantId, one.account, 'wrong', { headers: { 'role-id': one.roles[0] } })
    expect(guess.error_description).toBe('用户名或密码错误')
  })

  it('holds nothing more when the role is taken away', async () => {
    const { account, userId, roles } = await twofold()
    const session = await door.logIn(admin.tenantId, account, password, { headers: { 'role-id': roles[1] } })
    expect(await may(session.access_token)).toEqual([403, 200])
    await admin.post('blade-user/grant', undefined, { query: { userIds: userId, roleIds: roles[0] } })
    expect(await may(session.access_token)).toEqual([403, 403])
    expect(await info(session.access_token)).toMatchObject({ permissions: [], roles: [] })
  })
})
