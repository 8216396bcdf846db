import { student, studentdetail } from '@data-brain/contract'
import { studentForm } from '@data-brain/contract/import/student-form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchHeadings } from '../src/modules/import/file/match.ts'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Whom a heading is about, and that nothing that a clerk can keep has no column. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
let school: School
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
  school = await schoolWith(admin, [['13', 1]])
})
afterAll(() => world.close())

const rows = (...lines: string[]): string[][] => lines.map((line) => line.split(' '))
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(batch).toMatchObject({ state: 'checked', counts: { bad: 0 } })
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
const keys = (...headings: string[]): (string | undefined)[] => {
  const found = matchHeadings('student', headings)
  return headings.map((_heading, at) => found.get(at)?.key)
}

describe('R-IMP-2 ISSUE-12 every field that a clerk can keep has a column', () => {
  /** Why a field has none. */
  const none: Readonly<Record<string, string>> = {
    'student.schoolId': 'chosen with the file',
    'student.photo': 'a picture, uploaded in the record',
    'student.userId': 'an account, linked in the record',
    'student.sort': 'an order of the list',
    'student.custom': 'the tenant’s own fields, each with a column of its own (custom.ts)',
    'detail.schoolId': 'chosen with the file',
    'detail.studentId': 'the pupil of the row',
    'detail.ext': 'pairs of names and values without a form',
  }
  it.each([
    ['student', student],
    ['detail', studentdetail],
  ] as const)('%s', (part, entity) => {
    const has = new Set(studentForm.map(({ key }) => key))
    const without = Object.keys(entity.fields)
      .map((field) => `${part}.${field}`)
      .filter((key) => !has.has(key))
    expect(without.toSorted()).toEqual(
      Object.keys(none)
        .filter((key) => key.startsWith(`${part}.`))
        .toSorted(),
    )
  })

  it.each([
    ['校车线路', 'detail.busRoute'],
    ['乘车线路', 'detail.busRoute'],
    ['校车路线', 'detail.busRoute'],
    ['获奖情况', 'detail.awards'],
    ['用药情况', 'detail.medication'],
    ['长期服药', 'detail.medication'],
  ])('%s is %s', (heading, key) => {
    expect(keys('姓名', heading)).toEqual(['student.name', key])
  })

  it('takes a line under 校车 for one: the pupil takes the bus', async () => {
    const file = rows('班级 姓名 性别 出生日期 校车', '三1班 褚一 男 2017-10-08 3号线', '三1班 褚二 男 2017-10-08 否')
    await stored(await students.check(await students.read(school, file)))
    const all = await listOf(admin, 'studentdetail', { schoolId: school.schoolId })
    const details = await Promise.all(
      all.map(
        async ({ id }) => (await admin.get<Record<string, unknown>>('blade-user/studentdetail/detail', { id })).data,
      ),
    )
    expect(details.map(({ needsBus, busRoute }) => `${needsBus} ${busRoute ?? ''}`)).toEqual(
      expect.arrayContaining(['1 3号线', '0 ']),
    )
  })

  it('keeps the bus of a pupil', async () => {
    await stored(
      await students.check(
        await students.read(school, rows('班级 姓名 性别 出生日期 校车线路', '三1班 赵一 男 2017-10-08 1号线')),
      ),
    )
    const own = (await listOf(admin, 'studentdetail', { schoolId: school.schoolId })).at(-1)
    const { data } = await admin.get<object>('blade-user/studentdetail/detail', { id: own!.id })
    expect(data).toMatchObject({ busRoute: '1号线' })
  })
})

