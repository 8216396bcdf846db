import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { matchColumns, matchHeadings } from '../src/modules/import/file/match.ts'
import { clerk, type EntityBatch, type importer, listOf, rows, type School, schoolWith } from './import-entity-parts.ts'
import { idNoOf, xlsx } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** What further blind sets of ordinary rosters brought to light. */

let world: World
let admin: Person
let hands: ReturnType<typeof clerk>
let students: ReturnType<typeof importer>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  hands = clerk(world, admin)
  students = hands.students
})
afterAll(() => world.close())

const stored = (batch: EntityBatch) => hands.stored(batch)
const brought = (school: School, file: Buffer | string[][]) => hands.brought(school, file)
const pupil = (school: School, name: string) => hands.pupil(school, name)
const detail = (school: School, name: string) => hands.detail(school, name)
const guardians = (school: School, name: string) => hands.guardians(school, name)

describe('R-IMP-2 a title that names a grade', () => {
  const file = (title: string) => [[title], ...rows('姓名 性别 出生日期', '赵一 男 2016-10-01', '钱二 女 2016-11-02')]

  it('is the only class that the school has in it', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['14', 1],
    ])
    const read = await brought(school, file('四年级学生名册'))
    // It is seen before anything is checked.
    expect(read.columns.find(({ key }) => key === 'student.classId')?.samples).toContain('四年级学生名册')
    expect((await pupil(school, '赵一')).className).toBe('四年级（1）班')
  })

  it('is asked about where the grade has two, and where the title names a class of its own', async () => {
    const school = await schoolWith(admin, [
      ['14', 1],
      ['14', 2],
      ['15', 1],
    ])
    for (const title of ['四年级学生名册', '五年级舞蹈班学生名册']) {
      const read = await students.read(school, file(title))
      expect(read.columns.some(({ key }) => key === 'student.classId') && title.startsWith('四')).toBe(false)
      expect(read.fixed['student.classId']).toBeUndefined()
    }
  })

  it('of those who have just been admitted says that they are in no class yet, and in which grade', async () => {
    const school = await schoolWith(admin, [
      ['11', 1],
      ['11', 2],
    ])
    const read = await brought(school, [
      ['2026年一年级新生报名登记表'],
      ...rows('姓名 性别 出生日期', '孙三 男 2020-05-01', '李四 女 2020-05-02'),
    ])
    expect(read.fixed).toMatchObject({ 'student.classId': '暂不分班' })
    expect(await pupil(school, '孙三')).toMatchObject({ className: null, enrollDate: '2026-09-01' })
  })
})

describe('R-IMP-1 a pupil of whom the file tells no number', () => {
  it('has no kind of document; whoever has a number has an identity card', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const number = idNoOf('2017-05-03', 11)
    await brought(
      school,
      rows('班级 姓名 性别 出生日期 身份证号', '三1班 周五 男 2017-05-01 _', `三1班 吴六 男 2017-05-03 ${number}`),
    )
    expect(await pupil(school, '周五')).toMatchObject({ idType: null, idNo: null })
    expect(await pupil(school, '吴六')).toMatchObject({ idType: '1', idNo: number })
    const own = await world.inTenant(admin.tenantId, (tx) =>
      tx.run<{ name: string }>(
        sql`select name from student where tenant_id = ${admin.tenantId} and school_id = ${school.schoolId} and id_type is null`,
      ),
    )
    expect(own).toEqual([{ name: '周五' }])
  })

  it('keeps the kind that the file says, and gets one with the number of a later file', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const number = idNoOf('2017-06-01', 13)
    await brought(
      school,
      rows(
        '班级 学号 姓名 性别 出生日期 证件类型',
        '三1班 S7001 郑七 男 2017-06-01 _',
        '三1班 S7002 王八 女 2017-06-02 户口簿',
      ),
    )
    expect(await pupil(school, '王八')).toMatchObject({ idType: 'B', idNo: null })
    const again = await students.read(
      school,
      rows('班级 学号 姓名 性别 出生日期 身份证号', `三1班 S7001 郑七 男 2017-06-01 ${number}`),
      '补.xlsx',
      'update',
    )
    await stored(await students.check(again))
    expect(await pupil(school, '郑七')).toMatchObject({ idType: '1', idNo: number })
  })

  it('is refused a number without its kind', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const number = idNoOf('2017-06-01', 15)
    await brought(school, rows('班级 姓名 性别 出生日期 身份证号', `三1班 冯九 男 2017-06-01 ${number}`))
    const { id, version } = await pupil(school, '冯九')
    const answer = await admin.post('blade-user/student/submit', { id, version, idType: '' })
    expect(answer.status).toBe(400)
    expect(answer.msg).toContain('请选择证件类型')
  })
})

