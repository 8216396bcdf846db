import { dept, entities, entityOf, school, schoolclass, student, studentparents } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../src/entity/history.ts'
import { isOfPlatform, sample } from './sample.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/** Issue 4, point 6: a version comes back, and all that one request did goes back. */

let world: World
let admin: Person

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const ok = <T>(answer: Answer<T>): T => {
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
const add = async (person: Person, path: string, draft: unknown): Promise<Row> =>
  ok(await person.post<Row>(`${path}/submit`, draft))
const detail = (person: Person, path: string, id: string): Promise<Answer<Row>> =>
  person.get<Row>(`${path}/detail`, { id })
const history = async (person: Person, path: string, id: string): Promise<HistoryEntry[]> =>
  ok(await person.get<HistoryEntry[]>(`${path}/history`, { id }))
const restore = (person: Person, path: string, id: string, historyId: string): Promise<Answer<Row>> =>
  person.post<Row>(`${path}/restore`, undefined, { query: { id, historyId } })
const undo = (
  person: Person,
  requestId: string,
  changed?: number,
): Promise<
  Answer<{ rows: number; counts: Record<string, number>; names: Record<string, string[]>; requestId: string }>
> => person.post('blade-log/history/undo', undefined, { query: { requestId, changed } })
const removed = async (person: Person, path: string, ids: string): Promise<string> =>
  ok(await person.remove<{ requestId: string }>(path, ids)).requestId
/** The last entry of a row, which is gone and answers no history of its own list any more. */
const lastEntry = async (person: Person, rowId: string): Promise<string> =>
  (
    await world.owner.query<{ id: string }>(
      'select id::text from history where tenant_id = $1 and row_id = $2 order by id desc limit 1',
      [person.tenantId, rowId],
    )
  ).rows[0]!.id

const pupils = 'blade-user/student'
const pupil = async (person: Person, made?: Map<string, string>): Promise<Row> =>
  add(person, pupils, (await sample(person, student, made)).draft)
/** What a save changes of itself. */
const without = ({ version: _, updateTime: __, updateUser: ___, updateUserName: ____, ...row }: Row): object => row
const classRows = async (person: Person, studentId: string): Promise<Row[]> =>
  ok(await person.get<{ records: Row[] }>('blade-user/studentclass/list', { studentId, size: 50 })).records
const countOf = async (person: Person, classId: string): Promise<unknown> =>
  ok(await detail(person, 'blade-user/schoolclass', classId)).studentCount

describe('restoring a version', () => {
  it('makes the row what it was after an entry, encrypted numbers included, and adds an entry', async () => {
    const row = await pupil(admin)
    await add(admin, pupils, { id: row.id, name: '改名一', phone: '13912345678' })
    const middle = ok(await detail(admin, pupils, row.id))
    await add(admin, pupils, { id: row.id, name: '改名二', phone: '13700000000', remark: '后来' })
    const [, second] = await history(admin, pupils, row.id)
    const back = ok(await restore(admin, pupils, row.id, second!.id))
    expect(without(back)).toEqual(without(middle))
    expect(ok(await admin.get<Row>(`${pupils}/personal`, { id: row.id })).phone).toBe('13912345678')
    const [newest] = await history(admin, pupils, row.id)
    expect(newest).toMatchObject({ action: 'restore', version: back.version })
    expect(newest!.changes.map((change) => change.field).sort()).toEqual(['name', 'phone', 'remark'])
    // It is found again by what it was called, and no more by what it was called since.
    const found = async (keyword: string): Promise<number> =>
      ok(await admin.get<{ total: number }>(`${pupils}/list`, { keyword })).total
    expect([await found('改名一'), await found('改名二'), await found(String(row.studentNo))]).toEqual([1, 0, 1])
  })

  it('brings a removed row back under its own id, as it was before it went', async () => {
    const row = await pupil(admin)
    const full = ok(await admin.get<Row>(`${pupils}/personal`, { id: row.id }))
    await removed(admin, pupils, row.id)
    expect((await detail(admin, pupils, row.id)).status).toBe(404)
    const back = ok(await restore(admin, pupils, row.id, await lastEntry(admin, row.id)))
    expect(without(back)).toEqual(without(row))
    expect(back.version).toBeGreaterThan(row.version)
    expect(ok(await admin.get<Row>(`${pupils}/personal`, { id: row.id }))).toEqual(full)
    expect(ok(await admin.get<{ total: number }>(`${pupils}/list`, { keyword: String(row.studentNo) })).total).toBe(1)
  })

  it('keeps the links of a row: lists of references come back with it', async () => {
    const grades = ok(await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { size: 3 })).records.map(
      (each) => each.id,
    )
    const subject = {
      subjectCode: 'HX99',
      subjectName: '合唱',
      category: '1',
      shortName: '唱',
      color: '#1677ff',
      sort: 90,
      gradeIds: grades,
    }
    const row = await add(admin, 'blade-user/syssubject', subject)
    await add(admin, 'blade-user/syssubject', { id: row.id, gradeIds: [grades[2]] })
    const [second, first] = await history(admin, 'blade-user/syssubject', row.id)
    expect(second!.changes).toMatchObject([{ field: 'gradeIds', before: grades, after: [grades[2]] }])
    expect((second!.changes[0]!.beforeName as string[]).length).toBe(3)
    expect(ok(await restore(admin, 'blade-user/syssubject', row.id, first!.id)).gradeIds).toEqual(grades)
    await removed(admin, 'blade-user/syssubject', row.id)
    expect(ok(await restore(admin, 'blade-user/syssubject', row.id, await lastEntry(admin, row.id))).gradeIds).toEqual(
      grades,
    )
  })

  it('is a save: what is unique stays so, and rules hold', async () => {
    const made = new Map<string, string>()
    const row = await pupil(admin, made)
    await removed(admin, pupils, row.id)
    const entry = await lastEntry(admin, row.id)
    const { draft } = await sample(admin, student, made)
    const other = await add(admin, pupils, { ...draft, studentNo: row.studentNo })
    expect((await restore(admin, pupils, row.id, entry)).status).toBe(409)
    expect((await detail(admin, pupils, row.id)).status).toBe(404)
    await removed(admin, pupils, other.id)
    ok(await restore(admin, pupils, row.id, entry))
  })

  it('asks for the permission of what it does, and for an entry of this very row', async () => {
    const row = await pupil(admin)
    await add(admin, pupils, { id: row.id, remark: '一' })
    const [, first] = await history(admin, pupils, row.id)
    const other = await pupil(admin)
    expect((await restore(admin, pupils, other.id, first!.id)).status).toBe(404)
    const adder = await world.colleague(admin, ['student_view', 'student_add'])
    const noEdit = { status: 403, msg: '没有权限：学生 · 修改（student_edit）' }
    expect(await restore(adder, pupils, row.id, first!.id)).toMatchObject(noEdit)
    // A save likewise: of a row that there is, and of a new one.
    expect(await adder.post(`${pupils}/submit`, { id: row.id, remark: '二' })).toMatchObject(noEdit)
    const editor = await world.colleague(admin, ['student_view', 'student_edit'])
    const noAdd = { status: 403, msg: '没有权限：学生 · 新增（student_add）' }
    const { draft } = await sample(admin, student)
    expect(await editor.post(`${pupils}/submit`, draft)).toMatchObject(noAdd)
    ok(await restore(editor, pupils, row.id, first!.id))
    await removed(admin, pupils, row.id)
    const entry = await lastEntry(admin, row.id)
    expect(await restore(editor, pupils, row.id, entry)).toMatchObject(noAdd)
    ok(await restore(adder, pupils, row.id, entry))
    const stranger = await world.tenant()
    expect((await restore(stranger, pupils, row.id, entry)).status).toBe(404)
  })

  it('gives a user no power that whoever restores does not hold, and leaves an administrator', async () => {
    const roleId = (
      await world.owner.query<{ id: string }>('select id::text from role where tenant_id = $1 and is_admin = 1', [
        admin.tenantId,
      ])
    ).rows[0]!.id
    const boss = await add(admin, 'blade-user', { account: 'boss1', realName: '主任', roleId: [roleId] })
    await add(admin, 'blade-user', { id: boss.id, roleId: [] })
    const [, first] = await history(admin, 'blade-user', boss.id)
    const clerk = await world.colleague(admin, ['user_view', 'user_edit', 'user_role'])
    expect((await restore(clerk, 'blade-user', boss.id, first!.id)).msg).toMatch(/自己没有的权限/)
    ok(await restore(admin, 'blade-user', boss.id, first!.id))
    expect(ok(await detail(admin, 'blade-user', boss.id)).roleId).toBe(roleId)
  })
})

