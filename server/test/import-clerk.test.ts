import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchColumns, matchHeadings } from '../src/modules/import/file/match.ts'
import { readTable } from '../src/modules/import/file/read-sheet.ts'
import type { SheetRow } from '../src/modules/import/file/table.ts'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed, csv } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Habits of clerks that a blind set of files brought to light. */

const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-clerk-'))
afterAll(() => rmSync(folder, { recursive: true }))
const rows = (...lines: string[]): string[][] => lines.map((line) => line.split(' '))

describe('R-IMP-1 a day of birth in three columns', () => {
  const read = async (lines: readonly (readonly string[])[]) => {
    const file = path.join(folder, 'days.csv')
    writeFileSync(file, csv(lines))
    const found: SheetRow[] = []
    const { columns } = await readTable(file, 'student', {}, async (row) => {
      found.push(row)
    })
    return { headings: columns.map(({ heading }) => heading), cells: found.map((row) => row.cells) }
  }

  it('is one, and what stands behind it keeps its place', async () => {
    const found = await read(
      rows(
        '班级 姓名 出生年 月 日 家长电话',
        '三1班 赵一 2017 5 1 13800000001',
        '三1班 钱二 17年 12月 31日 13800000002',
      ),
    )
    expect(found.headings).toEqual(['班级', '姓名', '出生年月日', '家长电话'])
    expect(found.cells).toEqual([
      ['三1班', '赵一', '2017-5-1', '13800000001'],
      ['三1班', '钱二', '2017-12-31', '13800000002'],
    ])
  })

  it('is one under a heading of two rows, and without its day a month', async () => {
    const found = await read(
      rows(
        '姓名 性别 出生日期   家长电话',
        '  年 月 日 ',
        '赵一 男 2017 5  13800000001',
        '钱二 女 2017 6 2 13800000002',
      ).map((line) => line.slice(0, 6)),
    )
    expect(found.headings).toEqual(['姓名', '性别', '出生年月日', '家长电话'])
    expect(found.cells.map((cells) => cells[2])).toEqual(['2017-5', '2017-6-2'])
  })

  it('is no column of months: 月 and 日 beside another year are left alone', async () => {
    const found = await read(rows('姓名 性别 班级 年 月 日', '赵一 男 三1班 2026 9 1', '钱二 女 三1班 2026 9 2'))
    expect(found.headings).toEqual(['姓名', '性别', '班级', '年', '月', '日'])
  })
})

describe('R-IMP-2 a heading of two rows', () => {
  const keys = (...headings: string[][]): string[] => {
    const { matches } = matchColumns(
      'student',
      headings.map((parts) => ({ heading: parts.join(''), parts })),
    )
    return headings.map((_parts, at) => matches.get(at)?.key ?? '-')
  }

  it('is about whom its upper row names, and not about the pupil', () => {
    expect(
      keys(
        ['学生姓名'],
        ['父亲', '姓名'],
        ['父亲', '电话'],
        ['其他监护人', '姓名'],
        ['其他监护人', '电话'],
        ['班主任', '姓名'],
        ['班主任', '电话'],
      ),
    ).toEqual([
      'student.name',
      'member1.parentName',
      'member1.mobile',
      'member2.parentName',
      'member2.mobile',
      '-',
      '-',
    ])
    expect(keys(['基本信息', '姓名'], ['基本信息', '性别'], ['户主', '姓名'], ['推荐人', '电话'])).toEqual([
      'student.name',
      'student.sex',
      '-',
      '-',
    ])
  })
})

it.each([
  [
    'S/N|Given Name|Admission No|Admission Date|Guardian Name|Contact No.',
    'ignored.serial|-|student.studentNo|student.enrollDate|member1.parentName|member1.mobile',
  ],
  ['Name|Student Number Date', 'student.name|-'],
  ['孩子姓名|孩子是否有过敏史|是否有既往病史', 'student.name|detail.allergy|detail.medicalHistory'],
])('R-IMP-2 %s is %s', (headings, keys) => {
  const all = headings.split('|')
  const matches = matchHeadings('student', all)
  expect(all.map((_heading, at) => matches.get(at)?.key ?? '-').join('|')).toBe(keys)
})

describe('R-IMP-2 an e-mail address', () => {
  const keys = (headings: string): string[] => {
    const all = headings.split('|')
    const matches = matchHeadings('student', all)
    return all.map((_heading, at) => matches.get(at)?.key ?? '-')
  }
  it.each([
    ['Student Name|Class|Guardian Name|Guardian Phone|Email', '-'],
    ['Student Name|Class|Guardian Name|Relationship|Email|Email 2', '-'],
    ['Name|Class|Parent Name|Phone|E-mail address', '-'],
    ['姓名|班级|家长姓名|家长电话|电子邮箱', '-'],
    ['Name|Class|Mother Name|Mom Email', '-'],
    ['Name|Class|Dad|Dad Email', '-'],
    ['Name|Class|Guardian Name|Guardian Phone|Student Email', 'student.email'],
    ['姓名|班级|家长姓名|家长电话|学生邮箱', 'student.email'],
    ['Guardian Name|Guardian Phone|Student Name|Class|Email', 'student.email'],
    ['Guardian Name|Guardian Phone|Email|Student Name|Student Email', 'student.email'],
    ['Name|Class|Email', 'student.email'],
  ])('under %s is matched to %s: a guardian has none, and somebody is asked', (headings, last) => {
    expect(keys(headings).at(-1)).toBe(last)
    expect(keys(headings).filter((key) => key === 'student.email')).toHaveLength(last === '-' ? 0 : 1)
  })
})

