import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntityBatch, importer, listOf, type School, schoolWith, teachers } from './import-entity-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
}, 60_000)
afterAll(() => world.close())

type Cells = readonly (readonly (string | number)[])[]
interface Sheet {
  readonly name: string
  readonly cells: Cells
  readonly merges?: readonly string[]
}

/** A workbook as a school has it: written by a library of others, cell by cell, with its merged cells. */
async function workbook(...sheets: readonly Sheet[]): Promise<Buffer> {
  const book = new excel.Workbook()
  for (const { name, cells, merges = [] } of sheets) {
    const page = book.addWorksheet(name)
    for (const row of cells) page.addRow([...row])
    for (const range of merges) page.mergeCells(range)
  }
  return Buffer.from(await book.xlsx.writeBuffer())
}

const names = ['王芳', '李强', '周语', '吴数']

/** A primary school with two classes of the third grade, a room, teachers, and who teaches what in the first class. */
async function school(): Promise<School & { readonly ids: readonly string[] }> {
  const made = await schoolWith(admin, [
    ['13', 1],
    ['13', 2],
  ])
  const { schoolId, semesterId, campusId } = made
  const add = async (path: string, draft: object): Promise<Row> => {
    const answer = await admin.post<Row>(`blade-user/${path}/submit`, { schoolId, ...draft })
    if (answer.code !== 200) throw new Error(`${path}: ${answer.msg}`)
    return answer.data
  }
  // Names are those of one test alone: a tenant has one 王芳.
  const suffix = suffixes.next().value
  const ids = await teachers(
    admin,
    names.map((name) => name + suffix),
  )
  const subjects: Row[] = []
  for (const [subjectName, shortName] of [
    ['语文', '语'],
    ['数学', '数'],
    ['英语', '英'],
    ['体育', '体'],
  ])
    subjects.push(await add('schoolsubject', { subjectName, shortName, category: '1' }))
  const floor = await add('schoolfloor', {
    campusId,
    floorNo: 1,
    buildingName: 'A楼',
    buildingCode: 'A',
    floorName: 'A楼1层',
  })
  await add('schoolclassroom', {
    ...{ campusId, floorId: floor.id, roomName: '操场', roomCode: 'F1', roomType: '1', capacity: 100 },
  })
  const [first] = await listOf(admin, 'schoolclass', { schoolId, className: '（1）' })
  for (const [at, subject] of subjects.slice(0, 2).entries())
    await add('teacherclass', {
      ...{ semesterId, classId: first!.id, subjectId: subject.id, userId: ids[at], role: '1', weekHours: 5 },
      ...{ beginDate: '2026-09-01', endDate: '2027-01-31' },
    })
  return { ...made, ids }
}
const suffixes = (function* (): Generator<string, string> {
  for (const sign of '甲乙丙丁戊己庚辛壬癸') yield sign
  throw new Error('no more names')
})()

const weekdays = ['周一', '周二', '周三', '周四', '周五']
/** The lessons of the school's plans, as a person would say them. */
const lessonsOf = async ({ schoolId }: School): Promise<string[]> => {
  const listed = await listOf(admin, 'classschedule', { schoolId })
  const rows = await Promise.all(
    listed.map(async ({ id }) => (await admin.get<Row>('blade-user/classschedule/detail', { id })).data),
  )
  return rows
    .map((row) =>
      [
        row.className,
        `${weekdays[Number(row.weekday) - 1]}${row.periodNo}`,
        ...(row.span === 1 ? [] : [`连${row.span}`]),
        row.subjectName,
        String(row.teacherName).slice(0, 2),
        ...(row.weekType === '0' ? [] : [['', '单', '双', JSON.stringify(row.weeks)][Number(row.weekType)]]),
        ...(row.classroomId ? [row.classroomName] : []),
      ].join(' '),
    )
    .toSorted()
}
const plansOf = ({ schoolId }: School): Promise<Row[]> => listOf(admin, 'timetableplan', { schoolId })
const importing = () => importer(world, admin, 'classschedule')

/** Reads, checks and stores a file of which nothing is wrong. */
async function bring(place: School, file: Buffer | Cells, name?: string): Promise<EntityBatch> {
  const form = importing()
  const read = await form.read(place, file as Buffer, name)
  expect(read).toMatchObject({ failure: null, missing: [] })
  const checked = await form.check(read)
  expect(await form.faults(read.id)).toEqual([])
  expect(checked.counts.bad).toBe(0)
  return form.commit(read.id)
}

/** Cells with the names of the teachers of a test in place of the plain ones. */
const said = (cells: Cells, suffix: string): Cells =>
  cells.map((row) =>
    row.map((cell) => names.reduce((text, name) => String(text).replaceAll(name, name + suffix), cell)),
  )
