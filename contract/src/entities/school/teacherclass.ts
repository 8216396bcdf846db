import { defineEntity } from '../../entity.ts'
import { choice, date, integer, reference } from '../../field.ts'
import { schoolId } from '../common.ts'

export const teacherclass = defineEntity({
  name: 'teacherclass',
  path: 'blade-user/teacherclass',
  label: { zh: '任课关系', en: 'Teaching assignment' },
  ownership: 'school',
  title: 'userId',
  beside: ['subjectId', 'classId', 'teachClassId'],
  fields: {
    schoolId,
    semesterId: reference('学期', 'Semester', 'schoolsemester', { required: true }),
    userId: reference('教师', 'Teacher', 'user', { required: true }),
    classId: reference('行政班', 'Class', 'schoolclass', {
      help: { zh: '行政班与教学班只填一个', en: 'Give either a class or a teaching class' },
    }),
    teachClassId: reference('教学班', 'Teaching class', 'schoolteachclass'),
    subjectId: reference('学科', 'Subject', 'schoolsubject', { required: true }),
    role: choice('角色', 'Role', 'teacher_role', { required: true, default: '1' }),
    weekHours: integer('周课时', 'Hours a week', { required: true, min: 0, max: 40 }),
    beginDate: date('开始日期', 'Begin date', { required: true }),
    endDate: date('结束日期', 'End date', {
      required: true,
      help: {
        zh: '学期中换教师时，结束本条并新增一条',
        en: 'When the teacher changes mid-term, end this one and add another',
      },
    }),
  },
  oneOf: [['classId', 'teachClassId']],
  reachedBy: ['classId', 'teachClassId'],
  ranges: [['beginDate', 'endDate']],
  list: ['userId', 'subjectId', 'classId', 'teachClassId', 'role', 'weekHours', 'semesterId', 'schoolId', 'beginDate'],
  search: ['userId', 'schoolId', 'semesterId', 'classId', 'subjectId', 'role'],
  sort: '-beginDate',
})
