import { defineEntity } from '../../entity.ts'
import { date, reference, text } from '../../field.ts'
import { parentSchoolId } from '../common.ts'

/** Who sat in which class, and when. A student's current class is the row without an end. */
export const studentclass = defineEntity({
  name: 'studentclass',
  path: 'blade-user/studentclass',
  label: { zh: '在班历史', en: 'Class history' },
  ownership: 'school',
  title: 'studentId',
  beside: ['classId'],
  fields: {
    schoolId: parentSchoolId,
    studentId: reference('学生', 'Student', 'student', { required: true, fixed: true }),
    classId: reference('班级', 'Class', 'schoolclass', { required: true, fixed: true }),
    beginDate: date('开始日期', 'Begin date', { required: true }),
    endDate: date('结束日期', 'End date'),
    reason: text('原因', 'Reason', {
      max: 30,
      help: { zh: '如：分班、转班、升级、转出', en: 'Such as placement, change of class, promotion, transfer' },
    }),
  },
  ranges: [['beginDate', 'endDate']],
  list: ['studentId', 'schoolId', 'classId', 'beginDate', 'endDate', 'reason'],
  search: ['studentId', 'schoolId', 'classId'],
  within: 'studentId',
  sort: '-beginDate',
})
