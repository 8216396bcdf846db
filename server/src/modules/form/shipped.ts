import {
  type Entity,
  relatedOf,
  school,
  student,
  studentdetail,
  studentparents,
  studentresume,
  type Words,
} from '@data-brain/contract'
import { fieldAt, measureWords } from '@data-brain/contract/report'
import { type ShippedForm, startOfYear } from '@data-brain/contract/shipped-forms'

/*
 * How the forms that come with the product are laid out. Marks are written by the labels of the reader's language, which come
 * from the definitions, so that whoever changes a form reads what stands in its cells.
 */

export type CellStyle = 'title' | 'label' | 'value' | 'text' | 'note'

export interface FormCell {
  readonly at: string
  /** The other corner of a merged cell. */
  readonly to?: string
  readonly text: string
  readonly style: CellStyle
}

export interface FormLayout {
  readonly sheet: string
  readonly landscape: boolean
  readonly widths: readonly number[]
  readonly cells: readonly FormCell[]
  /** Heights of rows that are not of the usual height. */
  readonly heights: Readonly<Record<number, number>>
  /** The last row that is printed. */
  readonly bottom: number
  /** Rows that every printed page repeats, and empty rows below a list that have its borders. */
  readonly repeats?: string
  readonly places?: { readonly from: number; readonly to: number }
}

type Language = keyof Words

const letters = 'ABCDEFGH'

/** Writes marks by the labels of one language. */
function marksIn(language: Language) {
  const labelOf = (entity: Entity, path: string): string =>
    fieldAt(entity, path)!.label[language].split(' · ').join('.')
  return {
    of: (path: string, format?: string): string => `{{${labelOf(student, path)}${format ? `|${format}` : ''}}}`,
    listed: (path: string): string => `{{[].${labelOf(student, path)}}}`,
    /** Of the n-th row that belongs to a student. */
    nth: (entity: Entity, no: number, path: string, format?: string): string => {
      if (!relatedOf(student).some(({ of }) => of === entity)) throw new Error(`${entity.name} belongs to no student`)
      return `{{${entity.label[language]}${no}.${labelOf(entity, path)}${format ? `|${format}` : ''}}}`
    },
    say: (zh: string, en: string): string => ({ zh, en })[language],
    day: { zh: 'yyyy年M月d日', en: 'yyyy-MM-dd' }[language],
    today: (): string => ({ zh: '{{今天|yyyy年M月d日}}', en: '{{today|yyyy-MM-dd}}' })[language],
    number: (): string => ({ zh: '{{[].序号}}', en: '{{[].number}}' })[language],
    label: (entity: Entity, path: string): string => labelOf(entity, path).split('.').at(-1)!,
  }
}

/** Pairs of a label and a value across a line of eight columns. */
function pairs(row: number, parts: readonly (readonly [string, string])[]): FormCell[] {
  const wide = 8 / parts.length
  return parts.flatMap(([label, text], at): FormCell[] => {
    const first = at * wide
    const [from, to] = [letters[first + 1]!, letters[first + wide - 1]!]
    return [
      { at: `${letters[first]}${row}`, text: label, style: 'label' },
      { at: `${from}${row}`, ...(from === to ? {} : { to: `${to}${row}` }), text, style: 'value' },
    ]
  })
}

/** A line of the table whose cells are as wide as said, in columns. */
function line(row: number, style: CellStyle, parts: readonly (readonly [string, number])[]): FormCell[] {
  let first = 0
  return parts.map(([text, wide]) => {
    const [from, to] = [letters[first]!, letters[first + wide - 1]!]
    first += wide
    return { at: `${from}${row}`, ...(from === to ? {} : { to: `${to}${row}` }), text, style }
  })
}

const across = (row: number, text: string, style: CellStyle): FormCell => ({
  at: `A${row}`,
  to: `H${row}`,
  text,
  style,
})