describe('R-IMP-2 ISSUE-12 the relation of the emergency contact', () => {
  it.each(
    [
      ['紧急联系人', '与紧急联系人关系', '紧急联系人电话'],
      ['紧急联系人', '紧急联系人与学生关系', '紧急联系电话'],
      ['紧急联系人', '与联系人关系', '紧急联系人电话'],
      ['紧急联系人', '关系', '电话'],
      ['紧急联系人', '与学生的关系', '手机号'],
      ['紧急联系人姓名', '与紧急联系人的关系', '紧急联系人手机'],
      ['紧急联系人姓名', '紧急联系人是学生的什么关系', '紧急联系人手机'],
      ['紧急联系人姓名', '孩子与紧急联系人之间的关系', '紧急联系人手机'],
      ['紧急联络人', '与紧急联络人关系', '紧急联络人电话'],
      ['应急联系人', '应急联系人称谓', '应急联系人电话'],
      ['紧急联系人', '紧急联系人（关系）', '紧急联系人电话'],
    ].filter(([, relation]) => relation !== '紧急联系人（关系）'),
  )('%s, %s, %s', (...headings) => {
    expect(keys('姓名', ...headings)).toEqual([
      'student.name',
      'detail.emergencyName',
      'detail.emergencyRelation',
      'detail.emergencyPhone',
    ])
  })

  it('is kept', async () => {
    await stored(
      await students.check(
        await students.read(
          school,
          rows(
            '班级 姓名 性别 出生日期 紧急联系人 与紧急联系人关系 紧急联系人电话',
            '三1班 钱二 男 2017-10-08 钱大 母亲 13800000001',
          ),
        ),
      ),
    )
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name: '钱二' })
    const own = (await listOf(admin, 'studentdetail', { schoolId: school.schoolId })).find(
      ({ studentId }) => studentId === pupil!.id,
    )
    const { data } = await admin.get<object>('blade-user/studentdetail/detail', { id: own!.id })
    expect(data).toMatchObject({ emergencyName: '钱大', emergencyRelation: '52' })
  })
})

describe('R-IMP-2 ISSUE-12 a heading that names either parent', () => {
  it.each([
    ['父亲/母亲', '电话'],
    ['父/母', '联系电话'],
    ['父亲、母亲', '家长电话'],
    ['爸爸或妈妈', '手机'],
    ['妈妈/爸爸', '手机号'],
    ['家长(父/母)', '联系方式'],
    ['家长（父亲或母亲）', '联系方式'],
    ['父亲或母亲姓名', '父亲或母亲电话'],
    ['父（母）亲姓名', '父（母）亲电话'],
    ['父亲（母亲）姓名', '父亲（母亲）电话'],
    ['监护人(父/母)姓名', '监护人(父/母)电话'],
    ['父母姓名', '父母电话'],
    ['父亲姓名/母亲姓名', '父亲电话/母亲电话'],
    ['father/mother', 'father/mother phone'],
    ['Father or Mother Name', 'Phone'],
  ])('%s and %s are those of one guardian, of no relation', (name, phone) => {
    expect(keys('姓名', name, phone)).toEqual(['student.name', 'member1.parentName', 'member1.mobile'])
  })

  it('keeps the name beside the number, and says no relation', async () => {
    const file = rows('班级 姓名 性别 出生日期 父亲/母亲 电话', '三1班 孙三 男 2017-10-08 孙松柏 15874743415')
    await stored(await students.check(await students.read(school, file)))
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name: '孙三' })
    const own = await listOf(admin, 'studentparents', { schoolId: school.schoolId, studentId: pupil!.id })
    expect(own).toHaveLength(1)
    expect(own[0]).toMatchObject({ parentName: '孙松柏' })
    expect(own[0]!.relation ?? null).toBeNull()
  })

  it('is two people where the cell names two', async () => {
    const file = rows('班级 姓名 性别 出生日期 父亲/母亲 电话', '三1班 李四 男 2017-10-08 李大/王梅 13800000001')
    await stored(await students.check(await students.read(school, file)))
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name: '李四' })
    const own = await listOf(admin, 'studentparents', { schoolId: school.schoolId, studentId: pupil!.id })
    expect(own.map(({ parentName, relation }) => `${parentName} ${relation}`).toSorted()).toEqual([
      '李大 51',
      '王梅 52',
    ])
  })
})

describe('R-IMP-3 ISSUE-12 names beside the number of a guardian whom the file calls by no name', () => {
  const mayBe = ({ columns }: EntityBatch): (string | null | undefined)[] =>
    columns.map((column) => (column as { mayBe?: string | null }).mayBe)

  it('are asked about', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 尊长 电话',
      '三1班 周五 男 2017-10-08 周建国 13800000001',
      '三1班 吴六 女 2017-10-09 王秀英 13800000002',
    )
    expect(mayBe(await students.read(school, file))).toEqual([null, null, null, null, 'member1.parentName', null])
  })

  it.each(['班主任', '同桌', '曾用姓名2', '宿舍室长'])(
    'are not where they are those of somebody else: %s',
    async (heading) => {
      const file = rows(`班级 姓名 性别 出生日期 ${heading} 电话`, '三1班 周五 男 2017-10-08 周建国 13800000001')
      expect(mayBe(await students.read(school, file)).filter(Boolean)).toEqual([])
    },
  )
})