describe('R-IMP-2 headings', () => {
  const keys = (headings: string): string => {
    const all = headings.split('|')
    const matches = matchHeadings('student', all)
    return all.map((_heading, at) => matches.get(at)?.key ?? '-').join('|')
  }

  it.each([
    ['姓名|是否有过敏史，请填写过敏原|既往病史（如无填无）', 'student.name|detail.allergy|detail.medicalHistory'],
    ['姓名 ئىسمى|性别 جىنسى|出生日期 تۇغۇلغان ۋاقتى', 'student.name|student.sex|student.birthDate'],
    ['姓名|视力（左）|视力（右眼）', 'student.name|detail.visionLeft|detail.visionRight'],
    ['姓名|现居住详细地址|户籍具体地址', 'student.name|detail.homeAddress|detail.hukouAddress'],
    ['姓名|家庭住址，请具体到门牌号|身份证号 如有X请大写', 'student.name|detail.familyAddress|student.idNo'],
  ])('are read without what they ask of whoever fills them in: %s', (headings, meant) => {
    expect(keys(headings)).toBe(meant)
  })

  it('tell two people apart though the relation stands before the name', () => {
    const parts = [['姓名'], ...['称谓', '姓名', '工作单位', '联系电话'].map((own) => ['家庭主要成员', own])]
    const { matches } = matchColumns(
      'student',
      [...parts, ...parts.slice(1)].map((each) => ({ heading: each.join(''), parts: each })),
    )
    expect(Array.from({ length: 9 }, (_key, at) => matches.get(at)?.key)).toEqual([
      'student.name',
      ...['relation', 'parentName', 'workUnit', 'mobile'].map((field) => `member1.${field}`),
      ...['relation', 'parentName', 'workUnit', 'mobile'].map((field) => `member2.${field}`),
    ])
  })
})

describe('R-IMP-2 people', () => {
  const keys = (headings: string): string => {
    const all = headings.split('|')
    const matches = matchHeadings('student', all)
    return all.map((_heading, at) => matches.get(at)?.key ?? '-').join('|')
  }
  it.each([
    // One parent is named, so that the figures count numbers.
    ['姓名|家长姓名（关系）|家长电话1|家长电话2', 'student.name|member1.parentName|member1.mobile|member1.otherPhone'],
    ['姓名|家长1姓名|家长1电话|家长2电话', 'student.name|member1.parentName|member1.mobile|member2.mobile'],
    // Who fills in a form is a guardian where it is asked who that is to the child.
    [
      '孩子姓名|填写人与孩子关系|填写人姓名|填写人手机',
      'student.name|member1.relation|member1.parentName|member1.mobile',
    ],
    ['姓名|班级|填表人姓名|填表人电话', 'student.name|student.classId|-|-'],
    [
      '学生姓名|称谓1|姓名1|电话1|称谓2|姓名2|电话2',
      'student.name|member1.relation|member1.parentName|member1.mobile|member2.relation|member2.parentName|member2.mobile',
    ],
    ['姓名|監護人姓名|關係|聯絡電話', 'student.name|member1.parentName|member1.relation|member1.mobile'],
    [
      '姓名|是否需要校车|是否属于孤儿|是否接受过学前教育',
      'student.name|detail.needsBus|detail.isOrphan|detail.hadPreschool',
    ],
  ])('of %s are %s', (headings, meant) => {
    expect(keys(headings)).toBe(meant)
  })
})