function recordCard(language: Language): FormLayout {
  const mark = marksIn(language)
  const own = (path: string, format?: string): readonly [string, string] => [
    mark.label(student, path),
    mark.of(path, format),
  ]
  const detail = (path: string): readonly [string, string] => [
    mark.label(studentdetail, path),
    mark.nth(studentdetail, 1, path),
  ]
  const parent = (no: number) =>
    line(12 + no, 'value', [
      [mark.nth(studentparents, no, 'parentName'), 1],
      [mark.nth(studentparents, no, 'relation'), 1],
      [mark.nth(studentparents, no, 'mobile'), 2],
      [mark.nth(studentparents, no, 'workUnit'), 2],
      [mark.nth(studentparents, no, 'isGuardian'), 2],
    ])
  const resume = (no: number) =>
    line(17 + no, 'value', [
      [mark.nth(studentresume, no, 'beginDate', 'yyyy-MM'), 1],
      [mark.nth(studentresume, no, 'endDate', 'yyyy-MM'), 1],
      [mark.nth(studentresume, no, 'orgName'), 3],
      [mark.nth(studentresume, no, 'gradeText'), 1],
      [mark.nth(studentresume, no, 'witness'), 2],
    ])
  return {
    ...{ sheet: mark.say('学籍卡', 'Record card'), landscape: false, widths: [12, 12, 12, 12, 12, 12, 12, 12] },
    ...{ heights: { 1: 34 }, bottom: 24 },
    cells: [
      across(1, `${mark.of('schoolId.schoolName')}${mark.say('学生学籍卡', ': student record card')}`, 'title'),
      ...pairs(2, [
        [mark.label(student, 'studentNo'), mark.of('studentNo')],
        [mark.label(student, 'nationalCode'), mark.of('nationalCode')],
      ]),
      ...pairs(3, [own('name'), own('formerName'), own('sex'), own('nation')]),
      ...pairs(4, [own('birthDate', mark.day), own('nationality'), own('politics'), own('health')]),
      ...pairs(5, [own('idType'), own('idNo')]),
      ...pairs(6, [
        own('gradeId'),
        own('classId'),
        own('enrollDate', mark.say('yyyy年M月', 'yyyy-MM')),
        own('studyWay'),
      ]),
      ...pairs(7, [detail('nativePlaceCode'), detail('hukouType')]),
      ...pairs(8, [detail('hukouRegionCode'), detail('hukouAddress')]),
      ...pairs(9, [detail('homeAddress'), detail('postcode')]),
      ...pairs(10, [detail('emergencyName'), detail('emergencyPhone')]),
      across(11, mark.say('家庭成员', 'Family'), 'label'),
      ...line(12, 'label', [
        [mark.label(studentparents, 'parentName'), 1],
        [mark.label(studentparents, 'relation'), 1],
        [mark.label(studentparents, 'mobile'), 2],
        [mark.label(studentparents, 'workUnit'), 2],
        [mark.label(studentparents, 'isGuardian'), 2],
      ]),
      ...[1, 2, 3].flatMap(parent),
      across(16, mark.say('学习简历', 'Resume'), 'label'),
      ...line(17, 'label', [
        [mark.label(studentresume, 'beginDate'), 1],
        [mark.label(studentresume, 'endDate'), 1],
        [mark.label(studentresume, 'orgName'), 3],
        [mark.label(studentresume, 'gradeText'), 1],
        [mark.label(studentresume, 'witness'), 2],
      ]),
      ...[1, 2, 3, 4].flatMap(resume),
      across(
        23,
        `${mark.say('学校（盖章）：', 'School (stamp): ')}          ${mark.say('填表日期：', 'Date: ')}${mark.today()}`,
        'note',
      ),
    ],
  }
}

