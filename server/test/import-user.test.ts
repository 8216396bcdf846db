import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform } from '../src/database/transaction.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import {
  type BatchView,
  batchOf,
  countOf,
  csv,
  idNoOf,
  mappingOf,
  narrow,
  type RowView,
  sendFile,
  xlsx,
} from './import-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-user/import-user'
type View = BatchView & { kind: string; passwords: number }

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const head = ['账号', '姓名', '工号', '部门', '角色', '手机', '性别', '入职日期']

/** Uploads a file, takes the match that was found, and waits until its rows are checked. */
async function checked(who: Person, rows: readonly (readonly string[])[], duplicates = 'skip'): Promise<View> {
  const sent = await sendFile<View>(world, who, '用户.xlsx', await xlsx(rows), { duplicates }, path)
  if (sent.status !== 200) throw new Error(sent.msg)
  const read = await batchOf(who, sent.data.id, path)
  const answer = await who.post(`${path}/mapping`, { id: read.id, mapping: mappingOf(read) })
  if (answer.status !== 200) throw new Error(answer.msg)
  return (await batchOf(who, read.id, path)) as View
}

async function committed(who: Person, id: string, query: Record<string, string> = {}): Promise<View> {
  const answer = await who.post(`${path}/commit`, undefined, { query: { id, ...query } })
  if (answer.status !== 200) throw new Error(answer.msg)
  return (await batchOf(who, id, path)) as View
}

const faults = async (who: Person, id: string): Promise<string[]> =>
  (await who.get<{ records: RowView[] }>(`${path}/rows`, { id, state: 'bad', size: 100 })).data.records.flatMap((row) =>
    row.faults.map((fault) => `${row.row} ${fault.label}：${fault.message}`),
  )

const fetchPasswords = async (who: Person, id: string, format = 'csv') => {
  const answer = await world.http.inject({
    method: 'POST',
    url: `/api/${path}/passwords`,
    query: { id, format },
    headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, text: answer.payload, bytes: answer.rawPayload, headers: answer.headers }
}

const passwordsIn = (text: string): Map<string, string> =>
  new Map(
    text
      .replace('\ufeff', '')
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','))
      .map((cells) => [cells[0] ?? '', cells.at(-1) ?? '']),
  )

const logIn = (tenantId: string, username: string, password: string) => {
  const { clientId, clientSecret } = world.services.secrets
  return world.call<unknown>('POST', 'blade-auth/oauth/token', null, {
    form: {
      ...{ tenantId, username, grant_type: 'password', scope: 'all', type: 'account' },
      password: wireMd5(password),
    },
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
  }) as unknown as Promise<{ status: number; must_change?: boolean; access_token?: string; msg?: string }>
}

async function must(answer: Promise<{ status: number; msg: string; data: unknown }>): Promise<Row> {
  const { status, msg, data } = await answer
  if (status !== 200) throw new Error(msg)
  return data as Row
}

/** 总校/初中部/数学组 and 总校/高中部/数学组, and a role that holds `user_view`. */
async function school(admin: Person) {
  const dept = (deptName: string, parentId?: string) =>
    must(
      admin.post('blade-system/dept/submit', {
        deptName,
        deptCategory: '1',
        sort: 1,
        ...(parentId ? { parentId } : {}),
      }),
    )
  const root = await dept('总校')
  const [junior, senior] = [await dept('初中部', root.id), await dept('高中部', root.id)]
  const [one, two] = [await dept('数学组', junior.id), await dept('数学组', senior.id)]
  const role = await must(admin.post('blade-system/role/submit', { roleName: '教师', roleAlias: 'teacher', sort: 3 }))
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [role.id],
    menuIds: await world.menuIds(['user', 'user_view']),
    dataScopeIds: [],
    apiScopeIds: [],
  })
  expect(granted.msg).toBe('操作成功')
  return { root, junior, senior, one, two, role }
}

