import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listOf, type School, schoolWith } from './import-entity-parts.ts'
import { type BatchView, batchOf, committed, faultyRows, idNoOf, mappingOf, sendFile, xlsx } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let school: School
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const checked = async (bytes: Buffer, duplicates = 'skip'): Promise<BatchView & { alike: number }> => {
  const sent = await sendFile(world, admin, '花名册.xlsx', bytes, { schoolId: school.schoolId, duplicates })
  expect(sent.msg).toBe('操作成功')
  const read = await batchOf(admin, sent.data.id)
  expect(read).toMatchObject({ state: 'mapping', failure: null, missing: [] })
  await admin.post('blade-user/import/mapping', { id: read.id, mapping: mappingOf(read) })
  return (await batchOf(admin, read.id)) as BatchView & { alike: number }
}
const guardians = async (name: string): Promise<string[]> => {
  const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name_equal: name })
  const rows = await listOf(admin, 'studentparents', { studentId: pupil?.id ?? '0' })
  const numbers = await Promise.all(
    rows.map(async ({ id, parentName, relation, contactPriority }) => {
      const { mobile } = (await admin.get<{ mobile: string }>('blade-user/studentparents/personal', { id })).data
      return `${contactPriority} ${parentName} ${relation} ${mobile}`
    }),
  )
  return numbers.toSorted()
}

describe('R-IMP-4 a roster with numbers after one without', () => {
  const birth = '2016-03-09'
  const idOf = (no: number): string => idNoOf(birth.replaceAll('-', ''), no)
  const head = ['姓名', '性别', '出生日期', '班级', '家长姓名', '家长电话']
  const bare = [
    ['冯一', '男', birth, '三1班', '冯大', '13800000021'],
    ['陈二', '女', birth, '三1班', '陈大', '13800000022'],
    ['褚三', '男', birth, '三1班', '', ''],
  ]

  it('is of the same children, and gives them their numbers where it was chosen; papers of their own make two of one name', async () => {
    school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    await committed(admin, (await checked(await xlsx([head, ...bare]))).id)
    const withNumbers = [
      [...head, '身份证号', '学号'],
      [...bare[0]!, idOf(1), ''],
      // In another class by now: the phone says who that is.
      ['陈二', '女', birth, '三2班', '陈大', '13800000022', idOf(2), 'S22'],
      [...bare[2]!, idOf(3), ''],
    ]
    const skipped = await checked(await xlsx(withNumbers))
    expect(skipped).toMatchObject({ alike: 3, counts: { add: 0, skip: 3, bad: 0 } })
    const updated = await checked(await xlsx(withNumbers.toSpliced(2, 1)), 'update')
    expect(updated).toMatchObject({ counts: { add: 0, update: 2, bad: 0 } })
    await committed(admin, updated.id)
    const all = await listOf(admin, 'student', { schoolId: school.schoolId })
    expect(all.map(({ name }) => name).toSorted()).toEqual(['冯一', '陈二', '褚三'].toSorted())
    const numberOf = async (name: string) => {
      const { id } = all.find((each) => each.name === name)!
      return (await admin.get<{ idNo: string | null }>('blade-user/student/personal', { id })).data.idNo
    }
    expect([await numberOf('冯一'), await numberOf('褚三'), await numberOf('陈二')]).toEqual([idOf(1), idOf(3), null])
    // Who has papers of their own is somebody else, though all else is the same.
    const other = await checked(
      await xlsx([
        [...head, '身份证号'],
        [...bare[0]!, idOf(9)],
      ]),
    )
    expect(other).toMatchObject({ alike: 0, counts: { add: 1, skip: 0, bad: 0 } })
  })
})