describe('R-IMP-2 what cells say where a heading does not', () => {
  const numbers = (...samples: string[]) => ({
    ...{ filled: samples.length, idNos: 0, days: 0, names: 0, samples },
    mobiles: samples.filter((each) => each.length === 11).length,
    numbers: samples.filter((each) => each.length < 11).length,
  })
  const match = (...columns: [string, ...string[]][]) => {
    const { matches } = matchColumns(
      'student',
      columns.map(([heading, ...samples]) => ({
        heading,
        ...(samples.length > 0 ? { facts: numbers(...samples) } : {}),
      })),
    )
    return columns.map((_column, at) => matches.get(at))
  }

  it('takes a number behind the class for that in class: 班 号 姓名, and no number of a room', () => {
    const key = (...columns: [string, ...string[]][]) => match(...columns).map((each) => each?.key ?? '-')
    expect(key(['班'], ['号', '1', '2'], ['姓名'])[1]).toBe('student.seatNo')
    expect(key(['班'], ['姓名'], ['楼'], ['号', '1', '2'])[3]).toBe('-')
    expect(key(['班'], ['号', '301', '302'], ['姓名'])[1]).toBe('-')
  })

  it('takes a number that may be that in class or of the school for what its length says: 座号/学号', () => {
    const key = (...column: [string, ...string[]]) => match(['班级'], ['姓名'], column)[2]?.key ?? '-'
    for (const heading of ['座号/学号', '学号/座位号', '序号/学号', '学号或座号']) {
      expect(key(heading, '1', '12'), heading).toBe('student.seatNo')
      expect(key(heading, '20240101', '20240112'), heading).toBe('student.studentNo')
      expect(key(heading, 'A', '20240112'), heading).toBe('-')
    }
    expect(key('考号/座号', '1', '12')).toBe('-')
  })

  it('takes sights below 左眼 and 右眼 for those of the eyes, and nothing else', () => {
    const keys = (...samples: string[]) =>
      match(['班级'], ['姓名'], ['左眼', ...samples], ['右眼', ...samples])
        .map((each) => each?.key ?? '-')
        .slice(2)
    expect(keys('5.0', '4.9', '5')).toEqual(['detail.visionLeft', 'detail.visionRight'])
    expect(keys('0.8', '1', '1.25')).toEqual(['detail.visionLeft', 'detail.visionRight'])
    expect(keys('近视', '5.0')).toEqual(['-', '-'])
    expect(keys('1', '2')).toEqual(['-', '-'])
    expect(keys('150', '275.5')).toEqual(['-', '-'])
  })

  it('takes 是否残疾 for the kind of disability where nobody has one', () => {
    const key = (...samples: string[]) => match(['班级'], ['姓名'], ['是否残疾', ...samples])[2]?.key ?? '-'
    expect(key('无残疾', '否')).toBe('detail.disabilityType')
    expect(key('无残疾', '是')).toBe('-')
  })

  it('takes numbers of mobile telephones for those of the families, to be looked at, and no other’s', () => {
    const two = ['13800000001', '13800000002'] as const
    expect(match(['班级'], ['姓名'], ['接收短信手机号', ...two])[2]).toEqual({
      key: 'member1.mobile',
      confidence: 0.6,
      elder: 'student.phone',
    })
    for (const heading of ['校车司机电话', '学校电话', '班主任手机', '村干部手机号', '投诉电话'])
      expect(match(['班级'], ['姓名'], [heading, ...two])[2], heading).toBeUndefined()
    expect(match(['班级'], ['姓名'], ['接收短信手机号', '13800000001', '1380000'])[2]).toBeUndefined()
    // One number for all is nobody's own.
    const same = { ...numbers('13800000001'), filled: 2, mobiles: 2 }
    const { matches } = matchColumns('student', [{ heading: '姓名' }, { heading: '接收短信手机号', facts: same }])
    expect(matches.get(1)).toBeUndefined()
  })
})

describe('R-IMP-2 numbers that say whose they are', () => {
  it('under a heading that does not are given to those of their relation, in whatever order', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 父亲姓名 母亲姓名 家长电话',
        '三1班 何一 男 2017-05-01 何父 吕梅 父亲：13800000301；母亲：13800000302',
        '三1班 施二 女 2017-05-02 施父 韩梅 母亲：13800000304；父亲：13800000303',
      ),
    )
    expect(await guardians(school, '何一')).toEqual(['何父 51 13800000301', '吕梅 52 13800000302'])
    expect(await guardians(school, '施二')).toEqual(['施父 51 13800000303', '韩梅 52 13800000304'])
    // Behind its number, in brackets, a relation says nothing of the number that follows.
    await brought(school, [
      ['班级', '姓名', '性别', '出生日期', '家长姓名', '联系电话'],
      ['三1班', '张三', '男', '2017-05-03', '张父（父） 沈梅（母）', '13800000313（父） 13800000314（母）'],
    ])
    expect(await guardians(school, '张三')).toEqual(['张父 51 13800000313', '沈梅 52 13800000314'])
  })
})