const suffixOf = async ({ ids }: { readonly ids: readonly string[] }): Promise<string> =>
  String((await admin.get<Row>('blade-user/detail', { id: ids[0]! })).data.realName).slice(2)

describe('ISSUE-15-5 a timetable out of a list of lessons', () => {
  it('goes into a new draft plan of the semester, and is undone with it', async () => {
    const place = await school()
    const list = said(
      [
        ['班级', '学科', '教师', '星期', '节次', '连堂', '周次', '教室'],
        ['三（1）班', '语文', '周语', '星期一', 1, '', '每周', ''],
        ['三1班', '数学', '', '周二', '第3-4节', '', '', ''],
        ['三（2）班', '体育', '李强', '三', '第二节', 2, '单', '操场'],
        ['三（2）班', '英语', '王芳', 5, 6, '', '1-8周', ''],
      ],
      await suffixOf(place),
    )
    const done = await bring(place, list)
    expect(done).toMatchObject({ state: 'done', failure: null, stored: 4, makes: ['导入的课表'] })
    expect(await lessonsOf(place)).toEqual(
      [
        '三年级（1）班 周一1 语文 周语',
        // Whoever is assigned, where the row names nobody.
        '三年级（1）班 周二3 连2 数学 李强',
        '三年级（2）班 周三2 连2 体育 李强 单 操场',
        '三年级（2）班 周五6 英语 王芳 [1,2,3,4,5,6,7,8]',
      ].toSorted(),
    )
    const [plan] = await plansOf(place)
    expect(plan).toMatchObject({ planName: '导入的课表', status: 0, semesterId: place.semesterId })
    // The next one is a plan beside it.
    expect(await bring(place, list)).toMatchObject({ stored: 4, makes: ['导入的课表 2'] })
    expect(await plansOf(place)).toHaveLength(2)
    await importing().undo(done.id)
    expect((await plansOf(place)).map(({ planName }) => planName)).toEqual(['导入的课表 2'])
    expect(await lessonsOf(place)).toHaveLength(4)
  })
})

