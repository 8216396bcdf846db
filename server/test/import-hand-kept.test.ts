import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLikelyName } from '../src/modules/import/student/name-words.ts'
import { readPeople } from '../src/modules/import/student/people-read.ts'
import { clerk, rows, type School, schoolWith } from './import-entity-parts.ts'
import { faultyRows, idNoOf } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** What lists kept by hand hold beside names and numbers: ditto marks, more relatives, remarks, whom to call. */

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

describe('R-IMP-2 a mark that repeats the cell above', () => {
  it('is that cell, and 同上 behind another address of the row is that address', async () => {
    const [plain, twice] = [
      rows(
        '班级 姓名 性别 出生日期 民族 籍贯 家庭住址',
        '三1班 贺一 男 2017-01-01 回族 江苏南京 柳树村1号',
        '〃 贺二 女 2017-01-02 〃 ″ 同上',
        '" 贺三 女 2017-01-03 同上 〃 〃',
      ),
      rows(
        '班级 姓名 性别 出生日期 户口地址 现住址',
        '三1班 贺四 男 2017-01-04 和平街1号 和平街2号',
        '三1班 贺五 男 2017-01-05 和平街3号 同上',
      ),
    ]
    await hands.brought(school, plain)
    for (const name of ['贺一', '贺二', '贺三']) {
      expect(await hands.pupil(school, name)).toMatchObject({ className: '三年级（1）班', nation: '03' })
      expect(await hands.detail(school, name)).toMatchObject({
        nativePlaceCode: '320100',
        familyAddress: '柳树村1号',
      })
    }
    await hands.brought(school, twice)
    expect((await hands.detail(school, '贺五')).homeAddress).toBe('和平街3号')
  })
})

describe('R-IMP-2 a row that shows how to fill in the others', () => {
  it('is no pupil where the name says 示例 in brackets', async () => {
    const batch = await hands.brought(
      school,
      rows('班级 姓名 性别 出生日期', '三1班 张三（示例，请删除） 男 2017-02-01', '三1班 施一 男 2017-02-02'),
    )
    expect(batch.total).toBe(1)
  })
})

describe('R-IMP-2 more relatives than four', () => {
  const who = ['父亲', '母亲', '爷爷', '奶奶', '外公', '外婆']
  it('are six guardians', async () => {
    await hands.brought(school, [
      ['班级', '姓名', '性别', '出生日期', ...who.flatMap((each) => [`${each}姓名`, `${each}电话`])],
      [
        '三1班',
        '田一',
        '男',
        '2017-03-01',
        ...who.flatMap((_each, at) => [
          `田大${at + 1}`.replace(/\d/, (no) => '一二三四五六'[Number(no) - 1]!),
          `1390000300${at}`,
        ]),
      ],
    ])
    const found = await hands.guardians(school, '田一')
    expect(found).toHaveLength(6)
    expect(found).toContain('田大六 64 13900003005')
  })

  it('beyond six are kept by name in the remarks, and told', async () => {
    const cell = [...who, '舅舅', '姑姑'].map((each, at) => `${each}${'田'}${'甲乙丙丁戊己庚辛'[at]}1390000310${at}`)
    const batch = await hands.brought(school, [
      ['班级', '姓名', '性别', '出生日期', '家长及电话'],
      ['三1班', '田二', '男', '2017-03-02', cell.join('；')],
    ])
    expect(await hands.guardians(school, '田二')).toHaveLength(6)
    expect((await hands.pupil(school, '田二')).remark).toBe('其他家长：田庚，舅舅；其他家长：田辛，姑姑')
    expect(batch).toMatchObject({
      told: expect.arrayContaining([expect.objectContaining({ kind: 'noRoom', count: 1 })]),
    })
  })

  it('of one kind are two people', async () => {
    await hands.brought(school, [
      ['班级', '姓名', '性别', '出生日期', '家长及电话'],
      ['三1班', '田三', '男', '2017-03-03', '舅舅田午13900003201；姑姑田未13900003202'],
    ])
    expect(await hands.guardians(school, '田三')).toEqual(['田午 97 13900003201', '田未 97 13900003202'])
  })
})

describe('R-IMP-2 whom to call first', () => {
  it.each(['是否常用联系人', '常联系人', '是否紧急联系人'])('is said row by row below %s', async (heading) => {
    const [name, no] = { 是否常用联系人: ['洪一', 1], 常联系人: ['洪二', 2], 是否紧急联系人: ['洪三', 3] }[heading] as [
      string,
      number,
    ]
    const own = [name, '男', '2017-04-01', '三1班']
    await hands.brought(school, [
      ['学生姓名', '性别', '出生日期', '班级', '家长姓名', '与学生关系', '手机号', heading],
      [...own, '洪大', '父亲', `1390000400${no}`, '否'],
      [...own, '钟红', '母亲', `1390000401${no}`, '是'],
    ])
    const called = Object.fromEntries(
      (await hands.guardiansOf(school, name)).map((each) => [each.parentName, each.isEmergency]),
    )
    expect(called).toEqual({ 洪大: 0, 钟红: 1 })
  })

  it('is a person where names stand below', async () => {
    await hands.brought(
      school,
      rows('班级 姓名 性别 出生日期 常用联系人 电话', '三1班 洪四 男 2017-04-04 洪大 13900004021'),
    )
    expect(await hands.guardians(school, '洪四')).toEqual(['洪大  13900004021'])
  })
})

