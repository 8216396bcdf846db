import { defineEntity } from '../../entity.ts'
import { date, flag, integer, text } from '../../field.ts'
import { remark, schoolId, sort } from '../common.ts'

export const schoolyear = defineEntity({
  name: 'schoolyear',
  path: 'blade-user/schoolyear',
  label: { zh: '学年', en: 'School year' },
  measure: '个',
  ownership: 'school',
  currentSpan: { flag: 'isCurrent', label: { zh: '本学年', en: 'This school year' } },
  title: 'yearName',
  beside: ['schoolId'],
  choiceOrder: ['-startYear'],
  fields: {
    schoolId,
    yearName: text('学年名称', 'Year name', {
      required: true,
      max: 20,
      help: { zh: '如：2026-2027学年', en: 'For example 2026-2027' },
    }),
    startYear: integer('起始年份', 'Start year', { required: true, min: 1900, max: 2200 }),
    beginDate: date('开始日期', 'Begin date', { required: true }),
    endDate: date('结束日期', 'End date', { required: true }),
    isCurrent: flag('当前学年', 'Current year', {
      required: true,
      default: 0,
      help: { zh: '每所学校只有一个当前学年', en: 'A school has one current year' },
    }),
    sort,
    remark,
  },
  unique: [
    ['schoolId', 'yearName'],
    ['schoolId', 'startYear'],
  ],
  taken: {
    startYear: {
      zh: '该学校已有从这一年开始的学年',
      en: 'The school already has a school year that begins in that year',
    },
  },
  single: [{ flag: 'isCurrent', per: ['schoolId'] }],
  ranges: [['beginDate', 'endDate']],
  list: ['schoolId', 'yearName', 'startYear', 'beginDate', 'endDate', 'isCurrent'],
  search: ['yearName', 'schoolId', 'startYear', 'isCurrent'],
  sort: '-startYear',
  sorts: ['beginDate'],
  status: { dict: 'year_status', default: 0, tones: { '2': 'off' } },
})
