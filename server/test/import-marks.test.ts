import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchHeadings } from '../src/modules/import/file/match.ts'
import { clerk, rows, type School, schoolWith } from './import-entity-parts.ts'
import { makeWorld, type World } from './world.ts'

/** Small marks of clerks in cells and headings: a star behind a name, the season of entry, a figure behind 电话. */

let world: World
let hands: ReturnType<typeof clerk>
let school: School
beforeAll(async () => {
  world = await makeWorld()
  const admin = await world.tenant()
  hands = clerk(world, admin)
  school = await schoolWith(admin, [['13', 1]])
})
afterAll(() => world.close())

describe('R-IMP-2 marks in cells', () => {
  it('are no part of a name, and are kept in the remarks', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 备注',
      '三1班 赵一* 男 2017-05-01 _',
      '三1班 钱二（大） 女 2017-05-02 课代表',
      '三1班 ★孙三 男 2017-05-03 _',
      '三1班 李四2 男 2017-05-04 _',
      '三1班 周·五 男 2017-05-05 _',
    )
    await hands.brought(school, file)
    expect((await hands.pupil(school, '赵一')).remark).toBe('姓名：赵一*')
    expect((await hands.pupil(school, '钱二')).remark).toBe('课代表；姓名：钱二（大）')
    expect((await hands.pupil(school, '孙三')).remark).toBe('姓名：★孙三')
    expect((await hands.pupil(school, '李四')).remark).toBe('姓名：李四2')
    expect((await hands.pupil(school, '周·五')).remark ?? '').toBe('')
    const again = await hands.students.read(school, file)
    expect((await hands.students.check(again, { fixed: again.fixed })).counts).toMatchObject({ add: 0, bad: 0 })
  })

  it('of the season or year of entry are its September', async () => {
    const entries = ['2024年秋', '2024秋季', '2024', '2024级', '2024年秋季学期', '2024.9']
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 入学时间',
        ...entries.map((each, at) => `三1班 吴${'一二三四五六'[at]} 男 2017-06-0${at + 1} ${each}`),
      ),
    )
    for (const at of entries.keys())
      expect((await hands.pupil(school, `吴${'一二三四五六'[at]}`)).enrollDate, entries[at]).toBe('2024-09-01')
  })
})

describe('R-IMP-2 a figure behind 电话', () => {
  const keys = (...headings: string[]): (string | undefined)[] => {
    const known = matchHeadings('student', headings)
    return headings.map((_heading, at) => known.get(at)?.key)
  }
  it('counts the numbers of the only guardian with a name', () => {
    expect(keys('姓名', '家长姓名', '家长电话', '家长电话2').slice(1)).toEqual([
      ...['member1.parentName', 'member1.mobile', 'member1.otherPhone'],
    ])
    expect(keys('姓名', '监护人', '监护人电话1', '监护人电话2').slice(1)).toEqual([
      ...['member1.parentName', 'member1.mobile', 'member1.otherPhone'],
    ])
  })

  it('is somebody else where it stands behind 家长, or where nobody has a name', () => {
    expect(keys('姓名', '家长姓名', '家长电话', '家长2电话').slice(1)).toEqual([
      ...['member1.parentName', 'member1.mobile', 'member2.mobile'],
    ])
    expect(keys('姓名', '家长电话1', '家长电话2').slice(1)).toEqual(['member1.mobile', 'member2.mobile'])
  })
})
