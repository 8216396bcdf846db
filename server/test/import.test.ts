import { idNoCheckDigit } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import {
  batchOf,
  checked,
  committed,
  countOf,
  faultyRows,
  idNoOf,
  line,
  makeSchool,
  mappingOf,
  type RowView,
  table,
  uploaded,
  xlsx,
} from './import-parts.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

describe('a good file', () => {
  it('is read, matched, checked, tried out, stored as one batch, found, and taken back', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const file = await xlsx(table([0, 1, 2, 3].map((index) => line(place, index))))
    const batch = await uploaded(world, admin, place, file)
    expect(batch).toMatchObject({ state: 'mapping', total: 4, missing: [] })
    expect(batch.columns.every((column) => column.key !== null && column.confidence === 1)).toBe(true)
    expect(batch.columns[0]?.samples[0]).toBe('王小明')

    await admin.post('blade-user/import/mapping', { id: batch.id, mapping: mappingOf(batch) })
    const ready = await batchOf(admin, batch.id)
    const trial = await admin.post<BatchCounts>('blade-user/import/dry-run', undefined, { query: { id: ready.id } })
    expect(trial.data).toEqual({ add: 4, update: 0, skip: 0, bad: 0, out: 0 })
    expect(await countOf(world, admin, 'student')).toBe(0)

    expect(await committed(admin, ready.id)).toMatchObject({ state: 'done', failure: null, counts: { add: 4 } })
    const found = await admin.get<{ total: number; records: { id: string; studentNo: string; className: string }[] }>(
      'blade-user/student/list',
      { keyword: 'wxm' },
    )
    expect(found.data.total).toBe(1)
    const [student] = found.data.records
    expect(student).toMatchObject({ studentNo: '20260101', className: `${place.grade}(1)班` })
    const byPhone = await admin.get<{ total: number }>('blade-user/student/list', { keyword: '13910000000' })
    expect(byPhone.data.total).toBe(1)
    const history = await admin.get<{ action: string }[]>('blade-user/student/history', { id: student!.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['import'])
    const classes = await admin.get<{ records: { studentCount: number }[] }>('blade-user/schoolclass/list')
    expect(classes.data.records.map((each) => each.studentCount)).toEqual([2, 2])
    expect(await countOf(world, admin, 'studentclass')).toBe(4)
    expect(await countOf(world, admin, 'studentparents')).toBe(4)
    expect(await countOf(world, admin, 'import_row')).toBe(0)

    expect((await admin.post('blade-user/import/undo', undefined, { query: { id: ready.id } })).status).toBe(200)
    expect(await batchOf(admin, ready.id)).toMatchObject({ state: 'undone', failure: null })
    for (const name of ['student', 'studentparents', 'studentclass', 'search_key_of_students'])
      expect(
        await (name === 'search_key_of_students' ? studentKeys(admin.tenantId) : countOf(world, admin, name)),
      ).toBe(0)
    const after = await admin.get<{ records: { studentCount: number }[] }>('blade-user/schoolclass/list')
    expect(after.data.records.map((each) => each.studentCount)).toEqual([0, 0])
  })

  it('numbers on from the last number of the class, round those that the file gives', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const lines = [0, 2, 4].map((index) => line(place, index))
    lines[1]!['student.studentNo'] = '20260101'
    const first = await checked(world, admin, place, await xlsx(table(lines)))
    await committed(admin, first.id)
    const list = await admin.get<{ records: { studentNo: string }[] }>('blade-user/student/list')
    expect(list.data.records.map((each) => each.studentNo)).toEqual(['20260101', '20260102', '20260103'])
  })

  it('keeps the texts of a file only sealed', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const bad = line(place, 0, { 'student.sex': '13912345678' })
    const batch = await checked(world, admin, place, await xlsx(table([bad])))
    const rows = await world.owner.query(`select * from import_row where batch_id = ${batch.id}`)
    const kept = JSON.stringify(rows.rows)
    for (const secret of ['王小明', bad['student.idNo']!, '13910000000', '13912345678']) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('duplicates', () => {
  it('are left alone, or changed where the clerk says so, and changed back by the undo', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const first = await checked(world, admin, place, await xlsx(table([line(place, 0)])))
    await committed(admin, first.id)
    const again = table([
      line(place, 0, { 'student.remark': '走读改住校', 'member1.workUnit': '第一公司' }),
      line(place, 1),
    ])
    const batch = await checked(world, admin, place, await xlsx(again))
    expect(batch.counts).toEqual({ add: 1, update: 0, skip: 1, bad: 0, out: 0 })
    await admin.post('blade-user/import/check', undefined, { query: { id: batch.id, duplicates: 'update' } })
    expect((await batchOf(admin, batch.id)).counts).toEqual({ add: 1, update: 1, skip: 0, bad: 0, out: 0 })
    await committed(admin, batch.id)
    const find = async () =>
      (await admin.get<{ records: { id: string; version: number }[] }>('blade-user/student/list', { keyword: 'wxm' }))
        .data.records[0]!
    const student = await find()
    const detail = async () =>
      (await admin.get<{ remark: string | null }>('blade-user/student/detail', { id: student.id })).data
    expect(await detail()).toMatchObject({ remark: '走读改住校', version: 2 })
    expect(await countOf(world, admin, 'studentparents')).toBe(2)
    await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id } })
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone' })
    expect(await detail()).toMatchObject({ remark: null, version: 3 })
    expect(await countOf(world, admin, 'student')).toBe(1)
    expect((await find()).id).toBe(student.id)
    const history = await admin.get<{ action: string }[]>('blade-user/student/history', { id: student.id })
    expect(history.data.map((entry) => entry.action)).toEqual(['undo', 'import', 'import'])
  })

  it('of another school are named, not taken over', async () => {
    const admin = await world.tenant()
    const [one, two] = [await makeSchool(admin), await makeSchool(admin)]
    await committed(admin, (await checked(world, admin, one, await xlsx(table([line(one, 0)])))).id)
    const batch = await checked(world, admin, two, await xlsx(table([line(two, 0)])), '新生.xlsx', 'update')
    const [row] = await faultyRows(admin, batch.id)
    expect(row?.faults).toMatchObject([{ field: 'student.idNo', message: '已属于另一所学校的学生' }])
  })
})