describe('a state that only calls of its own change', () => {
  const path = 'blade-desk/notice'
  const stateOf = async (id: string) => ok(await detail(admin, path, id)).status
  const call = (person: Person, name: string, ids: string) =>
    person.post(`${path}/${name}`, undefined, { query: { ids } })

  it('does not come along with a version that is restored: who may not publish does not publish so', async () => {
    const { id } = await add(admin, path, {
      title: '春游',
      category: '1',
      releaseTime: '2026-01-01 08:00:00',
      content: '<p>一</p>',
    })
    ok(await call(admin, 'publish', id))
    ok(await call(admin, 'withdraw', id))
    await add(admin, path, { id, title: '秋游' })
    const [, withdrawn, published] = await history(admin, path, id)
    const editor = await world.colleague(admin, ['notice_view', 'notice_edit', 'notice_add', 'notice_delete'])
    const back = ok(await restore(editor, path, id, published!.id))
    expect([back.title, back.status]).toEqual(['春游', 3])
    ok(await restore(admin, path, id, withdrawn!.id))
    expect(await stateOf(id)).toBe(3)
    // Nor does a row that is gone come back as one that is out.
    await removed(admin, path, id)
    expect(ok(await restore(editor, path, id, published!.id)).status).toBe(0)
  })

  it('is taken back by those alone who may change it', async () => {
    const { id } = await add(admin, path, {
      title: '家长会',
      category: '1',
      releaseTime: '2026-01-01 08:00:00',
      content: '<p>一</p>',
    })
    ok(await call(admin, 'publish', id))
    const withdrawn = String((await call(admin, 'withdraw', id)).headers['x-request-id'])
    const editor = await world.colleague(admin, ['notice_view', 'notice_edit', 'history_view', 'history_undo'])
    const refused = await undo(editor, withdrawn)
    expect([refused.status, refused.msg]).toEqual([403, expect.stringContaining('notice_publish')])
    expect(await stateOf(id)).toBe(3)
    ok(await undo(admin, withdrawn))
    expect(await stateOf(id)).toBe(2)
  })
})

