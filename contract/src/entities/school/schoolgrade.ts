import { defineEntity } from '../../entity.ts'
import { integer, reference } from '../../field.ts'
import { remark, schoolId } from '../common.ts'

/** What a grade is in one school and year: its cohort and its head, who sees and approves what concerns the grade. */
export const schoolgrade = defineEntity({
  name: 'schoolgrade',
  path: 'blade-user/schoolgrade',
  label: { zh: '年级设置', en: 'Grade of a year' },
  short: '年级',
  measure: '个',
  ownership: 'school',
  title: 'gradeId',
  beside: ['yearId', 'schoolId'],
  fields: {
    schoolId,
    yearId: reference('学年', 'School year', 'schoolyear', { required: true }),
    gradeId: reference('年级', 'Grade', 'sysgrade', { required: true }),
    cohortYear: integer('入学年份', 'Cohort', {
      required: true,
      min: 1950,
      max: 2100,
      help: { zh: '该年级学生进入本学段的年份', en: 'The year in which these pupils entered the stage' },
    }),
    headTeacherId: reference('年级主任', 'Head of grade', 'user', {
      help: { zh: '查看本年级、审批请假', en: 'Sees the grade, and approves leave' },
    }),
    remark,
  },
  unique: [['yearId', 'gradeId']],
  taken: {
    gradeId: { zh: '该学年已有此年级', en: 'The year has this grade already' },
  },
  list: ['schoolId', 'yearId', 'gradeId', 'cohortYear', 'headTeacherId'],
  search: ['schoolId', 'yearId', 'gradeId', 'headTeacherId'],
  sort: '-cohortYear',
})
