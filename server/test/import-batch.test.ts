import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { recoverBatches } from '../src/modules/jobs/index.ts'
import { perform } from '../src/modules/jobs/run.ts'
import {
  batchOf,
  checked,
  committed,
  countOf,
  line,
  makeSchool,
  narrow,
  sendFile,
  table,
  xlsx,
} from './import-parts.ts'
import { jobsEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const three = async (who: Person) => {
  const place = await makeSchool(who)
  return {
    place,
    batch: await checked(world, who, place, await xlsx(table([0, 1, 2].map((index) => line(place, index))))),
  }
}

interface UndoPlan {
  readonly all: readonly { entity: string; removed: number; restored: number; held: number; sample: string[] }[]
  readonly keeping: UndoPlan['all']
  readonly touched: readonly { entity: string; count: number; own: boolean; sample: string[]; rows: object[] }[]
  readonly staying: number
  readonly about: object
  readonly seen: string
}

/** Three pupils in two classes that the import made. */
async function withClasses(who: Person) {
  const place = await makeSchool(who)
  const lines = [0, 1, 2].map((at) => line(place, at, { 'student.classId': `${place.grade}(${(at % 2) + 7})班` }))
  const batch = await checked(world, who, place, await xlsx(table(lines)))
  const groups = await who.get<{ key: string; text: string | null; make: object | null }[]>(
    'blade-user/import/groups',
    { id: batch.id },
  )
  const answers = groups.data.filter(({ make }) => make).map(({ key, text }) => ({ key, text, make: true }))
  expect(answers).toHaveLength(2)
  await who.post('blade-user/import/answer', { id: batch.id, answers })
  expect(await batchOf(who, batch.id)).toMatchObject({ state: 'checked', counts: { add: 3, bad: 0 } })
  expect(await committed(who, batch.id)).toMatchObject({ state: 'done' })
  const classes = await who.get<{ records: { id: string; className: string }[] }>('blade-user/schoolclass/list')
  const made = classes.data.records.filter(({ className }) => /[78]/.test(className))
  return { batch, place, classIds: made.map(({ id }) => id) }
}

const undo = (who: Person, id: string) =>
  who.post<{ blockers: { entity: string; sample: string[] }[] }>('blade-user/import/undo', undefined, { query: { id } })

describe('who may', () => {
  it('R-PERM-2 import at all: holders of the code, and nobody else', async () => {
    const admin = await world.tenant()
    const { place, batch } = await three(admin)
    const viewer = await world.colleague(admin, ['student_view', 'student_add', 'student_edit'])
    for (const path of ['batch', 'rows', 'list', 'template', 'faults'])
      expect((await viewer.get(`blade-user/import/${path}`, { id: batch.id })).status, path).toBe(403)
    for (const path of ['mapping', 'correct', 'check', 'dry-run', 'commit', 'undo', 'remove'])
      expect(
        (await viewer.post(`blade-user/import/${path}`, { id: batch.id }, { query: { id: batch.id, ids: batch.id } }))
          .status,
        path,
      ).toBe(403)
    expect((await sendFile(world, viewer, 'a.xlsx', await xlsx([['a']]), { schoolId: place.schoolId })).status).toBe(
      403,
    )
    expect((await world.call('GET', 'blade-user/import/list', null)).status).toBe(401)
  })

  it('R-PERM-3 import only those who work with every student: a file judges and changes any of them', async () => {
    const admin = await world.tenant()
    const { place, batch } = await three(admin)
    const file = await xlsx(table([line(place, 7)]))
    const clerk = await world.colleague(admin, ['student_import', 'student_view', 'studentparents_view'])
    expect((await sendFile(world, clerk, 'a.xlsx', file, { schoolId: place.schoolId })).status).toBe(200)
    await narrow(admin, clerk, 'student', 'name', '王')
    const refused = { status: 403, msg: '超出您的数据权限范围' }
    expect(await sendFile(world, clerk, 'a.xlsx', file, { schoolId: place.schoolId })).toMatchObject(refused)
    for (const step of ['commit', 'undo'])
      expect(await clerk.post(`blade-user/import/${step}`, undefined, { query: { id: batch.id } }), step).toMatchObject(
        refused,
      )
    expect(await countOf(world, admin, 'student')).toBe(0)
    // A part of a student is narrowed with it.
    const other = await world.colleague(admin, ['student_import'])
    await narrow(admin, other, 'studentparents', 'parentName', '王')
    expect(await sendFile(world, other, 'a.xlsx', file, { schoolId: place.schoolId })).toMatchObject(refused)
  })

  it('R-PERM-3 A1 know of the files of others, and of what was learned, only those who work with every row they may name', async () => {
    const admin = await world.tenant()
    const { place, batch } = await three(admin)
    const codes = ['student_import', 'schoolclass_import', 'student_view', 'student_edit']
    const clerk = await world.colleague(admin, codes)
    const file = await xlsx(table([line(place, 8)]))
    const own = (await sendFile(world, clerk, '自己的.xlsx', file, { schoolId: place.schoolId })).data as { id: string }
    await jobsEnded()
    const files = async (query = {}): Promise<string[]> =>
      (await clerk.get<{ records: { fileName: string }[] }>('blade-user/import/list', query)).data.records.map(
        ({ fileName }) => fileName,
      )
    expect((await files()).length).toBe(2)
    await narrow(admin, clerk, 'student', 'name', '王')
    expect([await files(), await files({ all: 1 })]).toEqual([['自己的.xlsx'], ['自己的.xlsx']])
    const home = await clerk.get<{ office: { imports: { fileName: string }[] } }>('blade-desk/home', { kind: 'office' })
    expect(home.data.office.imports.map(({ fileName }) => fileName)).toEqual(['自己的.xlsx'])
    const refused = { status: 403, msg: '超出您的数据权限范围' }
    for (const id of [batch.id, own.id]) {
      for (const path of ['batch', 'rows', 'groups', 'faults', 'undo-plan'])
        expect(await clerk.get(`blade-user/import/${path}`, { id }), path).toMatchObject(refused)
      for (const path of ['check', 'dry-run', 'commit', 'undo'])
        expect(await clerk.post(`blade-user/import/${path}`, {}, { query: { id } }), path).toMatchObject(refused)
      for (const [path, body] of [
        ['mapping', { mapping: {} }],
        ['sheets', { sheets: [0] }],
        ['correct', { row: 1, cells: {} }],
        ['answer', { answers: [{ key: 'student.sex', text: null, out: true }] }],
      ] as const)
        expect(await clerk.post(`blade-user/import/${path}`, { id, ...body }), path).toMatchObject(refused)
    }
    for (const path of ['learned', 'template'])
      expect(await clerk.get(`blade-user/import/${path}`, { schoolId: place.schoolId }), path).toMatchObject(refused)
    expect(await clerk.post('blade-user/import/forget', {})).toMatchObject(refused)
    // What is one's own may be dropped, and nothing of others.
    const drop = (ids: string) => clerk.post('blade-user/import/remove', undefined, { query: { ids } })
    expect((await drop(batch.id)).status).toBe(404)
    expect((await drop(own.id)).status).toBe(200)
    expect(await files()).toEqual([])
    // Classes name their teachers: a part of the people is a part of what a file of classes may name.
    expect((await clerk.get('blade-user/import-schoolclass/learned')).status).toBe(200)
    await narrow(admin, clerk, 'user', 'realName', '王')
    expect(await clerk.get('blade-user/import-schoolclass/learned')).toMatchObject(refused)
  })

  it('see the cells of a file: who brought it, and who may see personal values', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    const clerk = await world.colleague(admin, ['student_import'])
    expect(await clerk.get('blade-user/import/rows', { id: batch.id })).toMatchObject({
      status: 403,
      msg: '没有权限：学生 · 查看敏感信息（student_personal）',
    })
    expect((await clerk.get('blade-user/import/faults', { id: batch.id })).status).toBe(403)
    const view = await clerk.get<{ columns: { samples: string[] }[] }>('blade-user/import/batch', { id: batch.id })
    expect(view.data.columns.flatMap((column) => column.samples)).toEqual([])
    const trusted = await world.colleague(admin, ['student_import', 'student_personal'])
    expect((await trusted.get('blade-user/import/rows', { id: batch.id })).status).toBe(200)
  })

  it("touch a batch: people of its tenant; another's is not found, in the words for one that never was", async () => {
    const [one, two] = [await world.tenant(), await world.tenant()]
    const { batch, place } = await three(one)
    const never = await two.get('blade-user/import/batch', { id: '12345' })
    for (const path of ['batch', 'rows', 'faults'])
      expect(await two.get(`blade-user/import/${path}`, { id: batch.id }), path).toMatchObject({
        status: 404,
        msg: never.msg,
      })
    for (const path of ['check', 'dry-run', 'commit', 'undo', 'remove'])
      expect(
        await two.post(`blade-user/import/${path}`, undefined, { query: { id: batch.id, ids: batch.id } }),
        path,
      ).toMatchObject({ status: 404, msg: never.msg })
    expect((await two.post('blade-user/import/correct', { id: batch.id, row: 2, cells: { 0: 'x' } })).status).toBe(404)
    expect((await two.post('blade-user/import/mapping', { id: batch.id, mapping: {} })).status).toBe(404)
    expect((await two.get<{ total: number }>('blade-user/import/list')).data.total).toBe(0)
    const foreign = await sendFile(world, two, 'a.xlsx', await xlsx(table([line(place, 0)])), {
      schoolId: place.schoolId,
    })
    expect(foreign).toMatchObject({ status: 400, msg: '学校：所选数据不存在' })
    expect(await batchOf(one, batch.id)).toMatchObject({ state: 'checked', counts: { add: 3 } })
  })
})

