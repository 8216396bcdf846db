import { entityOf, student } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, csv, mappingOf, sendFile } from './import-parts.ts'
import { sample } from './sample.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * R-PERM-5: whoever may do a little tries to do more. A bureau with two schools; the people of one of them work with
 * its pupils only, by where their departments stand.
 */

let world: World
let admin: Person
/** Departments: the bureau, a school of it with an office, another school of it. */
let bureau: string
let own: string
let office: string
let other: string
let schools: { own: string; other: string }

const path = (entity: string): string => entityOf(entity).path
async function add(entity: string, draft: Record<string, unknown>, person = admin): Promise<Row> {
  const answer = await person.post<Row>(`${path(entity)}/submit`, draft)
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data
}
const edit = (entity: string, draft: object, person: Person): Promise<Answer<Row>> =>
  person.post<Row>(`${path(entity)}/submit`, draft)

let numbers = 0
const next = (): number => ++numbers

interface Staff extends Person {
  readonly roleId: string
  readonly scopeIds: readonly string[]
}

/** Somebody with these codes, narrowed by these scopes, who works in a department. */
async function staff(
  codes: readonly string[],
  scopes: readonly Record<string, unknown>[],
  deptId: string,
): Promise<Staff> {
  const person = await world.colleague(admin, codes)
  const user = await admin.get<{ roleId: string }>('blade-user/detail', { id: person.userId })
  const { roleId } = user.data
  const scopeIds: string[] = []
  for (const scope of scopes)
    scopeIds.push(
      (await add('datascope', { scopeName: `范围${next()}`, resourceCode: `climb_${next()}`, ...scope })).id,
    )
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [roleId],
    menuIds: await world.menuIds(codes),
    dataScopeIds: scopeIds,
  })
  expect(granted.msg).toBe('操作成功')
  expect((await edit('user', { id: person.userId, deptId }, admin)).msg).toBe('操作成功')
  return { ...person, roleId, scopeIds }
}

const below = { scopeClass: 'student', scopeType: '4', scopeColumn: 'create_dept' }
const ofSchool = { scopeClass: 'student', scopeType: '6' }
const names = async (person: Person): Promise<string[]> =>
  (await person.get<{ records: { name: string }[] }>('blade-user/student/list', { size: 50 })).data.records
    .map((row) => row.name)
    .sort()

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = async (name: string): Promise<{ school: string; dept: string }> => {
    const { draft: school } = await sample(admin, entityOf('school'))
    const row = await add('school', { ...school, schoolName: name })
    return { school: row.id, dept: String(row.deptId) }
  }
  const [one, two] = [await made('一中'), await made('二中')]
  schools = { own: one.school, other: two.school }
  own = one.dept
  other = two.dept
  bureau = String((await admin.get<Row>('blade-system/dept/detail', { id: own })).data.parentId)
  office = (await add('dept', { deptName: '教务处', deptCategory: '3', parentId: own })).id
  // One pupil made by somebody of each school, and one in each school.
  for (const [name, deptId] of [
    ['一中的', own],
    ['二中的', other],
  ] as const) {
    const clerk = await world.colleague(admin, ['student_add', 'student_view'])
    await edit('user', { id: clerk.userId, deptId }, admin)
    const { draft: pupil } = await sample(admin, student)
    await add('student', { ...pupil, name }, clerk)
  }
})
afterAll(() => world.close())

const seesOwn = ['一中的']
const refused = (answer: Answer): void => expect([400, 403], answer.msg).toContain(answer.status)