const userOf = async (admin: Person, account: string): Promise<Row | undefined> =>
  (await admin.get<{ records: Row[] }>('blade-user/list', { account_equal: account })).data.records[0]

describe('a good file', () => {
  it('R-IMP-1 is a list of teachers without accounts: the staff number is one, or the telephone; known ones are found', async () => {
    const admin = await world.tenant()
    await must(
      admin.post('blade-user/submit', {
        account: 'chen',
        realName: '陈老师',
        staffNo: 'T9',
        password: 'Correct-Horse-9',
      }),
    )
    const batch = await checked(admin, [
      ['工号', '姓名', '性别', '联系电话'],
      ['T8', '王老师', '女', '13800000008'],
      ['', '李老师', '男', '13800000009'],
      ['T9', '陈老师', '女', ''],
      ['', '孙老师', '女', ''],
    ])
    expect(batch.counts).toMatchObject({ add: 2, skip: 1, bad: 1 })
    await admin.post('blade-user/import-user/commit', undefined, { query: { id: batch.id, skipBad: 1 } })
    expect(await batchOf(admin, batch.id, 'blade-user/import-user')).toMatchObject({ state: 'done', failure: null })
    expect([(await userOf(admin, 'T8'))?.realName, (await userOf(admin, '13800000009'))?.realName]).toEqual([
      '王老师',
      '李老师',
    ])
  })

  it('R-IMP-1 has a month of birth beside the identity number, which says the day and the sex, and is not kept', async () => {
    const admin = await world.tenant()
    const batch = await checked(admin, [
      ['姓名', '性别', '出生年月', '身份证号码', '联系电话'],
      ['王老师', '', '1985.03', idNoOf('1985-03-12', 12), '13800000021'],
      ['李老师', '女', '', idNoOf('1986-04-05', 14), '13800000022'],
      ['孙老师', '男', '1987.05', idNoOf('1987-06-05', 15), '13800000023'],
      ['赵老师', '男', '1988-07-01', '', '13800000024'],
    ])
    expect(batch.counts).toMatchObject({ add: 3, bad: 1 })
    await admin.post('blade-user/import-user/commit', undefined, { query: { id: batch.id, skipBad: 1 } })
    expect(await batchOf(admin, batch.id, 'blade-user/import-user')).toMatchObject({ state: 'done', failure: null })
    const told = async (account: string) => {
      const { id } = (await userOf(admin, account))!
      const { data } = await admin.get<Row>('blade-user/detail', { id })
      return [data.birthday, data.sex]
    }
    expect(await told('13800000021')).toEqual(['1985-03-12', '2'])
    expect(await told('13800000022')).toEqual(['1986-04-05', '2'])
    expect(await told('13800000024')).toEqual(['1988-07-01', '1'])
    // The month that the number contradicts is asked about.
    expect(await userOf(admin, '13800000023')).toBeUndefined()
  })

  it('R-SYS-1 is read, checked and stored; passwords are told once; the new users log in, and must change them', async () => {
    const admin = await world.tenant()
    const place = await school(admin)
    const batch = await checked(admin, [
      head,
      ['t.wang', '王老师', 'T001', '总校/初中部/数学组、高中部', '教师', '13800000001', '女', '2026/9/1'],
      ['t.li', '李老师', 'T002', '', '', '', '', ''],
    ])
    expect(batch).toMatchObject({ kind: 'user', state: 'checked', failure: null, counts: { add: 2, bad: 0 } })
    const done = await committed(admin, batch.id)
    expect(done).toMatchObject({ state: 'done', failure: null, counts: { add: 2 }, passwords: 2 })
    const wang = await userOf(admin, 't.wang')
    expect(wang).toMatchObject({
      realName: '王老师',
      staffNo: 'T001',
      deptId: `${place.one.id},${place.senior.id}`,
      roleId: place.role.id,
      phone: '*********01',
      userType: '1',
      staffStatus: '1',
      status: 1,
    })
    expect((await must(admin.get('blade-user/detail', { id: wang!.id }))).hireDate).toBe('2026-09-01')
    // Until they are fetched they are nowhere to be read, and they are no rows of the file.
    expect((await admin.get<{ total: number }>(`${path}/rows`, { id: batch.id })).data.total).toBe(0)
    const told = await fetchPasswords(admin, batch.id)
    expect([told.status, told.headers['content-type'], told.headers['cache-control']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
    ])
    const passwords = passwordsIn(told.text)
    expect([...passwords.keys()]).toEqual(['t.wang', 't.li'])
    const entered = await logIn(admin.tenantId, 't.wang', passwords.get('t.wang') ?? '')
    expect([entered.status, entered.must_change]).toEqual([200, true])
    expect((await logIn(admin.tenantId, 't.wang', 'Wrong-Horse-9')).status).toBe(400)
    // Once: neither the call nor the database has them any more.
    expect(await batchOf(admin, batch.id, path)).toMatchObject({ passwords: 0 })
    const again = await fetchPasswords(admin, batch.id)
    expect([again.status, JSON.parse(again.text).msg]).toEqual([
      400,
      '初始密码只能由导入的人在24小时内领取一次；如未领到，请在用户列表重置密码',
    ])
    expect(await countOf(world, admin, 'import_row')).toBe(0)
    const history = await admin.get<{ action: string }[]>('blade-user/history', { id: wang!.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['import'])
  })

  it('R-SEC-1 keeps the passwords sealed, for whoever imported them alone, and for a day', async () => {
    const admin = await world.tenant()
    const other = await world.colleague(admin, ['user_import'])
    const { id } = await checked(admin, [
      ['账号', '姓名'],
      ['kept.one', '王一'],
      ['kept.two', '王二'],
    ])
    expect(await committed(admin, id)).toMatchObject({ passwords: 2 })
    expect(((await batchOf(other, id, path)) as View).passwords).toBe(0)
    expect((await fetchPasswords(other, id)).status).toBe(400)
    const { rows } = await world.owner.query<{ cells: Buffer }>(
      'select cells from import_row where tenant_id = $1 and batch_id = $2',
      [admin.tenantId, id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]!.cells.includes('kept.one')).toBe(false)
    await world.owner.query(
      `update import_batch set settings = settings || jsonb_build_object('keptUntil', now() - interval '1 minute') where tenant_id = $1 and id = $2`,
      [admin.tenantId, id],
    )
    expect((await fetchPasswords(admin, id)).status).toBe(400)
    await admin.get(`${path}/list`)
    // A reading call answers before its transaction ends.
    await expect.poll(() => countOf(world, admin, 'import_row')).toBe(0)
  })

  it('R-SYS-1 the template has both languages in its headings, the tenant’s lists, and is read back as it stands', async () => {
    const admin = await world.tenant()
    await school(admin)
    const answer = await world.http.inject({
      method: 'GET',
      url: `/api/${path}/template`,
      headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'en' },
    })
    const book = new excel.Workbook()
    await book.xlsx.load(answer.rawPayload as unknown as ArrayBuffer)
    const sheet = book.worksheets[0]!
    const headings = (sheet.getRow(1).values as string[]).slice(1)
    expect(headings.slice(0, 2)).toEqual(['账号 Account', '姓名 Name★'])
    const lists = JSON.stringify(book.getWorksheet('lists')?.getSheetValues())
    expect(lists).toContain('总校/初中部/数学组')
    expect(lists).toContain('教师')
    sheet.getRow(3).getCell(1).value = 'from.template'
    sheet.getRow(3).getCell(2).value = '王三'
    const bytes = Buffer.from(await book.xlsx.writeBuffer())
    const sent = await sendFile<View>(world, admin, '模板.xlsx', bytes, {}, path)
    const read = await batchOf(admin, sent.data.id, path)
    expect(read).toMatchObject({ state: 'mapping', total: 1, missing: [] })
    expect(read.columns.every((column) => column.key !== null && column.confidence === 1)).toBe(true)
    expect(read.columns).toHaveLength(14)
  })
})

