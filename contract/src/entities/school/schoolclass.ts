import { defineEntity } from '../../entity.ts'
import { choice, integer, reference, references, text } from '../../field.ts'
import { custom, remark, schoolId, sort } from '../common.ts'

export const schoolclass = defineEntity({
  name: 'schoolclass',
  path: 'blade-user/schoolclass',
  label: { zh: '行政班', en: 'Class' },
  short: '班',
  measure: '个',
  ownership: 'school',
  title: 'className',
  beside: ['yearId', 'schoolId'],
  choiceOrder: ['-yearId.startYear', 'gradeId.sort', 'gradeId.gradeNo', 'classNo'],
  fields: {
    schoolId,
    campusId: reference('校区', 'Campus', 'schoolcampus', { required: true }),
    yearId: reference('学年', 'School year', 'schoolyear', { required: true }),
    gradeId: reference('年级', 'Grade', 'sysgrade', { required: true }),
    classNo: integer('班号', 'Class no.', { required: true, min: 1, max: 60 }),
    className: text('班级名称', 'Class name', {
      required: true,
      max: 30,
      help: { zh: '如：七年级（2）班', en: 'For example Grade 7 (2)' },
    }),
    cohortYear: integer('入学年份（届）', 'Cohort', {
      required: true,
      min: 1900,
      max: 2200,
      help: { zh: '学生入学的年份，升级后不变', en: 'The year its students entered; stays the same as they move up' },
    }),
    // The chain across years is written by the yearly rollover, both ends at once.
    prevClassId: reference('上学年班级', 'Previous class', 'schoolclass', { computed: true }),
    nextClassId: reference('下学年班级', 'Next class', 'schoolclass', { computed: true }),
    classType: choice('班级类型', 'Class type', 'class_type', { required: true }),
    headTeacherId: reference('班主任', 'Class teacher', 'user'),
    deputyTeacherIds: references('副班主任', 'Deputy class teachers', 'user', { max: 3 }),
    classroomId: reference('固定教室', 'Home room', 'schoolclassroom'),
    maxSize: integer('班额', 'Size limit', { required: true, min: 1, max: 100, default: 45 }),
    studentCount: integer('在读人数', 'Enrolled', { min: 0, max: 10000, default: 0, computed: true }),
    motto: text('班训', 'Motto', { max: 100 }),
    sort,
    remark,
    custom,
  },
  unique: [
    ['schoolId', 'yearId', 'gradeId', 'classNo'],
    ['schoolId', 'yearId', 'className'],
    ['yearId', 'classroomId'],
    ['prevClassId'],
    ['nextClassId'],
  ],
  taken: {
    classNo: {
      zh: '该学年的同一年级已有此班号的班级',
      en: 'The grade already has a class of that number in that school year',
    },
    classroomId: {
      zh: '该教室在同一学年已是其他班级的固定教室',
      en: 'The room is already the home room of another class in that school year',
    },
    prevClassId: {
      zh: '该上学年班级已有接续它的班级',
      en: 'Another class already continues that class of the previous year',
    },
    nextClassId: {
      zh: '该下学年班级已由其他班级升入',
      en: 'That class of the next year already continues another class',
    },
  },
  list: [
    'schoolId',
    'yearId',
    'gradeId',
    'className',
    'headTeacherId',
    'classroomId',
    'studentCount',
    'maxSize',
    'cohortYear',
  ],
  search: ['className', 'schoolId', 'campusId', 'yearId', 'gradeId', 'headTeacherId'],
  sort: '-cohortYear',
  sorts: ['className', 'classNo', 'studentCount'],
  find: ['className'],
  // A class is mostly entered when it already meets; one that is only planned is set to 0 by hand.
  status: { dict: 'class_status', default: 1, tones: { '2': 'off' } },
  groups: [
    {
      label: { zh: '班级', en: 'Class' },
      fields: ['schoolId', 'campusId', 'yearId', 'gradeId', 'classNo', 'className', 'cohortYear', 'classType'],
    },
    {
      label: { zh: '教师与教室', en: 'Teachers and room' },
      fields: ['headTeacherId', 'classroomId', 'deputyTeacherIds', 'maxSize'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['motto', 'sort', 'remark'] },
  ],
  views: [
    { key: 'year', through: { of: 'schoolyear', by: { isCurrent: '1' }, as: 'yearId' } },
    { key: 'headless', filters: { headTeacherId_null: '1' } },
    { key: 'large', filters: { studentCount_gt: '45' } },
  ],
})
