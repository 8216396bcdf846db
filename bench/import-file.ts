import { idNoCheckDigit } from '@data-brain/contract'
import { studentForm } from '@data-brain/contract/import/student-form'
import excel from '@zurmokeeper/exceljs'

/** Numbers that look random and are the same at every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜']
const given = [...'伟芳娜敏静秀丽强磊洋艳勇军杰娟涛明超兰霞平刚桂英华玉萍红鑫宇欣怡浩然子涵梓轩雨桐思远嘉诚']
const places = [
  '北京市朝阳区',
  '北京市海淀区',
  '江苏省南京市玄武区',
  '浙江省杭州市西湖区',
  '四川省成都市武侯区',
  '广东省广州市天河区',
]

/** The columns of the file: sixty of the national form, two guardians included. */
const wanted = studentForm
  .filter((column) => column.part !== 'check' && column.part !== 'ignored')
  .filter(
    (column) =>
      !column.key.startsWith('member2.') ||
      ['parentName', 'relation', 'mobile', 'isGuardian', 'address'].includes(column.field),
  )
export const benchColumns = [
  ...wanted.filter(
    (column) =>
      column.starred ||
      column.key.startsWith('member2.') ||
      column.key === 'student.studentNo' ||
      column.key === 'student.seatNo',
  ),
  ...wanted.filter((column) =>
    [
      'student.nationalCode',
      'student.namePinyin',
      'detail.bloodType',
      'detail.heightCm',
      'detail.weightKg',
      'detail.hobby',
      'student.source',
      'detail.allergy',
      'member1.workUnit',
      'member1.position',
      'detail.visionLeft',
      'detail.visionRight',
      'student.remark',
    ].includes(column.key),
  ),
].slice(0, 60)

export interface BenchClass {
  readonly grade: string
  readonly name: string
}

/** Rows of made-up children: numbers that are right in form and, by an abolished region, belong to nobody. */
export function* benchRows(count: number, classes: readonly BenchClass[], seed = 20_260_901): Generator<string[]> {
  const below = seeded(seed)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const name = (): string => pick(surnames) + pick(given) + (below(3) > 0 ? pick(given) : '')
  for (let index = 0; index < count; index += 1) {
    const place = pick(classes)
    const female = below(2) === 1
    const day = new Date(Date.UTC(2013, 8, 1) + Math.floor(index / 400) * 86_400_000).toISOString().slice(0, 10)
    // 110104 was abolished in 2010: nobody born later bears it, and the pupils of school.ts bear another.
    const sequence = (index % 400) * 2 + (female ? 0 : 1)
    const first = `110104${day.replaceAll('-', '')}${String(sequence).padStart(3, '0')}`
    const idNo = first + idNoCheckDigit(first)
    const mobile = (member: number): string =>
      `1${3 + member * 5}${String(100_000_000 + index * 7 + member).slice(0, 9)}`
    const home = pick(places)
    const values: Record<string, string> = {
      'student.name': name(),
      'student.sex': female ? '女' : '男',
      'student.birthDate': day,
      'detail.birthPlaceCode': pick(places),
      'detail.nativePlaceCode': pick(places),
      'student.nation': below(20) ? '汉族' : '满族',
      'student.nationality': '中国',
      'student.idType': '居民身份证',
      'student.idNo': idNo,
      'student.nationalCode': `G${idNo}`,
      'student.overseas': '否',
      'student.politics': '群众',
      'student.health': '健康或良好',
      'detail.hukouRegionCode': home,
      'detail.hukouType': '居民户口',
      'student.seatNo': '',
      'student.gradeId': place.grade,
      'student.classId': place.name,
      'student.enrollDate': '2026-09-01',
      'student.enrollWay': '就近入学',
      'student.studyWay': '走读',
      'student.source': '正常入学',
      'student.studentNo': `B${String(index + 1).padStart(6, '0')}`,
      'student.phone': mobile(0),
      'detail.homeAddress': `${home}幸福路${below(900) + 1}号`,
      'detail.mailAddress': `${home}幸福路${below(900) + 1}号`,
      'detail.familyAddress': `${home}幸福路${below(900) + 1}号`,
      'detail.postcode': String(100_000 + below(800_000)),
      'detail.leftBehind': '非留守儿童',
      'detail.inClassSped': '普通学生',
      'detail.disabilityType': '无残疾',
      'detail.distanceKm': (below(100) / 10).toFixed(1),
      'detail.commute': '步行',
      'detail.bloodType': 'A型',
      'detail.heightCm': String(110 + below(60)),
      'detail.weightKg': String(20 + below(40)),
      'detail.visionLeft': '5.0',
      'detail.visionRight': '5.1',
      'detail.hobby': '足球、绘画',
      'student.remark': `第${index + 1}号`,
      'member1.parentName': name(),
      'member1.relation': '父亲',
      'member1.mobile': mobile(0),
      'member1.address': `${home}幸福路`,
      'member1.hukouRegionCode': home,
      'member1.isGuardian': '是',
      'member1.workUnit': `第${below(500)}公司`,
      'member1.position': '职员',
      'member2.parentName': name(),
      'member2.relation': '母亲',
      'member2.mobile': mobile(1),
      'member2.address': `${home}幸福路`,
      'member2.isGuardian': '是',
    }
    yield benchColumns.map((column) => values[column.key] ?? (column.label.zh.startsWith('是否') ? '否' : ''))
  }
}

/** So many different names of teachers. */
export const teachersOf = (count: number): string[] =>
  Array.from(
    { length: count },
    (_each, at) => surnames[at % surnames.length]! + given[Math.floor(at / surnames.length)]!,
  )

const subjects = ['语文', '数学', '英语', '物理', '化学', '生物', '历史', '地理', '政治', '体育', '音乐', '美术']
export const assignmentColumns = ['班级', '学科', '教师', '角色', '周课时'] as const

/** Who teaches what in which class, each once: the first of each subject in front of the class, the others to help. */
export function* assignmentRows(
  count: number,
  classes: readonly BenchClass[],
  teachers: readonly string[],
): Generator<string[]> {
  const places = classes.length * subjects.length
  for (let index = 0; index < count; index += 1) {
    const turn = Math.floor(index / places)
    const subject = index % subjects.length
    const teacher = teachers[(turn * subjects.length + subject) % teachers.length]!
    const place = classes[Math.floor(index / subjects.length) % classes.length]!
    yield [place.name, subjects[subject]!, teacher, turn === 0 ? '主讲' : '助教', turn === 0 ? '4' : '1']
  }
}

/** Writes rows with their headings into an xlsx file. */
export async function writeXlsx(
  path: string,
  headings: readonly string[],
  rows: Iterable<readonly string[]>,
): Promise<void> {
  const book = new excel.stream.xlsx.WorkbookWriter({ filename: path, useSharedStrings: true })
  const sheet = book.addWorksheet('学生')
  sheet.addRow([...headings]).commit()
  for (const row of rows) sheet.addRow([...row]).commit()
  sheet.commit()
  await book.commit()
}
