import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPeople } from '../src/modules/import/student/people-read.ts'
import { clerk, type EntityBatch, importer, listOf, rows, schoolWith } from './import-entity-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** What clerks write beside a name or a number, and about whom: it is kept, and is nobody's name. */

let world: World
let admin: Person
let hands: ReturnType<typeof clerk>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  hands = clerk(world, admin)
})
afterAll(() => world.close())

const toldOf = (batch: EntityBatch): string[][] =>
  (batch as unknown as { told: { kind: string; key: string }[] }).told.map(({ kind, key }) => [kind, key])

const columns = '姓名 性别 出生日期 班级 父亲 父亲电话 母亲 母亲电话'
const child = (name: string, cells: string): string => `${name} 男 2017-03-01 三1班 ${cells}`

describe('R-IMP-2 beside the number of a parent', () => {
  it.each([
    ['a remark', '13812345601（已停机）', '13812345601', '父亲电话：已停机'],
    ['a remark with figures', '13812345602（晚上8点后）', '13812345602', '父亲电话：晚上8点后'],
    ['a remark about somebody', '13812345603（王老师代接）', '13812345603', '父亲电话：王老师代接'],
    ['a remark before it', '外地务工13812345604', '13812345604', '父亲电话：外地务工'],
    ['what says nothing', '手机：13812345605（微信同号）', '13812345605', null],
  ])('%s is kept in the remarks, without the number, and said before', async (_what, cell, mobile, remark) => {
    const school = await schoolWith(admin, [['13', 1]])
    const batch = await hands.brought(school, rows(columns, child('赵一', `赵大 ${cell} 林芳 13912345601`)))
    expect(await hands.guardians(school, '赵一')).toEqual(['林芳 52 13912345601', `赵大 51 ${mobile}`])
    expect((await hands.pupil(school, '赵一')).remark).toBe(remark)
    expect(toldOf(batch)).toEqual(remark === null ? [] : [['inRemark', 'member1.mobile']])
  })

  it('is no name of whoever the file does not name', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows('姓名 性别 出生日期 班级 家长电话', '赵二 男 2017-03-01 三1班 13812345606（在外打工）'),
    )
    expect(await hands.guardians(school, '赵二')).toEqual(['  13812345606'])
    expect((await hands.pupil(school, '赵二')).remark).toBe('家长电话：在外打工')
  })

  it('somebody else is somebody else: the mother does not become the grandmother', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        columns,
        child('钱一', '钱大 13812345611 林芳 奶奶张桂花13812345612'),
        child('钱二', '钱强 13812345613 何静 奶奶13812345614'),
        child('钱三', '钱伟 13812345615 高敏 林秀英13812345616'),
        child('钱四', '钱明 13812345617/李叔叔13812345618 罗丽 罗女士13812345619'),
        child('钱五', '钱军 13812345620（继父） 周燕 妈妈13812345621'),
      ),
    )
    const told = async (name: string): Promise<string[]> => hands.guardians(school, name)
    expect(await told('钱一')).toEqual(['张桂花 62 13812345612', '林芳 52 ', '钱大 51 13812345611'])
    expect(await told('钱二')).toEqual([' 62 13812345614', '何静 52 ', '钱强 51 13812345613'])
    expect(await told('钱三')).toEqual(['林秀英  13812345616', '钱伟 51 13812345615', '高敏 52 '])
    expect(await told('钱四')).toEqual(['李叔叔  13812345618', '罗丽 52 13812345619', '钱明 51 13812345617'])
    expect(await told('钱五')).toEqual(['周燕 52 13812345621', '钱军 57 13812345620'])
  })

  it('a word behind it without brackets says who that is, and a word without a number nobody', () => {
    const one = '13812345631'
    const two = '13812345632'
    expect(readPeople(`${one}  爷爷`)).toEqual([{ phones: [one], word: '爷爷' }])
    expect(readPeople(`${one} ${two} 爷爷 奶奶`)).toEqual([
      { phones: [one], word: '爷爷' },
      { phones: [two], word: '奶奶' },
    ])
    expect(readPeople(`父：${one} 母：`)).toEqual([{ phones: [one], word: '父' }])
  })

  it.each(['周一鸣', '白天宇', '常勇', '单明', '关心怡'])('%s is a name', (name) => {
    expect(readPeople(`${name} 13812345633`)).toEqual([{ phones: ['13812345633'], name }])
    expect(readPeople(`13812345633（${name}）`)).toEqual([{ phones: ['13812345633'], name }])
  })
})

describe('R-IMP-2 beside the name of a parent', () => {
  it('that one has died: kept in the remarks, called by nobody and nobody’s guardian', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        columns,
        child('孙一', '孙大（已故） _ 林芳 13812345641'),
        child('孙二', '已故 _ 何静 13812345642'),
        child('孙三', '孙强 13812345643 高敏（丈夫已故） 13812345644'),
      ),
    )
    const [one, other] = await hands.guardiansOf(school, '孙一')
    expect([one, other].map((each) => [each!.parentName, each!.isEmergency, each!.isGuardian]).toSorted()).toEqual([
      ['孙大', 0, 0],
      ['林芳', 1, 1],
    ])
    expect((await hands.pupil(school, '孙一')).remark).toBe('父亲：已故')
    expect(await hands.guardians(school, '孙二')).toEqual(['何静 52 13812345642'])
    expect((await hands.pupil(school, '孙二')).remark).toBe('父亲：已故')
    const widow = (await hands.guardiansOf(school, '孙三')).find(({ parentName }) => parentName === '高敏')
    expect(widow).toMatchObject({ isGuardian: 1 })
    expect((await hands.pupil(school, '孙三')).remark).toBe('母亲：丈夫已故')
  })

  it('where that one is makes no further guardian', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        columns,
        child('李一', '李大（在外打工） 13812345651 林芳（上海） 13812345652'),
        child('李二', '李强（常州） 13812345653 何静（离异） 13812345654'),
      ),
    )
    expect(await hands.guardians(school, '李一')).toEqual(['李大 51 13812345651', '林芳 52 13812345652'])
    expect((await hands.pupil(school, '李一')).remark).toBe('父亲：在外打工；母亲：上海')
    expect(await hands.guardians(school, '李二')).toEqual(['何静 52 13812345654', '李强 51 13812345653'])
    expect((await hands.pupil(school, '李二')).remark).toBe('父亲：常州；母亲：离异')
  })
})

