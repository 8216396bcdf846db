import { defineEntity } from '../../entity.ts'
import { choice, date, integer, reference, text } from '../../field.ts'
import { schoolId } from '../common.ts'

/** Days, or periods of them, on which a teacher gives no lessons. The lessons of these days want cover. */
export const teacherabsence = defineEntity({
  name: 'teacherabsence',
  path: 'blade-user/teacherabsence',
  label: { zh: '教师缺勤', en: 'Teacher absence' },
  short: '缺勤',
  ownership: 'school',
  title: 'teacherId',
  beside: ['beginDate', 'endDate'],
  fields: {
    teacherId: reference('教师', 'Teacher', 'user', { required: true }),
    schoolId,
    leaveType: choice('类型', 'Kind', 'leave_type', { required: true, default: '1' }),
    beginDate: date('开始日期', 'From', { required: true }),
    beginPeriodNo: integer('首日自第几节', 'From period', {
      min: 1,
      max: 14,
      help: { zh: '留空则首日全天；下午缺勤填下午第一节', en: 'Of the first day; left empty: the whole day' },
    }),
    endDate: date('结束日期', 'Until', { required: true }),
    endPeriodNo: integer('末日至第几节', 'Until period', {
      min: 1,
      max: 14,
      help: { zh: '留空则末日全天；上午缺勤填上午最后一节', en: 'Of the last day; left empty: the whole day' },
    }),
    reason: text('事由', 'Reason', { max: 200 }),
  },
  // Why somebody is away is known to those who work with that person.
  reachedBy: ['teacherId'],
  ranges: [['beginDate', 'endDate']],
  list: ['teacherId', 'leaveType', 'beginDate', 'beginPeriodNo', 'endDate', 'endPeriodNo', 'reason'],
  search: ['teacherId', 'schoolId', 'beginDate', 'endDate', 'leaveType'],
  sort: '-beginDate',
})
