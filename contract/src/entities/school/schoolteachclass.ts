import { defineEntity } from '../../entity.ts'
import { choice, integer, reference, references, text } from '../../field.ts'
import { remark, schoolId } from '../common.ts'

export const schoolteachclass = defineEntity({
  name: 'schoolteachclass',
  path: 'blade-user/schoolteachclass',
  label: { zh: '教学班', en: 'Teaching class' },
  short: '班',
  measure: '个',
  ownership: 'school',
  title: 'teachClassName',
  beside: ['semesterId', 'schoolId'],
  fields: {
    schoolId,
    semesterId: reference('学期', 'Semester', 'schoolsemester', { required: true }),
    gradeIds: references('年级', 'Grades', 'sysgrade', { required: true }),
    teachClassCode: text('教学班编号', 'Code', { required: true, max: 32, rule: 'code' }),
    teachClassName: text('教学班名称', 'Name', { required: true, max: 40 }),
    subjectId: reference('学科', 'Subject', 'schoolsubject', { required: true }),
    level: choice('层次', 'Level', 'teach_level'),
    kind: choice('类型', 'Kind', 'teachclass_kind', { required: true }),
    classIds: references('行政班', 'Classes', 'schoolclass', {
      help: { zh: '行政班同体或合班时填写', en: 'For a single class, or classes taught together' },
    }),
    studentIds: references('学生名单', 'Roster', 'student', {
      help: { zh: '走班或社团时填写', en: 'For a mixed class or a club' },
    }),
    teacherId: reference('任课教师', 'Teacher', 'user', { required: true }),
    assistantIds: references('助教', 'Assistants', 'user'),
    classroomId: reference('默认教室', 'Room', 'schoolclassroom'),
    weekHours: integer('周课时', 'Hours a week', { required: true, min: 1, max: 40 }),
    doublePeriods: integer('连排', 'Double periods', { required: true, min: 0, max: 20, default: 0 }),
    minSize: integer('人数下限', 'Smallest size', { min: 0, max: 1000 }),
    maxSize: integer('人数上限', 'Largest size', { min: 1, max: 1000 }),
    remark,
  },
  unique: [
    ['semesterId', 'teachClassCode'],
    ['semesterId', 'teachClassName'],
  ],
  list: [
    'schoolId',
    'semesterId',
    'teachClassCode',
    'teachClassName',
    'kind',
    'subjectId',
    'gradeIds',
    'teacherId',
    'weekHours',
  ],
  search: ['teachClassName', 'schoolId', 'semesterId', 'gradeIds', 'subjectId', 'teacherId'],
  sort: 'teachClassCode',
  sorts: ['teachClassName'],
  status: { dict: 'teachclass_status', default: 0 },
  groups: [
    {
      label: { zh: '教学班', en: 'Teaching class' },
      fields: [
        'schoolId',
        'semesterId',
        'gradeIds',
        'teachClassCode',
        'teachClassName',
        'subjectId',
        'kind',
        'level',
        'classIds',
        'studentIds',
      ],
    },
    {
      label: { zh: '教师与教室', en: 'Teachers and room' },
      fields: ['teacherId', 'assistantIds', 'classroomId', 'weekHours', 'doublePeriods'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['minSize', 'maxSize', 'remark'] },
  ],
})