describe('R-IMP-2 the emergency contact', () => {
  it('is a relative with a number, a number, or a name with what else is said', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 家长姓名 家长电话 紧急联系人',
        '周一 男 2017-03-01 三1班 周大 13812345661 爷爷13812345662',
        '周二 男 2017-03-02 三1班 周强 13812345663 13812345664',
        '周三 男 2017-03-03 三1班 周伟 13812345665 张老师（托管）13812345666',
      ),
    )
    const contact = async (name: string) => {
      const { emergencyName, emergencyPhone, emergencyRelation } = await hands.detail(school, name)
      return [emergencyName, emergencyPhone, emergencyRelation]
    }
    expect(await contact('周一')).toEqual(['爷爷', '13812345662', '61'])
    expect((await contact('周二'))[1]).toBe('13812345664')
    expect(await contact('周三')).toEqual(['张老师', '13812345666', null])
    expect((await hands.pupil(school, '周三')).remark).toBe('紧急联系人：托管')
  })
})

describe('R-IMP-3 a relation that says no more than 其他', () => {
  const file = rows(
    '姓名 性别 出生日期 班级 监护人 关系 关系说明 监护人电话',
    '吴一 男 2017-03-01 三1班 林芳 其他 _ 13812345671',
    '吴二 女 2017-03-02 三1班 何静 其他 _ 13812345672',
    '吴三 女 2017-03-03 三1班 高敏 其他 邻居 13812345673',
    '吴四 女 2017-03-04 三1班 罗丽 母亲 _ 13812345674',
  )

  it.each([
    ['母亲', ['52', null]],
    ['', [null, null]],
    ['其他', ['99', '未说明']],
  ])('is one question, which “%s” answers for all rows that do not say it themselves', async (answer, stored) => {
    const fresh = await world.tenant()
    const own = clerk(world, fresh)
    const school = await schoolWith(fresh, [['13', 1]])
    const batch = await own.students.check(await own.students.read(school, file))
    const [group, ...others] = await own.students.groups(batch.id)
    expect(others).toEqual([])
    expect(group).toMatchObject({ key: 'member1.relation', text: '其他', count: 2, mayBeEmpty: true })
    expect(group!.options.map(({ value }) => value)).toContain('母亲')
    const as = answer === '其他' ? group!.options.find(({ value }) => value.startsWith('其他'))!.value : answer
    await own.stored(await own.students.answer(batch.id, { key: group!.key, text: group!.text, as }))
    const said = async (name: string) => {
      const [one] = await own.guardiansOf(school, name)
      return [one!.relation ?? null, one!.relationNote ?? null]
    }
    const kept = answer === '其他' ? [expect.stringMatching(/^9[79]$/), '未说明'] : stored
    expect(await said('吴一')).toEqual(kept)
    expect(await said('吴二')).toEqual(kept)
    expect((await said('吴三'))[1]).toBe('邻居')
    expect(await said('吴四')).toEqual(['52', null])
  })
})

describe('R-IMP-3 an illness', () => {
  it.each(['有慢性病', ''])(
    'is kept in the remarks, whichever state of health it is answered to be: “%s”',
    async (as) => {
      const fresh = await world.tenant()
      const own = clerk(world, fresh)
      const school = await schoolWith(fresh, [['13', 1]])
      const file = rows('姓名 性别 出生日期 班级 健康状况', '冯一 男 2017-03-01 三1班 先天性心脏病')
      const batch = await own.students.check(await own.students.read(school, file))
      await own.stored(await own.students.answer(batch.id, { key: 'student.health', text: '先天性心脏病', as }))
      expect(await own.pupil(school, '冯一')).toMatchObject({
        health: as === '' ? null : '30',
        remark: '健康状况：先天性心脏病',
      })
    },
  )
})

describe('R-IMP-2 a list of guardians', () => {
  it('keeps what is said beside a number in the remarks of the guardian, and says so', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await hands.brought(school, rows('姓名 性别 出生日期 班级', '郑一 男 2017-03-01 三1班'))
    const list = importer(world, admin, 'studentparents')
    const read = await list.read(
      school,
      rows('学生姓名 班级 爸爸 爸爸电话 妈妈 妈妈电话', '郑一 三1班 郑大 13812345681（已停机） 林芳 13812345682'),
    )
    const batch = await list.check(read, { fixed: read.fixed })
    expect(toldOf(batch)).toEqual([['inRemark', 'member1.mobile']])
    expect(await list.commit(batch.id)).toMatchObject({ state: 'done', failure: null })
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId, name_equal: '郑一' })
    const found = await listOf(admin, 'studentparents', { studentId: pupil!.id })
    const told = await Promise.all(found.map(({ id }) => hands.whole('studentparents', id)))
    expect(told.map(({ parentName, remark }) => [parentName, remark]).toSorted()).toEqual([
      ['林芳', null],
      ['郑大', '爸爸电话：已停机'],
    ])
  })
})