describe('R-IMP-2 who is named by nothing but a relation', () => {
  it('is nobody: the word is kept in the remarks, and a printed relation is passed over', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 父亲姓名 父亲电话 主要带养人 家长2姓名 家长2关系',
        '三1班 龚一 男 2017-05-01 龚大 13900005001 奶奶 _ 母亲',
        '三1班 龚二 男 2017-05-02 龚小 13900005002 爷爷 李红 母亲',
      ),
    )
    expect(await hands.guardians(school, '龚一')).toEqual(['龚大 51 13900005001'])
    expect((await hands.pupil(school, '龚一')).remark).toBe('主要带养人：奶奶')
    expect(await hands.guardians(school, '龚二')).toEqual(['李红 52 ', '龚小 51 13900005002'])
  })

  it('is the head of the household where 与户主关系 says both ends', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 户主姓名 与户主关系 户主电话',
        '三1班 龚三 男 2017-05-03 龚大 父子 13900005003',
        '三1班 龚四 女 2017-05-04 龚老 爷孙女 13900005004',
      ),
    )
    expect(await hands.guardians(school, '龚三')).toEqual(['龚大 51 13900005003'])
    expect(await hands.guardians(school, '龚四')).toEqual(['龚老 61 13900005004'])
  })
})

describe('R-IMP-3 a place that is no region', () => {
  it('is a register office kept in the remarks, or asked about once and kept there', async () => {
    await hands.brought(
      school,
      rows('班级 姓名 性别 出生日期 户籍所在地（派出所）', '三1班 袁一 男 2017-06-01 城关派出所'),
    )
    expect((await hands.pupil(school, '袁一')).remark).toBe('户籍所在地（派出所）：城关派出所')
    const read = await hands.students.read(
      school,
      rows(
        '班级 姓名 性别 出生日期 籍贯',
        '三1班 袁二 男 2017-06-02 乌有',
        '三1班 袁三 男 2017-06-03 子虚',
        '三1班 袁四 男 2017-06-04 江苏南京',
      ),
    )
    const checked = await hands.students.check(read, { fixed: read.fixed })
    const [group, ...others] = await hands.students.groups(checked.id)
    expect(others).toEqual([])
    expect(group).toMatchObject({ count: 2, kept: true })
    const answered = await hands.students.answer(checked.id, {
      ...{ key: group!.key, text: group!.text, message: group!.message, as: '' },
    })
    expect(await faultyRows(admin, answered.id)).toEqual([])
    await hands.stored(answered)
    expect((await hands.pupil(school, '袁二')).remark).toBe('籍贯：乌有')
    expect((await hands.pupil(school, '袁三')).remark).toBe('籍贯：子虚')
  })
})

describe('R-IMP-2 a paper of disability', () => {
  it('is known by its longer name', async () => {
    const certificate = `${idNoOf('2017-07-01', 31)}41`
    await hands.brought(school, [
      ['班级', '姓名', '性别', '出生日期', '残疾类别', '残疾人证号', '户口本首页地址'],
      ['三1班', '柳一', '男', '2017-07-01', '肢体残疾', certificate, '和平街9号'],
    ])
    expect(await hands.detail(school, '柳一')).toMatchObject({
      disabilityType: '4',
      disabilityCertNo: certificate,
      hukouAddress: '和平街9号',
    })
  })
})

describe('R-IMP-2 what stands beside a name or a number', () => {
  const note = (text: string) => readPeople(text, (word) => ['江苏', '温州'].includes(word))
  it.each([
    ['王强 跑船 13812345678', '王强', '跑船'],
    ['王强13812345678常年跑船', '王强', '常年跑船'],
    ['13812345678 常年跑船', undefined, '常年跑船'],
    ['13812345678 拨前加0', undefined, '拨前加0'],
    ['13812345678转3', undefined, '转3'],
    ['13812345678（江苏）', undefined, '江苏'],
    ['王强/聋哑', '王强', '聋哑'],
    ['13812345678 轮流打', undefined, '轮流打'],
    ['尉迟恭 13812345678 耳背', '尉迟恭', '耳背'],
    ['13812345678 李红', '李红', undefined],
  ])('is a remark unless it is a name, a relation or a number: %s', (text, name, said) => {
    const people = note(text)
    expect(people).toHaveLength(1)
    expect(people![0]!.name).toBe(name)
    expect(people![0]!.note).toBe(said)
  })

  it('may be a relation with a remark behind it', () => {
    expect(note('13812345678（妈，晚7点后）')).toEqual([{ phones: ['13812345678'], word: '妈', note: '妈,晚7点后' }])
  })

  it('is a name by its surname', () => {
    for (const name of ['李红', '欧阳晓敏', '王李明轩', '阿依古丽·买买提']) expect(isLikelyName(name), name).toBe(true)
    for (const word of ['常年跑船', '年事已高', '耳背', '部队']) expect(isLikelyName(word), word).toBe(false)
  })

  it('makes nobody a guardian', async () => {
    await hands.brought(school, [
      ['班级', '姓名', '性别', '出生日期', '父亲姓名', '父亲电话'],
      ['三1班', '严一', '男', '2017-08-01', '严大', '13900008001常年跑船'],
    ])
    expect(await hands.guardians(school, '严一')).toEqual(['严大 51 13900008001'])
    expect((await hands.pupil(school, '严一')).remark).toBe('父亲电话：常年跑船')
  })
})
