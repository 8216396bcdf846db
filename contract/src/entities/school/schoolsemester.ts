import { defineEntity } from '../../entity.ts'
import { date, flag, integer, reference, text } from '../../field.ts'
import { schoolId } from '../common.ts'

export const schoolsemester = defineEntity({
  name: 'schoolsemester',
  path: 'blade-user/schoolsemester',
  label: { zh: '学期', en: 'Semester' },
  measure: '个',
  ownership: 'school',
  currentSpan: { flag: 'isCurrent', label: { zh: '本学期', en: 'This semester' } },
  title: 'semesterName',
  beside: ['yearId', 'schoolId'],
  choiceOrder: ['-beginDate'],
  fields: {
    schoolId,
    yearId: reference('学年', 'School year', 'schoolyear', { required: true }),
    semesterName: text('学期名称', 'Semester name', { required: true, max: 20 }),
    semesterNo: integer('学期序号', 'Semester no.', { required: true, min: 1, max: 4 }),
    beginDate: date('开始日期', 'Begin date', { required: true }),
    endDate: date('结束日期', 'End date', { required: true }),
    firstWeekMonday: date('教学第1周周一', 'Monday of week 1', {
      required: true,
      help: { zh: '与开始日期相差不超过7天', en: 'Within 7 days of the begin date' },
    }),
    weekCount: integer('教学周数', 'Teaching weeks', { required: true, min: 1, max: 30, default: 20 }),
    isCurrent: flag('当前学期', 'Current semester', {
      required: true,
      default: 0,
      help: { zh: '每所学校只有一个当前学期', en: 'A school has one current semester' },
    }),
    examBegin: date('期末考试开始', 'Final exams from'),
    examEnd: date('期末考试结束', 'Final exams until'),
  },
  unique: [
    ['yearId', 'semesterName'],
    ['yearId', 'semesterNo'],
  ],
  single: [{ flag: 'isCurrent', per: ['schoolId'] }],
  ranges: [
    ['beginDate', 'endDate'],
    ['examBegin', 'examEnd'],
  ],
  list: ['schoolId', 'yearId', 'semesterName', 'semesterNo', 'beginDate', 'endDate', 'weekCount', 'isCurrent'],
  search: ['semesterName', 'schoolId', 'yearId', 'isCurrent'],
  sort: '-beginDate',
  sorts: ['semesterName'],
  status: { dict: 'year_status', default: 0, tones: { '2': 'off' } },
  groups: [
    { label: { zh: '教学周', en: 'Teaching weeks' }, fields: ['firstWeekMonday', 'weekCount', 'examBegin', 'examEnd'] },
  ],
})