describe('ISSUE-15-5 a timetable as schools keep it', () => {
  const days = ['节次', '星期一', '星期二', '星期三', '星期四', '星期五']

  it('is a sheet for each class: cells in every way of writing, double periods merged, two lessons that take turns', async () => {
    const place = await school()
    const suffix = await suffixOf(place)
    const file = await workbook(
      {
        name: '三1',
        cells: said(
          [
            ['实验小学三年级（1）班课程表'],
            ['', ...days],
            ['上午', '第1节', '语文', '数学 李强', '语文\n王芳', '英语（周语）', '体育 李强 操场'],
            ['', '第2节', '语文/英语 周语（单/双）', '—', '数学李强', '', ''],
            ['', '大课间', '', '', '', '', ''],
            ['', '第3节', '体育 李强', '数学', '', '', ''],
            ['', '第4节', '', '', '', '', ''],
            ['下午', '第1节', '', '', '', '', '数学 吴数'],
            ['备注：本表自第1周起执行'],
          ],
          suffix,
        ),
        merges: ['A1:G1', 'C6:C7'],
      },
      { name: '三2', cells: said([['三（2）班'], days, ['1', '语文 王芳', '', '', '', '']], suffix) },
      { name: '说明', cells: [['本校课表由教务处编制']] },
    )
    expect(await bring(place, file)).toMatchObject({ state: 'done' })
    expect(await lessonsOf(place)).toEqual(
      [
        '三年级（1）班 周一1 语文 王芳',
        '三年级（1）班 周一2 语文 王芳 单',
        '三年级（1）班 周一2 英语 周语 双',
        '三年级（1）班 周一3 连2 体育 李强',
        '三年级（1）班 周二1 数学 李强',
        '三年级（1）班 周二3 数学 李强',
        '三年级（1）班 周三1 语文 王芳',
        '三年级（1）班 周三2 数学 李强',
        '三年级（1）班 周四1 英语 周语',
        '三年级（1）班 周五1 体育 李强 操场',
        '三年级（1）班 周五5 数学 吴数',
        '三年级（2）班 周一1 语文 王芳',
      ].toSorted(),
    )
  })

  it('is blocks below each other on one sheet, the teacher in the line below the subject', async () => {
    const place = await school()
    const file = await workbook({
      name: '全部课表',
      cells: said(
        [
          ['班级：三（1）班'],
          ['', '周一', '周二', '周三', '周四', '周五'],
          ['1', '语文', '数学', '', '', ''],
          ['', '周语', '吴数', '', '', ''],
          ['2', '', '语文', '', '', ''],
          ['', '', '王芳', '', '', ''],
          [],
          ['班级：三（2）班'],
          ['', '周一', '周二', '周三', '周四', '周五'],
          ['1', '', '', '', '', '体育'],
          ['', '', '', '', '', '李强'],
        ],
        await suffixOf(place),
      ),
    })
    await bring(place, file)
    expect(await lessonsOf(place)).toEqual(
      [
        '三年级（1）班 周一1 语文 周语',
        '三年级（1）班 周二1 数学 吴数',
        '三年级（1）班 周二2 语文 王芳',
        '三年级（2）班 周五1 体育 李强',
      ].toSorted(),
    )
  })

  it('is the sheet of the whole school: classes down, the periods of each day across, under a heading of two rows', async () => {
    const place = await school()
    const perDay = ['1', '2', '3']
    const file = await workbook({
      name: '总课表',
      cells: said(
        [
          ['实验小学2026-2027学年第一学期总课程表'],
          ['年级', '班级', ...['星期一', '星期二', '星期三', '星期四', '星期五'].flatMap((day) => [day, '', ''])],
          ['', '', ...Array.from({ length: 5 }, () => perDay).flat()],
          ['三年级', '1班', '语文', '数学', '', '体育 李强', '', '', '', '', '', '', '', '', '英语 周语', '', ''],
          ['', '2班', '', '数学 吴数', '', '', '', '', '', '', '', '', '', '', '', '', '语文 王芳'],
        ],
        await suffixOf(place),
      ),
      merges: ['A1:Q1', 'A2:A3', 'B2:B3', 'C2:E2', 'F2:H2', 'I2:K2', 'L2:N2', 'O2:Q2', 'A4:A5', 'F4:G4'],
    })
    await bring(place, file)
    expect(await lessonsOf(place)).toEqual(
      [
        '三年级（1）班 周一1 语文 王芳',
        '三年级（1）班 周一2 数学 李强',
        '三年级（1）班 周二1 连2 体育 李强',
        '三年级（1）班 周五1 英语 周语',
        '三年级（2）班 周一2 数学 吴数',
        '三年级（2）班 周五3 语文 王芳',
      ].toSorted(),
    )
  })

  it('is a text with commas as well', async () => {
    const place = await school()
    const text = said([['三年级（1）班课程表,,,,,'], [days.join()], ['第1节,语文 王芳,,,,数学']], await suffixOf(place))
    await bring(place, Buffer.from(text.map((row) => row.join()).join('\n')), '三1班课表.csv')
    expect(await lessonsOf(place)).toEqual(['三年级（1）班 周一1 语文 王芳', '三年级（1）班 周五1 数学 李强'])
  })

  it('tells unknown names at their cell with names that are near, mends them by one answer, and saves nothing till then', async () => {
    const place = await school()
    const suffix = await suffixOf(place)
    const form = importing()
    const file = await workbook({
      name: '三2',
      cells: [
        ['三（2）班课程表'],
        days,
        ['1', `语文 王方${suffix}`, '数雪', `语文 王方${suffix}`, '语文/数学', '英语'],
        ['2', '英语 张三丰', '', '', '', `数学 李强${suffix}`],
      ],
    })
    const read = await form.read(place, file)
    const checked = await form.check(read)
    expect(checked.counts).toMatchObject({ add: 1, bad: 6 })
    const rows = await admin.get<{ records: { cells: string[]; faults: { message: string }[] }[] }>(
      `${form.path}/rows`,
      { id: read.id, state: 'bad', size: 50 },
    )
    const told = new Map(rows.data.records.map(({ cells, faults }) => [cells.at(5), faults[0]!.message]))
    expect(told).toEqual(
      new Map([
        ['三2!B3', `没有这名教师，姓名相近的有：王芳${suffix}`],
        ['三2!B4', '没有这名教师，请选择一名，或先导入用户'],
        ['三2!C3', '没有这个学科，名称相近的有：数学'],
        ['三2!D3', `没有这名教师，姓名相近的有：王芳${suffix}`],
        ['三2!E3', '看不出哪一门是单周、哪一门是双周，应形如“语文/英语（单/双）”'],
        ['三2!F3', '没有写教师，该班该学科也没有任课关系：请补上教师，或先导入任课关系'],
      ]),
    )
    expect(await plansOf(place)).toEqual([])
    const groups = await form.groups(read.id)
    const near = groups.find(({ text }) => text === `语文 王方${suffix}`)
    expect(near).toMatchObject({ count: 2, options: [{ value: `语文 王芳${suffix}` }] })
    const answered = await form.answer(read.id, {
      ...{ key: near!.key, text: near!.text, as: `语文 王芳${suffix}` },
    })
    expect(answered.counts).toMatchObject({ add: 3, bad: 4 })
  })

  it('is no list of lessons where it holds none', async () => {
    const place = await school()
    const file = await workbook({ name: '课表', cells: [['三（1）班课程表'], days, ['1', '', '', '', '', '']] })
    expect((await importing().read(place, file)).failure).toContain('标题行')
  })
})