describe('R-PERM-5 a role that goes by the department', () => {
  it('is not widened by moving oneself, or somebody with the same role, to another department', async () => {
    const head = await staff(['student_view', 'user_view', 'user_edit', 'user_role'], [below], own)
    const mate = await staff(['student_view'], [below], office)
    await admin.post('blade-user/grant', undefined, { query: { userIds: mate.userId, roleIds: head.roleId } })
    expect(await names(head)).toEqual(seesOwn)
    for (const deptId of [bureau, other, `${own},${other}`])
      for (const id of [head.userId, mate.userId]) refused(await edit('user', { id, deptId }, head))
    expect(await names(head)).toEqual(seesOwn)
    // Within the own branch people are moved about.
    expect((await edit('user', { id: mate.userId, deptId: own }, head)).msg).toBe('操作成功')
    expect((await edit('user', { id: mate.userId, deptId: office }, head)).msg).toBe('操作成功')
    // Somebody whose role goes by no department may stand anywhere.
    const porter = await world.colleague(admin, ['user_view'])
    expect((await edit('user', { id: porter.userId, deptId: other }, head)).msg).toBe('操作成功')
  })

  it('is not handed to somebody who works where more is seen, new or old', async () => {
    const head = await staff(['student_view', 'user_view', 'user_add', 'user_edit', 'user_role'], [below], own)
    const draft = (deptId: string) => ({ account: `climb${next()}`, realName: '王小明', roleId: head.roleId, deptId })
    for (const deptId of [bureau, other]) {
      const sent = draft(deptId)
      refused(await edit('user', sent, head))
      const left = await admin.get<{ total: number }>('blade-user/list', { account: sent.account })
      expect(left.data.total).toBe(0)
    }
    expect((await edit('user', draft(office), head)).msg).toBe('操作成功')
    const stranger = await world.colleague(admin, [])
    await edit('user', { id: stranger.userId, deptId: other }, admin)
    refused(
      await head.post('blade-user/grant', undefined, { query: { userIds: stranger.userId, roleIds: head.roleId } }),
    )
    expect((await admin.get<Row>('blade-user/detail', { id: stranger.userId })).data.roleId).not.toContain(head.roleId)
  })

  it('gives no power over somebody who holds it in a wider department', async () => {
    const head = await staff(['student_view', 'user_view', 'user_edit', 'user_delete', 'user_reset'], [below], own)
    const wider = await world.colleague(admin, [])
    await admin.post('blade-user/grant', undefined, { query: { userIds: wider.userId, roleIds: head.roleId } })
    await edit('user', { id: wider.userId, deptId: bureau }, admin)
    const query = { userIds: wider.userId }
    for (const call of ['reset-password', 'unlock'])
      refused(await head.post(`blade-user/${call}`, undefined, { query }))
    refused(await edit('user', { id: wider.userId, account: `taken${next()}` }, head))
    refused(await edit('user', { id: wider.userId, status: 0 }, head))
    refused(await head.remove('blade-user', wider.userId))
    await edit('user', { id: wider.userId, deptId: office }, admin)
    expect((await head.post('blade-user/reset-password', undefined, { query })).status).toBe(200)
  })

  it('is not widened by moving departments about, nor by calling them another school’s', async () => {
    const head = await staff(['student_view', 'dept_view', 'dept_add', 'dept_edit'], [below], own)
    refused(await edit('dept', { id: other, parentId: own }, head))
    refused(await head.post('blade-system/dept/move', { id: other, parentId: office }))
    refused(await edit('dept', { id: own, parentId: other }, head))
    refused(await head.post('blade-system/dept/move', { id: office, parentId: '0' }))
    expect(await names(head)).toEqual(seesOwn)
    const made = await edit('dept', { deptName: '新部门', deptCategory: '3', parentId: own }, head)
    expect((await head.post('blade-system/dept/move', { id: made.data.id, parentId: office })).msg).toBe('操作成功')
    const principal = await staff(['student_view', 'dept_view', 'dept_edit'], [ofSchool], office)
    for (const id of [own, office]) refused(await edit('dept', { id, schoolId: schools.other }, principal))
    expect((await edit('dept', { id: office, schoolId: schools.own }, principal)).msg).toBe('操作成功')
    // A name, or the order, is anybody's who may edit.
    expect((await edit('dept', { id: other, deptName: '二中（新）' }, head)).msg).toBe('操作成功')
  })

  it('is not imported with people who work where more is seen', async () => {
    const head = await staff(['student_view', 'user_view', 'user_import', 'user_role'], [below], own)
    const roleName = `导入角色${next()}`
    expect((await edit('role', { id: head.roleId, roleName }, admin)).msg).toBe('操作成功')
    const path = 'blade-user/import-user'
    const imported = async (dept: string) => {
      const account = `climb${next()}`
      const file = csv([
        ['账号', '姓名', '部门', '角色'],
        [account, '王小明', dept, roleName],
      ])
      const sent = await sendFile(world, head, '用户.csv', file, {}, path)
      const read = await batchOf(head, sent.data.id, path)
      expect((await head.post(`${path}/mapping`, { id: read.id, mapping: mappingOf(read) })).msg).toBe('操作成功')
      await batchOf(head, read.id, path)
      await head.post(`${path}/commit`, undefined, { query: { id: read.id } })
      const batch = await batchOf(head, read.id, path)
      const { total } = (await admin.get<{ total: number }>('blade-user/list', { account })).data
      return { total, failed: batch.failure }
    }
    const nameOf = async (id: string) =>
      String((await admin.get<Row>('blade-system/dept/detail', { id })).data.deptName)
    const refusal = await imported(await nameOf(other))
    expect([refusal.total, refusal.failed]).toEqual([0, expect.stringContaining('超出您的数据范围')])
    expect(await imported(await nameOf(office))).toMatchObject({ total: 1 })
  })
})

