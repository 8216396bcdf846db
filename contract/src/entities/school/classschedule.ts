import { defineEntity } from '../../entity.ts'
import { choice, flag, integer, json, reference, text } from '../../field.ts'
import { remark, schoolId } from '../common.ts'

export const classschedule = defineEntity({
  name: 'classschedule',
  path: 'blade-user/classschedule',
  label: { zh: '课程表', en: 'Timetable' },
  ownership: 'school',
  title: 'subjectId',
  beside: ['classId', 'teachClassId', 'teacherId'],
  fields: {
    schoolId,
    semesterId: reference('学期', 'Semester', 'schoolsemester', { required: true }),
    planId: reference('课表方案', 'Timetable plan', 'timetableplan', {
      help: { zh: '留空则记入该学期的草稿方案', en: 'Left empty: the draft of the semester' },
    }),
    classId: reference('行政班', 'Class', 'schoolclass', {
      help: { zh: '行政班与教学班只填一个', en: 'Give either a class or a teaching class' },
    }),
    teachClassId: reference('教学班', 'Teaching class', 'schoolteachclass'),
    subjectId: reference('学科', 'Subject', 'schoolsubject', { required: true }),
    teacherId: reference('教师', 'Teacher', 'user', { required: true }),
    classroomId: reference('教室', 'Room', 'schoolclassroom', {
      help: { zh: '留空则在班级的固定教室', en: 'Left empty: the home room of the class' },
    }),
    weekday: choice('星期', 'Weekday', 'weekday', { required: true }),
    periodNo: integer('节次', 'Period', { required: true, min: 1, max: 14 }),
    span: integer('连堂', 'Periods in a row', { required: true, min: 1, max: 4, default: 1 }),
    weekType: choice('周次类型', 'Weeks', 'week_type', { required: true, default: '0' }),
    /** Numbers of the weeks, `[1, 2, 5]`, where the kind is "certain weeks". */
    weeks: json('周次', 'Week numbers', {
      as: 'weeks',
      help: {
        zh: '指定周时填写，如：1-16、1,3,5-8、1-16单',
        en: 'For chosen weeks, for example 1-16, 1,3,5-8 or 1-16 odd',
      },
    }),
    isLocked: flag('锁定', 'Locked', {
      default: 0,
      help: {
        zh: '自动排课时不移动这节课',
        en: 'Automatic timetabling does not move it',
      },
    }),
    color: text('颜色', 'Colour', { max: 7, rule: 'color' }),
    remark,
  },
  oneOf: [['classId', 'teachClassId']],
  reachedBy: ['classId', 'teachClassId'],
  // Published ones are those of the timetable; a draft is the affair of whoever makes timetables.
  drafted: { by: 'planId', shown: [2] },
  list: [
    'subjectId',
    'weekday',
    'periodNo',
    'classId',
    'teachClassId',
    'teacherId',
    'classroomId',
    'weekType',
    'semesterId',
    'planId',
  ],
  search: ['teacherId', 'semesterId', 'planId', 'classId', 'subjectId', 'weekday'],
  sort: 'weekday',
  sorts: ['periodNo'],
  groups: [
    {
      label: { zh: '课', en: 'Lesson' },
      fields: ['schoolId', 'semesterId', 'planId', 'classId', 'teachClassId', 'subjectId', 'teacherId', 'classroomId'],
    },
    {
      label: { zh: '时间', en: 'Time' },
      fields: ['weekday', 'periodNo', 'span', 'weekType', 'weeks', 'isLocked'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['color', 'remark'] },
  ],
})