describe('a faulty row', () => {
  const day = '2013-09-05'
  const kinds: [string, Record<string, string>, string, string][] = [
    ['a required cell is empty', { 'student.name': '' }, 'student.name', '不能为空'],
    [
      'a word is none of the dictionary',
      { 'student.sex': '男男' },
      'student.sex',
      '不是可选的值，可填：男、女、未知、未说明',
    ],
    ['a day does not exist', { 'student.birthDate': '2013-02-30' }, 'student.birthDate', '没有“2013-02-30”这一天'],
    ['the check digit is wrong', { 'student.idNo': '110103201309050011' }, 'student.idNo', '身份证号校验位不正确'],
    [
      'the number contradicts the day of birth',
      { 'student.birthDate': '2013-09-06' },
      'student.idNo',
      '身份证号与出生日期不一致',
    ],
    ['the number contradicts the sex', { 'student.sex': '女' }, 'student.idNo', '身份证号与性别不一致'],
    [
      'the region of the number does not exist',
      { 'student.idNo': `11999920130905001${idNoCheckDigit('11999920130905001')}` },
      'student.idNo',
      '身份证号前6位不是任何行政区划代码',
    ],
    [
      'a spreadsheet lost the end of the number',
      { 'student.idNo': '110103201309050000' },
      'student.idNo',
      '后三位是000，可能被Excel改过，请把单元格设为文本后重新填写',
    ],
    [
      'the class does not exist',
      { 'student.classId': '七年级（9）班' },
      'student.classId',
      '2026-2027学年没有这个班级',
    ],
    ['the grade does not exist', { 'student.gradeId': '十年级' }, 'student.gradeId', '本校没有该年级'],
    [
      'the national code contradicts the number',
      { 'student.nationalCode': `G${idNoOf(day, 99)}` },
      'student.nationalCode',
      '学籍号与身份证号不一致',
    ],
    ['the guardian has a wrong mobile', { 'member1.mobile': '12345' }, 'member1.mobile', '电话号码格式不正确'],
    ['the relation needs a word', { 'member1.relation': '其他亲属' }, 'member1.relation', '请说明关系'],
    [
      'the region has no such name',
      { 'detail.hukouRegionCode': '某某县' },
      'detail.hukouRegionCode',
      '不是行政区划，应形如“江苏省南京市玄武区”或6位代码',
    ],
    [
      'nobody here was born before 1900',
      { 'student.birthDate': '1899-12-31', 'student.idNo': '' },
      'student.birthDate',
      '不能早于1900-01-01',
    ],
    ['a number is too large', { 'student.seatNo': '5000' }, 'student.seatNo', '须在1到999之间'],
  ]

  it('R-ERR-5 names every faulty cell, in the language of the caller, and is not stored', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const lines = kinds.map(([, more], at) => line(place, at * 2, more))
    lines.push(line(place, 101), line(place, 101, { 'student.name': '李小明' }))
    const batch = await checked(world, admin, place, await xlsx(table(lines)))
    expect(batch.counts).toEqual({ add: 0, update: 0, skip: 0, bad: lines.length, out: 0 })
    const rows = await faultyRows(admin, batch.id)
    for (const [at, [title, , field, message]] of kinds.entries()) {
      const row = rows.find((each) => each.row === at + 2)
      expect(row?.faults, title).toContainEqual(expect.objectContaining({ row: at + 2, field, message }))
    }
    expect(rows.at(-1)?.faults[0]).toMatchObject({ field: 'student.idNo', message: `与第${lines.length}行重复` })
    const english = await admin.get<{ records: RowView[] }>(
      'blade-user/import/rows',
      { id: batch.id, state: 'bad' },
      { language: 'en' },
    )
    expect(english.data.records[0]?.faults[0]).toMatchObject({ label: 'Name', message: 'is required' })
    const refused = await admin.post('blade-user/import/commit', undefined, { query: { id: batch.id } })
    expect(refused).toMatchObject({ status: 400, msg: `还有${lines.length}行有错误，请先修改，或选择跳过错误行` })
    expect(await countOf(world, admin, 'student')).toBe(0)
  })

  it('is corrected in place, together with the row that it collided with', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const twice = [line(place, 0), line(place, 2), line(place, 2, { 'student.name': '李小明' })]
    const batch = await checked(world, admin, place, await xlsx(table(twice)))
    expect(batch.counts).toMatchObject({ add: 1, bad: 2 })
    const column = batch.columns.find((each) => each.key === 'student.idNo')!.index
    const wrong = await admin.post<Corrected>('blade-user/import/correct', {
      id: batch.id,
      row: 4,
      cells: { [column]: '1101' },
    })
    expect(wrong.data.counts).toMatchObject({ add: 2, bad: 1 })
    expect(wrong.data.rows.map((row) => [row.row, row.state])).toEqual([
      [3, 'good'],
      [4, 'bad'],
    ])
    const back = await admin.post<Corrected>('blade-user/import/correct', {
      id: batch.id,
      row: 4,
      cells: { [column]: twice[0]!['student.idNo'] },
    })
    expect(back.data.rows.map((row) => [row.row, row.state])).toEqual([
      [2, 'bad'],
      [4, 'bad'],
    ])
    const right = await admin.post<Corrected>('blade-user/import/correct', {
      id: batch.id,
      row: 4,
      cells: { [column]: idNoOf('2013-09-05', 9 * 2 + 1) },
    })
    expect(right.data.counts).toEqual({ add: 3, update: 0, skip: 0, bad: 0, out: 0 })
    expect(await committed(admin, batch.id)).toMatchObject({ counts: { add: 3, bad: 0 } })
  })

  it('is left out where the clerk says so', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const batch = await checked(
      world,
      admin,
      place,
      await xlsx(table([line(place, 0), line(place, 2, { 'student.sex': '男男' })])),
    )
    expect(await committed(admin, batch.id, { skipBad: '1' })).toMatchObject({
      state: 'done',
      counts: { add: 1, bad: 1 },
    })
    expect(await countOf(world, admin, 'student')).toBe(1)
  })

  it('R-ERR-5 stops the match of columns when what is required has none', async () => {
    const admin = await world.tenant()
    const place = await makeSchool(admin)
    const batch = await uploaded(world, admin, place, await xlsx(table([line(place, 0)])))
    const mapping = mappingOf(batch)
    const name = Object.keys(mapping).find((at) => mapping[at] === 'student.name')!
    delete mapping[name]
    const answer = await admin.post('blade-user/import/mapping', { id: batch.id, mapping })
    expect(answer).toMatchObject({
      status: 400,
      msg: '这些必填项还没有匹配列：姓名',
      data: { missing: [{ key: 'student.name' }] },
    })
  })
})

interface BatchCounts {
  add: number
  update: number
  skip: number
  bad: number
}
interface Corrected {
  rows: RowView[]
  counts: BatchCounts
}

const studentKeys = (tenantId: string): Promise<number> =>
  world.inTenant(
    tenantId,
    async (tx) =>
      (await tx.one<{ n: number }>(
        sql`select count(*)::int as n from search_key where tenant_id = ${tenantId} and entity = 'student'`,
      ))!.n,
  )
