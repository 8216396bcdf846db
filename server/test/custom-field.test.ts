import { schoolclass, student, user } from '@data-brain/contract'
import type { CustomField } from '@data-brain/contract/custom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

const path = 'blade-system/customfield'

interface Made extends Row {
  readonly options: readonly { key: string; label: string }[] | null
}

const lines = [{ label: '一号线', labelEn: 'Line 1' }, { label: '二号线' }, { label: '三号线' }]

/** Gives a tenant a field; answers it as it was stored. */
async function give(admin: Person, draft: Record<string, unknown>): Promise<Made> {
  const made = await admin.post<Made>(`${path}/submit`, { owner: 'student', ...draft })
  expect([made.status, made.msg]).toEqual([200, '操作成功'])
  return made.data
}

const x = ({ id }: { id: string }): string => `x${id}`

async function pupil(admin: Person, more: Record<string, unknown> = {}): Promise<Row> {
  const { draft } = await sample(admin, student)
  const made = await admin.post<Row>(`${student.path}/submit`, { ...draft, ...more })
  expect([made.status, made.msg]).toEqual([200, '操作成功'])
  return made.data
}

const save = (who: Person, draft: Record<string, unknown>) => who.post<Row>(`${student.path}/submit`, draft)
/** What an answer says of single fields. */
const faultsOf = ({ data }: { data: unknown }): [string, string][] =>
  (data as { fields: { field: string; message: string }[] }).fields.map(({ field, message }) => [field, message])
const detail = async (who: Person, id: string) => (await who.get<Row>(`${student.path}/detail`, { id })).data
const listed = async (who: Person, query: Record<string, string>) =>
  (await who.get<{ records: Row[]; total: number }>(`${student.path}/list`, { size: 100, ...query })).data
const told = async (who: Person): Promise<readonly CustomField[]> =>
  (await who.get<{ customFields?: CustomField[] }>('blade-auth/oauth/user-info')).data.customFields ?? []

/** A tenant with one field of each kind on its students. */
async function withFields() {
  const admin = await world.tenant()
  const note = await give(admin, { label: '宿舍床号', kind: 'text', maxLength: 8 })
  const height = await give(admin, { label: '肺活量', kind: 'number', digits: 1, minimum: 0, maximum: 9999 })
  const day = await give(admin, { label: '疫苗日期', labelEn: 'Vaccinated on', kind: 'date' })
  const line = await give(admin, { label: '校车线路', labelEn: 'Bus line', kind: 'choice', options: lines })
  const key = (label: string): string => line.options!.find((option) => option.label === label)!.key
  return { admin, note, height, day, line, key, names: [note, height, day, line].map(x) }
}