describe('R-PERM-3 a data scope that narrows a role', () => {
  it('is not removed under it: the role would work with everything at once', async () => {
    const person = await staff(['student_view'], [below], own)
    const blocked = await admin.remove('blade-system/data-scope', person.scopeIds[0]!)
    expect([blocked.status, blocked.data.blockers?.[0]]).toMatchObject([400, { entity: 'role', count: 1 }])
    expect(await names(person)).toEqual(seesOwn)
    await admin.post('blade-system/role/grant', {
      roleIds: [person.roleId],
      menuIds: [],
      dataScopeIds: [],
    })
    expect((await admin.remove('blade-system/data-scope', person.scopeIds[0]!)).status).toBe(200)
  })

  it('narrows trees, level by level as well: the branch begins at the top, and nothing is said to stand where nothing is seen', async () => {
    const head = await staff(['dept_view'], [{ scopeClass: 'dept', scopeType: '4' }], own)
    const keeper = await staff(['dept_view'], [{ scopeClass: 'dept', scopeType: '3' }], own)
    const level = async (person: Person, call: string, parentId?: string) =>
      (await person.get<{ id: string; hasChildren: boolean }[]>(`blade-system/dept/${call}`, { parentId })).data.map(
        ({ id, hasChildren }) => [id, hasChildren],
      )
    for (const call of ['lazy-list', 'lazy-tree']) {
      expect(await level(head, call, '0'), call).toEqual([[own, true]])
      expect(
        (await level(head, call, own)).map(([id]) => id),
        call,
      ).toContain(office)
      expect(await level(keeper, call, '0'), call).toEqual([[own, false]])
      expect(await level(keeper, call, own), call).toEqual([])
    }
  })

  it('narrows whom one may ask about, and the choices of posts', async () => {
    const ofMine = { scopeClass: 'user', scopeType: '4', scopeColumn: null }
    const head = await staff(['explain_view', 'user_view'], [ofMine], own)
    const outside = await staff(['student_view'], [], other)
    const inside = await staff(['student_view'], [], office)
    const ask = (userId: string) =>
      head.get('blade-system/explain/call', { userId, method: 'GET', path: '/api/blade-user/student/list' })
    expect([(await ask(inside.userId)).status, (await ask(outside.userId)).status]).toEqual([200, 404])
    const post = await add('post', { postCode: `p${next()}`, postName: '岗', category: '1' })
    const clerk = await staff(
      ['post_view'],
      [{ scopeClass: 'post', scopeType: '5', scopeValue: { all: [{ field: 'id', op: 'equal', value: post.id }] } }],
      own,
    )
    const chosen = (await clerk.get<Row[]>('blade-system/post/select')).data
    expect(chosen.map((row) => row.id)).toEqual([post.id])
  })
})

