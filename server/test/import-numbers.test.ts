import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOther, type NumberHolder, type RowKeys } from '../src/modules/import/student/known-students.ts'
import { importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { idNoOf } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Student numbers: what they prove of a child, and which are made. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
})
afterAll(() => world.close())

const taken = '已属于另一名学生，请改正；留空则沿用原学号，新学生由系统编号'
const head = ['姓名', '性别', '出生日期', '班级', '校内学号', '家长姓名', '家长电话']
const pupils = async ({ schoolId }: School): Promise<string[]> =>
  (await listOf(admin, 'student', { schoolId })).map(({ name, studentNo }) => `${name} ${studentNo}`).toSorted()
const check = async (school: School, rows: readonly (readonly string[])[], duplicates = 'skip', heading = head) =>
  students.check(await students.read(school, [heading, ...rows], '名册.xlsx', duplicates))
const brought = async (school: School, rows: readonly (readonly string[])[], duplicates = 'skip'): Promise<void> => {
  const { id } = await check(school, rows, duplicates)
  expect(await students.faults(id)).toEqual([])
  expect(await students.commit(id)).toMatchObject({ state: 'done' })
}
const known = [
  ['赵一', '男', '2017-05-01', '三1班', '2024001', '赵大', '13800000001'],
  ['钱二', '女', '2017-05-02', '三1班', '2024002', '钱大', '13800000002'],
]
/** Other children, whose list counts from the same number. */
const others = [
  ['孙三', '男', '2016-05-03', '三2班', '2024001', '孙大', '13800000003'],
  ['李四', '女', '2017-05-02', '三2班', '2024002', '李大', '13800000004'],
]