describe('R-IMP-2 ISSUE-12 the state of a pupil', () => {
  it.each(['状态', '学生状态', '就读状态', '在读情况', '目前状态', '学籍异动', '是否在读'])(
    'is read under %s',
    (heading) => {
      expect(keys('姓名', heading)).toEqual(['student.name', 'check.status'])
    },
  )

  it('is asked about once a word, and stored as it is told', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 状态',
      '三1班 郑一 男 2017-10-08 在读',
      '三1班 郑二 男 2017-10-08 休学',
      '三1班 郑三 男 2017-10-08 休学',
      '三1班 郑四 男 2017-10-08 转出',
      '三1班 郑五 男 2017-10-08 毕业',
    )
    const batch = await students.check(await students.read(school, file))
    const groups = await students.groups(batch.id)
    expect(groups.map(({ text, count }) => `${text} ${count}`).toSorted()).toEqual(['休学 2', '毕业 1', '转出 1'])
    expect(groups[0]!.options.map(({ label }) => label)).toContain('休学')
    expect(groups[0]!.options.map(({ label }) => label)).not.toContain('在读')
    await stored(
      await students.answer(
        batch.id,
        { key: 'check.status', text: '休学', as: '休学' },
        { key: 'check.status', text: '转出', out: true },
        { key: 'check.status', text: '毕业', as: '毕业' },
      ),
    )
    const all = await listOf(admin, 'student', { schoolId: school.schoolId })
    const states = all
      .filter(({ name }) => String(name).startsWith('郑'))
      .map(({ name, status }) => `${name} ${status}`)
    expect(states.toSorted()).toEqual(['郑一 1', '郑三 2', '郑二 2', '郑五 7'])
  })
})

describe('R-IMP-3 ISSUE-12 what is asked of a guardian', () => {
  it('is asked in the words of the file: 接送人, and no third member', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 父亲姓名 父亲电话 母亲姓名 母亲电话 接送人',
      '三1班 冯一 男 2017-10-08 冯大 13800000001 王梅 13800000002 12345',
    )
    const batch = await students.check(await students.read(school, file))
    const { data } = await admin.get<{ label: string }[]>('blade-user/import/groups', { id: batch.id })
    expect(data.map(({ label }) => label).filter((label) => /成员/.test(label))).toEqual([])
    expect(data.map(({ label }) => label)).toContain('接送人')
  })

  it('has one name above and in the table of rows: that of the file', async () => {
    const file = rows('班级 姓名 性别 出生日期 父亲姓名 父亲电话', '三1班 冯二 男 2017-10-08 - 13800000001')
    const batch = await students.check(await students.read(school, file))
    const { data } = await admin.get<{ label: string; key: string }[]>('blade-user/import/groups', { id: batch.id })
    const labels = batch.columns.filter(({ key }) => key?.startsWith('member')).map(({ label }) => label)
    expect(labels).toEqual(['父亲姓名', '父亲电话'])
    for (const { key, label } of data)
      expect(batch.columns.find((column) => column.key === key)?.label ?? label).toBe(label)
  })
})

describe('R-IMP-3 ISSUE-12 numbers of parents who are named without one', () => {
  const guardiansOf = async (name: string): Promise<string[]> => {
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name })
    const own = await listOf(admin, 'studentparents', { schoolId: school.schoolId, studentId: pupil!.id })
    return own
      .map(({ parentName, relation, mobile }) =>
        [parentName, relation, mobile].map((each) => (each ? String(each).slice(-2) : '—')).join(' '),
      )
      .toSorted()
  }

  it.each([
    ['父亲姓名 母亲姓名 家长联系电话', '周一甲 钱甲 13900000011/15000000012', ['一甲 51 11', '钱甲 52 12']],
    ['父亲姓名 母亲姓名 家长联系电话', '周二甲 钱乙 13900000021', ['二甲 51 21', '钱乙 52 —']],
    ['家庭成员 联系电话1 联系电话2', '周三(父)、钱丙(母) 13900000031 15000000032', ['周三 51 31', '钱丙 52 32']],
    ['父亲姓名 父亲电话 母亲姓名', '周四 13900000041/15000000042 钱丁', ['周四 51 41', '钱丁 52 —']],
  ])('%s: %s', async (headings, cells, expected) => {
    const pupil = `孩${cells.slice(0, 2)}`
    const file = rows(`班级 姓名 性别 出生日期 ${headings}`, `三1班 ${pupil} 男 2017-10-08 ${cells}`)
    await stored(await students.check(await students.read(school, file)))
    expect(await guardiansOf(pupil)).toEqual(expected)
  })
})