describe('a faulty row', () => {
  it('R-ERR-5 names every faulty cell, and is not stored', async () => {
    const admin = await world.tenant()
    await school(admin)
    await must(admin.post('blade-user/submit', { account: 'taken', realName: '王一', staffNo: 'T900' }))
    const batch = await checked(admin, [
      head,
      ['好 的', '', '', '数学组', '没有的角色', '123', '中', '2026-13-01'],
      ['ok.one', '王二', 'T900', '没有的部门', '', '', '', ''],
      ['same', '王三', 'T7', '', '', '', '', ''],
      ['same', '王四', 'T7', '', '', '', '', ''],
      ['ok.two', '王五', '', '', '', '', '', ''],
    ])
    expect([batch.failure, batch.counts]).toMatchObject([null, { add: 1, bad: 4 }])
    const said = (await faults(admin, batch.id)).join('\n')
    for (const text of [
      '2 账号：账号应为2–45位',
      '2 姓名：不能为空',
      '2 部门：有几个部门叫这个名字，请写全路径',
      '2 角色：没有这个角色',
      '2 手机：',
      '2 性别：不是可选的值',
      '2 入职日期：没有“2026-13-01”这一天',
      '3 工号：已属于另一名用户',
      '3 部门：没有这个部门',
      '4 账号：与第5行重复',
      '4 工号：与第5行重复',
      '5 账号：与第4行重复',
    ])
      expect(said).toContain(text)
    // Corrected where it stands, its twin is good too.
    const corrected = await admin.post<{ rows: { row: number; state: string }[] }>(`${path}/correct`, {
      id: batch.id,
      row: 5,
      cells: { 0: 'same.not', 2: 'T8' },
    })
    expect(corrected.data.rows.map(({ row, state }) => [row, state])).toEqual([
      [4, 'good'],
      [5, 'good'],
    ])
    expect(await committed(admin, batch.id, { skipBad: '1' })).toMatchObject({
      counts: { add: 3, bad: 2 },
      passwords: 3,
    })
    expect(await userOf(admin, 'ok.one')).toBeUndefined()
  })

  it('R-ERR-5 a file without an account or name column is told which is missing', async () => {
    const admin = await world.tenant()
    const sent = await sendFile<View>(
      world,
      admin,
      'a.csv',
      csv([
        ['账号', '工号'],
        ['a1', 'T1'],
      ]),
      {},
      path,
    )
    const read = await batchOf(admin, sent.data.id, path)
    expect(read.missing.map((each) => each.key)).toEqual(['user.realName'])
    const none = await sendFile<View>(
      world,
      admin,
      'b.csv',
      csv([
        ['甲', '乙'],
        ['a1', 'T1'],
      ]),
      {},
      path,
    )
    expect((await batchOf(admin, none.data.id, path)).failure).toContain('账号、姓名等2个列名')
  })
})

