import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchHeadings } from '../src/modules/import/file/match.ts'
import { clerk, rows, type School, schoolWith } from './import-entity-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Parents and those who fetch a child as clerks write them: nothing is stored of anybody that the file does not say. */

let world: World
let admin: Person
let hands: ReturnType<typeof clerk>
let school: School
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  hands = clerk(world, admin)
  school = await schoolWith(admin, [['13', 1]])
})
afterAll(() => world.close())

/** Guardians with who may fetch the child. */
const fetchers = async (name: string): Promise<string[]> =>
  (await hands.guardiansOf(school, name))
    .map(({ parentName, relation, canPickup }) => `${parentName ?? ''} ${relation ?? ''} ${canPickup}`)
    .toSorted()

describe('R-IMP-2 both parents in one cell', () => {
  it('are father and mother where the surname says so, and of no relation where the mother may stand first', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 父母姓名 父母电话',
        '三1班 赵一 男 2017-05-01 赵大、钱梅 13800000101、13800000102',
        '三1班 钱二 女 2017-05-02 孙红、钱大 13800000103/13800000104',
        '三1班 扎西 男 2017-05-03 次仁、卓玛 13800000105/13800000106',
        '三1班 李四 男 2017-05-04 李大、李梅 13800000107/13800000108',
      ),
    )
    expect(await hands.guardians(school, '赵一')).toEqual(['赵大 51 13800000101', '钱梅 52 13800000102'])
    expect(await hands.guardians(school, '钱二')).toEqual(['孙红  13800000103', '钱大  13800000104'])
    expect(await hands.guardians(school, '扎西')).toEqual(['卓玛  13800000106', '次仁  13800000105'])
    expect(await hands.guardians(school, '李四')).toEqual(['李大  13800000107', '李梅  13800000108'])
  })

  it('stand in the order of a heading with a sign between, unless the surname contradicts it', async () => {
    await hands.brought(
      school,
      rows(
        '父/母电话 父/母姓名 班级 姓名 性别 出生日期',
        '13800000111/13800000112 次仁/卓玛 三1班 达瓦 男 2017-05-05',
        '13800000113/13800000114 孙红/周大 三1班 周五 女 2017-05-06',
        '13800000115/13800000116 _ 三1班 吴六 女 2017-05-07',
      ),
    )
    expect(await hands.guardians(school, '达瓦')).toEqual(['卓玛 52 13800000112', '次仁 51 13800000111'])
    expect(await hands.guardians(school, '周五')).toEqual(['周大  13800000114', '孙红  13800000113'])
    expect(await hands.guardians(school, '吴六')).toEqual([' 51 13800000115', ' 52 13800000116'])
  })

  it('are two people where the second is called as a bureau is', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 家长',
        '三1班 王一 男 2017-05-08 王建局13800000121，李梅13800000122',
        '三1班 王二 女 2017-05-09 李霞13800000123、王建局13800000124',
        '三1班 王三 女 2017-05-10 王大，13800000125，供电局',
      ),
    )
    expect(await hands.guardians(school, '王一')).toEqual(['李梅  13800000122', '王建局  13800000121'])
    expect(await hands.guardians(school, '王二')).toEqual(['李霞  13800000123', '王建局  13800000124'])
    expect(await hands.guardiansOf(school, '王三')).toMatchObject([{ parentName: '王大', workUnit: '供电局' }])
  })
})