describe('R-IMP-4 a student number under another name', () => {
  const holder: NumberHolder = {
    ...{ name: '赵一', formerName: '赵小', nameEn: 'Tom Zhao', namePinyin: 'zhao yi', birthDate: '2017-05-01' },
    ...{ hasIdNo: true, hasNationalCode: true, phones: ['a', 'b'] },
  }
  const who = { name: '孙三', formerName: '', birthDate: '2017-05-01', phones: ['b'] }
  it.each<[string, boolean, RowKeys]>([
    ['the same name', false, { who: { ...who, name: '赵 一', birthDate: '2000-01-01', phones: [] } }],
    ['no name', false, { who: { ...who, name: '' } }],
    ['the English name', false, { who: { ...who, name: 'Tom·ZHAO', phones: [] } }],
    ['the name in pinyin', false, { who: { ...who, name: 'Zhao Yi', phones: [] } }],
    ['the name that the holder had', false, { who: { ...who, name: '赵小', phones: [] } }],
    ["the holder's name as the former one", false, { who: { ...who, formerName: '赵一', phones: [] } }],
    ['day of birth and a phone in common', false, { who }],
    ['no phone in common', true, { who: { ...who, phones: ['c'] } }],
    ['no phone told', true, { who: { ...who, phones: [] } }],
    ['another day of birth', true, { who: { ...who, birthDate: '2017-05-02' } }],
    ['no day of birth', true, { who: { ...who, birthDate: '' } }],
    ['an identity number of its own, as a twin has', true, { who, idNo: '1|ff' }],
    ['a national code of its own', true, { who, nationalCode: 'ff' }],
  ])('with %s: is another child %s', (_with, is, row) => {
    expect(isOther(row, holder)).toBe(is)
    // Papers that the holder is not known to have tell nothing.
    if (row.idNo || row.nationalCode)
      expect(isOther(row, { ...holder, hasIdNo: false, hasNationalCode: false })).toBe(false)
  })

  it.each(['skip', 'update'])('is a fault (%s): one answer leaves it empty, and the number is made', async (mode) => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    await brought(school, known)
    const batch = await check(school, [...others, known[0]!], mode)
    expect(batch.counts).toMatchObject({ add: 0, bad: 2, ...(mode === 'skip' ? { skip: 1 } : { update: 1 }) })
    expect(await students.faults(batch.id)).toEqual([2, 3].map((row) => `${row} student.studentNo ${taken}`))
    const groups = await students.groups(batch.id)
    expect(groups).toMatchObject([{ key: 'student.studentNo', count: 2, text: null, mayBeEmpty: true }])
    const [{ key, message }] = groups as [(typeof groups)[0]]
    const ready = await students.answer(batch.id, { key, text: null, message, as: '' })
    expect(ready.counts).toMatchObject({ add: 2, bad: 0 })
    expect(await students.commit(batch.id)).toMatchObject({ state: 'done' })
    expect(await pupils(school)).toEqual(['赵一 2024001', '钱二 2024002', '孙三 20240201', '李四 20240202'].toSorted())
  })

  it.each(['skip', 'update'])('proves nothing (%s) where papers say who the child is', async (mode) => {
    const school = await schoolWith(admin, [['13', 1]])
    const heading = [...head, '身份证号']
    const [one, two] = [
      idNoOf('2017-05-01', mode === 'skip' ? 31 : 35),
      idNoOf('2017-05-02', mode === 'skip' ? 32 : 36),
    ]
    const first = await check(
      school,
      known.map((row, at) => [...row, [one, two][at]!]),
      'skip',
      heading,
    )
    await students.commit(first.id)
    // 赵一 renamed, by the same papers; 钱二 under the number of 赵一.
    const again = await check(
      school,
      [
        ['赵新', '男', '2017-05-01', '三1班', '2024001', '赵大', '13800000001', one],
        ['钱二', '女', '2017-05-02', '三1班', '2024001', '钱大', '13800000002', two],
      ],
      mode,
      heading,
    )
    if (mode === 'skip') expect(again.counts).toMatchObject({ add: 0, skip: 2, bad: 0 })
    else {
      expect(await students.faults(again.id)).toEqual([`3 student.studentNo ${taken}`])
      const [group] = await students.groups(again.id)
      const ready = await students.answer(again.id, { key: group!.key, text: null, message: group!.message, as: '' })
      expect(ready.counts).toMatchObject({ add: 0, update: 2, bad: 0 })
      await students.commit(again.id)
    }
    const renamed = mode === 'skip' ? '赵一' : '赵新'
    expect(await pupils(school)).toEqual([`${renamed} 2024001`, '钱二 2024002'].toSorted())
  })

  it('renames a child by day of birth and phone, where rows are to be changed', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(school, known)
    await brought(school, [['赵新', '男', '2017-05-01', '三1班', '2024001', '赵大', '13800000001']], 'update')
    expect(await pupils(school)).toEqual(['赵新 2024001', '钱二 2024002'].toSorted())
  })

  it('gives no guardian to the child who has it', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(school, known)
    const guardians = importer(world, admin, 'studentparents')
    const read = await guardians.read(school, [
      ['学生姓名', '校内学号', '家长姓名', '关系', '家长电话'],
      ['钱二', '2024001', '钱母', '母亲', '13800000012'],
      ['赵一', '2024001', '赵母', '母亲', '13800000011'],
    ])
    const batch = await guardians.check(read)
    expect(await guardians.faults(batch.id)).toEqual([
      '2 student.studentNo 属于另一名学生，与姓名不一致；请改正，或留空，按姓名查找',
    ])
    const [group] = await guardians.groups(batch.id)
    const said = { key: 'student.studentNo', text: null, message: group!.message, as: '' }
    expect((await guardians.answer(batch.id, said)).counts).toMatchObject({ add: 2, bad: 0 })
    await guardians.commit(batch.id)
    const rows = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
    expect(rows.map(({ parentName, studentName }) => `${parentName} ${studentName}`).toSorted()).toEqual(
      ['赵大 赵一', '赵母 赵一', '钱大 钱二', '钱母 钱二'].toSorted(),
    )
  })
})

describe('R-IMP-4 numbers that are made', () => {
  it('are none that the file gives in any row, a faulty one and one left out among them, and none that stands', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(school, [['吴零', '男', '2017-05-09', '三1班', '20240102', '吴大', '13800000009']])
    const row = (name: string, no: string, day: string): string[] => [name, '男', day, '三1班', no, '', '']
    const batch = await check(school, [
      row('赵一', '', '2017-05-01'),
      row('钱二', '', '2017-05-02'),
      row('孙三', '', '2017-05-03'),
      row('李四', '20240103', '2017-05-04'),
      row('周五', '20240104', '昨天'),
      row('郑六', '20240106', '2017-05-06'),
    ])
    expect(batch.counts).toMatchObject({ add: 5, bad: 1 })
    await students.commit(batch.id, { skipBad: '1' })
    expect(await pupils(school)).toEqual(
      ['吴零 20240102', '李四 20240103', '赵一 20240105', '郑六 20240106', '钱二 20240107', '孙三 20240108'].toSorted(),
    )
    // What a later list gives for another child is told, and takes nobody's place.
    const later = await check(school, [row('冯七', '20240105', '2017-05-07')])
    expect(await students.faults(later.id)).toEqual([`2 student.studentNo ${taken}`])
  })
})
