import type { Words } from '@data-brain/contract'
import { exampleMark, type FormColumn } from '@data-brain/contract/import/form'
import { parts, studentForm } from '@data-brain/contract/import/student-form'
import type { FileLookups } from '../batch/lookups.ts'
import { models } from '../batch/row.ts'
import type { Template } from '../file/output-workbook.ts'

/** Whether a file without the column cannot be imported at all, or a value is needed once its part is begun. */
export function neededBy(column: FormColumn): 'always' | 'no' {
  if (column.key === 'student.classId') return 'always'
  if (column.part !== 'student') return 'no'
  const field = models.student.byName.get(column.field)
  // The number, day of birth and sex can be made of other cells.
  return !field?.required || field.default !== undefined || field.name === 'studentNo' ? 'no' : 'always'
}

const example: Record<string, string> = {
  'check.schoolCode': `${exampleMark}（本行不会导入） Example, not imported`,
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
function offersOf(column: FormColumn, lookups: FileLookups): string[] {
  if (column.key === 'student.classId') return [...new Set(lookups.classes.map((place) => place.name))]
  const field = column.part in parts ? models[column.part as keyof typeof parts].byName.get(column.field) : undefined
  if (field?.kind === 'flag') return ['是', '否']
  return field?.dict ? (lookups.offers.get(field.dict) ?? []).map((offer) => offer.zh) : []
}

const heading = (column: FormColumn): string => column.label.zh + (column.starred ? '★' : '')

const howTo: readonly Words[] = [
  {
    zh: '★为国家学生信息表规定的必填项；红底的列系统要求必填，橙底为国家表必填，可以以后补录。',
    en: '★ marks what the national form requires; red columns are required by this system, orange ones by the national form.',
  },
  {
    zh: '每名学生一行；可以删除不用的列，列的次序可以改变。',
    en: 'One row per student; columns that are not used may be deleted, and their order may change.',
  },
  { zh: '带下拉框的单元格请从列表中选择。', en: 'Cells with a list take a value of the list.' },
  {
    zh: '日期可写成2015-09-01、2015/9/1、20150901或2015年9月1日。',
    en: 'A day may be written 2015-09-01, 2015/9/1, 20150901 or 2015年9月1日.',
  },
  {
    zh: '地区写全称（江苏省南京市玄武区）或6位代码。',
    en: 'A region is written in full (江苏省南京市玄武区) or as its code of 6 digits.',
  },
  {
    zh: '身份证号等长数字所在的列已设为文本；请不要改成数字，否则后几位会丢失。',
    en: 'Columns of long numbers are text; as numbers they would lose their last digits.',
  },
  { zh: '不要使用公式；复制来的公式请选择性粘贴为数值。', en: 'No formulas: paste them as values.' },
  {
    zh: '校内学号留空时自动编号：入学年份+班号+两位序号。',
    en: 'An empty student number is made: year of entry, class, and two digits.',
  },
  {
    zh: '班级按所选学校和学年查找；班级名称里已有年级时可以不填年级，只写“1班”的须填年级。',
    en: 'Classes are those of the chosen school and year; the grade may be left out where the name of the class says it.',
  },
  {
    zh: '国家表要求而没有的内容可以以后补录，系统会列出缺项。',
    en: 'Information for the national form that you do not have yet can be added later; what is missing is listed.',
  },
  { zh: '照片请在学生档案中上传。', en: 'Photos are uploaded in the student record.' },
]

/** The short template: what a school has at hand when the year begins. The headings are those of a clerk. */
const short: Readonly<Record<string, string>> = {
  'student.name': '姓名',
  'student.sex': '性别',
  'student.birthDate': '出生日期',
  'student.idNo': '身份证件号',
  'student.gradeId': '年级',
  'student.classId': '班级',
  'student.studentNo': '校内学号',
  'student.nation': '民族',
  'detail.homeAddress': '现住址',
  'member1.parentName': '家长姓名',
  'member1.relation': '与学生关系',
  'member1.mobile': '家长电话',
}
const shortExample: Readonly<Record<string, string>> = {
  ...example,
  'student.name': `${exampleMark}：王小明（本行不会导入）`,
  'member1.relation': '父亲',
}
const shortForm = Object.keys(short).flatMap((key) => studentForm.find((column) => column.key === key) ?? [])

/** The columns of the national template: two guardians, and nothing that only clerks' own files have. */
const nationalForm = studentForm.filter(
  ({ key, part }) =>
    !/^member[3-6]$/.test(part) &&
    !/\.(otherPhone|education|livesWith|isEmergency|povertyLevel|busRoute|awards|medication)$/.test(key) &&
    key !== 'ignored.serial' &&
    key !== 'check.schoolName' &&
    key !== 'check.major' &&
    key !== 'check.status' &&
    key !== 'ignored.fault',
)

/** The template, the national form or the short one, with drop-downs of this tenant, an example row, and how to fill it in. */
export const studentTemplate = (lookups: FileLookups, gradeNames: readonly string[], isShort: boolean): Template => {
  const offers = (column: FormColumn): string[] =>
    column.key === 'student.gradeId' ? [...gradeNames] : offersOf(column, lookups)
  return {
    name: '学生 Students',
    columns: isShort ? shortForm : nationalForm,
    heading: isShort ? ({ key }) => short[key] ?? '' : heading,
    offers,
    isNeeded: (column) => neededBy(column) === 'always',
    example: isShort
      ? ({ key }) => shortExample[key] ?? ''
      : (column) => example[column.key] ?? (column.starred ? offers(column)[0] : undefined) ?? '',
    howTo,
  }
}