/** A letter: a title, a text over the width of the page, and who signs. */
function letter(language: Language, sheet: string, title: string, lines: readonly string[]): FormLayout {
  const mark = marksIn(language)
  const last = 3 + lines.length
  return {
    ...{ sheet, landscape: false, widths: [12, 12, 12, 12, 12, 12, 12, 12], bottom: last + 4 },
    heights: { 1: 48, ...Object.fromEntries(lines.map((_, at) => [3 + at, 84])) },
    cells: [
      across(1, title, 'title'),
      ...lines.map((text, at) => across(3 + at, text, 'text')),
      {
        at: `E${last + 1}`,
        to: `H${last + 1}`,
        text: `${mark.of('schoolId.schoolName')}${mark.say('（盖章）', ' (stamp)')}`,
        style: 'note',
      },
      { at: `E${last + 2}`, to: `H${last + 2}`, text: mark.today(), style: 'note' },
      {
        at: `A${last + 4}`,
        to: `H${last + 4}`,
        text: `${mark.label(school, 'contactPhone')}: ${mark.of('schoolId.contactPhone')}`,
        style: 'note',
      },
    ],
  }
}

function enrolment(language: Language): FormLayout {
  const mark = marksIn(language)
  const { of } = mark
  return letter(language, mark.say('在读证明', 'Enrolment'), mark.say('在 读 证 明', 'CERTIFICATE OF ENROLMENT'), [
    mark.say(
      `    兹证明${of('name')}，性别${of('sex')}，出生于${of('birthDate', mark.day)}，身份证件号${of('idNo')}，学籍号${of('nationalCode')}，于${of('enrollDate', 'yyyy年M月')}入学，现为我校${of('classId')}学生。`,
      `    This is to certify that ${of('name')}, sex ${of('sex')}, born on ${of('birthDate', mark.day)}, ID number ${of('idNo')}, national student code ${of('nationalCode')}, entered in ${of('enrollDate', 'yyyy-MM')} and is a student of our class ${of('classId')}.`,
    ),
    mark.say('    特此证明。', '    Issued at the request of the above.'),
  ])
}

function transfer(language: Language): FormLayout {
  const mark = marksIn(language)
  const { of, nth } = mark
  return letter(language, mark.say('转学联系函', 'Transfer'), mark.say('转 学 联 系 函', 'LETTER OF TRANSFER'), [
    mark.say('____________________学校：', 'To the school ____________________:'),
    mark.say(
      `    我校${of('classId')}学生${of('name')}，性别${of('sex')}，出生于${of('birthDate', mark.day)}，学籍号${of('nationalCode')}，因__________申请转入贵校就读。监护人${nth(studentparents, 1, 'parentName')}，联系电话${nth(studentparents, 1, 'mobile')}。`,
      `    ${of('name')}, sex ${of('sex')}, born on ${of('birthDate', mark.day)}, national student code ${of('nationalCode')}, of our class ${of('classId')}, applies to move to your school because of __________. Guardian: ${nth(studentparents, 1, 'parentName')}, phone ${nth(studentparents, 1, 'mobile')}.`,
    ),
    mark.say('    如同意接收，请回函并办理学籍转接手续。', '    If you agree, please reply and take over the record.'),
  ])
}

function classList(language: Language): FormLayout {
  const mark = marksIn(language)
  const paths = ['studentNo', 'name', 'sex', 'birthDate', 'nation', 'idNo'] as const
  const heads: readonly (readonly [string, number])[] = [
    [mark.say('序号', 'No.'), 1],
    ...paths.map((path) => [mark.label(student, path), 1] as const),
    [mark.say('备注', 'Remarks'), 1],
  ]
  return {
    ...{ sheet: mark.say('花名册', 'Class list'), landscape: false, widths: [6, 14, 14, 7, 13, 9, 22, 12] },
    ...{ heights: { 1: 34 }, bottom: 53, repeats: '1:3', places: { from: 4, to: 53 } },
    cells: [
      across(
        1,
        `${mark.of('schoolId.schoolName')} ${mark.of('classId')} ${mark.say('学生花名册', 'class list')}`,
        'title',
      ),
      across(
        2,
        `${mark.say('班主任：', 'Class teacher: ')}${mark.of('classId.headTeacherId')}    ${mark.say('制表日期：', 'Date: ')}${mark.today()}`,
        'note',
      ),
      ...line(3, 'label', heads),
      ...line(4, 'value', [[mark.number(), 1], ...paths.map((path) => [mark.listed(path), 1] as const), ['', 1]]),
    ],
  }
}