describe('R-IMP-2 what a cell means', () => {
  let world: World
  let admin: Person
  let school: School
  let students: ReturnType<typeof importer>
  beforeAll(async () => {
    world = await makeWorld()
    admin = await world.tenant()
    students = importer(world, admin, 'student')
    school = await schoolWith(admin, [['13', 1]])
  })
  afterAll(() => world.close())
  const stored = async (batch: EntityBatch): Promise<void> => {
    expect(batch).toMatchObject({ state: 'checked', counts: { bad: 0 } })
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
  }
  const pupil = async (name: string) => (await listOf(admin, 'student', { name_equal: name }))[0]!
  const guardians = async (name: string): Promise<string[]> => {
    const found = await listOf(admin, 'studentparents', { studentId: (await pupil(name)).id })
    const full = await Promise.all(
      found.map(
        async ({ id }) => (await admin.get<Record<string, unknown>>('blade-user/studentparents/detail', { id })).data,
      ),
    )
    return full.map((each) => `${each.parentName ?? ''} ${each.relation ?? ''} ${each.canPickup}`).toSorted()
  }

  it('is read with whom its heading names, and with what nobody else is called', async () => {
    const batch = await students.check(
      await students.read(
        school,
        rows(
          '班级 姓名 性别 出生日期 民族 政治面貌 是否留守儿童 父/母姓名 父/母电话',
          '三1班 赵一 男 2017-05-01 维 无 双亲 赵大、钱梅 13800000001/13800000002',
          '三1班 钱二 女 2017-05-02 汉 否 否 钱大 13800000003',
        ),
      ),
    )
    await stored(batch)
    expect(await guardians('赵一')).toEqual(['赵大 51 0', '钱梅 52 0'])
    // One name of the two says of nobody whose it is.
    expect(await guardians('钱二')).toEqual(['钱大  0'])
    const own = async (name: string) =>
      (await admin.get<Record<string, unknown>>('blade-user/student/detail', { id: (await pupil(name)).id })).data
    expect(await own('赵一')).toMatchObject({ nation: '05', politics: '13' })
    expect(await own('钱二')).toMatchObject({ nation: '01', politics: '13' })
    const [detail] = await listOf(admin, 'studentdetail', { studentId: (await pupil('赵一')).id })
    expect(detail).toMatchObject({ leftBehind: '2' })
  })

  it('names who fetches the child: a parent who stands there already, and once', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 父亲姓名 父亲电话 母亲姓名 母亲电话 接送人',
      '三1班 孙三 男 2017-05-03 孙大 13800000011 周梅 13800000012 妈妈',
      '三1班 李四 女 2017-05-04 李大 13800000013 吴梅 13800000014 李大',
      '三1班 周五 女 2017-05-05 周大 13800000015 郑梅 13800000016 周奶奶',
      '三1班 吴六 女 2017-05-06 吴大 13800000017 王梅 13800000018 爷爷',
    )
    const batch = await students.check(await students.read(school, file))
    // A grandfather without a name or number is nobody who can be called: what is said of him is kept in the remarks.
    await stored(batch)
    expect(await guardians('孙三')).toEqual(['周梅 52 1', '孙大 51 0'])
    expect(await guardians('李四')).toEqual(['吴梅 52 0', '李大 51 1'])
    expect(await guardians('周五')).toEqual(['周大 51 0', '周奶奶  1', '郑梅 52 0'])
    expect(await guardians('吴六')).toEqual(['吴大 51 0', '王梅 52 0'])
  })

  it('is asked about where it says that a pupil is not there, and takes each answer', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 学籍状态 学校标识码',
      '三1班 郑七 男 2017-05-07 在读 2132999999',
      '三1班 王八 女 2017-05-08 休学 2132999999',
      '三1班 冯九 女 2017-05-09 转出 2132999999',
    )
    const batch = await students.check(await students.read(school, file))
    const groups = await students.groups(batch.id)
    expect(groups.map(({ key, text, count }) => `${key} ${text ?? '-'} ${count}`).toSorted()).toEqual([
      'check.schoolCode - 3',
      'check.status 休学 1',
      'check.status 转出 1',
    ])
    const done = await students.answer(
      batch.id,
      { key: 'check.schoolCode', text: null, as: '', message: '与所选学校的标识码不一致' },
      { key: 'check.status', text: '休学', as: '' },
      { key: 'check.status', text: '转出', out: true },
    )
    expect(done.counts).toMatchObject({ add: 2, bad: 0, out: 1 })
    await stored(done)
    // What was said of one file is asked again of the next.
    const again = await students.check(
      await students.read(school, rows('班级 姓名 性别 出生日期 学籍状态', '三1班 陈十 女 2017-05-10 休学')),
    )
    expect((await students.groups(again.id)).map(({ text }) => text)).toEqual(['休学'])
  })
})