describe('undoing a request', () => {
  it('brings back all that a bulk removal took, with what went along with it', async () => {
    const made = new Map<string, string>()
    const rows = [await pupil(admin, made), await pupil(admin, made), await pupil(admin, made)]
    const classId = String(
      (await add(admin, 'blade-user/schoolclass', (await sample(admin, schoolclass, made)).draft)).id,
    )
    for (const row of rows) await add(admin, pupils, { id: row.id, classId })
    const before = await Promise.all(rows.map(async (row) => ok(await detail(admin, pupils, row.id))))
    const places = await Promise.all(rows.map((row) => classRows(admin, row.id)))
    expect(await countOf(admin, classId)).toBe(3)
    const requestId = await removed(admin, pupils, rows.map((row) => row.id).join(','))
    expect(await countOf(admin, classId)).toBe(0)
    const done = ok(await undo(admin, requestId))
    // Three students, and the class history of each.
    expect(done.rows).toBe(6)
    expect(Object.values(done.counts).reduce((sum, count) => sum + count)).toBe(6)
    expect(done.counts.student).toBe(3)
    expect((done.names.student ?? []).toSorted()).toEqual(rows.map(({ name }) => String(name)).toSorted())
    const after = await Promise.all(rows.map(async (row) => ok(await detail(admin, pupils, row.id))))
    expect(after.map(without)).toEqual(before.map(without))
    expect((await Promise.all(rows.map((row) => classRows(admin, row.id)))).flat().map(without)).toEqual(
      places.flat().map(without),
    )
    expect(await countOf(admin, classId)).toBe(3)
    // The undo is a request like any other, and goes back the same way.
    ok(await undo(admin, done.requestId))
    expect((await detail(admin, pupils, rows[0]!.id)).status).toBe(404)
    expect(await countOf(admin, classId)).toBe(0)
  })

  it('takes back an addition and a change, with what the rules wrote along', async () => {
    const { draft } = await sample(admin, school)
    const made = await admin.post<Row>('blade-user/school/submit', draft)
    const deptId = String(ok(made).deptId)
    expect(ok(await detail(admin, 'blade-system/dept', deptId)).schoolId).toBe(made.data.id)
    const named = await admin.post<Row>('blade-user/school/submit', { id: made.data.id, schoolName: '新校名' })
    expect(ok(await detail(admin, 'blade-system/dept', deptId)).deptName).toBe('新校名')
    ok(await undo(admin, String(named.headers['x-request-id'])))
    expect(ok(await detail(admin, 'blade-system/dept', deptId)).deptName).toBe(made.data.schoolName)
    expect(ok(await detail(admin, 'blade-user/school', made.data.id)).schoolName).toBe(made.data.schoolName)
    const gone = await removed(admin, 'blade-user/school', made.data.id)
    expect((await detail(admin, 'blade-system/dept', deptId)).status).toBe(404)
    ok(await undo(admin, gone))
    expect(ok(await detail(admin, 'blade-user/school', made.data.id)).deptId).toBe(deptId)
    expect(ok(await detail(admin, 'blade-system/dept', deptId)).schoolId).toBe(made.data.id)
    const fresh = await admin.post<Row>('blade-system/dept/submit', (await sample(admin, dept)).draft)
    const back = ok(await undo(admin, String(fresh.headers['x-request-id'])))
    // What is gone again is named as well, also where its name is that of another row.
    expect(back.names.dept).toEqual([fresh.data.deptName])
    const told = await sample(admin, entityOf('teacherclass'))
    const assigned = await admin.post<Row>('blade-user/teacherclass/submit', told.draft)
    const { names } = ok(await undo(admin, String(assigned.headers['x-request-id'])))
    expect(names.teacherclass).not.toContain(String(assigned.data[entityOf('teacherclass').title]))
    expect(names.teacherclass?.[0]).toMatch(/\p{L}/u)
    expect((await detail(admin, 'blade-system/dept', ok(fresh).id)).status).toBe(404)
  })

  it('is refused, with the rows named, where somebody has touched one since; changed rows go along if wanted', async () => {
    const row = await pupil(admin)
    const edit = await admin.post<Row>(`${pupils}/submit`, { id: row.id, name: '误改' })
    await add(admin, pupils, { id: row.id, remark: '之后补充' })
    const requestId = String(edit.headers['x-request-id'])
    const refused = await undo(admin, requestId)
    expect(refused.status).toBe(400)
    expect(refused.msg).toMatch(/学生 1（误改）/)
    expect(refused.data).toMatchObject({ own: true, blockers: [{ entity: 'student', count: 1, sample: ['误改'] }] })
    // And with who it was.
    const { userName } = ok(await admin.get<Row[]>(`${pupils}/history`, { id: row.id }))[0]!
    expect(userName).toBeTruthy()
    expect(refused.data).toMatchObject({
      blockers: [{ rows: [{ name: '误改', of: null, how: 'changed', by: userName }] }],
    })
    expect(ok(await detail(admin, pupils, row.id)).name).toBe('误改')
    expect(ok(await undo(admin, requestId, 1)).names.student).toEqual([row.name])
    expect(ok(await detail(admin, pupils, row.id))).toMatchObject({ name: row.name, remark: row.remark })
  })

  it('goes back step by step, and forth again: a later change that was taken back touches nothing', async () => {
    const row = await pupil(admin)
    const save = async (draft: object): Promise<string> =>
      String((await admin.post<Row>(`${pupils}/submit`, { id: row.id, ...draft })).headers['x-request-id'])
    const [first, second] = [await save({ name: '第一步', phone: '13912345678' }), await save({ name: '第二步' })]
    const shown = async () => without(ok(await detail(admin, pupils, row.id)))
    const secondBack = ok(await undo(admin, second)).requestId
    const between = await shown()
    const firstBack = ok(await undo(admin, first)).requestId
    expect(await shown()).toEqual(without(row))
    ok(await undo(admin, firstBack))
    expect(await shown()).toEqual(between)
    ok(await undo(admin, secondBack))
    expect(await shown()).toMatchObject({ name: '第二步' })
    // What was changed since, and not taken back, is asked about as before.
    expect((await undo(admin, first)).status).toBe(400)
  })

  it('leaves gone what somebody removed since, even where changed rows go along', async () => {
    const row = await pupil(admin)
    const edit = await admin.post<Row>(`${pupils}/submit`, { id: row.id, name: '误改' })
    await removed(admin, pupils, row.id)
    const refused = await undo(admin, String(edit.headers['x-request-id']), 1)
    expect(refused.msg).toMatch(/学生 1（误改）/)
    expect((await detail(admin, pupils, row.id)).status).toBe(404)
  })

  it('takes nothing back where one row cannot go: what points at it now is named', async () => {
    const { draft } = await sample(admin, student)
    const made = await admin.post<Row>(`${pupils}/submit`, draft)
    const parent = (await sample(admin, studentparents, new Map([['student', ok(made).id]]))).draft
    await add(admin, 'blade-user/studentparents', parent)
    const refused = await undo(admin, String(made.headers['x-request-id']))
    expect(refused.status).toBe(400)
    expect(refused.msg).toMatch(/家长|监护人/)
    expect((await detail(admin, pupils, made.data.id)).status).toBe(200)
  })

  it('is one’s own right for a day; others’ changes and older ones ask for a permission', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'student_delete'])
    const other = await world.colleague(admin, ['student_view', 'student_delete'])
    const row = await pupil(admin)
    const requestId = await removed(clerk, pupils, row.id)
    expect((await undo(other, requestId)).status).toBe(403)
    const stranger = await world.tenant()
    expect((await undo(stranger, requestId)).status).toBe(404)
    ok(await undo(clerk, requestId))
    const later = await removed(clerk, pupils, row.id)
    await world.owner.query(`update history set at = at - interval '25 hours' where request_id = $1`, [later])
    expect((await undo(clerk, later)).data).toBeNull()
    expect((await undo(clerk, later)).status).toBe(403)
    const auditor = await world.colleague(admin, ['history_undo'])
    // The permission to undo is none to write students.
    expect((await undo(auditor, later)).status).toBe(403)
    const head = await world.colleague(admin, ['history_undo', 'student_delete'])
    ok(await undo(head, later))
    expect((await detail(admin, pupils, row.id)).status).toBe(200)
  })

  it('does nothing twice: the second of two finds the rows touched', async () => {
    const row = await pupil(admin)
    const requestId = await removed(admin, pupils, row.id)
    const answers = await Promise.all([undo(admin, requestId), undo(admin, requestId)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
    expect((await detail(admin, pupils, row.id)).status).toBe(200)
  })
})