describe('R-IMP-4 the same roster a second time', () => {
  const head = ['姓名', '性别', '出生日期', '班级', '家长姓名', '家长电话']
  const rows = [
    ['赵一', '男', '2017-05-05', '三1班', '赵大', '13800000001'],
    ['钱二', '女', '2017-05-06', '三1班', '钱大', '13800000002'],
    ['孙三', '男', '2017-05-07', '三1班', '孙大', '13800000003'],
  ]

  it('adds no child twice: those without any number are known by name, birth and class, or by a phone; and updated if chosen', async () => {
    school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const first = await checked(await xlsx([head, ...rows]))
    expect(first).toMatchObject({ alike: 0, counts: { add: 3, bad: 0 } })
    await committed(admin, first.id)
    // One is new, one has moved on paper, one has another number and bears the same name as somebody of another class.
    const again = [
      ...rows.slice(0, 2),
      ['孙三', '男', '2017-05-07', '', '孙大', '13800000003'],
      ['赵一', '男', '2017-05-05', '三2班', '别人', '13900000009'],
      ['李四', '女', '2017-05-08', '三1班', '李大', '13800000004'],
    ]
    const second = await checked(await xlsx([head, ...again]))
    expect(await faultyRows(admin, second.id)).toEqual([])
    expect(second).toMatchObject({ alike: 2, counts: { add: 2, skip: 3, bad: 0 } })
    await committed(admin, second.id)
    expect((await listOf(admin, 'student', { schoolId: school.schoolId })).map((row) => row.name).toSorted()).toEqual(
      ['赵一', '赵一', '钱二', '孙三', '李四'].toSorted(),
    )
    const changed = [head, ['钱二', '女', '2017-05-06', '三1班', '钱大', '13800000002']].map((row, at) => [
      ...row,
      at === 0 ? '民族' : '回',
    ])
    const third = await checked(await xlsx(changed), 'update')
    expect(third).toMatchObject({ counts: { add: 0, update: 1, bad: 0 } })
    await committed(admin, third.id)
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name_equal: '钱二' })
    expect((await admin.get<{ nation: string }>('blade-user/student/detail', { id: pupil!.id })).data.nation).toBe('03')
    expect(await guardians('钱二')).toEqual(['1 钱大 null 13800000002'])
    // Written twice in one file, word for word, they are one child.
    const twice = await checked(
      await xlsx([head, ...[1, 2].map(() => ['周五', '男', '2017-06-06', '三1班', '周大', '13800000005'])]),
    )
    expect(twice.counts).toMatchObject({ add: 1, bad: 0, out: 1 })
  })

  it('a pupil over two rows, with a guardian in each, is one child with two guardians', async () => {
    school = await schoolWith(admin, [['13', 1]])
    const table = [
      ['序号', '姓名', '性别', '出生日期', '班级', '家长姓名', '关系', '联系电话'],
      ['1', '吴六', '男', '2017-05-05', '三1班', '吴大', '父亲', '13800000011'],
      ['', '', '', '', '', '郑氏', '母亲', '13800000012'],
      ['2', '王七', '女', '2017-05-06', '三1班', '王大', '父亲', '13800000013'],
      ['3', '冯八', '女', '2017-05-07', '三1班', '冯大', '父亲', '13800000014'],
      ['', '', '', '', '', '陈氏', '母亲', '13800000015'],
    ]
    const merged = await checked(
      await xlsx(table, (sheet) => {
        for (const column of ['A', 'B', 'C', 'D', 'E'])
          for (const [from, to] of [
            [2, 3],
            [5, 6],
          ])
            sheet.mergeCells(`${column}${from}:${column}${to}`)
      }),
    )
    expect(await faultyRows(admin, merged.id)).toEqual([])
    expect(merged).toMatchObject({ total: 3, counts: { add: 3, bad: 0 } })
    await committed(admin, merged.id)
    expect(await guardians('吴六')).toEqual(['1 吴大 51 13800000011', '2 郑氏 52 13800000012'])
    expect(await guardians('王七')).toEqual(['1 王大 51 13800000013'])
    expect(await guardians('冯八')).toEqual(['1 冯大 51 13800000014', '2 陈氏 52 13800000015'])
    // The same without merged cells, and with the pupil written once more in each row.
    for (const rows of [
      table,
      table.map((row, at) => (row[1] === '' ? [...table[at - 1]!.slice(0, 5), ...row.slice(5)] : row)),
    ]) {
      const again = await checked(await xlsx(rows))
      expect(again).toMatchObject({ total: 3, alike: 3, counts: { add: 0, skip: 3, bad: 0 } })
    }
  })
})