describe('R-IMP-2 nobody stands twice', () => {
  it('who is named as the father and once more as the guardian, with the number', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 父亲姓名 母亲姓名 监护人姓名 监护人关系 监护人电话',
        '三1班 孔三 男 2017-05-01 孔父 曹梅 孔父 父亲 13800000305',
        '三1班 曹四 女 2017-05-02 曹父 严梅 曹老大 爷爷 13800000306',
      ),
    )
    expect(await guardians(school, '孔三')).toEqual(['孔父 51 13800000305', '曹梅 52 '])
    expect(await guardians(school, '曹四')).toEqual(['严梅 52 ', '曹父 51 ', '曹老大 61 13800000306'])
  })

  it('and two fathers of different names are told of before anything is stored', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const batch = await students.check(
      await students.read(
        school,
        rows(
          '班级 姓名 性别 出生日期 父亲姓名 监护人姓名 监护人关系 监护人电话',
          '三1班 严五 男 2017-05-01 严父 严大 父亲 13800000307',
        ),
      ),
    )
    expect(await students.faults(batch.id)).toEqual([
      '2 member2.relation 这一行已有同样关系的家长，一名学生只有一位父亲和一位母亲',
    ])
  })

  it('and the emergency contact is read out of one cell', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 紧急联系人及电话 父亲姓名 父亲电话',
        '三1班 华六 男 2017-05-01 陶梅（母亲）13800000308 华父 13800000309',
      ),
    )
    expect(await detail(school, '华六')).toMatchObject({
      emergencyName: '陶梅',
      emergencyRelation: '52',
      emergencyPhone: '13800000308',
    })
  })
})

describe('R-IMP-2 two columns of names', () => {
  it('are the Chinese one and the English one, whichever comes first', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(school, [
      ["Child's Full Name", 'Chinese Name', 'Gender', 'Date of Birth', 'Class'],
      ['Liam Wang', '王立安', 'Male', '2017-05-01', 'Grade 3 Class 1'],
      ['Ava Li', '李艾娃', 'Female', '2017-05-02', 'Grade 3 Class 1'],
    ])
    expect(await pupil(school, '王立安')).toMatchObject({ nameEn: 'Liam Wang' })
  })
})

describe('R-IMP-1 sheets and columns', () => {
  it('of classes are read together, though each tells something else', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const book = new excel.Workbook()
    const sheets: [string, string[][]][] = [
      ['三1班', rows('姓名 性别 出生日期 妈妈姓名 妈妈电话', '施一 女 2017-05-01 施母 13800000201')],
      ['三2班', rows('学生姓名 性别 出生年月日 父亲姓名 父亲电话', '张二 男 2017.5.2 张父 13800000202')],
    ]
    for (const [name, lines] of sheets) book.addWorksheet(name).addRows(lines)
    const read = await brought(school, Buffer.from(await book.xlsx.writeBuffer()))
    expect(read.total).toBe(2)
    expect((await pupil(school, '张二')).className).toBe('三年级（2）班')
    expect(await guardians(school, '施一')).toEqual(['施母 52 13800000201'])
    expect(await guardians(school, '张二')).toEqual(['张父 51 13800000202'])
  })

  it('set apart one by one all belong to the table, also one that few rows fill in', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 _ 姓名 _ 性别 _ 出生日期 _ 爱好 _ 家长 _ 家长电话',
        '三1班 _ 孔三 _ 男 _ 2017-05-01 _ _ _ 孔父 _ 13800000203',
        '三1班 _ 曹四 _ 女 _ 2017-05-02 _ 画画 _ 曹父 _ 13800000204',
        '三1班 _ 严五 _ 女 _ 2017-05-03 _ _ _ 严父 _ 13800000205',
      ),
    )
    expect(await detail(school, '曹四')).toMatchObject({ hobby: '画画' })
    expect(await guardians(school, '严五')).toEqual(['严父  13800000205'])
  })
})

