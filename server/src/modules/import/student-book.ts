import type { Words } from '@data-brain/contract'
import { exampleMark } from '@data-brain/contract/import/form'
import { parts, type StudentColumn, studentForm } from '@data-brain/contract/import/student-form'
import { type Book, csvOf, templateBook } from './book.ts'
import type { Lookups } from './lookups.ts'
import { models } from './row.ts'

/** Whether a file without the column cannot be imported at all, or a value is needed once its part is begun. */
export function neededBy(column: StudentColumn): 'always' | 'no' {
  if (column.key === 'student.classId') return 'always'
  if (column.part !== 'student') return 'no'
  const field = models.student.byName.get(column.field)
  // The number, day of birth and sex can be made of other cells.
  return !field?.required || field.default !== undefined || field.name === 'studentNo' ? 'no' : 'always'
}

const example: Record<string, string> = {
  'check.schoolCode': `${exampleMark}(本行不会导入) Example, not imported`,
  'student.name': '王小明',
  'student.sex': '男',
  'student.birthDate': '2019-05-01',
  'detail.birthPlaceCode': '江苏省南京市玄武区',
  'detail.nativePlaceCode': '江苏省南京市玄武区',
  'student.nation': '汉族',
  'student.enrollDate': '2026-09-01',
  'detail.homeAddress': '江苏省南京市玄武区珠江路1号',
  'detail.mailAddress': '江苏省南京市玄武区珠江路1号',
  'detail.postcode': '210018',
  'detail.distanceKm': '1.5',
  'member1.parentName': '王大明',
  'member1.mobile': '13800000000',
}

/** The labels that a drop-down of a column offers; none where there are too many or anything may stand. */
function offersOf(column: StudentColumn, lookups: Lookups): string[] {
  if (column.key === 'student.classId') return [...new Set(lookups.classes.map((place) => place.name))]
  const field = column.part in parts ? models[column.part as keyof typeof parts].byName.get(column.field) : undefined
  if (field?.kind === 'flag') return ['是', '否']
  return field?.dict ? (lookups.offers.get(field.dict) ?? []).map((offer) => offer.zh) : []
}

const heading = (column: StudentColumn): string => column.label.zh + (column.starred ? '★' : '')

const howTo: readonly Words[] = [
  {
    zh: '★为国家学生信息表规定的必填项;红底的列系统要求必填,橙底为国家表必填。',
    en: '★ marks what the national form requires; red columns are required by this system, orange ones by the national form.',
  },
  {
    zh: '每名学生一行;可以删除不用的列,列的次序可以改变。',
    en: 'One row per student; columns that are not used may be deleted, and their order may change.',
  },
  { zh: '带下拉框的单元格请从列表中选择。', en: 'Cells with a list take a value of the list.' },
  {
    zh: '日期可写成2015-09-01、2015/9/1、20150901或2015年9月1日。',
    en: 'A day may be written 2015-09-01, 2015/9/1, 20150901 or 2015年9月1日.',
  },
  {
    zh: '地区写全称(江苏省南京市玄武区)或6位代码。',
    en: 'A region is written in full (江苏省南京市玄武区) or as its code of 6 digits.',
  },
  {
    zh: '身份证号等长数字所在的列已设为文本;请不要改成数字,否则后几位会丢失。',
    en: 'Columns of long numbers are text; as numbers they would lose their last digits.',
  },
  { zh: '不要使用公式;复制来的公式请选择性粘贴为数值。', en: 'No formulas: paste them as values.' },
  {
    zh: '校内学号留空时自动编号:入学年份+班号+两位序号。',
    en: 'An empty student number is made: year of entry, class, and two digits.',
  },
  {
    zh: '班级按所选学校和学年查找;班级名称唯一时可以不填年级。',
    en: 'Classes are those of the chosen school and year; the grade may be left out where the class name is unique.',
  },
  {
    zh: '户籍、住址等扩展信息只要填了一项,其必填项就都要填;不填则以后补录。',
    en: 'Once one of the details (registration, addresses …) is given, all required ones must be; or leave them all for later.',
  },
  { zh: '照片请在学生档案中上传。', en: 'Photos are uploaded in the student record.' },
]

/** The template: the national form with drop-downs of this tenant, an example row, and how to fill it in. */
export const studentBook = (lookups: Lookups, gradeNames: readonly string[]): Book => {
  const offers = (column: StudentColumn): string[] =>
    column.key === 'student.gradeId' ? [...gradeNames] : offersOf(column, lookups)
  return templateBook<StudentColumn>({
    name: '学生 Students',
    columns: studentForm,
    heading,
    offers,
    isNeeded: (column) => neededBy(column) === 'always',
    example: (column) => example[column.key] ?? (column.starred ? offers(column)[0] : undefined) ?? '',
    howTo,
  })
}

/** The template as CSV. */
export const studentCsv = (): string =>
  csvOf([studentForm.map(heading), studentForm.map((column) => example[column.key] ?? '')])