describe('what an import leaves behind', () => {
  it('rows left out are a file of their own columns with the reason last, for a week; corrected it goes in again', async () => {
    school = await schoolWith(admin, [['13', 1]])
    const head = ['姓名', '性别', '出生日期', '班级']
    const first = await checked(
      await xlsx([head, ['赵一', '男', '2017-05-05', '三1班'], ['钱二', '女', '2017-13-45', '三1班']]),
    )
    expect(first.counts).toMatchObject({ add: 1, bad: 1 })
    const done = (await committed(admin, first.id, { skipBad: '1' })) as BatchView & { leftOut: number }
    expect(done).toMatchObject({ state: 'done', leftOut: 1 })
    const file = await world.http.inject({
      method: 'GET',
      url: '/api/blade-user/import/faults',
      query: { id: first.id },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    const book = new excel.Workbook()
    await book.xlsx.load(file.rawPayload as unknown as ArrayBuffer)
    const sheet = book.worksheets[0]!
    const textOf = (row: number): string[] => (sheet.getRow(row).values as unknown[]).slice(1).map(String)
    expect(textOf(1)).toEqual([...head, '未导入原因'])
    expect(textOf(2).slice(0, 4)).toEqual(['钱二', '女', '2017-13-45', '三1班'])
    expect(textOf(2)[4]).toMatch(/^出生日期：/)
    sheet.getCell('C2').value = '2017-05-06'
    const again = await checked(Buffer.from(await book.xlsx.writeBuffer()))
    expect(again.columns.at(-1)).toMatchObject({ heading: '未导入原因', key: 'ignored.fault' })
    expect(again.counts).toMatchObject({ add: 1, bad: 0 })
    // After its time it is gone.
    await world.owner.query(
      `update import_batch set settings = settings || jsonb_build_object('keptUntil', now() - interval '1 minute') where id = $1`,
      [first.id],
    )
    expect(await batchOf(admin, first.id)).toMatchObject({ leftOut: 0 })
  })

  it('what was matched and answered is listed, and forgotten one by one', async () => {
    school = await schoolWith(admin, [['13', 1]])
    const rows = [
      ['姓名', '性别', '出生日期', '班级', '民族', '谁家的'],
      ['赵一', '男', '2017-05-05', '三1班', '汉人', '赵大'],
    ]
    const sent = await sendFile(world, admin, '表.xlsx', await xlsx(rows), { schoolId: school.schoolId })
    const read = await batchOf(admin, sent.data.id)
    await admin.post('blade-user/import/mapping', {
      id: read.id,
      mapping: { ...mappingOf(read), 5: 'member1.parentName' },
    })
    await batchOf(admin, read.id)
    await admin.post('blade-user/import/answer', {
      id: read.id,
      answers: [{ key: 'student.nation', text: '汉人', as: '汉族' }],
    })
    await batchOf(admin, read.id)
    interface Learned {
      field: string
      word: string
      heading: string | null
      label: string
      answer: string | null
    }
    const learned = async () => (await admin.get<Learned[]>('blade-user/import/learned')).data
    const all = await learned()
    expect(all.map(({ heading, label, answer }) => [heading, label, answer]).toSorted()).toEqual(
      [
        ['谁家的', '成员1姓名', null],
        [null, '民族', '汉族'],
      ].toSorted(),
    )
    // The words of cells are kept as hashes.
    expect(JSON.stringify(all)).not.toContain('汉人')
    const stranger = await world.tenant()
    expect((await stranger.get<Learned[]>('blade-user/import/learned')).data).toEqual([])
    const one = all.find(({ heading }) => heading !== null)!
    await stranger.post('blade-user/import/forget', { items: [{ field: one.field, word: one.word }] })
    expect(await learned()).toHaveLength(2)
    expect(
      (await admin.post('blade-user/import/forget', { items: [{ field: one.field, word: one.word }] })).status,
    ).toBe(200)
    expect((await learned()).map(({ label }) => label)).toEqual(['民族'])
    // Something that is no JSON is not nothing: it forgets nothing.
    const form = { items: 'all' }
    expect((await admin.post('blade-user/import/forget', undefined, { form })).status).toBe(400)
    expect(await learned()).toHaveLength(1)
    // All of it, for whoever names none, and needs no body for that.
    expect((await admin.post('blade-user/import/forget')).status).toBe(200)
    expect(await learned()).toEqual([])
  })
})

describe('R-IMP-4 rows of one file that share what only one of them may have', () => {
  const head = ['姓名', '性别', '出生日期', '班级', '校内学号', '家长姓名', '家长电话']
  // The second row of 1001 has another phone, the third another name; 1002 comes twice; 1003 once.
  const rows = [
    ['周一', '男', '2017-01-01', '三1班', 'R1001', '周父', '13810000001'],
    ['吴二', '女', '2017-01-02', '三1班', 'R1002', '吴父', '13810000002'],
    ['周一', '男', '2017-01-01', '三1班', 'R1001', '周父', '13910000001'],
    ['郑三', '女', '2017-01-03', '三1班', 'R1003', '郑父', '13810000003'],
    ['吴二', '女', '2017-01-02', '三1班', 'R1002', '吴母', '13910000002'],
    ['周一', '男', '2017-01-01', '三1班', 'R1001', '周母', '13710000001'],
  ]
  it.each([
    ['first', '周父', '吴父'],
    ['last', '周母', '吴母'],
  ] as const)('are asked about once: the %s of each comes in, and the others are named', async (keep, one, two) => {
    admin = await world.tenant()
    school = await schoolWith(admin, [['13', 1]])
    const batch = await checked(await xlsx([head, ...rows]))
    expect(batch.counts).toMatchObject({ add: 1, bad: 5 })
    const groups = async () =>
      (
        await admin.get<{ key: string; text: null; message: string; count: number; repeats: boolean }[]>(
          'blade-user/import/groups',
          { id: batch.id },
        )
      ).data
    for (let left = await groups(); left.length > 0; left = await groups()) {
      const [{ key, text, message, repeats }] = left as [(typeof left)[0]]
      expect([key, repeats]).toEqual([expect.stringMatching(/^student\./), true])
      const done = await admin.post('blade-user/import/answer', {
        id: batch.id,
        answers: [{ key, text, message, keep }],
      })
      expect(done.msg).toBe('操作成功')
      await batchOf(admin, batch.id)
    }
    const ready = await batchOf(admin, batch.id)
    expect(ready.counts).toMatchObject({ add: 3, bad: 0, out: 3 })
    await committed(admin, batch.id)
    const [first] = await guardians('周一')
    const [second] = await guardians('吴二')
    expect([first?.split(' ')[1], second?.split(' ')[1]]).toEqual([one, two])
    expect(await listOf(admin, 'student', { schoolId: school.schoolId })).toHaveLength(3)
  })

  it('are different children where somebody says so: the first keeps the number, and the later ones come in without', async () => {
    admin = await world.tenant()
    school = await schoolWith(admin, [['13', 1]])
    const others = [
      ['周一', '男', '2017-01-01', '三1班', 'R1001', '周父', '13810000001'],
      ['吴二', '女', '2017-01-02', '三1班', 'R1001', '吴父', '13810000002'],
      // Two of one name, born on one day, in one class, without any number.
      ['郑三', '女', '2017-01-03', '三1班', '', '郑父', '13810000003'],
      // Equal cell for cell with another: nobody is asked.
      ['陈四', '男', '2017-01-04', '三1班', 'R1004', '陈父', '13810000005'],
      ['郑三', '女', '2017-01-03', '三1班', '', '冯父', '13810000004'],
      ['陈四', '男', '2017-01-04', '三1班', 'R1004', '陈父', '13810000005'],
    ]
    const batch = await checked(await xlsx([head, ...others]))
    expect(batch.counts).toMatchObject({ add: 1, bad: 4, out: 1 })
    type Group = { key: string; text: null; message: string; apart: boolean; rows: number[] }
    const groups = (await admin.get<Group[]>('blade-user/import/groups', { id: batch.id })).data
    expect(groups.map(({ key, apart, rows }) => [key, apart, rows]).toSorted()).toEqual([
      ['student.name', true, [4, 6]],
      ['student.studentNo', true, [2, 3]],
    ])
    const answers = groups.map(({ key, text, message }) => ({ key, text, message, keep: 'each' }))
    expect((await admin.post('blade-user/import/answer', { id: batch.id, answers })).status).toBe(200)
    expect((await batchOf(admin, batch.id)).counts).toMatchObject({ add: 5, bad: 0, out: 1 })
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
    const stored = await listOf(admin, 'student', { schoolId: school.schoolId })
    expect(stored.map(({ name }) => name).toSorted()).toEqual(['吴二', '周一', '郑三', '郑三', '陈四'].toSorted())
    expect(stored.find(({ name }) => name === '周一')?.studentNo).toBe('R1001')
    expect(new Set(stored.map(({ studentNo }) => studentNo)).size).toBe(5)
  })
})