/** The grades that every tenant begins with, by their names; one that is called otherwise is mended in the form. */
const stages: readonly (readonly [Words, readonly string[]])[] = [
  [{ zh: '幼儿园', en: 'Kindergarten' }, ['小班', '中班', '大班']],
  [{ zh: '小学', en: 'Primary' }, ['一年级', '二年级', '三年级', '四年级', '五年级', '六年级']],
  [{ zh: '初中', en: 'Junior high' }, ['七年级', '八年级', '九年级']],
  [{ zh: '高中', en: 'Senior high' }, ['高一', '高二', '高三']],
]

function startOfYearTable(language: Language): FormLayout {
  const { say, today } = marksIn(language)
  const schoolMark = (path: string): string => `{{${fieldAt(school, path)!.label[language]}}}`
  const figure = ({ label }: { readonly label: Words }, ...keys: readonly string[]): string =>
    `{{${say('报表：', 'Report:')}${label[language]}.${measureWords.count[language]}[${keys.join()}]}}`
  const { students, boarders, classes } = startOfYear
  const [female, male] = [say('女', 'Female'), say('男', 'Male')]
  const cells = (row: number, stage: string, name: string, keys: readonly string[]): FormCell[] =>
    line(row, 'value', [
      [stage, 1],
      [name, 1],
      [figure(classes, say('是', 'Yes'), ...keys), 1],
      [figure(students, ...keys), 1],
      [figure(students, keys[0] ?? '', male), 1],
      [figure(students, keys[0] ?? '', female), 1],
      [figure(boarders, keys[0] ?? '', say('住校', 'Boarder')), 1],
      ['', 1],
    ])
  const lines = stages.flatMap(([stage, names]) => names.map((name) => [stage[language], name] as const))
  const first = 4
  const last = first + lines.length
  return {
    ...{ sheet: say('基本情况', 'Start of year'), landscape: false, widths: [10, 12, 10, 12, 10, 10, 12, 14] },
    ...{ heights: { 1: 34 }, bottom: last + 2 },
    cells: [
      across(1, `${schoolMark('schoolName')}${say('学年初基本情况表', ': start-of-year table')}`, 'title'),
      across(
        2,
        `${fieldAt(school, 'schoolCode')!.label[language]}: ${schoolMark('schoolCode')}    ${say('统计日期：', 'As of: ')}${today()}`,
        'note',
      ),
      ...line(3, 'label', [
        [say('学段', 'Stage'), 1],
        [say('年级', 'Grade'), 1],
        [say('班级数', 'Classes'), 1],
        [say('在校生数', 'Students'), 1],
        [say('其中：男', 'Male'), 1],
        [say('其中：女', 'Female'), 1],
        [say('其中：住校生', 'Boarders'), 1],
        [say('备注', 'Remarks'), 1],
      ]),
      ...lines.flatMap(([stage, name], at) => cells(first + at, stage, name, [name])),
      ...cells(last, say('合计', 'Total'), '', []),
      across(
        last + 2,
        say('学校（盖章）：          填表人：{{填表人}}', 'School (stamp):           Filled by: {{filled by}}'),
        'note',
      ),
    ],
  }
}

const layouts: Readonly<Record<ShippedForm, (language: Language) => FormLayout>> = {
  recordCard,
  enrolment,
  transfer,
  classList,
  startOfYear: startOfYearTable,
}

/** How a form that comes with the product is laid out, with the marks of a language. */
export const layoutOf = (key: ShippedForm, language: Language): FormLayout => layouts[key](language)
