import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type CallOptions, makeWorld, type Person, type Row, type World } from './world.ts'

/** What happens when many do the same, or the opposite, at once: all of it is answered, and what stands is whole. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

let numbers = 0
const next = (): number => ++numbers
const statuses = (answers: readonly Answer[]): number[] => answers.map((answer) => answer.status).sort()
/** What finds the server busy, on a machine that is, is sent again, as every client does. */
async function insisted(send: (options: CallOptions) => Promise<Answer>): Promise<Answer> {
  const answer = await send({ fails: true })
  return answer.status === 503 ? insisted(send) : answer
}
const role = async (admin: Person, codes: readonly string[]): Promise<string> => {
  const name = `race${next()}`
  const made = await admin.post<Row>('blade-system/role/submit', { roleName: name, roleAlias: name })
  await admin.post('blade-system/role/grant', { roleIds: [made.data.id], menuIds: await world.menuIds(codes) })
  return made.data.id
}
const rolesOf = async (admin: Person, id: string): Promise<string[]> =>
  String((await admin.get<Row>('blade-user/detail', { id })).data.roleId)
    .split(',')
    .filter(Boolean)
    .sort()
/** A second administrator, logged in. */
async function secondAdmin(admin: Person): Promise<Person> {
  const second = await world.colleague(admin, [])
  const { rows } = await world.owner.query<{ id: string }>(
    'select id::text as id from role where tenant_id = $1 and is_admin = 1',
    [admin.tenantId],
  )
  const roleIds = rows[0]!.id
  expect((await admin.post('blade-user/grant', undefined, { query: { userIds: second.userId, roleIds } })).status).toBe(
    200,
  )
  return second
}

describe('R-PERM-5 grants that meet', () => {
  it('fifty at once, of roles to one user, end in one of the wishes, whole', async () => {
    const admin = await world.tenant()
    const { userId } = await world.colleague(admin, [])
    const [a, b] = [await role(admin, ['user_view']), await role(admin, ['role_view'])]
    const wishes = [[a], [b], [a, b].sort(), []]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        insisted((options) =>
          admin.post('blade-user/grant', undefined, {
            ...options,
            query: { userIds: userId, roleIds: wishes[index % wishes.length]!.join(',') },
          }),
        ),
      ),
    )
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    expect(wishes).toContainEqual(await rolesOf(admin, userId))
    const last = await admin.post('blade-user/grant', undefined, { query: { userIds: userId, roleIds: a } })
    expect([last.status, await rolesOf(admin, userId)]).toEqual([200, [a]])
  })

  it('whoever grants by what they saw takes nothing away that somebody else has granted since', async () => {
    const admin = await world.tenant()
    const roleIds = [await role(admin, ['user_view'])]
    const seenBy = (path: string, of: Record<string, string>) => admin.get<{ menu: string[]; stamp: string }>(path, of)
    const seen = await seenBy('blade-system/menu/role-tree-keys', { roleIds: roleIds[0]! })
    const grant = async (codes: string[], stamp?: string) =>
      admin.post('blade-system/role/grant', { roleIds, menuIds: await world.menuIds(codes), stamp })
    const stored = async () => (await seenBy('blade-system/menu/role-tree-keys', { roleIds: roleIds[0]! })).data
    expect((await grant(['user_view', 'role_view'], seen.data.stamp)).status).toBe(200)
    expect((await grant(['user_view', 'dept_view'], seen.data.stamp)).status).toBe(409)
    expect((await stored()).menu).toEqual((await world.menuIds(['user_view', 'role_view'])).sort())
    const { stamp } = await stored()
    expect((await grant(['user_view', 'role_view', 'dept_view'], stamp)).status).toBe(200)
    // Whoever says nothing of it replaces what is there, as before.
    expect((await grant([])).status).toBe(200)

    const tops = await admin.get<{ records: Row[] }>('blade-system/topmenu/list')
    const topMenuIds = [tops.data.records.at(-1)!.id]
    const keys = await seenBy('blade-system/menu/top-tree-keys', { topMenuIds: topMenuIds[0]! })
    const [one, two] = (await admin.get<{ menu: { id: string }[] }>('blade-system/menu/grant-top-tree')).data.menu
    const assign = (id: string, stamp: string) =>
      admin.post('blade-system/topmenu/grant', { topMenuIds, menuIds: [id], stamp })
    expect((await assign(one!.id, keys.data.stamp)).status).toBe(200)
    expect((await assign(two!.id, keys.data.stamp)).status).toBe(409)
    expect((await seenBy('blade-system/menu/top-tree-keys', { topMenuIds: topMenuIds[0]! })).data.menu).toEqual([
      one!.id,
    ])
  })

  it('whoever gives roles by what they saw gives none back that somebody else has taken since', async () => {
    const admin = await world.tenant()
    const { userId } = await world.colleague(admin, [])
    const [a, b] = [await role(admin, ['user_view']), await role(admin, ['role_view'])]
    const give = (roleIds: string, versions?: string) =>
      admin.post('blade-user/grant', undefined, {
        query: { userIds: userId, roleIds, ...(versions === undefined ? {} : { versions }) },
      })
    await give(a)
    const { version } = (await admin.get<Row>('blade-user/detail', { id: userId })).data
    expect((await give('', String(version))).status).toBe(200)
    expect((await give([a, b].join(), String(version))).status).toBe(409)
    expect(await rolesOf(admin, userId)).toEqual([])
    expect((await give(b)).status).toBe(200)
    expect(await rolesOf(admin, userId)).toEqual([b])
  })

  it('fifty at once, of menus to one role, end in one of the wishes, whole', async () => {
    const admin = await world.tenant()
    const roleId = await role(admin, [])
    const wishes = await Promise.all(
      [['user_view', 'user_edit'], ['role_view'], []].map(async (codes) => (await world.menuIds(codes)).sort()),
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        insisted((options) =>
          admin.post('blade-system/role/grant', { roleIds: [roleId], menuIds: wishes[index % wishes.length] }, options),
        ),
      ),
    )
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    expect(wishes).toContainEqual(keys.data.menu.sort())
  })
})