describe('R-PROD-6 a field of a tenant’s own', () => {
  it('holds what a save gives it, of each kind, and is told to whoever works with its entity', async () => {
    const { admin, note, height, day, line, key } = await withFields()
    const given = { [x(note)]: ' A-12 ', [x(height)]: '3200.5', [x(day)]: '2026-09-01', [x(line)]: key('二号线') }
    const row = await pupil(admin, given)
    const stored = { ...given, [x(note)]: 'A-12', [x(height)]: 3200.5 }
    expect(row).toMatchObject(stored)
    expect(await detail(admin, row.id)).toMatchObject(stored)
    expect(await detail(admin, row.id)).not.toHaveProperty('custom')
    // What is left out stays; what is emptied goes.
    await save(admin, { id: row.id, remark: '改' })
    expect(await detail(admin, row.id)).toMatchObject(stored)
    await save(admin, { id: row.id, [x(note)]: '', [x(line)]: null })
    expect(await detail(admin, row.id)).toMatchObject({ ...stored, [x(note)]: null, [x(line)]: null })

    expect((await told(admin)).map(({ label, kind }) => [label, kind])).toEqual([
      ['宿舍床号', 'text'],
      ['肺活量', 'number'],
      ['疫苗日期', 'date'],
      ['校车线路', 'choice'],
    ])
    expect(await told(await world.colleague(admin, ['student_view']))).toHaveLength(4)
    expect(await told(await world.colleague(admin, ['dept_view']))).toEqual([])
  })

  it('refuses what is no value of its kind, all at once and in both languages', async () => {
    const { admin, note, height, day, line } = await withFields()
    const { id } = await pupil(admin)
    const wrong = { id, [x(note)]: '一二三四五六七八九', [x(height)]: 10000, [x(day)]: '2026-02-30', [x(line)]: '1' }
    const refused = await save(admin, wrong)
    expect(refused.status).toBe(400)
    expect(faultsOf(refused)).toEqual([
      [x(note), '不能超过8个字符'],
      [x(height), '须在0到9999之间'],
      [x(day), '不是有效的日期，应形如2026-09-01'],
    ])
    const english = await admin.post(`${student.path}/submit`, { id, [x(line)]: '1' }, { language: 'en' })
    expect(english.msg).toBe('Bus line: "1" is not one of the choices')
    const digits = await save(admin, { id, [x(height)]: 1.25 })
    expect(digits.msg).toContain('最多1位小数')
    expect(await detail(admin, id)).toMatchObject({ [x(note)]: null, [x(height)]: null, [x(day)]: null })
  })

  it('is unknown to another tenant, and to everybody once it is disabled; what it held comes back with it', async () => {
    const { admin, note } = await withFields()
    const { id } = await pupil(admin, { [x(note)]: 'A-12' })
    const stranger = await world.tenant()
    const theirs = await pupil(stranger)
    expect(Object.keys(theirs).filter((name) => /^x\d/.test(name))).toEqual([])
    const refused = await save(stranger, { id: theirs.id, [x(note)]: 'A-12' })
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining(x(note))])
    expect((await stranger.get(`${path}/detail`, { id: note.id })).status).toBe(404)
    expect((await listed(stranger, { [x(note)]: 'A-12' })).total).toBe(1)

    await admin.post(`${path}/submit`, { id: note.id, status: 0 })
    expect(await told(admin)).toHaveLength(3)
    expect(await detail(admin, id)).not.toHaveProperty(x(note))
    expect((await save(admin, { id, [x(note)]: 'B-1' })).msg).toContain(x(note))
    await admin.post(`${path}/submit`, { id: note.id, status: 1 })
    expect(await detail(admin, id)).toMatchObject({ [x(note)]: 'A-12' })
  })

  it('filters a list by each comparison of its kind, and orders it', async () => {
    const { admin, note, height, day, line, key } = await withFields()
    const rows = [
      { name: '甲一', [x(note)]: 'A-1', [x(height)]: 900, [x(day)]: '2026-01-02', [x(line)]: key('一号线') },
      { name: '乙二', [x(note)]: 'A-2', [x(height)]: 10.5, [x(day)]: '2026-03-04', [x(line)]: key('二号线') },
      { name: '丙三', [x(note)]: 'B_3', [x(height)]: 1000, [x(day)]: '2025-12-31', [x(line)]: key('二号线') },
      { name: '丁四' },
    ]
    for (const row of rows) await pupil(admin, row)
    const found = async (query: Record<string, string>) =>
      (await listed(admin, query)).records.map(({ name }) => name).toSorted()
    const all = ['甲一', '乙二', '丙三', '丁四'].toSorted()
    const cases: [string, string, string[]][] = [
      [x(note), 'a-', ['甲一', '乙二']],
      [`${x(note)}_equal`, 'A-1', ['甲一']],
      [`${x(note)}_notequal`, 'A-1', ['乙二', '丙三', '丁四']],
      [`${x(note)}_like`, '_', ['丙三']],
      [`${x(note)}_likeright`, 'B', ['丙三']],
      [`${x(note)}_likeleft`, '1', ['甲一']],
      [`${x(note)}_notlike`, 'A', ['丙三']],
      [`${x(note)}_in`, 'A-1,B_3', ['甲一', '丙三']],
      [`${x(note)}_notin`, 'A-1,B_3', ['乙二', '丁四']],
      [`${x(note)}_null`, '1', ['丁四']],
      [`${x(note)}_notnull`, '1', ['甲一', '乙二', '丙三']],
      [x(height), '900', ['甲一']],
      [`${x(height)}_ge`, '900', ['甲一', '丙三']],
      [`${x(height)}_gt`, '900', ['丙三']],
      [`${x(height)}_le`, '10.5', ['乙二']],
      [`${x(height)}_lt`, '900', ['乙二']],
      [`${x(height)}_notequal`, '900', ['乙二', '丙三', '丁四']],
      [`${x(height)}_null`, '1', ['丁四']],
      [x(day), '2026-01-02', ['甲一']],
      [`${x(day)}_datege`, '2026-01-02', ['甲一', '乙二']],
      [`${x(day)}_datelt`, '2026-01-01', ['丙三']],
      [`${x(day)}_dategt`, '2026-01-02', ['乙二']],
      [`${x(day)}_datele`, '2026-01-02', ['甲一', '丙三']],
      [`${x(day)}_dateequal`, '2026-03-04', ['乙二']],
      [x(line), key('二号线'), ['乙二', '丙三']],
      [x(line), `${key('一号线')},${key('二号线')}`, ['甲一', '乙二', '丙三']],
      [`${x(line)}_notequal`, key('二号线'), ['甲一', '丁四']],
      [`${x(line)}_null`, '1', ['丁四']],
      // Of no field that there is, and of a field of the product beside one of the tenant's own.
      ['x1_equal', '1', all],
    ]
    for (const [name, value, expected] of cases)
      expect([name, value, await found({ [name]: value })]).toEqual([name, value, expected.toSorted()])
    expect(await found({ [x(line)]: key('二号线'), [`${x(height)}_ge`]: '100', name: '丙三' })).toEqual(['丙三'])
    const bad = await admin.get(`${student.path}/list`, { [`${x(height)}_ge`]: '高' })
    expect([bad.status, bad.msg]).toEqual([400, expect.stringContaining('肺活量')])

    const order = async (query: Record<string, string>) => (await listed(admin, query)).records.map(({ name }) => name)
    expect(await order({ ascs: x(height) })).toEqual(['乙二', '甲一', '丙三', '丁四'])
    expect((await order({ descs: x(day), columns: x(day) })).slice(1)).toEqual(['乙二', '甲一', '丙三'])
    expect((await order({ ascs: x(note) })).slice(0, 3)).toEqual(['甲一', '乙二', '丙三'])
    // A list answers it where it is asked for, and only then.
    const [plain] = (await listed(admin, { name: '甲一' })).records
    expect(plain).not.toHaveProperty(x(line))
    const [asked] = (await listed(admin, { name: '甲一', columns: `${x(line)},${x(height)}` })).records
    expect(asked).toMatchObject({ [x(line)]: key('一号线'), [x(height)]: 900 })
    expect(asked).not.toHaveProperty(x(note))
    expect(asked).not.toHaveProperty('custom')
  })

  it('is changed in many rows at once, stands in the history by its own name, and is taken back', async () => {
    const { admin, line, height, key } = await withFields()
    const rows = [await pupil(admin, { [x(height)]: 100 }), await pupil(admin, { [x(line)]: key('二号线') })]
    const ids = rows.map(({ id }) => id).join(',')
    const values = { [x(line)]: key('二号线') }
    const preview = await admin.post<{ changed: number; same: number; rows: { before: Row }[] }>(
      `${student.path}/bulk`,
      { values },
      { query: { ids, preview: 1 } },
    )
    expect(preview.data).toMatchObject({ changed: 1, same: 1 })
    const done = await admin.post<{ requestId: string }>(`${student.path}/bulk`, { values }, { query: { ids } })
    expect(await detail(admin, rows[0]!.id)).toMatchObject({ ...values, [x(height)]: 100 })

    const history = async (id: string) =>
      (
        await admin.get<{ changes: { field: string; before: unknown; after: unknown }[] }[]>(
          `${student.path}/history`,
          { id },
        )
      ).data
    const [newest] = await history(rows[0]!.id)
    expect(newest!.changes).toEqual([{ field: x(line), before: null, after: key('二号线') }])
    const undone = await admin.post('blade-log/history/undo', undefined, {
      query: { requestId: done.data.requestId },
    })
    expect(undone.msg).toBe('操作成功')
    expect(await detail(admin, rows[0]!.id)).toMatchObject({ [x(line)]: null, [x(height)]: 100 })
    expect(await detail(admin, rows[1]!.id)).toMatchObject(values)

    // A row that was removed comes back with all that it held, and one is restored to an earlier state.
    await save(admin, { id: rows[1]!.id, [x(line)]: null, [x(height)]: 7 })
    const [, first] = await history(rows[1]!.id)
    const restored = await admin.post<Row>(`${student.path}/restore`, undefined, {
      query: { id: rows[1]!.id, historyId: (first as unknown as Row).id },
    })
    expect(restored.data).toMatchObject({ ...values, [x(height)]: null })
    const removed = await admin.remove<{ requestId: string }>(student.path, rows[1]!.id)
    await admin.post('blade-log/history/undo', undefined, { query: { requestId: removed.data.requestId } })
    expect(await detail(admin, rows[1]!.id)).toMatchObject(values)
  })

  it('keeps two who change different fields of one row apart, and tells who read an older version', async () => {
    const { admin, note, height } = await withFields()
    const row = await pupil(admin, { [x(note)]: '旧' })
    const other = await world.colleague(admin, ['student_view', 'student_edit'])
    await Promise.all([save(admin, { id: row.id, [x(note)]: '新' }), save(other, { id: row.id, [x(height)]: 5 })])
    expect(await detail(admin, row.id)).toMatchObject({ [x(note)]: '新', [x(height)]: 5 })
    const stale = await other.post<{ theirs: Row }>(`${student.path}/submit`, {
      ...{ id: row.id, version: row.version, [x(note)]: '我的' },
    })
    expect(stale.status).toBe(409)
    expect(stale.data.theirs).toMatchObject({ [x(note)]: '新' })
  })

  it('is read and changed as far as its row is, and every look is recorded', async () => {
    const { admin, note } = await withFields()
    const row = await pupil(admin, { [x(note)]: 'A-1' })
    const looker = await world.colleague(admin, ['student_view'])
    expect((await save(looker, { id: row.id, [x(note)]: 'B' })).status).toBe(403)
    const scope = await admin.post<Row>('blade-system/data-scope/submit', {
      ...{ scopeName: '本人', resourceCode: 'own', scopeClass: 'student', scopeType: '2' },
    })
    const { roleId } = (await admin.get<{ roleId: string }>('blade-user/detail', { id: looker.userId })).data
    await admin.post('blade-system/role/grant', {
      ...{ roleIds: [roleId], menuIds: await world.menuIds(['student_view', 'student_edit']) },
      dataScopeIds: [scope.data.id],
    })
    expect((await listed(looker, { [`${x(note)}_notnull`]: '1' })).total).toBe(0)
    expect((await save(looker, { id: row.id, [x(note)]: 'B' })).status).toBe(404)
    const reads = async () =>
      (
        await world.owner.query('select 1 from read_log where tenant_id = $1 and row_id = $2 and kind = $3', [
          admin.tenantId,
          row.id,
          'list',
        ])
      ).rowCount
    const before = await reads()
    await listed(admin, { columns: x(note) })
    expect(await reads()).toBe(before! + 1)
  })

  it('is kept in a saved view while it is there, and told as dropped when it is not', async () => {
    const { admin, line, key } = await withFields()
    const content = { filters: { [x(line)]: key('一号线') }, sort: { key: x(line), descending: false }, taste: null }
    const view = async () =>
      (
        await admin.get<{ views: { dropped: string[]; content: { filters: object } }[] }>('blade-desk/savedview/list', {
          page: 'student',
        })
      ).data.views[0]!
    const saved = await admin.post('blade-desk/savedview/submit', {
      ...{ page: 'student', name: '一号线' },
      content: { ...content, sort: null },
    })
    expect(saved.msg).toBe('操作成功')
    expect(await view()).toMatchObject({ dropped: [], content: { filters: content.filters } })
    await admin.post(`${path}/submit`, { id: line.id, status: 0 })
    expect(await view()).toMatchObject({ dropped: [x(line)], content: { filters: {} } })
  })

  it('belongs to users and classes as well', async () => {
    const admin = await world.tenant()
    const car = await give(admin, { owner: 'user', label: '车牌号', kind: 'text' })
    const room = await give(admin, { owner: 'schoolclass', label: '班级公约', kind: 'text', maxLength: 300 })
    const { draft } = await sample(admin, schoolclass)
    const made = await admin.post<Row>(`${schoolclass.path}/submit`, { ...draft, [x(room)]: '友善' })
    expect(made.data).toMatchObject({ [x(room)]: '友善' })
    expect(made.data).not.toHaveProperty(x(car))
    const teacher = await sample(admin, user)
    const added = await admin.post<Row>(`${user.path}/submit`, { ...teacher.draft, avatar: null, [x(car)]: '粤A12345' })
    expect([added.msg, added.data?.[x(car)]]).toEqual(['操作成功', '粤A12345'])
    const found = await admin.get<{ records: Row[] }>(`${user.path}/list`, { [x(car)]: '12345', columns: x(car) })
    expect(found.data.records.map((row) => row[x(car)])).toEqual(['粤A12345'])
    // It is for whoever works with users, and no part of one's own profile.
    await admin.post(`${user.path}/submit`, { id: admin.userId, [x(car)]: '粤B1' })
    expect((await admin.get<Row>('blade-user/info')).data).not.toHaveProperty(x(car))
  })
})

