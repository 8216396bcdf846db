import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relationOf } from '../src/modules/import/student/people.ts'
import { clerk, listOf, rows, schoolWith } from './import-entity-parts.ts'
import { idNoOf } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Habits of clerks that whole files show: where a class stands, whose a number is, what is ticked. */

let world: World
let admin: Person
let hands: ReturnType<typeof clerk>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  hands = clerk(world, admin)
})
afterAll(() => world.close())

describe('R-IMP-2 where the class stands', () => {
  it('is the name of a sheet as kindergartens call their classes: 中一, 大班2班', async () => {
    const school = await schoolWith(
      admin,
      [
        ['01', 1],
        ['02', 1],
        ['03', 2],
      ],
      ['1'],
      '11',
    )
    await hands.brought(
      school,
      rows('班级 姓名 性别 出生日期', '中一 孙一 男 2021-10-01', '大班2班 孙二 女 2020-11-02'),
    )
    await hands.brought(school, rows('班级 姓名 性别 出生日期', '小一 孙三 男 2022-10-01', '小班一 孙四 女 2022-11-02'))
    for (const [name, of] of [
      ['孙一', '中'],
      ['孙二', '大'],
      ['孙三', '小'],
      ['孙四', '小'],
    ] as const)
      expect((await hands.pupil(school, name)).className).toContain(of)
  })

  it('of a primary school a 小一 is the grade, and its only class', async () => {
    const school = await schoolWith(admin, [['11', 1]])
    await hands.brought(school, rows('班级 姓名 性别 出生日期', '小一 李一 男 2020-05-01'))
    expect((await hands.pupil(school, '李一')).className).toBe('一年级（1）班')
  })

  it('of a village school a 三 below 年级 is the only class of that grade, and of several one that is asked for', async () => {
    const school = await schoolWith(admin, [
      ['11', 1],
      ['13', 1],
    ])
    await hands.brought(school, rows('姓名 性别 年级 出生', '吴一 男 一 2020-05-01', '吴三 女 三 2018-05-02'))
    expect((await hands.pupil(school, '吴一')).className).toBe('一年级（1）班')
    expect((await hands.pupil(school, '吴三')).className).toBe('三年级（1）班')
  })

  it('is the end of a path of departments, in the grade that stands before it', async () => {
    const school = await schoolWith(admin, [
      ['14', 2],
      ['15', 2],
    ])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 部门',
        '钱一 男 2016-10-01 滨江小学-四年级-2班',
        '钱二 女 2015-10-02 滨江小学-五年级-2班',
      ),
    )
    expect((await hands.pupil(school, '钱一')).className).toBe('四年级（2）班')
    expect((await hands.pupil(school, '钱二')).className).toBe('五年级（2）班')
  })

  it('is none yet where the name of the file is about entrants', async () => {
    const school = await schoolWith(admin, [
      ['11', 1],
      ['11', 2],
    ])
    const file = rows('姓名 性别 出生日期', '周一 男 2020-05-01', '周二 女 2020-05-02')
    await hands.brought(school, file, '2026年一年级新生报名信息.xlsx')
    expect(await hands.pupil(school, '周一')).toMatchObject({ className: null, enrollDate: '2026-09-01' })
  })
})

describe('R-IMP-2 a number behind that of the parent', () => {
  const file = (year: number, seed: number) =>
    rows(
      '姓名 身份证号 班级 家长姓名 家长电话 手机号码',
      [...['吴一', idNoOf(`${year}-03-01`, seed), '1班', '吴大', '13900000001', '13900000002']].join(' '),
    )

  it('is a contact of its own, and proposed to be looked at', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const read = await hands.students.read(
      school,
      file(2017, 21).map((row) => row.map((cell) => cell.replace(/^1班$/, '三1班'))),
    )
    expect(read.columns.find(({ heading }) => heading === '手机号码')).toMatchObject({
      key: 'member2.mobile',
      confidence: 0.6,
    })
    await hands.stored(await hands.students.check(read))
    expect(await hands.guardians(school, '吴一')).toEqual(['  13900000002', '吴大  13900000001'])
  })

  it('is that of whoever stands before it in one cell', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 监护人/电话',
        '卫一 男 2017-01-01 三1班 卫大13900000011',
        '卫二 女 2017-01-02 三1班 卫强13900000012',
      ),
    )
    expect(await hands.guardians(school, '卫一')).toEqual(['卫大  13900000011'])
  })

  it('is proposed as the pupil’s in a senior school', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'], '34')
    const read = await hands.students.read(
      school,
      file(2010, 23).map((row) => row.map((cell) => cell.replace(/^1班$/, '高一1班'))),
    )
    await hands.stored(await hands.students.check(read))
    expect((await hands.pupil(school, '吴一')).phone).toBe('13900000002')
    expect(await hands.guardians(school, '吴一')).toEqual(['吴大  13900000001'])
  })

  it('is nobody’s again where it is the same', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 家长姓名 家长电话 手机号码',
        '郑一 男 2017-01-01 三1班 郑大 13900000003 13900000003',
      ),
    )
    expect(await hands.guardians(school, '郑一')).toEqual(['郑大  13900000003'])
  })
})

