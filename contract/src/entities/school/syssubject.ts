import { defineEntity } from '../../entity.ts'
import { choice, flag, references, text } from '../../field.ts'
import { remark, sort } from '../common.ts'

export const syssubject = defineEntity({
  name: 'syssubject',
  path: 'blade-user/syssubject',
  label: { zh: '系统学科', en: 'System subject' },
  measure: '门',
  ownership: 'tenant',
  made: 'anywhere',
  shares: { whole: 'catalogue' },
  title: 'subjectName',
  fields: {
    subjectCode: text('学科代码', 'Subject code', { required: true, max: 16, rule: 'code' }),
    subjectName: text('学科名称', 'Subject name', { required: true, max: 30 }),
    shortName: text('简称', 'Short name', {
      required: true,
      max: 4,
      help: { zh: '显示在课程表格子里', en: 'Shown in the cells of the timetable' },
    }),
    category: choice('课程类别', 'Category', 'subject_category', { required: true }),
    gradeIds: references('适用年级', 'Grades', 'sysgrade', { required: true }),
    isMain: flag('主科', 'Core subject', { default: 0 }),
    isElective: flag('选考科目', 'Elective', {
      default: 0,
      help: { zh: '新高考“3+1+2”的选考科目', en: 'An elective of the 3+1+2 college entrance exam' },
    }),
    roomType: choice('所需教室', 'Room needed', 'room_type'),
    color: text('颜色', 'Colour', { max: 7, rule: 'color' }),
    sort,
    remark,
  },
  unique: [['subjectCode'], ['subjectName']],
  list: ['subjectCode', 'subjectName', 'shortName', 'category', 'gradeIds', 'isMain', 'isElective', 'sort'],
  search: ['subjectName', 'subjectCode', 'gradeIds', 'category', 'isMain'],
  sort: 'sort',
  sorts: ['subjectCode', 'subjectName'],
  groups: [
    {
      label: { zh: '排课', en: 'Timetabling' },
      fields: ['isMain', 'isElective', 'roomType', 'color'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['sort', 'remark'] },
  ],
})
