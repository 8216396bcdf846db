import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { seedDatabase } from '../src/seed/index.ts'
import { type Answer, makeWorld, type Person, type World } from './world.ts'

interface User extends Record<string, unknown> {
  id: string
  version: number
  account: string
  realName: string
  roleId: string
  deptId: string
  password?: string
}
interface Page {
  total: number
  records: User[]
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

let numbers = 0
const next = (): number => ++numbers
const account = (): string => `user${next()}`
const submit = (draft: object, person = admin) => person.post<User>('blade-user/submit', draft)
const add = async (draft: object = {}, person = admin): Promise<User> => {
  const answer = await submit({ account: account(), realName: '王小明', ...draft }, person)
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
const by = <T = unknown>(call: string, query: Record<string, string>, person = admin) =>
  person.post<T>(`blade-user/${call}`, undefined, { query })
const detail = async (id: string, person = admin) => (await person.get<User>('blade-user/detail', { id })).data
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const logIn = (
  name: string,
  password: string,
  tenantId = admin.tenantId,
): Promise<Answer & { access_token?: string; must_change?: boolean }> =>
  world.call('POST', 'blade-auth/oauth/token', null, {
    headers: {
      authorization: `Basic ${Buffer.from(`${world.services.secrets.clientId}:${world.services.secrets.clientSecret}`).toString('base64')}`,
    },
    form: { grant_type: 'password', tenantId, username: name, password: md5(password), scope: 'all', type: 'account' },
  })
const role = async (codes: string[], person = admin): Promise<string> => {
  numbers += 1
  const made = await person.post<{ id: string }>('blade-system/role/submit', {
    roleName: `角色${numbers}`,
    roleAlias: `alias${numbers}`,
  })
  const menus = await world.owner.query<{ id: string }>('select id::text as id from menu where code = any($1)', [codes])
  await person.post('blade-system/role/grant', { roleIds: [made.data.id], menuIds: menus.rows.map((row) => row.id) })
  return made.data.id
}
const adminRole = async (person = admin): Promise<string> =>
  (
    await world.owner.query<{ id: string }>('select id::text as id from role where tenant_id = $1 and is_admin = 1', [
      person.tenantId,
    ])
  ).rows[0]!.id

describe('users', () => {
  it('get a random password that is told once and must be changed', async () => {
    const user = await add({ phone: '13800001111' })
    expect(user.password).toMatch(/^[A-Za-z2-9]{16}$/)
    expect(user.phone).toBe('*********11')
    expect(await detail(user.id)).not.toHaveProperty('password')
    const session = await logIn(user.account, user.password!)
    expect([session.status, session.must_change]).toEqual([200, true])
  })

  it('take a password that was given, as itself or as its md5, and no weak one', async () => {
    const plain = await add({ password: 'Tall-Birch-77', password2: 'Tall-Birch-77' })
    expect(plain).not.toHaveProperty('password')
    const session = await logIn(plain.account, 'Tall-Birch-77')
    expect([session.status, session.must_change]).toEqual([200, undefined])
    const hashed = await add({ password: md5('Tall-Birch-78') })
    expect((await logIn(hashed.account, 'Tall-Birch-78')).status).toBe(200)
    const before = (await admin.get<Page>('blade-user/page')).data.total
    for (const password of ['123456', md5('123456'), 'short', { a: 1 }, 'x'.repeat(200), 'nul\u0000password']) {
      const answer = await submit({ account: account(), realName: '王小明', password })
      expect(answer.status, JSON.stringify(password)).toBe(400)
    }
    expect((await admin.get<Page>('blade-user/page')).data.total).toBe(before)
  })

  it('keep their password when they are changed', async () => {
    const user = await add({ password: 'Tall-Birch-79' })
    const changed = await submit({ id: user.id, version: 1, name: '小王', password: 'Other-Birch-79' })
    expect(changed.data).toMatchObject({ name: '小王', version: 2 })
    expect((await logIn(user.account, 'Tall-Birch-79')).status).toBe(200)
    expect((await logIn(user.account, 'Other-Birch-79')).status).toBe(400)
    expect((await submit({ id: user.id, version: 1, name: '老王' })).status).toBe(409)
    const updated = await admin.post<User>('blade-user/update', { id: user.id, name: '大王' })
    expect(updated.data.name).toBe('大王')
    expect((await admin.post('blade-user/update', { name: '无' })).status).toBe(400)
    expect((await admin.post('blade-user/update', { id: 'x', name: '无' })).status).toBe(404)
  })

  it('R-LIST-1 are paged and filtered; a department stands for all under it', async () => {
    const top = (await admin.get<{ id: string }[]>('blade-system/dept/list')).data[0]!
    const below = (
      await admin.post<{ id: string }>('blade-system/dept/submit', { deptName: '教务处', parentId: top.id })
    ).data
    const deep = (
      await admin.post<{ id: string }>('blade-system/dept/submit', { deptName: '考务组', parentId: below.id })
    ).data
    const roleId = await role(['student_view'])
    const user = await add({ deptId: deep.id, roleId, realName: '李静' })
    for (const call of ['page', 'list']) {
      const page = (await admin.get<Page>(`blade-user/${call}`, { deptId: below.id, current: 1, size: 10 })).data
      expect(page).toMatchObject({
        total: 1,
        records: [
          { id: user.id, deptId: deep.id, deptName: '考务组', roleId, roleName: expect.stringContaining('角色') },
        ],
      })
      expect((await admin.get<Page>(`blade-user/${call}`, { realName: '李静', size: 1 })).data.total).toBe(1)
      expect(
        (await admin.get<Page>(`blade-user/${call}`, { keyword: 'lj' })).data.records.map((row) => row.id),
      ).toContain(user.id)
    }
    expect((await admin.get<Page>('blade-user/page', { deptId: '7' })).data.total).toBe(0)
    expect((await admin.get('blade-user/page', { deptId: 'x' })).status).toBe(400)
  })

  it('never carry a hash, a salt or a password, in any answer for anyone', async () => {
    const user = await add({ password: 'Tall-Birch-80' })
    const stored = (await world.owner.query('select hash from credential where user_id = $1', [user.id])).rows[0]
      .hash as string
    expect(stored.startsWith('$argon2id$')).toBe(true)
    await submit({ id: user.id, name: '改' })
    for (const [call, query] of [
      ['page', {}],
      ['list', {}],
      ['detail', { id: user.id }],
      ['info', {}],
      ['platform-detail', { id: user.id }],
      ['history', { id: user.id }],
      ['select', {}],
    ] as const) {
      const answer = JSON.stringify((await admin.get(`blade-user/${call}`, query)).data)
      expect(answer.length).toBeGreaterThan(20)
      expect(answer, call).not.toMatch(/argon2|hash|salt|password|pepper/i)
    }
  })

  it('R-PERM-5 are given roles, all at once, which hold on the next request', async () => {
    const user = await add({ password: 'Tall-Birch-81' })
    const { access_token: token } = await logIn(user.account, 'Tall-Birch-81')
    const list = () => world.call('GET', 'blade-user/student/list', token!)
    expect((await list()).status).toBe(403)
    const [a, b] = [await role(['student_view']), await role(['school_view'])]
    expect((await by('grant', { userIds: user.id, roleIds: `${a},${b}` })).status).toBe(200)
    expect((await list()).status).toBe(200)
    expect((await detail(user.id)).roleId).toBe(`${a},${b}`)
    expect((await by('grant', { userIds: user.id, roleIds: b })).status).toBe(200)
    expect((await list()).status).toBe(403)
    expect((await by('grant', { userIds: user.id })).status).toBe(200)
    expect((await detail(user.id)).roleId).toBe('')
    const history = await admin.get<{ action: string }[]>('blade-user/history', { id: user.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['edit', 'edit', 'edit', 'add'])
  })

  it('R-PERM-5 are granted only roles whose every permission the granter holds, by whatever call', async () => {
    const hr = await world.colleague(admin, ['user_view', 'user_add', 'user_edit', 'user_role', 'student_view'])
    const [fine, beyond, top] = [
      await role(['student_view']),
      await role(['student_view', 'student_delete']),
      await adminRole(),
    ]
    const user = await add({}, hr)
    expect((await by('grant', { userIds: user.id, roleIds: fine }, hr)).status).toBe(200)
    for (const roleIds of [beyond, top, `${fine},${beyond}`]) {
      expect((await by('grant', { userIds: user.id, roleIds }, hr)).msg).toContain('不能授予自己没有的权限')
      expect((await submit({ id: user.id, roleId: roleIds }, hr)).status).toBe(400)
      expect((await submit({ account: account(), realName: '王小明', roleId: roleIds }, hr)).status).toBe(400)
      expect((await by('grant', { userIds: hr.userId, roleIds }, hr)).status).toBe(400)
    }
    expect((await detail(user.id)).roleId).toBe(fine)
    expect((await by('grant', { userIds: user.id, roleIds: await role([], stranger) })).status).toBe(400)
    expect((await by('grant', { userIds: user.id, roleIds: '7' })).status).toBe(400)
    expect((await by('grant', { userIds: `${user.id},7`, roleIds: fine })).status).toBe(404)
  })

  it('R-PERM-5 who may do more than the caller are beyond the caller’s reach', async () => {
    const hr = await world.colleague(admin, ['user_view', 'user_edit', 'user_delete', 'user_role', 'user_reset'])
    const chief = await add({ roleId: await role(['student_delete']), password: 'Tall-Birch-82' })
    for (const answer of [
      await by('reset-password', { userIds: admin.userId }, hr),
      await by('reset-password', { userIds: chief.id }, hr),
      await by('remove', { ids: chief.id }, hr),
      await by('grant', { userIds: admin.userId, roleIds: '' }, hr),
      await submit({ id: chief.id, account: 'taken_over' }, hr),
      await submit({ id: chief.id, status: 0 }, hr),
    ])
      expect(answer.status, answer.msg).toBe(400)
    expect(await detail(chief.id)).toMatchObject({ account: chief.account, status: 1 })
    expect((await logIn(chief.account, 'Tall-Birch-82')).status).toBe(200)
    expect((await submit({ id: chief.id, name: '老师' }, hr)).status).toBe(200)
  })

  it('have their password reset to one that is told once; their sessions end', async () => {
    const user = await add({ password: 'Tall-Birch-83' })
    const { access_token: token } = await logIn(user.account, 'Tall-Birch-83')
    const answer = await by<{ userId: string; account: string; password: string }[]>('reset-password', {
      userIds: user.id,
    })
    expect(answer.data).toEqual([
      {
        ...{ userId: user.id, account: user.account, realName: '王小明', identities: 0 },
        password: expect.stringMatching(/^\w{16}$/),
      },
    ])
    expect((await world.call('GET', 'blade-user/info', token!)).status).toBe(401)
    expect((await logIn(user.account, 'Tall-Birch-83')).status).toBe(400)
    const session = await logIn(user.account, answer.data[0]!.password)
    expect([session.status, session.must_change]).toEqual([200, true])
    expect((await world.call('GET', 'blade-user/info', session.access_token!)).status).toBe(403)
    expect((await by('reset-password', { userIds: `${user.id},7` })).status).toBe(404)
    expect((await by('reset-password', { userIds: '' })).status).toBe(400)
  })

  it('whose password is reset lose the accounts elsewhere by which they came in; the history names them', async () => {
    const [user, other] = [await add({}), await add({})]
    const provider = newId()
    await world.owner.query(
      `insert into social_provider (tenant_id, id, source, kind, provider_name, provider_name_en, client_id) values ($1, $2, 'campus', 'oidc', '校园账号', 'Campus', 'x')`,
      [admin.tenantId, provider],
    )
    for (const [at, { id }] of [user, user, other].entries())
      await world.owner.query(
        'insert into social_identity (tenant_id, id, provider_id, subject, user_id) values ($1, $2, $3, $4, $5)',
        [admin.tenantId, newId(), provider, `subject${at}`, id],
      )
    const left = async (id: string) =>
      (await world.owner.query('select 1 from social_identity where user_id = $1', [id])).rowCount
    const answer = await by<{ identities: number }[]>('reset-password', { userIds: user.id })
    expect(answer.data.map((each) => each.identities)).toEqual([2])
    expect([await left(user.id), await left(other.id)]).toEqual([0, 1])
    const history = await admin.get<{ action: string; changes: object[] }[]>('blade-user/history', { id: user.id })
    expect(history.data[0]).toMatchObject({
      action: 'grant',
      changes: [{ field: 'identities', label: '关联的第三方账号', beforeName: ['校园账号', '校园账号'], same: 0 }],
    })
    // One's own is changed where the old one is asked for.
    const own = await by('reset-password', { userIds: `${user.id},${admin.userId}` })
    expect([own.status, own.msg]).toEqual([400, '自己的密码请在“个人信息”的“修改密码”中修改'])
    expect(await left(user.id)).toBe(0)
  })

  it('R-SYS-1 whose account wrong passwords have locked are shown as locked, and unlocked', async () => {
    const user = await add({ password: 'Correct-Horse-77' })
    const locked = async () => (await detail(user.id)).locked
    for (let tries = 0; tries < 5; tries += 1) await logIn(user.account, 'Wrong-Horse-1')
    expect([await locked(), (await logIn(user.account, 'Correct-Horse-77')).status]).toEqual([1, 400])
    const page = await admin.get<Page>('blade-user/page', { account: user.account })
    expect(page.data.records[0]?.locked).toBe(1)
    // The list is asked for these alone; who has typed nobody's name wrongly often enough is no row of it.
    const nobody = `nobody-${user.account}`
    for (let tries = 0; tries < 5; tries += 1) await logIn(nobody, 'Wrong-Horse-1')
    const ofList = async (who: Person, filter: 'null' | 'notnull') =>
      (await who.get<Page>('blade-user/list', { [`locks_${filter}`]: '1', size: '200' })).data.records.map(
        ({ id }) => id,
      )
    expect(await ofList(admin, 'notnull')).toEqual([user.id])
    expect(await ofList(admin, 'null')).not.toContain(user.id)
    expect(await ofList(stranger, 'notnull')).toEqual([])
    const clerk = await world.colleague(admin, ['user_edit', 'user_view'])
    expect((await by('unlock', { userIds: user.id }, clerk)).status).toBe(403)
    expect((await by('unlock', { userIds: user.id }, stranger)).status).toBe(404)
    expect((await by('unlock', { userIds: user.id })).status).toBe(200)
    expect(await ofList(admin, 'notnull')).toEqual([])
    expect([await locked(), (await logIn(user.account, 'Correct-Horse-77')).status]).toEqual([0, 200])
    // A lock that is over is none, though its count is kept.
    for (let tries = 0; tries < 5; tries += 1) await logIn(user.account, 'Wrong-Horse-1')
    expect(await ofList(admin, 'notnull')).toEqual([user.id])
    await world.owner.query(
      `update login_failure set locked_until = now() - interval '1 second' where user_id = ${user.id}`,
    )
    expect(await ofList(admin, 'notnull')).toEqual([])
  })

  it('R-SYS-1 whose lock stood at an upgrade, or at the birth of the account, are in the filter as in the list', async () => {
    const [stood, renamed] = [await add({ password: 'Correct-Horse-77' }), await add({ password: 'Correct-Horse-78' })]
    const later = `later-${stood.account}`.slice(0, 20)
    for (const account of [stood.account, renamed.account, later])
      for (let tries = 0; tries < 5; tries += 1) await logIn(account, 'Wrong-Horse-1')
    const locked = async () =>
      (await admin.get<Page>('blade-user/list', { locks_notnull: '1', size: '200' })).data.records.map(({ id }) => id)
    const seen = async (id: string) => (await detail(id)).locked
    // As an earlier version kept it, and the start of this one.
    await world.owner.query(`update login_failure set user_id = null where user_id = ${stood.id}`)
    await world.owner.query(`update seed_mark set value = 'an earlier version' where name = 'freshened'`)
    await seedDatabase(world.services)
    expect(await locked()).toContain(stood.id)
    expect(await seen(stood.id)).toBe(1)
    // What is locked is the name that was typed: who has another one now is not, and who takes it is.
    await submit({ id: renamed.id, account: `new-${renamed.account}`.slice(0, 20) })
    expect(await locked()).not.toContain(renamed.id)
    expect(await seen(renamed.id)).toBe(0)
    const heir = await add({ account: later, password: 'Correct-Horse-79' })
    expect(await locked()).toContain(heir.id)
    expect([await seen(heir.id), (await logIn(later, 'Correct-Horse-79')).status]).toEqual([1, 400])
    for (const { id } of [stood, heir]) expect((await by('unlock', { userIds: id })).status).toBe(200)
    expect(await locked()).toEqual([])
  })

  it('are out at once when they are disabled or removed', async () => {
    const [one, two] = [await add({ password: 'Tall-Birch-84' }), await add({ password: 'Tall-Birch-85' })]
    const [first, second] = [await logIn(one.account, 'Tall-Birch-84'), await logIn(two.account, 'Tall-Birch-85')]
    expect((await submit({ id: one.id, status: 0 })).data.status).toBe(0)
    expect((await world.call('GET', 'blade-user/info', first.access_token!)).status).toBe(401)
    expect((await logIn(one.account, 'Tall-Birch-84')).status).toBe(400)
    expect((await by('remove', { ids: two.id })).status).toBe(200)
    expect((await world.call('GET', 'blade-user/info', second.access_token!)).status).toBe(401)
    expect((await world.owner.query('select 1 from credential where user_id = $1', [two.id])).rowCount).toBe(0)
  })

  it('never remove or disable oneself, nor the last administrator', async () => {
    const own = await world.tenant()
    const top = await adminRole(own)
    expect((await by('remove', { ids: own.userId }, own)).msg).toBe('不能删除自己')
    expect((await submit({ id: own.userId, status: 0 }, own)).msg).toBe('不能停用自己')
    expect((await by('grant', { userIds: own.userId, roleIds: '' }, own)).msg).toContain('管理员')
    expect((await submit({ id: own.userId, roleId: '' }, own)).status).toBe(400)
    const deputy = await add({ roleId: top, password: 'Tall-Birch-86' }, own)
    const { access_token: token } = await logIn(deputy.account, 'Tall-Birch-86', own.tenantId)
    const asDeputy = (call: string, query: Record<string, string>) =>
      world.call('POST', `blade-user/${call}`, token!, { query })
    // Each takes the other's power away: of the two, one remains.
    const both = await Promise.all([
      asDeputy('grant', { userIds: own.userId, roleIds: '' }),
      by('grant', { userIds: deputy.id, roleIds: '' }, own),
    ])
    expect(both.map((answer) => answer.status).filter((status) => status === 200).length).toBe(1)
    const left = await world.owner.query('select count(*)::int as n from app_user_role where target_id = $1', [top])
    expect(left.rows[0].n).toBe(1)
  })

  it('R-SCHOOL-20 stay while something points at them', async () => {
    const user = await add()
    const dept = await admin.post<{ id: string }>('blade-system/dept/submit', { deptName: '总务处', leaderId: user.id })
    const blocked = await by<{ blockers: { entity: string; sample: string[] }[] }>('remove', { ids: user.id })
    expect([blocked.status, blocked.data.blockers]).toEqual([
      400,
      [expect.objectContaining({ entity: 'dept', sample: ['总务处'] })],
    ])
    await admin.post('blade-system/dept/submit', { id: dept.data.id, leaderId: null })
    expect((await by('remove', { ids: user.id })).status).toBe(200)
  })

  it('change of themselves what they may, and nothing of anybody else', async () => {
    const teacher = await world.colleague(admin, [])
    const other = await add()
    const before = (await teacher.get<User>('blade-user/info')).data
    const answer = await teacher.post<User>('blade-user/update-info', {
      id: other.id,
      realName: '张敏',
      name: '敏',
      phone: '13900001234',
      email: 'a@example.com',
      birthday: '1990-02-03',
      sex: '2',
      account: 'admin2',
      roleId: await adminRole(),
      deptId: '7',
      status: 0,
      staffStatus: '3',
      tenantId: stranger.tenantId,
    })
    expect(answer.status).toBe(200)
    const after = (await teacher.get<User>('blade-user/info')).data
    expect(after).toMatchObject({
      id: teacher.userId,
      realName: '张敏',
      name: '敏',
      phone: '13900001234',
      birthday: '1990-02-03',
      sex: '2',
      status: 1,
      account: before.account,
      roleId: before.roleId,
      deptId: before.deptId,
      staffStatus: '1',
    })
    expect(answer.data.phone).toBe('*********34')
    expect((await detail(other.id)).version).toBe(1)
    expect((await teacher.post<{ field: string }>('blade-user/update-info', { phone: '123' })).data.field).toBe('phone')
    expect(
      (await teacher.post<{ field: string }>('blade-user/update-info', { avatar: 'javascript:alert(1)' })).data.field,
    ).toBe('avatar')
    expect((await teacher.post('blade-user/update-info', [])).status).toBe(400)
    // An empty text is a version that nobody has read, and not none.
    expect((await teacher.post('blade-user/update-info', { name: 'x', version: '' })).status).toBe(409)
    expect((await teacher.post('blade-user/update-info', { phone: '*********34' })).status).toBe(200)
    expect((await teacher.get<User>('blade-user/info')).data.phone).toBe('13900001234')
  })

  it('have platform settings, kept as JSON', async () => {
    const user = await add()
    const changed = await by('update-platform', { userId: user.id, userType: '2', userExt: '{"theme":"dark"}' })
    expect(changed.data).toMatchObject({ userId: user.id, userType: '2', userExt: '{"theme":"dark"}' })
    expect((await admin.get('blade-user/platform-detail', { id: user.id })).data).toEqual(changed.data)
    expect((await by<{ field: string }>('update-platform', { userId: user.id, userExt: '{' })).data.field).toBe(
      'userExt',
    )
    expect((await by('update-platform', { userId: user.id, userType: '99' })).status).toBe(400)
    expect((await by('update-platform', { userId: '7', userType: '2' })).status).toBe(404)
  })

  it('R-PROD-2 are invisible to another tenant, in every call', async () => {
    const user = await add()
    for (const call of ['detail', 'platform-detail', 'history', 'personal'])
      expect((await stranger.get(`blade-user/${call}`, { id: user.id })).status, call).toBe(404)
    for (const [call, query] of [
      ['remove', { ids: user.id }],
      ['reset-password', { userIds: user.id }],
      ['grant', { userIds: user.id, roleIds: '' }],
      ['update-platform', { userId: user.id, userType: '2' }],
    ] as const)
      expect((await by(call, query, stranger)).status, call).toBe(404)
    expect((await submit({ id: user.id, name: '外' }, stranger)).status).toBe(404)
    expect((await stranger.get<Page>('blade-user/page', { account: user.account })).data.total).toBe(0)
    expect((await detail(user.id)).version).toBe(1)
  })

  it('R-LIST-5 need their codes', async () => {
    const nobody = await world.colleague(admin, [])
    const user = await add()
    for (const call of ['page', 'list', `detail?id=${user.id}`, `platform-detail?id=${user.id}`])
      expect((await nobody.get(`blade-user/${call}`)).status, call).toBe(403)
    for (const [call, query] of [
      ['remove', { ids: user.id }],
      ['reset-password', { userIds: user.id }],
      ['grant', { userIds: user.id, roleIds: '' }],
      ['update-platform', { userId: user.id }],
    ] as const)
      expect((await by(call, query, nobody)).status, call).toBe(403)
    expect((await submit({ account: account(), realName: '王小明' }, nobody)).status).toBe(403)
    const adder = await world.colleague(admin, ['user_add'])
    expect((await submit({ id: user.id, name: '改' }, adder)).status).toBe(403)
    expect((await nobody.get('blade-user/info')).status).toBe(200)
    expect((await world.call('GET', 'blade-user/info', null)).status).toBe(401)
  })
})