describe('a commit', () => {
  it('is done once, however often and at the same time it is asked for', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => admin.post('blade-user/import/commit', undefined, { query: { id: batch.id } })),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'done', counts: { add: 3 } })
    expect(await countOf(world, admin, 'student')).toBe(3)
    expect((await admin.post('blade-user/import/commit', undefined, { query: { id: batch.id } })).status).toBe(200)
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'done' })
    expect(await countOf(world, admin, 'student')).toBe(3)
  })

  it('keeps nothing where others were quicker, and says which rows came in, by whom; then these are skipped or updated', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const lines = [0, 1, 2, 3].map((index) => line(place, index))
    const mine = await checked(world, admin, place, await xlsx(table(lines)), '我的.xlsx')
    // A colleague brings two of them, a third is typed by hand, and a fourth one's seat is taken.
    const theirs = await checked(world, admin, place, await xlsx(table(lines.slice(0, 2))), '同事的.xlsx')
    await committed(admin, theirs.id)
    const third = {
      ...{ schoolId: place.schoolId, studentNo: 'H3', name: '王小刚', sex: '1', birthDate: '2013-09-05' },
    }
    const typed = await admin.post('blade-user/student/submit', {
      ...third,
      idType: '1',
      idNo: lines[2]!['student.idNo'],
    })
    expect(typed).toMatchObject({ status: 200 })
    const after = await committed(admin, mine.id)
    const name = (await admin.get<{ records: { userName: string }[] }>('blade-user/import/list')).data.records[0]!
    expect(after).toMatchObject({
      ...{ state: 'checked', counts: { add: 1, skip: 3, bad: 0 } },
      failure: `检查之后有变化，没有写入任何内容：第2、3行已由${name.userName}导入（“同事的.xlsx”）；第4行已由${name.userName}新增。请选择跳过或更新这些行，再导入`,
    })
    expect(await countOf(world, admin, 'student')).toBe(3)
    // Nobody has to check again first.
    await admin.post('blade-user/import/check', undefined, { query: { id: mine.id, duplicates: 'update' } })
    expect(await batchOf(admin, mine.id)).toMatchObject({ failure: null, counts: { add: 1, update: 3, skip: 0 } })
    expect(await committed(admin, mine.id)).toMatchObject({ state: 'done', counts: { add: 1, update: 3 } })
    expect(await countOf(world, admin, 'student')).toBe(4)
  })

  it('of two overlapping batches at once stores each student once, and tells the other by whom', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const file = await xlsx(table([0, 1, 2, 3].map((index) => line(place, index))))
    const [first, second] = [await checked(world, admin, place, file), await checked(world, admin, place, file)]
    await Promise.all(
      [first, second].map((batch) => admin.post('blade-user/import/commit', undefined, { query: { id: batch.id } })),
    )
    const states = [await batchOf(admin, first.id), await batchOf(admin, second.id)]
    expect(states.map((batch) => batch.state).sort()).toEqual(['checked', 'done'])
    const other = states.find((batch) => batch.state === 'checked')
    expect(other?.failure).toContain('第2、3、4、5行已由')
    expect(other?.failure).toContain('导入（“新生.xlsx”）')
    expect(other?.counts).toMatchObject({ add: 0, skip: 4 })
    expect(await countOf(world, admin, 'student')).toBe(4)
  })

  it('of two that would make the same class makes it once; the other one’s pupils come into that', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const ready = async (index: number) => {
      const lines = [line(place, index, { 'student.classId': `${place.grade}(9)班` })]
      const batch = await checked(world, admin, place, await xlsx(table(lines)))
      const groups = await admin.get<{ key: string; text: string }[]>('blade-user/import/groups', { id: batch.id })
      const answers = groups.data.map(({ key, text }) => ({ key, text, make: true }))
      await admin.post('blade-user/import/answer', { id: batch.id, answers })
      return batchOf(admin, batch.id)
    }
    const [first, second] = [await ready(0), await ready(2)]
    expect(await committed(admin, first.id)).toMatchObject({ state: 'done' })
    expect(await committed(admin, second.id)).toMatchObject({
      ...{ state: 'checked', counts: { add: 1, bad: 0 } },
      failure: '检查之后有变化，没有写入任何内容：要新建的班级已有人建好。请核对后再导入',
    })
    expect(await committed(admin, second.id)).toMatchObject({ state: 'done', failure: null })
    expect(await countOf(world, admin, 'schoolclass')).toBe(3)
    const { records } = (await admin.get<{ records: { classId: string }[] }>('blade-user/student/list')).data
    expect(new Set(records.map(({ classId }) => classId)).size).toBe(1)
  })
})