describe('users who are there already', () => {
  it('are left alone, or changed where that was chosen; the undo brings back what they were, links included', async () => {
    const admin = await world.tenant()
    const place = await school(admin)
    const old = await must(
      admin.post('blade-user/submit', {
        account: 'old',
        realName: '旧名',
        phone: '13900000009',
        deptId: [place.junior.id],
      }),
    )
    const rows = [head, ['old', '新名', '', '高中部', '教师', '13900000010', '', '']]
    expect((await checked(admin, rows)).counts).toMatchObject({ add: 0, skip: 1 })
    const batch = await checked(admin, rows, 'update')
    expect(batch.counts).toMatchObject({ add: 0, update: 1, bad: 0 })
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', passwords: 0 })
    expect(await userOf(admin, 'old')).toMatchObject({
      realName: '新名',
      deptId: place.senior.id,
      roleId: place.role.id,
      phone: '*********10',
    })
    const undone = await admin.post(`${path}/undo`, undefined, { query: { id: batch.id } })
    expect(undone.msg).toBe('操作成功')
    expect(await batchOf(admin, batch.id, path)).toMatchObject({ state: 'undone', failure: null })
    const now = await userOf(admin, 'old')
    expect(now).toMatchObject({ realName: '旧名', deptId: place.junior.id, phone: '*********09' })
    expect(now?.roleId || '').toBe('')
    expect((await admin.get<Record<string, string>>('blade-user/personal', { id: old.id })).data.phone).toBe(
      '13900000009',
    )
  })

  it('an undo takes new users away with their passwords; of one who has logged in it asks first', async () => {
    const admin = await world.tenant()
    const batch = await checked(admin, [
      ['账号', '姓名'],
      ['new.one', '王一'],
      ['new.two', '王二'],
    ])
    await committed(admin, batch.id)
    const passwords = passwordsIn((await fetchPasswords(admin, batch.id)).text)
    expect((await logIn(admin.tenantId, 'new.one', passwords.get('new.one') ?? '')).status).toBe(200)
    const refused = await admin.post<{ own: boolean }>(`${path}/undo`, undefined, { query: { id: batch.id } })
    expect([refused.status, refused.msg, refused.data.own]).toEqual([
      400,
      '导入之后已有改动，不能撤销：用户 1（王一）',
      true,
    ])
    expect((await admin.post(`${path}/undo`, undefined, { query: { id: batch.id, changed: '1' } })).status).toBe(200)
    expect(await batchOf(admin, batch.id, path)).toMatchObject({ state: 'undone' })
    expect([await countOf(world, admin, 'app_user'), await countOf(world, admin, 'credential')]).toEqual([1, 1])
    expect((await logIn(admin.tenantId, 'new.two', passwords.get('new.two') ?? '')).status).toBe(400)
  })
})