describe('every kind of row', () => {
  // What all tenants share is not taken back, what no call adds cannot come back, and the file of an attachment is gone.
  const kinds = entities.filter(
    (entity) => entity.ownership !== 'platform' && !entity.readOnly && entity.name !== 'attach',
  )
  /** What the definition does not say of a draft that can stand alone. */
  const alone: Readonly<Record<string, object>> = { dictbiz: { dictKey: '-1' }, user: { avatar: null } }

  it('is most of what there is', () => expect(kinds.length).toBeGreaterThan(25))

  it.each(kinds.map((entity) => [entity.name, entity] as const))(
    '%s comes back as it was, by an undo and by a restore',
    async (_name, entity) => {
      // What the platform alone works with stands in its own tenant.
      const person = isOfPlatform(entity) ? await world.platform() : await world.tenant()
      const { draft } = await sample(person, entity)
      const made = await add(person, entity.path, { ...draft, ...alone[entity.name] })
      const before = ok(await detail(person, entity.path, made.id))
      const gone = await person.remove(entity.path, made.id)
      ok(gone)
      ok(await undo(person, String(gone.headers['x-request-id'])))
      const undone = ok(await detail(person, entity.path, made.id))
      expect(without(undone)).toEqual(without(before))
      ok(await person.remove(entity.path, made.id))
      ok(await restore(person, entity.path, made.id, await lastEntry(person, made.id)))
      const back = ok(await detail(person, entity.path, made.id))
      // A school comes back with a department made anew.
      const own = entity.name === 'school' ? { deptId: back.deptId, deptName: back.deptName } : {}
      expect(without(back)).toEqual(without({ ...before, ...own }))
    },
  )
})