describe('an undo', () => {
  it('is refused with the names of rows that somebody has changed since, and changes nothing', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    await committed(admin, batch.id)
    const list = await admin.get<{ records: { id: string; name: string }[] }>('blade-user/student/list')
    const [student] = list.data.records
    await admin.post('blade-user/student/submit', { id: student!.id, remark: '已核对' })
    const answer = await undo(admin, batch.id)
    expect(answer.status).toBe(400)
    expect(answer.msg).toBe(`导入之后已有改动，不能撤销：学生 1（${student!.name}）`)
    expect(answer.data.blockers).toMatchObject([{ entity: 'student', sample: [student!.name] }])
    expect(await countOf(world, admin, 'student')).toBe(3)
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'done' })
    // Whoever has read the names may take those rows back too; their later values stay in the history.
    const all = await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id, changed: 1 } })
    expect(all.status).toBe(200)
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone' })
    expect(await countOf(world, admin, 'student')).toBe(0)
    const history = await admin.get<{ action: string }[]>('blade-user/student/history', { id: student!.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['undo', 'edit', 'import'])
  })

  it('is refused when something new points at its students', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    await committed(admin, batch.id)
    const list = await admin.get<{ records: { id: string }[] }>('blade-user/student/list')
    const added = await admin.post('blade-user/studentparents/submit', {
      studentId: list.data.records[0]!.id,
      parentName: '王奶奶',
      relation: '62',
      mobile: '13700000000',
      contactPriority: 5,
    })
    expect(added.status).toBe(200)
    const answer = await undo(admin, batch.id)
    expect(answer).toMatchObject({
      status: 400,
      data: { blockers: [{ entity: 'studentparents', sample: ['王奶奶'] }] },
    })
  })

  const planOf = async (who: Person, id: string) =>
    (await who.get<UndoPlan>('blade-user/import/undo-plan', { id })).data
  const tally = (taken: UndoPlan['all']) =>
    Object.fromEntries(taken.map((each) => [each.entity, [each.removed, each.restored]]))

  it('says beforehand what goes, what was made for it among that, and what somebody uses stays', async () => {
    const admin = await world.tenant()
    const { batch, classIds } = await withClasses(admin)
    const imported = (await admin.get<{ records: { name: string }[] }>('blade-user/student/list')).data.records.map(
      ({ name }) => name,
    )
    expect(tally((await planOf(admin, batch.id)).all)).toEqual({
      ...{ student: [3, 0], studentparents: [3, 0], studentclass: [3, 0], schoolclass: [2, 0] },
    })
    expect((await planOf(admin, batch.id)).all.find(({ entity }) => entity === 'schoolclass')?.sample.length).toBe(2)
    // A pupil who came by hand keeps one of the classes.
    const place = (await admin.get<{ records: { schoolId: string }[] }>('blade-user/student/list')).data.records[0]!
    const own = await admin.post('blade-user/student/submit', {
      ...{ schoolId: place.schoolId, classId: classIds[0], studentNo: 'H1', name: '手工', sex: '1' },
      birthDate: '2013-09-05',
    })
    expect(own.status).toBe(200)
    const plan = await planOf(admin, batch.id)
    expect(plan.touched).toEqual([])
    expect(tally(plan.all).schoolclass).toEqual([1, 0])
    expect((await undo(admin, batch.id)).status).toBe(200)
    const after = await batchOf(admin, batch.id)
    expect(after).toMatchObject({ state: 'undone', stayed: 0 })
    // R-STUDENT-4 What it did is told by name afterwards as well.
    const names = (entity: string) => after.undone!.taken.find((each) => each.entity === entity)!
    expect(names('student')).toMatchObject({ removed: 3, restored: 0 })
    expect(names('student').sample.toSorted()).toEqual(imported.toSorted())
    expect(names('schoolclass')).toMatchObject({ removed: 1, held: 1 })
    expect([names('schoolclass').sample.length, names('schoolclass').heldSample.length]).toEqual([1, 1])
    expect(after.undone!.touched).toEqual([])
    expect(await countOf(world, admin, 'student')).toBe(1)
    expect(await countOf(world, admin, 'schoolclass')).toBe(3)
  })

  it('keeps pupils whose rows others have changed or use, whole, and takes back all others', async () => {
    const admin = await world.tenant()
    const { batch } = await withClasses(admin)
    const students = (await admin.get<{ records: { id: string; name: string }[] }>('blade-user/student/list')).data
      .records
    const parents = (
      await admin.get<{ records: { id: string; studentId: string }[] }>('blade-user/studentparents/list')
    ).data.records
    // Of the first pupil a guardian was changed, with the second a new one was put.
    const first = parents.find(({ studentId }) => studentId === students[0]!.id)!
    await admin.post('blade-user/studentparents/submit', { id: first.id, workUnit: '新单位' })
    const second = await admin.post('blade-user/studentparents/submit', {
      ...{
        studentId: students[1]!.id,
        parentName: '王奶奶',
        relation: '62',
        mobile: '13700000000',
        contactPriority: 5,
      },
    })
    expect(second.status).toBe(200)
    const plan = await planOf(admin, batch.id)
    expect(plan.touched).toMatchObject([
      { entity: 'studentparents', count: 1, own: true },
      { entity: 'studentparents', count: 1, own: false, sample: ['王奶奶'] },
    ])
    expect(plan.staying).toBe(2)
    expect(tally(plan.keeping)).toMatchObject({ student: [1, 0], studentparents: [1, 0], studentclass: [1, 0] })
    expect((await undo(admin, batch.id)).status).toBe(400)
    const kept = await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id, keep: 1 } })
    expect(kept.status).toBe(200)
    const after = await batchOf(admin, batch.id)
    expect(after).toMatchObject({ state: 'undone', stayed: 2 })
    // R-STUDENT-4 What went is named, and what stayed with whose work that is for.
    expect(after.undone).toMatchObject({
      kept: true,
      taken: [{ entity: 'student', removed: 1, sample: [students[2]!.name] }, {}, {}, {}],
      touched: [
        { entity: 'studentparents', rows: [{ of: students[0]!.name, how: 'changed', by: expect.any(String) }] },
        { entity: 'studentparents', rows: [{ name: '王奶奶', of: students[1]!.name, how: 'added' }] },
      ],
    })
    const left = (await admin.get<{ records: { id: string; classId: string }[] }>('blade-user/student/list')).data
    expect(left.records.map(({ id }) => id).toSorted()).toEqual([students[0]!.id, students[1]!.id].toSorted())
    expect(left.records.every(({ classId }) => classId)).toBe(true)
    expect(await countOf(world, admin, 'studentparents')).toBe(3)
    expect(await countOf(world, admin, 'studentclass')).toBe(2)
    const unit = await admin.get<{ workUnit: string }>('blade-user/studentparents/detail', { id: first.id })
    expect(unit.data.workUnit).toBe('新单位')
  })

  it('says row by row what others did, whose it is and who, of what is gone as well', async () => {
    const admin = await world.tenant()
    const { batch, classIds } = await withClasses(admin)
    const { records: students } = (
      await admin.get<{ records: { id: string; name: string; classId: string; schoolId: string }[] }>(
        'blade-user/student/list',
      )
    ).data
    const { records: parents } = (
      await admin.get<{ records: { id: string; parentName: string; studentId: string }[] }>(
        'blade-user/studentparents/list',
      )
    ).data
    const [first, second] = students
    const lost = parents.find(({ studentId }) => studentId === first!.id)!
    expect((await admin.post(`blade-user/studentparents/remove`, undefined, { query: { ids: lost.id } })).status).toBe(
      200,
    )
    await admin.post('blade-user/student/submit', { id: second!.id, remark: '已核对' })
    // A pupil who came by hand keeps one of the classes.
    await admin.post('blade-user/student/submit', {
      ...{ schoolId: first!.schoolId, classId: classIds[0], studentNo: 'H1', name: '手工', sex: '1' },
      birthDate: '2013-09-05',
    })
    const plan = await planOf(admin, batch.id)
    const by = expect.stringMatching(/./)
    expect(plan.touched.map(({ entity, rows }) => [entity, rows])).toEqual([
      ['studentparents', [{ name: lost.parentName, of: first!.name, how: 'removed', by }]],
      ['student', [{ name: second!.name, of: null, how: 'changed', by }]],
    ])
    const held = plan.all.find(({ entity }) => entity === 'schoolclass')
    expect(held).toMatchObject({ removed: 1, held: 1, heldSample: [expect.stringContaining('班')] })
    expect(plan.about).toEqual({ label: '学生', unit: '名' })
  })

  it('takes no change along that came after the plan was read', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    await committed(admin, batch.id)
    const [first, second] = (await admin.get<{ records: { id: string }[] }>('blade-user/student/list')).data.records
    await admin.post('blade-user/student/submit', { id: first!.id, remark: '已核对' })
    const { seen } = await planOf(admin, batch.id)
    const all = (word: string) =>
      admin.post('blade-user/import/undo', undefined, { query: { id: batch.id, changed: 1, seen: word } })
    for (const [id, remark] of [
      [second!.id, '另一人的'],
      [first!.id, '又改了'],
    ]) {
      await admin.post('blade-user/student/submit', { id, remark })
      expect((await all(seen)).status).toBe(400)
    }
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'done' })
    expect(await countOf(world, admin, 'student')).toBe(3)
    expect((await all((await planOf(admin, batch.id)).seen)).status).toBe(200)
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone' })
    expect(await countOf(world, admin, 'student')).toBe(0)
  })

  it('with nothing left to take back is refused, and the batch stays as it is', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    await committed(admin, batch.id)
    const list = await admin.get<{ records: { id: string }[] }>('blade-user/student/list')
    for (const { id } of list.data.records) await admin.post('blade-user/student/submit', { id, remark: '已核对' })
    await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id, keep: 1 } })
    expect(await batchOf(admin, batch.id)).toMatchObject({
      state: 'done',
      failure: '这批数据导入之后都有改动，没有可以撤销的',
    })
    expect(await countOf(world, admin, 'student')).toBe(3)
  })

  it('is done once, however often it is asked for, and the file can be imported again', async () => {
    const admin = await world.tenant()
    const { batch, place } = await three(admin)
    await committed(admin, batch.id)
    const answers = await Promise.all([1, 2, 3].map(() => undo(admin, batch.id)))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone' })
    const again = await checked(world, admin, place, await xlsx(table([0, 1, 2].map((index) => line(place, index)))))
    expect(await committed(admin, again.id)).toMatchObject({ state: 'done', counts: { add: 3 } })
    expect((await undo(admin, batch.id)).status).toBe(200)
    expect(await countOf(world, admin, 'student')).toBe(3)
  })
})

