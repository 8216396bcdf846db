import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Classes of a vocational school, whose numbers are counted within a major. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
})
afterAll(() => world.close())

const vocational = () => schoolWith(admin, [], ['4'], '36')
const rows = (...lines: string[]): string[][] => lines.map((line) => line.split(' '))
const placedIn = async ({ schoolId }: School): Promise<string[]> =>
  (await listOf(admin, 'student', { schoolId }))
    .map(({ name, gradeName, className }) => `${name} ${gradeName} ${className ?? ''}`)
    .toSorted()
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(batch).toMatchObject({ state: 'checked', counts: { bad: 0 } })
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
const makesOf = async (id: string) => (await students.groups(id)).filter(({ make }) => make)
const makeAll = async (id: string): Promise<EntityBatch> =>
  students.answer(id, ...(await makesOf(id)).map(({ key, text }) => ({ key, text, make: true })))
const keysOf = ({ columns }: EntityBatch): (string | null)[] => columns.map(({ key }) => key)

const head = '年级 专业 班级 姓名 性别 出生日期'
const pupils = [
  '2026级 护理 1班 赵一 女 2010-10-01',
  '2026级 护理 2班 钱二 女 2010-10-02',
  '2026级 电子商务 1班 孙三 男 2010-10-03',
  '2025级 护理 （1）班 李四 女 2009-10-04',
]
const placed = ['孙三 高一 电子商务1班', '李四 高二 高二护理1班', '赵一 高一 护理1班', '钱二 高一 护理2班']

describe('R-IMP-2 ISSUE-12 a major beside the number of a class', () => {
  it('is part of the name of the class: 1班 of two majors are two classes, and are known again', async () => {
    const school = await vocational()
    const read = await students.read(school, rows(head, ...pupils))
    expect(keysOf(read)[1]).toBe('check.major')
    const batch = await students.check(read)
    expect((await makesOf(batch.id)).map(({ make }) => make?.name).toSorted()).toHaveLength(4)
    await stored(await makeAll(batch.id))
    expect(await placedIn(school)).toEqual(placed.toSorted())
    await stored(
      await students.check(await students.read(school, rows(head, '2026级 电子商务 1班 周五 男 2010-10-05'))),
    )
    expect(await placedIn(school)).toContain('周五 高一 电子商务1班')
  })

  it('adds nothing to a class that has a word of its own, or says its grade', async () => {
    const school = await vocational()
    const batch = await students.check(
      await students.read(
        school,
        rows(head, '2026级 护理 护理1班 赵一 女 2010-10-01', '2026级 护理 高一2班 钱二 女 2010-10-02'),
      ),
    )
    await stored(await makeAll(batch.id))
    expect(await placedIn(school)).toEqual(['赵一 高一 护理1班', '钱二 高一 高一（2）班'])
  })

  it('is part of a name that says the year, unless the school counts through all majors', async () => {
    const lines = [
      '2026级 护理 2026级1班 赵一 女 2010-10-01',
      '2026级 会计 2026级1班 钱二 女 2010-10-02',
      '2026级 会计 2026级2班 孙三 男 2010-10-03',
    ]
    const school = await vocational()
    await stored(await makeAll((await students.check(await students.read(school, rows(head, ...lines)))).id))
    expect(await placedIn(school)).toEqual([
      ...['孙三 高一 2026级会计2班', '赵一 高一 2026级护理1班', '钱二 高一 2026级会计1班'],
    ])
    const counted = await schoolWith(
      admin,
      [
        ['31', 1],
        ['31', 2],
      ],
      ['4'],
      '36',
    )
    await stored(await students.check(await students.read(counted, rows(head, lines[0]!, lines[2]!))))
    expect(await placedIn(counted)).toEqual(['孙三 高一 高一（2）班', '赵一 高一 高一（1）班'])
  })

  it('is no class where a school is not vocational', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'], '34')
    const read = await students.read(school, rows(head, '高一 美术 1班 赵一 女 2010-10-01'))
    expect(keysOf(read)[1]).toBeNull()
    await stored(await students.check(read))
    expect(await placedIn(school)).toEqual(['赵一 高一 高一（1）班'])
  })
})

describe('R-IMP-2 ISSUE-12 a class with a word of its own', () => {
  it.each([
    ['26级护理1班', '2026级护理1班'],
    ['护理1班', '26级护理（1）班'],
    ['2026级护理1班', '护理2601班'],
    ['高一护理1班', '26护理1班'],
  ])('%s is the one that another file calls %s', async (first, again) => {
    const school = await vocational()
    const file = (name: string, pupil: string) => rows(head, `2026级 护理 ${name} ${pupil} 女 2010-10-01`)
    await stored(await makeAll((await students.check(await students.read(school, file(first, '赵一')))).id))
    await stored(await students.check(await students.read(school, file(again, '钱二'))))
    expect(await placedIn(school)).toEqual([`赵一 高一 ${first}`, `钱二 高一 ${first}`])
  })

  it('of another year, another number or another word is another class', async () => {
    const school = await vocational()
    const file = (...names: string[]) =>
      rows('班级 姓名 性别 出生日期', ...names.map((name, at) => `${name} 赵${'一二三四'[at]} 女 2010-10-01`))
    await stored(await makeAll((await students.check(await students.read(school, file('26级护理1班')))).id))
    const other = await students.check(
      await students.read(school, file('2025级护理1班', '2026级护理2班', '2026级护理高职1班', '26级会计1班')),
    )
    expect((await makesOf(other.id)).map(({ text }) => text)).toHaveLength(4)
  })

  it('in two spellings of one file is made once', async () => {
    const school = await vocational()
    const batch = await students.check(
      await students.read(
        school,
        rows('班级 姓名 性别 出生日期', '26级护理1班 赵一 女 2010-10-01', '2026级护理1班 钱二 女 2010-10-02'),
      ),
    )
    await stored(await makeAll(batch.id))
    expect(await listOf(admin, 'schoolclass', { schoolId: school.schoolId })).toHaveLength(1)
    expect(await listOf(admin, 'student', { schoolId: school.schoolId })).toHaveLength(2)
  })
})
