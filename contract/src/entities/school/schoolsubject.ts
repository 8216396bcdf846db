import { defineEntity } from '../../entity.ts'
import { choice, decimal, json, reference, text } from '../../field.ts'
import { remark, schoolId, sort } from '../common.ts'

export const schoolsubject = defineEntity({
  name: 'schoolsubject',
  path: 'blade-user/schoolsubject',
  label: { zh: '学校学科', en: 'Subject' },
  measure: '门',
  ownership: 'school',
  title: 'subjectName',
  beside: ['schoolId'],
  fields: {
    schoolId,
    sysSubjectId: reference('系统学科', 'System subject', 'syssubject', {
      help: { zh: '校本课程留空', en: 'Left empty for a course of the school’s own' },
    }),
    subjectName: text('学科名称', 'Subject name', { required: true, max: 30 }),
    shortName: text('简称', 'Short name', { required: true, max: 4 }),
    category: choice('课程类别', 'Category', 'subject_category', { required: true }),
    color: text('颜色', 'Colour', { required: true, max: 7, rule: 'color', default: '#1677ff' }),
    leaderId: reference('学科组长', 'Subject leader', 'user'),
    /** `{ weekday: 1…7, half: 'am' | 'pm' }`: every teacher of the subject is busy then. */
    researchSlot: json('教研时间', 'Research half-day', { as: 'halfDay' }),
    fullScore: decimal('满分', 'Full score', { min: 0, max: 9999, scale: 1 }),
    passScore: decimal('及格分', 'Pass score', { min: 0, max: 9999, scale: 1 }),
    /** `[{ gradeId, hours, doubleCount }]`. */
    weekHours: json('周课时', 'Weekly hours', {
      as: 'gradeHours',
      of: 'sysgrade',
      help: { zh: '各年级每周课时数和连堂数', en: 'Lessons and double lessons a week, by grade' },
    }),
    sort,
    remark,
  },
  unique: [
    ['schoolId', 'sysSubjectId'],
    ['schoolId', 'subjectName'],
  ],
  taken: {
    sysSubjectId: {
      zh: '该学校已有对应此系统学科的学科',
      en: 'The school already has a subject for that system subject',
    },
  },
  list: ['schoolId', 'subjectName', 'shortName', 'category', 'leaderId', 'fullScore', 'passScore', 'sort'],
  search: ['subjectName', 'schoolId', 'sysSubjectId', 'category'],
  sort: 'sort',
  sorts: ['subjectName'],
  groups: [
    { label: { zh: '教研', en: 'Teaching and research' }, fields: ['leaderId', 'researchSlot', 'weekHours'] },
    { label: { zh: '其他', en: 'Other' }, fields: ['fullScore', 'passScore', 'sort', 'remark'] },
  ],
})