describe('R-SYS-1 the last administrator stays', () => {
  const ways: Record<string, (by: Person, whom: string) => Promise<Answer<unknown>>> = {
    removed: (by, whom) => by.remove('blade-user', whom),
    disabled: (by, whom) => by.post('blade-user/submit', { id: whom, status: 0 }),
    'left without a role': (by, whom) =>
      by.post('blade-user/grant', undefined, { query: { userIds: whom, roleIds: '' } }),
  }
  it.each(Object.keys(ways).flatMap((one) => Object.keys(ways).map((two) => [one, two] as const)))(
    'when of the last two each is %s and %s by the other at once',
    async (one, two) => {
      const first = await world.tenant()
      const second = await secondAdmin(first)
      const answers = await Promise.all([ways[one]!(first, second.userId), ways[two]!(second, first.userId)])
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
      const { rows } = await world.owner.query(
        `select count(*)::int as n from app_user u join app_user_role l on l.tenant_id = u.tenant_id and l.owner_id = u.id
         join role r on r.tenant_id = l.tenant_id and r.id = l.target_id where u.tenant_id = $1 and u.status = 1 and r.is_admin = 1`,
        [first.tenantId],
      )
      expect(rows[0].n).toBe(1)
    },
  )
})

describe('R-SYS-5 moves that meet', () => {
  it.each(['dept/submit', 'dept/move'] as const)(
    'close no circle by %s: one is done, the other is told why not',
    async (call) => {
      const admin = await world.tenant()
      const made = async (parentId?: string): Promise<string> =>
        (
          await admin.post<Row>('blade-system/dept/submit', {
            deptName: `部门${next()}`,
            deptCategory: '3',
            ...(parentId ? { parentId } : {}),
          })
        ).data.id
      for (let round = 0; round < 10; round += 1) {
        const top = await made()
        const [a, b] = [await made(top), await made(top)]
        const answers = await Promise.all([
          admin.post(`blade-system/${call}`, { id: a, parentId: b }),
          admin.post(`blade-system/${call}`, { id: b, parentId: a }),
        ])
        expect(statuses(answers)).toEqual([200, 400])
        expect(answers.find((answer) => answer.status === 400)?.msg).toBe('父节点不可选择自身的下级！')
      }
    },
  )

  it('twenty of one department to twenty places leave it in one of them, with its path', async () => {
    const admin = await world.tenant()
    const made = async (): Promise<string> =>
      (await admin.post<Row>('blade-system/dept/submit', { deptName: `部门${next()}`, deptCategory: '3' })).data.id
    const places: string[] = []
    for (let index = 0; index < 20; index += 1) places.push(await made())
    const moved = await made()
    const answers = await Promise.all(
      places.map((parentId) =>
        insisted((options) => admin.post('blade-system/dept/move', { id: moved, parentId }, options)),
      ),
    )
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    const row = (await admin.get<Row>('blade-system/dept/detail', { id: moved })).data
    expect(places).toContain(row.parentId)
    expect(row.ancestors).toBe(`0,${row.parentId}`)
  })
})

describe('R-AUTH-1 a log-in that meets a disabling', () => {
  it('leaves no session that lives again when the user is enabled', async () => {
    const admin = await world.tenant()
    const password = 'Correct-Horse-77'
    const account = `race${next()}`
    const user = await admin.post<Row>('blade-user/submit', { account, realName: '王小明', password })
    const id = user.data.id
    const logIn = () =>
      world.call('POST', 'blade-auth/oauth/token', null, {
        headers: {
          authorization: `Basic ${Buffer.from(`${world.services.secrets.clientId}:${world.services.secrets.clientSecret}`).toString('base64')}`,
        },
        form: {
          grant_type: 'password',
          tenantId: admin.tenantId,
          username: account,
          password: createHash('md5').update(password).digest('hex'),
          scope: 'all',
          type: 'account',
        },
      }) as Promise<Answer & { access_token?: string }>
    const alone = performance.now()
    expect((await logIn()).status).toBe(200)
    const took = performance.now() - alone
    for (let round = 0; round < 12; round += 1) {
      const [session] = await Promise.all([
        logIn(),
        sleep((took * round) / 10).then(() => admin.post('blade-user/submit', { id, status: 0 })),
      ])
      expect((await admin.post('blade-user/submit', { id, status: 1 })).status).toBe(200)
      if (session.access_token)
        expect((await world.call('GET', 'blade-user/info', session.access_token)).status, `round ${round}`).toBe(401)
      else expect(session.status).toBe(400)
    }
  })
})
