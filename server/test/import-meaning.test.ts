import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, committed, faultyRows, mappingOf, type Place, sendFile, uploaded, xlsx } from './import-parts.ts'
import { type Child, type Parent, type Roster, rosters } from './import-rosters.ts'
import { rosters as files } from './rosters.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
const places = new Map<Roster['school'], Place>()
const kinds = { primary: ['2', '13', '10'], junior: ['3', '21', '20'], senior: ['4', '31', '40'] } as const

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  for (const kind of ['primary', 'junior', 'senior'] as const) places.set(kind, await schoolOf(admin, kind))
})
afterAll(() => world.close())

/** A school of one stage with two classes of one grade. */
async function schoolOf(who: Person, kind: Roster['school'], classes = 2): Promise<Place> {
  const [stage, gradeCode, classType] = kinds[kind]
  const add = async (entity: string, draft: Record<string, unknown>): Promise<string> => {
    const answer = await who.post<{ id: string }>(`blade-user/${entity}/submit`, draft)
    if (answer.status !== 200) throw new Error(`${entity}: ${answer.msg}`)
    return answer.data.id
  }
  const schoolId = await add('school', {
    schoolCode: `${{ primary: 21, junior: 31, senior: 34 }[kind]}32${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`,
    schoolName: `${kind}学校${Math.random()}`,
    schoolType: String({ primary: 21, junior: 31, senior: 34 }[kind]),
    stages: [stage],
    regionCode: '320102',
  })
  const yearId = await add('schoolyear', {
    schoolId,
    yearName: '2026-2027学年',
    startYear: 2026,
    beginDate: '2026-09-01',
    endDate: '2027-08-31',
    isCurrent: 1,
  })
  const campusId = await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 })
  const grades = await who.get<{ records: { id: string; gradeName: string }[] }>('blade-user/sysgrade/list', {
    gradeCode_equal: gradeCode,
  })
  const grade = grades.data.records[0]!
  const classIds: string[] = []
  for (let classNo = 1; classNo <= classes; classNo += 1)
    classIds.push(
      await add('schoolclass', {
        schoolId,
        campusId,
        yearId,
        gradeId: grade.id,
        classNo,
        className: `${grade.gradeName}(${classNo})班`,
        cohortYear: kind === 'primary' ? 2024 : 2026,
        classType,
      }),
    )
  return { schoolId, yearId, grade: grade.gradeName, classIds }
}

const rowsOf = async (entity: string, query: Record<string, string>): Promise<Row[]> =>
  (await admin.get<{ records: Row[] }>(`blade-user/${entity}/list`, { ...query, size: 200 })).data.records
const whole = async (entity: string, id: string): Promise<Record<string, unknown>> => ({
  ...(await admin.get<Record<string, unknown>>(`blade-user/${entity}/detail`, { id })).data,
  ...(await admin.get<Record<string, unknown>>(`blade-user/${entity}/personal`, { id })).data,
})

async function stored(child: Child, place: Place): Promise<unknown> {
  const found = await rowsOf('student', { name_equal: child.name, classId: place.classIds[child.classNo - 1]! })
  const row = found.find((each) => String(each.birthDate) === child.birth)
  if (!row) return `${child.name} is not in class ${child.classNo}`
  const own = await whole('student', row.id)
  const guardians = await rowsOf('studentparents', { studentId: row.id })
  const parents = await Promise.all(
    guardians
      .toSorted((a, b) => Number(a.contactPriority) - Number(b.contactPriority))
      .map(async ({ id }): Promise<Parent & { emergency: number }> => {
        const { parentName, relation, mobile, otherPhone, isEmergency } = await whole('studentparents', id)
        return {
          name: parentName as string | null,
          relation: relation as string | null,
          mobile: mobile as string | null,
          ...(otherPhone ? { other: otherPhone as string } : {}),
          emergency: Number(isEmergency),
        }
      }),
  )
  const [details] = await rowsOf('studentdetail', { studentId: row.id })
  const detail = child.detail && details ? await whole('studentdetail', details.id) : {}
  const some = (from: Record<string, unknown>, like: object = {}) =>
    Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]))
  return {
    sex: own.sex,
    idNo: own.idNo ?? undefined,
    enrolled: own.enrollDate,
    parents,
    own: some(own, child.own),
    detail: some(detail, child.detail),
  }
}