describe('R-IMP-2 a guardian and what else is said of one', () => {
  it('is a name and a work in one cell, whatever the employer is called', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 父亲姓名/职业 父亲电话 母亲姓名及工作单位 母亲电话',
        '三1班 蒋一 男 2017-07-01 蒋大/司机 13800000151 沈梅（华为） 13800000152',
        '三1班 蒋二 女 2017-07-02 蒋四、个体 13800000153 沈霞，市人民医院 13800000154',
        '三1班 蒋三 女 2017-07-03 蒋五 13800000155 沈兰 13800000156',
      ),
    )
    const works = async (name: string): Promise<string[]> =>
      (await hands.guardiansOf(school, name))
        .map(({ parentName, relation, workUnit, position, mobile }) =>
          [parentName, relation, workUnit, position, mobile].map((each) => each ?? '').join(' '),
        )
        .toSorted()
    expect(await works('蒋一')).toEqual(['沈梅 52 华为  13800000152', '蒋大 51  司机 13800000151'])
    expect(await works('蒋二')).toEqual(['沈霞 52 市人民医院  13800000154', '蒋四 51  个体 13800000153'])
    expect(await hands.guardians(school, '蒋三')).toEqual(['沈兰 52 13800000156', '蒋五 51 13800000155'])
  })

  it('is whoever looks after the child in place of the parents; nobody else under a group of headings is one', async () => {
    const heads = (who: string) => [
      ['班级', '姓名', '性别', '出生日期', '父亲情况', '', `${who}情况`, '', ''],
      ['', '', '', '', '姓名', '联系电话', '姓名', '与留守儿童关系', '联系电话'],
    ]
    const line = (name: string, day: string) =>
      rows(`三1班 ${name} 男 2017-07-${day} 韩大 13800000161 韩松 爷爷 13800000162`)
    await hands.brought(school, [...heads('代管人'), ...line('韩一', '11')])
    expect(await hands.guardians(school, '韩一')).toEqual(['韩大 51 13800000161', '韩松 61 13800000162'])
    const read = await hands.brought(school, [...heads('资助人'), ...line('韩二', '12')])
    expect(read.columns.filter(({ key }) => key === null).map(({ heading }) => heading)).toContain('资助人联系电话')
    expect(await hands.guardians(school, '韩二')).toEqual(['韩大 51 13800000161'])
    for (const each of await hands.guardiansOf(school, '韩二')) expect(each.otherPhone ?? '').toBe('')
  })

  it('stands below the other one on every sheet of one shape, under 亲属', async () => {
    const both = await schoolWith(admin, [
      ['11', 1],
      ['11', 2],
    ])
    const book = new excel.Workbook()
    for (const no of [1, 2]) {
      const sheet = book.addWorksheet(`一（${no}）班`)
      const lines = rows(
        '姓名 性别 出生日期 亲属姓名 亲属关系 亲属电话 工作单位',
        `杨${'一二'[no - 1]} 男 2019-10-0${no} 杨大 父亲 1380000017${no} 务工`,
        `_ _ _ 朱梅 母亲 1380000018${no} 超市`,
        `秦${'一二'[no - 1]} 女 2019-11-0${no} 秦大 父亲 1380000019${no} _`,
      )
      for (const line of lines) sheet.addRow(line)
      for (const column of 'ABC') sheet.mergeCells(`${column}2:${column}3`)
    }
    await hands.brought(both, Buffer.from(await book.xlsx.writeBuffer()))
    expect(await hands.guardians(both, '杨二')).toEqual(['朱梅 52 13800000182', '杨大 51 13800000172'])
    expect(await hands.guardians(both, '秦一')).toEqual(['秦大 51 13800000191'])
    expect((await hands.pupil(both, '秦二')).className).toBe('一年级（2）班')
  })
})

describe('R-IMP-2 who fetches the child', () => {
  it('is a parent whom the row names; whoever is only called grandmother is kept in the remarks', async () => {
    const batch = await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 爸爸姓名 爸爸手机 妈妈姓名 妈妈手机 接送人',
        '三1班 冯一 男 2017-06-01 冯大 13800000131 陈梅 13800000132 妈妈',
        '三1班 冯二 女 2017-06-02 冯大 13800000131 陈梅 13800000132 父母',
        '三1班 冯三 男 2017-06-03 冯四 13800000133 陈霞 13800000134 奶奶',
        '三1班 冯五 男 2017-06-04 冯六 13800000135 陈红 13800000136 妈妈、爷爷',
        '三1班 冯七 女 2017-06-05 冯八 13800000137 陈兰 13800000138 校车',
        '三1班 冯九 女 2017-06-06 冯十 13800000139 陈英 13800000140 冯奶奶',
      ),
    )
    expect(batch.columns.find(({ heading }) => heading === '接送人')?.key).toBe('member3.parentName')
    expect(await fetchers('冯一')).toEqual(['冯大 51 0', '陈梅 52 1'])
    expect(await fetchers('冯二')).toEqual(['冯大 51 1', '陈梅 52 1'])
    expect(await fetchers('冯三')).toEqual(['冯四 51 0', '陈霞 52 0'])
    expect(await fetchers('冯五')).toEqual(['冯六 51 0', '陈红 52 1'])
    expect(await fetchers('冯九')).toEqual(['冯十 51 0', '冯奶奶  1', '陈英 52 0'])
    expect((await hands.pupil(school, '冯三')).remark).toBe('接送人：奶奶')
    expect((await hands.pupil(school, '冯五')).remark).toBe('接送人：妈妈、爷爷')
    expect((await hands.pupil(school, '冯七')).remark).toBe('接送人：校车')
    expect((await hands.pupil(school, '冯一')).remark ?? '').toBe('')
  })

  it('may be the mother once more, whose number is not her second one', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 父亲姓名 父亲电话 母亲姓名 母亲电话 接送人姓名 接送人与幼儿关系 接送人电话',
        '三1班 褚一 男 2017-06-07 褚大 13800000141 卫梅 13800000142 卫梅 母亲 13800000142',
      ),
    )
    expect(await hands.guardians(school, '褚一')).toEqual(['卫梅 52 13800000142', '褚大 51 13800000141'])
    for (const each of await hands.guardiansOf(school, '褚一')) expect(each.otherPhone ?? '').toBe('')
  })
})

describe('R-IMP-2 headings in two languages', () => {
  it('are those of the Chinese one, whatever word stands behind it', () => {
    const headings = ['中文名 Chinese Name', '校车 Bus', '民族 Ethnic', '学生 Wechat', '班级 WeChat']
    const known = matchHeadings('student', headings)
    expect(headings.map((_heading, at) => known.get(at)?.key)).toEqual([
      ...['student.name', 'detail.needsBus', 'student.nation', undefined, undefined],
    ])
  })
})