describe('who may', () => {
  it('R-IMP-3 a department that does not exist, or is called like several, is chosen from those nearest to it', async () => {
    const admin = await world.tenant()
    await school(admin)
    const batch = await checked(admin, [
      ['姓名', '部门', '联系电话'],
      ['王老师', '数学组', '13800000031'],
      ['李老师', '数学教研组', '13800000032'],
    ])
    const { data } = await admin.get<{ text: string; options: { value: string }[] }[]>(
      'blade-user/import-user/groups',
      {
        id: batch.id,
      },
    )
    for (const { options } of data)
      expect(options.slice(0, 2).map(({ value }) => value)).toEqual(['总校/初中部/数学组', '总校/高中部/数学组'])
    expect(data.map(({ text }) => text).toSorted()).toEqual(['数学教研组', '数学组'])
  })

  it('R-PERM-2 import users: holders of user_import alone; a batch of users is no batch of students', async () => {
    const admin = await world.tenant()
    const { id } = await checked(admin, [
      ['账号', '姓名'],
      ['a.b', '王一'],
    ])
    const viewer = await world.colleague(admin, ['user_view', 'user_add', 'user_edit', 'student_import'])
    for (const call of ['batch', 'rows', 'list', 'template', 'faults'])
      expect((await viewer.get(`${path}/${call}`, { id })).status, call).toBe(403)
    for (const call of ['mapping', 'correct', 'check', 'dry-run', 'commit', 'undo', 'remove', 'passwords'])
      expect((await viewer.post(`${path}/${call}`, { id }, { query: { id, ids: id } })).status, call).toBe(403)
    expect((await sendFile(world, viewer, 'a.csv', csv([['账号', '姓名']]), {}, path)).status).toBe(403)
    expect((await viewer.get('blade-user/import/batch', { id })).status).toBe(404)
    const stranger = await world.tenant()
    expect((await stranger.get(`${path}/batch`, { id })).status).toBe(404)
    expect(await countOf(world, admin, 'app_user')).toBe(2)
  })

  it('R-PERM-1 nobody gives by a file what they do not hold themselves, nor without the right to assign roles', async () => {
    const admin = await world.tenant()
    await school(admin)
    const rows = (role: string) => [head, ['up.one', '王一', '', '', role, '', '', '']]
    const without = await world.colleague(admin, ['user_import', 'user_view'])
    const one = await checked(without, rows('教师'))
    expect(await faults(without, one.id)).toEqual(['2 角色：您没有“角色配置”的权限'])
    const clerk = await world.colleague(admin, ['user_import', 'user_role', 'user_view', 'user'])
    expect((await checked(clerk, rows('教师'))).counts).toMatchObject({ add: 1, bad: 0 })
    const roles = await admin.get<{ roleName: string; isAdmin: number }[]>('blade-system/role/list')
    const power = roles.data.find((role) => role.roleName !== '教师' && /管理员/.test(role.roleName))!.roleName
    const two = await checked(clerk, rows(power))
    expect(await faults(clerk, two.id)).toEqual([`2 角色：不能授予自己没有的权限：${power}`])
    // Nor does a file take an administrator's role away.
    const three = await checked(clerk, [head, ['admin', '管理员', '', '', '教师', '', '', '']], 'update')
    expect((await faults(clerk, three.id))[0]).toContain('不能授予自己没有的权限')
    // The last administrator cannot give the role up this way either.
    const four = await checked(admin, [head, ['admin', '管理员', '', '', '教师', '', '', '']], 'update')
    expect(await committed(admin, four.id)).toMatchObject({
      state: 'checked',
      failure: '必须保留至少一名可登录的管理员',
    })
  })

  it('R-PERM-3 import only those who work with every user', async () => {
    const admin = await world.tenant()
    const clerk = await world.colleague(admin, ['user_import', 'user_view'])
    await narrow(admin, clerk, 'user', 'realName', '王')
    const answer = await sendFile(
      world,
      clerk,
      'a.csv',
      csv([
        ['账号', '姓名'],
        ['a1', '王一'],
      ]),
      {},
      path,
    )
    expect(answer).toMatchObject({ status: 403, msg: '超出您的数据权限范围' })
  })

  it('R-PROD-3 the quota of the tenant holds for a file as for a single user: all of it or nothing', async () => {
    const admin = await world.tenant()
    await inPlatform(world.services.platform, (tx) =>
      tx.run(sql`update tenant set account_number = 3 where tenant_id = ${admin.tenantId}`),
    )
    const three = await checked(admin, [
      ['账号', '姓名'],
      ['q.1', '王一'],
      ['q.2', '王二'],
      ['q.3', '王三'],
    ])
    // Told with the check, and kept at the commit.
    expect(three).toMatchObject({ state: 'checked', counts: { add: 3 } })
    expect(three.refusal).toContain('文件中有3个新账号，超出租户额度：额度3个，还可新增2个')
    const refused = await admin.post(`${path}/commit`, undefined, { query: { id: three.id } })
    expect(refused).toMatchObject({ status: 400, msg: three.refusal })
    expect(await countOf(world, admin, 'app_user')).toBe(1)
    const two = await checked(admin, [
      ['账号', '姓名'],
      ['q.1', '王一'],
      ['q.2', '王二'],
    ])
    expect(two.refusal).toBeNull()
    // Somebody takes a place between check and commit.
    await inPlatform(world.services.platform, (tx) =>
      tx.run(sql`update tenant set account_number = 2 where tenant_id = ${admin.tenantId}`),
    )
    expect((await admin.post(`${path}/commit`, undefined, { query: { id: two.id } })).msg).toContain('还可新增1个')
    await inPlatform(world.services.platform, (tx) =>
      tx.run(sql`update tenant set account_number = 3 where tenant_id = ${admin.tenantId}`),
    )
    expect(await committed(admin, two.id)).toMatchObject({ state: 'done', counts: { add: 2 } })
  })
})