const expected = (child: Child, { school }: Roster): unknown => ({
  sex: child.sex,
  idNo: child.idNo,
  enrolled: school === 'primary' ? '2024-09-01' : '2026-09-01',
  parents: child.parents.map((parent, at) => ({ ...parent, emergency: at === 0 ? 1 : 0 })),
  own: child.own ?? {},
  detail: child.detail ?? {},
})

describe('R-IMP-1 a roster as a clerk keeps it comes in whole, matched by itself', () => {
  it.each(rosters.map((roster) => [roster.title, roster] as const))('%s', async (_title, roster) => {
    const place = places.get(roster.school)!
    const batch = await uploaded(world, admin, place, await xlsx(roster.rows))
    expect(batch).toMatchObject({ state: 'mapping', failure: null, missing: [] })
    await admin.post('blade-user/import/mapping', { id: batch.id, mapping: mappingOf(batch) })
    const ready = await batchOf(admin, batch.id)
    expect(await faultyRows(admin, batch.id)).toEqual([])
    expect(ready.counts).toEqual({ add: roster.children.length, update: 0, skip: 0, bad: 0, out: 0 })
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
    for (const child of roster.children) expect(await stored(child, place), child.name).toEqual(expected(child, roster))
    await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id } })
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone', failure: null })
  })
})

describe('R-IMP-1 a file of any kind and layout comes in whole', () => {
  it.each(files.map((roster) => [`${roster.file}: ${roster.about}`, roster] as const))('%s', async (_title, roster) => {
    // The children are the same in all of them.
    admin = await world.tenant()
    const place = await schoolOf(admin, 'primary', 0)
    const sent = await sendFile(world, admin, roster.file, await roster.bytes(), { schoolId: place.schoolId })
    expect(sent.msg).toBe('操作成功')
    const batch = await batchOf(admin, sent.data.id)
    expect(batch).toMatchObject({ state: 'mapping', failure: null })
    // A list that tells no child's birth cannot come in whole: that is said before anything is checked.
    if (!batch.columns.some(({ key }) => key === 'student.birthDate' || key === 'student.idNo')) {
      expect(batch.missing.map(({ key }) => key)).toContain('student.birthDate')
      expect(Object.keys(roster.first).some((heading) => /出生|身份证/.test(heading))).toBe(false)
      return
    }
    expect(batch.missing).toEqual([])
    const body = { id: batch.id, mapping: mappingOf(batch), ...(roster.hidden ? { hidden: 'take' } : {}) }
    expect((await admin.post('blade-user/import/mapping', body)).msg).toBe('操作成功')
    await batchOf(admin, batch.id)
    const groups = await groupsOf(batch.id)
    expect(groups.map(({ key, message, text, make }) => (make ? key : [key, message, text]))).toEqual(
      groups.map(() => 'student.classId'),
    )
    if (groups.length > 0) await answer(batch.id, ...groups.map(({ key, text }) => ({ key, text, make: true })))
    expect(await committed(admin, batch.id)).toMatchObject({
      state: 'done',
      failure: null,
      counts: { add: roster.pupils.length },
    })
    const rows = await rowsOf('student', { schoolId: place.schoolId })
    const tidy = (name: string) => name.replace(/\s/g, '')
    expect(rows.map((row) => [row.name, row.sex, row.birthDate]).toSorted()).toEqual(
      roster.pupils.map((each) => [tidy(each.name), each.sex === '男' ? '1' : '2', each.birth]).toSorted(),
    )
    for (const each of roster.pupils) {
      const row = rows.find((one) => one.name === tidy(each.name) && one.birthDate === each.birth)
      expect(String(row?.className), each.name).toContain(`（${each.classNo}）班`)
    }
    if (Object.keys(roster.first).some((heading) => /电话|手机/.test(heading))) {
      const guardians = await rowsOf('studentparents', { studentId: rows.map((row) => row.id).join(',') })
      expect(new Set(guardians.map((each) => each.studentId)).size).toBe(rows.length)
    }
  })
})

interface GroupView {
  key: string
  label: string
  message: string
  text: string | null
  words: { text: string; count: number }[]
  spellings: number
  count: number
  rows: number[]
  options: { value: string; label: string }[]
  mayBeEmpty: boolean
  make: { name: string; grade: string; cohortYear: number; classNo: number } | null
}