describe('R-IMP-2 a value in several columns', () => {
  it('is what is ticked below values with nothing above them', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 走读 住校 农业 非农业',
        '三1班 陈十 男 2017-05-01 √ _ _ √',
        '三1班 褚一 女 2017-05-02 _ √ √ _',
      ),
    )
    expect(await pupil(school, '陈十')).toMatchObject({ studyWay: '1' })
    expect(await pupil(school, '褚一')).toMatchObject({ studyWay: '2' })
    expect(await detail(school, '陈十')).toMatchObject({ hukouType: '2' })
    expect(await detail(school, '褚一')).toMatchObject({ hukouType: '1' })
  })

  it('is one address, with the sign that the heading says for the cell', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      await xlsx(
        rows(
          '班级 姓名 性别 出生日期 家庭住址 _ _ 家长 电话',
          '_ _ _ _ 乡（镇） 村 组 _ _',
          '三1班 卫二 男 2017-05-01 大洼乡 李家湾 3 卫父 13800000101',
          '三1班 蒋三 女 2017-05-02 城关镇 前进村 二组 蒋父 13800000102',
        ),
        (sheet) => {
          sheet.mergeCells('E1:G1')
          for (const letter of 'ABCDHI') sheet.mergeCells(`${letter}1:${letter}2`)
        },
      ),
    )
    expect(await detail(school, '卫二')).toMatchObject({ familyAddress: '大洼乡李家湾村3组', homeAddress: null })
    expect(await detail(school, '蒋三')).toMatchObject({ familyAddress: '城关镇前进村二组' })
    expect(await guardians(school, '卫二')).toEqual(['卫父  13800000101'])
  })

  it('is one address with nothing above it, unless it may be that of a school', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const read = await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 乡镇 村 组',
        '三1班 陶四 男 2017-05-01 大洼乡 李家湾 3',
        '三1班 姜五 女 2017-05-02 城关镇 前进村 二组',
      ),
    )
    expect(read.columns.map(({ heading }) => heading)).toContain('现住址')
    expect(await detail(school, '陶四')).toMatchObject({ homeAddress: '大洼乡李家湾村3组' })
    const other = await students.read(
      school,
      rows('区县 乡镇 学校 班级 姓名 性别 出生日期', '临江县 大洼乡 小学 三1班 戚六 男 2017-05-01'),
    )
    expect(other.columns.map(({ heading }) => heading).slice(0, 2)).toEqual(['区县', '乡镇'])
  })

  it('may have a row of its own that says in what it is measured', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      await xlsx(
        rows(
          '班级 姓名 性别 出生日期 身高 体重 视力 _',
          '_ _ _ _ cm kg 左 右',
          '三1班 沈四 男 2017-05-01 128 26.5 4.9 5.0',
        ),
        (sheet) => sheet.mergeCells('G1:H1'),
      ),
    )
    expect(await detail(school, '沈四')).toMatchObject({
      heightCm: 128,
      weightKg: 26.5,
      visionLeft: 4.9,
      visionRight: 5,
    })
  })
})

describe('R-IMP-2 a cell', () => {
  it('that says where an address stands is that address', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 户籍地址 现住址 家庭住址',
        '三1班 韩五 男 2017-05-01 大洼乡李家湾村3号 同户籍 同左',
        '三1班 杨六 女 2017-05-02 与现住址一致 城关镇人民路5号 同上',
      ),
    )
    const addresses = async (name: string) => {
      const { hukouAddress, homeAddress, familyAddress } = await detail(school, name)
      return [hukouAddress, homeAddress, familyAddress]
    }
    expect(await addresses('韩五')).toEqual(Array(3).fill('大洼乡李家湾村3号'))
    expect(await addresses('杨六')).toEqual(Array(3).fill('城关镇人民路5号'))
  })

  it('that answers in the words of its heading says yes or no', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 是否住校 是否需要校车 是否独生子女 是否建档立卡 户口性质',
        '三年級（1）班 华六 男 2017-05-01 不住 B.不需要 非独生 非建档立卡户 农业家庭户',
        '三年級一班 金七 女 2017-05-02 住 A.需要 独生 建档立卡户 非农业家庭户',
      ),
    )
    expect(await pupil(school, '华六')).toMatchObject({ studyWay: '1', className: '三年级（1）班' })
    expect(await pupil(school, '金七')).toMatchObject({ studyWay: '2', className: '三年级（1）班' })
    expect(await detail(school, '华六')).toMatchObject({ needsBus: 0, isOnlyChild: 0, isPoverty: 0, hukouType: '1' })
    expect(await detail(school, '金七')).toMatchObject({ needsBus: 1, isOnlyChild: 1, isPoverty: 1, hukouType: '2' })
  })

  it('may hold the beginning of a word of the list, where no other word begins so', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const read = await students.read(
      school,
      rows(
        '班级 姓名 性别 出生日期 民族 残疾类别',
        '三1班 朱七 男 2017-05-01 维吾尔 听力',
        '三1班 秦八 女 2017-05-02 汉族 多重',
      ),
    )
    await stored(await students.check(read))
    expect(await pupil(school, '朱七')).toMatchObject({ nation: '05' })
    expect(await detail(school, '朱七')).toMatchObject({ disabilityType: '2' })
    expect(await detail(school, '秦八')).toMatchObject({ disabilityType: '7' })
  })
})

