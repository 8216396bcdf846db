import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { sql } from '../src/database/statement.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { addProvider, browserOf, home, md5, password, social, type Tokens } from './social-parts.ts'
import { type Running, startProvider, Visitor } from './social-provider.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const application = {
  id: 'data-brain',
  secret: 'the secret of the application',
  redirectUris: [`${home}/login?source=school`],
}

let world: World
let provider: Running
beforeAll(async () => {
  world = await makeWorld()
  provider = await startProvider(application)
  const outboundAllow = [provider.host]
  Object.assign(world.services.environment, { publicUrl: home, outboundAllow, loginsPerMinute: 1_000_000 })
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

/** A tenant with a provider. */
async function school(): Promise<Person> {
  const admin = await world.tenant()
  await addProvider(admin, { source: 'school', kind: 'oidc', issuer: provider.url })
  return admin
}

const waiting = async (admin: Person): Promise<Row[]> =>
  (await admin.get<{ records: Row[] }>('blade-user/guest/list', { status: 0 })).data.records

/** Somebody who is unknown here, in a browser of their own, and what they register with. */
async function stranger(admin: Person, name: string) {
  const browser = browserOf(world)
  const answer = await social(browser, admin.tenantId, 'school', name)
  const oauthId = String(answer.oauth_id)
  const form = { tenantId: admin.tenantId, name: '张小明', account: `acc-${name}`, password: md5, oauthId }
  return { browser, oauthId, form, register: (more: object = {}) => browser.register({ ...form, ...more }) }
}

const logIn = (tenantId: string, account: string): Promise<Tokens> => {
  const { clientId, clientSecret } = world.services.secrets
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return world.call('POST', 'blade-auth/oauth/token', null, {
    form: { grant_type: 'password', tenantId, username: account, password: md5 },
    headers: { authorization },
  }) as unknown as Promise<Tokens>
}

describe('R-AUTH-4 registration', () => {
  it('R-BAR-9 is checked in the order and in the words of the specification', async () => {
    const admin = await school()
    const { register, browser, form } = await stranger(admin, 'order')
    const words = async (more: Record<string, string>) => (await register(more)).msg
    const none = { tenantId: '', account: '', password: '', password2: 'x' }
    expect(await words(none)).toBe('请先输入租户编号')
    expect(await words({ ...none, tenantId: admin.tenantId })).toBe('请先输入账号名称')
    expect(await words({ password: '', password2: 'x' })).toBe('请先输入密码')
    expect(await words({ password2: 'something else' })).toBe('两次密码输入不一致')
    expect(await words({ name: '' })).toContain('姓名')
    expect(await words({ account: '有 空格' })).toContain('账号')
    expect(await words({ oauthId: '' })).toBe('第三方登陆信息错误！')
    expect(await words({ oauthId: `bst_${admin.tenantId}_${'x'.repeat(43)}` })).toBe('第三方登陆信息错误！')
    const other = await world.tenant()
    expect(await words({ tenantId: other.tenantId })).toBe('租户信息错误！')
    expect(await words({ password: 'short' })).toContain('密码')
    expect(await words({ password: 'password123' })).toContain('密码')
    // In another browser it is good for nothing.
    expect((await browserOf(world).register(form)).msg).toBe('第三方登陆信息错误！')
    expect(await waiting(admin)).toEqual([])
    expect((await browser.register({ ...form, password, password2: password })).msg).toBe('操作成功')
    expect(await waiting(admin)).toMatchObject([
      { name: '张小明', account: 'acc-order', source: 'school', socialName: '名叫order' },
    ])
  })

  it('is taken once, and says to whoever comes again that it waits', async () => {
    const admin = await school()
    const { register, browser } = await stranger(admin, 'once')
    const both = await Promise.all([register(), register()])
    expect(both.map((each) => each.status).sort()).toEqual([200, 400])
    expect((await register()).msg).toBe('第三方登陆信息错误！')
    expect(await social(browser, admin.tenantId, 'school', 'once')).toMatchObject({
      status: 400,
      error_description: '注册申请已提交,请耐心等待管理员通过!',
    })
    expect((await waiting(admin)).length).toBe(1)
  })

  it('tells nobody whether an account exists, and keeps neither password nor subject where they are read', async () => {
    const admin = await school()
    const { register } = await stranger(admin, 'taken')
    expect((await register({ account: 'admin' })).msg).toBe('操作成功')
    const [row] = await waiting(admin)
    const all = JSON.stringify([row, (await admin.get('blade-user/guest/detail', { id: row!.id })).data])
    expect(all).not.toContain('argon2')
    expect(all).not.toContain(md5)
    const kept = await world.owner.query(
      'select before::text as before from history where tenant_id = $1 and entity = $2',
      [admin.tenantId, 'guest'],
    )
    expect(JSON.stringify(kept.rows)).not.toContain('argon2')
    // The administrator is told, and may give another.
    const refused = await admin.post('blade-user/guest/approve', undefined, { query: { id: row!.id } })
    expect(refused).toMatchObject({ status: 409 })
    const approved = await admin.post('blade-user/guest/approve', undefined, {
      query: { id: row!.id, account: 'admin2' },
    })
    expect(approved.msg).toBe('操作成功')
    expect((await logIn(admin.tenantId, 'admin2')).access_token).toMatch(/^bsa_/)
  })
})

describe('R-AUTH-4 an administrator decides', () => {
  it('approves: the user can log in both ways, and nothing of the password is left with the registration', async () => {
    const admin = await school()
    const { register, browser } = await stranger(admin, 'good')
    await register()
    expect((await logIn(admin.tenantId, 'acc-good')).access_token).toBeUndefined()
    const [row] = await waiting(admin)
    const dept = await admin.get<Row[]>('blade-system/dept/list')
    const query = { id: row!.id, deptIds: dept.data[0]?.id }
    const [one, two] = await Promise.all([
      admin.post<{ userId: string }>('blade-user/guest/approve', undefined, { query }),
      admin.post<{ userId: string }>('blade-user/guest/approve', undefined, { query }),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 400])
    const { userId } = (one.status === 200 ? one : two).data
    expect((await logIn(admin.tenantId, 'acc-good')).user_id).toBe(userId)
    expect((await social(browser, admin.tenantId, 'school', 'good')).user_id).toBe(userId)
    expect(await waiting(admin)).toEqual([])
    const detail = await admin.get<Row>('blade-user/guest/detail', { id: row!.id })
    expect(detail.data).toMatchObject({ status: 1, handler: '管理员' })
    const left = await world.owner.query('select 1 from guest_secret where tenant_id = $1', [admin.tenantId])
    expect(left.rowCount).toBe(0)
  })

  it('refuses with a reason, and whoever asked may ask again', async () => {
    const admin = await school()
    const { register } = await stranger(admin, 'no')
    await register()
    const [row] = await waiting(admin)
    const refuse = (query: Record<string, string>) => admin.post('blade-user/guest/refuse', undefined, { query })
    expect((await refuse({ ids: row!.id })).status).toBe(400)
    expect((await refuse({ ids: row!.id, reason: '不是本校人员' })).msg).toBe('操作成功')
    expect((await refuse({ ids: row!.id, reason: '再次' })).msg).toBe('该申请已处理')
    expect((await admin.post('blade-user/guest/approve', undefined, { query: { id: row!.id } })).msg).toBe(
      '该申请已处理',
    )
    expect((await admin.get<Row>('blade-user/guest/detail', { id: row!.id })).data).toMatchObject({
      status: 2,
      reason: '不是本校人员',
      handler: '管理员',
    })
    expect((await (await stranger(admin, 'no')).register()).msg).toBe('操作成功')
  })

  it('gives no role that is not the approver’s own, and nothing at all without the right to', async () => {
    const admin = await school()
    const { register } = await stranger(admin, 'role')
    await register()
    const [row] = await waiting(admin)
    const roles = await admin.get<Row[]>('blade-system/role/list')
    const adminRole = roles.data.find((role) => role.roleAlias === 'admin' || role.isAdmin === 1)!
    const query = { id: row!.id, roleIds: adminRole.id }
    const none = await world.colleague(admin, ['guest_view'])
    expect((await none.post('blade-user/guest/approve', undefined, { query })).status).toBe(403)
    expect(
      (await none.post('blade-user/guest/refuse', undefined, { query: { ids: row!.id, reason: 'x' } })).status,
    ).toBe(403)
    const approver = await world.colleague(admin, ['guest_view', 'guest_approve'])
    expect((await approver.post('blade-user/guest/approve', undefined, { query })).status).toBe(403)
    const giver = await world.colleague(admin, ['guest_view', 'guest_approve', 'user_role'])
    expect((await giver.post('blade-user/guest/approve', undefined, { query })).msg).toContain('不能授予自己没有的权限')
    expect((await waiting(admin)).length).toBe(1)
    expect((await approver.post('blade-user/guest/approve', undefined, { query: { id: row!.id } })).msg).toBe(
      '操作成功',
    )
  })

  it('R-PERM-3 makes no user whom the approver’s own scope does not reach', async () => {
    const admin = await school()
    const { register } = await stranger(admin, 'scope')
    await register()
    const [row] = await waiting(admin)
    const approver = await world.colleague(admin, ['guest_view', 'guest_approve'])
    const { data: own } = await admin.post<Row>('blade-system/dept/submit', { deptName: '教务处', deptCategory: '2' })
    const { data: far } = await admin.post<Row>('blade-system/dept/submit', { deptName: '总务处', deptCategory: '2' })
    const scope = newId()
    await world.inTenant(admin.tenantId, async (tx) => {
      const { tenantId } = admin
      await tx.run(
        sql`insert into data_scope (tenant_id, id, scope_name, resource_code, scope_class, scope_type) values (${tenantId}, ${scope}, '本部门的人', 'own-people', 'user', '3')`,
      )
      await tx.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) select tenant_id, target_id, ${scope}::bigint from app_user_role where tenant_id = ${tenantId} and owner_id = ${approver.userId}`,
      )
      await tx.run(
        sql`insert into app_user_dept (tenant_id, owner_id, target_id, ord) values (${tenantId}, ${approver.userId}, ${own.id}, 1)`,
      )
      await raiseGrants(tx, tenantId)
    })
    const approve = (deptIds?: string) =>
      approver.post('blade-user/guest/approve', undefined, { query: { id: row!.id, deptIds } })
    expect((await approve(far.id)).msg).toBe('超出您的数据权限范围')
    expect((await approve()).msg).toBe('超出您的数据权限范围')
    expect((await waiting(admin)).length).toBe(1)
    expect((await approve(own.id)).msg).toBe('操作成功')
  })

  it('is told to those who may approve it, once until they have read it', async () => {
    const admin = await school()
    const [approver, reader] = [
      await world.colleague(admin, ['guest_view', 'guest_approve']),
      await world.colleague(admin, ['guest_view']),
    ]
    for (const name of ['told-1', 'told-2']) await (await stranger(admin, name)).register({ account: name })
    const { rows } = await world.owner.query<{ user_id: string; link: string }>(
      'select user_id::text as user_id, link from inbox where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows.map((row) => row.user_id).sort()).toEqual([admin.userId, approver.userId].sort())
    expect(rows.map((row) => row.user_id)).not.toContain(reader.userId)
    expect(rows[0]!.link).toBe('/system/guest?status=0')
  })

  it('keeps to the tenant’s quota, and to the tenant', async () => {
    const admin = await school()
    const { register } = await stranger(admin, 'full')
    await register()
    const [row] = await waiting(admin)
    const other = await world.tenant()
    expect(await waiting(other)).toEqual([])
    expect((await other.post('blade-user/guest/approve', undefined, { query: { id: row!.id } })).status).toBe(404)
    expect(
      (await other.post('blade-user/guest/refuse', undefined, { query: { ids: row!.id, reason: 'x' } })).status,
    ).toBe(404)
    await world.owner.query('update tenant set account_number = 1 where tenant_id = $1', [admin.tenantId])
    const full = await admin.post('blade-user/guest/approve', undefined, { query: { id: row!.id } })
    expect(full).toMatchObject({ status: 400 })
    expect(full.msg).toContain('额度')
    expect((await waiting(admin)).length).toBe(1)
  })
})

describe('R-INFO-1 identities of one’s own', () => {
  interface Mine {
    identities: { id: string; source: string; socialName: string; lastUsed: string | null }[]
    providers: { source: string }[]
  }
  const mine = async (person: Person): Promise<Mine> => (await person.get<Mine>('blade-user/identities')).data

  it('are linked by whoever is logged in, in the browser that went there, and belong to one user', async () => {
    const admin = await school()
    const [one, two] = [await world.colleague(admin, []), await world.colleague(admin, [])]
    expect(await mine(one)).toMatchObject({ identities: [], providers: [{ source: 'school' }] })
    const browser = browserOf(world)
    const go = async () =>
      Object.fromEntries(
        (await new Visitor().logIn((await browser.leave(admin.tenantId, 'school')).href, 'both', home)).searchParams,
      )
    // Somebody else's address to come back to links nothing.
    expect((await browserOf(world).link(one, await go())).status).toBe(400)
    expect((await browser.link(one, await go())).msg).toBe('操作成功')
    expect((await browser.link(one, await go())).msg).toBe('操作成功')
    expect((await browser.link(two, await go())).msg).toBe('该第三方账号已关联用户')
    const held = await mine(one)
    expect(held).toMatchObject({
      identities: [{ source: 'school', socialName: '名叫both', lastUsed: null }],
      providers: [],
    })
    expect((await social(browser, admin.tenantId, 'school', 'both')).user_id).toBe(one.userId)
    expect((await mine(one)).identities[0]?.lastUsed).not.toBeNull()
    const { id } = held.identities[0]!
    const unlink = (person: Person) => person.post('blade-user/unlink-identity', undefined, { query: { id } })
    expect((await unlink(two)).status).toBe(404)
    expect((await unlink(await world.tenant())).status).toBe(404)
    expect((await unlink(one)).msg).toBe('操作成功')
    expect((await social(browser, admin.tenantId, 'school', 'both')).user_id).toBe('')
  })

  it('are told to their user, and keep a provider from being removed', async () => {
    const admin = await world.tenant()
    const { id } = await addProvider(admin, { source: 'school', kind: 'oidc', issuer: provider.url })
    const { browser, oauthId } = await stranger(admin, 'told')
    const other = await world.tenant()
    expect((await browser.link(other, { oauthId })).msg).toBe('第三方登陆信息错误！')
    expect((await browser.link(admin, { oauthId })).msg).toBe('操作成功')
    expect((await browser.link(admin, { oauthId })).msg).toBe('第三方登陆信息错误！')
    const told = await world.owner.query('select title from inbox where tenant_id = $1', [admin.tenantId])
    expect(told.rows).toEqual([{ title: '已关联第三方账号：学校账号' }])
    const refused = await admin.remove('blade-auth/socialprovider', id)
    expect(refused.msg).toContain('已有1个用户关联')
    const held = await mine(admin)
    await admin.post('blade-user/unlink-identity', undefined, { query: { id: held.identities[0]!.id } })
    expect((await admin.remove('blade-auth/socialprovider', id)).msg).toBe('操作成功')
  })
})

describe('R-AUTH-4 providers', () => {
  it('need what their kind does, show no secret, and are for good who they are', async () => {
    const admin = await world.tenant()
    const submit = (draft: object) => admin.post<Row>('blade-auth/socialprovider/submit', draft)
    const draft = { source: 'p', providerName: 'P', clientId: 'x', kind: 'oidc' }
    expect((await submit(draft)).msg).toContain('服务地址')
    expect((await submit({ ...draft, issuer: 'https://id.example.com/?a=1' })).msg).toContain('不带参数')
    expect((await submit({ ...draft, kind: 'github' })).msg).toContain('客户端密钥')
    expect((await submit({ ...draft, issuer: 'https://id.example.com', scopes: 'a  "b"' })).msg).toContain('授权范围')
    const made = await submit({ ...draft, issuer: 'https://id.example.com', clientSecret: 'very secret' })
    expect(made.data).toMatchObject({ clientSecret: '******', status: 1 })
    const { id, version } = made.data
    expect((await submit({ id, version, issuer: 'https://evil.example.com' })).msg).toContain('不能修改')
    expect((await submit({ id, version, kind: 'gitee' })).msg).toContain('不能修改')
    const renamed = await submit({ id, version, providerName: 'Q', clientSecret: '******' })
    expect(renamed.data).toMatchObject({ providerName: 'Q', clientSecret: '******' })
    const stored = await world.owner.query(
      "select encode(client_secret, 'escape') as secret from social_provider where id = $1",
      [id],
    )
    expect(stored.rows[0].secret).not.toContain('very secret')
  })
})