describe('R-PROD-6 the definition of a field', () => {
  it('keeps its kind, and refuses names that are there, limits of other kinds, and a range that is none', async () => {
    const admin = await world.tenant()
    const refused = async (draft: Record<string, unknown>, words: string) => {
      const answer = await admin.post(`${path}/submit`, { owner: 'student', ...draft })
      expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(words)])
    }
    await refused({ label: '姓名', kind: 'text' }, '与系统已有的字段重名')
    await refused({ label: '别名', labelEn: 'former name', kind: 'text' }, '与系统已有的字段重名')
    await refused({ label: '身高', kind: 'number', minimum: 200, maximum: 50 }, '不能小于最小值')
    await refused({ label: '身高', kind: 'number', maxLength: 3 }, '不适用于这种类型的字段')
    await refused({ label: '线路', kind: 'choice' }, '至少要有一个可选的选项')
    await refused({ label: '线路', kind: 'text', options: lines }, '不适用于这种类型的字段')
    await refused({ label: '线路', kind: 'choice', options: [{ label: '甲' }, { label: '甲' }] }, '重复')
    await refused({ owner: 'school', label: '线路', kind: 'text' }, '不是可选的值')
    const { id } = await give(admin, { label: '身高', kind: 'number' })
    await refused({ id, kind: 'text' }, '不能修改')
    expect((await admin.post(`${path}/submit`, { owner: 'student', label: '身高', kind: 'number' })).status).toBe(409)
  })

  it('keeps an option that is in use, which can be retired: it stays where it stands and is not chosen anew', async () => {
    const { admin, line, key } = await withFields()
    const held = await pupil(admin, { [x(line)]: key('二号线') })
    const without = line.options!.filter(({ label }) => label !== '二号线')
    const refused = await admin.post(`${path}/submit`, { id: line.id, options: without })
    expect([refused.status, refused.msg]).toEqual([
      400,
      expect.stringContaining('“二号线”已被使用，不能删除，可以停用'),
    ])
    const retired = line.options!.map((option) => ({ ...option, retired: option.label === '二号线' }))
    expect((await admin.post(`${path}/submit`, { id: line.id, options: retired })).msg).toBe('操作成功')
    // The row is changed elsewhere with the value that it has.
    expect((await save(admin, { id: held.id, remark: '改', [x(line)]: key('二号线') })).msg).toBe('操作成功')
    const other = await pupil(admin)
    expect((await save(admin, { id: other.id, [x(line)]: key('二号线') })).msg).toContain('不是可选的值')
    // One that nobody holds is removed, and a new one gets a key that no other ever had.
    const fewer = retired.filter(({ label }) => label !== '三号线')
    const more = await admin.post<Made>(`${path}/submit`, { id: line.id, options: [...fewer, { label: '四号线' }] })
    expect(more.data.options!.map(({ label }) => label)).toEqual(['一号线', '二号线', '四号线'])
    expect(line.options!.map((option) => option.key)).not.toContain(more.data.options![2]!.key)
    const foreign = await admin.post(`${path}/submit`, { id: line.id, options: [{ key: 'mine', label: '甲' }] })
    expect(foreign.msg).toContain('不认识第1个选项')
  })

  it('is not removed with what rows hold; disabled, or when nobody holds anything, it is', async () => {
    const { admin, note, day } = await withFields()
    await pupil(admin, { [x(note)]: 'A' })
    const refused = await admin.remove(path, note.id)
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('已有1名学生填写，不能删除，可以停用')])
    expect((await admin.remove(path, day.id)).status).toBe(200)
    expect((await told(admin)).map(({ label }) => label)).toEqual(['宿舍床号', '肺活量', '校车线路'])
  })

  it('is told in a form where it must be filled in, and holds up no other save', async () => {
    const admin = await world.tenant()
    const before = await pupil(admin)
    const must = await give(admin, { label: '接送人', kind: 'text', required: 1 })
    const { draft } = await sample(admin, student)
    const refused = await save(admin, { ...draft, name: '' })
    expect(faultsOf(refused)).toEqual([
      ['name', '不能为空'],
      [x(must), '不能为空'],
    ])
    expect((await save(admin, { id: before.id, remark: '改' })).msg).toBe('操作成功')
    expect((await save(admin, { id: before.id, [x(must)]: '' })).msg).toBe('接送人：不能为空')
    expect((await save(admin, { ...draft, [x(must)]: '外婆' })).msg).toBe('操作成功')
  })

  it('is given at most 40 times, also by two at once', async () => {
    const admin = await world.tenant()
    for (let at = 1; at <= 39; at += 1) await give(admin, { label: `字段${at}`, kind: 'text' })
    const answers = await Promise.all(
      ['甲', '乙'].map((label) => admin.post(`${path}/submit`, { owner: 'student', label, kind: 'text' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await told(admin)).toHaveLength(40)
    await give(admin, { owner: 'user', label: '甲', kind: 'text' })
  })

  it('is made and changed only with its codes', async () => {
    const { admin, note } = await withFields()
    const clerk = await world.colleague(admin, ['student_view', 'student_edit', 'customfield_view'])
    expect((await clerk.get(`${path}/detail`, { id: note.id })).status).toBe(200)
    expect((await clerk.post(`${path}/submit`, { id: note.id, label: '别的' })).status).toBe(403)
    expect((await clerk.remove(path, note.id)).status).toBe(403)
    expect((await (await world.colleague(admin, ['student_view'])).get(`${path}/list`)).status).toBe(403)
  })
})