describe('R-IMP-2 a number beside those of the guardians', () => {
  it('is not the pupil’s own where it is a guardian’s, unless the heading says so', async () => {
    const school = await schoolWith(admin, [['15', 1]])
    const line = (heading: string, name: string, ...phones: string[]) => [
      ['班级', '姓名', '性别', '出生日期', heading, '成员1姓名', '成员1关系', '成员1联系电话'],
      ['五1班', name, '男', '2015-03-01', phones[0]!, '王芳', '母亲', phones[1]!],
    ]
    await brought(school, line('联系电话', '韩一', '13800000001', '13800000001'))
    await brought(school, line('联系电话', '韩二', '13800000002', '13900000002'))
    await brought(school, line('学生联系电话', '韩三', '13800000003', '13800000003'))
    expect((await pupil(school, '韩一')).phone ?? null).toBeNull()
    expect((await pupil(school, '韩二')).phone).toBe('13800000002')
    expect((await pupil(school, '韩三')).phone).toBe('13800000003')
    expect(await guardians(school, '韩一')).toEqual(['王芳 52 13800000001'])
  })
})

describe('R-IMP-2 what stands beside a guardian', () => {
  it('is where they work, or as what, and nobody more', async () => {
    const school = await schoolWith(admin, [['15', 1]])
    await brought(school, [
      ['班级', '姓名', '性别', '出生日期', '父亲（姓名，电话，单位）', '母亲（姓名，电话，单位）'],
      ['五1班', '许一', '男', '2015-03-01', '许大，13800000011，供电公司', '何花，13900000011，务农'],
      ['五1班', '许二', '女', '2015-03-02', '许中 市第二医院 13800000012', '何叶，13900000012，无'],
    ])
    expect(await guardians(school, '许一')).toEqual(['何花 52 13900000011', '许大 51 13800000011'])
    expect(await guardians(school, '许二')).toEqual(['何叶 52 13900000012', '许中 51 13800000012'])
    const [row] = await listOf(admin, 'studentparents', { parentName_equal: '许大', columns: 'workUnit' })
    expect(row!.workUnit).toBe('供电公司')
  })

  it('is their relation under 监护人身份', async () => {
    const school = await schoolWith(admin, [['15', 1]])
    await brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 法定监护人 监护人身份 监护人手机',
        '五1班 施一 男 2015-03-01 施大 父亲 13800000013',
      ),
    )
    expect(await guardians(school, '施一')).toEqual(['施大 51 13800000013'])
  })
})

describe('R-IMP-2 a line below the table', () => {
  it('that says who the class teacher is, with a number, is no pupil', async () => {
    const school = await schoolWith(admin, [['12', 2]])
    const read = await brought(school, [
      ['二（2）班学生名册'],
      ...rows('序号 _ 姓名 _ 性别 生日 家长 手机', '1 _ 张一 _ 男 2018-01-02 张大 13800000014'),
      [],
      rows('班主任 _ 李老师 _ _ _ _ 13500000000')[0]!,
    ])
    expect(read.total).toBe(1)
  })
})