describe('R-PERM-3 two roles of one person', () => {
  it('do not lend each other their rows: numbers are exported in full of those alone whose numbers one may read', async () => {
    const clerk = await staff(['student_view', 'student_export'], [], own)
    const reader = await staff(['student_personal'], [below], own)
    const roleIds = `${clerk.roleId},${reader.roleId}`
    await admin.post('blade-user/grant', undefined, { query: { userIds: clerk.userId, roleIds } })
    const all = await admin.get<{ records: Row[] }>('blade-user/student/list', { size: 50 })
    const numbers: Record<string, string> = {}
    for (const { id, name } of all.data.records)
      numbers[String(name)] = String(
        (await admin.get<{ idNo: string }>('blade-user/student/personal', { id })).data.idNo,
      )
    const file = await clerk.get<string>('blade-user/student/export', {
      format: 'csv',
      columns: 'name,idNo',
      personal: 1,
    })
    expect(file.data).toContain(numbers.一中的)
    expect(file.data).toContain('二中的')
    expect(file.data).not.toContain(numbers.二中的)
  })
})

describe('R-PERM-2 what a call does not take', () => {
  const powers = {
    isAdmin: 1,
    admin: true,
    platform: true,
    tenantId: '000000',
    permissions: ['user_role'],
    codes: ['*'],
  }

  it('gives nobody power: fields that are none are refused or passed over, and another tenant is not reached', async () => {
    const clerk = await staff(['user_view', 'user_edit', 'user_add', 'role_view', 'role_edit', 'role_add'], [], own)
    for (const [name, value] of Object.entries(powers)) {
      await edit('user', { id: clerk.userId, [name]: value }, clerk)
      await edit('role', { id: clerk.roleId, [name]: value }, clerk)
      await clerk.post('blade-user/update-info', { [name]: value })
    }
    for (const body of [{ roleId: '' }, { status: 1 }, { deptId: own, roleId: clerk.roleId }])
      await clerk.post('blade-user/update-info', body)
    const { rows } = await world.owner.query(
      `select (select count(*)::int from role where is_admin = 1 and tenant_id = $1) as admins,
         (select tenant_id from app_user where id = $2) as tenant,
         (select string_agg(target_id::text, ',') from app_user_role where owner_id = $2) as roles`,
      [admin.tenantId, clerk.userId],
    )
    expect(rows[0]).toEqual({ admins: 1, tenant: admin.tenantId, roles: clerk.roleId })
    const held = (await clerk.get<{ permissions: string[] }>('blade-auth/oauth/user-info')).data.permissions
    expect(held).not.toContain('user_role')
  })

  it('opens no platform call to a tenant’s administrator, by whatever ids', async () => {
    const platform = await world.platform()
    const tenants = await platform.get<{ records: Row[] }>('blade-system/tenant/list', { size: 200 })
    const id = tenants.data.records.find((row) => row.tenantId === admin.tenantId)!.id
    const calls: [string, object | undefined, Record<string, string>][] = [
      ['tenant/submit', { id, accountNumber: -1 }, {}],
      ['tenant/setting', undefined, { ids: id, accountNumber: '-1' }],
      ['tenant/restore', undefined, { ids: id }],
      ['tenant/purge', undefined, { ids: id, confirm: admin.tenantId }],
      ['tenantclientrelevance/add', { clientIds: [] }, { tableTenantId: admin.tenantId }],
      ['menu/submit', { name: 'x', code: 'x' }, {}],
      ['dict/submit', { code: 'x' }, {}],
      ['region/submit', { code: '110000' }, {}],
      ['client/submit', { clientId: 'x' }, {}],
    ]
    for (const [call, body, query] of calls)
      expect([call, (await admin.post(`blade-system/${call}`, body, { query })).status]).toEqual([call, 403])
    expect((await platform.get<Row>('blade-system/tenant/detail', { id })).data.version).toBe(
      tenants.data.records.find((row) => row.id === id)!.version,
    )
  })
})