describe('a process that ended in the middle', () => {
  it('leaves batches that are set back where they can be tried again', async () => {
    const admin = await world.tenant()
    const { batch, place } = await three(admin)
    const others = await Promise.all(
      [0, 1, 2].map(async () => (await checked(world, admin, place, await xlsx(table([line(place, 9)])))).id),
    )
    const states = ['committing', 'checking', 'undoing', 'reading']
    const ids = [batch.id, ...others]
    await world.inTenant(admin.tenantId, async (tx) => {
      for (const [at, id] of ids.entries())
        await tx.run(
          sql`update import_batch set state = ${states[at]} where tenant_id = ${admin.tenantId} and id = ${id}`,
        )
    })
    await recoverBatches(world.services)
    const after = await Promise.all(ids.map((id) => batchOf(admin, id)))
    expect(after.map((each) => each.state)).toEqual(['checked', 'mapping', 'done', 'failed'])
    expect(after.map((each) => each.failure)).toEqual([
      '处理被中断，没有写入任何内容，请重试',
      '处理被中断，请重试',
      '处理被中断，没有撤销任何内容，请重试',
      '处理被中断，请重试',
    ])
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
  })

  it('was told to stop gives up its work at once, and keeps nothing of it', async () => {
    let stopped: Promise<void> | undefined
    const admin = await world.tenant()
    const { batch } = await three(admin)
    // Somebody holds the batch, so that the work on it has begun and waits when the stop comes.
    await world.inTenant(admin.tenantId, async (tx) => {
      await admin.post('blade-user/import/commit', undefined, { query: { id: batch.id } })
      await tx.run(sql`select 1 from import_batch where tenant_id = ${admin.tenantId} and id = ${batch.id} for update`)
      while ((await world.owner.query(`select 1 from job where state = 'running'`)).rowCount === 0)
        await new Promise((done) => setTimeout(done, 5))
      stopped = world.restartJobs()
    })
    await stopped
    expect(await batchOf(admin, batch.id)).toMatchObject({
      state: 'checked',
      failure: '处理被中断，没有写入任何内容，请重试',
    })
    expect(await countOf(world, admin, 'student')).toBe(0)
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done' })
  })

  it.each([
    ['commit', 'committing', 'checked', '处理被中断，没有写入任何内容，请重试', { skipBad: 0 }],
    ['undo', 'undoing', 'done', '处理被中断，没有撤销任何内容，请重试', {}],
  ])(
    'was killed in a %s: the next one says that nothing of it is left, and it can be repeated',
    async (step, ing, state, failure, more) => {
      const admin = await world.tenant()
      const { batch } = await three(admin)
      if (step === 'undo') await committed(admin, batch.id)
      const query = { id: batch.id, ...more }
      // As a process leaves it that ends without a word: the queue hands the same job out again.
      const jobId = await world.inTenant(admin.tenantId, async (tx) => {
        await tx.run(
          sql`update import_batch set state = ${ing} where tenant_id = ${admin.tenantId} and id = ${batch.id}`,
        )
        const job = await tx.one<{ id: string }>(
          sql`update job set state = 'running', kind = replace(kind, 'checking', ${ing}) where tenant_id = ${admin.tenantId} and kind like '%checking' returning id`,
        )
        return job!.id
      })
      const { signal } = new AbortController()
      await perform(world.services, admin.tenantId, jobId, signal, signal)
      expect(await batchOf(admin, batch.id)).toMatchObject({ state, failure })
      expect(await countOf(world, admin, 'student')).toBe(step === 'undo' ? 3 : 0)
      await admin.post(`blade-user/import/${step}`, undefined, { query })
      expect(await batchOf(admin, batch.id)).toMatchObject({
        state: step === 'undo' ? 'undone' : 'done',
        failure: null,
      })
      expect(await countOf(world, admin, 'student')).toBe(step === 'undo' ? 0 : 3)
    },
  )

  it('does not disturb a batch that another process is at', async () => {
    const admin = await world.tenant()
    const { batch } = await three(admin)
    await world.inTenant(admin.tenantId, async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`import|${admin.tenantId}|${batch.id}`}, 0))`)
      await world.inTenant(admin.tenantId, (other) =>
        other.run(
          sql`update import_batch set state = 'committing' where tenant_id = ${admin.tenantId} and id = ${batch.id}`,
        ),
      )
      await recoverBatches(world.services)
      expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'committing' })
    })
  })
})

it('a batch that was not imported can be dropped, with its cells; one that was stays as a record', async () => {
  const admin = await world.tenant()
  const { batch } = await three(admin)
  const other = await three(admin)
  await committed(admin, other.batch.id)
  expect((await admin.post('blade-user/import/remove', undefined, { query: { ids: other.batch.id } })).status).toBe(400)
  expect((await admin.post('blade-user/import/remove', undefined, { query: { ids: batch.id } })).status).toBe(200)
  expect((await admin.get('blade-user/import/batch', { id: batch.id })).status).toBe(404)
  expect(await countOf(world, admin, 'import_row')).toBe(0)
  expect((await admin.get<{ total: number }>('blade-user/import/list')).data.total).toBe(1)
})
