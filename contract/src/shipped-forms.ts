import type { Words } from './field.ts'
import type { ReportContent } from './report.ts'

/** A report whose figures stand in a form: what it is called, by its language, and what it asks. */
export interface ShippedReport {
  readonly label: Words
  readonly content: ReportContent
}

const counted = { columns: [], sort: null, chart: 'none', hideBelow: 0, parameters: ['schoolId'] } as const
const rows = { of: 'count', field: null } as const
const enrolled = { all: [{ field: 'status', op: 'equal', value: '1' }] }

/** What the start-of-year table counts, of each school. */
export const startOfYear = {
  students: {
    label: { zh: '学年初在校生', en: 'Start of year students' },
    content: {
      ...{ ...counted, entity: 'student', filter: enrolled },
      ...{ groups: [{ field: 'gradeId', by: null }], cross: { field: 'sex', by: null }, measures: [rows] },
    },
  },
  boarders: {
    label: { zh: '学年初就读方式', en: 'Start of year boarders' },
    content: {
      ...{ ...counted, entity: 'student', filter: enrolled },
      ...{ groups: [{ field: 'gradeId', by: null }], cross: { field: 'studyWay', by: null }, measures: [rows] },
    },
  },
  classes: {
    label: { zh: '学年初班级', en: 'Start of year classes' },
    content: {
      ...{ ...counted, entity: 'schoolclass', filter: enrolled },
      groups: [
        { field: 'yearId.isCurrent', by: null },
        { field: 'gradeId', by: null },
      ],
      ...{ cross: null, measures: [rows] },
    },
  },
} as const satisfies Readonly<Record<string, ShippedReport>>

interface Shipped {
  readonly label: Words
  readonly subject: string
  /** Reports whose figures stand in it, saved with it. */
  readonly reports?: readonly ShippedReport[]
}

/** Forms that come with the product, to be taken over and changed: what each is called, and of which rows it is filled. */
export const shippedForms = {
  recordCard: { label: { zh: '学籍卡', en: 'Student record card' }, subject: 'student' },
  enrolment: { label: { zh: '在读证明', en: 'Certificate of enrolment' }, subject: 'student' },
  transfer: { label: { zh: '转学联系函', en: 'Letter of transfer' }, subject: 'student' },
  classList: { label: { zh: '班级花名册', en: 'Class list' }, subject: 'student' },
  startOfYear: {
    label: { zh: '学年初基本情况表', en: 'Start-of-year table' },
    subject: 'school',
    reports: Object.values(startOfYear),
  },
} as const satisfies Readonly<Record<string, Shipped>>
export type ShippedForm = keyof typeof shippedForms
export const shippedFormKeys = Object.keys(shippedForms) as unknown as readonly [ShippedForm, ...ShippedForm[]]

/** The reports that a form which comes with the product is filled with. */
export const reportsOf = (key: ShippedForm): readonly ShippedReport[] => (shippedForms[key] as Shipped).reports ?? []