describe('R-IMP-1 other words and two languages', () => {
  it('a list of those insured, of those who come from elsewhere, and cells in two languages', async () => {
    const school = await schoolWith(admin, [
      ['15', 1],
      ['15', 2],
    ])
    await brought(school, [
      ['班级：五（1）班'],
      ...rows(
        '被保险人姓名 性别 出生日期 投保人姓名 投保人电话 与被保险人关系',
        '卫一 男/M 2015-03-01 卫大 13800000021 父子',
      ),
    ])
    expect(await guardians(school, '卫一')).toEqual(['卫大 51 13800000021'])
    await brought(
      school,
      rows('姓名 性别 出生日期 转入年级 转入班级 是否独生子女', '卫二 女(F) 2015-03-02 五年级 2班 是/Yes'),
    )
    expect(await pupil(school, '卫二')).toMatchObject({ className: '五年级（2）班', sex: '2' })
    expect((await detail(school, '卫二')).isOnlyChild).toBe(1)
    const read = await students.read(school, rows('班级 姓名 性别 出生日期', '五1班 卫三 男/F 2015-03-03'))
    await students.check(read, { fixed: read.fixed })
    expect(await students.faults(read.id)).toEqual([expect.stringContaining('student.sex')])
  })

  it('a sheet of 历史 beside one of 物理 holds pupils of now; by itself those of once', async () => {
    const school = await schoolWith(admin, [['15', 1]])
    const file = async (...names: string[]): Promise<Buffer> => {
      const book = new excel.Workbook()
      for (const [at, name] of names.entries()) {
        const sheet = book.addWorksheet(name)
        for (const row of rows('班级 姓名 性别 出生日期', `五1班 ${'冯陈褚'[at]}四 男 2015-04-0${at + 1}`))
          sheet.addRow(row)
      }
      return Buffer.from(await book.xlsx.writeBuffer())
    }
    expect((await students.read(school, await file('物理', '历史'))).total).toBe(2)
    expect((await students.read(school, await file('物理类', '历史类'))).total).toBe(2)
    expect((await students.read(school, await file('名单', '历史'))).total).toBe(1)
  })
})

describe('R-IMP-2 ways of schools that a third set brought to light', () => {
  it('a sheet that is called by a grade, a title that names 大班, and a register’s codes before its words', async () => {
    const school = await schoolWith(admin, [
      ['14', 5],
      ['15', 5],
    ])
    const book = new excel.Workbook()
    const sheet = book.addWorksheet('四年级')
    for (const row of rows('班级 姓名 性别 出生日期 民族', '5班 许五 1男 2016-05-01 01汉族')) sheet.addRow(row)
    await brought(school, Buffer.from(await book.xlsx.writeBuffer()))
    expect(await pupil(school, '许五')).toMatchObject({ className: '四年级（5）班', sex: '1', nation: '01' })
    const garden = await schoolWith(admin, [['03', 1]], ['1'], '11')
    await brought(garden, [['阳光幼儿园大班幼儿花名册'], ...rows('姓名 性别 出生日期', '何六 女 2020-10-01')])
    expect((await pupil(garden, '何六')).className).toBe('大班（1）班')
  })

  it('lines of hints and an example are no pupils, and 父母 names the father first', async () => {
    const school = await schoolWith(admin, [['14', 5]])
    const read = await brought(
      school,
      rows(
        '序号 班级 姓名 性别 出生日期 父母姓名 父母电话 备注',
        '_ （如四5班） （必填） （男/女） （如2018-01-01） _ （11位） _',
        '例 四5班 张三 男 2016-01-01 张大/李四 13800000000 示例，请删除',
        '1 四5班 吕七 男 2016-05-02 吕大/施小 13800000031/13900000031 _',
      ),
    )
    expect(read.total).toBe(1)
    expect(await guardians(school, '吕七')).toEqual(['吕大 51 13800000031', '施小 52 13900000031'])
    await brought(
      school,
      rows('班级 姓名 性别 出生日期 父名 父电 母名 母电', '四5班 张八 男 2016-05-03 张大 13800000032 孔小 13900000032'),
    )
    expect(await guardians(school, '张八')).toEqual(['孔小 52 13900000032', '张大 51 13800000032'])
  })
})

describe('R-IMP-2 small habits', () => {
  it('the number of the line before a name, 生 behind a day or month, 年段 for a grade, 父母或监护人', async () => {
    const school = await schoolWith(admin, [['14', 6]])
    const number = idNoOf('2016-05-04', 21)
    await brought(school, [
      ['四年段6班学生花名册'],
      ...rows(
        '姓名 性别 出生年月 身份证号 父母或监护人 手机',
        `1.孔一 男 2016年5月生 ${number} 孔大 13800000041`,
        '2、曹二 女 2016年5月5日生 _ 曹大 13800000042',
      ),
    ])
    expect(await pupil(school, '孔一')).toMatchObject({ className: '四年级（6）班', birthDate: '2016-05-04' })
    expect(await pupil(school, '曹二')).toMatchObject({ birthDate: '2016-05-05' })
    expect(await guardians(school, '孔一')).toEqual(['孔大  13800000041'])
  })
})