describe('R-IMP-3 what a cell says below its heading', () => {
  it('否 below 是否走读 is 住校, as 是 below 是否住宿', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows('姓名 性别 出生日期 班级 是否走读', '王一 男 2017-01-01 三1班 否', '王二 女 2017-01-02 三1班 是'),
    )
    expect((await hands.pupil(school, '王一')).studyWay).toBe('2')
    expect((await hands.pupil(school, '王二')).studyWay).toBe('1')
  })

  it('the pupil of whom a question asks is none of it: 孩子是否走读, 学生是否住校', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    for (const [at, heading] of ['孩子是否走读？', '10、学生是否在校住宿？'].entries())
      await hands.brought(
        school,
        rows(
          `姓名 性别 出生日期 班级 ${heading}`,
          `卫${'一二'[at]} 男 2017-01-01 三1班 是`,
          `卫${'三四'[at]} 女 2017-01-02 三1班 否`,
        ),
      )
    const ways = await Promise.all(
      [...'一三二四'].map(async (sign) => (await hands.pupil(school, `卫${sign}`)).studyWay),
    )
    expect(ways).toEqual(['1', '2', '2', '1'])
  })

  it('a number without a kind is that of a passport where the row or the heading says so', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 国籍 证件号',
        '沈一 男 2017-01-01 三1班 美国 562341987',
        '沈二 女 2017-01-02 三1班 韩国 M12345678',
        `沈三 男 2017-01-03 三1班 中国 ${idNoOf('20170103', 3)}`,
      ),
    )
    await hands.brought(school, rows('姓名 性别 出生日期 班级 身份证号/护照号', '沈四 男 2017-01-04 三1班 E12345678'))
    for (const [name, type] of ['沈一 A', '沈二 A', '沈三 1', '沈四 A'].map((each) => each.split(' ')))
      expect((await hands.pupil(school, name!)).idType, name).toBe(type)
  })

  it.each([
    ['国籍 证件号', '中国 562341987'],
    ['国籍 证件号', '中国香港 H12345678'],
    ['身份证号 民族', 'E12345678 汉族'],
    ['身份证号/护照号 民族', 'H12345678 汉族'],
    ['国籍 证件号', '美国 11010520170101'],
  ])('and is asked about where nothing does: %s %s', async (heads, cells) => {
    const school = await schoolWith(admin, [['13', 1]])
    const read = await hands.students.read(
      school,
      rows(`姓名 性别 出生日期 班级 ${heads}`, `沈五 男 2017-01-05 三1班 ${cells}`),
    )
    expect((await hands.students.check(read)).counts).toMatchObject({ add: 0, bad: 1 })
  })

  it('a way to school is in kilometres, whatever the clerk counted in', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const ways = ['5里', '2.5公里', '约300米', '3', '1公里左右']
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 距校距离',
        ...ways.map((way, at) => `秦${'一二三四五'[at]} 男 2017-01-0${at + 1} 三1班 ${way}`),
      ),
    )
    const told = await Promise.all(
      [...'一二三四五'].map(async (sign) => (await hands.detail(school, `秦${sign}`)).distanceKm),
    )
    expect(told.map(Number)).toEqual([2.5, 2.5, 0.3, 3, 1])
  })

  it('boys to the left and girls to the right are what stands over them', async () => {
    const cells = '尤一|2017-01-01|尤大|13800000041|许一|2017-01-02|许大|13800000042'.split('|')
    for (const heads of [
      [
        ['男生（1人）', '', '', '', '女生（1人）', '', '', ''],
        '姓名|出生日期|家长姓名|家长电话|姓名|出生日期|家长姓名|家长电话'.split('|'),
      ],
      ['男生姓名|出生日期|家长姓名|家长电话|女生姓名|出生日期|家长姓名|家长电话'.split('|')],
    ]) {
      const school = await schoolWith(admin, [['13', 1]])
      await hands.brought(school, [['三（1）班学生名单'], ...heads, cells])
      expect((await hands.pupil(school, '尤一')).sex).toBe('1')
      expect((await hands.pupil(school, '许一')).sex).toBe('2')
      expect(await hands.guardians(school, '许一')).toEqual(['许大  13800000042'])
    }
  })

  it('a number of grandparents is one to call, and tells which of the two no more than the heading does', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 父亲姓名 父亲电话 爷爷奶奶姓名 爷爷奶奶电话',
        '韩一 男 2017-01-01 三1班 韩大 13800000011 韩德旺 13800000012',
        '韩二 女 2017-01-02 三1班 韩小 13800000013 奶奶李桂兰 13800000014',
      ),
    )
    expect(await hands.guardians(school, '韩一')).toEqual(['韩大 51 13800000011', '韩德旺  13800000012'])
    const all = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
    const { id } = all.find(({ parentName }) => parentName === '韩德旺')!
    expect(
      (await admin.get<{ relationNote: string | null }>('blade-user/studentparents/detail', { id })).data.relationNote,
    ).toBe('祖父母')
    expect((await hands.guardians(school, '韩二')).toSorted()).toEqual(['李桂兰 62 13800000014', '韩小 51 13800000013'])
  })

  it.each([
    ['父亲/监护人', '51', undefined],
    ['妈妈、监护人', '52', undefined],
    ['爹', '51', undefined],
    ['兄妹', '71', undefined],
    ['姐弟', '75', undefined],
    ['表哥', '97', '表哥'],
    ['舅甥', '97', '舅甥'],
    ['曾祖父', '97', '曾祖父'],
    ['亲戚', '97', '亲戚'],
  ])('%s is a relation as clerks write it', (word, relation, note) => {
    expect(relationOf(word)).toEqual({ relation, ...(note ? { note } : {}) })
  })

  it.each(['监护人', '祖孙', '父母', '儿子', '堂', '其他'])('%s says not which relative somebody is', (word) => {
    expect(relationOf(word)).toBeUndefined()
  })

  it('an uncle whom the heading names is a relative, and no two of them are one', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 叔叔姓名 叔叔电话 姑姑姓名 姑姑电话',
        '朱一 男 2017-01-01 三1班 朱小龙 13800000031 朱敏 13800000032',
      ),
    )
    expect(await hands.guardians(school, '朱一')).toEqual(['朱小龙 97 13800000031', '朱敏 97 13800000032'])
  })

  it('the head of the household is whom to call where nobody else is named', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows('姓名 性别 出生日期 班级 户主姓名 户主电话', '杨一 男 2017-01-01 三1班 杨德旺 13800000021'),
    )
    expect(await hands.guardians(school, '杨一')).toEqual(['杨德旺  13800000021'])
  })

  it('a code before a word is none of it, in a column of yes and no and in one of countries', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 国籍/地区 是否独生子女 是否孤儿',
        '陈一 1-男 2017-01-01 三1班 CHN-中国 1-是 0-否',
        '陈二 2-女 2017-01-02 三1班 HKG-中国香港 0-否 0-否',
      ),
    )
    expect(await hands.pupil(school, '陈一')).toMatchObject({ nationality: 'CHN', sex: '1' })
    expect(await hands.detail(school, '陈一')).toMatchObject({ isOnlyChild: 1, isOrphan: 0 })
    expect(await hands.detail(school, '陈二')).toMatchObject({ isOnlyChild: 0 })
  })

  it('an address beside its region is put together with it, whoever wrote the region twice', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 户籍所在地 户籍详细地址 家庭常住地 家庭常住地详细地址',
        '褚一 男 2017-01-01 三1班 江苏省南京市秦淮区 中华路7号 江苏省南京市玄武区 学府路38号',
        '褚二 女 2017-01-02 三1班 江苏省南京市秦淮区 中华路8号 江苏省南京市玄武区 江苏省南京市玄武区学府路39号',
        '褚三 女 2017-01-03 三1班 江苏省南京市秦淮区 中华路9号 学府路40号 北京东路1号',
      ),
    )
    expect(await hands.detail(school, '褚一')).toMatchObject({
      homeAddress: '江苏省南京市玄武区学府路38号',
      hukouAddress: '中华路7号',
    })
    expect((await hands.detail(school, '褚二')).homeAddress).toBe('江苏省南京市玄武区学府路39号')
    expect((await hands.detail(school, '褚三')).homeAddress).toBe('学府路40号；北京东路1号')
  })

  it('an estate, a building and a flat in three columns are one address, and a bed in a dormitory is none', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 居住小区 楼栋号 房号',
        '蒋一 男 2017-01-01 三1班 幸福小区 3 502',
        '蒋二 女 2017-01-02 三1班 阳光花园 5幢 无',
      ),
    )
    expect((await hands.detail(school, '蒋一')).homeAddress).toBe('幸福小区3栋502号')
    expect((await hands.detail(school, '蒋二')).homeAddress).toBe('阳光花园5幢')
    const beds = await hands.students.read(
      school,
      rows('楼栋号 房间号 姓名 性别 出生日期 班级', '1号楼 201 蒋三 男 2017-01-03 三1班'),
    )
    expect(beds.columns.map(({ heading }) => heading).slice(0, 2)).toEqual(['楼栋号', '房间号'])
  })

  it('what is ticked of several is meant, and nothing where both are', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 独生与否',
        '冯一 （男） 公历2017年1月1日 三1班 ☑是□否',
        '冯二 女。 2017_01_02 三1班 □是☑否',
      ),
    )
    expect((await hands.detail(school, '冯一')).isOnlyChild).toBe(1)
    expect((await hands.detail(school, '冯二')).isOnlyChild).toBe(0)
    expect((await hands.pupil(school, '冯一')).birthDate).toBe('2017-01-01')
    const both = await hands.students.read(
      school,
      rows('姓名 性别 出生日期 班级 独生与否', '冯三 男 2017-01-03 三1班 ☑是☑否'),
    )
    expect((await hands.students.faults((await hands.students.check(both)).id)).join()).toContain('是')
  })
})