const checkedOf = async (place: Place, rows: readonly (readonly string[])[], more: object = {}) => {
  const batch = await uploaded(world, admin, place, await xlsx(rows))
  await admin.post('blade-user/import/mapping', { id: batch.id, mapping: mappingOf(batch), ...more })
  return batchOf(admin, batch.id)
}
const groupsOf = async (id: string) => (await admin.get<GroupView[]>('blade-user/import/groups', { id })).data
const answer = async (id: string, ...answers: object[]) => {
  const said = await admin.post('blade-user/import/answer', { id, answers })
  return said.status === 200 ? batchOf(admin, id) : said
}
const head = ['姓名', '性别', '出生日期', '班级', '民族']
const pupil = (no: number, className: string, nation = '汉') => [
  `学生${'零一二三四五六七八九'[no % 10]}`,
  '男',
  '2017-05-05',
  className,
  nation,
]

describe('equal faults are asked about once', () => {
  beforeAll(async () => {
    admin = await world.tenant()
    places.set('primary', await schoolOf(admin, 'primary'))
  })

  it('classes that do not exist are made with the batch, and undone with it while nobody uses them', async () => {
    const place = await schoolOf(admin, 'primary', 0)
    const rows = [1, 2, 3, 4, 5].map((no) => pupil(no, no < 4 ? '三（1）班' : '302'))
    const batch = await checkedOf(place, [head, ...rows])
    expect(batch.counts).toMatchObject({ add: 0, bad: 5 })
    const groups = await groupsOf(batch.id)
    expect(groups.map(({ text, count, make }) => [text, count, make])).toEqual([
      ['三（1）班', 3, { name: '三年级（1）班', grade: '三年级', cohortYear: 2024, classNo: 1 }],
      ['302', 2, { name: '三年级（2）班', grade: '三年级', cohortYear: 2024, classNo: 2 }],
    ])
    const ready = await answer(batch.id, ...groups.map(({ key, text }) => ({ key, text, make: true })))
    expect(ready).toMatchObject({ state: 'checked', counts: { add: 5, bad: 0 } })
    expect(await rowsOf('schoolclass', { schoolId: place.schoolId })).toEqual([])
    const done = await committed(admin, batch.id)
    expect(done).toMatchObject({
      state: 'done',
      failure: null,
      placed: [
        { name: '三年级（1）班', count: 3 },
        { name: '三年级（2）班', count: 2 },
      ],
    })
    const classes = await rowsOf('schoolclass', { schoolId: place.schoolId })
    expect(classes.map((each) => [each.className, each.studentCount]).toSorted()).toEqual([
      ['三年级（1）班', 3],
      ['三年级（2）班', 2],
    ])
    const second = classes.find((each) => each.className === '三年级（2）班')!
    // Somebody has begun to use one of them.
    const other = await admin.post<Row>('blade-user/student/submit', {
      schoolId: place.schoolId,
      studentNo: 'X1',
      name: '后来',
      sex: '1',
      birthDate: '2017-01-01',
      classId: second.id,
    })
    expect(other.msg).toBe('操作成功')
    await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id, changed: 1 } })
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone', failure: null })
    expect(
      (await rowsOf('schoolclass', { schoolId: place.schoolId })).map((each) => [each.className, each.studentCount]),
    ).toEqual([['三年级（2）班', 1]])
  })

  it('the classes that a question offers stand by grade, then by number', async () => {
    const place = await schoolOf(admin, 'primary')
    const [lower] = await rowsOf('sysgrade', { gradeCode_equal: '12' })
    const [campus] = await rowsOf('schoolcampus', { schoolId: place.schoolId })
    for (const classNo of [3, 1])
      expect(
        await admin.post('blade-user/schoolclass/submit', {
          ...{ schoolId: place.schoolId, campusId: campus!.id, yearId: place.yearId, gradeId: lower!.id, classNo },
          ...{ className: `二年级(${classNo})班`, cohortYear: 2025, classType: '10' },
        }),
      ).toMatchObject({ status: 200 })
    const batch = await checkedOf(place, [head, pupil(1, '火箭班', '汉')])
    const asked = (await groupsOf(batch.id)).find(({ text }) => text === '火箭班')!
    expect(asked.options.map(({ label }) => label)).toEqual([
      '二年级(1)班',
      '二年级(3)班',
      '三年级(1)班',
      '三年级(2)班',
    ])
  })

  it('a word is given a value for all its rows, left empty, or its rows are left out; it is remembered, and forgotten', async () => {
    const place = places.get('primary')!
    const rows = [
      head,
      ...[1, 2, 3, 4, 5, 6].map((no) => pupil(no, no < 3 ? '火箭班' : '三1班', no < 5 ? '汉人' : '火星')),
    ]
    const batch = await checkedOf(place, rows)
    const groups = await groupsOf(batch.id)
    expect(groups.map(({ text, count, make }) => [text, count, make])).toEqual([
      ['汉人', 4, null],
      ['火箭班', 2, null],
      ['火星', 2, null],
    ])
    const className = groups[1]!.options.find((option) => option.label === '三年级(2)班')!
    const ready = await answer(
      batch.id,
      { key: 'student.nation', text: '汉人', as: '汉族' },
      { key: 'student.classId', text: '火箭班', as: className.value },
      { key: 'student.nation', text: '火星', as: '' },
    )
    expect(ready).toMatchObject({ counts: { add: 6, bad: 0 } })
    await committed(admin, batch.id)
    const stored = await rowsOf('student', { schoolId: place.schoolId, name_like: '学生' })
    const whole = await Promise.all(
      stored.map(async ({ id }) => (await admin.get<Row>('blade-user/student/detail', { id })).data),
    )
    expect(whole.map((each) => [each.name, each.nation, each.className]).toSorted()).toEqual(
      [
        ['学生一', '01', '三年级(2)班'],
        ['学生三', '01', '三年级(1)班'],
        ['学生二', '01', '三年级(2)班'],
        ['学生五', null, '三年级(1)班'],
        ['学生六', null, '三年级(1)班'],
        ['学生四', '01', '三年级(1)班'],
      ].toSorted(),
    )
    await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id } })
    await batchOf(admin, batch.id)
    // The next file with the same words is not asked about; another tenant's is.
    expect((await checkedOf(place, rows)).counts).toMatchObject({ add: 6, bad: 0 })
    const stranger = await world.tenant()
    const theirs = await schoolOf(stranger, 'primary')
    const foreign = await uploaded(world, stranger, theirs, await xlsx(rows))
    await stranger.post('blade-user/import/mapping', { id: foreign.id, mapping: mappingOf(foreign) })
    expect((await batchOf(stranger, foreign.id)).counts).toMatchObject({ bad: 6 })
    expect((await admin.post('blade-user/import/forget', {})).status).toBe(200)
    const again = await checkedOf(place, rows)
    expect(again.counts).toMatchObject({ bad: 6 })
    const left = await answer(
      again.id,
      { key: 'student.nation', text: '汉人', out: true },
      { key: 'student.nation', text: '火星', as: '' },
    )
    expect(left).toMatchObject({ counts: { add: 2, bad: 0, out: 4 } })
  })

  it('different words of one column that fit nothing are one question, and left empty at once; others are not', async () => {
    const place = places.get('primary')!
    const words = ['火星', '木星', '土星', '江苏省', '木 星']
    const batch = await checkedOf(place, [
      [...head, '籍贯'],
      ...words.map((word, at) => [...pupil(at + 1, '三1班'), word]),
    ])
    expect(batch.counts).toMatchObject({ add: 1, bad: 4 })
    const groups = await groupsOf(batch.id)
    expect(groups).toEqual([
      expect.objectContaining({
        ...{ key: 'detail.nativePlaceCode', text: null, count: 4, mayBeEmpty: true, spellings: 4 },
        // Which words the one answer is for.
        words: ['火星', '木星', '木 星', '土星'].map((text) => ({ text, count: 1 })),
      }),
    ])
    const { key, text, message } = groups[0]!
    expect(await answer(batch.id, { key, text, message, as: '' })).toMatchObject({ counts: { add: 5, bad: 0 } })
  })

  it('one value stands for all rows without a column; what is matched by hand is remembered', async () => {
    const place = places.get('primary')!
    const rows = [
      ['姓名', '性别', '出生日期', '谁家的孩子'],
      ['赵一', '男', '2017-05-05', '赵大'],
      ['钱二', '女', '2017-05-06', '钱大'],
    ]
    const batch = await uploaded(world, admin, place, await xlsx(rows))
    expect(batch.missing.map(({ key }) => key)).toEqual(['student.classId'])
    const mapping = { ...mappingOf(batch), 3: 'member1.parentName' }
    const fixed = { 'student.classId': '三1班', 'student.nation': '回族', 'student.enrollDate': '2025-02-17' }
    await admin.post('blade-user/import/mapping', { id: batch.id, mapping, fixed })
    expect((await batchOf(admin, batch.id)).counts).toMatchObject({ add: 2, bad: 0 })
    await committed(admin, batch.id)
    const [row] = await rowsOf('student', { schoolId: place.schoolId, name_equal: '赵一' })
    expect(await whole('student', row!.id)).toMatchObject({
      nation: '03',
      enrollDate: '2025-02-17',
      className: '三年级(1)班',
      politics: null,
      health: null,
    })
    const next = await uploaded(world, admin, place, await xlsx(rows))
    expect(mappingOf(next)).toMatchObject({ 3: 'member1.parentName' })
    // No class yet is an answer as well.
    await admin.post('blade-user/import/mapping', {
      id: next.id,
      mapping: mappingOf(next),
      fixed: { 'student.classId': '暂不分班' },
    })
    await batchOf(admin, next.id)
    await committed(admin, next.id)
    const unplaced = await rowsOf('student', { schoolId: place.schoolId, classId_null: '1' })
    expect(unplaced.map((each) => each.name).toSorted()).toEqual(['赵一', '钱二'].toSorted())
  })

  it('a question lists every spelling that its answer is for, as the file has it', async () => {
    const place = places.get('primary')!
    const spelt = ['火箭（1）班', '火箭(1)班', '火箭 (1)班', '火箭(1)班', '闪电班']
    const batch = await checkedOf(place, [head, ...spelt.map((name, at) => pupil(at + 1, name))])
    const groups = await groupsOf(batch.id)
    expect(
      groups.map(({ text, words, spellings }) => [text, words.map((word) => [word.text, word.count]), spellings]),
    ).toEqual([
      [
        '火箭（1）班',
        [
          ['火箭(1)班', 2],
          ['火箭（1）班', 1],
          ['火箭 (1)班', 1],
        ],
        3,
      ],
      ['闪电班', [['闪电班', 1]], 1],
    ])
  })

  it('R-IMP-3 all spellings of a class are one question, and one answer serves them, in the next file too', async () => {
    const place = places.get('primary')!
    const spelt = ['文科1班', '文科（1）班', '文科(1) 班', '文科第一班', '文科①班', '文科2班']
    const rows = [head, ...spelt.map((name, at) => pupil(at + 1, name))]
    const batch = await checkedOf(place, rows)
    const groups = await groupsOf(batch.id)
    expect(groups.map(({ text, count }) => [text, count])).toEqual([
      ['文科1班', 5],
      ['文科2班', 1],
    ])
    const as = groups[0]!.options[0]!.value
    const ready = await answer(batch.id, { key: 'student.classId', text: '文科（1）班', as })
    expect(ready).toMatchObject({ counts: { add: 5, bad: 1 } })
    const next = await checkedOf(place, [head, pupil(1, '文科【1】班')])
    expect(next).toMatchObject({ counts: { add: 1, bad: 0 } })
    // A class that can be made is one as well, however it is written.
    const made = await checkedOf(place, [head, ...['三9班', '三年级（9）班', '3-9'].map((name, at) => pupil(at, name))])
    expect((await groupsOf(made.id)).map(({ count, make }) => [count, make?.name])).toEqual([[3, '三年级（9）班']])
  })

  it('R-PERM-2 are answered only by who may import, and classes made only by who may make them', async () => {
    const place = await schoolOf(admin, 'primary', 0)
    const batch = await checkedOf(place, [head, pupil(1, '三1班')])
    const viewer = await world.colleague(admin, ['student_view'])
    expect((await viewer.get('blade-user/import/groups', { id: batch.id })).status).toBe(403)
    expect((await viewer.post('blade-user/import/answer', { id: batch.id, answers: [] })).status).toBe(403)
    const clerk = await world.colleague(admin, [
      'student_import',
      'student_personal',
      'student_view',
      'studentparents_view',
      'schoolclass_view',
    ])
    const groups = (await clerk.get<GroupView[]>('blade-user/import/groups', { id: batch.id })).data
    expect(groups[0]?.make).toBeNull()
    expect(
      (
        await clerk.post('blade-user/import/answer', {
          id: batch.id,
          answers: [{ key: 'student.classId', text: '三1班', make: true }],
        })
      ).status,
    ).toBe(403)
    const stranger = await world.tenant()
    expect((await stranger.get('blade-user/import/groups', { id: batch.id })).status).toBe(404)
  })
})
